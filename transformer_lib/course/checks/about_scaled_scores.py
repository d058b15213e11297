"""The exercise `scaled_scores(Q, K)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    same,
    show,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.scaled_scores_mistakes import MISTAKES

__all__ = ["EXERCISE", "scaled_scores", "scores_of"]


def scaled_scores(function: Any) -> Verdict:
    """Check a function `scaled_scores(Q, K)`: Q K^T / sqrt(d_k).

    Args:
        function: takes Q of shape (..., n_q, d_k) and K of shape
            (..., n_k, d_k), one row a query or a key, and returns the scores,
            shape (..., n_q, n_k). Lists and tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.1, equation 1. Chapter 4.
    """
    return judge(EXERCISE, function)


def scores_of(
    queries: np.ndarray,
    keys: np.ndarray,
    *,
    score: str = "dot product",
    scale: str = "root of d_k",
    then: str = "nothing",
) -> Any:
    """Scaled dot products, or a wrong variant; the defaults are right."""
    q = np.asarray(queries, dtype=np.float64)
    k = np.asarray(keys, dtype=np.float64)
    if scale == "first column":
        q = q.copy()
        q[..., 0] /= np.sqrt(q.shape[-1])
    scores = _SCORE[score](q, k)
    return _THEN[then](_SCALE[scale](scores, q, k))


def _turned(a: np.ndarray) -> np.ndarray:
    return np.swapaxes(a, -1, -2)


def _dots(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return q @ _turned(k)


def _unit(a: np.ndarray) -> np.ndarray:
    return a / np.linalg.norm(a, axis=-1, keepdims=True)


def _distance(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    difference = q[..., :, None, :] - k[..., None, :, :]
    return -(difference**2).sum(axis=-1)


def _softmax(s: np.ndarray) -> np.ndarray:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _root(s: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.sqrt(s)


_SCORE = {
    "dot product": _dots,
    "cosine": lambda q, k: _dots(_unit(q), _unit(k)),
    "unit queries": lambda q, k: _dots(_unit(q), k),
    "unit keys": lambda q, k: _dots(q, _unit(k)),
    "keys ask": lambda q, k: _dots(k, q),
    "entry by entry": lambda q, k: q * k,
    "not turned": lambda q, k: q @ k,
    "features": lambda q, k: _turned(q) @ k,
    "distance": _distance,
    "same row": lambda q, k: (q * k).sum(axis=-1),
}
_SCALE = {
    "root of d_k": lambda s, q, k: s / np.sqrt(q.shape[-1]),
    "none": lambda s, q, k: s,
    "first column": lambda s, q, k: s,
    "d_k": lambda s, q, k: s / q.shape[-1],
    "square of d_k": lambda s, q, k: s / q.shape[-1] ** 2,
    "fourth root": lambda s, q, k: s / q.shape[-1] ** 0.25,
    "logarithm": lambda s, q, k: s / np.log(q.shape[-1]),
    "root of n_k": lambda s, q, k: s / np.sqrt(k.shape[-2]),
    "root of n_q": lambda s, q, k: s / np.sqrt(q.shape[-2]),
    "root of size": lambda s, q, k: s / np.sqrt(k.shape[-2] * k.shape[-1]),
    "times": lambda s, q, k: s * np.sqrt(q.shape[-1]),
    "half of d_k": lambda s, q, k: s / (q.shape[-1] / 2),
    "root of the fraction": lambda s, q, k: _root(s / q.shape[-1]),
    "root of the score": lambda s, q, k: _root(s),
    "two": lambda s, q, k: s / 2,
    "eight": lambda s, q, k: s / 8,
    "root of 512": lambda s, q, k: s / np.sqrt(512),
    "own spread": lambda s, q, k: s / s.std(),
    "own row spread": lambda s, q, k: s / s.std(axis=-1, keepdims=True),
    "own largest": lambda s, q, k: s / abs(s).max(),
    "whole part": lambda s, q, k: s // np.sqrt(q.shape[-1]),
}
_THEN = {
    "nothing": lambda s: s,
    "softmax": _softmax,
    "exponential": np.exp,
    "minus the largest": lambda s: s - s.max(axis=-1, keepdims=True),
    "rounded": lambda s: np.round(s, 2),
    "rounded a little": lambda s: np.round(s, 3),
    "minus": lambda s: -s,
}


def _random(seed: int, *size: int) -> np.ndarray:
    """Entries from -2 to 2 with one decimal: easy to read in a message."""
    draw = np.random.default_rng(seed)
    return draw.integers(-20, 21, size=size) / 10


def _pair(name: str, seed: int, n_q: int, n_k: int, d_k: int) -> Case:
    return Case(name, (_random(seed, n_q, d_k), _random(seed + 1, n_k, d_k)))


_SMALL = (
    np.array([[1.0, 2.0, 0.0, -1.0], [0.0, 1.0, 1.0, 2.0]]),
    np.array(
        [[2.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0], [0.0, 3.0, 0.0, 1.0]]
    ),
)
_CASES = (
    Case("small", _SMALL),
    _pair("three queries", 44, 3, 2, 5),
    _pair("square", 46, 3, 3, 3),
    _pair("wide", 48, 2, 4, 9),
    Case("whole numbers", tuple(a.astype(int) for a in _SMALL), basic=False),
    Case(
        "two sentences",
        (_random(50, 2, 2, 3), _random(51, 2, 4, 3)),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    queries, keys = case.args
    d_k = queries.shape[-1]
    facts = {
        "d_k": d_k,
        "n_q": queries.shape[-2],
        "n_k": keys.shape[-2],
        "root": number(np.sqrt(d_k)),
        "shape": got.shape,
        "wanted_shape": want.shape,
    }
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        place = tuple(wrong[0])
        facts["came"], facts["wanted"] = apart(got[place], want[place])
    return facts


def _linear(probe: Probe) -> str | None:
    """Doubling the queries doubles the scores."""
    if probe.got.kind != ARRAY or probe.got.array.shape != (
        probe.want.array.shape
    ):
        return None
    queries, keys = probe.args
    doubled = probe.call((2.0 * queries, keys))
    if doubled.kind == ARRAY and same(
        doubled.array, 2 * probe.got.array, 100 * probe.got.tolerance
    ):
        return None
    return (
        "The first thing that breaks: when all queries are doubled, all "
        "scores must double, and yours do not. A score is a dot product "
        "divided by a number that depends on d_k alone."
    )


EXERCISE = Exercise(
    name="scaled_scores",
    inputs=("Q", "K"),
    asked="`scaled_scores(Q, K)` returns the dot product of every query with "
    "every key, divided by the root of d_k: shape (n_q, n_k), also for a "
    "stack of sentences. No softmax yet.",
    praise="Your scores agree with the reference for several shapes, for "
    "whole numbers and for a stack of sentences.",
    cases=_CASES,
    solve=scores_of,
    catalogue=MISTAKES,
    properties=(shape, finite, _linear),
    hints=(
        "Two steps, one line each. The first is the table of dot products "
        "that you know from chapter 3. For the second, ask how many products "
        "are added up in one of them.",
        "The number of products is the length of one row, the last entry of "
        "`Q.shape`. For a stack of sentences only the last two axes of K "
        "change places; look up `swapaxes`, or `.mT`.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"{show(args[0], 'Q = ')}\n{show(args[1], 'K = ')}"
    ),
)
