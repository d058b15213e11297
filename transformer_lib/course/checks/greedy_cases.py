"""Inputs of the exercise `greedy`, its reference, and wrong variants.

The model is scripted: what follows depends on the source row and on the whole
prefix, so that a loop that forgets something writes other tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from transformer_lib.course.checks.engine.exercise import Case

__all__ = ["CASES", "INPUTS", "Scripted", "decoded"]

INPUTS = ("model", "src", "bos", "eos", "pad", "max_len")
VOCABULARY = 11


@dataclass(frozen=True)
class Scripted:
    """A model by a fixed rule: `model(src, tgt)` gives (B, T, V) scores.

    A sentence of n source tokens (padding not counted) becomes n tokens with
    the last <eos>; whoever asks on after <eos> hears other tokens.
    """

    eos: int
    pad: int

    def __call__(self, src: Any, tgt: Any) -> torch.Tensor:
        """Score what follows each target token."""
        src, tgt = (
            np.atleast_2d(np.asarray(x)).astype(int) for x in (src, tgt)
        )
        if len(src) != len(tgt):
            raise ValueError(
                f"{len(src)} source sentences and {len(tgt)} targets came; "
                "give one row for each"
            )
        rows = [
            [
                _scores(self.eos, self.pad, tuple(s), tuple(t[: i + 1]))
                for i in range(len(t))
            ]
            for s, t in zip(src.tolist(), tgt.tolist(), strict=True)
        ]
        shape = (len(tgt), tgt.shape[1], VOCABULARY)
        return torch.tensor(np.array(rows).reshape(shape))

    def eval(self) -> Scripted:
        """Return the model itself: it has no dropout."""
        return self


@lru_cache(maxsize=100_000)
def _scores(eos: int, pad: int, source: tuple, prefix: tuple) -> np.ndarray:
    words = tuple(token for token in source if token != pad)
    draw = np.random.default_rng([eos, *words, 99, *prefix])
    scores = draw.normal(size=VOCABULARY)
    scores[pad] -= 9
    over = eos in prefix[1:] or len(prefix) != len(words)
    scores[eos] += -9 if over else 9
    return scores


def decoded(
    model: Any,
    src: np.ndarray,
    bos: int,
    eos: int,
    pad: int,
    max_len: int,
    *,
    ids: str = "given",
    start: str = "bos",
    feed: str = "all",
    place: str = "last",
    pick: str = "best",
    freeze: str = "from <eos> on",
    end: str = "all",
    limit: int = 0,
    out: str = "written",
) -> np.ndarray:
    """What a greedy search writes, or a wrong variant; defaults are right."""
    src = np.asarray(src)
    bos = 1 if ids in ("fixed", "bos fixed") else bos
    eos = 2 if ids in ("fixed", "eos fixed") else eos
    pad = 0 if ids == "fixed" else pad
    n = len(src)
    first = {"bos": bos, "eos": eos, "pad": pad}[start]
    tgt = np.full((n, 1), first)
    over = np.zeros(n, dtype=bool)
    ever = np.zeros(n, dtype=bool)
    for _ in range(max_len + limit):
        scores = _at(place, _ask(feed, model, src, tgt))
        token = _pick(pick, scores)
        last = tgt[:, -1]
        filler = {
            "from <eos> on": pad,
            "with <eos>": eos,
            "with <bos>": bos,
            "with zero": 0,
            "with its last token": last,
            "one step late": pad,
            "one step only": pad,
        }.get(freeze, token)
        if freeze == "the others":
            token = np.where(over, token, pad)
        token = np.where(over, filler, token)
        ever |= token == eos
        over = {
            "one step only": token == eos,
            "one step late": (tgt == eos).any(axis=1),
        }.get(freeze, ever).copy()
        if end == "before storing" and ever.all():
            break
        late = (tgt == eos).any(axis=1)
        tgt = np.concatenate([tgt, token[:, None]], axis=1)
        if _ended(end, ever, token == eos, late):
            break
    return _result(out, tgt, eos, pad)


def _ended(
    end: str, ever: np.ndarray, now: np.ndarray, late: np.ndarray
) -> bool:
    return {
        "all at once": now.all(),
        "one round late": late.all(),
        "before storing": False,
        "all": ever.all(),
        "any": ever.any(),
        "first row": ever[0],
        "last row": ever[-1],
        "never": False,
    }[end]


def _ask(feed: str, model: Any, src: np.ndarray, tgt: np.ndarray) -> np.ndarray:
    if feed == "first sentence's source":
        return np.asarray(model(np.broadcast_to(src[:1], src.shape), tgt))
    if feed == "exchanged":
        return np.asarray(model(tgt, src))
    given = {
        "all": tgt,
        "newest": tgt[:, -1:],
        "newest two": tgt[:, -2:],
        "no start": tgt[:, 1:] if tgt.shape[1] > 1 else tgt,
        "start only": tgt[:, :1],
        "reversed": tgt[:, ::-1],
    }[feed]
    return np.asarray(model(src, given))


def _at(place: str, scores: np.ndarray) -> np.ndarray:
    if place == "last":
        return scores[:, -1]
    if place == "first":
        return scores[:, 0]
    if place == "before the last":
        return scores[:, max(scores.shape[1] - 2, 0)]
    return scores.sum(axis=1)  # all positions


def _pick(pick: str, scores: np.ndarray) -> np.ndarray:
    if pick == "for all rows":
        best = scores.sum(axis=0).argmax()
        return np.full(len(scores), best)
    if pick == "of the first row":
        return np.full(len(scores), scores[0].argmax())
    order = np.argsort(-scores, axis=1)
    return order[:, {"best": 0, "second": 1, "worst": -1}[pick]]


def _result(out: str, tgt: np.ndarray, eos: int, pad: int) -> np.ndarray:
    written = tgt[:, 1:]
    if out == "with the start":
        return tgt
    if out == "moved":
        return tgt[:, :-1]
    if out == "without <eos>":
        return np.where(written == eos, pad, written)
    if out == "last column cut":
        return written[:, :-1]
    if out == "newest":
        return written[:, -1:]
    if out == "first sentence":
        return written[0]
    if out == "turned":
        return written.T
    if out == "lengths":
        return (written != pad).sum(axis=1)
    return written


def _case(name: str, rows: list, max_len: int, ids=(1, 2, 0)) -> Case:
    bos, eos, pad = ids
    width = max(map(len, rows))
    src = np.array([row + [pad] * (width - len(row)) for row in rows])
    return Case(name, (Scripted(eos, pad), src, bos, eos, pad, max_len))


CASES = (
    _case("one sentence", [[5, 7, 4]], 5),
    _case("three lengths", [[4, 5], [6, 7, 8, 9, 5], [8, 3, 4]], 7),
    _case("long first", [[6, 9, 4, 10], [4, 8], [7, 5, 3, 9]], 6),
    _case("cut", [[4, 5], [6, 7, 8, 9, 10], [8, 3, 7]], 3),
    _case("all cut", [[4, 5, 9, 9, 7], [9, 7, 8, 9, 4]], 2),
    _case("<eos> at once", [[9]], 5),
    _case("other ids", [[4, 5], [6, 2, 8, 10], [1, 5, 4]], 7, ids=(7, 9, 3)),
)
