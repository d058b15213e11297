"""Gradient descent and Adam, side by side in a narrow valley."""

from dataclasses import dataclass
from functools import lru_cache

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    element,
    fixed,
    label,
    line,
    short,
)

STEEP, FLAT = 20.0, 1.0
START = (-4.0, 1.5)
RATES = (0.02, 0.05, 0.09, 0.11, 0.2, 0.5)
STEPS = (0, 1, 2, 3, 4, 5, 8, 12, 20, 40)
BETAS, EPS = (0.9, 0.98), 1e-9
WIDTH, HEIGHT = 360.0, 300.0
_LEFT, _RIGHT, _TOP, _BASE = 10.0, 350.0, 32.0, 222.0
_REACH = (-5.0, 3.0, -2.4, 2.4)  # the piece of the plane that is shown


@dataclass(frozen=True)
class _Walk:
    """The places of one walker, from the start on."""

    x: tuple[float, ...]
    y: tuple[float, ...]

    def loss(self, step: int) -> float:
        return 0.5 * (FLAT * self.x[step] ** 2 + STEEP * self.y[step] ** 2)


def two_walkers() -> Explorer:
    """Let plain gradient descent and Adam walk through one narrow valley.

    loss = (x^2 + 20 y^2) / 2, from (-4, 1.5); the gradient is (x, 20 y).
    Gradient descent subtracts learning rate times gradient. Adam: beta 0.9
    and 0.98, eps 1e-9.

    Returns:
        An Explorer with sliders for the learning rate and the number of
        steps; `live()` takes any rate up to 1 and up to 60 steps.

    Source: Kingma and Ba 2015, algorithm 1. Chapter 13.
    """
    sliders = [
        Slider("learning rate", tuple(map(str, RATES)), 2),
        Slider("steps", tuple(map(str, STEPS)), 1),
    ]
    return Explorer(
        "Two walkers in a narrow valley",
        sliders,
        lambda rate, step: _frame(RATES[rate], STEPS[step]),
        [
            Number("learning rate", 0.01, 1, 0.01, RATES[2]),
            Number("steps", 0, 60, 1, STEPS[1]),
        ],
        lambda rate, step: _frame(float(rate), int(step)),
    )


@lru_cache(maxsize=64)
def _walks(rate: float, steps: int) -> tuple[_Walk, _Walk]:
    """Gradient descent and Adam, from the same place."""
    both = (_plain, _adam)
    return tuple(
        _Walk(*(tuple(walk(c, s, rate, steps)) for c, s in _axes_of()))
        for walk in both
    )


def _axes_of() -> tuple[tuple[float, float], ...]:
    """For each direction its steepness and the start."""
    return (FLAT, START[0]), (STEEP, START[1])


def _plain(steep: float, place: float, rate: float, steps: int) -> list:
    places = [place]
    for _ in range(steps):
        place -= rate * steep * place
        places.append(place)
    return places


def _adam(steep: float, place: float, rate: float, steps: int) -> list:
    places, m, v = [place], 0.0, 0.0
    for t in range(1, steps + 1):
        gradient = steep * place
        m = BETAS[0] * m + (1 - BETAS[0]) * gradient
        v = BETAS[1] * v + (1 - BETAS[1]) * gradient**2
        up, below = m / (1 - BETAS[0] ** t), v / (1 - BETAS[1] ** t)
        place -= rate * up / (below**0.5 + EPS)
        places.append(place)
    return places


def _at(x: float, y: float) -> tuple[float, float]:
    """Where a place stands in the picture, kept inside of it."""
    left, right, low, high = _REACH
    x, y = min(max(x, left), right), min(max(y, low), high)
    return (
        _LEFT + (_RIGHT - _LEFT) * (x - left) / (right - left),
        _BASE - (_BASE - _TOP) * (y - low) / (high - low),
    )


def _frame(rate: float, steps: int) -> Frame:
    plain, adam = _walks(rate, steps)
    parts = [_valley(), _legend()]
    parts += [_path(plain, "orange"), _path(adam, "blue")]
    for row, text in enumerate(_lines(plain, adam)):
        parts.append(label(_LEFT, HEIGHT - 42 + 19 * row, text))
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(rate, plain, adam))


def _valley() -> str:
    """Lines of equal loss, and the lowest place."""
    cx, cy = _at(0, 0)
    parts = [_contour(loss, cx, cy) for loss in (0.5, 2, 5, 10, 20)]
    parts.append(line(cx - 4, cy, cx + 4, cy, "x-line"))
    parts.append(line(cx, cy - 4, cx, cy + 4, "x-line"))
    return "".join(parts)


def _contour(loss: float, cx: float, cy: float) -> str:
    """An ellipse, cut off at the edges of the picture: two arcs."""
    rx = abs(_slope_of_picture(0, 1)) * (2 * loss / FLAT) ** 0.5
    ry = abs(_slope_of_picture(2, 3)) * (2 * loss / STEEP) ** 0.5
    left, right = max(cx - rx, _LEFT), min(cx + rx, _RIGHT)
    arcs = ""
    for side, sweep in ((-1, 1), (1, 0)):
        ends = [
            cy + side * ry * max(0.0, 1 - ((x - cx) / rx) ** 2) ** 0.5
            for x in (left, right)
        ]
        arcs += (
            f"M{short(left)} {short(ends[0])}A{short(rx)} {short(ry)} 0 0 "
            f"{sweep} {short(right)} {short(ends[1])}"
        )
    return element("path", d=arcs, class_="x-line x-grid")


def _slope_of_picture(low: int, high: int) -> float:
    """How many units of the picture one of the plane has."""
    size = _RIGHT - _LEFT if low == 0 else _BASE - _TOP
    return size / (_REACH[high] - _REACH[low])


def _path(walk: _Walk, color: str) -> str:
    """The steps of a walker, and where it stands."""
    places = [_at(x, y) for x, y in zip(walk.x, walk.y, strict=True)]
    points = "L".join(f"{short(x)} {short(y)}" for x, y in places)
    look = f"x-line x-thin x-{color}"
    drawn = element("path", d="M" + points, class_=look) if walk.x[1:] else ""
    dots = "".join(
        element("circle", cx=x, cy=y, r=2.0, class_=f"x-fill x-{color}")
        for x, y in places[:-1]
    )
    x, y = places[-1]
    return (
        drawn
        + dots
        + element("circle", cx=x, cy=y, r=5.5, class_=f"x-fill x-{color}")
    )


def _legend() -> str:
    parts = []
    names = ((16, "orange", "gradient descent"), (150, "blue", "Adam"))
    for x, color, words in names:
        look = f"x-fill x-{color}"
        parts.append(element("circle", cx=x, cy=10, r=5, class_=look))
        parts.append(label(x + 11, 14, words))
    parts.append(label(_RIGHT, 14, "+ the lowest place", "x-dim x-end"))
    return "".join(parts)


def _number(value: float) -> str:
    """Two decimals, or a word where it has run away."""
    return fixed(value, 2) if abs(value) < 1000 else "far away"


def _lines(plain: _Walk, adam: _Walk) -> tuple[str, str]:
    """Place and loss of both walkers."""
    return tuple(
        f"{name}: x = {_number(walk.x[-1])}, y = {_number(walk.y[-1])}, "
        f"loss {_number(walk.loss(-1))}"
        for name, walk in (("descent", plain), ("Adam", adam))
    )


def _words(rate: float, plain: _Walk, adam: _Walk) -> str:
    """The frame in words."""
    steps = len(plain.x) - 1
    one, other = _lines(plain, adam)
    return (
        f"Learning rate {rate:g}, {steps} step{'s' * (steps != 1)}. "
        f"Gradient {one}. {other}."
    )
