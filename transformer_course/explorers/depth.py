"""Signals on their way through a deep net, forward and backward."""

import math
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    element,
    label,
    line,
    plain,
    short,
)

DEPTHS = (10, 20, 30, 40, 50)
SIZES = ("1/√N", "½", "1", "2")
WIRINGS = ("plain", "skip", "post-norm", "pre-norm")
WIDTH, HEIGHT = 360.0, 430.0
_WORTH = {"½": 0.5, "1": 1.0, "2": 2.0}
_COLORS = ("soft", "orange", "green", "blue")
_LEFT, _RIGHT, _PANEL = 40.0, 350.0, 150.0
_TOPS = (46.0, 252.0)  # of the two panels
_FEATURES, _TOKENS, _SEEDS = 32, 16, 3
_FAR = 18.0  # powers of ten that the picture shows at the most


@dataclass(frozen=True)
class _Net:
    """How the vectors and the gradients of one wiring grow, layer by layer.

    forward[l] is the size of the vectors after layer l, from 0; backward[l]
    the size of the gradients there. Both start from 1, at their own end.
    """

    forward: np.ndarray
    backward: np.ndarray


def deep_signals() -> Explorer:
    """Follow the size of vectors and gradients through up to 50 layers.

    Four nets with the same random weights, untrained: F(x) = s relu(x U) V,
    made so that F(x) is as large as x for s = 1. Plain: F(x). Skip:
    x + F(x). Post-norm: LN(x + F(x)). Pre-norm: x + F(LN(x)).

    Returns:
        An Explorer with sliders for the depth N and the size s of F;
        `live()` takes any depth up to 100 and any size up to 2.

    Source: the initialization is that of He et al. 2015. Chapter 5.
    """
    sliders = [
        Slider("layers", tuple(map(str, DEPTHS)), len(DEPTHS) - 1),
        Slider("size of F(x)", SIZES, SIZES.index("1")),
    ]

    def draw(place: int, size: int) -> Frame:
        depth, name = DEPTHS[place], SIZES[size]
        worth = _WORTH.get(name, depth**-0.5)
        widest = _nets(max(DEPTHS), _WORTH.get(name, max(DEPTHS) ** -0.5))
        return _frame(depth, worth, name, _reach(widest))

    def redraw(depth: Real, worth: Real) -> Frame:
        depth, worth = int(depth), float(worth)
        return _frame(depth, worth, plain(worth), _reach(_nets(depth, worth)))

    return Explorer(
        "Signals through a deep net",
        sliders,
        draw,
        [
            Number("layers", 2, 100, 1, DEPTHS[-1]),
            Number("size of F(x)", 0.05, 2, 0.05, 1.0),
        ],
        redraw,
    )


@lru_cache(maxsize=64)
def _nets(depth: int, size: float) -> tuple[_Net, ...]:
    """All four wirings, each averaged over three random nets."""
    return tuple(_average(wiring, depth, size) for wiring in WIRINGS)


def _average(wiring: str, depth: int, size: float) -> _Net:
    walks = [_walk(wiring, depth, size, seed) for seed in range(_SEEDS)]
    with np.errstate(divide="ignore"):
        forward, backward = (
            np.exp(np.mean([np.log(walk[i]) for walk in walks], axis=0))
            for i in (0, 1)
        )
    return _Net(forward, backward)


def _walk(
    wiring: str, depth: int, size: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """One random net: the sizes after each layer, there and back."""
    draw = np.random.default_rng(seed)
    d = _FEATURES
    x = draw.normal(size=(_TOKENS, d))
    layers = [
        (
            draw.normal(size=(d, 2 * d)) * math.sqrt(2 / d),
            draw.normal(size=(2 * d, d)) * math.sqrt(0.5 / d) * size,
        )
        for _ in range(depth)
    ]
    forward, notes = [_size(x)], []
    for u, v in layers:
        x, note = _step(wiring, x, u, v)
        forward.append(_size(x))
        notes.append(note)
    gradient = draw.normal(size=x.shape)
    backward = [_size(gradient)]
    for (u, v), note in zip(layers[::-1], notes[::-1], strict=True):
        gradient = _back(wiring, gradient, u, v, note)
        backward.append(_size(gradient))
    there, back = np.array(forward), np.array(backward)[::-1]
    return there / there[0], back / back[-1]


def _size(x: np.ndarray) -> float:
    return float(np.sqrt((x**2).mean()))


def _norm(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Layer norm without gain and bias, and what was divided by."""
    centered = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centered**2).mean(axis=-1, keepdims=True))
    return centered / spread, spread


def _norm_back(
    gradient: np.ndarray, normal: np.ndarray, spread: np.ndarray
) -> np.ndarray:
    along = (gradient * normal).mean(axis=-1, keepdims=True)
    mean = gradient.mean(axis=-1, keepdims=True)
    return (gradient - mean - normal * along) / spread


def _step(
    wiring: str, x: np.ndarray, u: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, tuple]:
    """One layer, and what the way back has to know of it."""
    read, before = _norm(x) if wiring == "pre-norm" else (x, None)
    hidden = read @ u
    change = np.maximum(hidden, 0) @ v
    out = change if wiring == "plain" else x + change
    after = None
    if wiring == "post-norm":
        out, after = _norm(out)
    return out, (read, before, hidden > 0, out, after)


def _back(
    wiring: str, gradient: np.ndarray, u: np.ndarray, v: np.ndarray, note: tuple
) -> np.ndarray:
    """The gradient before a layer, from the one after it."""
    read, before, active, out, after = note
    if wiring == "post-norm":
        gradient = _norm_back(gradient, out, after)
    through = ((gradient @ v.T) * active) @ u.T
    if wiring == "pre-norm":
        through = _norm_back(through, read, before)
    return through if wiring == "plain" else gradient + through


def _power(value: float) -> float:
    """The power of ten, kept inside what can be shown."""
    return math.log10(value) if value > 0 else -300.0


def _reach(nets: tuple[_Net, ...]) -> tuple[float, float]:
    """The powers of ten of the picture: even, one apart at least."""
    values = [
        _power(value) for net in nets for value in (*net.forward, *net.backward)
    ]
    low, high = max(min(values), -_FAR), min(max(values), _FAR)
    return 2 * math.floor(min(low, -1) / 2), 2 * math.ceil(max(high, 1) / 2)


def _frame(
    depth: int, size: float, name: str, reach: tuple[float, float]
) -> Frame:
    nets = _nets(depth, size)
    heads = (
        "vectors, after each layer",
        "gradients, on the way back",
    )
    parts = [_legend()]
    for panel, (top, head) in enumerate(zip(_TOPS, heads, strict=True)):
        parts.append(_axes(top, head, depth, reach))
        for net, color in zip(nets, _COLORS, strict=True):
            values = net.backward if panel else net.forward
            parts.append(_curve(values, top, depth, reach, color))
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(depth, name, nets))


def _legend() -> str:
    parts, x = [], 0.0
    for wiring, color in zip(WIRINGS, _COLORS, strict=True):
        parts.append(line(x, 10, x + 18, 10, f"x-line x-bold x-{color}"))
        parts.append(label(x + 23, 14, wiring))
        x += 34 + 7.6 * len(wiring)
    return "".join(parts)


def _up(power: float, top: float, reach: tuple[float, float]) -> float:
    low, high = reach
    return top + _PANEL * (high - power) / (high - low)


def _across(layer: float, depth: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * layer / depth


def _axes(top: float, head: str, depth: int, reach: tuple[float, float]) -> str:
    low, high = (int(end) for end in reach)
    step = 2 * max(1, math.ceil((high - low) / 10))
    parts = [label(0, top - 12, head, "x-dim")]
    for power in range(low, high + 1):
        if power % step:
            continue
        y = _up(power, top, reach)
        raised = str(power).replace("-", "−")
        text = "10" + element("tspan", raised, dy=-4, class_="x-sup")
        parts.append(line(_LEFT, y, _RIGHT, y, "x-line x-grid"))
        parts.append(
            element(
                "text",
                "1" if power == 0 else text,
                x=short(_LEFT - 5),
                y=short(y + 4),
                class_="x-dim x-end",
            )
        )
    for layer in (0, depth // 2, depth):
        place = _across(layer, depth)
        said = f"layer {layer}" if layer == depth // 2 else str(layer)
        parts.append(label(place, top + _PANEL + 18, said, "x-dim x-mid"))
    return "".join(parts)


def _curve(
    values: np.ndarray,
    top: float,
    depth: int,
    reach: tuple[float, float],
    color: str,
) -> str:
    """The curve as far as it stays in the picture."""
    powers = [_power(value) for value in values]
    shown = [
        (layer, power)
        for layer, power in enumerate(powers)
        if reach[0] <= power <= reach[1]
    ]
    points = [
        f"{short(_across(layer, depth))} {short(_up(power, top, reach))}"
        for layer, power in shown
    ]
    return element(
        "path", d="M" + "L".join(points), class_=f"x-line x-thin x-{color}"
    )


def _number(value: float) -> str:
    """Two digits, as a power of ten where the number is far from 1."""
    if 0.01 <= value < 1000:
        digits = f"{value:.2g}"
        return plain(float(digits)) if value < 100 else f"{value:.0f}"
    digits, _, power = f"{value:.1e}".partition("e")
    high = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return f"{digits}·10{str(int(power)).translate(high)}"


def _words(depth: int, name: str, nets: tuple[_Net, ...]) -> str:
    """The frame in words."""
    there = ", ".join(
        f"{wiring} {_number(net.forward[-1])}"
        for wiring, net in zip(WIRINGS, nets, strict=True)
    )
    back = ", ".join(
        f"{wiring} {_number(net.backward[0])}"
        for wiring, net in zip(WIRINGS, nets, strict=True)
    )
    return (
        f"{depth} layers, F(x) of size {name}. Vectors, last layer against "
        f"first: {there}. Gradients, first layer against last: {back}."
    )
