"""The exercise `slope(f, x)` and the wrong answers it knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, apart, number
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.slope_mistakes import MISTAKES

__all__ = ["EXERCISE", "slope", "steepness"]


def slope(function: Any) -> Verdict:
    """Check a function `slope(f, x)`: (f(x + h) - f(x - h)) / (2 h).

    Any step h and any method is accepted that agrees with the true slope in
    five digits; steps from 0.001 down to 0.000000001 do.

    Args:
        function: takes f, a function of one number, and x, a number, and
            returns the slope of f at x, a number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: any course of calculus, "central difference". Chapter 0.
    """
    return judge(EXERCISE, function)


def steepness(
    f: Callable,
    x: Any,
    *,
    at: str = "x",
    sides: str = "both",
    step: float = 1e-4,
    divide: str = "width",
    result: str = "slope",
) -> Any:
    """The slope of f at x, or a wrong variant; the defaults are right."""
    x = np.float64({"x": x, "zero": 0.0, "one": 1.0}[at])
    h = step
    right = f(x) if sides == "left" else f(x + h)
    left = f(x) if sides == "right" else f(x - h)
    width = 2 * h if sides == "both" else h
    found = _DIVIDE[divide](right, left, width, h)
    return _RESULT[result](found, f, x, h)


_DIVIDE = {
    "width": lambda r, l, width, h: (r - l) / width,
    "nothing": lambda r, l, width, h: r - l,
    "half the width": lambda r, l, width, h: (r - l) / (width / 2),
    "twice the width": lambda r, l, width, h: (r - l) / (2 * width),
    "one height only": lambda r, l, width, h: r - l / width,
    "by 2, times h": lambda r, l, width, h: (r - l) / 2 * h,
    "heights added": lambda r, l, width, h: (r + l) / width,
    "by the heights": lambda r, l, width, h: np.float64(width) / (r - l),
}
_RESULT = {
    "slope": lambda s, f, x, h: s,
    "minus": lambda s, f, x, h: -s,
    "sign lost": lambda s, f, x, h: abs(s),
    "height": lambda s, f, x, h: f(x),
    "height over x": lambda s, f, x, h: f(x) / x,
    "twice x": lambda s, f, x, h: 2 * x,
    "one": lambda s, f, x, h: 1.0,
    "bend": lambda s, f, x, h: (f(x + h) - 2 * f(x) + f(x - h)) / h**2,
    "walked": lambda s, f, x, h: x - s,
    "walked a tenth": lambda s, f, x, h: x - 0.1 * s,
    "to tenths": lambda s, f, x, h: np.round(s, 1),
    "to hundredths": lambda s, f, x, h: np.round(s, 2),
    "to thousandths": lambda s, f, x, h: np.round(s, 3),
    "to whole numbers": lambda s, f, x, h: np.round(s),
}


@dataclass
class _Curve:
    """A function, and how it is written beside a wrong answer."""

    text: str
    rule: Callable

    def __call__(self, x: Any) -> Any:
        return self.rule(x)


_Curve.__name__ = "function"  # what Python's own messages call it


def _case(name: str, text: str, rule: Callable, x: float) -> Case:
    return Case(name, (_Curve(text, rule), np.float64(x)))


_LINE = _Curve("5 - 0.5 * x", lambda x: 5 - 0.5 * x)
_CASES = (
    _case("parabola", "x * x", lambda x: x * x, 3.0),
    _case("valley", "x * x - 4 * x + 1", lambda x: x * x - 4 * x + 1, -1.5),
    _case("cubic", "x * x * x", lambda x: x * x * x, 2.0),
    _case("exponential", "2.718281828 ** x", lambda x: 2.718281828**x, 1.0),
    Case("line", (_LINE, np.float64(4.0))),
    _case("bottom", "0.1 * x * x + 1", lambda x: 0.1 * x * x + 1, 0.0),
    _case("hyperbola", "1 / x", lambda x: 1 / x, 0.5),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: what came and what is wanted."""
    if got.shape != want.shape:
        return {}
    came, wanted = apart(float(got), float(want))
    f, x = case.args
    return {
        "came": came,
        "wanted": wanted,
        "height": number(f(x)),
        "x": number(x),
    }


def _almost(probe: Probe) -> str | None:
    """Near the right slope, but not near enough: the step is to blame."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    gap = abs(float(got.array - want.array))
    if gap > 0.03 * max(1.0, abs(float(want.array))):
        return None
    came, wanted = apart(float(got.array), float(want.array))
    line = probe.call((_LINE, np.float64(4.0)))
    noisy = line.kind == ARRAY and not np.allclose(
        line.array, -0.5, rtol=1e-6, atol=0
    )
    advice = (
        "Even the slope of a straight line is not exact, so your step is so "
        "small that the computer's rounding shows. Try a larger one, such as "
        "0.0001."
        if noisy
        else "A straight line comes out exact and a curve does not, so your "
        "step is too large. Try a smaller one, such as 0.0001."
    )
    return f"You are near: {came} in place of {wanted}. {advice}"


def _level(probe: Probe) -> str | None:
    """Level ground has the slope 0."""
    level = probe.call((_Curve("5", lambda x: 5.0), np.float64(2.0)))
    if level.kind != ARRAY or np.allclose(level.array, 0, atol=1e-6):
        return None
    came = number(float(level.array)) if level.array.shape == () else "more"
    return (
        "The first thing that breaks: level ground, f(x) = 5 everywhere, has "
        f"the slope 0, and yours is {came}. Is the whole difference of the "
        "two heights in brackets, before anything is divided?"
    )


EXERCISE = Exercise(
    name="slope",
    inputs=("f", "x"),
    asked="`slope(f, x)` returns the slope of the function f at the place x: "
    "look a small step h to the right and a small step to the left, and "
    "divide the difference of the two heights by the width between them, "
    "2 h. Five digits must be right.",
    praise="Your slopes agree with the true ones for straight lines, "
    "parabolas, the exponential function and a hyperbola, uphill, downhill "
    "and at the bottom of a valley.",
    cases=_CASES,
    solve=steepness,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _almost,
        _level,
        unmoved_by(
            lambda args: (lambda x: args[0](x) + 1, args[1]),
            lambda got, args: got,
            "The first thing that breaks: a curve that is lifted by 1 is as "
            "steep as before, and your slope changes.",
        ),
        unmoved_by(
            lambda args: (lambda x: 2 * args[0](x), args[1]),
            lambda got, args: 2 * got,
            "The first thing that breaks: a curve that is twice as high is "
            "twice as steep, and your slope does not double.",
        ),
    ),
    hints=(
        "Try it on paper for x * x at the place 3, with the step 0.1. You "
        "need two heights, f(3.1) and f(2.9). How far apart are these two "
        "places?",
        "Choose a fixed small step h, such as 0.0001. The result is a "
        "difference divided by a width, and both need brackets in Python, "
        "because `a - b / c` divides b alone, and `a / 2 * h` multiplies "
        "by h.",
    ),
    facts=_facts,
    show_inputs=lambda args: f"f(x) = {args[0].text}\nx = {number(args[1])}",
)
