"""The reference for the exercise `mask_tokens`, and its wrong variants."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch
from torch import Tensor

from transformer_lib.course.checks.mask_tokens_trial import (
    BOS,
    EOS,
    MASK,
    PAD,
    UNK,
    Batch,
    play,
)

__all__ = ["masked", "variant"]

_IGNORED = -100  # what torch's loss passes over


def masked(batch: Batch, **knobs: Any) -> Any:
    """The reference put through a trial, or a wrong variant."""
    return play(lambda ids, p: variant(ids, p, **knobs), batch)


def variant(
    ids: Tensor,
    p: float,
    *,
    among: str = "words",
    join: str = "and",
    draw: str = "each",
    share: str = "p",
    sign: str = "mask",
    quiet: str = "pad",
    asks: str = "word",
    layout: str = "two tables",
) -> Any:
    """Masked ids and targets, or a wrong variant; the defaults are right."""
    p = _SHARE[share](p)
    chosen = _JOIN[join](_DRAW[draw](ids, p), _AMONG[among](ids))
    hidden = torch.where(chosen, _SIGN[sign](ids), ids)
    rest = _QUIET[quiet](ids)
    says = torch.full_like(ids, MASK) if "mask" in asks else ids
    wanted = chosen
    if asks == "another draw":
        wanted = _DRAW[draw](ids, p) & _AMONG[among](ids)
    if asks == "every mask":
        wanted = hidden == MASK
    if asks == "the others":
        wanted = ~chosen
    if asks == "other words":
        wanted = ~chosen & (ids > MASK)
    targets = torch.where(wanted, says, rest)
    return _LAYOUT[layout](hidden, targets, chosen)


_SHARE = {
    "p": lambda p: p,
    "the others": lambda p: 1 - p,
    "percent": lambda p: p / 100,
    "bell": lambda p: float(torch.distributions.Normal(0.0, 1.0).cdf(
        torch.tensor(p)
    )) if 0 < p < 1 else p,
    "squared": lambda p: p * p,
    "always 15": lambda p: 0.15,
}  # fmt: skip
_JOIN = {"and": torch.logical_and, "or": torch.logical_or}
_AMONG = {
    "words": lambda ids: ids > MASK,
    "all": lambda ids: ids >= PAD,
    "not pad": lambda ids: ids != PAD,
    "not pad, not bos": lambda ids: (ids != PAD) & (ids != BOS),
    "not pad, not eos": lambda ids: (ids != PAD) & (ids != EOS),
    "words and unk": lambda ids: ids >= UNK,
    "words and pad": lambda ids: (ids > MASK) | (ids == PAD),
    "words, pad and mask": lambda ids: (ids >= MASK) | (ids == PAD),
    "words and mask": lambda ids: ids >= MASK,
    "words but the first": lambda ids: ids > MASK + 1,
    "specials": lambda ids: ids < MASK,
    "specials and mask": lambda ids: ids <= MASK,
}


def _columns(ids: Tensor, p: float) -> Tensor:
    return (torch.rand(ids.shape[1]) < p).expand(ids.shape)


def _rows(ids: Tensor, p: float) -> Tensor:
    return (torch.rand(len(ids), 1) < p).expand(ids.shape)


def _one_for_all(hidden: bool, ids: Tensor) -> Tensor:
    return torch.full(ids.shape, bool(hidden))


def _spaced(ids: Tensor, p: float, rows: int = 1) -> Tensor:
    """Every fourth place for p = 1/4, from a start drawn for each row."""
    if p == 0:
        return torch.zeros(ids.shape, dtype=torch.bool)
    step = round(1 / p)
    start = torch.randint(0, step, (len(ids), 1)) * rows
    return (torch.arange(ids.shape[1]) + start) % step == 0


def _fixed(ids: Tensor, p: float) -> Tensor:
    same = torch.Generator().manual_seed(0)
    return torch.rand(ids.shape, generator=same) < p


def _types(ids: Tensor, p: float) -> Tensor:
    return (torch.rand(int(ids.max()) + 1) < p)[ids]


def _one(ids: Tensor, p: float) -> Tensor:
    words = ids > MASK
    keys = torch.where(words, torch.rand(ids.shape), torch.tensor(-1.0))
    return torch.zeros_like(words).scatter(
        1, keys.argmax(dim=1, keepdim=True), True
    )


def _ranked(ids: Tensor, p: float, turn: int = 1) -> Tensor:
    """The first, or the last, share of each row's words."""
    words = ids > MASK
    place = words.cumsum(dim=1)
    if turn < 0:
        place = words.flip(1).cumsum(dim=1).flip(1)
    n = (words.sum(dim=1, keepdim=True) * p).round()
    return words & (place <= n)


def _span(ids: Tensor, p: float) -> Tensor:
    """Words side by side, from a place drawn at random."""
    words = ids > MASK
    count = words.sum(dim=1, keepdim=True)
    n = (count * p).round()
    start = (torch.rand(len(ids), 1) * (count - n + 1)).floor()
    place = words.cumsum(dim=1) - 1
    return words & (place >= start) & (place < start + n)


_DRAW = {
    "each": lambda ids, p: torch.rand(ids.shape) < p,
    "columns": _columns,
    "rows": _rows,
    "fixed": _fixed,
    "types": _types,
    "one a row": _one,
    "the first": _ranked,
    "the last": lambda ids, p: _ranked(ids, p, -1),
    "span": _span,
    "spaced": _spaced,
    "spaced alike": lambda ids, p: _spaced(ids, p, 0),
    "none": lambda ids, p: _one_for_all(False, ids),
    "one of torch": lambda ids, p: _one_for_all(torch.rand(1) < p, ids),
    "one of numpy": lambda ids, p: _one_for_all(np.random.random() < p, ids),
    "one of python": lambda ids, p: _one_for_all(random.random() < p, ids),
}
_SIGN = {
    "mask": lambda ids: torch.full_like(ids, MASK),
    "pad": lambda ids: torch.full_like(ids, PAD),
    "unk": lambda ids: torch.full_like(ids, UNK),
    "minus one": lambda ids: torch.full_like(ids, -1),
    "ignored": lambda ids: torch.full_like(ids, _IGNORED),
    "random": lambda ids: MASK + 1 + (
        ids - MASK + torch.randint(0, 19, ids.shape)
    ) % 20,
    "recipe": lambda ids: _recipe(ids),
    "nothing": lambda ids: ids,
}  # fmt: skip
_QUIET = {
    "pad": lambda ids: torch.full_like(ids, PAD),
    "word": lambda ids: ids,
    "ignored": lambda ids: torch.full_like(ids, _IGNORED),
    "minus one": lambda ids: torch.full_like(ids, -1),
    "mask": lambda ids: torch.full_like(ids, MASK),
}
_LAYOUT = {
    "two tables": lambda hidden, targets, chosen: [hidden, targets],
    "exchanged": lambda hidden, targets, chosen: [targets, hidden],
    "others hidden": lambda hidden, targets, chosen: [
        targets.masked_fill(~chosen, MASK),
        targets,
    ],
    "marks": lambda hidden, targets, chosen: [hidden, chosen],
    "the ids": lambda hidden, targets, chosen: [targets, targets],
    "one": lambda hidden, targets, chosen: hidden,
    "three": lambda hidden, targets, chosen: [hidden, targets, chosen],
}


def _recipe(ids: Tensor) -> Tensor:
    """BERT's: eight of ten masked, one another word, one as it was."""
    r = torch.rand(ids.shape)
    out = torch.where(r < 0.8, torch.full_like(ids, MASK), ids)
    return torch.where(r > 0.9, _SIGN["random"](ids), out)
