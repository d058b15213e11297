"""One token under batch norm, in batches of other company and other size."""

from numbers import Real
from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number, Words
from transformer_course.explorers.svg import (
    element,
    fixed,
    label,
    line,
    plain,
)
from transformer_course.plots.style import as_array

TOKEN = (1.0, -0.5, 2.0, 0.0)
SIZES = (1, 2, 3, 4, 8, 32, 128)
BATCHES = 6
EPS = 1e-5
WIDTH, HEIGHT = 360.0, 236.0
_LEFT, _RIGHT, _LOW, _HIGH = 74.0, 350.0, -3.0, 3.0
_FIRST, _STEP = 52.0, 40.0


def batch_companions(token: Any = TOKEN) -> Explorer:
    """Normalize one token among companions that are drawn at random.

    The token's result under batch norm for six batches of the chosen size;
    one of them is picked out. Layer norm gives the same in all of them. The
    companions are standard normal; eps is 1e-5, no gain, no shift.

    Args:
        token: (4,) the features of the token, each from -2 to 2.

    Returns:
        An Explorer with sliders for the size and the batch; `live()` also
        takes another token.

    Raises:
        ValueError: another shape, or out of range.

    Chapter 6.
    """
    start = _token(token)

    def redraw(text: str, size: Real, batch: Real) -> Frame:
        try:
            typed = [float(part) for part in text.split(",")]
        except ValueError:
            raise ValueError(
                f"{text.strip()!r} is no token; write four numbers, as in "
                "1, -0.5, 2, 0"
            ) from None
        return _frame(_token(typed), int(size), int(batch) - 1)

    written = ", ".join(f"{x:g}" for x in start)
    return Explorer(
        "One token, other companions",
        [
            Slider("tokens in the batch", tuple(map(str, SIZES)), 1),
            Slider("batch", tuple(str(k + 1) for k in range(BATCHES))),
        ],
        lambda size, batch: _frame(start, SIZES[size], batch),
        [
            Words("token", written),
            Number("tokens in the batch", 1, 128, 1, SIZES[1]),
            Number("batch", 1, BATCHES, 1, 1),
        ],
        redraw,
    )


def _token(token: Any) -> np.ndarray:
    features = as_array(token, "token", 1)
    if len(features) != 4 or abs(features).max() > 2:
        raise ValueError(
            f"token has shape {features.shape} and entries up to "
            f"{abs(features).max():g}; give four numbers from -2 to 2"
        )
    return features


def _normal(x: np.ndarray, axis: int) -> np.ndarray:
    away = x - x.mean(axis=axis, keepdims=True)
    variance = (away**2).mean(axis=axis, keepdims=True)
    return away / np.sqrt(variance + EPS)


def companions(size: int, batch: int) -> np.ndarray:
    """The other tokens of a batch; a larger one begins as a smaller.

    Args:
        size: tokens in the batch, the watched one included.
        batch: which of the batches, from 0.

    Returns:
        (size - 1, 4).
    """
    return np.random.default_rng(batch).normal(size=(size - 1, 4))


def in_batch(token: np.ndarray, size: int, batch: int) -> np.ndarray:
    """The token's result under batch norm in one batch.

    Args:
        token: (4,).
        size: tokens in the batch, the watched one included.
        batch: which of the batches, from 0.

    Returns:
        (4,).
    """
    together = np.concatenate([token[None], companions(size, batch)])
    return _normal(together, 0)[0]


def _across(value: float) -> float:
    share = (min(max(value, _LOW), _HIGH) - _LOW) / (_HIGH - _LOW)
    return _LEFT + share * (_RIGHT - _LEFT)


def _frame(token: np.ndarray, size: int, batch: int) -> Frame:
    results = [in_batch(token, size, k) for k in range(BATCHES)]
    alone = _normal(token[None], 1)[0]
    parts = [_legend(batch)]
    for j, value in enumerate(token):
        y = _FIRST + _STEP * j
        parts += [
            label(0, y - 2, f"feature {j + 1}", "x-dim"),
            label(0, y + 14, plain(value), "x-strong"),
            line(_LEFT, y, _RIGHT, y, "x-line x-grid"),
        ]
        for k in range(BATCHES):
            if k != batch:
                parts.append(_dot(results[k][j], y, 4.5, "soft"))
        parts.append(_diamond(alone[j], y + 11))
        parts.append(_dot(results[batch][j], y, 5.5, "orange"))
    parts.append(_scale())
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(results, alone, size,
                                                       batch))  # fmt: skip


def _dot(value: float, y: float, radius: float, color: str) -> str:
    return element(
        "circle",
        cx=_across(value),
        cy=y,
        r=radius,
        class_=f"x-fill x-{color}",
    )


def _diamond(value: float, y: float) -> str:
    x = _across(value)
    points = f"{x:.1f},{y - 5:.1f} {x + 5:.1f},{y:.1f} {x:.1f},{y + 5:.1f} "
    points += f"{x - 5:.1f},{y:.1f}"
    return element("polygon", points=points, class_="x-fill x-blue")


def _legend(batch: int) -> str:
    return (
        element("circle", cx=8, cy=10, r=5.5, class_="x-fill x-orange")
        + label(18, 14, f"batch {batch + 1}")
        + element("circle", cx=92, cy=10, r=4.5, class_="x-fill x-soft")
        + label(102, 14, "the other five")
        + element(
            "polygon",
            points="218,5 223,10 218,15 213,10",
            class_="x-fill x-blue",
        )
        + label(228, 14, "layer norm")
    )


def _scale() -> str:
    y = _FIRST + 4 * _STEP - 4
    parts = [line(_LEFT, y, _RIGHT, y, "x-line x-grid")]
    for value in range(int(_LOW), int(_HIGH) + 1):
        parts.append(label(_across(value), y + 16, plain(value), "x-dim x-mid"))
    return "".join(parts)


def _words(
    results: list[np.ndarray], alone: np.ndarray, size: int, batch: int
) -> str:
    def row(values: np.ndarray) -> str:
        return f"({', '.join(fixed(value, 2) for value in values)})"

    spread = np.std(results, axis=0).mean()
    together = "alone" if size == 1 else f"with {size - 1} others"
    if size == 2:
        together = "with 1 other"
    return (
        f"Batch {batch + 1}, the token {together}: batch norm gives "
        f"{row(results[batch])}. Over the six batches its results have the "
        f"standard deviation {fixed(spread, 2)} on average. Layer norm "
        f"always gives {row(alone)}."
    )
