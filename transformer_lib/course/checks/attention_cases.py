"""Inputs of the exercise `attention(Q, K, V)`, its reference, wrong variants.

The last two axes are rows and entries; all axes before them are leading
axes, such as sentences and heads. The inputs with leading axes only probe a
refinement: first the formula, then the axes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same

__all__ = ["CASES", "attended", "is_right", "made_by"]


def attended(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    *,
    score: str = "dot product",
    scale: str = "root of d_k",
    look: str = "everywhere",
    share: str = "row softmax",
    out: str = "weighted sum",
) -> np.ndarray:
    """softmax(Q K^T / sqrt(d_k)) V, or a wrong variant; defaults are right."""
    q, k, v = (np.asarray(x, dtype=np.float64) for x in (Q, K, V))
    scores = _SCORE[score](q, k, v)
    if scale != "after the softmax":
        scores = scores * _SCALE[scale](q, k, v)
    weights = _SHARE[share](scores + _LOOK[look](*scores.shape[-2:]))
    if scale == "after the softmax":
        weights = weights / q.shape[-1] ** 0.5
    return _OUT[out](weights, scores, q, k, v)


def turned(x: np.ndarray) -> np.ndarray:
    """Turn each matrix on its side and leave the leading axes alone."""
    return np.swapaxes(x, -1, -2)


def softmax(a: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """Shares of each row, or along another axis."""
    risen = np.exp(a - a.max(axis=axis, keepdims=True))
    return risen / risen.sum(axis=axis, keepdims=True)


def _share(a: np.ndarray) -> np.ndarray:
    return a / a.sum(axis=-1, keepdims=True)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _winner(a: np.ndarray) -> np.ndarray:
    return _share((a == a.max(axis=-1, keepdims=True)).astype(np.float64))


def _far(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return -((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(axis=-1)


_SCORE = {
    "dot product": lambda q, k, v: q @ turned(k),
    "cosine": lambda q, k, v: _unit(q) @ turned(_unit(k)),
    "distance": lambda q, k, v: _far(q, k),
    "minus": lambda q, k, v: -q @ turned(k),
    "keys ask": lambda q, k, v: k @ turned(q),
    "not turned": lambda q, k, v: q @ k,
    "values": lambda q, k, v: q @ turned(v),
    "queries only": lambda q, k, v: q @ turned(q),
    "keys only": lambda q, k, v: k @ turned(k),
    "entry by entry": lambda q, k, v: q * k,
    "features": lambda q, k, v: turned(q) @ k,
}
_SCALE = {
    "root of d_k": lambda q, k, v: q.shape[-1] ** -0.5,
    "none": lambda q, k, v: 1.0,
    "d_k": lambda q, k, v: 1 / q.shape[-1],
    "root of d_v": lambda q, k, v: v.shape[-1] ** -0.5,
    "root of keys": lambda q, k, v: k.shape[-2] ** -0.5,
    "root of queries": lambda q, k, v: q.shape[-2] ** -0.5,
    "times": lambda q, k, v: q.shape[-1] ** 0.5,
    "always 2": lambda q, k, v: 1 / 2,
    "always 8": lambda q, k, v: 1 / 8,
    "half of d_k": lambda q, k, v: 2 / q.shape[-1],
    "twice d_k": lambda q, k, v: 0.5 / q.shape[-1],
}
_LOOK = {
    "everywhere": lambda n, m: 0.0,
    "back": lambda n, m: np.where(np.tri(n, m) > 0, 0.0, -np.inf),
}


def _votes_kept(a: np.ndarray) -> np.ndarray:
    """One list of votes for all queries: the first ones are used again."""
    votes = np.exp(a)
    return votes[..., :1, :] / votes.sum(axis=-1, keepdims=True).cumsum(axis=-2)


def _sum_not_kept(a: np.ndarray) -> np.ndarray:
    """Divided by the sums of the rows, which lie along the columns."""
    votes = np.exp(a)
    return votes / votes.sum(axis=-1)


_SHARE = {
    "row softmax": softmax,
    "column softmax": lambda a: softmax(a, -2),
    "one softmax": lambda a: softmax(a, None),
    "scores": lambda a: a,
    "divided scores": _share,
    "exponential": np.exp,
    "exponential from the top": lambda a: np.exp(
        a - a.max(axis=-1, keepdims=True)
    ),
    "base two": lambda a: softmax(a * np.log(2)),
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "winner": _winner,
    "equal": lambda a: np.full(a.shape, 1 / a.shape[-1]),
    "ones": np.ones_like,
    "twice": lambda a: softmax(softmax(a)),
    "votes kept": _votes_kept,
    "sum not kept": _sum_not_kept,
    "sum not kept, from the top": lambda a: _sum_not_kept(
        a - a.max(axis=-1, keepdims=True)
    ),
}
_OUT = {
    "weighted sum": lambda w, s, q, k, v: w @ v,
    "weights": lambda w, s, q, k, v: w,
    "scores": lambda w, s, q, k, v: s,
    "keys": lambda w, s, q, k, v: w @ k,
    "queries": lambda w, s, q, k, v: w @ q,
    "values turned": lambda w, s, q, k, v: w @ turned(v),
    "weights turned": lambda w, s, q, k, v: turned(w) @ v,
    "turned": lambda w, s, q, k, v: turned(w @ v),
    "entry by entry": lambda w, s, q, k, v: w * v,
    "features": lambda w, s, q, k, v: v @ w,
    "softmax last": lambda w, s, q, k, v: softmax(s @ v),
    "softmax of result": lambda w, s, q, k, v: softmax(w @ v),
    "not summed": lambda w, s, q, k, v: w[..., :, :, None] * v[..., None, :, :],
    "mean of products": lambda w, s, q, k, v: w @ v / k.shape[-2],
    "first": lambda w, s, q, k, v: (w @ v)[..., 0, :],
    "last": lambda w, s, q, k, v: (w @ v)[..., -1, :],
    "running": lambda w, s, q, k, v: (w @ v).cumsum(axis=-2),
    "everywhere the sum": lambda w, s, q, k, v: np.repeat(
        (w @ v).sum(axis=-2, keepdims=True), q.shape[-2], axis=-2
    ),
    "values first": lambda w, s, q, k, v: v @ w,
    "sum": lambda w, s, q, k, v: (w @ v).sum(axis=-2),
    "mean": lambda w, s, q, k, v: (w @ v).mean(axis=-2),
}


def _case(
    name: str,
    seed: int,
    sizes: tuple[int, int, int, int],
    leading: tuple[int, ...] = (),
) -> Case:
    """Random numbers with one decimal; sizes are n_q, n_k, d_k, d_v."""
    draw = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = sizes
    args = tuple(
        draw.integers(-15, 16, size=(*leading, rows, entries)) / 10
        for rows, entries in ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    )
    return Case(name, args, basic=not leading)


_WHOLE = tuple(
    np.array(x)
    for x in ([[1, 0], [0, 2]], [[1, 1], [2, 0], [0, 1]], [[3], [5], [8]])
)
LEADING = (
    _case("batch", 14, (3, 5, 4, 6), (2,)),
    _case("batch and heads", 15, (4, 5, 2, 6), (2, 3)),
    _case("square batch", 16, (3, 3, 3, 3), (3,)),
)
CASES = (
    _case("two queries", 10, (2, 3, 4, 2)),
    _case("five keys", 11, (3, 5, 2, 4)),
    _case("square", 12, (3, 3, 3, 3)),
    _case("as many queries as keys", 13, (4, 4, 3, 2)),
    _case("one query", 17, (1, 4, 3, 2)),
    _case("one key", 18, (2, 1, 3, 2)),
    *LEADING,
    Case(
        "long",
        (
            np.array([[60.0, 0.0], [0.0, 60.0]]),
            np.array([[60.0, 0.0], [0.0, 60.0]]),
            np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        ),
        basic=False,
    ),
    Case(
        "short and long",
        (
            np.array([[0.0, 1.0], [60.0, 0.0]]),
            np.array([[60.0, 1.0], [0.0, 2.0]]),
            np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        ),
        basic=False,
    ),
    Case("whole numbers", _WHOLE, basic=False),
)
_INPUTS = {case.name: case.args for case in CASES}


def is_right(answer: Answer, name: str) -> bool:
    """True if this answer to the case of that name is the wanted one."""
    want = attended(*_INPUTS[name])
    return answer.kind == ARRAY and same(answer.array, want, answer.tolerance)


def made_by(
    variant: Callable[..., np.ndarray],
) -> Callable[[dict[str, Answer]], bool]:
    """Recognize answers that `variant` gives where there are leading axes.

    A call that failed says nothing; one number at least must differ from
    the right one.
    """

    def sees(answers: dict[str, Answer]) -> bool:
        telling = 0
        for case in LEADING:
            got = answers[case.name]
            if got.kind != ARRAY:
                continue
            try:
                made = variant(*case.args)
            except (ValueError, IndexError):
                return False
            if not same(got.array, made, got.tolerance):
                return False
            telling += not is_right(got, case.name)
        return telling > 0

    return sees
