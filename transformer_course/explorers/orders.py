"""A vector in another order, step by step: what reads it, what writes to it."""

from __future__ import annotations

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import box, label, plain

__all__ = ["STEPS", "computed", "two_orders"]

# Two frequencies: all sines first, as published; and as the paper has them.
NAMES = ("sin 1", "sin 2", "cos 1", "cos 2")
ORDER = (0, 2, 1, 3)
STEPS = ("nothing", "the vector", "and what reads it", "and what writes to it")
X = np.array([3, 0, 1, 2])
READS = np.array([[1, 2, 0, -1], [0, 1, 2, 1]])
WRITES = np.array([[1, 0], [2, 0], [0, 1], [1, -1]])
WIDTH, HEIGHT = 360.0, 290.0
_CELL, _HIGH = 44.0, 24.0
_TOP, _BELOW = 40.0, 170.0  # the first row of each table


def computed(step: int) -> dict[str, np.ndarray]:
    """Compute the small network after a step.

    Args:
        step: how many of the three are in the paper's order, 0 to 3: the
            vector x, the columns of what reads it, the rows of what writes.

    Returns:
        "x", "reads", "hidden", "writes", "change" and "sum".
    """
    order = list(ORDER)
    x = X[order] if step > 0 else X
    reads = READS[:, order] if step > 1 else READS
    writes = WRITES[order] if step > 2 else WRITES
    hidden = np.maximum(0, reads @ x)
    change = writes @ hidden
    return {
        "x": x,
        "reads": reads,
        "hidden": hidden,
        "writes": writes,
        "change": change,
        "sum": x + change,
    }


def two_orders() -> Explorer:
    """Put a vector into another order, and then what meets it.

    A vector of four components goes through a network of two hidden units,
    whose change is added to it. Orange is what differs from the network as
    it was.

    Returns:
        An Explorer with a slider for how much is in the new order.

    Chapter 21.
    """
    return Explorer(
        "One vector in two orders",
        [Slider("in the new order", STEPS, listed=True)],
        _frame,
    )


def _names(moved: bool) -> list[str]:
    return [NAMES[i] for i in (ORDER if moved else range(len(NAMES)))]


def _cell(x: float, y: float, value: float, color: str = "") -> str:
    """One number; a bar below it says whether it is as it was."""
    wide = _CELL - 4
    drawn = box(x, y, wide, _HIGH - 4, "x-track", rx=3)
    if color:
        drawn += box(x, y + _HIGH - 7, wide, 3, f"x-fill x-{color}")
    return drawn + label(x + wide / 2, y + 15, plain(value), "x-mid")


def _frame(step: int) -> Frame:
    now, before = computed(step), computed(0)
    parts = _reading(step, now, before) + _writing(step, now, before)
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(step, now, before))


def _reading(step: int, now: dict, before: dict) -> list[str]:
    """The vector, the two rows that read it, and the hidden units."""
    parts = [
        label(0, _TOP + 15, "x", "x-strong"),
        label(0, _TOP + 2 * _HIGH + 15, "reads"),
        label(308, _TOP + _HIGH + 11, "hidden", "x-dim"),
    ]
    for column in range(4):
        x = 76 + (_CELL + 4) * column
        name, expected = _names(step > 0)[column], _names(step > 1)[column]
        parts.append(label(x + 20, _TOP - 8, name, "x-mid x-dim"))
        parts.append(_cell(x, _TOP, now["x"][column]))
        parts.append(label(x + 20, _TOP + 1.6 * _HIGH, expected, "x-mid x-dim"))
        for row in range(2):
            y = _TOP + (2 + row) * _HIGH
            parts.append(_cell(x, y, now["reads"][row, column]))
    for row in range(2):
        value = now["hidden"][row]
        color = _color(value == before["hidden"][row])
        y = _TOP + (2 + row) * _HIGH
        parts.append(_cell(308, y, value, color))
    return parts


def _writing(step: int, now: dict, before: dict) -> list[str]:
    """The rows that write, the change, and the sum with the vector."""
    wanted = before["sum"][list(ORDER)] if step else before["sum"]
    parts = [
        label(56, _BELOW - 8, "writes"),
        label(174, _BELOW - 8, "change", "x-mid x-dim"),
        label(228, _BELOW - 8, "+ x", "x-mid x-dim"),
        label(328, _BELOW - 8, "sum", "x-mid x-strong"),
    ]
    for row in range(4):
        y = _BELOW + _HIGH * row
        parts.append(label(0, y + 15, _names(step > 2)[row], "x-dim"))
        for column in range(2):
            value = now["writes"][row, column]
            parts.append(_cell(56 + _CELL * column, y, value))
        parts.append(_cell(154, y, now["change"][row]))
        parts.append(_cell(208, y, now["x"][row]))
        parts.append(label(300, y + 15, _names(step > 0)[row], "x-end x-dim"))
        color = _color(now["sum"][row] == wanted[row])
        parts.append(_cell(308, y, now["sum"][row], color))
    parts.append(label(0, HEIGHT - 6, "blue: as it was; orange: not", "x-dim"))
    return parts


def _color(is_right: bool) -> str:
    return "blue" if is_right else "orange"


def _words(step: int, now: dict, before: dict) -> str:
    """The frame in words."""
    said = {
        name: " ".join(plain(value) for value in now[name])
        for name in ("x", "hidden", "sum")
    }
    wanted = before["sum"][list(ORDER)] if step else before["sum"]
    hidden = np.array_equal(now["hidden"], before["hidden"])
    whole = np.array_equal(now["sum"], wanted)
    return (
        f"In the new order: {STEPS[step]}. x = {said['x']}, hidden units "
        f"{said['hidden']} ({'as before' if hidden else 'others'}), sum "
        f"{said['sum']} ({'the same components' if whole else 'others'})."
    )
