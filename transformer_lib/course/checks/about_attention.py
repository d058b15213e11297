"""The exercise `attention(Q, K, V)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.attention_cases import (
    CASES,
    attended,
    softmax,
    turned,
)
from transformer_lib.course.checks.attention_mistakes import MISTAKES
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


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    q, k, v = case.args
    facts = {
        "n_q": q.shape[-2],
        "n_k": k.shape[-2],
        "d_k": q.shape[-1],
        "d_v": v.shape[-1],
        "shape": got.shape,
        "came_columns": got.shape[-1] if got.ndim else 0,
        "row": 0,
    }
    if got.shape == want.shape:
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            facts["came"], facts["wanted"] = apart(got[place], want[place])
            facts["row"] = place[-2]
    weights = softmax(q @ turned(k) / q.shape[-1] ** 0.5, -2)
    facts["column_weights"] = number(weights[..., facts["row"], :].sum())
    return facts


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest value."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    values = probe.args[2]
    low = values.min(axis=-2, keepdims=True) - 1e-4
    high = values.max(axis=-2, keepdims=True) + 1e-4
    out = (got.array < low) | (got.array > high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: an average of the values stays between "
        f"the smallest and the largest of them. Your {number(got.array[place])}"
        f" at {list(place)} lies outside of column {place[-1]} of V. Do the "
        "weights of each query sum to 1?"
    )


def _together(args: tuple) -> tuple:
    """Keys and values change places, in the same way."""
    q, k, v = args
    return q, np.roll(k, 1, axis=-2), np.roll(v, 1, axis=-2)


def _show_inputs(args: tuple) -> str:
    """The numbers of matrices, the shapes of piles of matrices."""
    names = ("Q", "K", "V")
    if args[0].ndim == 2:
        return "\n".join(
            show(array, f"{name} = ")
            for name, array in zip(names, args, strict=True)
        )
    return ", ".join(
        f"{name} of shape {array.shape}"
        for name, array in zip(names, args, strict=True)
    )


EXERCISE = Exercise(
    name="attention",
    inputs=("Q", "K", "V"),
    asked="`attention(Q, K, V)` returns softmax(Q K^T / sqrt(d_k)) V: one "
    "row for each query, an average of the rows of V. Axes before the last "
    "two, such as sentences and heads, are left alone.",
    praise="Your results agree with the reference for all shapes: more keys "
    "than queries, values of another width, a batch, a batch with heads.",
    cases=CASES,
    solve=attended,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            _together,
            lambda got, args: got,
            "The first thing that breaks: when keys and values change places "
            "together, no result may change, and yours do.",
        ),
    ),
    hints=(
        "Four steps, each with a shape you can print: the scores are "
        "(n_q, n_k), scaled and shared they stay (n_q, n_k), and the result "
        "is (n_q, d_v). Begin with matrices and leave the leading axes for "
        "later.",
        "Only three things ever mention an axis: K is turned along its last "
        "two, the root is that of the last axis of Q, and softmax runs along "
        "the last axis of the scores. Counted from the end, all three hold "
        "for any number of leading axes.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
)
