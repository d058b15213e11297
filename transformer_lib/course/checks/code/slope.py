"""The exercise `slope(f, x)` and the wrong answers it knows.

Many of them depend on the step h, which each student chooses; the usual
steps are tried in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference, mistakes
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, apart, number
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "curve", "slope"]


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


def _almost(probe: Probe) -> str | None:
    """Near the right derivative, but not near enough: the step is to blame."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    gap = abs(float(got.array - want.array))
    if gap > 0.03 * max(1.0, abs(float(want.array))):
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
MISTAKES = r"""
one_sided
- 1e-4
+ 1e-4, 0.1, 1, 0.5, 0.05, 0.01, 0.005, 0.001, 1e-5
- f(x - h)
+ f(x)
- 2 * h
+ h
or
- 1e-4
+ 1e-4, 0.1, 1, 0.5, 0.05, 0.01, 0.005, 0.001, 1e-5
- f(x + h)
+ f(x)
- 2 * h
+ h
You look to one side only, with a step that is too large for that: the curve
bends on the way, so {came} comes out instead of {wanted}. With one place on
each side of x the two errors nearly cancel.
? Replace f(x) by the height one step on the other side. How wide is the gap
between the two places then?

step_too_large
- 1e-4
+ 1, 0.5, 0.1, 0.05, 0.01, 0.005
The formula is right, but the step is too large: the curve bends between your
two places. {came} comes out instead of {wanted}.
? Try a step of 0.0001.

step_too_small
- 1e-4
+ 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 2**-52
or
- 1e-4
+ 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 2**-52
- f(x - h)
+ f(x)
- 2 * h
+ h
or
- 1e-4
+ 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 2**-52
- f(x + h)
+ f(x)
- 2 * h
+ h
The formula is right, but the step is too small: the two heights are equal in
nearly all of the sixteen digits a computer keeps, and what is left is
rounding. {came} comes out instead of {wanted}.
? Smaller is not always better. Try a step of 0.0001.

step_zero
- 1e-4
+ 0
or
- 1e-4
+ 0
- f(x - h)
+ f(x)
- 2 * h
+ h
or
- 1e-4
+ 0
- f(x + h)
+ f(x)
- 2 * h
+ h
Your step is 0. Then both places are the same, and 0 divided by 0 is not a
number.
? Choose a step that is small but not 0, such as 0.0001.

not_divided
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6
-  / run
+
or
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6
- f(x - h)
+ f(x)
-  / run
+
or
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6
- f(x + h)
+ f(x)
-  / run
+
You return the difference of the two heights, {came}. A derivative is height
per width, {wanted}: the division is missing. (Or there is a `/ 2 * h` without
brackets, which divides by 2 and then multiplies by h.)
? How far apart are the two places? Divide by that.

divided_by_h
- 2 * h
+ h
Your derivative is twice as large as it should be: {came} instead of {wanted}.
From x - h to x + h the width is 2 h, and you divide by h.
? Draw a line, mark x - h, x and x + h on it, and count the steps.

divided_by_too_much
- 2 * h
+ 4 * h
or
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6
- f(x - h)
+ f(x)
or
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6
- f(x + h)
+ f(x)
Your derivative is half of what it should be: {came} instead of {wanted}. The
width is 2 h between x - h and x + h, but only h between x and x + h.
? Which two places do you compare, and how far apart are they?

both_brackets_missing
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001
- rise / run
+ right - left / 2 * h
Two pairs of brackets are missing. Python divides and multiplies before it
subtracts, so you take a very small part of the left height from the right one:
{came} comes out instead of {wanted}.
? Put brackets around what stands above the line, and around what stands below.

brackets_above_missing
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10
- rise / run
+ right - left / run
or
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10
- f(x - h)
+ f(x)
- 2 * h
+ h
- rise / run
+ right - left / run
or
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10
- f(x + h)
+ f(x)
- 2 * h
+ h
- rise / run
+ right - left / run
Only the second height is divided: Python reads `a - b / c` as `a - (b / c)`.
So {came} comes out instead of {wanted}.
? Put the difference of the heights in brackets.

brackets_below_missing
- 1e-4
+ 0.1
- / run
+ / 2 * h
You divide by 2 and then *multiply* by h: Python reads `a / 2 * h` from left to
right. So {came} comes out instead of {wanted}.
? Put `2 * h` in brackets.

almost_zero
- / run
+ / 2 * h
or
- 1e-4
+ 1e-9
-  / run
+
or
- 1e-4
+ 1e-20
Your result is practically 0 for every function, here {came} instead of
{wanted}. Four usual reasons: both heights are taken at the same place, `f(x +
h)` twice; nothing is divided by the width; `/ 2 * h` without brackets, which
multiplies by h; or a step so small that x + h is the same number as x.
? Print the difference of the two heights, then the width, then the quotient,
for x * x at the place 3.

heights_added
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10
- right - left
+ right + left
You add the two heights; their difference is wanted. So {came} comes out in
place of {wanted}.
? How much higher is the curve on the right than on the left?

upside_down
- rise / run
+ run / rise
You divide the width by the difference of the heights; the derivative is the
other way around. {came} comes out instead of {wanted}.
? Steepness: how much the curve rises, for each step to the side.

wrong_sign
- right - left
+ left - right
or
- 1e-4
+ 1e-4, 0.001, 1e-5, 1e-6, 1e-7
- right = f(x + h)
+ right = f(x - h)
- left = f(x - h)
+ left = f(x)
- 2 * h
+ h
or
- 1e-4
+ 1e-4, 0.001, 1e-5, 1e-6, 1e-7
- right = f(x + h)
+ right = f(x)
- left = f(x - h)
+ left = f(x + h)
- 2 * h
+ h
Size right, sign wrong: {came} instead of {wanted}. A curve that rises to the
right has a positive derivative.
? Right minus left, not left minus right.

sign_lost
- return rise
+ return abs(rise)
Your derivative is never negative: {came} instead of {wanted}. The sign says
whether the curve rises or falls.
? Look for `abs` or a square.

height
- rise / run
+ f(x)
You return how high the curve is at x, {came}. The task asks how steep it is
there, {wanted}.
? One height says nothing about steepness; you need two.

height_over_x
- rise / run
+ f(x) / x
You divide the height at x by x: {came} instead of {wanted}. That is the slope
of the straight line from the origin, not that of the curve.
? Take two places near x and compare their heights.

only_for_the_square
- rise / run
+ 2 * x
You return 2 x. That is the derivative of x squared and of no other curve; here
{came} comes out instead of {wanted}.
? The check calls yours with a different function f each time. Ask it for two
heights.

step_added_to_the_height
- f(x + h)
+ f(x) + h
- f(x - h)
+ f(x) - h
Your derivative is 1 everywhere. Probably the step is added to the height, as in
`f(x) + h`; to look at a place beside x you need `f(x + h)`.
? Which bracket does the h belong into?

slope_of_the_slope
- 1e-4
+ 1e-4, 0.1, 0.01, 0.001
- rise / run
+ (right - 2 * f(x) + left) / h**2
You compute how fast the derivative changes, which is called the second
derivative: {came} instead of {wanted}.
? Two heights are enough, and one division by the width.

walked_downhill
- return rise
+ return x - rise
or
- return rise
+ return x - 0.1 * rise
You have already walked: x minus a part of the derivative, {came}. The task asks
for the derivative itself, {wanted}.
? Return the derivative. The step downhill comes later in the chapter.

rounded
- rise / run
+ np.round(rise / run, 2)
or
- rise / run
+ np.round(rise / run, 1)
or
- rise / run
+ np.round(rise / run, 3)
or
- rise / run
+ np.round(rise / run, 0)
Your derivative is rounded: {came} instead of {wanted}. Round when you print,
not when you compute.
? Is there a `round` on the way out?

always_the_same_place
- h =
+ x = 0 * x
+ h =
or
- h =
+ x = 0 * x + 1
+ h =
Your derivative does not depend on x: you look at a fixed place. Here the place
is x = {x}, and {came} comes out instead of {wanted}.
? Is the input x used in every call of f?
"""


def _each_step(edits: dict) -> list[dict]:
    """One way for each of the steps that stand in place of 1e-4."""
    steps = edits.get("1e-4", "").split(", ")
    return [edits | {"1e-4": step} if step else edits for step in steps]


EXERCISE = Exercise(
    name="slope",
    inputs=("f", "x"),
    handed_over=("formula", "x"),
    asked="`slope(f, x)` returns the derivative of the function f at the "
    "place x: look a small step h to the right and a small step to the left, "
    "and divide the difference of the two heights by the width between them, "
    "2 h. Five digits must be right.",
    praise="Your derivatives agree with the true ones for straight lines, "
    "parabolas, the exponential function and a hyperbola, uphill, downhill "
    "and at the bottom of a valley.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=tuple(
        replace(m, edits=tuple(way for e in m.edits for way in _each_step(e)))
        for m in mistakes(MISTAKES)
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
    show_inputs=lambda args: f"f(x) = {args[0]}\nx = {number(args[1])}",
    play=_play,
)
