"""The exercise `noam(step, d_model, warmup)` and the wrong answers it knows."""

from __future__ import annotations

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
from transformer_lib.course.checks.noam_mistakes import MISTAKES

__all__ = ["EXERCISE", "noam", "rate"]


def noam(function: Any) -> Verdict:
    r"""Check a function `noam(step, d_model, warmup)`.

    $$d_{model}^{-1/2} \min(step^{-1/2}, step \cdot warmup^{-3/2})$$

    Args:
        function: takes three whole numbers, the step counted from 1, and
            returns the learning rate of that step.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al. 2017, section 5.3, equation 3. Chapter 13.
    """
    return judge(EXERCISE, function)


def rate(
    step: int,
    d_model: int,
    warmup: int,
    *,
    take: str = "as given",
    count: int = 0,
    width: str = "root below",
    choose: str = "smaller",
    fall: str = "root below",
    rise: str = "right",
    times: float = 1.0,
    result: str = "rate",
) -> Any:
    """The rate of a step, or a wrong variant; the defaults are right."""
    step, d_model, warmup = _TAKE[take](step, d_model, warmup)
    s, d, w = float(step + count), float(d_model), float(warmup)
    if s == 0:
        raise ZeroDivisionError("0.0 cannot be raised to a negative power")
    falling = _FALL[fall](s, w)
    rising = _RISE[rise](s, w)
    factor = _WIDTH[width](d)
    if width == "inside, falling":
        factor, falling = 1.0, falling * d**-0.5
    if width == "inside, rising":
        factor, rising = 1.0, rising * d**-0.5
    chosen = _CHOOSE[choose](falling, rising, s, w)
    return times * _RESULT[result](factor * chosen)


_TAKE = {
    "as given": lambda s, d, w: (s, d, w),
    "width and warm-up": lambda s, d, w: (s, w, d),
    "step and width": lambda s, d, w: (d, s, w),
    "step and warm-up": lambda s, d, w: (w, d, s),
    "512": lambda s, d, w: (s, 512, w),
    "4000": lambda s, d, w: (s, d, 4000),
    "both": lambda s, d, w: (s, 512, 4000),
}
_WIDTH = {
    "root below": lambda d: d**-0.5,
    "left out": lambda d: 1.0,
    "root": lambda d: d**0.5,
    "below": lambda d: 1 / d,
    "square": lambda d: d**-2,
    "brackets lost": lambda d: d**-1 / 2,
    "inside, falling": lambda d: 1.0,
    "inside, rising": lambda d: 1.0,
}
_FALL = {
    "root below": lambda s, w: s**-0.5,
    "root": lambda s, w: s**0.5,
    "below": lambda s, w: 1 / s,
    "three halves": lambda s, w: s**-1.5,
    "brackets lost": lambda s, w: s**-1 / 2,
    "relative": lambda s, w: (s / w) ** -0.5,
}
_RISE = {
    "right": lambda s, w: s * w**-1.5,
    "root": lambda s, w: s * w**-0.5,
    "below": lambda s, w: s / w,
    "plus": lambda s, w: s * w**1.5,
    "half": lambda s, w: s**0.5 * w**-1.5,
    "no step": lambda s, w: w**-1.5,
    "whole bracket": lambda s, w: (s * w) ** -1.5,
    "two": lambda s, w: s * w**-2,
    "exchanged": lambda s, w: w * s**-1.5,
    "minus one": lambda s, w: (s - 1) * w**-1.5,
}
_CHOOSE = {
    "smaller": lambda f, r, s, w: min(f, r),
    "larger": lambda f, r, s, w: max(f, r),
    "rising": lambda f, r, s, w: r,
    "falling": lambda f, r, s, w: f,
    "product": lambda f, r, s, w: f * r,
    "sum": lambda f, r, s, w: f + r,
    "swapped": lambda f, r, s, w: f if s <= w else r,
    "restart": lambda f, r, s, w: r if s <= w else (s - w) ** -0.5,
    "flat": lambda f, r, s, w: min(r, w**-0.5),
    "line down": lambda f, r, s, w: min(r, max(2 * w - s, 0) * w**-1.5),
}
_RESULT = {
    "rate": lambda r: r,
    "minus": lambda r: -r,
    "rounded": lambda r: np.round(r, 4),
    "rounded to 3": lambda r: np.round(r, 3),
    "rounded to 2": lambda r: np.round(r, 2),
}
_PLACES = (
    ("rising", 1, 4, 4),
    ("just before the top", 3, 4, 4),
    ("at the top", 4, 4, 4),
    ("falling", 5, 4, 4),
    ("far down", 16, 4, 4),
    ("early", 2, 16, 25),
    ("middle", 10, 16, 25),
    ("late", 64, 16, 25),
    ("no warm-up", 3, 9, 1),
    ("paper, first", 1, 512, 4000),
    ("paper, top", 4000, 512, 4000),
    ("paper, last", 100_000, 512, 4000),
)
_CASES = tuple(Case(name, tuple(args)) for name, *args in _PLACES)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: what came and what is wanted."""
    if got.shape != want.shape:
        return {}
    step, d_model, warmup = case.args
    came, wanted = apart(float(got), float(want))
    return {
        "came": came,
        "wanted": wanted,
        "step": str(step),
        "d": str(d_model),
        "warmup": str(warmup),
        "peak": number((d_model * warmup) ** -0.5),
    }


def _positive(probe: Probe) -> str | None:
    """A learning rate is above 0."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != () or got.array > 0:
        return None
    return (
        "The first thing that breaks: a learning rate is above 0, and yours "
        f"at step {probe.args[0]} is {number(float(got.array))}."
    )


EXERCISE = Exercise(
    name="noam",
    inputs=("step", "d_model", "warmup"),
    asked="`noam(step, d_model, warmup)` returns the learning rate of a "
    "step, counted from 1: the root of d_model below the fraction bar, times "
    "the smaller of two numbers, 1 / root of step and "
    "step / (warmup * root of warmup).",
    praise="Your rates agree with the reference before, at and after the "
    "peak, from step 1 to step 100,000, for four pairs of width and warm-up.",
    cases=_CASES,
    solve=rate,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _positive,
        unmoved_by(
            lambda args: (args[0], 4 * args[1], args[2]),
            lambda got, args: got / 2,
            "The first thing that breaks: a model four times as wide gets "
            "half the rate, at every step, and yours does not.",
        ),
        unmoved_by(
            lambda args: (4 * max(args[0], args[2]), args[1], args[2]),
            lambda got, args: np.asarray(
                (4 * args[1] * max(args[0], args[2])) ** -0.5
            ),
            "The first thing that breaks: after the warm-up the rate falls "
            "with the root of the step, counted from the first step of all.",
        ),
    ),
    hints=(
        "Work out three rates by hand for a width of 4 and a warm-up of 4: "
        "at step 1, at step 4 and at step 16. They are 1/16, 1/4 and 1/8. "
        "Which of them does your function miss?",
        "Two curves, one rising in a straight line and one falling like 1 "
        "over a root. They cross at the step called warmup. The smaller of "
        "the two always counts, and the width of the model scales both.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"step = {args[0]}, d_model = {args[1]}, warmup = {args[2]}"
    ),
)
