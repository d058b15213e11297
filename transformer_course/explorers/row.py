"""One row of self-attention: scores, weights, shrunken arrows, their sum."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Words
from transformer_course.explorers.svg import (
    arrow,
    box,
    fixed,
    label,
    line,
    plain,
    text_width,
)
from transformer_course.plots.style import as_array

VECTORS = ((1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 0.0))
STEPS = ("scores", "weights", "shrunken vectors", "context vector")
WIDTH, SIDE = 360.0, 176.0
_LEFT = 196.0  # where the table begins


@dataclass(frozen=True)
class _Row:
    """What one token sees and computes."""

    vectors: np.ndarray  # (n, 2)
    names: tuple[str, ...]
    token: int  # the one that asks

    @property
    def asks(self) -> str:
        return self.names[self.token]

    @property
    def context_name(self) -> str:
        return _index("c", self.token)

    @property
    def scores(self) -> np.ndarray:
        return self.vectors @ self.vectors[self.token]

    @property
    def weights(self) -> np.ndarray:
        votes = np.exp(self.scores - self.scores.max())
        return votes / votes.sum()

    @property
    def context(self) -> np.ndarray:
        return self.weights @ self.vectors


def self_attention_row(
    X: Any = VECTORS, names: Sequence[str] | None = None
) -> Explorer:
    """Let one token ask, and build its context vector in four steps.

    s_ij = x_i . x_j;  alpha_ij = exp(s_ij) / sum_k exp(s_ik);
    c_i = sum_j alpha_ij x_j. No learned matrices, no scaling, no mask.

    Args:
        X: (n, 2) vectors, one row a token, n from 2 to 6.
        names: n names; None for x₁, x₂ and so on.

    Returns:
        An Explorer with sliders for the asking token and the step; `live()`
        takes other vectors.

    Raises:
        ValueError: another shape, or names missing.

    Chapter 2.
    """
    vectors = _vectors(X)
    if names is None:
        called = tuple(_index("x", i) for i in range(len(vectors)))
    else:
        called = tuple(str(name) for name in names)
    if len(called) != len(vectors):
        raise ValueError(
            f"{len(called)} names came for {len(vectors)} vectors; give one "
            "each"
        )

    def redraw(text: str, token: int, step: int) -> Frame:
        typed = _vectors([_pair(part) for part in text.split(";")])
        own = tuple(_index("x", i) for i in range(len(typed)))
        own = called if len(typed) == len(called) else own
        return _frame(_Row(typed, own, min(token, len(typed) - 1)), step)

    asks = Slider("querying token", called)
    shown = Slider("step", STEPS, len(STEPS) - 1)
    start = "; ".join(f"{x:g}, {y:g}" for x, y in vectors)
    return Explorer(
        "One row of self-attention",
        [asks, shown],
        lambda token, step: _frame(_Row(vectors, called, token), step),
        [
            Words("vectors", start),
            Choice(asks.name, asks.labels),
            Choice(shown.name, shown.labels, shown.start),
        ],
        redraw,
    )


def _vectors(X: Any) -> np.ndarray:
    vectors = as_array(X, "X", 2)
    if vectors.shape[1] != 2 or not 2 <= len(vectors) <= 6:
        raise ValueError(
            f"X has shape {vectors.shape}; give 2 to 6 vectors of two numbers"
        )
    return vectors


def _pair(text: str) -> list[float]:
    try:
        x, y = text.split(",")
        return [float(x), float(y)]
    except ValueError:
        raise ValueError(
            f"{text.strip()!r} is no vector; write two numbers, as in "
            "1, 0; 1, 1; 0, 1"
        ) from None


def _index(letter: str, i: int) -> str:
    return letter + chr(0x2081 + i)


def _point(vector: np.ndarray, digits: int | None = None) -> str:
    show = plain if digits is None else lambda x: fixed(x, digits)
    return f"({show(vector[0])}, {show(vector[1])})"


def _frame(row: _Row, step: int) -> Frame:
    height = max(SIDE, 24 + 38 * len(row.vectors)) + 52
    drawing = _plane(row, step) + _table(row, step) + _foot(row, step, height)
    return Frame(WIDTH, height, drawing, _words(row, step))


def _plane(row: _Row, step: int) -> str:
    """The arrows: inputs, then their weights, then the way to their sum."""
    place = _placer(row.vectors)
    origin = place(np.zeros(2))
    parts = [
        line(0, origin[1], SIDE, origin[1], "x-line x-grid"),
        line(origin[0], 0, origin[0], SIDE, "x-line x-grid"),
    ]
    for j, vector in enumerate(row.vectors):
        strong = step < 2 and j == row.token
        color = "blue" if strong else "soft"
        parts.append(arrow(*origin, *place(vector), color, thin=not strong))
    if step >= 2:
        parts += _shrunken(row, place, chained=step == 3)
    for j, (name, vector) in enumerate(
        zip(row.names, row.vectors, strict=True)
    ):
        color = "x-blue" if j == row.token else ""
        parts.append(_tip(place(vector), origin, name, color))
    if step == 3:
        tip = place(row.context)
        parts.append(arrow(*origin, *tip, "orange"))
        parts.append(_tip(tip, origin, row.context_name, "x-orange"))
    return "".join(parts)


def _placer(
    vectors: np.ndarray,
) -> Callable[[np.ndarray], tuple[float, float]]:
    """Map vectors to the square, equal scales, the origin inside."""
    corners = np.concatenate([vectors, np.zeros((1, 2))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = (SIDE - 48) / max((high - low).max(), 1e-9)

    def place(vector: np.ndarray) -> tuple[float, float]:
        x, y = (vector - (low + high) / 2) * scale
        return SIDE / 2 + x, SIDE / 2 - y

    return place


def _shrunken(
    row: _Row,
    place: Callable[[np.ndarray], tuple[float, float]],
    chained: bool,
) -> list[str]:
    """The vectors times their weights, from the origin or end to end."""
    at, parts = np.zeros(2), []
    for part in row.weights[:, None] * row.vectors:
        parts.append(
            arrow(*place(at), *place(at + part), "green", thin=chained)
        )
        at = at + part if chained else at
    return parts


def _tip(
    tip: tuple[float, float],
    origin: tuple[float, float],
    name: str,
    color: str,
) -> str:
    """A name just beyond an arrowhead."""
    away = np.subtract(tip, origin)
    length = np.hypot(*away)
    away = away / length if length > 1 else np.array([0.7, 0.7])
    x, y = tip + 13 * away
    return label(x, y + 4, name, f"x-tip x-mid {color}".strip())


def _table(row: _Row, step: int) -> str:
    """One line a token: vector, score with the one that asks, weight."""
    parts = [label(_LEFT + 84, 12, "score", "x-dim x-end")]
    if step >= 1:
        parts.append(label(WIDTH - 4, 12, "weight", "x-dim x-end"))
    for j, name in enumerate(row.names):
        y = 24 + 38 * j
        if j == row.token:
            parts.append(box(_LEFT - 8, y - 3, 61, 35, "x-halo", rx=6))
        parts += [
            label(_LEFT, y + 11, name, "x-strong"),
            label(_LEFT, y + 26, _point(row.vectors[j]), "x-dim"),
            label(_LEFT + 84, y + 19, plain(row.scores[j]), "x-end"),
        ]
        if step >= 1:
            weight = row.weights[j]
            parts += [
                box(_LEFT + 100, y + 20, 60, 7, "x-track"),
                box(_LEFT + 100, y + 20, 60 * weight, 7, "x-fill x-green"),
                label(WIDTH - 4, y + 14, fixed(weight, 4), "x-end"),
            ]
    return "".join(parts)


def _foot(row: _Row, step: int, height: Real) -> str:
    """Two lines: what this step does, and one example with its numbers."""
    j = (row.token + 1) % len(row.names)
    name, vector, weight = row.names[j], row.vectors[j], row.weights[j]
    own = row.vectors[row.token]
    products = " + ".join(
        f"{plain(a)}·{plain(b)}" for a, b in zip(own, vector, strict=True)
    )
    votes = np.exp(np.minimum(row.scores, 700.0))
    quotient = f"{fixed(votes[j], 3)} ÷ {fixed(votes.sum(), 3)}"
    first, second = (
        (
            f"score: {row.asks} times each vector",
            f"{row.asks} · {name} = {products} = {plain(row.scores[j])}",
        ),
        (
            "weight: e to the score, divided by the sum",
            f"{name}: {quotient} = {fixed(weight, 4)}",
        ),
        (
            "each vector shrinks to its weight",
            f"{fixed(weight, 4)} {name} = {_point(weight * vector, 4)}",
        ),
        (_sum(row), f"= {_point(row.context, 4)}"),
    )[step]
    return label(0, height - 25, first, "" if step == 3 else "x-dim") + label(
        0, height - 6, second
    )


def _sum(row: _Row) -> str:
    """The context vector as a sum, in words where it is too long."""
    terms = " + ".join(
        f"{fixed(weight, 2)} {name}"
        for weight, name in zip(row.weights, row.names, strict=True)
    )
    if text_width(f"{row.context_name} = {terms}") > WIDTH:
        terms = "all weights times their vectors, added"
    return f"{row.context_name} = {terms}"


def _words(row: _Row, step: int) -> str:
    """The frame in words."""

    def each(values: list[str]) -> str:
        pairs = zip(row.names, values, strict=True)
        return ", ".join(f"{name} {value}" for name, value in pairs)

    weights = each([fixed(weight, 4) for weight in row.weights])
    said = (
        f"{row.asks} is the query. Its scores: "
        f"{each([plain(score) for score in row.scores])}.",
        f"The weights of {row.asks}: {weights}. They sum to 1.",
        f"{row.asks} takes of each vector its weight: {weights}.",
        "End to end, the shrunken vectors reach the context vector "
        f"{row.context_name} = {_point(row.context, 4)}.",
    )[step]
    return f"Step {step + 1} of {len(STEPS)}. {said}"
