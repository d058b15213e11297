"""An encoder-only and a decoder-only model on the toy corpus, three seeds.

    python benchmarks/two_halves.py

The two models of chapter 19, made and trained as its cells do it (one
thread, the same steps): the first is asked for hidden words, the second for
the next one, both on all English and Korean training sentences. 3,000 steps
with three words in ten hidden are about as many questions as 900 steps in
which each token is asked for; "short" is the masked model after 900 steps.
Then both halves are fine-tuned (fine_tuning.py). The result is
benchmarks/results/two_halves.json. `--smoke` does the same in miniature and
stores nothing.
"""

import math
import random
import time
from copy import deepcopy
from functools import partial

import common
import fine_tuning
import torch
from torch import Tensor, nn

from toy_language.corpus import SPELLING, toy_splits
from toy_language.grammar.lexicon import load_lexicon
from transformer_lib.batching import pad
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.label_smoothing import token_loss
from transformer_lib.layers import EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model_config import Architecture
from transformer_lib.normalization import LayerNorm
from transformer_lib.positional import PositionalEncoding
from transformer_lib.schedule import cosine_lr
from transformer_lib.special_tokens import BOS, EOS, PAD, UNK
from transformer_lib.tokenizer import Tokenizer

NAME = "two_halves"
MASK = UNK + 1
HIDDEN = 0.3  # share of the words that the masked model is asked for
STEPS = {"masked": 3000, "causal": 900, "short": 900}
EXCHANGED = 3  # sentences whose nouns a contrast sentence gets at most
FORMS = (("is", "are"), ("was", "were"), ("a", "an"))
CLASSES = {
    "article": "the a an this my our",
    "particle": "+은 +는 +이 +가 +을 +를",
}


class Model(nn.Module):
    """A stack of encoder layers; causal or not."""

    def __init__(self, n_tokens: int, causal: bool):
        super().__init__()
        self.causal = causal
        self.words = TokenEmbedding(n_tokens, 64)
        self.places = PositionalEncoding(64, max_length=64, dropout=0.0)
        sizes = Architecture(
            d_model=64, n_heads=4, d_ff=256, dropout=0.0, norm_first=True
        )
        self.layers = nn.ModuleList(EncoderLayer(sizes) for _ in range(2))
        self.norm = LayerNorm(64)

    def vectors(self, ids: Tensor, extra: Tensor | float = 0.0) -> Tensor:
        """Give (B, T, 64); extra is added to the embeddings."""
        mask = causal_mask(ids.shape[1]) if self.causal else padding_mask(ids)
        x = self.places(self.words(ids)) + extra
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

    def forward(self, ids: Tensor) -> Tensor:
        """Give (B, T, V) scores."""
        return self.words.logits(self.vectors(ids))


def question(ids: Tensor, causal: bool) -> tuple[Tensor, Tensor]:
    """Return what is read and what must be said."""
    if causal:
        return ids[:, :-1], ids[:, 1:]
    chosen = (torch.rand(ids.shape) < HIDDEN) & (ids > MASK)
    return ids.masked_fill(chosen, MASK), ids.masked_fill(~chosen, PAD)


def train(rows: list, n_tokens: int, kind: str, steps: int, seed: int) -> Model:
    """Train one model."""
    torch.manual_seed(seed)
    model = Model(n_tokens, causal=kind == "causal")
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    chance = random.Random(seed)
    rows = sorted(rows, key=len)
    parts = [pad(rows[i : i + 64]) for i in range(0, len(rows), 64)]
    for step in range(1, steps + 1):
        read, say = question(chance.choice(parts), model.causal)
        total, count = token_loss(model(read), say)
        optimizer.zero_grad()
        (total / count).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = cosine_lr(step, 6e-3, 100, steps)
        optimizer.step()
    return model.eval()


@torch.inference_mode()
def shares(model: Model, row: list[int]) -> Tensor:
    """Return, for each word of a sentence, the shares of all tokens there."""
    if model.causal:
        return model(torch.tensor([row[:-2]]))[0].softmax(dim=-1)
    at = torch.arange(len(row) - 2)
    asked = torch.tensor([row] * len(at))
    asked[at, at + 1] = MASK
    return model(asked)[at, at + 1].softmax(dim=-1)


def classes() -> dict[str, str]:
    """Return the class of each word of `small` that has one."""
    found = {w: kind for kind, some in CLASSES.items() for w in some.split()}
    for entry in load_lexicon():
        if entry.level != "small":
            continue
        if entry.word_class in ("verb", "give", "put"):
            for form in ("base", "past", "ing", "third"):
                found[entry.form(form)] = "verb"
        if entry.word_class in ("noun", "adjective"):
            found[entry.english] = entry.word_class
        if entry.word_class == "noun":
            found[entry.plural] = "noun"
    return found


class Corpus:
    """The sentences as ids, with a fifth special token."""

    def __init__(self, n_train: int | None, limit: int):
        self.splits = toy_splits("small", seed=0, n_train=n_train)
        self.limit = limit
        train = self.texts("train")
        self.words = Tokenizer.words(train, SPELLING)
        self.n_tokens = len(self.words) + 1

    def texts(self, *parts: str) -> list[str]:
        """Return the sentences of some splits, both languages."""
        return [
            text
            for part in parts
            for pair in self.splits[part]
            for text in (pair.source, pair.target)
        ]

    def encode(self, texts: list[str]) -> list[list[int]]:
        """Return ids with <bos> and <eos>."""
        rows = self.words.encode_all(texts)
        return [[BOS, *(i + (i > UNK) for i in row), EOS] for row in rows]

    def name(self, index: int) -> str:
        """Return the token of an id that is not MASK."""
        return self.words.token(index - (index > MASK))


def hits(model: Model, corpus: Corpus) -> dict[str, float]:
    """Return the share of gaps filled with the right word, by class."""
    kinds, counts = classes(), {}
    for row in corpus.encode(corpus.texts("test")[: corpus.limit]):
        guesses = shares(model, row).argmax(dim=-1).tolist()
        for right, guess in zip(row[1:-1], guesses, strict=True):
            kind = kinds.get(corpus.name(right), "other")
            for key in (kind, "all"):
                n, won = counts.get(key, (0, 0))
                counts[key] = (n + 1, won + (right == guess))
    return {kind: won / n for kind, (n, won) in sorted(counts.items())}


def choices(model: Model, corpus: Corpus) -> dict[str, float]:
    """Return how often the right one of two forms gets the larger share."""
    heap = corpus.texts("test", "valid", "composition", "role")
    result = {}
    for pair in FORMS:
        for right, wrong in (pair, pair[::-1]):
            found = [text for text in heap if right in text.split()][:60]
            (_, one, _), (_, other, _) = corpus.encode([right, wrong])
            wins = 0
            for row in corpus.encode(found):
                there = shares(model, row)[row.index(one) - 1]
                wins += int(there[one] > there[other])
            result[right] = wins / max(1, len(found))
    return result


def contrast(model: Model, corpus: Corpus) -> dict[str, float]:
    """Return the share of the two adjectives that fit, and of others.

    Others are the pairs of sentences with another verb; the pairs with the
    same verb form and other nouns; and the own pair once the two nouns are
    exchanged for those of such a sentence.
    """
    texts = [pair.source for pair in corpus.splits["contrast"]]
    rows, kinds, frames = corpus.encode(texts), classes(), []
    for one, other in zip(rows[0::2], rows[1::2], strict=True):
        at = next(i for i in range(len(one)) if one[i] != other[i])
        names = [kinds.get(corpus.name(i)) for i in one]
        nouns = [i for i, kind in enumerate(names) if kind == "noun"]
        verb = one[names.index("verb")]
        frames.append((one, at, [one[at], other[at]], verb, nouns))
    sums = []
    for row, at, own, verb, nouns in frames[: corpus.limit]:
        there = shares(model, row)[at - 1]
        alike, others, exchanged = [], [], []
        for row2, _, own2, verb2, nouns2 in frames:
            if verb2 != verb:
                others.append(there[own2].sum())
            elif not {row[i] for i in nouns} & {row2[i] for i in nouns2}:
                alike.append(there[own2].sum())
                if len(exchanged) == EXCHANGED:
                    continue
                new = list(row)
                for i, j in zip(nouns, nouns2, strict=True):
                    new[i] = row2[j]
                exchanged.append(shares(model, new)[at - 1][own].sum())
        if alike:
            some = [there[own].sum()[None], *map(torch.stack, (
                others, alike, exchanged))]  # fmt: skip
            sums.append([float(one.mean()) for one in some])
    means = torch.tensor(sums).mean(dim=0).tolist()
    names = ("own_pair", "other_verb", "same_verb", "nouns_exchanged")
    return dict(zip(names, means, strict=True))


@torch.inference_mode()
def perplexity(model: Model, corpus: Corpus) -> float:
    """Return e to the loss of a token of the test sentences."""
    rows = sorted(corpus.encode(corpus.texts("test")), key=len)
    total = count = 0.0
    for start in range(0, len(rows), 100):
        ids = pad(rows[start : start + 100])
        loss, n = token_loss(model(ids[:, :-1]), ids[:, 1:])
        total, count = total + float(loss), count + float(n)
    return math.exp(total / count)


def run(corpus: Corpus, seed: int, steps: dict[str, int], smoke: bool) -> dict:
    """Train, measure and fine-tune both models with one seed."""
    torch.set_num_threads(1)
    rows = corpus.encode(corpus.texts("train"))
    result, trained = {"seed": seed}, {}
    for kind in STEPS:
        start = time.process_time()
        model = train(rows, corpus.n_tokens, kind, steps[kind], seed)
        seconds = time.process_time() - start
        figures = hits(model, corpus)
        figures |= choices(model, corpus) | contrast(model, corpus)
        figures = {name: round(one, 4) for name, one in figures.items()}
        figures["cpu_seconds"] = round(seconds, 1)
        if kind == "causal":
            figures["perplexity"] = round(perplexity(model, corpus), 3)
        result[kind], trained[kind] = figures, model
        print(f"seed {seed}, {kind}: all {figures['all']:.3f}, "
              f"{seconds:.0f} s", flush=True)  # fmt: skip

    def new() -> Model:
        torch.manual_seed(seed)
        return Model(corpus.n_tokens, causal=False)

    starts = {"scratch": new} | {
        kind: partial(deepcopy, trained[kind]) for kind in ("masked", "causal")
    }
    common_part = (starts, corpus.splits, corpus.encode, classes(), seed)
    few = {"labels": (8,), "steps": 2} if smoke else {}
    result["fine_tuning"] = fine_tuning.tasks(*common_part, **few)
    few = {"steps": 2} if smoke else {}
    result["claims"] = fine_tuning.two_sentences(*common_part, **few)
    print(f"seed {seed}, fine-tuned", flush=True)
    return result


def main() -> None:
    """Train, measure, store."""
    parser = common.parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--jobs", type=int, default=1, help="seeds at a time")
    args = parser.parse_args()
    torch.set_num_threads(1)
    corpus = Corpus(2000, 20) if args.smoke else Corpus(None, 800)
    steps = dict.fromkeys(STEPS, 3) if args.smoke else STEPS
    seeds = args.seeds[:2] if args.smoke else args.seeds
    tasks = [(corpus, seed, steps, args.smoke) for seed in seeds]
    runs = common.call_each(run, tasks, args.jobs)
    figures = {"steps": steps, "hidden": HIDDEN, "runs": runs}
    figures["fine_tuning_steps"] = fine_tuning.STEPS
    common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)


if __name__ == "__main__":
    main()
