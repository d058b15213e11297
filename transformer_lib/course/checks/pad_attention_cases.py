"""Inputs of the exercise `pad_attention(Q, K, V, ids, pad)`, its reference.

Q is (B, n_q, d_k), K (B, n_k, d_k), V (B, n_k, d_v), ids (B, n_k). Padding on
the left, a sentence of nothing but padding and numbers out of the ordinary
only probe a refinement.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same

__all__ = ["CASES", "attended", "wrong_there"]


def attended(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    ids: np.ndarray,
    pad: int,
    *,
    real: str = "not the padding",
    who: str = "keys",
    hide: str = "minus infinity",
    scale: str = "root of d_k",
    share: str = "row softmax",
    out: str = "weighted sum",
) -> np.ndarray:
    """Attention that hides the padded keys, or a wrong variant of it."""
    q, k, v = (np.asarray(x, dtype=np.float64) for x in (Q, K, V))
    token = _REAL[real](np.asarray(ids), pad)
    if hide in ("zero keys", "zero vectors"):
        k = np.where(token[..., None], k, 0.0)
    if hide in ("zero values", "zero vectors"):
        v = np.where(token[..., None], v, 0.0)
    scores = q @ np.swapaxes(k, -1, -2) * _SCALE[scale](q, k, v)
    mask = np.broadcast_to(_WHO[who](token, q.shape[1]), scores.shape)
    weights = _SHARE[share](_HIDE[hide](scores, mask))
    if hide in ("after the softmax", "minus infinity, cleaned"):
        weights = np.where(mask, weights, 0.0)
    if hide == "minus infinity":  # nothing to look at: no weight
        weights = np.where(mask.any(-1, keepdims=True), weights, 0.0)
    return _OUT[out](weights, v, token)


def softmax(a: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """Shares of each row, or along another axis."""
    risen = np.exp(a - a.max(axis=axis, keepdims=True))
    return risen / risen.sum(axis=axis, keepdims=True)


_REAL = {
    "not the padding": lambda ids, pad: ids != pad,
    "the padding": lambda ids, pad: ids == pad,
    "not 0": lambda ids, pad: ids != 0,
    "not 1": lambda ids, pad: ids != 1,
    "above the padding": lambda ids, pad: ids > pad,
    "of the first": lambda ids, pad: np.broadcast_to(ids[0] != pad, ids.shape),
    "only of the first": lambda ids, pad: np.concatenate(
        [ids[:1] != pad, np.ones(ids[1:].shape, dtype=bool)]
    ),
    "of all": lambda ids, pad: np.broadcast_to((ids != pad).all(0), ids.shape),
    "not the last": lambda ids, pad: np.broadcast_to(
        np.arange(ids.shape[1]) < ids.shape[1] - 1, ids.shape
    ),
}


def _counted(more: int):
    """The first places, counted one wrong."""
    return lambda ids, pad: (
        np.arange(ids.shape[1]) < (ids != pad).sum(axis=1, keepdims=True) + more
    )


_REAL["one too many"] = _counted(1)
_REAL["one too few"] = _counted(-1)


def _queries(token: np.ndarray, n_q: int) -> np.ndarray:
    """Hide whole rows, those of the padded queries."""
    if n_q != token.shape[1]:
        raise ValueError("the mask has a row for each key")
    return token[:, :, None]


def _sentences(token: np.ndarray, n_q: int) -> np.ndarray:
    """A mask (B, n_k), whose sentences are taken for queries."""
    if n_q != len(token):
        raise ValueError("the mask has a row for each sentence")
    return token[None]


_WHO = {
    "keys": lambda token, n_q: token[:, None, :],
    "queries": _queries,
    "both": lambda token, n_q: token[:, None, :] & _queries(token, n_q),
    "either": lambda token, n_q: token[:, None, :] | _queries(token, n_q),
    "sentences": _sentences,
    "nobody": lambda token, n_q: np.ones((1, 1, 1), dtype=bool),
    "keys, causal": lambda token, n_q: (
        token[:, None, :] & np.tri(n_q, token.shape[1], dtype=bool)
    ),
    "causal": lambda token, n_q: np.tri(n_q, token.shape[1], dtype=bool),
}


def _fill(value: float):
    return lambda s, mask: np.where(mask, s, value)


_HIDE = {
    "minus infinity": _fill(-np.inf),
    "minus infinity, nan": _fill(-np.inf),
    "minus infinity, cleaned": _fill(-np.inf),
    "very low": _fill(-1e9),
    "very low, added": lambda s, mask: np.where(mask, s, s - 1e9),
    "zero": _fill(0.0),
    "minus one": _fill(-1.0),
    "minus e": _fill(-np.e),
    "minus ten": _fill(-10.0),
    "plus very much": _fill(1e9),
    "mask times infinity": lambda s, mask: s + np.where(mask, np.nan, -np.inf),
    "mask added": lambda s, mask: s + mask,
    "after the softmax": lambda s, mask: s,
    "zero keys": lambda s, mask: s,
    "zero values": lambda s, mask: s,
    "zero vectors": lambda s, mask: s,
}
_SCALE = {
    "root of d_k": lambda q, k, v: q.shape[-1] ** -0.5,
    "none": lambda q, k, v: 1.0,
    "d_k": lambda q, k, v: 1 / q.shape[-1],
    "root of d_v": lambda q, k, v: v.shape[-1] ** -0.5,
    "root of keys": lambda q, k, v: k.shape[-2] ** -0.5,
    "root of queries": lambda q, k, v: q.shape[-2] ** -0.5,
}
_SHARE = {
    "row softmax": softmax,
    "column softmax": lambda a: softmax(a, -2),
    "batch softmax": lambda a: softmax(a, 0),
    "one softmax": lambda a: softmax(a, None),
    "equal": lambda a: (
        np.isfinite(a) / np.isfinite(a).sum(axis=-1, keepdims=True)
    ),
    "exponential": np.exp,
}
_OUT = {
    "weighted sum": lambda w, v, token: w @ v,
    "weights": lambda w, v, token: w,
    "mean": lambda w, v, token: w @ v / token.sum(-1)[:, None, None],
    "first sentence": lambda w, v, token: (w @ v)[0],
    "sum over queries": lambda w, v, token: (w @ v).sum(axis=1),
    "no rows of padding": lambda w, v, token: (
        w @ v * _queries(token, w.shape[1])
    ),
}


def _case(
    name: str,
    seed: int,
    sizes: tuple[int, int, int],
    ids: list[list[int]],
    pad: int,
    basic: bool = True,
    times: float = 1.0,
) -> Case:
    """Random Q, K, V; sizes are n_q, d_k, d_v. `times` stretches padding."""
    draw = np.random.default_rng(seed)
    n_q, d_k, d_v = sizes
    rows = np.array(ids)
    b, n_k = rows.shape
    q, k, v = (
        draw.integers(-15, 16, size=(b, n, d)) / 10
        for n, d in ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    )
    k = np.where((rows == pad)[..., None], k * times, k)
    return Case(name, (q, k, v, rows, pad), basic)


CASES = (
    _case("two sentences", 90, (3, 2, 4), [[5, 7, 3, 0], [6, 4, 0, 0]], 0),
    _case(
        "padding is 1",
        91,
        (4, 3, 2),
        [[0, 3, 2, 5], [4, 0, 1, 1], [2, 1, 1, 1]],
        1,
    ),
    _case(
        "as many queries as sentences",
        92,
        (3, 2, 3),
        [[4, 2, 3, 9, 0], [8, 5, 0, 0, 0], [7, 6, 5, 0, 0]],
        0,
    ),
    _case(
        "padding is 9",
        93,
        (4, 3, 2),
        [[3, 0, 1, 9], [2, 9, 9, 9]],
        9,
    ),
    _case(
        "padding on the left", 94, (2, 3, 2), [[0, 0, 4], [0, 2, 3]], 0, False
    ),
    _case(
        "loud padding",
        95,
        (2, 3, 2),
        [[4, 3, 0], [2, 0, 0]],
        0,
        False,
        times=4000.0,
    ),
    _case("only padding", 96, (2, 2, 3), [[5, 3, 0], [0, 0, 0]], 0, False),
)
_INPUTS = {case.name: case.args for case in CASES}


def wrong_there(answers: dict[str, Answer], name: str) -> bool:
    """True if the answer to the case of that name is not the wanted one."""
    got = answers[name]
    with np.errstate(all="ignore"):
        want = attended(*_INPUTS[name])
    return got.kind != ARRAY or not same(got.array, want, got.tolerance)
