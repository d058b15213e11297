"""The exercise `softmax(x, axis)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number, show
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "softmax"]


def softmax(function: Any) -> Verdict:
    """Check a function `softmax(x, axis)`: exp(x) / sum(exp(x)) along axis.

    Args:
        function: takes x, an array with one or two axes, and axis (-1, 0 or
            1), and returns the weights, an array of the shape of x. Lists and
            tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Bridle, 1990 (the name). Chapter 2.
    """
    return judge(EXERCISE, function)


def solution(x, axis):
    shifted = x - x.max(axis, keepdims=True)
    votes = np.exp(shifted)
    total = votes.sum(axis, keepdims=True)
    shares = votes / total
    return shares


def _random(seed, *size):
    """Scores from -2 to 3 with one decimal: easy to read in a message."""
    return np.random.default_rng(seed).integers(-20, 31, size) / 10


def _probe(name, scores):
    return Case(name, (np.array(scores), -1), basic=False)


CASES = (
    Case("small", (np.array([[0.0, 1, 2], [3, 1, 1.5]]), -1)),
    Case("columns", (_random(1, 3, 4), 0)),
    Case("vector", (_random(2, 5), 0)),
    Case("square", (_random(3, 3, 3), -1)),
    Case("rows", (_random(4, 4, 2), 1)),
    _probe("large", [1000.0, 1001, 1002]),
    _probe("very negative", [-1000.0, -1002]),
    _probe("wide", [0.0, 0, 3000]),
    _probe("far rows", [[0.0, 1, 2], [1000, 1001, 1002]]),
    _probe("whole numbers", [[1, 2, 3], [3, 0, 1]]),
)


def _line(x, axis):
    """What softmax makes sum to 1, a row or a column."""
    return "row" if axis % x.ndim == x.ndim - 1 else "column"


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the worst line's sum, the largest, ..."""
    x, axis = case.args
    line = _line(x, axis)
    facts = {"line": line, "total": number(got.sum())}
    facts["top"] = number(got.max())
    if got.shape != want.shape:
        return facts
    sums = got.sum(axis=axis).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    which = f"{line} {worst}" if x.ndim == 2 else "the answer"
    facts |= {"sum": number(sums[worst])}
    facts |= {"which": which, "Which": which[0].upper() + which[1:]}
    if x.ndim == 2:
        facts["cross"] = "column" if line == "row" else "row"
        facts["crossing"] = number(got.sum(axis=1 - axis % 2)[0])
    return facts | first_difference(want, got)


def _one_sum(probe: Probe) -> str | None:
    """Along the axis the weights sum to one."""
    if probe.got.kind != ARRAY or probe.got.array.shape != probe.args[0].shape:
        return None
    x, axis = probe.args
    sums = np.atleast_1d(probe.got.array.sum(axis=axis))
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) < 100 * probe.got.tolerance:
        return None
    which = f"{_line(x, axis)} {worst}" if x.ndim == 2 else "this row"
    return (
        f"The first thing that breaks: {which} sums to "
        f"{number(sums[worst])}, and the weights of a softmax sum to 1."
    )


EXERCISE = Exercise(
    name="softmax",
    refused=("softmax",),
    inputs=("x", "axis"),
    asked="`softmax(x, axis)` turns scores into weights: e to the power of "
    "each score, divided by the sum of these along `axis`. The result has "
    "the shape of x, and it also holds for scores such as 1000.",
    praise="Your weights agree with the reference for rows, columns, single "
    "vectors and whole numbers, and scores of 1000 do not break them.",
    cases=CASES,
    draw=lambda seed: Case("one more", (_random(seed, 4, 3), seed % 2)),
    solve=Reference(solution),
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _one_sum,
        unmoved_by(
            lambda args: (args[0] + 1.0, args[1]),
            lambda got, args: got,
            "The first thing that breaks: adding 1 to every score must not "
            "change any weight, and yours change.",
        ),
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=args[1]), args[1]),
            lambda got, args: np.roll(got, 1, axis=args[1]),
            "The first thing that breaks: when the scores change places, the "
            "weights must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Work out the scores 0, 1, 2 on paper: three votes (1, 2.718 and "
        "7.389), their sum, three weights. Code has to take these steps.",
        "Two things cost most people time. A sum along an axis must keep "
        "that axis, so that the division lines up (look up `keepdims`). And "
        "a constant taken off all scores of a row changes no weight, which "
        "keeps large scores harmless.",
    ),
    facts=_facts,
    show_inputs=lambda args: f"{show(args[0], 'x = ')}\naxis = {args[1]}",
    on_the_way={
        "shifted": "the shifted scores",
        "votes": "the exponentials of the shifted scores",
        "total": "the sums of the exponentials",
        "x.max(axis, keepdims=True)": "the largest scores",
    },
)
