"""The exercise `stable_softmax(x)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number, show
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "stable_softmax"]


def stable_softmax(function: Any) -> Verdict:
    """Check a function `stable_softmax(x)`: softmax along the last axis.

    weight_j = exp(x_j - max x) / sum_k exp(x_k - max x), the maximum and the
    sum taken along the last axis. Scores of any size give finite weights.

    Args:
        function: takes x, an array with one, two or three axes, and returns
            the weights, an array of the shape of x. Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Milakov and Gimelshein, 2018, section 2. Chapter 4.
    """
    return judge(EXERCISE, function)


def solution(x):
    shifted = x - x.max(-1, keepdims=True)
    votes = np.exp(shifted)
    total = votes.sum(-1, keepdims=True)
    shares = votes / total
    return shares


def _random(name, seed, *size):
    """Scores from -2 to 3 with one decimal: easy to read in a message."""
    draw = np.random.default_rng(seed)
    return Case(name, (draw.integers(-20, 31, size) / 10,))


def _probe(name, scores):
    """A case beyond the usual size of scores."""
    return Case(name, (np.array(scores),), basic=False)


CASES = (
    Case("small", (np.array([[0.0, 1, 2], [3, 1, 1.5]]),)),
    _random("vector", 41, 5),
    _random("square", 42, 3, 3),
    _random("stack", 43, 2, 3, 4),
    _probe("hundred", [100.0, 101, 102]),
    _probe("four hundred", [400.0, 401, 402]),
    _probe("large", [1000.0, 1001, 1002]),
    _probe("very negative", [-1000.0, -1001, -1002]),
    _probe("below zero", [-400.0, -401, -402]),
    _probe("one high", [0.0, 0, 900]),
    _probe("two high", [900.0, 900, 0]),
    _probe("far apart", [0.0, 0, 3000]),
    _probe("far rows", [[0.0, 1, 2], [1000, 1001, 1002]]),
    _probe("whole numbers", [[1, 2, 3], [3, 0, 1]]),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the worst row's sum, the first wrong weight."""
    facts = {"total": number(got.sum()), "line": "row"}
    if got.shape != want.shape:
        return facts
    sums = got.sum(axis=-1).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    which = f"row {worst}" if got.ndim == 2 else "a row"
    facts |= {"which": which, "Which": which.capitalize()}
    facts["sum"] = number(sums[worst])
    return facts | first_difference(want, got)


def _one_sum(probe: Probe) -> str | None:
    """Along the last axis the weights sum to one."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.args[0].shape:
        return None
    sums = np.atleast_1d(got.array.sum(axis=-1)).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) < 100 * got.tolerance:
        return None
    return (
        f"The first thing that breaks: a row sums to {number(sums[worst])}, "
        "and the weights of a softmax sum to 1."
    )


# No edit: its numbers would also fit an exponential in single precision,
# which breaks at 400 without any maximum. But that one breaks at 100 as well.
MAXIMUM_ADDED = Mistake(
    "maximum_added",
    "You add the maximum where it should be taken off: already for the "
    "scores 400, 401, 402 the exponent exceeds 709, and the row breaks.",
    "After the right step the largest exponent is 0.",
    matches=lambda a: a["four hundred"].broken and not a["hundred"].broken,
    on="four hundred",
)


EXERCISE = Exercise(
    name="stable_softmax",
    refused=("softmax",),
    inputs=("x",),
    asked="`stable_softmax(x)` is the softmax of x along its last axis, "
    "whatever the size of the scores and however many axes x has. The "
    "result has the shape of x and holds neither inf nor nan.",
    praise="Your weights agree with the reference for vectors, tables and "
    "stacks of tables, and no score is too large or too small for them.",
    cases=CASES,
    draw=lambda seed: _random("one more", seed, 4, 3),
    solve=Reference(solution),
    made_here=(MAXIMUM_ADDED,),
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _one_sum,
        unmoved_by(
            lambda args: (args[0] + 1.0,),
            lambda got, args: got,
            "The first thing that breaks: adding 1 to every score must not "
            "change any weight, and yours change.",
        ),
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=-1),),
            lambda got, args: np.roll(got, 1, axis=-1),
            "The first thing that breaks: when the scores change places, the "
            "weights must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Softmax as in chapter 2, with one step before it. Which number may "
        "you subtract from all scores of a row without changing a weight, and "
        "which choice makes sure that no exponential exceeds 1?",
        "Both the maximum and the sum run along the last axis, counted from "
        "the end, and both must keep that axis (look up `keepdims`), so that "
        "each row meets its own two numbers. Then the number of axes does "
        "not matter.",
    ),
    facts=_facts,
    show_inputs=lambda args: show(args[0], "x = "),
    on_the_way={
        "shifted": "the shifted scores",
        "votes": "the exponentials of the shifted scores",
        "total": "the sums of the exponentials",
        "x.max(-1, keepdims=True)": "the largest score of each row",
    },
)
