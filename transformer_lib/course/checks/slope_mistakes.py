"""Known wrong answers to the exercise `slope(f, x)`.

Many of them depend on the step h, which each student chooses; the usual
steps are tried in turn. The words in braces are filled in by `about_slope`.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_LARGE = (1.0, 0.5, 0.1, 0.05, 0.01, 0.005)
_ONE_SIDED = (1e-4, 0.1, 1.0, 0.5, 0.05, 0.01, 0.005, 0.001, 1e-5)
_USUAL = (1e-4, 0.1, 0.01, 0.001, 1e-5, 1e-6)
_FINE = (1e-7, 1e-8, 1e-9, 1e-10)
_TINY = (1e-12, 1e-13, 1e-14, 1e-15, 1e-16)
_SIDES = ("right", "left")


def _each(steps, *settings) -> tuple[dict, ...]:
    """Every setting with every step."""
    return tuple(s | {"step": step} for s in settings for step in steps)


_STEPS = (
    Mistake(
        "one_sided",
        "You look to one side only, with a step that is too large for that: "
        "the curve bends on the way, so {came} comes out in place of "
        "{wanted}. With one place on each side of x the two errors nearly "
        "cancel.",
        "Replace f(x) by the height one step on the other side. How wide is "
        "the gap between the two places then?",
        _each(_ONE_SIDED, *({"sides": side} for side in _SIDES)),
    ),
    Mistake(
        "step_too_large",
        "The formula is right, but the step is too large: the curve bends "
        "between your two places. {came} comes out in place of {wanted}.",
        "Try a step of 0.0001.",
        _each(_LARGE, {}),
    ),
    Mistake(
        "step_too_small",
        "The formula is right, but the step is too small: the two heights "
        "are equal in nearly all of the sixteen digits a computer keeps, and "
        "what is left is rounding. {came} comes out in place of {wanted}.",
        "Smaller is not always better. Try a step of 0.0001.",
        _each(_TINY, {}, *({"sides": side} for side in _SIDES)),
    ),
    Mistake(
        "step_zero",
        "Your step is 0. Then both places are the same, and 0 divided by 0 "
        "is not a number.",
        "Choose a step that is small but not 0, such as 0.0001.",
        _each((0.0,), {}, *({"sides": side} for side in _SIDES)),
    ),
)
_DIVIDED = (
    Mistake(
        "not_divided",
        "You return the difference of the two heights, {came}. A slope is "
        "height per width, {wanted}: the division is missing. (Or there is "
        "a `/ 2 * h` without brackets, which divides by 2 and then "
        "multiplies by h.)",
        "How far apart are the two places? Divide by that.",
        (
            *_each(_USUAL, {"divide": "nothing"}),
            *_each(
                _USUAL,
                *({"divide": "nothing", "sides": side} for side in _SIDES),
            ),
        ),
    ),
    Mistake(
        "divided_by_h",
        "Your slope is twice as large as it should be: {came} in place of "
        "{wanted}. From x - h to x + h the width is 2 h, and you divide "
        "by h.",
        "Draw a line, mark x - h, x and x + h on it, and count the steps.",
        ({"divide": "half the width"},),
    ),
    Mistake(
        "divided_by_too_much",
        "Your slope is half of what it should be: {came} in place of "
        "{wanted}. The width is 2 h between x - h and x + h, but only h "
        "between x and x + h.",
        "Which two places do you compare, and how far apart are they?",
        (
            {"divide": "twice the width"},
            *_each(
                _USUAL,
                *(
                    {"divide": "twice the width", "sides": side}
                    for side in _SIDES
                ),
            ),
        ),
    ),
    Mistake(
        "brackets_above_missing",
        "Only the second height is divided: Python reads `a - b / c` as "
        "`a - (b / c)`. So {came} comes out in place of {wanted}.",
        "Put the difference of the heights in brackets.",
        (
            *_each(_USUAL + _FINE, {"divide": "one height only"}),
            *_each(
                _USUAL + _FINE,
                *(
                    {"divide": "one height only", "sides": side}
                    for side in _SIDES
                ),
            ),
        ),
    ),
    Mistake(
        "brackets_below_missing",
        "You divide by 2 and then *multiply* by h: Python reads `a / 2 * h` "
        "from left to right. So {came} comes out in place of {wanted}.",
        "Put `2 * h` in brackets.",
        ({"divide": "by 2, times h", "step": 0.1},),
    ),
    Mistake(
        "almost_zero",
        "Your result is practically 0 for every function, here {came} in "
        "place of {wanted}. Four usual reasons: both heights are taken at "
        "the same place, `f(x + h)` twice; nothing is divided by the width; "
        "`/ 2 * h` without brackets, which multiplies by h; or a step so "
        "small that x + h is the same number as x.",
        "Print the difference of the two heights, then the width, then the "
        "quotient, for x * x at the place 3.",
        (
            {"divide": "by 2, times h"},
            {"divide": "nothing", "step": 1e-9},
            {"step": 1e-20},
        ),
    ),
    Mistake(
        "heights_added",
        "You add the two heights; their difference is wanted. So {came} "
        "comes out in place of {wanted}.",
        "How much higher is the curve on the right than on the left?",
        _each(_USUAL + _FINE, {"divide": "heights added"}),
    ),
    Mistake(
        "upside_down",
        "You divide the width by the difference of the heights; the slope "
        "is the other way around. {came} comes out in place of {wanted}.",
        "Slope: how much it rises, for each step to the side.",
        ({"divide": "by the heights"},),
    ),
)
_RETURNED = (
    Mistake(
        "wrong_sign",
        "Size right, sign wrong: {came} in place of {wanted}. A curve that "
        "rises to the right has a positive slope.",
        "Right minus left, not left minus right.",
        ({"result": "minus"},),
    ),
    Mistake(
        "sign_lost",
        "Your slope is never negative: {came} in place of {wanted}. The sign "
        "says whether the curve rises or falls.",
        "Look for `abs` or a square.",
        ({"result": "sign lost"},),
    ),
    Mistake(
        "height",
        "You return how high the curve is at x, {came}. Wanted is how steep "
        "it is there, {wanted}.",
        "One height says nothing about steepness; you need two.",
        ({"result": "height"},),
    ),
    Mistake(
        "height_over_x",
        "You divide the height at x by x: {came} in place of {wanted}. That "
        "is the slope of the straight line from the origin, not that of the "
        "curve.",
        "Take two places near x and compare their heights.",
        ({"result": "height over x"},),
    ),
    Mistake(
        "only_for_the_square",
        "You return 2 x. That is the slope of x squared and of no other "
        "curve; here {came} comes out in place of {wanted}.",
        "The check hands over a different function f each time. Ask it for "
        "two heights.",
        ({"result": "twice x"},),
    ),
    Mistake(
        "step_added_to_the_height",
        "Your slope is 1 everywhere. Probably the step is added to the "
        "height, as in `f(x) + h`; to look at a place beside x you need "
        "`f(x + h)`.",
        "Which bracket does the h belong into?",
        ({"result": "one"},),
    ),
    Mistake(
        "slope_of_the_slope",
        "You compute how fast the slope changes, which is called the second "
        "derivative: {came} in place of {wanted}.",
        "Two heights are enough, and one division by the width.",
        ({"result": "bend"},),
    ),
    Mistake(
        "walked_downhill",
        "You have already walked: x minus a part of the slope, {came}. "
        "Wanted is the slope itself, {wanted}.",
        "Return the slope. The step downhill comes later in the chapter.",
        ({"result": "walked"}, {"result": "walked a tenth"}),
    ),
    Mistake(
        "rounded",
        "Your slope is rounded: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Is there a `round` on the way out?",
        (
            {"result": "to hundredths"},
            {"result": "to tenths"},
            {"result": "to thousandths"},
            {"result": "to whole numbers"},
        ),
    ),
    Mistake(
        "always_the_same_place",
        "Your slope does not depend on x: you look at a fixed place. Here "
        "the place is x = {x}, and {came} comes out in place of {wanted}.",
        "Is the input x used in every call of f?",
        ({"at": "zero"}, {"at": "one"}),
    ),
)
MISTAKES = (*_STEPS, *_DIVIDED, *_RETURNED)
