"""The exercise `attention(Q, K, V)` and the wrong answers it knows."""

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
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "attention"]


def attention(function: Any) -> Verdict:
    """Check a function `attention(Q, K, V)`.

    softmax(Q K^T / sqrt(d_k)) V, where softmax runs over the keys. All axes
    before the last two are leading axes, such as sentences and heads; each
    matrix behind them is treated on its own.

    Args:
        function: takes Q (..., n_q, d_k), K (..., n_k, d_k) and V
            (..., n_k, d_v), returns (..., n_q, d_v). Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.1, equation 1. Chapter 3.
    """
    return judge(EXERCISE, function)


def solution(Q, K, V):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    weights = softmax(scores)
    return weights @ V


def total(x):
    return x.sum(axis=-1, keepdims=True)


def top(x):
    return x.max(axis=-1, keepdims=True)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def shares(votes):
    return votes / total(votes)


def rows(x):
    return x.reshape(-1, x.shape[-1])


def all_axes_turned(x):
    return x.T


def _case(name, seed, sizes, *leading):
    """Random numbers with one decimal; sizes are n_q, n_k, d_k, d_v."""
    draw = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = sizes
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    args = (draw.integers(-15, 16, (*leading, *two)) / 10 for two in shapes)
    return Case(name, tuple(args), basic=not leading)


def _probe(name, *matrices):
    return Case(name, tuple(map(np.array, matrices)), basic=False)


CASES = (
    _case("two queries", 10, (2, 3, 4, 2)),
    _case("five keys", 11, (3, 5, 2, 4)),
    _case("square", 12, (3, 3, 3, 3)),
    _case("as many queries as keys", 13, (4, 4, 3, 2)),
    _case("one query", 17, (1, 4, 3, 2)),
    _case("one key", 18, (2, 1, 3, 2)),
    _case("batch", 14, (3, 5, 4, 6), 2),
    _case("batch and heads", 15, (4, 5, 2, 6), 2, 3),
    _case("square batch", 16, (3, 3, 3, 3), 3),
    _probe("long", [[60.0, 0], [0, 60]], [[60.0, 0], [0, 60]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _probe("short and long", [[0.0, 1], [60, 0]], [[60.0, 1], [0, 2]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _probe("whole numbers", [[1, 0], [0, 2]], [[1, 1], [2, 0], [0, 1]],
           [[3], [5], [8]]),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    q, k, v = case.args
    facts = {"row": 0, "came_columns": got.shape[-1] if got.ndim else 0}
    facts |= first_difference(want, got)
    sums = total(softmax(q @ k.mT / q.shape[-1] ** 0.5, axis=-2))
    facts["column_weights"] = number(sums[..., facts["row"], 0].flat[0])
    sizes = (q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1])
    return facts | dict(zip(("n_q", "n_k", "d_k", "d_v"), sizes, strict=True))


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest value."""
    got, values = probe.got, probe.args[2]
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    low = values.min(axis=-2, keepdims=True) - 1e-4
    high = values.max(axis=-2, keepdims=True) + 1e-4
    out = (got.array < low) | (got.array > high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: an average of the values stays between "
        f"the smallest and the largest of them. Your {number(got.array[place])}"
        f" at {list(place)} lies outside of column {place[-1]} of V. "
        "Weights between 0 and 1 that sum to 1 give no such number."
    )


EXERCISE = Exercise(
    name="attention",
    refused=("scaled_dot_product_attention",),
    inputs=("Q", "K", "V"),
    asked="`attention(Q, K, V)` returns softmax(Q K^T / sqrt(d_k)) V: one "
    "row for each query, an average of the rows of V. Axes before the last "
    "two, such as sentences and heads, are left alone.",
    praise="Your results agree with the reference for all shapes: more keys "
    "than queries, values of another width, a batch, a batch with heads.",
    cases=CASES,
    draw=lambda seed: _case("one more", seed, (3, 4, 2, 5)),
    solve=Reference(solution),
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (args[0], *(np.roll(x, 1, -2) for x in args[1:])),
            lambda got, args: got,
            "The first thing that breaks: when keys and values change places "
            "together, no result may change, and yours do.",
        ),
    ),
    hints=(
        "Four steps, each with a shape you can print: the scores are "
        "(n_q, n_k), after scaling and softmax they stay (n_q, n_k), and "
        "the result is (n_q, d_v). Begin with matrices and leave the leading "
        "axes for later.",
        "Only three things ever mention an axis: K is transposed in its "
        "last two, the root is that of the last axis of Q, and softmax runs "
        "along the last axis of the scores. Counted from the end, all three "
        "hold for any number of leading axes.",
    ),
    facts=_facts,
    show_inputs=show_arrays("Q", "K", "V"),
    on_the_way={
        "scores": "the scaled scores",
        "weights": "the weights",
        "Q @ K.mT": "the scores, not scaled yet",
        "K.mT": "`K`, transposed",
        "Q.shape[-1] ** 0.5": "the root of d_k",
    },
)
