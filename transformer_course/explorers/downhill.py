"""One step downhill: a loss, its slope at one place, and where it leads."""

from dataclasses import dataclass
from itertools import count
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    arrow,
    element,
    label,
    line,
    plain,
    short,
)

PLACES = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)
RATES = (0.0, 0.02, 0.05, 0.1, 0.125, 0.2, 0.25, 0.3)
WIDTH, HEIGHT = 360.0, 292.0
_LEFT, _RIGHT, _TOP, _BASE = 30.0, 352.0, 14.0, 206.0
_HALF = 3.0  # how far the picture reaches on each side of the valley


@dataclass(frozen=True)
class _Step:
    """One step on the loss (w x - y)^2."""

    w: float
    rate: float
    x: float
    y: float

    @property
    def error(self) -> float:
        return self.w * self.x - self.y

    @property
    def slope(self) -> float:
        return 2 * self.error * self.x

    @property
    def new(self) -> float:
        return self.w - self.rate * self.slope

    def loss(self, w: float) -> float:
        return (w * self.x - self.y) ** 2


def one_step_downhill(x: Real = 2, y: Real = 6) -> Explorer:
    """Stand somewhere on the loss, feel its slope, take one step.

    loss = (w x - y)^2;  slope = 2 (w x - y) x;
    new w = w - rate * slope.

    Args:
        x: the input, from 0.5 to 3.
        y: the wanted output; y / x lies from 3 to 4, where the slider's
            places are.

    Returns:
        An Explorer with sliders for w and the learning rate; `live()` also
        changes x and y.

    Raises:
        ValueError: x or y out of range.

    Chapter 0.
    """
    if not 0.5 <= x <= 3 or not 3 <= y / x <= 4:
        raise ValueError(
            f"x = {x} and y = {y} came; give x from 0.5 to 3 and y from 3 "
            "to 4 times x, so that the valley lies among the places shown"
        )
    sliders = [
        Slider("w", tuple(map(plain, PLACES))),
        Slider("learning rate", tuple(map(plain, RATES)), RATES.index(0.1)),
    ]
    return Explorer(
        "One step downhill",
        sliders,
        lambda place, rate: _frame(_Step(PLACES[place], RATES[rate], x, y)),
        [
            Number("w", 0, 6, 0.1, PLACES[0]),
            Number("learning rate", 0, 0.5, 0.005, 0.1),
            Number("x", 0.5, 3, 0.1, float(x)),
            Number("y", -6, 12, 0.5, float(y)),
        ],
        lambda *values: _frame(_Step(*values)),
    )


class _Plane:
    """Where a place w and a loss stand in the picture."""

    def __init__(self, step: _Step) -> None:
        self.best = step.y / step.x
        far = max(abs(step.w - self.best), abs(step.new - self.best))
        self.half = max(_HALF, 1.05 * far)
        self.low, self.high = self.best - self.half, self.best + self.half
        self.top = step.loss(self.high)

    def across(self, w: float) -> float:
        share = (w - self.low) / (self.high - self.low)
        return _LEFT + share * (_RIGHT - _LEFT)

    def up(self, loss: float) -> float:
        return _BASE - loss / self.top * (_BASE - _TOP)


def _frame(step: _Step) -> Frame:
    plane = _Plane(step)
    parts = [_axes(plane), _valley(plane), _tangent(plane, step)]
    if abs(step.new - step.w) > 1e-9:
        ends = plane.across(step.w), plane.across(step.new)
        parts.append(arrow(ends[0], _BASE, ends[1], _BASE, "orange"))
    parts += [
        _stand(plane, step, step.new, "orange"),
        _stand(plane, step, step.w, "blue"),
        _legend(),
        _foot(step),
    ]
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(step))


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most so many."""
    sizes = (m * 10.0**p for p in count(-1) for m in (1, 2, 5))
    size = next(s for s in sizes if (high - low) / s <= most)
    first, last = -int(-low // size), int(high // size)
    return [k * size for k in range(first, last + 1)]


def _axes(plane: _Plane) -> str:
    parts = []
    for loss in _ticks(0, plane.top, 4):
        y = plane.up(loss)
        parts.append(line(_LEFT, y, _RIGHT, y, "x-line x-grid"))
        parts.append(label(_LEFT - 5, y + 4, plain(loss), "x-dim x-end"))
    for w in _ticks(plane.low, plane.high, 7):
        place = plane.across(w)
        parts.append(label(place, _BASE + 17, plain(w), "x-dim x-mid"))
    parts.append(label(_LEFT + 4, _TOP - 2, "loss", "x-dim"))
    parts.append(label(_RIGHT, _BASE - 5, "w", "x-dim x-end"))
    return "".join(parts)


def _valley(plane: _Plane) -> str:
    """The curve: a parabola is a Bezier curve with one control point."""
    a, b = plane.across(plane.low), plane.across(plane.high)
    top, depth = plane.up(plane.top), 2 * _BASE - plane.up(plane.top)
    path = (
        f"M{short(a)} {short(top)}Q{short((a + b) / 2)} {short(depth)} "
        f"{short(b)} {short(top)}"
    )
    return element("path", d=path, class_="x-line x-bold x-soft")


def _tangent(plane: _Plane, step: _Step) -> str:
    """A piece of the straight line that has the slope of the curve."""
    x, y = plane.across(step.w), plane.up(step.loss(step.w))
    dx = plane.across(step.w + 1) - x
    dy = plane.up(step.loss(step.w) + step.slope) - y
    size = 48 / (dx * dx + dy * dy) ** 0.5
    dx, dy = dx * size, dy * size
    return line(x - dx, y - dy, x + dx, y + dy, "x-line x-bold x-blue")


def _stand(plane: _Plane, step: _Step, w: float, color: str) -> str:
    """A dot on the curve over its place."""
    x, y = plane.across(w), plane.up(step.loss(w))
    return line(x, _BASE, x, y, f"x-line x-{color}") + element(
        "circle", cx=x, cy=y, r=5, class_=f"x-fill x-{color}"
    )


def _legend() -> str:
    middle = (_LEFT + _RIGHT) / 2 - 46
    parts = []
    for row, (color, words) in enumerate(
        [("blue", "here, and its slope"), ("orange", "after the step")]
    ):
        y = _TOP + 12 + 19 * row
        parts.append(
            element("circle", cx=middle, cy=y, r=5, class_=f"x-fill x-{color}")
        )
        parts.append(label(middle + 11, y + 4, words))
    return "".join(parts)


def _bracket(value: float) -> str:
    """A number after a sign or a dot, in brackets if it is negative."""
    text = plain(value)
    return f"({text})" if value < 0 else text


def _minus(value: float) -> str:
    """`- y`, also for a negative y."""
    return f"− {plain(value)}" if value >= 0 else f"+ {plain(-value)}"


def _foot(step: _Step) -> str:
    """Three lines of arithmetic: error, slope, step."""
    w, rate, x, y = map(plain, (step.w, step.rate, step.x, step.y))
    lines = (
        f"error: {w} · {x} {_minus(step.y)} = {plain(step.error)}",
        f"slope: 2 · {_bracket(step.error)} · {x} = {plain(step.slope)}",
        f"new w: {w} − {rate} · {_bracket(step.slope)} = {plain(step.new)}",
    )
    return "".join(
        label(_LEFT, HEIGHT - 43 + 19 * row, words)
        for row, words in enumerate(lines)
    )


def _words(step: _Step) -> str:
    """The frame in words."""
    return (
        f"At w = {plain(step.w)} the loss is {plain(step.loss(step.w))} and "
        f"its slope {plain(step.slope)}. With the learning rate "
        f"{plain(step.rate)} the step leads to w = {plain(step.new)}, where "
        f"the loss is {plain(step.loss(step.new))}."
    )
