"""Different attention weights, one and the same output."""

from __future__ import annotations

from numbers import Real

from transformer_lib.course.explorers.frame import Explorer, Frame, Slider
from transformer_lib.course.explorers.inputs import Number
from transformer_lib.course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    line,
)

VALUES = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
PLACES = (0.2, 0.4, 0.5, 0.7)  # first coordinate of the outputs shown
STEPS = 4  # from no third value to as much of it as possible
WIDTH, HEIGHT = 360.0, 206.0
_BARS, _LENGTH, _ROW = 62.0, 84.0, 34.0
_LEFT, _TOP, _SIDE = 226.0, 34.0, 126.0  # the square of the plane


def equal_outputs(place: int = 2) -> Explorer:
    """Move attention weights about while the output stays where it is.

    The values are (1, 0), (0, 1) and (1/2, 1/2). The third one is half of
    the first and half of the second, so weight can move between them and
    nothing that comes after the sum can tell.

    Args:
        place: which of the four outputs is shown first, from 0.

    Returns:
        An Explorer with sliders for the third weight and the output;
        `live()` takes any of both.

    Raises:
        ValueError: place is not from 0 to 3.

    Source: Brunner et al. 2020. Chapter 17.
    """
    if place not in range(len(PLACES)):
        raise ValueError(f"place={place}; choose an output from 0 to 3")
    sliders = [
        Slider("share of the third value",
               tuple(f"{s} of {STEPS} steps" for s in range(STEPS + 1)), 0),
        Slider("output", tuple(_point(x) for x in PLACES), place),
    ]  # fmt: skip
    return Explorer(
        "Two rows of attention, one output",
        sliders,
        lambda step, which: _frame(PLACES[which], step / STEPS),
        [
            Number("steps of 4", 0, STEPS, 0.25, 0),
            Number("first number of the output", 0, 1, 0.05, PLACES[place]),
        ],
        lambda step, x: _frame(float(x), float(step) / STEPS),
    )


def weights(x: Real, part: Real) -> tuple[float, float, float]:
    """The weights of the output (x, 1 - x), with a part of the most third."""
    third = part * 2 * min(x, 1 - x)
    return x - third / 2, 1 - x - third / 2, third


def _point(x: Real) -> str:
    return f"({fixed(x, 1)}, {fixed(1 - x, 1)})"


def _across(x: Real) -> float:
    return _LEFT + _SIDE * x


def _down(y: Real) -> float:
    return _TOP + _SIDE * (1 - y)


def _frame(x: float, part: float) -> Frame:
    row = weights(x, part)
    drawing = "".join(_bars(row) + _plane(x, row))
    shown = ", ".join(fixed(weight, 2) for weight in row)
    words = (
        f"The weights {shown} give the output ({fixed(x, 2)}, "
        f"{fixed(1 - x, 2)})."
    )
    return Frame(WIDTH, HEIGHT, drawing, words)


def _bars(row: tuple[float, ...]) -> list[str]:
    """The three weights as bars, each beside its value."""
    parts = [
        label(0, 14, "value", "x-dim"),
        label(_BARS, 14, "weight", "x-dim"),
    ]
    for number, (weight, (a, b)) in enumerate(zip(row, VALUES, strict=True)):
        y = _TOP + 8 + _ROW * number
        parts += [
            label(0, y + 16, f"({a:g}, {b:g})"),
            box(_BARS, y, _LENGTH, 22, "x-track", rx=4),
            box(_BARS, y, _LENGTH * weight, 22, f"x-fill x-{_color(number)}"),
            label(_BARS + _LENGTH + 8, y + 16, fixed(weight, 2), "x-strong"),
        ]
    y = _TOP + 8 + _ROW * 3
    parts.append(
        label(_BARS + _LENGTH + 8, y + 12, fixed(sum(row), 2), "x-dim")
    )
    parts.append(label(_BARS + _LENGTH, y + 12, "sum", "x-end x-dim"))
    return parts


def _color(number: int) -> str:
    return ("blue", "green", "soft")[number]


def _plane(x: float, row: tuple[float, ...]) -> list[str]:
    """The values as points; their size is their weight; the output."""
    parts = [
        label(_LEFT + _SIDE / 2, 14, "values and output", "x-mid x-dim"),
        line(_across(0), _down(0), _across(1), _down(0), "x-line x-grid"),
        line(_across(0), _down(0), _across(0), _down(1), "x-line x-grid"),
        line(_across(0), _down(1), _across(1), _down(0), "x-line x-grid"),
    ]
    for number, (weight, (a, b)) in enumerate(zip(row, VALUES, strict=True)):
        parts.append(
            element(
                "circle",
                cx=_across(a),
                cy=_down(b),
                r=3 + 9 * weight,
                class_=f"x-fill x-{_color(number)}",
            )
        )
    cx, cy = _across(x), _down(1 - x)
    parts += [
        element("circle", cx=cx, cy=cy, r=8.5, class_="x-line x-bold x-orange"),
        label(cx - 14, cy + 20, "output", "x-end x-tip x-orange"),
        label(_across(0), _down(0) + 18, "0", "x-mid x-dim"),
        label(_across(1), _down(0) + 18, "1", "x-mid x-dim"),
        label(_across(0) - 8, _down(1) + 5, "1", "x-end x-dim"),
    ]
    return parts
