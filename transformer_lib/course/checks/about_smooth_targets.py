"""The exercise `smooth_targets(y, K, eps)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

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
from transformer_lib.course.checks.smooth_targets_mistakes import MISTAKES

__all__ = ["EXERCISE", "smooth_targets", "smoothed"]


def smooth_targets(function: Any) -> Verdict:
    """Check a function `smooth_targets(y, K, eps)`.

    Each class gets eps / K, and the right one gets 1 - eps more.

    Args:
        function: takes y, n whole numbers from 0 to K - 1 (the right
            classes), the number of classes K and eps, 0 <= eps < 1; returns
            n rows of K shares. Lists and tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Szegedy et al. 2016, section 7. Chapter 12.
    """
    return judge(EXERCISE, function)


def smoothed(
    y: Any,
    K: int,
    eps: float,
    *,
    fill: str = "all",
    right: str = "y",
    rate: str = "eps",
    layout: str = "rows",
) -> Any:
    """The smoothed targets, or a wrong variant; the defaults are right."""
    y = np.asarray(y)
    others, answer = _FILL[fill](_RATE[rate](eps), K)
    shares = np.full((len(y), K), others, dtype=np.float64)
    place = _RIGHT[right](y, K)
    for row, k in enumerate(place):
        if 0 <= k < K:
            shares[row, k] = answer
    if right == "all answers":
        shares[:, y] = answer
    if fill == "wrong words":
        shares[np.arange(len(y)), 0] = 0.0
    if fill == "answer overwritten":
        shares[:] = others
    return _LAYOUT[layout](shares, y)


def _softmax(shares: np.ndarray) -> np.ndarray:
    votes = np.exp(shares)
    return votes / votes.sum(axis=1, keepdims=True)


# What every other class gets, and what the right one gets.
_FILL = {
    "all": lambda e, K: (e / K, 1 - e + e / K),
    "wrong classes": lambda e, K: (e / (K - 1), 1 - e),
    "wrong words": lambda e, K: (e / (K - 2), 1 - e),
    "right without share": lambda e, K: (e / K, 1 - e),
    "eps each": lambda e, K: (e, 1 - e),
    "eps each, right on top": lambda e, K: (e, 1.0),
    "card": lambda e, K: (0.1, 0.9),
    "one side": lambda e, K: (0.0, 1 - e),
    "right stays 1": lambda e, K: (e / K, 1.0),
    "right stays 1, wrong share": lambda e, K: (e / (K - 1), 1.0),
    "added on top": lambda e, K: (e / K, 1 + e / K),
    "nothing": lambda e, K: (0.0, 1.0),
    "exchanged": lambda e, K: ((1 - e) / K, e + (1 - e) / K),
    "share taken once": lambda e, K: (e / K, 1 - e / K),
    "wrong share for all": lambda e, K: (e / (K - 1), 1 - e + e / (K - 1)),
    "one class more": lambda e, K: (e / (K + 1), 1 - e + e / (K + 1)),
    "answer overwritten": lambda e, K: (e / K, e / K),
    "uniform": lambda e, K: (1 / K, 1 / K),
    "all divided": lambda e, K: (e / K, 1 / K),
    "scaled down": lambda e, K: (
        e / (1 - e + e * (K - 1)),
        (1 - e) / (1 - e + e * (K - 1)),
    ),
    "eps times K": lambda e, K: (e * K, 1 - e + e * K),
    "minus": lambda e, K: (-e / K, 1 - e / K),
}
_RIGHT = {
    "y": lambda y, K: y,
    "counted from 1": lambda y, K: y - 1,
    "one too far": lambda y, K: y + 1,
    "from the end": lambda y, K: K - 1 - y,
    "row number": lambda y, K: np.arange(len(y)),
    "always the first": lambda y, K: np.zeros(len(y), dtype=int),
    "first answer": lambda y, K: np.full(len(y), y[0]),
    "all answers": lambda y, K: y,
    "first row": lambda y, K: np.where(np.arange(len(y)) == 0, y, -1),
}
_RATE = {
    "eps": lambda e: e,
    "own 0.1": lambda e: 0.1,
    "percent": lambda e: e / 100,
    "half": lambda e: e / 2,
    "squared": lambda e: e * e,
}
_LAYOUT = {
    "rows": lambda s, y: s,
    "columns": lambda s, y: s.T,
    "one row": lambda s, y: s.sum(axis=0),
    "mean row": lambda s, y: s.mean(axis=0),
    "first row": lambda s, y: s[0],
    "flat": lambda s, y: s.ravel(),
    "right entries": lambda s, y: s[np.arange(len(y)), y],
    "classes": lambda s, y: s.argmax(axis=1),
    "softmax": lambda s, y: _softmax(s),
    "logarithm": lambda s, y: np.log(s),
    "whole": lambda s, y: np.trunc(s),
    "rounded": lambda s, y: s.round(2),
    "rounded a little": lambda s, y: s.round(3),
}

_CASES = (
    Case("three", (np.array([0, 2, 1, 2]), 3, 0.3)),
    Case("five", (np.array([3, 1]), 5, 0.1)),
    Case("many", (np.array([6, 1, 2, 3, 3, 4]), 7, 0.2)),
    Case("square", (np.array([3, 1, 2, 3]), 4, 0.25)),
    Case("eps 0", (np.array([2, 1, 3]), 4, 0.0)),
    Case("one answer", (np.array([4]), 6, 0.5)),
    Case("two classes", (np.array([1, 0, 1]), 2, 0.1), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    y, K, eps = case.args
    facts = {"K": K, "eps": f"{eps:g}", "n": len(y), "shape": got.shape}
    facts["others"], facts["card"] = number(eps / K), number(1 - eps)
    facts["over"] = number(0.9 + 0.1 * (K - 1))
    if got.shape == want.shape:
        facts["sum"] = number(got[0].sum())
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            facts["came"], facts["wanted"] = apart(got[place], want[place])
    return facts


def _sums(probe: Probe) -> str | None:
    """Each row is one whole, shared out."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    sums = got.array.sum(axis=1)
    worst = int(np.argmax(abs(sums - 1)))
    if abs(sums[worst] - 1) < 1e-4:
        return None
    return (
        "The first thing that breaks: a row is one whole, shared out, and "
        f"row {worst} of yours sums to {number(sums[worst])}."
    )


def _turned(args: tuple) -> tuple:
    y, K, eps = args
    return y[::-1].copy(), K, eps


EXERCISE = Exercise(
    name="smooth_targets",
    inputs=("y", "K", "eps"),
    asked="`smooth_targets(y, K, eps)` returns a row of K shares for each "
    "right class in y: every class gets eps / K, and the right one gets "
    "1 - eps more.",
    praise="Your rows agree with the reference for every K and eps, and each "
    "sums to 1.",
    cases=_CASES,
    solve=smoothed,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _sums,
        unmoved_by(
            _turned,
            lambda got, args: got[::-1],
            "The first thing that breaks: when the answers stand in reverse "
            "order, the rows must too, and yours do not.",
        ),
    ),
    hints=(
        "Begin on paper with three classes, eps 0.3 and class 0 right: 0.8, "
        "0.1 and 0.1. Where does each of these numbers come from?",
        "Two steps. First a table with a row for each answer and a column "
        "for each class, filled with one and the same number. Then one entry "
        "of each row is raised.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"{show(args[0], 'y = ')}, K = {args[1]}, eps = {args[2]:g}"
    ),
)
