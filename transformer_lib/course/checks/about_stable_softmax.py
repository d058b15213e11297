"""The exercise `stable_softmax(x)` and the wrong answers it knows."""

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
from transformer_lib.course.checks.stable_softmax_mistakes import MISTAKES

__all__ = ["EXERCISE", "stable_shares", "stable_softmax"]


def stable_softmax(function: Any) -> Verdict:
    """Check a function `stable_softmax(x)`: shares along the last axis.

    share_j = exp(x_j - max x) / sum_k exp(x_k - max x), the maximum and the
    sum taken along the last axis. Scores of any size give finite shares.

    Args:
        function: takes x, an array with one, two or three axes, and returns
            the shares, an array of the shape of x. Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Milakov and Gimelshein, 2018, section 2. Chapter 4.
    """
    return judge(EXERCISE, function)


def stable_shares(
    x: np.ndarray,
    *,
    score: str = "as it is",
    rise: str = "e",
    divide: str = "sum",
    over: str = "last",
    then: str = "nothing",
) -> Any:
    """Softmax that cannot overflow, or a wrong variant of it."""
    x = np.asarray(x, dtype=np.float64)
    z, axis = _SCORE[score](x), _OVER[over]
    risen = _RISE[rise](z - z.max(axis=axis, keepdims=True))
    return _THEN[then](_DIVIDE[divide](risen, x, axis), x)


def _top(x: np.ndarray) -> np.ndarray:
    return x.max(axis=-1, keepdims=True)


def _low(x: np.ndarray) -> np.ndarray:
    return x.min(axis=-1, keepdims=True)


def _standardized(x: np.ndarray) -> np.ndarray:
    mean = x.mean(axis=-1, keepdims=True)
    return (x - mean) / x.std(axis=-1, keepdims=True)


_SCORE = {
    "as it is": lambda x: x,
    "minus column maximum": lambda x: x - x.max(axis=0, keepdims=True),
    "minus maximum, axis lost": lambda x: x - x.max(axis=-1),
    "largest minus": lambda x: _top(x) - x,
    "clipped at 1": lambda x: np.clip(x, -1, 1),
    "clipped at 2": lambda x: np.clip(x, -2, 2),
    "cut off above 0": lambda x: np.minimum(x, 0),
    "cut off above 1": lambda x: np.minimum(x, 1),
    "over largest": lambda x: x / _top(x),
    "over largest size": lambda x: x / abs(x).max(axis=-1, keepdims=True),
    "over 10": lambda x: x / 10,
    "over 100": lambda x: x / 100,
    "over 1000": lambda x: x / 1000,
    "over root": lambda x: x / np.sqrt(x.shape[-1]),
    "over count": lambda x: x / x.shape[-1],
    "from 0 to 1": lambda x: (x - _low(x)) / (_top(x) - _low(x)),
    "standardized": _standardized,
    "over spread": lambda x: x / x.std(axis=-1, keepdims=True),
}
_RISE = {
    "e": np.exp,
    "two": np.exp2,
    "nothing": lambda z: z,
    "e, then minus the largest": lambda z: np.exp(z) - _top(np.exp(z)),
}
_OVER = {"last": -1, "first": 0, "second": 1, "all": None}


def _sum(a: np.ndarray, axis: int | None) -> np.ndarray:
    return a.sum(axis=axis, keepdims=True)


def _lost_twice(x: np.ndarray) -> np.ndarray:
    risen = np.exp(x - x.max(axis=-1))
    return risen / risen.sum(axis=-1)


_DIVIDE = {
    "sum": lambda r, x, a: r / _sum(r, a),
    "nothing": lambda r, x, a: r,
    "largest": lambda r, x, a: r / _top(r),
    "count": lambda r, x, a: r / r.shape[-1],
    "axis lost": lambda r, x, a: r / r.sum(axis=-1),
    "axis lost twice": lambda r, x, a: _lost_twice(x),
    "unshifted sum": lambda r, x, a: r / _sum(np.exp(x), a),
    "unshifted on top": lambda r, x, a: np.exp(x) / _sum(r, a),
}
_THEN = {
    "nothing": lambda s, x: s,
    "log": lambda s, x: np.log(s),
    "hard": lambda s, x: (x == _top(x)) * 1.0 / _sum((x == _top(x)) * 1.0, -1),
    "again": lambda s, x: np.exp(s) / _sum(np.exp(s), -1),
    "rounded": lambda s, x: np.round(s, 2),
    "rounded a little": lambda s, x: np.round(s, 3),
    "turned": lambda s, x: s.T,
}


def _random(seed: int, *size: int) -> np.ndarray:
    """Scores from -2 to 3 with one decimal: easy to read in a message."""
    draw = np.random.default_rng(seed)
    return draw.integers(-20, 31, size=size) / 10


def _probe(name: str, *rows: Any) -> Case:
    """A case beyond the usual size of scores."""
    array = np.array(rows if len(rows) > 1 else rows[0])
    return Case(name, (array,), basic=False)


_CASES = (
    Case("small", (np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 1.5]]),)),
    Case("vector", (_random(41, 5),)),
    Case("square", (_random(42, 3, 3),)),
    Case("stack", (_random(43, 2, 3, 4),)),
    _probe("hundred", [100.0, 101.0, 102.0]),
    _probe("four hundred", [400.0, 401.0, 402.0]),
    _probe("thousand", [1000.0, 1001.0, 1002.0]),
    _probe("very negative", [-1000.0, -1001.0, -1002.0]),
    _probe("one high", [0.0, 0.0, 900.0]),
    _probe("two high", [900.0, 900.0, 0.0]),
    _probe("far apart", [0.0, 0.0, 3000.0]),
    _probe("far rows", [0.0, 1.0, 2.0], [1000.0, 1001.0, 1002.0]),
    _probe("whole numbers", [1, 2, 3], [3, 0, 1]),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: a row's sum, the first wrong share, ..."""
    facts = {"total": number(got.sum()), "top": number(got.max())}
    if got.shape != want.shape:
        return facts
    sums = got.sum(axis=-1).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    which = f"row {worst}" if got.ndim == 2 else "a row"
    facts |= {"sum": number(sums[worst]), "which": which}
    facts["Which"] = which.capitalize()
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        place = tuple(wrong[0])
        facts["came"], facts["wanted"] = apart(got[place], want[place])
    return facts


def _one_sum(probe: Probe) -> str | None:
    """Along the last axis the shares sum to one."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.args[0].shape:
        return None
    sums = np.atleast_1d(got.array.sum(axis=-1)).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) < 100 * got.tolerance:
        return None
    return (
        f"The first thing that breaks: a row sums to {number(sums[worst])}, "
        "and shares of one whole sum to 1."
    )


EXERCISE = Exercise(
    name="stable_softmax",
    inputs=("x",),
    asked="`stable_softmax(x)` turns scores into shares along the last axis "
    "of x, whatever the size of the scores and however many axes x has. The "
    "result has the shape of x and holds neither inf nor nan.",
    praise="Your shares agree with the reference for vectors, tables and "
    "stacks of tables, and no score is too large or too small for them.",
    cases=_CASES,
    solve=stable_shares,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _one_sum,
        unmoved_by(
            lambda args: (args[0] + 1.0,),
            lambda got, args: got,
            "The first thing that breaks: adding 1 to every score must not "
            "change any share, and yours change.",
        ),
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=-1),),
            lambda got, args: np.roll(got, 1, axis=-1),
            "The first thing that breaks: when the scores change places, the "
            "shares must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Softmax as in chapter 2, with one step before it. Which number may "
        "you take off all scores of a row without changing a share, and "
        "which choice makes sure that no exponential exceeds 1?",
        "Both the maximum and the sum run along the last axis, counted from "
        "the end, and both must keep that axis (look up `keepdims`), so that "
        "each row meets its own two numbers. Then the number of axes does "
        "not matter.",
    ),
    facts=_facts,
    show_inputs=lambda args: show(args[0], "x = "),
)
