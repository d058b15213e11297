"""Three scores and the weights that softmax makes of them."""

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    line,
    plain,
)

LOWEST, HIGHEST = -2, 3
COLORS = ("blue", "orange", "green")
WIDTH, HEIGHT = 360.0, 234.0
_BASES = {"2": 2.0, "e": math.e, "10": 10.0}


def softmax_weights(
    scores: Sequence[Real] = (2, 0, 1),
    base: Real = math.e,
    names: Sequence[str] = ("word 1", "word 2", "word 3"),
) -> Explorer:
    """Move two of three scores; see the votes base^score and the weights.

    weight_i = base^score_i / sum_j base^score_j; with base e this is softmax.

    Args:
        scores: three scores from -2 to 3; the first two, whole numbers, get
            a slider each.
        base: 2 for votes that double with each point, e for softmax.
        names: what has the scores.

    Returns:
        An Explorer of 36 frames; `live()` moves all three in small steps.

    Raises:
        ValueError: not three scores, out of range, or a base of 1 or less.

    Chapter 2.
    """
    _check(scores, base, names)
    steps = range(LOWEST, HIGHEST + 1)
    places = tuple(plain(step) for step in steps)
    sliders = [
        Slider(f"score of {names[i]}", places, steps.index(int(scores[i])))
        for i in (0, 1)
    ]

    def draw(first: int, second: int) -> Frame:
        return _frame((steps[first], steps[second], scores[2]), base, names)

    def redraw(a: Real, b: Real, c: Real, place: int) -> Frame:
        return _frame((a, b, c), bases[list(bases)[place]], names)

    bases = _BASES if base in _BASES.values() else {plain(base): base} | _BASES
    here = list(bases.values()).index(base)
    inputs = [
        Number(f"score of {name}", LOWEST, HIGHEST, 0.1, float(score))
        for name, score in zip(names, scores, strict=True)
    ]
    return Explorer(
        "From scores to weights",
        sliders,
        draw,
        [*inputs, Choice("base", tuple(bases), here)],
        redraw,
    )


def _check(scores: Sequence[Real], base: Real, names: Sequence[str]) -> None:
    if len(scores) != 3 or len(names) != 3:
        raise ValueError(
            f"{len(scores)} scores and {len(names)} names came; give three "
            "of each"
        )
    if any(not LOWEST <= score <= HIGHEST for score in scores) or any(
        score != int(score) for score in scores[:2]
    ):
        raise ValueError(
            f"scores {tuple(scores)} came; give three from {LOWEST} to "
            f"{HIGHEST}, the first two whole numbers"
        )
    if not (base > 1 and math.isfinite(base)):
        raise ValueError(
            f"base {base} came; give a number above 1, such as 2 or math.e"
        )


def _frame(scores: Sequence[Real], base: Real, names: Sequence[str]) -> Frame:
    votes = base ** np.array(scores, dtype=np.float64)
    weights = votes / votes.sum()
    written = _written(scores, base, votes, weights)
    drawing = _vote_rows(scores, base, votes, names, written)
    drawing += _weight_bar(weights, names, written["weights"])
    listed = ", ".join(plain(score) for score in scores)
    readout = (
        f"Scores {listed}: weights {', '.join(written['weights'])}. "
        f"The votes {', '.join(written['votes'])} sum to {written['sum']}."
    )
    return Frame(WIDTH, HEIGHT, drawing, readout)


def _written(
    scores: Sequence[Real],
    base: Real,
    votes: np.ndarray,
    weights: np.ndarray,
) -> dict:
    """The numbers as text: fractions beside decimals where they are exact."""
    decimals = [fixed(weight, 3) for weight in weights]
    if any(value != int(value) for value in [base, *scores]):
        return {
            "votes": [fixed(vote, 3) for vote in votes],
            "sum": fixed(votes.sum(), 3),
            "weights": decimals,
        }
    exact = [Fraction(int(base)) ** int(score) for score in scores]
    parts = [vote / sum(exact) for vote in exact]
    return {
        "votes": [plain(vote) for vote in votes],
        "sum": plain(votes.sum()),
        "weights": [
            f"{part} = {decimal}"
            for part, decimal in zip(parts, decimals, strict=True)
        ],
    }


def _vote_rows(
    scores: Sequence[Real],
    base: Real,
    votes: np.ndarray,
    names: Sequence[str],
    written: dict,
) -> str:
    """Name, score, and a bar as long as base^score, one row a word."""
    letter = "e" if base == math.e else plain(base)
    power = element("tspan", "score", dy=-4, class_="x-sup")
    parts = [
        label(102, 12, "score", "x-dim x-end"),
        element("text", f"vote = {letter}{power}", x=122, y=12, class_="x-dim"),
    ]
    for row, (name, score, vote) in enumerate(
        zip(names, scores, votes, strict=True)
    ):
        y = 24 + 32 * row
        length = max(1.0, 170 * vote / base**HIGHEST)
        parts += [
            label(0, y + 16, name),
            label(102, y + 16, plain(score), "x-end x-strong"),
            box(122, y, length, 23, f"x-fill x-{COLORS[row]}"),
            label(128 + length, y + 16, written["votes"][row]),
        ]
    parts += [
        line(122, 121, WIDTH, 121, "x-line x-grid"),
        label(122, 138, f"sum {written['sum']}", "x-dim"),
    ]
    return "".join(parts)


def _weight_bar(
    weights: np.ndarray, names: Sequence[str], written: list[str]
) -> str:
    """One bar, the whole, cut into the weights; their numbers below."""
    parts = [label(0, 166, "weight = vote ÷ sum", "x-dim")]
    left = 0.0
    for i, weight in enumerate(weights):
        length = WIDTH * weight
        parts += [
            box(left, 174, length - 1.5 * (i < 2), 23, f"x-fill x-{COLORS[i]}"),
            box(122 * i, 205, 9, 23, f"x-fill x-{COLORS[i]}"),
            label(122 * i + 14, 214, names[i], "x-dim"),
            label(122 * i + 14, 230, written[i], "x-strong"),
        ]
        left += length
    return "".join(parts)
