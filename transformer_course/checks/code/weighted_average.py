"""The exercise `weighted_average` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import (
    first_difference,
    show_arrays,
)
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "weighted_average"]


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


def solution(weights, values):
    weighted = weights[:, None] * values
    total = weighted.sum(axis=0)
    average = total / weights.sum()
    return average


def _case(name, weights, *rows, basic=True):
    return Case(name, (np.array(weights), np.array(rows)), basic)


# Neither the numbers that the chapter works out nor those of Exercise 1.2.
CASES = (
    _case("votes", [3.0, 1, 2], [1.0, 5], [-2, 0], [4, 3]),
    _case("shares", [0.1, 0.2, 0.3, 0.4], [2.0, 1, 0], [0, 3, 1], [5, 0, -1],
          [1, 1, 4]),
    _case("nearly shares", [0.3, 0.4, 0.31], [2.0, -1], [0, 3], [5, 1]),
    _case("square", [1.0, 5, 1], [2.0, 0, 7], [1, 3, 5], [4, 1, -2]),
    _case("one row", [2.0], [3.0, 1, -2]),
    _case("one number a row", [1.0, 0, 2, 4], [2.0], [9], [6], [3]),
    _case("whole numbers", [1, 2], [1, 2], [2, 5], basic=False),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    weights, values = case.args
    n, d = values.shape
    facts = {"n": n, "d": d, "total": number(weights.sum())}
    facts |= {"came_shape": got.shape, "wanted_shape": want.shape}
    return facts | first_difference(want, got)


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


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    weights = draw.integers(1, 10, size=4) / 2
    return _case("one more", weights, *draw.integers(-20, 51, (4, 3)) / 10)


EXERCISE = Exercise(
    name="weighted_average",
    inputs=("weights", "values"),
    asked="`weighted_average(weights, values)` multiplies each row of values "
    "by its weight, adds the rows up, and divides by the sum of the weights. "
    "There are n weights, values has the shape (n, d), the result has d "
    "numbers.",
    praise="Your averages agree with the reference for weights that sum to 1, "
    "for votes that do not, and for rows of any width.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
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
    show_inputs=show_arrays("weights", "values"),
    on_the_way={
        "weighted": "the values times their weights",
        "total": "the weighted sum of the values",
        "weights.sum()": "the sum of the weights",
        "weights[:, None]": "the weights, turned into a column",
    },
)
