"""The exercise `slope(f, x)` and the wrong answers it knows.

Many of them depend on the step h, which each student chooses; the usual
steps are tried in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    show,
)
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "curve", "slope"]


def slope(function: Any) -> Verdict:
    """Check a function `slope(f, x)`: (f(x + h) - f(x - h)) / (2 h).

    Any step h and any method is accepted whose error is at most a hundred-
    thousandth of the true slope, and a millionth beside it; with two sides,
    steps from 0.001 down to 0.000000001 do.

    Args:
        function: takes f, a function of one number, and x, a number, and
            returns the slope of f at x, a number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: any course of calculus, "central difference". Chapter 0.
    """
    return judge(EXERCISE, function)


def solution(f, x):
    h = 1e-4
    right = f(x + h)
    left = f(x - h)
    rise = right - left
    run = 2 * h
    return rise / run


def curve(formula: str) -> Callable:
    """Return a function of x, from its formula."""
    return eval(f"lambda x: {formula}", {})


def _play(function: Callable, formula: str, x: float) -> Any:
    inputs = curve(formula), np.float64(x)
    return call_by_position_or_name(function, inputs, ("f", "x"))


CASES = (
    Case("parabola", ("x * x", 3.0)),
    Case("valley", ("x * x - 4 * x + 1", -1.5)),
    Case("cubic", ("x * x * x", 2.0)),
    Case("exponential", ("2.718281828 ** x", 1.0)),
    Case("line", ("5 - 0.5 * x", 4.0)),
    Case("bottom", ("0.1 * x * x + 1", 0.0)),
    Case("hyperbola", ("1 / x", 0.5)),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    formula, x = case.args
    facts = first_difference(want, got)
    return facts | {"height": number(curve(formula)(x)), "x": number(x)}


def _six_decimals(array: np.ndarray) -> str:
    """Five digits are asked for, so four decimals may look right."""
    return number(float(array), 6) if array.ndim == 0 else show(array)


def _almost(probe: Probe) -> str | None:
    """Near the right derivative, but not near enough: the step is to blame."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    gap = abs(float(got.array - want.array))
    if not 0 < gap <= 0.03 * max(1.0, abs(float(want.array))):
        return None
    came, wanted = apart(float(got.array), float(want.array))
    line = probe.call(("5 - 0.5 * x", 4.0))
    if line.kind != ARRAY or not np.allclose(line.array, -0.5, rtol=0.03):
        return None
    noisy = not np.allclose(line.array, -0.5, rtol=1e-6, atol=0)
    advice = (
        "Even for a straight line the result is not exact, so your step is so "
        "small that the computer's rounding shows. Try a larger one, such as "
        "0.0001."
        if noisy
        else "A straight line comes out exact and a curve does not, so your "
        "step is too large. Try a smaller one, such as 0.0001."
    )
    return f"You are near: {came} instead of {wanted}. {advice}"


def _level(probe: Probe) -> str | None:
    """On level ground the derivative is 0."""
    level = probe.call(("5.0", 2.0))
    if level.kind != ARRAY or np.allclose(level.array, 0, atol=1e-6):
        return None
    came = number(float(level.array)) if level.array.shape == () else "more"
    return (
        "The first thing that breaks: on level ground, f(x) = 5 "
        f"everywhere, the derivative is 0, and yours is {came}. Is the whole "
        "difference of the two heights in brackets, before anything is divided?"
    )


# Where several steps are listed, each of them is a way to make the mistake.


def _each_step(edits: dict) -> list[dict]:
    """One way for each of the steps that stand in place of 1e-4."""
    steps = edits.get("1e-4", "").split(", ")
    return [edits | {"1e-4": step} if step else edits for step in steps]


def _one_more(seed: int) -> Case:
    a, b, x = np.random.default_rng(seed).integers(-20, 21, 3) / 10
    return Case("one more", (f"{a} * x * x + {b} * x + 1", float(x)))


EXERCISE = Exercise(
    name="slope",
    inputs=("f", "x"),
    handed_over=("formula", "x"),
    asked="`slope(f, x)` returns the derivative of the function f at x. "
    "The usual way is to look a small step h to the right and a small step "
    "to the left, and to divide the difference of the two heights by the "
    "width between them, 2 h. Any way will do whose error is at most a "
    "hundred-thousandth of the derivative (or, near 0, a millionth).",
    praise="Your derivatives agree with the true ones for straight lines, "
    "parabolas, the exponential function and a hyperbola, uphill, downhill "
    "and at the bottom of a valley.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
    revise=lambda known: tuple(
        replace(m, edits=tuple(way for e in m.edits for way in _each_step(e)))
        for m in known
    ),
    properties=(
        shape,
        finite,
        _almost,
        _level,
        unmoved_by(
            lambda args: (f"{args[0]} + 1", args[1]),
            lambda got, args: got,
            "The first thing that breaks: a curve that is lifted by 1 is as "
            "steep as before, and your derivative changes.",
        ),
        unmoved_by(
            lambda args: (f"2 * ({args[0]})", args[1]),
            lambda got, args: 2 * got,
            "The first thing that breaks: a curve that is twice as high is "
            "twice as steep, and your derivative does not double.",
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
    show_answer=_six_decimals,
    show_inputs=lambda args: f"f(x) = {args[0]}\nx = {number(args[1])}",
    play=_play,
    on_the_way={
        "right": "the value of f to the right of x",
        "left": "the value of f to the left of x",
        "rise": "the difference of two values of f",
        "x + h": "the place to the right of x",
        "x - h": "the place to the left of x",
    },
)
