"""The reader's own Transformer learns Korean, and is asked on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

import torch

from toy_language import corpus
from transformer_course.checks import parts
from transformer_course.checks.parts import source_file
from transformer_course.workbook import on_disk
from transformer_course.workbook.complete import complete, own_names
from transformer_lib.batching import BatchPlan, pad
from transformer_lib.model import Transformer
from transformer_lib.model_config import TransformerConfig
from transformer_lib.presets import PRESETS
from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.tokenizer import Tokenizer

__all__ = ["ASKED", "Answer", "Learner", "who"]

ASKED = {  # the two halves, and the Korean stem of their adjective
    "the cat did not cross the river because it was too deep .": "깊",
    "the cat did not cross the river because it was too tired .": "피곤",
}
LONGEST = 30  # tokens of an answer
_SUBJECT = ("NOM", "TOP")  # what marks the noun that is said to be so


class Answer(NamedTuple):
    """What the model wrote at one stop.

    Attributes:
        step: updates it had made.
        loss: per-token loss of the last of them, in nats; None before it.
        english: the sentence that was asked.
        pieces: (morpheme, sound, gloss) of each token; "?" where the
            grammar has no gloss for it.
        who: gloss of the noun that is too deep or too tired; "" if none is.
        ended: whether it wrote the end mark, and was not cut.
    """

    step: int
    loss: float | None
    english: str
    pieces: tuple[tuple[str, str, str], ...]
    who: str
    ended: bool

    @property
    def korean(self) -> str:
        """The sentence as it is printed."""
        return corpus.join_morphemes(" ".join(one for one, *_ in self.pieces))

    def __str__(self) -> str:
        adjective = self.english.rstrip(" .").rsplit(" ", 1)[-1]
        noun = f"the {self.who}" if self.who else "nobody"
        return f"{self.step:4}  too {adjective}: {noun:10}  {self.korean}"


def who(pieces: Sequence[tuple[str, str, str]], stem: str) -> str:
    """Say which noun an adjective is about.

    Args:
        pieces: of a sentence, see `Answer`.
        stem: of the adjective, such as "깊" (deep).

    Returns:
        The gloss of the last noun before it that carries the particle of a
        topic or a subject; "" if there is none, or no such adjective.
    """
    found, before = "", ""
    for morpheme, _, meaning in pieces:
        if morpheme == stem:
            return found
        if meaning in _SUBJECT and before not in ("", "?", *_SUBJECT):
            found = before
        before = meaning
    return ""


class Learner:
    """A Transformer of the reader's parts, and the training it is in.

    A part that the reader's file lacks, or that its check refuses, is the
    book's; a line says so. The weights begin as the library's do with this
    seed, so that every right file learns the same way.

    Args:
        splits: sentence pairs by name, such as
            `toy_language.corpus.toy_splits("small")`; "train" is learned.
        seed: decides the first weights and the batches.
        device: where to train.

    Attributes:
        model: the reader's Transformer.
        tokenizer: its vocabulary, made from the training sentences.
        step: updates made.
        answers: all that it was asked, see `Answer`.
        text: of the reader's file when this began.
        lent: names of the parts that are the book's.
        sizes: of the model, as the library says them.

    Raises:
        ValueError: the reader's file does not run.
    """

    def __init__(
        self,
        splits: Mapping[str, Sequence[corpus.SentencePair]],
        seed: int = 0,
        device: str = "cpu",
    ) -> None:
        sizes, self.config = PRESETS["small"]
        self.config = replace(self.config, seed=seed)
        self.device, self.step, self.loss = device, 0, None
        self.answers: list[Answer] = []
        pairs = splits["train"]
        self.tokenizer = Tokenizer.words(
            [text for pair in pairs for text in (pair.source, pair.target)],
            corpus.SPELLING,
        )
        ids = [
            tuple(map(self.tokenizer.encode, (pair.source, pair.target)))
            for pair in pairs
        ]
        self._plan = BatchPlan(ids, self.config.tokens_per_batch, seed)
        self.text = on_disk.read()
        self._own, self.lent = _own_parts(self.text)
        self.sizes = sizes.config(len(self.tokenizer))
        torch.manual_seed(seed)
        start = own_names(Transformer(self.sizes).state_dict())
        self.model = model_of(self._own.Transformer, self.sizes)
        self.model.load_state_dict(start)
        self.model.to(device)
        self._optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9
        )

    def learn(self, updates: int = 400, every: int = 50) -> Iterator[Answer]:
        """Make updates by the reader's `train_step`, and ask now and then.

        Called again, it goes on at a tenth of the highest learning rate.

        Args:
            updates: how many.
            every: after so many it is asked for both sentences.

        Yields:
            Each answer, as soon as it is there. If a part of the reader's
            stops, a sentence is printed and nothing more comes.
        """
        config = replace(self.config, steps=updates)
        began = self.step
        for number in range(1, updates + 1):
            lr = config.lr(number, self.sizes.d_model)
            batch = self._plan.batch(self.step).to(self.device)
            ids = (batch.source, batch.target_in, batch.target_out)
            if began:
                lr = AGAIN * config.max_lr
            try:
                self.loss = float(
                    self._own.train_step(self.model, ids, self._optimizer, lr)
                )
            except Exception as error:
                print(self._stopped("train_step", error))
                return
            self.step += 1
            if number % every == 0 or number == updates:
                for english in ASKED:
                    try:
                        answer = self.ask(english)
                    except Exception as error:
                        print(self._stopped("greedy_decode", error))
                        return
                    self.answers.append(answer)
                    yield answer

    def ask(self, english: str) -> Answer:
        """Translate a sentence with the reader's `greedy_decode`.

        Args:
            english: with the words of the training sentences.
        """
        (written,) = self.write([english])
        tokens = " ".join(map(self.tokenizer.token, written.ids))
        pieces = tuple(corpus.gloss(tokens, "?"))
        noun = who(pieces, ASKED.get(english, ""))
        return Answer(
            self.step, self.loss, english, pieces, noun, written.ended
        )

    def write(self, sentences: Sequence[str]) -> list[Written]:
        """Translate sentences, a hundred at a time.

        Args:
            sentences: English, with the words of the training sentences.

        Returns:
            What the reader's `greedy_decode` wrote for each of them.
        """
        found = []
        for start in range(0, len(sentences), 100):
            ids = self.tokenizer.encode_all(sentences[start : start + 100])
            source = pad(ids).to(self.device)
            rows = self._own.greedy_decode(self.model, source, LONGEST)
            found += map(_cut, rows.tolist())
        return found

    def exact(self, pairs: Sequence[corpus.SentencePair]) -> list[bool]:
        """Say which sentences it translates as the grammar does.

        Args:
            pairs: to compare with.
        """
        written = self.write([pair.source for pair in pairs])
        return [
            self.tokenizer.decode(one.ids) == corpus.join_morphemes(pair.target)
            for one, pair in zip(written, pairs, strict=True)
        ]

    def _stopped(self, name: str, error: Exception) -> str:
        """Say what stopped in the middle of a training."""
        said = f"{type(error).__name__}: {str(error).strip()[:300]}"
        line = (
            f"After {self.step} updates {name} stopped ({said}). Its check "
            "had called it right, so something here is new to it: the batch, "
            f"the size or the device ({self.device})."
        )
        if self.device != "cpu" and "device" in str(error):
            line = (
                f"After {self.step} updates {name} stopped: a tensor of yours "
                "is made on the processor, and the model is on a "
                f"{self.device} device. Make it where its input is "
                "(device=ids.device), often in causal_mask, or take "
                'workbook.Learner(..., device="cpu").'
            )
        return line


class Written(NamedTuple):
    """One row of `greedy_decode`: its ids, and whether it came to an end."""

    ids: list[int]
    ended: bool


AGAIN = 0.1  # of the highest learning rate, when the training goes on


def _cut(row: list[int]) -> Written:
    """Take the ids up to the end mark."""
    ended = EOS in row
    kept = row[: row.index(EOS)] if ended else row
    return Written([one for one in kept if one not in (PAD, BOS)], ended)


def model_of(kind: Any, sizes: TransformerConfig) -> torch.nn.Module:
    """Build a Transformer of the reader's class.

    Args:
        kind: the class.
        sizes: of the model.
    """
    return kind(
        sizes.vocab_size,
        sizes.d_model,
        sizes.n_heads,
        sizes.d_ff,
        sizes.n_layers,
        dropout=sizes.dropout,
        norm_first=sizes.norm_first,
    )


def _own_parts(text: str) -> tuple[ModuleType, list[str]]:
    """Complete the reader's file; say whose its parts are."""
    text, wrong = complete(text)
    lent = [name for name in parts.PARTS if source_file.is_marked(text, name)]
    print(said_of(lent, wrong))
    return on_disk.run(text), lent


def said_of(lent: Sequence[str], wrong: Mapping[str, str]) -> str:
    """Say whose the ten parts of a completed file are.

    Args:
        lent: names of the book's.
        wrong: {name: message} of those that a check refused.
    """
    numbers = {number for number, _ in parts.PARTS.values()}
    theirs = {parts.PARTS[name][0] for name in lent}
    own = len(numbers - theirs)
    if not own and not wrong:
        return (
            "The book's Transformer learns Korean. For one of your own, begin "
            "with part 1, in chapter 4."
        )
    lines = [f"yours: {own} of {len(numbers)} parts"]
    if lent:
        lines[0] += f"; the book's: {', '.join(lent)}"
    lines += [
        f"The book's version: {name}. Yours: {message}"
        for name, message in wrong.items()
    ]
    return "\n".join(lines)
