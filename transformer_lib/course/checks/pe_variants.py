"""The table of `pe(n, d)` and its wrong variants, one knob a decision."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["encoded"]


def encoded(
    n: int,
    d: int,
    *,
    size: str = "n, d",
    base: str = "10000",
    exponent: str = "2i/d",
    rate: str = "divide",
    position: str = "from 0",
    angle: str = "radians",
    layout: str = "interleaved",
    then: str = "nothing",
) -> Any:
    """The table of sines and cosines, or a wrong variant."""
    rows, columns = _SIZE[size](n, d)
    j = np.arange(columns)
    pos = _POSITION[position](np.arange(rows, dtype=np.float64), rows)
    power = _EXPONENT[exponent](j // 2, j, rows, d)
    angles = _RATE[rate](pos[:, None], _BASE[base](rows, d), power)
    table = _LAYOUT[layout](_ANGLE[angle](angles))
    return _THEN[then](np.asarray(table), d)


_SIZE = {
    "n, d": lambda n, d: (n, d),
    "exchanged": lambda n, d: (d, n),
    "one row more": lambda n, d: (n + 1, d),
    "one row less": lambda n, d: (n - 1, d),
    "twice as wide": lambda n, d: (n, 2 * d),
    "half as wide": lambda n, d: (n, d // 2),
}
_BASE = {
    "10000": lambda n, d: 10000.0,
    "1000": lambda n, d: 1000.0,
    "10": lambda n, d: 10.0,
    "100000": lambda n, d: 1e5,
    "e": lambda n, d: np.e,
    "logarithm to base 10": lambda n, d: np.exp(4.0),
    "logarithm to base 2": lambda n, d: np.exp(np.log2(10000.0)),
    "d": lambda n, d: float(d),
    "n": lambda n, d: float(n),
}
_EXPONENT = {
    "2i/d": lambda i, j, n, d: 2 * i / d,
    "i/d": lambda i, j, n, d: i / d,
    "4i/d": lambda i, j, n, d: 4 * i / d,
    "j/d": lambda i, j, n, d: j / d,
    "2j/d": lambda i, j, n, d: 2 * j / d,
    "cosine further": lambda i, j, n, d: 2 * (i + j % 2) / d,
    "from 1": lambda i, j, n, d: 2 * (i + 1) / d,
    "to the end": lambda i, j, n, d: i / max(d // 2 - 1, 1),
    "d - 1": lambda i, j, n, d: 2 * i / (d - 1),
    "d - 2": lambda i, j, n, d: np.divide(2 * i, d - 2),
    "odd": lambda i, j, n, d: (2 * i + 1) / d,
    "zero": lambda i, j, n, d: 0.0 * i,
    "not divided": lambda i, j, n, d: 2.0 * i,
    "2i/n": lambda i, j, n, d: 2 * i / n,
    "slow first": lambda i, j, n, d: 2 * (d // 2 - 1 - i) / d,
    "upside down": lambda i, j, n, d: np.divide(d, 2 * i),
}
_RATE = {
    "divide": lambda p, b, e: p / b**e,
    "multiply": lambda p, b, e: p * b**e,
    "fraction raised": lambda p, b, e: (p / b) ** e,
    "position raised": lambda p, b, e: p**e / b,
    "exchanged": lambda p, b, e: p / e**b,
    "exchanged, small": lambda p, b, e: p * e ** (1 / b),
    "product": lambda p, b, e: p / (b * e),
    "brackets lost": lambda p, b, e: p / b**2 * e / 2,
    "brackets lost below": lambda p, b, e: p / (b**2 * e / 2),
    "base alone": lambda p, b, e: p / b + 0 * e,
    "added": lambda p, b, e: p + b**-e,
}
_POSITION = {
    "from 0": lambda p, n: p,
    "from 1": lambda p, n: p + 1,
    "backward": lambda p, n: p[::-1],
    "share of n": lambda p, n: p / n,
    "share of the last": lambda p, n: p / max(n - 1, 1),
    "always n": lambda p, n: 0 * p + n,
}
_ANGLE = {
    "radians": lambda a: a,
    "degrees": np.deg2rad,
    "whole turns": lambda a: 2 * np.pi * a,
    "half turns": lambda a: np.pi * a,
    "over a turn": lambda a: a / (2 * np.pi),
}


def _even(n: int, d: int) -> np.ndarray:
    """True in the columns 0, 2, 4, ..."""
    return np.broadcast_to(np.arange(d) % 2 == 0, (n, d))


def _stacked(a: np.ndarray) -> np.ndarray:
    pairs = a[:, 0::2]
    return np.stack([np.sin(pairs), np.cos(pairs)]).reshape(a.shape)


def _rows(a: np.ndarray) -> np.ndarray:
    even = np.arange(len(a))[:, None] % 2 == 0
    return np.where(even, np.sin(a), np.cos(a))


def _tiled(a: np.ndarray) -> np.ndarray:
    twice = np.tile(a[:, 0::2], 2)
    return np.where(_even(*a.shape), np.sin(twice), np.cos(twice))


def _written_over(a: np.ndarray) -> np.ndarray:
    table = np.zeros(a.shape)
    for i, angle in enumerate(a[:, 0::2].T):
        table[:, i], table[:, i + 1] = np.sin(angle), np.cos(angle)
    return table


_LAYOUT = {
    "interleaved": lambda a: np.where(_even(*a.shape), np.sin(a), np.cos(a)),
    "exchanged": lambda a: np.where(_even(*a.shape), np.cos(a), np.sin(a)),
    "halves": lambda a: np.hstack([np.sin(a[:, 0::2]), np.cos(a[:, 0::2])]),
    "cosines first": lambda a: np.hstack(
        [np.cos(a[:, 0::2]), np.sin(a[:, 0::2])]
    ),
    "halves cut": lambda a: np.hstack(
        [np.sin(a[:, : a.shape[1] // 2]), np.cos(a[:, a.shape[1] // 2 :])]
    ),
    "sines": np.sin,
    "cosines": np.cos,
    "by rows": _rows,
    "stacked": _stacked,
    "angles": lambda a: a,
    "sum": lambda a: np.sin(a) + np.cos(a),
    "no cosines": lambda a: np.where(_even(*a.shape), np.sin(a), 0),
    "no sines": lambda a: np.where(_even(*a.shape), 0, np.cos(a)),
    "minus": lambda a: np.where(_even(*a.shape), -np.sin(a), np.cos(a)),
    "minus below": lambda a: np.where(_even(*a.shape), np.sin(a), -np.cos(a)),
    "tiled": _tiled,
    "empty": lambda a: np.zeros(a.shape),
    "written over": _written_over,
    "sines only": lambda a: np.sin(a[:, 0::2]),
    "pairs apart": lambda a: np.stack(
        [np.sin(a[:, 0::2]), np.cos(a[:, 0::2])], axis=-1
    ),
    "one after the other": lambda a: np.vstack(
        [np.sin(a[:, 0::2]), np.cos(a[:, 0::2])]
    ),
    "tangents": np.tan,
}


def _only(place: int):
    def kept(table: np.ndarray, d: int) -> np.ndarray:
        empty = np.zeros(table.shape)
        empty[place] = table[place]
        return empty

    return kept


def _blank(table: np.ndarray, d: int) -> np.ndarray:
    filled = table.copy()
    filled[0] = 0
    return filled


def _last_pair_empty(table: np.ndarray, d: int) -> np.ndarray:
    empty = table.copy()
    empty[:, -2:] = 0
    return empty


_THEN = {
    "nothing": lambda t, d: t,
    "turned": lambda t, d: t.T,
    "rounded": lambda t, d: np.round(t, 2),
    "rounded a little": lambda t, d: np.round(t, 4),
    "cut": lambda t, d: np.trunc(t),
    "row 0 blank": _blank,
    "first row only": _only(0),
    "last row only": _only(-1),
    "last row everywhere": lambda t, d: np.tile(t[-1], (len(t), 1)),
    "last pair empty": _last_pair_empty,
    "last row alone": lambda t, d: t[-1],
    "unit rows": lambda t, d: t / np.sqrt(d / 2),
    "times the root": lambda t, d: t * np.sqrt(d),
    "over the root": lambda t, d: t / np.sqrt(d),
    "from 0 to 1": lambda t, d: (t + 1) / 2,
    "all in one": lambda t, d: t.ravel(),
    "a batch of one": lambda t, d: t[None],
}
