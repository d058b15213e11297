"""The paper's learning rate over the steps, for any width and warm-up."""

import math
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    element,
    handle,
    label,
    line,
    short,
)

WIDTHS = (256, 512, 1024, 2048)
WARMUPS = (2000, 3000, 4000, 6000, 8000, 12_000, 16_000)
PAPER = (512, 4000)
WIDTH, HEIGHT = 360.0, 238.0
_LEFT, _RIGHT, _TOP, _BASE = 44.0, 350.0, 30.0, 214.0
_STEPS, _HIGHEST, _UNIT = 20_000, 0.0015, 0.0005


def rate_schedule() -> Explorer:
    """Turn the width and the warm-up, and watch the schedule of the paper.

    lr = d_model^(-1/2) min(step^(-1/2), step warmup^(-3/2)).

    Returns:
        An Explorer with sliders for the width and the warm-up; `live()`
        takes any width from 256 to 4096 and any warm-up from 1,000 to 20,000.
        In a page the peak can be dragged.

    Source: Vaswani et al. 2017, section 5.3, equation 3. Chapter 13.
    """
    sliders = [
        Slider("width d", tuple(map(str, WIDTHS)), WIDTHS.index(PAPER[0])),
        Slider(
            "warm-up steps",
            tuple(f"{w:,}" for w in WARMUPS),
            WARMUPS.index(PAPER[1]),
        ),
    ]
    return Explorer(
        "The learning rate over the steps",
        sliders,
        lambda d, w: _frame(WIDTHS[d], WARMUPS[w]),
        [
            Number("width d", 256, 4096, 64, PAPER[0]),
            Number("warm-up steps", 1000, 20_000, 100, PAPER[1]),
        ],
        _frame,
    )


def rate_of(step: Real, d_model: Real, warmup: Real) -> float:
    """Return the rate of a step, counted from 1."""
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def _across(step: Real) -> float:
    return _LEFT + (_RIGHT - _LEFT) * step / _STEPS


def _up(rate: float) -> float:
    return _BASE - (_BASE - _TOP) * min(rate, 1.02 * _HIGHEST) / _HIGHEST


def _frame(d_model: Real, warmup: Real) -> Frame:
    d_model, warmup = int(d_model), int(warmup)
    parts = [_axes()]
    if (d_model, warmup) != PAPER:
        parts.append(_curve(*PAPER, "x-thin x-soft"))
        parts.append(line(176, 8, 198, 8, "x-line x-thin x-soft"))
        parts.append(label(204, 12, "the paper: 512, 4,000"))
    parts += [_curve(d_model, warmup, "x-bold x-blue"), _peak(d_model, warmup)]
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(d_model, warmup))


def _axes() -> str:
    parts = [label(0, 12, "learning rate · 10⁻³", "x-dim")]
    for tick in range(round(_HIGHEST / _UNIT) + 1):
        y, said = _up(tick * _UNIT), f"{1000 * tick * _UNIT:g}"
        parts.append(line(_LEFT, y, _RIGHT, y, "x-line x-grid"))
        parts.append(label(_LEFT - 6, y + 4, said, "x-dim x-end"))
    for step in (0, 5000, 10_000, 15_000):
        place = "x-dim x-mid"
        parts.append(label(_across(step), _BASE + 18, f"{step:,}", place))
    parts.append(label(_RIGHT, _BASE + 18, "step", "x-dim x-end"))
    return "".join(parts)


def _curve(d_model: int, warmup: int, look: str) -> str:
    """A straight line to the peak, then the root, closer at its bend."""
    after = [warmup * (_STEPS / warmup) ** (place / 24) for place in range(25)]
    points = [f"{short(_across(0))} {short(_up(0.0))}"]
    for step in after if warmup < _STEPS else [_STEPS]:
        y = _up(rate_of(step, d_model, warmup))
        points.append(f"{short(_across(step))} {short(y)}")
    return element("path", d="M" + "L".join(points), class_=f"x-line {look}")


def _peak(d_model: int, warmup: int) -> str:
    """The peak, by which the warm-up is dragged, and how high it is."""
    rate = rate_of(warmup, d_model, warmup)
    x, y = _across(warmup), _up(rate)
    late = warmup > _STEPS / 2
    words = f"peak {1000 * rate:.2f} at step {warmup:,}"
    place = (x - 10, "x-tip x-end") if late else (x + 10, "x-tip")
    return (
        line(x, _BASE, x, y, "x-line x-orange")
        + handle(x, y, 1, "orange")
        + label(place[0], max(y - 9, _TOP + 12), words, place[1])
    )


def said(rate: float) -> str:
    """A rate as words: four digits, as thousandths."""
    return f"{1000 * rate:.{3 if rate >= 1e-4 else 7}f} thousandths"


def _words(d_model: int, warmup: int) -> str:
    """The frame in words."""
    rates = [
        said(rate_of(step, d_model, warmup)) for step in (1, warmup, _STEPS)
    ]
    times = math.sqrt(_STEPS / warmup)
    return (
        f"Width {d_model}, warm-up {warmup:,} steps. Step 1: {rates[0]}. "
        f"Peak at step {warmup:,}: {rates[1]}. Step {_STEPS:,}: {rates[2]}, "
        f"the peak divided by {times:.2f}."
    )
