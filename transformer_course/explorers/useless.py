"""A useless layer: what four wirings do when F has little or nothing to say."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number, Words
from transformer_course.explorers.svg import box, label, line, plain
from transformer_course.plots.style import as_array

VECTOR = (1.0, 2.0, 3.0, 6.0)
FACTORS = (0.0, 0.1, 0.5, 1.0)
LAYERS = (0, 1, 2, 3, 6)
WIDTH, HEIGHT = 360.0, 372.0
_NAMES = ("plain", "skip", "post-norm", "pre-norm")
_FORMULAS = ("F(x)", "x + F(x)", "LN(x + F(x))", "x + F(LN(x))")
_PANEL, _BARS, _HIGH, _LOW = 172.0, 36.0, 7.0, -3.0
_UNIT = 9.6  # height of a bar of length 1


def useless_layer(x: Sequence[Real] = VECTOR) -> Explorer:
    """Put layers on top that have nothing to say, or only a little.

    F(x) is w times x in reverse order, so F is zero for w = 0. Four
    wirings: F(x); x + F(x); LN(x + F(x)); x + F(LN(x)).

    Args:
        x: four numbers, not all equal.

    Returns:
        An Explorer with sliders for w and the number of layers; `live()`
        takes other vectors, any w from -1 to 1 and up to 12 layers.

    Raises:
        ValueError: not four numbers, or all four equal.

    Chapter 5.
    """
    start = _vector(x)

    def redraw(text: str, w: Real, layers: Real) -> Frame:
        try:
            typed = [float(part) for part in text.split(",")]
        except ValueError:
            raise ValueError(
                f"{text.strip()!r} is no vector; write four numbers, as in "
                "1, 2, 3, 6"
            ) from None
        return _frame(_vector(typed), float(w), int(layers))

    return Explorer(
        "The useless layer",
        [
            Slider("w", tuple(map(plain, FACTORS))),
            Slider("layers on top", tuple(map(str, LAYERS)), 1),
        ],
        lambda w, layers: _frame(start, FACTORS[w], LAYERS[layers]),
        [
            Words("x", ", ".join(f"{entry:g}" for entry in start)),
            Number("w", -1, 1, 0.05, FACTORS[0]),
            Number("layers on top", 0, 12, 1, LAYERS[1]),
        ],
        redraw,
    )


def _vector(x: Any) -> np.ndarray:
    vector = as_array(x, "x", 1)
    if len(vector) != 4 or np.ptp(vector) < 1e-6:
        raise ValueError(
            f"x = {vector.tolist()} came; give four numbers that are not "
            "all equal"
        )
    return vector


def _norm(x: np.ndarray) -> np.ndarray:
    """Mean 0 and standard deviation 1; a level vector becomes zeros."""
    centered = x - x.mean()
    return centered / np.sqrt((centered**2).mean() + 1e-12)


def _after(x: np.ndarray, w: float, layers: int) -> list[np.ndarray]:
    """The vector after so many layers, for each of the four wirings."""

    def change(read: np.ndarray) -> np.ndarray:
        return w * read[::-1]

    plain_x = skip = post = pre = x
    for _ in range(layers):
        plain_x = change(plain_x)
        skip = skip + change(skip)
        post = _norm(post + change(post))
        pre = pre + change(_norm(pre))
    return [plain_x, skip, post, pre]


def _frame(x: np.ndarray, w: float, layers: int) -> Frame:
    results = _after(x, w, layers)
    parts = []
    for place, result in enumerate(results):
        left = (WIDTH - _PANEL) * (place % 2)
        top = 186.0 * (place // 2)
        parts.append(_panel(left, top, place, x, result))
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(w, layers, results))


def _panel(
    left: float, top: float, place: int, x: np.ndarray, result: np.ndarray
) -> str:
    """One wiring: the input as outlines, the output as bars, its numbers."""
    zero = top + 46 + _HIGH * _UNIT
    bottom = zero - _LOW * _UNIT
    kept = np.allclose(x, result, atol=5e-4)
    color = "blue" if kept else "orange"
    parts = [
        label(left, top + 14, _NAMES[place], "x-strong"),
        label(left + _PANEL, top + 14, _FORMULAS[place], "x-dim x-end"),
        line(left, zero, left + _PANEL, zero, "x-line x-grid"),
    ]
    for i in range(4):
        middle = left + 22 + 43 * i
        parts.append(_bar(middle, zero, result[i], f"x-fill x-{color}", 26))
        parts.append(_bar(middle, zero, x[i], "x-line", 32))
        parts.append(label(middle, bottom + 16, _tag(result[i]), "x-mid"))
    said = "x is kept" if kept else "x is changed"
    parts.append(label(left, top + 32, said, "x-dim"))
    return "".join(parts)


def _bar(
    middle: float, zero: float, value: float, class_: str, wide: float
) -> str:
    """A bar up or down from the zero line, cut where the panel ends."""
    inside = min(max(float(value), _LOW), _HIGH)
    if abs(inside) * _UNIT < 0.1:
        return ""
    y = zero - max(inside, 0.0) * _UNIT
    return box(middle - wide / 2, y, wide, abs(inside) * _UNIT, class_)


def _tag(value: float) -> str:
    """A number for below a bar: one decimal, none for large ones."""
    value = float(value)
    return plain(round(value, 1)) if abs(value) < 99.95 else _short(value)


def _short(value: float) -> str:
    """A number in five places at the most."""
    size = abs(float(value))
    if size >= 1e4:
        return f"{value:.0e}".replace("e+0", "e").replace("-", "−")
    digits = 2 if size < 9.995 else 1 if size < 99.95 else 0
    return plain(round(float(value), digits))


def _words(w: float, layers: int, results: list[np.ndarray]) -> str:
    """The frame in words."""
    kind = f"saying a little: w = {plain(w)}"
    if w == 0:
        kind = "saying nothing: F(x) = 0"
    elif abs(w) >= 0.5:
        kind = f"saying much: w = {plain(w)}"
    count = f"{layers} layer" + ("" if layers == 1 else "s")
    listed = "; ".join(
        f"{name} ({', '.join(_short(entry) for entry in result)})"
        for name, result in zip(_NAMES, results, strict=True)
    )
    return f"{count} on top {kind}. {listed}."
