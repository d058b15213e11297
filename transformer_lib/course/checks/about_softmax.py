"""The exercise `softmax(x, axis)` and the wrong answers it knows."""

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
from transformer_lib.course.checks.softmax_mistakes import MISTAKES

__all__ = ["EXERCISE", "shares", "softmax"]


def softmax(function: Any) -> Verdict:
    """Check a function `softmax(x, axis)`: exp(x) / sum(exp(x)) along axis.

    Args:
        function: takes x, an array with one or two axes, and axis (-1, 0 or
            1), and returns the shares, an array of the shape of x. Lists and
            tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Bridle, 1990 (the name). Chapter 2.
    """
    return judge(EXERCISE, function)


def shares(
    x: np.ndarray,
    axis: int,
    *,
    score: str = "as it is",
    over: str = "asked",
    rise: str = "e",
    divide: str = "sum",
    then: str = "nothing",
) -> Any:
    """softmax, or one of its wrong variants; the defaults are right."""
    x = np.asarray(x, dtype=np.float64)
    along = _axis(x, axis, over)
    z = _SCORE[score](x, along)
    if rise == "e" and divide == "sum":  # changes no share, avoids overflow
        z = z - _top(z, along)
    risen = _RISE[rise](z)
    return _THEN[then](_DIVIDE[divide](risen, z, along), x, along)


def _axis(x: np.ndarray, axis: int, over: str) -> int | None:
    """The axis to sum over; None means all entries at once."""
    asked = axis % x.ndim
    other = x.ndim - 1 - asked
    return {
        "asked": asked,
        "other": other,
        "all": None,
        "last": x.ndim - 1,
        "first": 0,
    }[over]


def _sum(a: np.ndarray, along: int | None) -> np.ndarray:
    return a.sum(axis=along, keepdims=True)


def _standardized(x: np.ndarray, along: int | None) -> np.ndarray:
    mean = x.mean(axis=along, keepdims=True)
    return (x - mean) / x.std(axis=along, keepdims=True)


def _min_max(x: np.ndarray, along: int | None) -> np.ndarray:
    low = x.min(axis=along, keepdims=True)
    return (x - low) / (x.max(axis=along, keepdims=True) - low)


def _winners(x: np.ndarray, along: int | None) -> np.ndarray:
    return (x == x.max(axis=along, keepdims=True)).astype(np.float64)


def _hard(x: np.ndarray, along: int | None) -> np.ndarray:
    top = _winners(x, along)
    return top / _sum(top, along)


def _first_winner(x: np.ndarray, along: int | None) -> np.ndarray:
    top = _winners(x, along)
    return top * (np.cumsum(top, axis=along).reshape(x.shape) == 1)


def _again(a: np.ndarray, along: int | None) -> np.ndarray:
    return np.exp(a) / _sum(np.exp(a), along)


def _top(z: np.ndarray, along: int | None) -> np.ndarray:
    return z.max(axis=along, keepdims=True)


_SCORE = {
    "as it is": lambda x, a: x,
    "negative": lambda x, a: -x,
    "standardized": _standardized,
    "min to max": _min_max,
    "divided by sum": lambda x, a: x / _sum(x, a),
    "minus max, axis lost": lambda x, a: x - x.max(axis=a),
    "over root": lambda x, a: x / np.sqrt(x.shape[-1]),
}
_RISE = {
    "e": np.exp,
    "nothing": lambda z: z,
    "two": np.exp2,
    "ten": lambda z: 10.0**z,
    "square": np.square,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
}
_DIVIDE = {
    "sum": lambda r, z, a: r / _sum(r, a),
    "nothing": lambda r, z, a: r,
    "max": lambda r, z, a: r / _top(r, a),
    "length": lambda r, z, a: r / np.sqrt(_sum(r**2, a)),
    "count": lambda r, z, a: r / (r.size if a is None else r.shape[a]),
    "scores": lambda r, z, a: r / _sum(z, a),
    "exp of sum": lambda r, z, a: r / np.exp(_sum(z, a)),
    "axis lost": lambda r, z, a: r / r.sum(axis=a),
    "unshifted sum": lambda r, z, a: r / np.exp(_top(z, a)) / _sum(r, a),
}
_THEN = {
    "nothing": lambda s, x, a: s,
    "log": lambda s, x, a: np.log(s),
    "sorted": lambda s, x, a: np.sort(s, axis=a),
    "rounded": lambda s, x, a: np.round(s, 2),
    "rounded a little": lambda s, x, a: np.round(s, 3),
    "rounded to tenths": lambda s, x, a: np.round(s, 1),
    "hard": lambda s, x, a: _hard(x, a),
    "all winners": lambda s, x, a: _winners(x, a),
    "first winner": lambda s, x, a: _first_winner(x, a),
    "argmax": lambda s, x, a: x.argmax(axis=a),
    "again": lambda s, x, a: _again(s, a),
    "one minus": lambda s, x, a: 1 - s,
    "turned": lambda s, x, a: s.T,
    "percent": lambda s, x, a: 100 * s,
}


def _random(seed: int, *size: int) -> np.ndarray:
    """Scores from -2 to 3 with one decimal: easy to read in a message."""
    draw = np.random.default_rng(seed)
    return draw.integers(-20, 31, size=size) / 10


_CASES = (
    Case("small", (np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 1.5]]), -1)),
    Case("columns", (_random(1, 3, 4), 0)),
    Case("vector", (_random(2, 5), 0)),
    Case("square", (_random(3, 3, 3), -1)),
    Case("rows", (_random(4, 4, 2), 1)),
    Case("large", (np.array([1000.0, 1001.0, 1002.0]), -1), basic=False),
    Case("very negative", (np.array([-1000.0, -1002.0]), -1), basic=False),
    Case("wide", (np.array([0.0, 0.0, 3000.0]), -1), basic=False),
    Case(
        "far rows",
        (np.array([[0.0, 1.0, 2.0], [1000.0, 1001.0, 1002.0]]), -1),
        basic=False,
    ),
    Case("whole numbers", (np.array([[1, 2, 3], [3, 0, 1]]), -1), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the first line's sum, the largest, ..."""
    x, axis = case.args
    facts = {
        "line": "row" if axis % x.ndim == x.ndim - 1 else "column",
        "total": number(got.sum()),
        "top": number(got.max()),
        "low": number(got.min()),
    }
    if got.shape != want.shape:
        return facts
    sums = got.sum(axis=axis).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    facts |= {"sum": number(sums[worst])}
    which = f"{facts['line']} {worst}" if x.ndim == 2 else "the answer"
    facts |= {"which": which, "Which": which[0].upper() + which[1:]}
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        place = tuple(wrong[0])
        came, wanted = apart(got[place], want[place])
        facts |= {"came": came, "wanted": wanted}
    if x.ndim == 2:
        crossing = got.sum(axis=1 - axis % 2)
        facts |= {"crossing": number(crossing[0])}
        facts["cross"] = "column" if facts["line"] == "row" else "row"
    return facts


def _roll(args: tuple) -> tuple:
    x, axis = args
    return np.roll(x, 1, axis=axis), axis


def _one_sum(probe: Probe) -> str | None:
    """Along the axis the shares sum to one."""
    if probe.got.kind != ARRAY or probe.got.array.shape != probe.args[0].shape:
        return None
    x, axis = probe.args
    sums = np.atleast_1d(probe.got.array.sum(axis=axis))
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) < 100 * probe.got.tolerance:
        return None
    line = "row" if axis % x.ndim == x.ndim - 1 else "column"
    which = f"{line} {worst}" if x.ndim == 2 else "this row"
    return (
        f"The first thing that breaks: {which} sums to "
        f"{number(sums[worst])}, and shares of one whole sum to 1."
    )


EXERCISE = Exercise(
    name="softmax",
    inputs=("x", "axis"),
    asked="`softmax(x, axis)` turns scores into shares: e to the power of "
    "each score, divided by the sum of these along `axis`. The result has "
    "the shape of x, and it also holds for scores such as 1000.",
    praise="Your shares agree with the reference for rows, columns, single "
    "vectors and whole numbers, and scores of 1000 do not break them.",
    cases=_CASES,
    solve=shares,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _one_sum,
        unmoved_by(
            lambda args: (args[0] + 1.0, args[1]),
            lambda got, args: got,
            "The first thing that breaks: adding 1 to every score must not "
            "change any share, and yours change.",
        ),
        unmoved_by(
            _roll,
            lambda got, args: np.roll(got, 1, axis=args[1]),
            "The first thing that breaks: when the scores change places, the "
            "shares must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Work out the scores 0, 1, 2 on paper: three votes (1, 2.718 and "
        "7.389), their sum, three shares. Your code does these three steps.",
        "Two things cost most people time. A sum along an axis must keep "
        "that axis, so that the division lines up (look up `keepdims`). And "
        "a constant taken off all scores of a row changes no share, which "
        "keeps large scores harmless.",
    ),
    facts=_facts,
    show_inputs=lambda args: f"{show(args[0], 'x = ')}\naxis = {args[1]}",
)
