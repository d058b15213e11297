"""The exercise `causal_weights(scores)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.causal_weights_cases import CASES, shared_out
from transformer_lib.course.checks.causal_weights_mistakes import MISTAKES
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
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

__all__ = ["EXERCISE", "causal_weights"]


def causal_weights(function: Any) -> Verdict:
    """Check a function `causal_weights(scores)`.

    Row i of the answer is the softmax of row i of the scores over the keys
    1 to i; all later keys get exactly 0. Axes before the last two are
    leading axes.

    Args:
        function: takes scores (..., n, n), already scaled, and returns
            weights of the same shape. Lists and tensors are accepted.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.3. Chapter 8.
    """
    return judge(EXERCISE, function)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    facts = {"n": case.args[0].shape[-1], "row_1": "something else"}
    if got.shape != want.shape:
        return facts
    rows = got.reshape(-1, *got.shape[-2:])[0]
    with np.errstate(all="ignore"):
        facts["row_1"] = number(rows[0].sum())
        facts["future"] = number(rows[0, 1:].sum())
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        facts["came"], facts["wanted"] = apart(got[place], want[place])
    return facts


def _zeros_above(probe: Probe) -> str | None:
    """No weight goes to a later word."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    later = np.triu(got.array, 1)
    if not (abs(later) > 1e-6).any():
        return None
    place = tuple(int(i) for i in np.argwhere(abs(later) > 1e-6)[0])
    return (
        "The first thing that breaks: word "
        f"{place[-2] + 1} gives {number(got.array[place])} of its weight to "
        f"word {place[-1] + 1}, which comes later. Above the diagonal stands "
        "0 everywhere."
    )


def _rows_of_one(probe: Probe) -> str | None:
    """Each row sums to 1."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    sums = got.array.sum(axis=-1)
    off = np.argwhere(abs(sums - 1) > 1e-4)
    if not len(off):
        return None
    place = tuple(int(i) for i in off[0])
    return (
        f"The first thing that breaks: row {place[-1] + 1} sums to "
        f"{number(sums[place])}. The weights of each word sum to 1."
    )


EXERCISE = Exercise(
    name="causal_weights",
    inputs=("scores",),
    asked="`causal_weights(scores)` returns the attention weights of a "
    "causal layer: in row i the softmax over the keys up to i, and 0 for all "
    "later keys. The scores come in scaled. Axes before the last two are "
    "left alone.",
    praise="Your weights agree with the reference, also for a batch with "
    "heads, for a future that shouts and for scores of minus two billion.",
    cases=CASES,
    solve=shared_out,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _zeros_above,
        between_zero_and_one,
        _rows_of_one,
        unmoved_by(
            lambda args: (args[0] + np.triu(np.ones(args[0].shape), 1),),
            lambda got, args: got,
            "The first thing that breaks: when only scores of later words "
            "change, no weight may change, and yours do.",
        ),
    ),
    hints=(
        "Two steps. First make a table of the same size that says for each "
        "query and key whether the key may be seen, and read its first row "
        "aloud. Then hide, then share.",
        "NumPy can make a triangle of ones and zeros, and it can choose "
        "between two values by a mask; the chapter has used both. The hidden "
        "value is one whose vote is exactly 0.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        show(args[0], "scores = ")
        if args[0].ndim == 2
        else f"scores of shape {args[0].shape}"
    ),
)
