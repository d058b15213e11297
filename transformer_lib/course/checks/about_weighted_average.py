"""The exercise `weighted_average` and the wrong answers it knows."""

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
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    show,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.weighted_average_mistakes import MISTAKES

__all__ = ["EXERCISE", "average", "weighted_average"]


def weighted_average(function: Any) -> Verdict:
    """Check `weighted_average(weights, values)`: sum_j w_j v_j / sum_j w_j.

    Args:
        function: takes weights, n numbers of at least 0 that need not sum
            to 1, and values, an array of n rows with d numbers each; returns
            the average row, d numbers. Lists and tensors are accepted as
            results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: any course of statistics. Chapter 1.
    """
    return judge(EXERCISE, function)


def average(
    weights: np.ndarray,
    values: np.ndarray,
    *,
    weigh: str = "as given",
    meet: str = "rows",
    gather: str = "down",
    divide: str = "sum",
    then: str = "nothing",
) -> Any:
    """The weighted average, or a wrong variant; the defaults are right."""
    w, v = (np.asarray(part, dtype=np.float64) for part in (weights, values))
    used = _WEIGH[weigh](w)
    gathered = _GATHER[gather](_MEET[meet](used, v))
    result = gathered / _DIVIDE[divide](used, w, v)
    return _THEN[then](result, w, v)


def _each_time(w: np.ndarray, v: np.ndarray, by: float) -> np.ndarray:
    """The total, divided inside the loop, after each row."""
    total = np.zeros(v.shape[1])
    for weight, row in zip(w, v, strict=True):
        total = (total + weight * row) / by
    return total


_WEIGH = {
    "as given": lambda w: w,
    "alike": np.ones_like,
    "backward": lambda w: w[::-1],
    "exponential": np.exp,
    "squared": np.square,
    "what is missing": lambda w: w.sum() - w,
    "by the largest": lambda w: w / w.max(),
}
_MEET = {
    "rows": lambda w, v: w[:, None] * v,
    "columns": lambda w, v: w * v,
    "added": lambda w, v: w[:, None] + v,
}
_GATHER = {
    "down": lambda p: p.sum(axis=0),
    "along": lambda p: p.sum(axis=1),
    "everything": lambda p: p.sum(),
    "mean of the sums": lambda p: p.sum(axis=0).mean(),
    "mean of everything": lambda p: p.mean(),
    "nothing": lambda p: p,
    "last": lambda p: p[-1],
    "first": lambda p: p[0],
    "all but the last": lambda p: p[:-1].sum(axis=0),
    "all but the first": lambda p: p[1:].sum(axis=0),
    "running": lambda p: np.cumsum(p, axis=0),
}
_DIVIDE = {
    "sums of the values": lambda used, w, v: v.sum(axis=0),
    "sum of all values": lambda used, w, v: v.sum(),
    "sum": lambda used, w, v: used.sum(),
    "sum of the given": lambda used, w, v: w.sum(),
    "nothing": lambda used, w, v: 1.0,
    "count": lambda used, w, v: len(w),
    "sum and count": lambda used, w, v: used.sum() * len(w),
    "sum twice": lambda used, w, v: used.sum() ** 2,
    "largest": lambda used, w, v: used.max(),
    "width": lambda used, w, v: v.shape[1],
    "length": lambda used, w, v: np.sqrt(np.square(used).sum()),
    "root of sum": lambda used, w, v: np.sqrt(used.sum()),
}
_THEN = {
    "nothing": lambda a, w, v: a,
    "by the sum each time": lambda a, w, v: _each_time(w, v, w.sum()),
    "by the count each time": lambda a, w, v: _each_time(w, v, len(w)),
    "largest only": lambda a, w, v: v[w.argmax()],
    "shares": lambda a, w, v: w / w.sum(),
    "rounded": lambda a, w, v: np.round(a),
    "rounded to tenths": lambda a, w, v: np.round(a, 1),
    "rounded to hundredths": lambda a, w, v: np.round(a, 2),
    "percent": lambda a, w, v: 100 * a,
}

# Neither the numbers that the chapter works out nor those of Exercise 1.2.
_CASES = (
    Case(
        "votes",
        (
            np.array([3.0, 1.0, 2.0]),
            np.array([[1.0, 5.0], [-2.0, 0.0], [4.0, 3.0]]),
        ),
    ),
    Case(
        "shares",
        (
            np.array([0.1, 0.2, 0.3, 0.4]),
            np.array(
                [
                    [2.0, 1.0, 0.0],
                    [0.0, 3.0, 1.0],
                    [5.0, 0.0, -1.0],
                    [1.0, 1, 4],
                ]
            ),
        ),
    ),
    Case(
        "square",
        (
            np.array([1.0, 5.0, 1.0]),
            np.array([[2.0, 0.0, 7.0], [1.0, 3.0, 5.0], [4.0, 1.0, -2.0]]),
        ),
    ),
    Case("one row", (np.array([2.0]), np.array([[3.0, 1.0, -2.0]]))),
    Case(
        "one number a row",
        (np.array([1.0, 0.0, 2.0, 4.0]), np.array([[2.0], [9.0], [6.0], [3]])),
    ),
    Case(
        "whole numbers",
        (np.array([1, 2]), np.array([[1, 2], [2, 5]])),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: sizes, sums, the first wrong entry."""
    weights, values = case.args
    n, d = values.shape
    facts = {"n": n, "d": d, "total": number(weights.sum())}
    facts |= {"came_shape": got.shape, "wanted_shape": want.shape}
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        place = tuple(wrong[0])
        came, wanted = apart(got[place], want[place])
        facts |= {"came": came, "wanted": wanted}
    return facts


def _inside(probe: Probe) -> str | None:
    """An average lies between the smallest and the largest value."""
    values = probe.args[1]
    got = probe.got.array
    if probe.got.kind != ARRAY or got.shape != values.shape[1:]:
        return None
    low, high = values.min(axis=0), values.max(axis=0)
    out = np.flatnonzero((got < low - 1e-4) | (got > high + 1e-4))
    if not len(out):
        return None
    j = int(out[0])
    return (
        "The first thing that breaks: an average stays between the smallest "
        f"and the largest value. Column {j} of the values runs from "
        f"{number(low[j])} to {number(high[j])}, and your number there is "
        f"{number(got[j])}."
    )


EXERCISE = Exercise(
    name="weighted_average",
    inputs=("weights", "values"),
    asked="`weighted_average(weights, values)` multiplies each row of values "
    "by its weight, adds the rows up, and divides by the sum of the weights. "
    "There are n weights, values has the shape (n, d), the result has d "
    "numbers.",
    praise="Your averages agree with the reference for shares that sum to 1, "
    "for votes that do not, and for rows of any width.",
    cases=_CASES,
    solve=average,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (2 * args[0], args[1]),
            lambda got, args: got,
            "The first thing that breaks: twice as many votes for everybody "
            "must not change the average, and yours changes.",
        ),
        unmoved_by(
            lambda args: (args[0][::-1].copy(), args[1][::-1].copy()),
            lambda got, args: got,
            "The first thing that breaks: when rows and weights change places "
            "together, the average must stay, and yours changes.",
        ),
    ),
    hints=(
        "Start from a row of d zeros. Walk through the n rows; what do you "
        "add for row j? And what is done once, at the very end?",
        "The weights may be votes such as 3, 1, 2. Their sum, here 6, is what "
        "the whole is divided by; if the weights already sum to 1, this "
        "division changes nothing.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"{show(args[0], 'weights = ')}\n{show(args[1], 'values = ')}"
    ),
)
