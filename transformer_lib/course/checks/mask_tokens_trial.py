"""What the check of `mask_tokens` plays with: tables of ids and a report.

What is drawn at random cannot be compared number by number. So an answer is
called on large tables, and a report of it is compared: shares,
rounded to twentieths, and yes-or-no facts. With 11,000 words a share of 0.25
has a standard deviation of 0.004, and the next twentieth begins 0.025 away,
six of them: by chance a right answer misses once in some hundred million
calls. The common generators are seeded, so most answers get the same verdict
each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from transformer_lib.course.checks.engine.reading import ARRAY, Answer, read

__all__ = [
    "FACTS",
    "MASK",
    "MIXED",
    "SPECIAL",
    "THE_IDS",
    "WORDS",
    "Batch",
    "Trial",
    "play",
    "trials",
]

PAD, BOS, EOS, UNK, MASK = range(5)
SPECIAL = {"<pad>": PAD, "<bos>": BOS, "<eos>": EOS, "<unk>": UNK}
WORDS = range(5, 25)  # the ids that may be chosen
_MOST = 20  # words of the longest sentence
_FAR = 0.12  # how far from p a share is no chance (ten deviations)

FACTS = (
    "masked",  # share of the words that became MASK
    "replaced",  # share of the words that became something else
    *SPECIAL,  # share of these that did not stay what they were
    "asked",  # what the targets hold at the changed words
    "quiet words",  # what the targets hold at the other words
    "quiet rest",  # what they hold at special tokens that stayed
    "sign",  # what stands in the place of changed words
    "columns",  # 1: the same columns in every row
    "rows",  # 1: all words of a sentence, or none
    "again",  # 1: the same choice when called again
    "types",  # 1: all occurrences of a word are treated alike
    "lumps",  # 1: chosen words stand side by side, -1: never
    "place",  # 1: chosen at the front of rows, 2: at the end
)
THE_IDS, MIXED = 1000.0, -1000.0  # signs for what a table holds


class Trial(NamedTuple):
    """One call that an answer is judged by.

    Attributes:
        ids: (B, T), a sentence a row.
        p: the share.
        name: what to call it in a message.
    """

    ids: np.ndarray
    p: float
    name: str

    def __str__(self) -> str:
        rows, width = self.ids.shape
        first = " ".join(map(str, self.ids[0]))
        return (
            f"p = {self.p:g}, ids = {self.name} of shape ({rows}, {width}); "
            f"row 0 is {first}"
        )


@dataclass
class Batch:
    """A trial that a call may spoil, and that knows when it was."""

    trial: Trial
    ids: np.ndarray

    def handed_over(self) -> list[tuple[str, np.ndarray]]:
        """What the function gets of it, under the name of its input."""
        return [("ids", self.ids)]

    def __str__(self) -> str:
        return str(self.trial)


def _sentences(seed: int, rows: int, shortest: int) -> np.ndarray:
    """Sentences of words 5 to 24 between <bos> and <eos>, some <unk>."""
    draw = np.random.default_rng(seed)
    ids = np.zeros((rows, _MOST + 2), dtype=np.int64)
    for row in ids:
        length = int(draw.integers(shortest, _MOST + 1))
        row[1 : length + 1] = draw.choice(WORDS, size=length)
        if draw.random() < 0.4:
            row[int(draw.integers(1, length + 1))] = UNK
        row[0], row[length + 1] = BOS, EOS
    return ids


_FEW = _sentences(2, 4, 8)
_FEW[1, 3], _FEW[2, 4] = MASK, WORDS[0]  # ids at which conditions end


def trials() -> Iterator[tuple[str, Batch]]:
    """The calls that an answer is judged by, by name."""
    ids = _sentences(1, 720, 12)
    for name, table, p in (
        # A small one first: it rules out most mistakes at little cost.
        ("everything", _FEW, 1.0),
        ("a quarter", ids, 0.25),
        ("a half", ids[::-1].copy(), 0.5),
        ("nothing", _FEW, 0.0),
        ("one sentence", _FEW[1:2], 1.0),
    ):
        size = "sentences" if len(table) > 1 else "one sentence"
        yield name, Batch(Trial(table, p, size), table.copy())


def play(function: Callable, batch: Batch) -> Any:
    """Call an answer and report on it.

    Args:
        function: takes ids, a tensor (B, T), and p.
        batch: the trial; if the function writes into its ids, that shows.

    Returns:
        The report, one number for each of FACTS; or, if it cannot be made,
        zeros in the shape that came, or what was returned.
    """
    trial = batch.trial
    with _seeded(1):
        first = function(torch.from_numpy(batch.ids), trial.p)
    kept = _read(first)
    if kept.kind != ARRAY:
        return first
    if kept.array.shape != (2, *trial.ids.shape):
        return np.zeros(kept.array.shape)
    again = 0 < trial.p < 1 and _same_again(function)
    return _report(trial, kept.array, again)


def _read(result: Any) -> Answer:
    """As `reading.read`, and fast for long lists."""
    if isinstance(result, (list, tuple)) and len(result) < 4:
        with suppress(Exception):
            result = [
                np.array(table) if isinstance(table, (list, tuple)) else table
                for table in result
            ]
    return read(result)


def _same_again(function: Callable) -> bool:
    """Whether three calls on a small table choose the same places."""
    seen = []
    for seed in (2, 3, 4):
        ids = torch.from_numpy(_FEW.copy())
        with _seeded(seed):
            answer = _read(function(ids, 0.5))
        seen.append(answer.array)
    return all(
        one is not None
        and one.shape == (2, *_FEW.shape)
        and (one[0] != _FEW).any()
        and np.array_equal(one[0], seen[0][0])
        for one in seen
    )


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Fix all common generators for a while, and put them back."""
    kept = torch.get_rng_state(), np.random.get_state(), random.getstate()
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)
    try:
        yield
    finally:
        torch.set_rng_state(kept[0])
        np.random.set_state(kept[1])
        random.setstate(kept[2])


def _snapped(share: float) -> float:
    """A share in twentieths; only nothing is 0 and only all is 1."""
    if share in (0.0, 1.0):
        return float(share)
    return float(min(max(round(20 * share), 1), 19) / 20)


def _share(where: np.ndarray, among: np.ndarray) -> float:
    return _snapped(where[among].mean()) if among.any() else 0.0


def _report(trial: Trial, tables: np.ndarray, again: bool) -> np.ndarray:
    ids, p = trial.ids, trial.p
    masked, targets = tables
    words, changed = ids > MASK, masked != ids
    chosen = changed & words
    facts = {
        "masked": _share(masked == MASK, words),
        "replaced": _share(chosen & (masked != MASK), words),
        "asked": _held(targets, ids, chosen),
        "quiet words": _held(targets, ids, words & ~changed),
        "quiet rest": _held(targets, ids, ~words & ~changed),
        "sign": _held(masked, ids, chosen),
    }
    for name, number in SPECIAL.items():
        facts[name] = _share(changed, ids == number)
    if 0 < p < 1:
        facts |= _pattern(trial, chosen) | {"again": float(again)}
    return np.array([facts.get(name, 0.0) for name in FACTS])


def _held(table: np.ndarray, ids: np.ndarray, where: np.ndarray) -> float:
    """The one number that stands there, or THE_IDS, or MIXED."""
    if not where.any():
        return 0.0
    held = table[where]
    if np.array_equal(held, ids[where]):
        return THE_IDS
    return float(held[0]) if np.all(held == held[0]) else MIXED


def _pattern(trial: Trial, chosen: np.ndarray) -> dict[str, float]:
    """How the choice hangs together: over rows, words and neighbors."""
    ids, words = trial.ids, trial.ids > MASK
    share = chosen[words].mean()
    if share in (0.0, 1.0):
        return {}
    columns = range(1, 12)  # no sentence is shorter
    lines = {
        "columns": [chosen[words[:, c], c] for c in columns],
        "rows": [row[w] for row, w in zip(chosen, words, strict=True)],
        "types": [chosen[ids == word] for word in WORDS],
    }
    facts = {
        name: float(all(len(set(one)) < 2 for one in parts))
        for name, parts in lines.items()
    }
    pairs = chosen[:, :-1] & words[:, 1:]
    after = chosen[:, 1:][pairs].mean() if pairs.any() else 0.0
    front = chosen[:, 1:5][words[:, 1:5]].mean()
    back = chosen[_last(words)].mean()
    if trial.p < 0.3:
        near, apart = after > share + _FAR, after < share - _FAR
        facts["lumps"] = float(near) - float(apart)
    facts["place"] = float(
        1 if front > share + _FAR else 2 if back > share + _FAR else 0
    )
    return facts


def _last(words: np.ndarray) -> np.ndarray:
    """The last four words of each row."""
    behind = words[:, ::-1].cumsum(axis=1)[:, ::-1]
    return words & (behind <= 4)
