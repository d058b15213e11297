"""A feed-forward network with one input, drawn as a sum of bent lines."""

import math

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import (
    element,
    fixed,
    label,
    line,
    short,
)

UNITS = (1, 2, 3, 4, 6, 8, 12)
ACTIVATIONS = ("ReLU", "none")
LOW, HIGH = -3.0, 3.0
WIDTH, HEIGHT = 360.0, 366.0
_LEFT, _RIGHT, _PANEL = 26.0, 350.0, 138.0
_TOPS = (22.0, 206.0)  # of the two panels
_GRID = np.linspace(LOW, HIGH, 241)


def sum_of_bends() -> Explorer:
    """Draw a curve with a network of one input and one output.

    Each unit is bent at one place, max(0, x - t), and adds its value
    times a weight; the result is their sum and a bias. The places are spread
    evenly and the weights chosen so that the sum meets a given curve there.
    Without ReLU the units are straight and so is their sum: the best
    straight line (least squares).

    Returns:
        An Explorer with sliders for the number of units and for ReLU;
        `live()` takes any number of units up to 24.

    Source: Vaswani et al. 2017, equation 2, with d = 1. Chapter 10.
    """
    return Explorer(
        "A network as a sum of bends",
        [
            Slider("units", tuple(map(str, UNITS)), UNITS.index(3)),
            Slider("activation", ACTIVATIONS),
        ],
        lambda place, kind: _frame(UNITS[place], kind == 0),
        [Number("units", 1, 24, 1, 3), Choice("activation", ACTIVATIONS)],
        lambda units, kind: _frame(int(units), kind == 0),
    )


def target(x: np.ndarray) -> np.ndarray:
    """The curve that the network shall draw.

    Args:
        x: numbers from LOW to HIGH.

    Returns:
        The height of the curve at each of them.
    """
    return 1.5 * np.sin(1.4 * x) + 0.3 * x


def network(units: int, bent: bool) -> tuple[np.ndarray, np.ndarray, float]:
    """Places, weights and bias of the network.

    Args:
        units: how many units, d_ff.
        bent: with max(0, z), or without.

    Returns:
        (places t, weights w, bias b): the sum is b + w (x - t), with ReLU
        or without.
    """
    knots = np.linspace(LOW, HIGH, units + 1)
    places = knots[:-1]
    if bent:
        slopes = np.diff(target(knots)) / np.diff(knots)
        return places, np.diff(slopes, prepend=0.0), float(target(knots[0]))
    slope, height = np.polyfit(_GRID, target(_GRID), 1)
    weights = np.full(units, slope / units)
    return places, weights, float(height + weights @ places)


def outputs(units: int, bent: bool, x: np.ndarray) -> np.ndarray:
    """What each unit adds; the network's result is their sum and b.

    Args:
        units: how many units, d_ff.
        bent: with max(0, z), or without.
        x: (n,) inputs.

    Returns:
        (units, n).
    """
    places, weights, _ = network(units, bent)
    inner = x - places[:, None]
    return weights[:, None] * (np.maximum(inner, 0.0) if bent else inner)


def _frame(units: int, bent: bool) -> Frame:
    each = outputs(units, bent, _GRID)
    total = each.sum(axis=0) + network(units, bent)[2]
    error = float(abs(total - target(_GRID)).max())
    parts = [
        _axes(_TOPS[0], f"what each of the {units} units adds"
              if units > 1 else "what the one unit adds"),
        *(_curve(values, _TOPS[0], "thin x-orange") for values in each),
        _axes(_TOPS[1], "their sum (blue), and the wanted curve (gray)"),
        _curve(target(_GRID), _TOPS[1], "bold x-soft"),
        _curve(total, _TOPS[1], "bold x-blue"),
    ]  # fmt: skip
    words = _words(units, bent, error)
    return Frame(WIDTH, HEIGHT, "".join(parts), words)


def _words(units: int, bent: bool, error: float) -> str:
    many = f"{units} units" if units > 1 else "1 unit"
    if not bent:
        shape = "one straight line, whatever the number of units"
    elif units == 1:
        shape = "1 straight piece"
    else:
        shape = f"{units} straight pieces with {units - 1} corners"
        shape = shape.removesuffix("s") if units == 2 else shape
    with_relu = "with" if bent else "without"
    return (
        f"{many} {with_relu} ReLU, {3 * units + 1} parameters: the sum is "
        f"{shape}. It misses the wanted curve by {fixed(error, 2)} at the "
        "most."
    )


def _axes(top: float, head: str) -> str:
    parts = [label(0, top - 8, head, "x-dim")]
    for value in (-2, 0, 2):
        y = _down(value, top)
        parts.append(line(_LEFT, y, _RIGHT, y, "x-line x-grid"))
        parts.append(
            label(_LEFT - 5, y + 4, fixed(value, 0), "x-dim x-end")
        )  # fmt: skip
    for value in (-3, 0, 3):
        at = "x-dim x-mid" if value < 3 else "x-dim x-end"
        said = f"x = {fixed(value, 0)}" if value == 0 else fixed(value, 0)
        parts.append(label(_across(value), top + _PANEL + 14, said, at))
    return "".join(parts)


def _across(x: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * (x - LOW) / (HIGH - LOW)


def _down(value: float, top: float) -> float:
    return top + _PANEL * (3.0 - value) / 6.0


def _curve(values: np.ndarray, top: float, look: str) -> str:
    """The curve as far as it stays in its panel, with no needless point."""
    bend = abs(np.diff(values, 2)) > 1e-9
    keep = np.concatenate([[True], bend, [True]])
    points = list(zip(_GRID[keep], values[keep], strict=True))
    shown, pen = [], "M"
    for (x1, y1), (x2, y2) in zip(points, points[1:], strict=False):
        piece = _inside(x1, y1, x2, y2)
        if piece is None:
            pen = "M"
            continue
        (x1, y1), (x2, y2), whole = piece
        if pen == "M":
            shown.append(f"M{short(_across(x1))} {short(_down(y1, top))}")
        shown.append(f"L{short(_across(x2))} {short(_down(y2, top))}")
        pen = "L" if whole else "M"
    if not shown:
        return ""
    return element("path", d="".join(shown), class_=f"x-line x-{look}")


def _inside(x1: float, y1: float, x2: float, y2: float) -> tuple | None:
    """The part of a straight piece with heights from -3 to 3."""
    first, last = 0.0, 1.0
    for limit, sign in ((3.0, 1.0), (-3.0, -1.0)):
        rise, room = sign * (y2 - y1), sign * (limit - y1)
        if math.isclose(rise, 0.0, abs_tol=1e-12):
            if room < 0:
                return None
        elif rise > 0:
            last = min(last, room / rise)
        else:
            first = max(first, room / rise)
    if first >= last:
        return None

    def at(share: float) -> tuple[float, float]:
        return x1 + share * (x2 - x1), y1 + share * (y2 - y1)

    return at(first), at(last), last == 1.0
