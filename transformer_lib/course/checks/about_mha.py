"""The exercise `mha(x, WQ, WK, WV, WO, h)` and the wrong answers it knows."""

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
from transformer_lib.course.checks.engine.reading import ARRAY, apart, same
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.mha_cases import CASES, attended_in_heads
from transformer_lib.course.checks.mha_mistakes import MISTAKES

__all__ = ["EXERCISE", "mha"]


def mha(function: Any) -> Verdict:
    """Check a function `mha(x, WQ, WK, WV, WO, h)`.

    Multi-head self-attention: head g owns the g-th block of columns of WQ,
    WK and WV; each head attends on its own, scaled by the root of its own
    width; the results stand side by side and are multiplied by WO.

    Args:
        function: takes x (B, T, d), WQ and WK (d, h d_k), WV (d, h d_v), WO
            (h d_v, d) and the number of heads h; returns (B, T, d). Lists
            and tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.2. Chapter 7.
    """
    return judge(EXERCISE, function)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    x, wq, _, wv, wo, h = case.args
    facts = {
        "h": h,
        "T": x.shape[1],
        "d": x.shape[-1],
        "d_k": wq.shape[1] // h,
        "d_v": wv.shape[1] // h,
        "shape": got.shape,
        "joined": wo.shape[0],
    }
    if got.shape == want.shape:
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            facts["came"], facts["wanted"] = apart(got[place], want[place])
    return facts


def _sentences_apart(probe: Probe) -> str | None:
    """A sentence gets the same result alone and in company."""
    x = probe.args[0]
    if probe.got.kind != ARRAY or probe.got.array.shape != x.shape:
        return None
    if len(x) < 2:
        return None
    alone = probe.call((x[:1], *probe.args[1:]))
    if alone.kind != ARRAY or alone.array.shape != x[:1].shape:
        return None
    if same(alone.array, probe.got.array[:1], 100 * probe.got.tolerance):
        return None
    return (
        "The first thing that breaks: the first sentence gets another result "
        "when it comes alone. Sentences of a batch must not look at each "
        "other."
    )


def _show_inputs(args: tuple) -> str:
    """The shapes: six inputs are too many to print in full."""
    names = ("x", "WQ", "WK", "WV", "WO")
    shapes = (
        f"{name} {array.shape}"
        for name, array in zip(names, args[:5], strict=True)
    )
    return ", ".join(shapes) + f", h = {args[5]}"


EXERCISE = Exercise(
    name="mha",
    inputs=("x", "WQ", "WK", "WV", "WO", "h"),
    asked="`mha(x, WQ, WK, WV, WO, h)` returns multi-head self-attention of "
    "x, of shape (B, T, d). Head g owns the g-th block of columns of WQ, WK "
    "and WV; the results of the heads stand side by side, times WO.",
    praise="Your results agree with the reference: one, two, three and four "
    "heads, several sentences, keys and values of other widths. And they "
    "keep the law: shuffled tokens give shuffled results.",
    cases=CASES,
    solve=attended_in_heads,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _sentences_apart,
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=1), *args[1:]),
            lambda got, args: np.roll(got, 1, axis=1),
            "The first thing that breaks: when the tokens are shifted by one "
            "place, the results must be shifted by one place, and yours are "
            "not. A reshape may have mixed numbers of different tokens.",
        ),
    ),
    hints=(
        "Print the shape after every line. x times WQ is (B, T, h d_k). The "
        "attention wants (B, h, T, d_k), the way back gives (B, T, h d_v).",
        "Cutting the last axis into (h, d_k) moves no number. After that two "
        "axes change places, those of tokens and heads. The way back takes "
        "the same two steps in reverse order. Or write a loop over the heads "
        "that takes a block of columns each.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
)
