"""The exercise `pad_attention(Q, K, V, ids, pad)`: what the check knows."""

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
from transformer_lib.course.checks.pad_attention_cases import CASES, attended
from transformer_lib.course.checks.pad_attention_mistakes import MISTAKES

__all__ = ["EXERCISE", "pad_attention"]


def pad_attention(function: Any) -> Verdict:
    """Check a function `pad_attention(Q, K, V, ids, pad)`.

    Scaled dot-product attention in which no query looks at a key whose token
    is padding. A query with nothing to look at takes home zeros.

    Args:
        function: takes Q (B, n_q, d_k), K (B, n_k, d_k), V (B, n_k, d_v),
            ids (B, n_k) whole numbers and pad, the number of the padding;
            returns (B, n_q, d_v). Lists and tensors are accepted.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, equation 1, with a mask. Chapter 8.
    """
    return judge(EXERCISE, function)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    q, *_, pad = case.args
    facts = {"d_k": q.shape[-1], "pad": pad}
    if got.shape == want.shape:
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            facts["came"], facts["wanted"] = apart(got[place], want[place])
    return facts


def _inside(probe: Probe) -> str | None:
    """An average lies between the smallest and largest real value."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    _, _, v, ids, pad = probe.args
    real = (ids != pad)[..., None]
    low = np.where(real, v, np.inf).min(axis=1, keepdims=True)
    high = np.where(real, v, -np.inf).max(axis=1, keepdims=True)
    out = ((got.array < low - 1e-4) | (got.array > high + 1e-4)) & (low <= high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: an average of the words' values stays "
        f"between the smallest and the largest. Your "
        f"{number(got.array[place])} at {list(place)} does not. Do the "
        "weights of the real words sum to 1?"
    )


def _other_padding(args: tuple) -> tuple:
    """Other keys and values behind the padding."""
    q, k, v, ids, pad = args
    there = (ids == pad)[..., None]
    return q, np.where(there, k + 1.0, k), np.where(there, v - 2.0, v), ids, pad


EXERCISE = Exercise(
    name="pad_attention",
    inputs=("Q", "K", "V", "ids", "pad"),
    asked="`pad_attention(Q, K, V, ids, pad)` returns softmax(Q K^T / "
    "sqrt(d_k)) V for each sentence of a batch, in which no query looks at a "
    "key whose token in ids is pad. A query with nothing to look at takes "
    "home zeros.",
    praise="Your results agree with the reference, whatever number the "
    "padding has, on which side it stands and what is written in it, and "
    "also for a sentence that is nothing else.",
    cases=CASES,
    solve=attended,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            _other_padding,
            lambda got, args: got,
            "The first thing that breaks: when other numbers stand behind "
            "the padding, no result may change, and yours do.",
        ),
    ),
    hints=(
        "Ask the tokens first: which of them are words? That is a table of "
        "the shape of ids, (B, n_k). Scores have one axis more; where must "
        "the new axis stand, so that the table speaks about keys?",
        "The new axis stands in the middle: (B, 1, n_k). Hide the scores "
        "before the softmax. Last of all, look for queries that may look at "
        "nothing.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"Q, K, V of shapes {args[0].shape}, {args[1].shape}, "
        f"{args[2].shape};\nids = {args[3].tolist()}, pad = {args[4]}"
    ),
)
