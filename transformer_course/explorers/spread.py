"""Random queries and keys: how their scores spread, and what softmax does."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import box, fixed, label, line, plain

__all__ = ["score_spread"]

WIDTHS = (1, 4, 16, 64, 256, 1024)
SCALES = ("nothing", "√d_k", "d_k")
QUERIES, KEYS = 200, 10
REACH, BIN = 40, 2  # the histogram shows scores from -40 to 40
WIDTH, HEIGHT = 360.0, 300.0
_BASE, _TOP = 122.0, 24.0


@dataclass(frozen=True)
class _Scores:
    """Scores of random queries, each with ten keys of its own."""

    d_k: int
    scale: int
    size: float = 1.0  # standard deviation of the components

    @property
    def plain(self) -> np.ndarray:
        """(queries, keys), not scaled."""
        draw = np.random.default_rng([4, self.d_k])
        queries = draw.normal(size=(QUERIES, self.d_k))
        scores = np.empty((QUERIES, KEYS))
        for row, query in zip(scores, queries, strict=True):
            row[:] = draw.normal(size=(KEYS, self.d_k)) @ query
        return scores * self.size**2

    @property
    def scaled(self) -> np.ndarray:
        divisor = (1.0, self.d_k**0.5, float(self.d_k))[self.scale]
        return self.plain / divisor


def _softmax(scores: np.ndarray) -> np.ndarray:
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def score_spread() -> Explorer:
    """Change d_k and the scaling; see the scores spread and softmax react.

    s = q . k / divisor for 200 random queries with 10 random keys each,
    all components of mean 0 and standard deviation 1. The row shown below is
    the typical one: its largest weight, without scaling, is the median.

    Returns:
        An Explorer of 18 frames; `live()` takes any d_k up to 1024 and
        components of another size.

    Chapter 4.
    """
    sliders = [
        Slider("d_k", tuple(map(str, WIDTHS)), WIDTHS.index(4)),
        Slider("divide by", SCALES),
    ]
    return Explorer(
        "How scores spread",
        sliders,
        lambda place, scale: _frame(_Scores(WIDTHS[place], scale)),
        [
            Number("d_k", 1, 1024, 1, 4),
            Choice("divide by", SCALES),
            Number("size of the components", 0.1, 3, 0.1, 1),
        ],
        lambda d_k, scale, size: _frame(_Scores(int(d_k), scale, size)),
    )


def _frame(drawn: _Scores) -> Frame:
    plain_scores, scores = drawn.plain, drawn.scaled
    largest = _softmax(plain_scores).max(axis=-1)
    typical = int(np.argsort(largest)[QUERIES // 2])
    weights = _softmax(scores)
    drawing = _histogram(scores) + _bars(weights[typical])
    spread, mean = scores.std(), weights.max(axis=-1).mean()
    how = "not divided" if drawn.scale == 0 else f"÷ {SCALES[drawn.scale]}"
    words = (
        f"d_k = {drawn.d_k}, scores {how}: their standard deviation is "
        f"{fixed(spread, 2)}. The largest of ten attention weights is "
        f"{fixed(mean, 2)} on average."
    )
    return Frame(WIDTH, HEIGHT, drawing, words)


def _across(score: Real) -> float:
    return WIDTH / 2 + score * (WIDTH / 2 - 6) / REACH


def _histogram(scores: np.ndarray) -> str:
    """How many scores lie where; one bar for every two points."""
    edges = np.arange(-REACH, REACH + BIN, BIN)
    counts, _ = np.histogram(scores, edges)
    width = _across(BIN) - _across(0) - 0.8
    parts = [label(0, 12, f"{scores.size} scores", "x-dim")]
    beyond = (abs(scores) > REACH).mean()
    if beyond:
        text = f"{fixed(100 * beyond, 0)} % lie beyond ±{REACH}"
        parts.append(label(WIDTH, 12, text, "x-dim x-end"))
    for left, count in zip(edges[:-1], counts, strict=True):
        high = (_BASE - _TOP) * count / counts.max()
        if count:
            high = max(high, 0.8)
            parts.append(
                box(_across(left) + 0.4, _BASE - high, width, high,
                    "x-fill x-blue")
            )  # fmt: skip
    parts.append(line(0, _BASE, WIDTH, _BASE, "x-line x-grid"))
    for tick in range(-REACH, REACH + 1, 20):
        side = {-REACH: "", REACH: "x-end"}.get(tick, "x-mid")
        x = {-REACH: 0.0, REACH: WIDTH}.get(tick, _across(tick))
        parts.append(label(x, _BASE + 16, plain(tick), f"x-dim {side}".strip()))
    return "".join(parts)


def _bars(weights: np.ndarray) -> str:
    """The weights of ten keys, upright bars on a scale from 0 to 1."""
    base, top = HEIGHT - 26, 184.0
    parts = [
        label(0, 164, "a typical query: its weights on ten keys", "x-dim"),
        line(0, base, WIDTH, base, "x-line x-grid"),
        line(0, top, WIDTH, top, "x-line x-grid"),
        label(WIDTH, top - 4, "1", "x-dim x-end"),
    ]
    step = WIDTH / KEYS
    for j, weight in enumerate(weights):
        high = max((base - top) * weight, 0.6)
        parts += [
            box(step * j + 5, base - high, step - 10, high, "x-fill x-green"),
            label(step * (j + 0.5), HEIGHT - 9, fixed(weight, 2), "x-mid"),
        ]
    return "".join(parts)
