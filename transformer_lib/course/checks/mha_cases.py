"""Inputs of the exercise `mha`, its reference, and wrong variants.

Arrays are (B, T, d); split into heads they are (B, h, T, width).
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case

__all__ = ["CASES", "attended_in_heads"]


def attended_in_heads(
    x: np.ndarray,
    WQ: np.ndarray,
    WK: np.ndarray,
    WV: np.ndarray,
    WO: np.ndarray,
    h: int,
    *,
    count: str = "h",
    sees: str = "all of x",
    project: str = "three maps",
    split: str = "cut",
    turn: str = "turned",
    scale: str = "root of d_k",
    look: str = "everywhere",
    share: str = "keys",
    heads: str = "each",
    merge: str = "side by side",
    out: str = "mixed",
) -> np.ndarray:
    """Multi-head attention, or a wrong variant; the defaults are right."""
    x, wq, wk, wv, wo = (
        np.asarray(a, dtype=np.float64) for a in (x, WQ, WK, WV, WO)
    )
    h = h if count == "h" else 2
    if sees == "own part of x":
        wq, wk, wv = (_own_part(w, h) for w in (wq, wk, wv))
    q, k, v = _PROJECT[project](x, wq, wk, wv)
    ways = _EACH.get(split, (split, split, split))
    q, k, v = (
        _SPLIT[way](a, h) for way, a in zip(ways, (q, k, v), strict=True)
    )
    if heads in _PICK:
        q, k, v = (_PICK[heads](a) for a in (q, k, v))
    scores = q @ _TURN[turn](k)
    if scale != "after the softmax":
        scores = scores * _SCALE[scale](q, v, x, h)
    scores = scores + _LOOK[look](*scores.shape[-2:])
    weights = _SHARE[share](scores)
    if scale == "after the softmax":
        weights = weights / q.shape[-1] ** 0.5
    joined = _MERGE[merge](_HEADS.get(heads, lambda c, w, v: c)(
        weights @ v, weights, v
    ), x)  # fmt: skip
    return _OUT[out](joined, wo, x)


def turned(x: np.ndarray) -> np.ndarray:
    """Turn each matrix on its side and leave the leading axes alone."""
    return np.swapaxes(x, -1, -2)


def softmax(a: np.ndarray, axis: int | tuple = -1) -> np.ndarray:
    """Shares along one axis, or along several together."""
    risen = np.exp(a - a.max(axis=axis, keepdims=True))
    return risen / risen.sum(axis=axis, keepdims=True)


def _as_units(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return x @ w.T  # as if the matrix were stored on its side


def _own_part(w: np.ndarray, h: int) -> np.ndarray:
    """Head g reads the g-th part of x only: the other rows are empty."""
    rows, columns = (np.arange(n) * h // n for n in w.shape)
    return w * (rows[:, None] == columns)


_PROJECT = {
    "three maps": lambda x, q, k, v: (x @ q, x @ k, x @ v),
    "on their sides": lambda x, q, k, v: tuple(
        _as_units(x, w) for w in (q, k, v)
    ),
    "q and k exchanged": lambda x, q, k, v: (x @ k, x @ q, x @ v),
    "q for keys": lambda x, q, k, v: (x @ q, x @ q, x @ v),
    "k for queries": lambda x, q, k, v: (x @ k, x @ k, x @ v),
    "k for values": lambda x, q, k, v: (x @ q, x @ k, x @ k),
    "q for values": lambda x, q, k, v: (x @ q, x @ k, x @ q),
    "v for keys": lambda x, q, k, v: (x @ q, x @ v, x @ v),
    "values are tokens": lambda x, q, k, v: (x @ q, x @ k, x),
    "none": lambda x, q, k, v: (x, x, x),
    "chained": lambda x, q, k, v: (x @ q, x @ q @ k, x @ q @ k @ v),
}


def _cut(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return a.reshape(b, t, h, n // h).swapaxes(1, 2)


def _view(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return a.reshape(b, h, t, n // h)


def _every_hth(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return np.moveaxis(a.reshape(b, t, n // h, h), -1, 1)


def _overlapping(a: np.ndarray, h: int) -> np.ndarray:
    n = a.shape[-1] // h
    return np.stack([a[..., g : g + n] for g in range(h)], axis=1)


def _wide(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return a.reshape(b, t, n // h, h).swapaxes(1, 2)


def _no_turn(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return a.reshape(b, t, h, n // h)


def _time_first(a: np.ndarray, h: int) -> np.ndarray:
    t, b, n = a.shape
    return a.reshape(t, b, h, n // h).transpose(1, 2, 0, 3)


def _over_tokens(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return a.reshape(b, h, t // h, n)


def _all_sentences(a: np.ndarray, h: int) -> np.ndarray:
    b, t, n = a.shape
    return _cut(a.reshape(1, b * t, n), h)


_SPLIT = {
    "cut": _cut,
    "view": _view,
    "every h-th": _every_hth,
    "overlapping": _overlapping,
    "h wide": _wide,
    "not turned": _no_turn,
    "time first": _time_first,
    "over tokens": _over_tokens,
    "all sentences": _all_sentences,
    "not at all": lambda a, h: a[:, None],
}
_EACH = {
    "view of q": ("view", "cut", "cut"),
    "view of k": ("cut", "view", "cut"),
    "view of v": ("cut", "cut", "view"),
}
_TURN = {
    "turned": turned,
    "reshaped": lambda k: k.reshape(*k.shape[:2], k.shape[3], k.shape[2]),
}
_SCALE = {
    "root of d_k": lambda q, v, x, h: q.shape[-1] ** -0.5,
    "none": lambda q, v, x, h: 1.0,
    "d_k": lambda q, v, x, h: 1 / q.shape[-1],
    "root of d": lambda q, v, x, h: x.shape[-1] ** -0.5,
    "root of all": lambda q, v, x, h: (h * q.shape[-1]) ** -0.5,
    "root of h": lambda q, v, x, h: h**-0.5,
    "root of d_v": lambda q, v, x, h: v.shape[-1] ** -0.5,
    "root of tokens": lambda q, v, x, h: x.shape[1] ** -0.5,
    "times": lambda q, v, x, h: q.shape[-1] ** 0.5,
    "always 8": lambda q, v, x, h: 1 / 8,
}
_LOOK = {
    "everywhere": lambda n, m: 0.0,
    "back": lambda n, m: np.where(np.tri(n, m) > 0, 0.0, -np.inf),
    "others": lambda n, m: -1e9 * np.eye(n, m),  # finite, for odd shares
}


def _mean_of_heads(weights: np.ndarray) -> np.ndarray:
    mean = weights.mean(axis=1, keepdims=True)
    return np.broadcast_to(mean, weights.shape)


_SHARE = {
    "keys": softmax,
    "queries": lambda s: softmax(s, -2),
    "heads": lambda s: softmax(s, 1),
    "all heads": lambda s: softmax(s, (1, 3)),
    "each head": lambda s: softmax(s, (2, 3)),
    "scores": lambda s: s,
    "not divided": np.exp,
    "twice": lambda s: softmax(softmax(s)),
    "all alike": lambda s: softmax(0 * s),
    "the largest": lambda s: 1.0 * (s == s.max(axis=-1, keepdims=True)),
    "mean of the heads": lambda s: _mean_of_heads(softmax(s)),
    "sum of the scores": lambda s: softmax(
        np.broadcast_to(s.sum(axis=1, keepdims=True), s.shape)
    ),
    "mean of the scores": lambda s: softmax(_mean_of_heads(s)),
}
# What reaches the attention, and what is made of its results.
_PICK = {
    "the first, again": lambda a: np.repeat(a[:, :1], a.shape[1], axis=1),
    "the last, again": lambda a: np.repeat(a[:, -1:], a.shape[1], axis=1),
}
_HEADS = {
    "the first alone": lambda c, w, v: _only(c, 0),
    "the last alone": lambda c, w, v: _only(c, -1),
    "piled up": lambda c, w, v: c.cumsum(axis=1),
    "the mean": lambda c, w, v: np.broadcast_to(
        c.mean(axis=1, keepdims=True), c.shape
    ),
    "the sum": lambda c, w, v: np.broadcast_to(
        c.sum(axis=1, keepdims=True), c.shape
    ),
    "the sum in front": lambda c, w, v: _only(
        np.broadcast_to(c.sum(axis=1, keepdims=True), c.shape), 0
    ),
    "backwards": lambda c, w, v: c[:, ::-1],
    "divided by h": lambda c, w, v: c / c.shape[1],
    "values alone": lambda c, w, v: v,
    "weights turned": lambda c, w, v: turned(w) @ v,
}


def _only(c: np.ndarray, which: int) -> np.ndarray:
    kept = np.zeros_like(c)
    kept[:, which] = c[:, which]
    return kept


def _side_by_side(c: np.ndarray, x: np.ndarray) -> np.ndarray:
    b, h, t, n = c.shape
    return c.swapaxes(1, 2).reshape(b, t, h * n)


def _merged_view(c: np.ndarray, x: np.ndarray) -> np.ndarray:
    b, h, t, n = c.shape
    return c.reshape(b, t, h * n)


def _interleaved(c: np.ndarray, x: np.ndarray) -> np.ndarray:
    b, h, t, n = c.shape
    return np.moveaxis(c, 1, -1).reshape(b, t, n * h)


_MERGE = {
    "side by side": _side_by_side,
    "view": _merged_view,
    "interleaved": _interleaved,
    "stacked": lambda c, x: c.swapaxes(0, 1).reshape(*x.shape[:2], -1),
    "tokens last": lambda c, x: turned(c).reshape(*x.shape[:2], -1),
    "as x": lambda c, x: c.reshape(*x.shape[:2], -1),
    "time first": lambda c, x: c.transpose(2, 0, 1, 3).reshape(
        *x.shape[:2], -1
    ),
    "sentences apart": lambda c, x: _side_by_side(c, x).reshape(
        *x.shape[:2], -1
    ),
}
_OUT = {
    "mixed": lambda c, wo, x: c @ wo,
    "not mixed": lambda c, wo, x: c,
    "on its side": lambda c, wo, x: c @ wo.T,
    "twice": lambda c, wo, x: c @ wo @ wo,
    "x added": lambda c, wo, x: x + c @ wo,
    "first sentence": lambda c, wo, x: (c @ wo)[0],
    "mean token": lambda c, wo, x: (c @ wo).mean(axis=1),
    "last token": lambda c, wo, x: (c @ wo)[:, -1],
}


def _case(
    name: str,
    seed: int,
    sizes: tuple[int, int, int, int, int, int],
    basic: bool = True,
    times: float = 1.0,
) -> Case:
    """Random numbers with one decimal; sizes are B, T, d, h, d_k, d_v."""
    draw = np.random.default_rng(seed)
    b, t, d, h, d_k, d_v = sizes
    shapes = ((b, t, d), (d, h * d_k), (d, h * d_k), (d, h * d_v), (h * d_v, d))
    args = [draw.integers(-12, 13, size=shape) / 10 for shape in shapes]
    return Case(name, (times * args[0], *args[1:], h), basic)


_WHOLE = _case("whole", 29, (1, 3, 4, 2, 2, 2)).args[:5]
CASES = (
    _case("three tokens", 20, (1, 3, 4, 2, 2, 2)),
    _case("two sentences", 21, (2, 3, 4, 2, 2, 2)),
    _case("three heads", 22, (2, 5, 6, 3, 2, 2)),
    _case("wide heads", 23, (2, 4, 6, 2, 3, 3)),
    _case("one head", 24, (2, 3, 4, 1, 4, 4)),
    _case("four heads", 25, (3, 4, 8, 4, 2, 2)),
    _case("one token", 26, (2, 1, 4, 2, 2, 2), basic=False),
    _case("other widths", 27, (2, 3, 4, 2, 5, 5), basic=False),
    _case("other values", 28, (2, 3, 4, 2, 3, 5), basic=False),
    _case("loud", 30, (1, 3, 4, 2, 2, 2), basic=False, times=40.0),
    Case(
        "whole numbers",
        tuple(np.round(3 * array).astype(np.int64) for array in _WHOLE) + (2,),
        basic=False,
    ),
)
