"""Scores under a mask: what may be seen, what hides the rest, the weights."""

from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Words
from transformer_course.explorers.svg import (
    MINUS,
    box,
    element,
    fixed,
    label,
    plain,
)
from transformer_course.plots.style import as_array

__all__ = ["FILLS", "MASKS", "SCORES", "hide", "masked_scores", "weigh"]

SCORES = ((1, 1, 1), (0, 2, 0), (1, 0, 2))  # of chapter 3, after the scaling
WIDTH = 360.0
_CELL, _HIGH, _TOP = 43.0, 36.0, 44.0
_LEFT, _RIGHT = 24.0, 172.0  # where the two tables begin

MASKS = {
    "up to i": np.tri(3, dtype=bool),
    "before i": np.tri(3, k=-1, dtype=bool),
    "up to i + 1": np.tri(3, k=1, dtype=bool),
    "from i on": ~np.tri(3, k=-1, dtype=bool),
    "not key 3": np.array([[True, True, False]] * 3),
    "not query 3": np.array([[True] * 3, [True] * 3, [False] * 3]),
    "everyone": np.ones((3, 3), dtype=bool),
}
FILLS = {f"{MINUS}∞": -np.inf, f"{MINUS}1e9": -1e9, "0": 0.0}


def masked_scores(scores: Any = SCORES) -> Explorer:
    """Choose a mask and a fill; see scores and weights side by side.

    Args:
        scores: (3, 3), row i holds the scaled scores of query i.

    Returns:
        An Explorer with sliders for the mask and for what hidden scores
        become; `live()` takes a mask painted by hand and other scores. A
        click on a score goes to the nearest of the masks that hides it, or
        that shows it again.

    Raises:
        ValueError: another shape.

    Chapter 8.
    """
    table = _table(scores)
    names, fills = tuple(MASKS), tuple(FILLS)

    def redraw(painted: str, typed: str, fill: int) -> Frame:
        mask = _numbers(painted, "1, 0, 0; 1, 1, 0; 1, 1, 1")
        if not np.isin(mask, (0, 1)).all():
            raise ValueError(
                "paint the mask in zeros and ones, 1 for may be looked at"
            )
        return _frame(
            _table(_numbers(typed, "1, 1, 1; 0, 2, 0; 1, 0, 2")),
            _table(mask).astype(bool),
            fills[fill],
        )

    return Explorer(
        "A mask over nine scores",
        [
            Slider("may be looked at", names, listed=True),
            Slider("the rest becomes", fills),
        ],
        lambda mask, fill: _frame(table, MASKS[names[mask]], fills[fill]),
        [
            Words("mask", _text(MASKS[names[0]].astype(int))),
            Words("scores", _text(table)),
            Choice("the rest becomes", fills),
        ],
        redraw,
    )


def _table(numbers: Any) -> np.ndarray:
    table = as_array(numbers, "scores", 2)
    if table.shape != (3, 3):
        raise ValueError(
            f"a table of shape {table.shape} came; give 3 rows of 3 numbers"
        )
    return table


def _numbers(text: str, example: str) -> np.ndarray:
    try:
        rows = [[float(x) for x in row.split(",")] for row in text.split(";")]
    except ValueError:
        rows = []
    if [len(row) for row in rows] != [3, 3, 3]:
        raise ValueError(
            f"{text.strip()!r} is no table of 3 rows; write it like {example}"
        )
    return np.array(rows)


def _text(table: np.ndarray) -> str:
    return "; ".join(", ".join(f"{x:g}" for x in row) for row in table)


def hide(scores: np.ndarray, mask: np.ndarray, fill: str) -> np.ndarray:
    """Give the scores that enter the softmax."""
    return np.where(mask, scores, FILLS[fill])


def weigh(hidden: np.ndarray) -> np.ndarray:
    """Give the weights, nan in a row without any key."""
    top = hidden.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        powers = np.exp(hidden - top)
        return powers / powers.sum(axis=1, keepdims=True)


def _score(value: float) -> str:
    if np.isinf(value):
        return f"{MINUS}∞"
    return f"{MINUS}1e9" if value == -1e9 else plain(round(value, 2))


def _weight(value: float) -> str:
    return "nan" if np.isnan(value) else fixed(value, 3)


def _frame(scores: np.ndarray, mask: np.ndarray, fill: str) -> Frame:
    hidden = hide(scores, mask, fill)
    weights = weigh(hidden)
    height = _TOP + 3 * _HIGH + 30
    parts = [
        label(_LEFT, 14, "scores", "x-strong"),
        label(_RIGHT, 14, "weights", "x-strong"),
        label(WIDTH, 14, "sum", "x-dim x-end"),
    ]
    for i in range(3):
        y = _TOP + i * _HIGH
        parts.append(label(0, y + 22, f"q{chr(0x2081 + i)}", "x-strong"))
        for j in range(3):
            parts += _cells(hidden, weights, mask, i, j)
        total = weights[i].sum()
        words = "nan" if np.isnan(total) else fixed(total, 2)
        parts.append(label(WIDTH, y + 22, words, "x-end"))
    for j in range(3):
        for left in (_LEFT, _RIGHT):
            key = f"k{chr(0x2081 + j)}"
            middle = left + (j + 0.5) * _CELL
            parts.append(label(middle, 36, key, "x-mid x-dim"))
    parts.append(label(0, height - 8, _short(weights, mask), "x-strong"))
    return Frame(WIDTH, height, "".join(parts), _words(weights, mask, fill))


def _cells(
    hidden: np.ndarray, weights: np.ndarray, mask: np.ndarray, i: int, j: int
) -> list[str]:
    """One score and one weight: blue what is seen, orange what leaks."""
    y = _TOP + i * _HIGH
    inner = (y + 1, _CELL - 2, _HIGH - 2)
    score, weight = hidden[i, j], weights[i, j]
    seen = bool(mask[i, j])
    color = "x-fill x-blue" if seen else "x-track"
    parts = [
        box(_LEFT + j * _CELL + 1, *inner, color, opacity=0.3 if seen else None)
    ]
    bad = np.isnan(weight) or (not seen and weight >= 0.0005)
    color, depth = "x-track", None
    if bad:
        color, depth = "x-fill x-orange", 0.45
    elif weight >= 0.0005:
        color, depth = "x-fill x-blue", f"{0.15 + 0.45 * weight:.2f}"
    parts.append(box(_RIGHT + j * _CELL + 1, *inner, color, opacity=depth))
    for left, words in ((_LEFT, _score(score)), (_RIGHT, _weight(weight))):
        middle = left + (j + 0.5) * _CELL
        parts.append(label(middle, y + 22, words, "x-mid"))
    painted, written = parts[0], parts[2]
    place = _turned(mask, i, j)
    parts[0] = element("g", painted + written, data_place=place)
    return [parts[0], parts[1], parts[3]]


def _turned(mask: np.ndarray, i: int, j: int) -> int:
    """Give the place of the nearest mask in which cell (i, j) is turned."""
    far = [
        int((one != mask).sum()) if one[i, j] != mask[i, j] else mask.size + 1
        for one in MASKS.values()
    ]
    return far.index(min(far))


def _short(weights: np.ndarray, mask: np.ndarray) -> str:
    """One line of judgment."""
    if np.isnan(weights).any():
        return "a row without any key is not a number"
    leak = np.where(mask, 0.0, weights).sum(axis=1)
    if leak.max() >= 0.0005:
        row = int(leak.argmax())
        return (
            f"q{chr(0x2081 + row)} gives {fixed(leak[row], 3)} to hidden keys"
        )
    if mask.all():
        return "nothing is hidden, and each row sums to 1"
    if leak.max() > 0:
        return "hidden keys get nearly 0 here, and each row sums to 1"
    return "hidden keys get 0, and each row sums to 1"


def _words(weights: np.ndarray, mask: np.ndarray, fill: str) -> str:
    """The frame in words."""
    named = [name for name, one in MASKS.items() if (one == mask).all()]
    rows = " ".join(
        f"q{chr(0x2081 + i)}: {', '.join(_weight(w) for w in row)}."
        for i, row in enumerate(weights)
    )
    judged = _short(weights, mask)
    return (
        f"May be looked at: {named[0] if named else 'as painted'}. The rest "
        f"becomes: {fill}. Weights of {rows} "
        f"{judged[0].upper() if judged[0] != 'q' else 'q'}{judged[1:]}."
    )
