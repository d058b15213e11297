"""Which goat was it? A toy task in which the last word is a question.

    a text       day [freed white] man sins [kept black] ... freed
    the answer   white

Each text names four goats, and right before each goat what became of it. The
last word repeats one of these four fates: which goat was it? All texts hold
the same goats and the same fates, so a bag of words knows nothing of the
answer. Every model gets the same vectors and the same output layers; only
how the vectors become one, `read`, is exchanged.

The task is a small form of associative recall. Chapter 1.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

__all__ = [
    "FixedQuery",
    "LastState",
    "Recall",
    "Run",
    "from_identity",
    "learn",
    "spell",
    "texts",
]

GOATS = ("white", "black", "brown", "spotted")
FATES = ("offered", "freed", "sold", "kept")
OTHERS = ("priest", "people", "sins", "desert", "hands", "head", "man", "day")
WORDS = (*GOATS, *FATES, *OTHERS)
WIDTH = 32
WINDOW = 20  # batches over which the accuracy is averaged
LEARNED = 0.99


def texts(
    count: int, length: int, goats: int = len(GOATS)
) -> tuple[Tensor, Tensor]:
    """Draw texts with the random numbers of torch.

    Args:
        count: B, how many.
        length: words before the question, at least two for each goat.
        goats: how many a text names, from 1 to 4. Of fewer than four, which
            ones and with which fates is drawn for each text.

    Returns:
        (ids, answers): (B, length + 1) numbers of words, the question last,
        and (B,) the goat that is asked for.

    Raises:
        ValueError: another number of goats, or a text too short for them.
    """
    if not 1 <= goats <= len(GOATS):
        raise ValueError(f"goats={goats}, but there are 1 to {len(GOATS)}")
    if length < 2 * goats:
        raise ValueError(
            f"length {length} is too short: {goats} goats and their fates "
            f"are {2 * goats} words"
        )
    named = torch.rand(count, len(GOATS)).argsort(dim=1)[:, :goats]
    fates = torch.rand(count, len(FATES)).argsort(dim=1)[:, :goats]
    fates = fates + len(GOATS)
    pairs = torch.rand(count, length // 2).argsort(dim=1)[:, :goats]
    ids = torch.randint(len(GOATS) + len(FATES), len(WORDS), (count, length))
    ids.scatter_(1, 2 * pairs, fates).scatter_(1, 2 * pairs + 1, named)
    asked = torch.randint(goats, (count, 1))
    question = fates.gather(1, asked)
    return torch.cat([ids, question], dim=1), named.gather(1, asked)[:, 0]


class LastState(nn.Module):
    """Read with a recurrent network: its last hidden state.

    Args:
        kind: nn.RNN, nn.GRU or nn.LSTM, or what makes one of them.
        width: components of a word's vector and of the state.
        question_first: whether it reads the question before the text.
    """

    def __init__(
        self,
        kind: Callable[..., nn.RNNBase],
        width: int = WIDTH,
        question_first: bool = False,
    ) -> None:
        super().__init__()
        self.network = kind(width, width, batch_first=True)
        self.question_first = question_first

    def forward(self, vectors: Tensor, question: Tensor) -> Tensor:
        """Return the last hidden state.

        Args:
            vectors: of the words, the question last, (B, T, d).
            question: not used, since it is the last word (B, d).

        Returns:
            (B, d).
        """
        if self.question_first:
            vectors = vectors.roll(1, dims=1)
        states: Tensor = self.network(vectors)[0]
        return states[:, -1]


def from_identity(reader: LastState) -> LastState:
    """Start a recurrent matrix as the identity, and its biases as 0.

    With nothing else changed, a state first stays as it is, but for what a
    word adds to it and what the non-linearity does. Le et al. (2015) begin
    like this.

    Args:
        reader: around an nn.RNN; its input weights stay as PyTorch draws
            them.

    Returns:
        The same reader.
    """
    for name, values in reader.network.named_parameters():
        if name.startswith("weight_hh"):
            nn.init.eye_(values)
        elif name.startswith("bias"):
            nn.init.zeros_(values)
    return reader


class FixedQuery(nn.Module):
    """Attention whose query is the same whatever is asked, and learned.

    Args:
        width: components of a word's vector.
    """

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.zeros(width))

    def forward(self, vectors: Tensor, question: Tensor) -> Tensor:
        """Average the vectors with weights that no question changes.

        Args:
            vectors: of the words, (B, T, d).
            question: not used (B, d).

        Returns:
            (B, d).
        """
        weights = (vectors @ self.query).softmax(dim=1)
        return (weights[:, :, None] * vectors).sum(dim=1)


class Recall(nn.Module):
    """Embed the words, read them, answer.

    The vector of a word is the sum of two embeddings, of the word and of the
    word to its left, so that the vector of a goat knows its fate.

    Args:
        read: takes vectors (B, T, d) and question (B, d), gives (B, d).
        question_std: standard deviation with which the vectors of the
            questions start; PyTorch's own would be 1.
        width: d.
    """

    def __init__(
        self,
        read: Callable[[Tensor, Tensor], Tensor],
        question_std: float = 0.0,
        width: int = WIDTH,
    ) -> None:
        super().__init__()
        self.word = nn.Embedding(len(WORDS), width)
        self.left = nn.Embedding(len(WORDS) + 1, width)
        self.question = nn.Embedding(len(WORDS), width)
        nn.init.normal_(self.question.weight, std=question_std)
        self.read = read
        self.answer = nn.Sequential(
            nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, len(GOATS))
        )

    def forward(self, ids: Tensor) -> Tensor:
        """(B, T) numbers of words -> (B, 4) logits, one for each goat."""
        nothing = torch.full_like(ids[:, :1], len(WORDS))
        left = torch.cat([nothing, ids[:, :-1]], dim=1)
        vectors = self.word(ids) + self.left(left)
        question = self.question(ids[:, -1])
        memory = self.read(vectors, question)
        return self.answer(torch.cat([memory, question], dim=-1))


class Run(NamedTuple):
    """One training.

    Attributes:
        updates: how many were needed until 99 percent of the answers in the
            last 20 batches were right; None if that did not happen.
        accuracy: of each batch, before its update.
    """

    updates: int | None
    accuracy: list[float]


def learn(
    make: Callable[[], Callable[[Tensor, Tensor], Tensor]],
    seed: int,
    length: int = 32,
    goats: int = len(GOATS),
    limit: int = 800,
    rate: float = 0.003,
    question_std: float = 0.0,
) -> Run:
    """Train a model until it knows the answers, or up to a limit.

    Batches of 32 new texts, cross-entropy, Adam, gradients clipped to a norm
    of 1.

    Args:
        make: gives the `read` of a `Recall`, with fresh parameters.
        seed: of parameters and texts.
        length: words before the question.
        goats: named in each text.
        limit: updates at the most.
        rate: the learning rate of Adam.
        question_std: as in `Recall`.

    Returns:
        The course of the training.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Recall(make(), question_std)
        adam = torch.optim.Adam(model.parameters(), lr=rate)
        accuracy = []
        for step in range(1, limit + 1):
            ids, answers = texts(32, length, goats)
            logits = model(ids)
            adam.zero_grad()
            nn.functional.cross_entropy(logits, answers).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            right = (logits.argmax(dim=-1) == answers).float().mean()
            accuracy.append(right.item())
            recent = accuracy[-WINDOW:]
            if len(recent) == WINDOW and sum(recent) / WINDOW > LEARNED:
                return Run(step, accuracy)
    return Run(None, accuracy)


def spell(ids: Tensor) -> str:
    """Return a text as words.

    Args:
        ids: numbers of words (T,).

    Returns:
        The words, with spaces between them.
    """
    return " ".join(WORDS[i] for i in ids.tolist())
