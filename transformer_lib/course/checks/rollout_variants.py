"""Attention rollout and its wrong variants, one knob a decision."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

__all__ = ["rolled_out"]


def rolled_out(
    maps: np.ndarray,
    *,
    heads: str = "mean",
    identity: str = "added",
    norm: str = "rows",
    order: str = "later left",
    layers: str = "all",
    then: str = "nothing",
) -> Any:
    """The product of all layers, or a wrong variant of it."""
    maps = np.asarray(maps, dtype=np.float64)
    if heads == "rolled apart":
        parts = [
            rolled_out(maps[:, h : h + 1], identity=identity, norm=norm)
            for h in range(maps.shape[1])
        ]
        return np.mean(parts, axis=0)
    each = _HEADS[heads](maps)
    each = _IDENTITY[identity](each)
    with np.errstate(all="ignore"):
        each = _NORM[norm](each)
        each = _LAYERS[layers](each)
        return _THEN[then](_ORDER[order](each))


def _plus_identity(a: np.ndarray) -> np.ndarray:
    return a + np.eye(*a.shape[-2:])


def _first_plus(a: np.ndarray) -> np.ndarray:
    return np.concatenate([_plus_identity(a[:1]), a[1:]])


def _shares(a: np.ndarray) -> np.ndarray:
    return a / a.sum(axis=-1, keepdims=True)


def _columns(a: np.ndarray) -> np.ndarray:
    return a / a.sum(axis=-2, keepdims=True)


def _softmax(a: np.ndarray) -> np.ndarray:
    e = np.exp(a)
    return e / e.sum(axis=-1, keepdims=True)


def _identity_after(a: np.ndarray) -> np.ndarray:
    """Each product gets the identity, in place of each layer."""
    return reduce(lambda product, x: _shares(_plus_identity(x @ product)),
                  a, np.eye(*a.shape[1:]))  # fmt: skip


_HEADS = {
    "mean": lambda m: m.mean(axis=1),
    "sum": lambda m: m.sum(axis=1),
    "largest": lambda m: m.max(axis=1),
    "smallest": lambda m: m.min(axis=1),
    "first": lambda m: m[:, 0],
    "last": lambda m: m[:, -1],
    "product": lambda m: m.prod(axis=1),
    "layers for heads": lambda m: m.mean(axis=0),
    "turned": lambda m: m.mean(axis=1).swapaxes(-1, -2),
}
_IDENTITY = {
    "added": _plus_identity,
    "none": lambda a: a,
    "ones": lambda a: a + 1.0,
    "one in n": lambda a: a + 1.0 / a.shape[-1],
    "first layer only": _first_plus,
    "taken away": lambda a: a - np.eye(*a.shape[-2:]),
    "after the rows": lambda a: _shares(a) + np.eye(*a.shape[-2:]),
    "diagonal set": lambda a: np.where(np.eye(*a.shape[-2:]) > 0, 1.0, a),
}
_NORM = {
    "rows": _shares,
    "none": lambda a: a,
    "columns": _columns,
    "everything": lambda a: a / a.sum(axis=(-1, -2), keepdims=True),
    "largest": lambda a: a / a.max(axis=-1, keepdims=True),
    "softmax": _softmax,
    "by n": lambda a: a / a.shape[-1],
    "halved": lambda a: a / 2,
}
_ORDER = {
    "later left": lambda a: reduce(lambda product, x: x @ product, a),
    "later right": lambda a: reduce(lambda product, x: product @ x, a),
    "cell by cell": lambda a: a.prod(axis=0),
    "cell by cell from the identity": lambda a: (
        np.eye(*a.shape[1:]) * a.prod(axis=0)
    ),
    "identity after": _identity_after,
    "sum": lambda a: a.sum(axis=0),
    "mean": lambda a: a.mean(axis=0),
    "last": lambda a: a[-1],
    "first": lambda a: a[0],
    "turned": lambda a: reduce(lambda product, x: x @ product.T, a),
    "zeros": lambda a: 0 * a[0],
}
_LAYERS = {
    "all": lambda a: a,
    "not the first": lambda a: (
        a[1:] if len(a) > 1 else np.eye(*a.shape[1:])[None]
    ),
    "not the last": lambda a: (
        a[:-1] if len(a) > 1 else np.eye(*a.shape[1:])[None]
    ),
    "first twice": lambda a: np.concatenate([a[:1], a]),
}
_THEN = {
    "nothing": lambda r: r,
    "turned": lambda r: r.T,
    "last row": lambda r: r[-1],
    "first row": lambda r: r[0],
    "columns added": lambda r: r.sum(axis=0),
    "columns averaged": lambda r: r.mean(axis=0),
    "half the identity": lambda r: _plus_identity(r) / 2,
    "diagonal gone": lambda r: r * (1 - np.eye(len(r))),
    "rows without diagonal": lambda r: _shares(r * (1 - np.eye(len(r)))),
    "softmax": _softmax,
    "percent": lambda r: 100 * r,
    "rounded": lambda r: np.round(r, 2),
    "a batch": lambda r: r[None],
    "best": lambda r: r.argmax(axis=-1),
    "logarithm": lambda r: np.log(r),
}
