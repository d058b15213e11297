"""The exercise `self_attention(X)` and the wrong answers it knows."""

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
from transformer_course.checks.engine.reading import ARRAY, number, show
from transformer_course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "self_attention"]


def self_attention(function: Any) -> Verdict:
    """Check a function `self_attention(X)`: softmax(X X^T) X, row by row.

    Neither a scale nor projections are wanted here; they come in later
    chapters. Because X X^T is symmetric, a softmax down the columns, a
    transposed matrix of weights and a sum that lost its axis give the same
    numbers: one name serves all three, and two of them together are right.

    Args:
        function: takes X of shape (n, d), whose rows are the tokens, and
            returns the n context vectors, shape (n, d). Lists and tensors
            are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.1, without scale. Chapter 2.
    """
    return judge(EXERCISE, function)


def solution(X):
    scores = X @ X.T
    weights = softmax(scores)
    return weights @ X


def top(x):
    return x.max(axis=1, keepdims=True)


def shares(votes):
    return votes / votes.sum(axis=1, keepdims=True)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def added_up_in(dtype, parts):
    """Sum over the second axis, number by number, in an array of `dtype`."""
    total = np.zeros_like(parts[:, 0], dtype)
    for part in parts.swapaxes(0, 1):
        total[...] = total + part
    return total


def _random(name, seed, *size):
    """Tokens from -1.5 to 1.5 with one decimal: easy to read."""
    draw = np.random.default_rng(seed)
    return Case(name, (draw.integers(-15, 16, size=size) / 10,))


def _probe(name, tokens):
    return Case(name, (np.array(tokens),), basic=False)


# Not the tokens that the chapter works out by hand: no check tells c_2.
FOUR = [[2, 0], [1, 1], [0, 1], [-1, 1]]
CASES = (
    Case("four tokens", (np.array(FOUR, float),)),
    _random("five tokens", 5, 5, 3),
    _random("square", 6, 3, 3),
    _random("two tokens", 7, 2, 4),
    Case("one token", (np.array([[0.5, -1.0, 2.0]]),)),
    _probe("long", [[40.0, 0.0], [0.0, 40.0]]),
    _probe("short and long", [[1.0, 1.0], [60.0, 0.0]]),
    _probe("whole numbers", FOUR),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    (tokens,) = case.args
    facts = {"n": len(tokens), "d": tokens.shape[1], "row": 0}
    facts |= first_difference(want, got)
    row = facts["row"]
    if got.shape == want.shape:
        facts |= {"came_row": show(got[row]), "wanted_row": show(want[row])}
    weights = softmax(tokens @ tokens.T)
    facts["column_sum"] = number(weights.sum(axis=0)[row])
    facts["mean"] = show(tokens.mean(axis=0))
    return facts | {"sum": show(tokens.sum(axis=0))}


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest entry."""
    if probe.got.kind != ARRAY or probe.got.array.shape != probe.args[0].shape:
        return None
    tokens, got = probe.args[0], probe.got.array
    low, high = tokens.min(axis=0), tokens.max(axis=0)
    out = np.argwhere((got < low - 1e-4) | (got > high + 1e-4))
    if not len(out):
        return None
    row, column = (int(i) for i in out[0])
    return (
        "The first thing that breaks: an average stays between the smallest "
        f"and the largest value. Column {column} of X runs from "
        f"{number(low[column])} to {number(high[column])}, and your row "
        f"{row} has {number(got[row, column])} there. Weights between 0 and "
        "1 that sum to 1 give no such number."
    )


EXERCISE = Exercise(
    name="self_attention",
    refused=("scaled_dot_product_attention",),
    inputs=("X",),
    asked="`self_attention(X)` returns one context vector for each row of X: "
    "the dot products of that row with all rows, softmax over them, and the "
    "average of all rows with these weights. No scale, no projections yet.",
    praise="Your context vectors agree with the reference for one to five "
    "tokens, and long vectors do not break them.",
    cases=CASES,
    draw=lambda seed: _random("one more", seed, 4, 3),
    solve=Reference(solution),
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=0),),
            lambda got, args: np.roll(got, 1, axis=0),
            "The first thing that breaks: when the tokens change places, "
            "their context vectors must change places with them, and yours "
            "become different ones.",
        ),
    ),
    hints=(
        "Four steps, each with a shape you can print: X is (n, d), the "
        "scores are (n, n), the weights are (n, n), the contexts are (n, d) "
        "again.",
        "Row i of the weights belongs to token i: it must sum to 1, and it "
        "says how much token i takes from each row of X. The average is a "
        "matrix product of weights and tokens, in this order. The softmax "
        "from the exercise before does the middle step.",
    ),
    facts=_facts,
    show_inputs=show_arrays("X"),
    on_the_way={
        "scores": "the scores",
        "weights": "the weights",
        "X.T": "`X`, transposed",
    },
)
