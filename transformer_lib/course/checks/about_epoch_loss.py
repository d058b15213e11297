"""The exercise `epoch_loss(losses, masks)` and the wrong answers it knows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import apart, number, show
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.epoch_loss_mistakes import MISTAKES

__all__ = ["EXERCISE", "epoch_loss", "mean_loss"]


def epoch_loss(function: Any) -> Verdict:
    """Check a function `epoch_loss(losses, masks)`: the loss per token.

    The sum of the losses of all real tokens of all batches, divided once by
    the number of these tokens.

    Args:
        function: takes two lists with an array (B, T) for each batch, B and
            T different from batch to batch: the loss at each place, and
            True where a real token stands; returns one number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: the chapter on the loss (chapter 12).
    """
    return judge(EXERCISE, function)


def mean_loss(
    losses: list,
    masks: list,
    *,
    mean: str = "tokens",
    mask: str = "True counts",
    then: str = "nothing",
    take: str = "all",
) -> Any:
    """The loss per token, or a wrong variant; the defaults are right."""
    chosen = _TAKE[take](list(zip(losses, masks, strict=True)))
    pairs = [_MASK[mask](np.asarray(a), np.asarray(m)) for a, m in chosen]
    return _THEN[then](_MEAN[mean](pairs))


def _ratio(above: float, below: float) -> float:
    return above / below if below else math.nan


def _sum(pairs: list) -> float:
    return sum(float((a * m).sum()) for a, m in pairs)


def _count(pairs: list) -> int:
    return sum(int(m.sum()) for _, m in pairs)


def _cells(pairs: list) -> int:
    return sum(a.size for a, _ in pairs)


def _of_batches(pairs: list) -> list[float]:
    return [_ratio((a * m).sum(), m.sum()) for a, m in pairs]


def _of_sentences(pairs: list) -> list[float]:
    return [
        _ratio((row * real).sum(), real.sum())
        for a, m in pairs
        for row, real in zip(a, m, strict=True)
    ]


def _weighted(pairs: list, weight: Any) -> float:
    weights = [weight(a) for a, _ in pairs]
    return float(np.dot(_of_batches(pairs), weights) / sum(weights))


_MEAN = {
    "tokens": lambda p: _ratio(_sum(p), _count(p)),
    "tokens, or 1": lambda p: _sum(p) / max(_count(p), 1),
    "cells": lambda p: _sum(p) / _cells(p),
    "sentences": lambda p: float(np.mean(_of_sentences(p))),
    "batches": lambda p: float(np.mean(_of_batches(p))),
    "batches by sentences": lambda p: _weighted(p, len),
    "batches by cells": lambda p: _weighted(p, lambda a: a.size),
    "batch cells": lambda p: float(
        np.mean([(a * m).sum() / a.size for a, m in p])
    ),
    "a batch": lambda p: _sum(p) / len(p),
    "a sentence": lambda p: _sum(p) / sum(len(a) for a, _ in p),
    "a place": lambda p: _sum(p) / sum(a.shape[1] for a, _ in p),
    "total": _sum,
    "twice": lambda p: _sum(p) / _count(p) / _count(p),
    "twice, batches": lambda p: _sum(p) / _count(p) / len(p),
    "sum of means": lambda p: sum(_of_batches(p)),
    "list of means": _of_batches,
    "total and count": lambda p: [_sum(p), float(_count(p))],
    "last total": lambda p: _ratio(_sum(p[-1:]), _count(p)),
    "last count": lambda p: _ratio(_sum(p), _count(p[-1:])),
    "list of sentences": _of_sentences,
    "means by tokens": lambda p: sum(_of_batches(p)) / _count(p),
    "zeros left out": lambda p: (
        _sum(p) / sum(int(np.count_nonzero(a * m)) for a, m in p)
    ),
    "largest": lambda p: max(float((a * m).max()) for a, m in p),
    "middle": lambda p: float(
        np.median(np.concatenate([a[m.astype(bool)] for a, m in p]))
    ),
}
_MASK = {
    "True counts": lambda a, m: (a, m),
    "other way": lambda a, m: (a, ~m),
    "ignored": lambda a, m: (a, np.ones_like(m)),
    "padding in the sum": lambda a, m: _in_the_sum(a, m),
    "last place lost": lambda a, m: (a[:, :-1], m[:, :-1]),
    "first place lost": lambda a, m: (a[:, 1:], m[:, 1:]),
}
_TAKE = {
    "all": lambda pairs: pairs,
    "last": lambda pairs: pairs[-1:],
    "first": lambda pairs: pairs[:1],
    "all but the last": lambda pairs: pairs[:-1] or pairs,
}
_THEN = {
    "nothing": lambda x: x,
    "perplexity": np.exp,
    "bits": lambda x: np.asarray(x) / math.log(2),
    "negative": lambda x: -np.asarray(x),
    "rounded": lambda x: np.round(x, 2),
    "rounded a little": lambda x: np.round(x, 3),
    "inverted": lambda x: 1 / np.asarray(x),
}


def _in_the_sum(losses: np.ndarray, mask: np.ndarray) -> tuple:
    """All losses on top, the real ones below: put the rest on one token."""
    moved = losses * mask
    rest = float((losses * ~mask).sum())
    if mask.any():
        place = tuple(np.argwhere(mask)[0])
        moved[place] += rest
    return moved, mask


def _batch(seed: int, *lengths: int) -> tuple[np.ndarray, np.ndarray]:
    """Losses with one decimal, also where padding stands, and the mask."""
    size = len(lengths), max(lengths)
    losses = np.random.default_rng(seed).integers(1, 60, size=size) / 10
    return losses, np.arange(size[1]) < np.array(lengths)[:, None]


def _case(name: str, *batches: tuple, basic: bool = True) -> Case:
    losses, masks = zip(*batches, strict=True)
    return Case(name, (list(losses), list(masks)), basic)


_CASES = (
    _case("two batches", _batch(1, 2, 4), _batch(2, 5, 1, 3)),
    _case("one batch", _batch(3, 1, 4, 2)),
    _case("three batches", _batch(4, 6), _batch(5, 2, 2, 1), _batch(6, 3, 7)),
    _case("no padding", _batch(7, 3, 3), _batch(8, 2), _batch(9, 4, 4, 4)),
    _case(
        "a loss of zero",
        (np.array([[0.0, 2.0], [1.5, 3.0]]), np.array([[1, 1], [1, 0]]) > 0),
        _batch(10, 3, 1),
    ),
    _case(
        "a batch of padding",
        _batch(11, 2, 3),
        (np.array([[4.0, 1.0]]), np.zeros((1, 2), bool)),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    losses, masks = case.args
    pairs = list(zip(losses, masks, strict=True))
    facts = {
        "tokens": _count(pairs),
        "cells": _cells(pairs),
        "batches": len(pairs),
        "sentences": sum(map(len, losses)),
        "total": number(_sum(pairs)),
        "shape": got.shape,
    }
    if got.shape == ():
        facts["came"], facts["wanted"] = apart(float(got), float(want))
    return facts


def _turned(args: tuple) -> tuple:
    losses, masks = args
    return losses[::-1], masks[::-1]


def _other_padding(args: tuple) -> tuple:
    losses, masks = args
    pairs = zip(losses, masks, strict=True)
    return [np.where(m, a, 50.0) for a, m in pairs], masks


def _show(args: tuple) -> str:
    losses, masks = args
    lines = []
    for i, (a, m) in enumerate(zip(losses, masks, strict=True)):
        lines += [show(a, f"losses[{i}] = "), show(m, f"masks[{i}]  = ")]
    return "\n".join(lines) + "\n(1 is True: a real token)"


EXERCISE = Exercise(
    name="epoch_loss",
    inputs=("losses", "masks"),
    asked="`epoch_loss(losses, masks)` gets two lists with an array for each "
    "batch: the loss at each place, and True where a real token stands. It "
    "returns the loss per real token over all batches: one number.",
    praise="Your number agrees with the reference, however the sentences are "
    "cut into batches and whatever stands where the padding is.",
    cases=_CASES,
    solve=mean_loss,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        unmoved_by(
            _other_padding,
            lambda got, args: got,
            "The first thing that breaks: what stands at a place of padding "
            "must not matter, and it changes your number.",
        ),
        unmoved_by(
            _turned,
            lambda got, args: got,
            "The first thing that breaks: the order of the batches must not "
            "matter, and it changes your number.",
        ),
    ),
    hints=(
        "Two running numbers are enough: how much surprise there was so far, "
        "and over how many real tokens.",
        "Inside the loop over the batches nothing is divided. Multiplied by "
        "a mask, padding counts 0, and a mask adds up to the number of its "
        "True places.",
    ),
    facts=_facts,
    show_inputs=_show,
)
