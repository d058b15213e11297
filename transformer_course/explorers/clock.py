"""Two clock hands: a position, and the turn that leads k positions on."""

import math
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    arrow,
    element,
    fixed,
    label,
    line,
    plain,
    short,
)

__all__ = ["clock_hands"]

SPEEDS = (1.0, 0.1)  # pairs 0 and 1 of an encoding with d = 8
NAMES = ("pair 0, the fast hand", "pair 1, the slow hand")
STARTS, SHIFTS = tuple(range(3, 24, 2)), tuple(range(-3, 7))
WIDTH, HEIGHT = 360.0, 246.0
_CENTERS, _MIDDLE, _RADIUS = (86.0, 274.0), 118.0, 62.0


def clock_hands() -> Explorer:
    """Turn the hands of a position by k, and see that the turn is the same.

    The first two pairs of the encoding with d = 8: their hands turn by 1
    and by 0.1 radian with each position. A hand points to (sine, cosine),
    so that it starts upward and turns as a clock does.

    Returns:
        An Explorer with sliders for the position and the shift k; `live()`
        takes positions up to 1000 and shifts up to 50.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    sliders = [
        Slider("position", tuple(map(str, STARTS)), STARTS.index(5)),
        Slider("shift k", tuple(map(plain, SHIFTS)), SHIFTS.index(2)),
    ]
    return Explorer(
        "Two clock hands",
        sliders,
        lambda start, shift: _frame(STARTS[start], SHIFTS[shift]),
        [
            Number("position", 0, 1000, 1, 5),
            Number("shift k", -50, 50, 1, 2),
        ],
        _frame,
    )


def _frame(position: Real, shift: Real) -> Frame:
    position, shift = int(position), int(shift)
    dials = "".join(
        _dial(center, name, speed, position, shift)
        for center, name, speed in zip(_CENTERS, NAMES, SPEEDS, strict=True)
    )
    legend = _key(0, "blue", f"position {position}") + _key(
        190, "orange", f"position {plain(position + shift)}"
    )
    product = sum(math.cos(speed * shift) for speed in SPEEDS)
    hands = "; ".join(
        f"{word} {_pair(speed * position)} to "
        f"{_pair(speed * (position + shift))}"
        for word, speed in zip(("fast", "slow"), SPEEDS, strict=True)
    )
    words = (
        f"Position {position}, shift {plain(shift)}: {hands}. The turns are "
        f"{plain(SPEEDS[0] * shift)} and {plain(SPEEDS[1] * shift)} radians, "
        f"and the dot product is {fixed(product, 3)}."
    )
    return Frame(WIDTH, HEIGHT, dials + legend, words)


def _pair(angle: float) -> str:
    """Sine and cosine, as the encoding stores them."""
    return f"({fixed(math.sin(angle), 2)}, {fixed(math.cos(angle), 2)})"


def _key(x: float, color: str, words: str) -> str:
    y = HEIGHT - 10
    return line(x, y - 4, x + 20, y - 4, f"x-line x-bold x-{color}") + label(
        x + 27, y, words
    )


def _dial(
    center: float, name: str, speed: float, position: int, shift: int
) -> str:
    """One dial: its rim, both hands, and the turn between them."""
    parts = [
        label(center, 14, name, "x-mid"),
        element(
            "circle",
            cx=short(center),
            cy=short(_MIDDLE),
            r=short(_RADIUS + 8),
            class_="x-line x-grid",
        ),
        label(center, _MIDDLE - _RADIUS - 12, "0", "x-dim x-mid"),
        _turn(center, speed * position, speed * shift),
    ]
    hands = ((position, "blue"), (position + shift, "orange"))
    for place, color in hands:
        x, y = _point(center, speed * place, _RADIUS)
        parts.append(arrow(center, _MIDDLE, x, y, color))
    turned = f"turned by {plain(speed * shift)}"
    below = _MIDDLE + _RADIUS + 30
    parts.append(label(center, below, turned, "x-dim x-mid"))
    return "".join(parts)


def _point(center: float, angle: float, radius: float) -> tuple[float, float]:
    """Where a hand of this angle ends: 0 is up, a clock's way round."""
    return (
        center + radius * math.sin(angle),
        _MIDDLE - radius * math.cos(angle),
    )


def _turn(center: float, start: float, turn: float) -> str:
    """The arc from one hand to the other, drawn in steps; a spiral if long."""
    if turn == 0:
        return ""
    count = max(6, math.ceil(abs(turn) / 0.2))
    grow = min(12.0, 2.0 * abs(turn) / math.pi)
    points = []
    for step in range(count + 1):
        radius = 24 + grow * step / count
        x, y = _point(center, start + turn * step / count, radius)
        points.append(f"{short(x)} {short(y)}")
    return element(
        "path", d="M" + "L".join(points), class_="x-line x-thin x-green"
    )
