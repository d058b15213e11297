"""What each block of the whole model makes, trains and is called."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FACTS", "Fact", "ModelSizes"]


@dataclass(frozen=True)
class ModelSizes:
    """The sizes of a model and of the sentences that it reads."""

    name: str
    d: int
    heads: int
    d_ff: int
    layers: int
    vocabulary: int
    n: int = 7
    m: int = 5

    @property
    def table(self) -> int:
        """Parameters of the embedding matrix."""
        return self.vocabulary * self.d

    @property
    def attention(self) -> int:
        """Parameters of one attention: four maps with their biases."""
        return 4 * (self.d * self.d + self.d)

    @property
    def feed(self) -> int:
        """Parameters of one feed-forward network: two maps with biases."""
        return 2 * self.d * self.d_ff + self.d_ff + self.d

    @property
    def norm(self) -> int:
        """Parameters of one norm: gain and bias."""
        return 2 * self.d

    @property
    def total(self) -> int:
        """Parameters of the whole model, post-norm and tied."""
        encoder = self.attention + self.feed + 2 * self.norm
        decoder = 2 * self.attention + self.feed + 3 * self.norm
        return self.table + self.layers * (encoder + decoder)


@dataclass(frozen=True)
class Fact:
    """What is said of one block.

    Attributes:
        key: of the block, as in `plots.whole_model`.
        shape: what comes out of it.
        trains: how many parameters one such block trains, and "" or how often
            there is one ("layer", "shared").
        code: the line of the library.
        source: section of the paper, and chapter of the book.
        says: one sentence.
    """

    key: str
    shape: Callable[[ModelSizes], str]
    trains: Callable[[ModelSizes], tuple[int, str]]
    code: str
    source: str
    says: str


def _none(s: ModelSizes) -> tuple[int, str]:
    return 0, ""


def _each(name: str) -> Callable[[ModelSizes], tuple[int, str]]:
    return lambda s: (getattr(s, name), "layer")


def _source(s: ModelSizes) -> str:
    return f"({s.n}, {s.d})"


def _target(s: ModelSizes) -> str:
    return f"({s.m}, {s.d})"


def _with_weights(rows: str, columns: str) -> Callable[[ModelSizes], str]:
    def words(s: ModelSizes) -> str:
        queries, keys = getattr(s, rows), getattr(s, columns)
        return f"({queries}, {s.d}), weights {s.heads} × ({queries}, {keys})"

    return words


def _through_ff(rows: str) -> Callable[[ModelSizes], str]:
    def words(s: ModelSizes) -> str:
        tokens = getattr(s, rows)
        return f"({tokens}, {s.d}), inside ({tokens}, {s.d_ff})"

    return words


def _norm(key: str, code: str, shape: Callable, says: str) -> Fact:
    return Fact(
        key, shape, _each("norm"), code, "3.1, 5.4 · chapters 5, 6", says
    )


_MATRIX = "The same matrix serves the source, the target and the output."
FACTS = (
    Fact(
        "source", lambda s: f"({s.n},) ids", _none,
        "tokenizer.encode(sentence)", "5.1 · chapters 15, 18",
        "The sentence as ids of the vocabulary, here I am going on a "
        "trip tomorrow: seven tokens.",
    ),
    Fact(
        "source_embedding", _source, lambda s: (s.table, "shared"),
        "source_embedding(source)", "3.4 · chapter 10",
        "Each id picks its row of the embedding matrix, times the root of d. "
        + _MATRIX,
    ),
    Fact(
        "source_positions", _source, _none, "positions(x)",
        "3.5, 5.4 · chapter 9",
        "Sines and cosines are added, so that order counts; then dropout, in "
        "training only.",
    ),
    Fact(
        "encoder_attention", _with_weights("n", "n"), _each("attention"),
        "self_attention(h, keys_values(h), mask)", "3.2 · chapters 3, 4, 7",
        "Every source token attends to every source token, later ones "
        "included; only padding is hidden.",
    ),
    _norm(
        "encoder_norm_1", "norm1(x + dropout(h))", _source,
        "The residual connection adds what came in to what the attention "
        "made, after dropout; then the norm.",
    ),
    Fact(
        "encoder_feed", _through_ff("n"), _each("feed"), "feed_forward(x)",
        "3.3 · chapter 10",
        "Each source token by itself: wider, cut off below zero, narrow "
        "again.",
    ),
    _norm(
        "encoder_norm_2", "norm2(x + dropout(h))", _source,
        "The second sum and norm end the layer. The output goes into the "
        "next layer.",
    ),
    Fact(
        "memory", _source, _none, "memory = encode(source, mask)",
        "3.1 · chapter 11",
        "What the last encoder layer made, one row for each source token. "
        "Every decoder layer reads it.",
    ),
    Fact(
        "target", lambda s: f"({s.m},) ids", _none,
        "target", "3.1 · chapter 12",
        "The start mark and the words so far, here <bos> 나는 내일 여행을 "
        "간다: five tokens, shifted right by one.",
    ),
    Fact(
        "target_embedding", _target, lambda s: (s.table, "shared"),
        "target_embedding(tokens)", "3.4 · chapter 10",
        "As for the source: a row of the matrix, times the root of d. "
        + _MATRIX,
    ),
    Fact(
        "target_positions", _target, _none,
        "positions(x, state.length)", "3.5, 5.4 · chapter 9",
        "Positions of the target count from 0 again.",
    ),
    Fact(
        "decoder_attention", _with_weights("m", "m"), _each("attention"),
        "self_attention(h, present, causal_mask)", "3.2.3 · chapter 8",
        "Each target token attends to itself and to those before it; the "
        "future is masked.",
    ),
    _norm(
        "decoder_norm_1", "norm1(x + dropout(h))", _target,
        "Sum and norm of the first sub-layer.",
    ),
    Fact(
        "cross_attention", _with_weights("m", "n"), _each("attention"),
        "cross_attention(h, memory, memory_mask)", "3.2.3 · chapters 3, 11",
        "Queries from the target, below; keys and values from the memory of "
        "the source.",
    ),
    _norm(
        "decoder_norm_2", "norm2(x + dropout(h))", _target,
        "Sum and norm of the second sub-layer.",
    ),
    Fact(
        "decoder_feed", _through_ff("m"), _each("feed"), "feed_forward(x)",
        "3.3 · chapter 10",
        "Each target token by itself. Every decoder layer has such a network "
        "of its own.",
    ),
    _norm(
        "decoder_norm_3", "norm3(x + dropout(h))", _target,
        "Sum and norm of the third sub-layer end the layer.",
    ),
    Fact(
        "output", lambda s: f"({s.m}, {s.vocabulary:,})",
        lambda s: (s.table, "shared"), "output.logits(x)",
        "3.4 · chapter 10",
        "A dot product with every row of the matrix: a score, or logit, for "
        "each token that could come next. " + _MATRIX,
    ),
    Fact(
        "softmax", lambda s: f"({s.m}, {s.vocabulary:,}), rows sum to 1",
        _none, "logits.softmax(-1)", "3.4 · chapters 2, 12, 14",
        "Scores become probabilities. Row 1 predicts the token after <bos>, "
        "the last row the end mark.",
    ),
)  # fmt: skip
