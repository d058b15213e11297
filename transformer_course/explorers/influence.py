"""Who influences whom: one entry under batch norm and under layer norm."""

from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Words
from transformer_course.explorers.svg import box, fixed, label, plain
from transformer_course.plots.style import as_array

MATRIX = ((1.0, 2.0, 3.0, 6.0), (2.0, 2.0, 4.0, 8.0), (3.0, 2.0, 5.0, 4.0))
EPS = 1e-5
WIDTH = 360.0
_CELL, _HIGH, _TOP, _GAP = 43.0, 42.0, 44.0, 16.0
_NORMS = (("batch norm", 0), ("layer norm", 1))


def norm_influence(X: Any = MATRIX) -> Explorer:
    """Choose an entry; see which others its normalized value depends on.

    Each cell holds by how much the chosen entry's normalized value changes
    when that cell alone rises by 1. Batch norm: a whole column; layer norm:
    a whole row. eps is 1e-5, no gain, no shift.

    Args:
        X: (n, d) numbers, one row a token; n and d from 2 to 4.

    Returns:
        An Explorer with sliders for token and feature; `live()` takes other
        numbers.

    Raises:
        ValueError: another shape.

    Chapter 6.
    """
    table = _table(X)
    rows = tuple(f"token {i + 1}" for i in range(len(table)))
    columns = tuple(f"feature {j + 1}" for j in range(table.shape[1]))

    def redraw(text: str, row: int, column: int) -> Frame:
        typed = _table([_numbers(part) for part in text.split(";")])
        return _frame(typed, min(row, len(typed) - 1),
                      min(column, typed.shape[1] - 1))  # fmt: skip

    start = "; ".join(", ".join(f"{x:g}" for x in row) for row in table)
    return Explorer(
        "Who influences this entry?",
        [Slider("token", rows), Slider("feature", columns, len(columns) - 1)],
        lambda row, column: _frame(table, row, column),
        [
            Words("numbers", start),
            Choice("token", rows),
            Choice("feature", columns, len(columns) - 1),
        ],
        redraw,
    )


def _table(X: Any) -> np.ndarray:
    table = as_array(X, "X", 2)
    if not all(2 <= n <= 4 for n in table.shape):
        raise ValueError(
            f"X has shape {table.shape}; give 2 to 4 rows of 2 to 4 numbers"
        )
    return table


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(
            f"{text.strip()!r} is no row; write numbers, as in 1, 2, 3; 4, 5, 6"
        ) from None


def _normal(table: np.ndarray, axis: int) -> np.ndarray:
    away = table - table.mean(axis=axis, keepdims=True)
    variance = (away**2).mean(axis=axis, keepdims=True)
    return away / np.sqrt(variance + EPS)


def influence(
    table: np.ndarray, row: int, column: int, axis: int
) -> np.ndarray:
    """How far one normalized entry moves when each cell rises by 1.

    Args:
        table: (n, d).
        row, column: the entry that is watched.
        axis: 0 for batch norm, 1 for layer norm.

    Returns:
        (n, d).
    """
    before = _normal(table, axis)[row, column]
    moved = np.zeros(table.shape)
    for place in np.ndindex(*table.shape):
        raised = table.copy()
        raised[place] += 1
        moved[place] = _normal(raised, axis)[row, column] - before
    return moved


def _frame(table: np.ndarray, row: int, column: int) -> Frame:
    height = _TOP + 3 * _HIGH + 40 + max(0, len(table) - 3) * _HIGH
    parts, said = [], []
    for which, (name, axis) in enumerate(_NORMS):
        left = which * (4 * _CELL + _GAP)
        moved = influence(table, row, column, axis)
        result = _normal(table, axis)[row, column]
        parts.append(_panel(table, moved, (row, column), left, name))
        parts.append(
            label(
                left,
                height - 8,
                f"{plain(table[row, column])} becomes {fixed(result, 2)}",
                "x-strong",
            )
        )
        said.append(_words(moved, name, result))
    start = (
        f"Token {row + 1}, feature {column + 1} holds "
        f"{plain(table[row, column])}. "
    )
    return Frame(WIDTH, height, "".join(parts), start + " ".join(said))


def _panel(
    table: np.ndarray,
    moved: np.ndarray,
    chosen: tuple[int, int],
    left: float,
    name: str,
) -> str:
    """One table: the numbers, and below each how far it moves the entry."""
    parts = [
        label(left, 14, name, "x-strong"),
        label(left, 34, "if this cell rises by 1", "x-dim"),
    ]
    for i, j in np.ndindex(*table.shape):
        x, y = left + j * _CELL, _TOP + i * _HIGH
        change = moved[i, j]
        touches = abs(change) >= 0.005
        color = "x-track"
        if touches:
            color = "x-fill x-blue" if change > 0 else "x-fill x-orange"
        share = f"{0.2 + 0.3 * min(abs(change), 1.0):.2f}" if touches else None
        parts.append(
            box(x + 1, y + 1, _CELL - 2, _HIGH - 2, color, opacity=share)
        )
        if (i, j) == chosen:
            parts.append(
                box(x + 1, y + 1, _CELL - 2, _HIGH - 2, "x-halo", rx=4)
            )
        middle = x + _CELL / 2
        parts.append(label(middle, y + 17, plain(table[i, j]), "x-mid x-dim"))
        words = _signed(change) if touches else "0"
        style = "x-mid" if touches else "x-mid x-dim"
        parts.append(label(middle, y + 34, words, style))
    return "".join(parts)


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + fixed(value, 2)


def _words(moved: np.ndarray, name: str, result: float) -> str:
    places = [
        f"({i + 1}, {j + 1}) by {_signed(moved[i, j])}"
        for i, j in np.ndindex(*moved.shape)
        if abs(moved[i, j]) >= 0.005
    ]
    return (
        f"With {name} it becomes {fixed(result, 2)}; "
        f"{len(places)} of {moved.size} cells move it: {', '.join(places)}."
    )
