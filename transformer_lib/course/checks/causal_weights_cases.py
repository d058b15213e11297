"""Inputs of the exercise `causal_weights(scores)`, its reference, variants.

The last two axes are queries and keys; all axes before them are leading
axes. What has leading axes, or numbers out of the ordinary, only probes a
refinement: first the mask, then the rest.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same

__all__ = ["CASES", "LEADING", "shared_out", "wrong_there"]


def shared_out(
    scores: np.ndarray,
    *,
    see: str = "up to i",
    hide: str = "minus infinity",
    scale: str = "none",
    ask: str = "rows",
    share: str = "row softmax",
    out: str = "weights",
) -> np.ndarray:
    """Softmax over the keys up to each query, or a wrong variant of it."""
    s = np.asarray(scores, dtype=np.float64) * _SCALE[scale](scores.shape[-1])
    s = np.swapaxes(s, -1, -2) if ask == "columns" else s
    mask = _SEE[see](s.shape[-1])
    hidden = _HIDE[hide](s, mask)
    weights = _SHARE[share](hidden)
    if hide in ("after the softmax", "minus infinity, zeros"):
        weights = np.where(mask, weights, 0.0)
    return _OUT[out](weights, hidden, mask)


def softmax(a: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """Shares of each row, or along another axis."""
    risen = np.exp(a - a.max(axis=axis, keepdims=True))
    return risen / risen.sum(axis=axis, keepdims=True)


def _winner(a: np.ndarray) -> np.ndarray:
    best = (a == a.max(axis=-1, keepdims=True)).astype(np.float64)
    return best / best.sum(axis=-1, keepdims=True)


def _divided(a: np.ndarray) -> np.ndarray:
    a = np.where(np.isinf(a), 0.0, a)
    return a / a.sum(axis=-1, keepdims=True)


def _equal(a: np.ndarray) -> np.ndarray:
    seen = np.isfinite(a).astype(np.float64)
    return seen / seen.sum(axis=-1, keepdims=True)


def _by_next_row(a: np.ndarray) -> np.ndarray:
    """Sums without keepdims: column j is divided by the sum of row j."""
    votes = np.exp(a)
    return votes / votes.sum(axis=-1)[..., None, :]


def _by_next_row_twice(a: np.ndarray) -> np.ndarray:
    """The maximum without keepdims, too."""
    return _by_next_row(a - a.max(axis=-1)[..., None, :])


def _by_next_row_from_the_top(a: np.ndarray) -> np.ndarray:
    return _by_next_row(a - a.max(axis=-1, keepdims=True))


def _never_reset(a: np.ndarray) -> np.ndarray:
    votes = np.exp(a)
    return votes / votes.sum(axis=-1, keepdims=True).cumsum(axis=-2)


def _by_count(a: np.ndarray) -> np.ndarray:
    return np.exp(a) / np.isfinite(a).sum(axis=-1, keepdims=True)


def _fill(value: float):
    return lambda s, mask: np.where(mask, s, value)


def _row(place: int):
    return lambda w, s, mask: w[..., place, :]


_SCALE = {
    "none": lambda n: 1.0,
    "root of n": lambda n: n**-0.5,
    "n": lambda n: 1 / n,
    "minus": lambda n: -1.0,
}
_SEE = {
    "up to i": lambda n: np.tri(n, dtype=bool),
    "before i": lambda n: np.tri(n, k=-1, dtype=bool),
    "up to i + 1": lambda n: np.tri(n, k=1, dtype=bool),
    "from i on": lambda n: ~np.tri(n, k=-1, dtype=bool),
    "after i": lambda n: ~np.tri(n, dtype=bool),
    "all": lambda n: np.ones((n, n), dtype=bool),
    "itself": lambda n: np.eye(n, dtype=bool),
    "all but itself": lambda n: ~np.eye(n, dtype=bool),
    "from the end": lambda n: np.tri(n, dtype=bool)[:, ::-1],
    "last row first": lambda n: np.tri(n, dtype=bool)[::-1],
    "two back": lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-2, dtype=bool),
}
_HIDE = {
    "minus infinity": _fill(-np.inf),
    "minus infinity, zeros": _fill(-np.inf),
    "very low": _fill(-1e9),
    "very low, added": lambda s, mask: np.where(mask, s, s - 1e9),
    "zero": _fill(0.0),
    "minus one": _fill(-1.0),
    "minus e": _fill(-np.e),
    "minus ten": _fill(-10.0),
    "plus ten": _fill(10.0),
    "plus very much": _fill(1e9),
    "plus infinity": _fill(np.inf),
    "mask times infinity": lambda s, mask: s + np.where(mask, np.nan, -np.inf),
    "mask added": lambda s, mask: s + mask,
    "times minus infinity": lambda s, mask: s * np.where(mask, 1.0, -np.inf),
    "times very low": lambda s, mask: s * np.where(mask, 1.0, -1e9),
    "between two softmaxes": lambda s, mask: np.where(
        mask, softmax(s), -np.inf
    ),
    "after the softmax": lambda s, mask: s,
}
_SHARE = {
    "row softmax": softmax,
    "column softmax": lambda a: softmax(a, -2),
    "one softmax": lambda a: softmax(a, None),
    "nothing": lambda a: a,
    "divided": _divided,
    "exponential": np.exp,
    "exponential from the top": lambda a: np.exp(
        a - a.max(axis=-1, keepdims=True)
    ),
    "no keepdims": _by_next_row,
    "no keepdims, twice": _by_next_row_twice,
    "no keepdims, from the top": _by_next_row_from_the_top,
    "never reset": _never_reset,
    "by count": _by_count,
    "base two": lambda a: softmax(a * np.log(2)),
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "twice": lambda a: softmax(softmax(a)),
    "winner": _winner,
    "equal": _equal,
}


_OUT = {
    "weights": lambda w, s, mask: w,
    "hidden scores": lambda w, s, mask: s,
    "mask": lambda w, s, mask: np.broadcast_to(mask, w.shape).astype(float),
    "turned": lambda w, s, mask: np.swapaxes(w, -1, -2),
    "first row": _row(0),
    "last row": _row(-1),
    "running": lambda w, s, mask: w.cumsum(axis=-1),
    "row sums": lambda w, s, mask: w.sum(axis=-1),
}


def _case(name: str, seed: int, n: int, leading: tuple = ()) -> Case:
    draw = np.random.default_rng(seed)
    scores = draw.integers(-20, 21, size=(*leading, n, n)) / 10
    return Case(name, (scores,), basic=not leading)


LEADING = (
    _case("batch", 84, 4, (2,)),
    _case("batch and heads", 85, 3, (2, 4)),
    _case("square batch", 86, 3, (3,)),
)
_LOUD = np.array([[1.0, 900.0, 900.0], [0.5, 1.0, 900.0], [1.0, 0.0, 2.0]])
_LONG = np.array([[800.0, 0.0], [800.0, 801.0]])
_LOW = np.where(np.tri(3) == 1, -2e9, 2e9)  # the same numbers in float32
CASES = (
    Case("of the chapter", (np.array([[1.0, 1, 1], [0, 2, 0], [1, 0, 2]]),)),
    _case("four words", 81, 4),
    _case("five words", 82, 5),
    Case("one word", (np.array([[-1.5]]),)),
    *LEADING,
    Case("loud future", (_LOUD,), basic=False),
    Case("high scores", (_LONG,), basic=False),
    Case("low scores", (_LOW,), basic=False),
    Case("whole numbers", (np.array([[1, 2], [3, 1]]),), basic=False),
)
_INPUTS = {case.name: case.args for case in CASES}


def wrong_there(answers: dict[str, Answer], name: str) -> bool:
    """True if the answer to the case of that name is not the wanted one."""
    got, want = answers[name], shared_out(*_INPUTS[name])
    return got.kind != ARRAY or not same(got.array, want, got.tolerance)
