"""The exercise `mask_tokens(ids, p)` and the wrong answers it knows.

What is drawn at random cannot be compared number by number. So an answer is
called on large tables, and a report of it is compared: shares, rounded to
twentieths, and yes-or-no facts. With 11,000 words a share of 0.25 has a
standard deviation of 0.004, and the next twentieth begins 0.025 away, six of
them: by chance a right answer misses once in some hundred million calls. The
common generators are seeded, so most answers get the same verdict each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import Probe, finite
from transformer_course.checks.engine.reading import (
    ARRAY,
    Answer,
    number,
    read,
)
from transformer_course.checks.engine.verdict import Verdict
from transformer_lib.special_tokens import BOS, EOS, PAD, UNK

__all__ = ["EXERCISE", "mask_tokens"]


def mask_tokens(function: Any) -> Verdict:
    """Check a function `mask_tokens(ids, p)`.

    Ids 0 to 3 are <pad>, <bos>, <eos> and <unk>, 4 is <mask>, words begin at
    5. Each word is chosen with probability p, by a draw of its own; special
    tokens never. A chosen word becomes 4; the targets hold the word there,
    and 0 everywhere else.

    The answer is random, so the check looks at laws over large tables. As
    many words of the whole table as p asks for, drawn at random, is accepted
    too; a fixed count in each sentence is not.

    Args:
        function: takes ids, a tensor (B, T) or, where there is no torch, an
            array, and p from 0 to 1; returns the pair (masked ids, targets),
            both (B, T), as tensors, arrays or lists. It may draw from any
            generator; those of torch, NumPy and Python are seeded for the
            time of the check.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Devlin et al. 2019, section 3.1 (Task 1), without its 80/10/10.
    Chapter 19.
    """
    return judge(EXERCISE, function)


def solution(ids, p):
    ids = np.asarray(ids)
    words = ids > 4
    drawn = np.random.random(ids.shape) < p
    chosen = drawn & words
    masked = np.where(chosen, 4, ids)
    targets = np.where(~chosen, 0, ids)
    return masked, targets


def other_words(ids):
    return 5 + (ids - 5 + np.random.randint(1, 20, ids.shape)) % 20


def torch_rand(size):
    """Few draws of torch's generator, whose numbers others do not give."""
    torch = _torch()
    return torch.rand(size).numpy() if torch else np.random.random(size)


# --------------------------------------------------------------- the tables

MASK = 4
SPECIAL = {"<pad>": PAD, "<bos>": BOS, "<eos>": EOS, "<unk>": UNK}
WORDS = range(5, 25)  # the ids that may be chosen
MOST = 20  # words of the longest sentence


def _sentences(seed: int, rows: int, shortest: int) -> np.ndarray:
    """Sentences of words between <bos> and <eos>, some with an <unk>."""
    draw = np.random.default_rng(seed)
    ids = np.zeros((rows, MOST + 2), dtype=np.int64)
    for row in ids:
        length = int(draw.integers(shortest, MOST + 1))
        row[1 : length + 1] = draw.choice(WORDS, size=length)
        if draw.random() < 0.4:
            row[int(draw.integers(1, length + 1))] = UNK
        row[0], row[length + 1] = BOS, EOS
    return ids


MANY = _sentences(1, 720, 12)
WITH_MASK = MANY.copy()  # only where nothing is left to chance
WITH_MASK[1, 3] = MASK
FEW = _sentences(2, 4, 8)
CASES = (
    Case("everything", (WITH_MASK, 1.0)),
    Case("a quarter", (MANY, 0.25)),
    Case("a half", (MANY[::-1].copy(), 0.5)),
    Case("nothing", (MANY, 0.0)),
    Case("one sentence", (FEW[:1], 1.0), basic=False),  # shares are chance
)

# --------------------------------------------------------------- the report

THE_IDS, MIXED = 1000.0, -1000.0  # signs for what a table holds
FAR = 0.12  # how far from p a share is no chance (ten deviations)
_STAYS = "the share {came} of %s is changed; all of it must stay."
# The numbers of a report, and what is said where one is not as wanted.
FACTS = {
    "masked": "the share {came} of the words becomes 4, and {wanted} is "
    "wanted.",
    "replaced": "the share {came} of the words becomes something other than 4.",
    "<pad>": _STAYS % "the padding",
    "<bos>": _STAYS % "all <bos>",
    "<eos>": _STAYS % "all <eos>",
    "<unk>": _STAYS % "all <unk>",
    # What the targets hold, and what stands in the place of chosen words:
    "asked": "at the masked places your targets do not always hold the word "
    "that was there.",
    "quiet words": "at words that are not masked your targets do not hold 0.",
    "quiet rest": "at special tokens and padding your targets do not hold 0.",
    "sign": "what stands in place of the chosen words is not always 4.",
    # 1 where the choice hangs together:
    "columns": "the same columns are chosen in every sentence.",
    "rows": "sentences are chosen as a whole, or not at all.",
    "again": "a second call chooses the same places as the first.",
    "types": "all occurrences of a word are treated alike.",
    # 1: side by side, -1: never; 1: at the front of rows, 2: at the end:
    "lumps": "chosen words stand side by side more often, or less often, "
    "than by chance.",
    "place": "words at one end of the sentence are chosen more often.",
    # 1 where sentences lose more alike than by chance:
    "counts": "all sentences lose nearly the same share of their words; with "
    "a draw for each word some lose many and others few.",
}


def play(answer: Callable, ids: np.ndarray, p: float) -> Any:
    """Call an answer and report on it.

    Args:
        answer: takes ids (B, T) and p.
        ids: the table; if the answer writes into it, that shows.
        p: the share.

    Returns:
        The report, one number for each of FACTS; or, if it cannot be made,
        zeros in the shape that came, or what was returned.
    """
    before = ids.copy()
    returned = _called(answer, ids, p, seed=1)
    tables = _read(returned).array
    if tables is None:
        return returned
    if tables.shape != (2, *ids.shape):
        return np.zeros(tables.shape)
    facts = _held_and_changed(before, *tables)
    if 0 < p < 1:
        chosen = (tables[0] != before) & (before > MASK)
        facts |= _pattern(before, p, chosen)
        facts["again"] = float(_same_again(answer))
    return np.array([facts.get(name, 0.0) for name in FACTS])


def _called(answer: Callable, ids: np.ndarray, p: float, seed: int) -> Any:
    torch = _torch()
    table = torch.from_numpy(ids) if torch else ids
    with _seeded(seed):
        return call_by_position_or_name(answer, (table, p), EXERCISE.inputs)


@cache
def _torch() -> ModuleType | None:
    """torch, loaded when the first answer is judged; None without it."""
    with suppress(ImportError):
        return import_module("torch")
    return None


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Fix all common generators for a while, and put them back."""
    torch = _torch()
    kept = np.random.get_state(), random.getstate()
    drawn = torch.get_rng_state() if torch else None
    np.random.seed(seed)
    random.seed(seed)
    if torch:
        torch.manual_seed(seed)
    try:
        yield
    finally:
        np.random.set_state(kept[0])
        random.setstate(kept[1])
        if torch:
            torch.set_rng_state(drawn)


def _read(returned: Any) -> Answer:
    """As `reading.read`, and fast for long lists."""
    if isinstance(returned, (list, tuple)) and len(returned) < 4:
        with suppress(Exception):
            returned = [
                np.array(table) if isinstance(table, (list, tuple)) else table
                for table in returned
            ]
    return read(returned)


def _same_again(answer: Callable) -> bool:
    """Whether three calls on a small table choose the same places."""
    seen = [
        _read(_called(answer, FEW.copy(), 0.5, seed)).array
        for seed in (2, 3, 4)
    ]
    return all(
        one is not None
        and one.shape == (2, *FEW.shape)
        and (one[0] != FEW).any()
        and np.array_equal(one[0], seen[0][0])
        for one in seen
    )


def _held_and_changed(
    ids: np.ndarray, masked: np.ndarray, targets: np.ndarray
) -> dict[str, float]:
    """The shares that were changed, and what the tables hold."""
    words, changed = ids > MASK, masked != ids
    chosen = changed & words
    return {
        "masked": _share(masked == MASK, words),
        "replaced": _share(chosen & (masked != MASK), words),
        "asked": _held(targets, ids, chosen),
        "quiet words": _held(targets, ids, words & ~changed),
        "quiet rest": _held(targets, ids, ~words & ~changed),
        "sign": _held(masked, ids, chosen),
    } | {name: _share(changed, ids == i, 4) for name, i in SPECIAL.items()}


def _share(where: np.ndarray, among: np.ndarray, parts: int = 20) -> float:
    """A share in twentieths; only nothing is 0 and only all is 1.

    There are too few special tokens for that: their shares are in quarters.
    """
    share = where[among].mean() if among.any() else 0.0
    if share in (0.0, 1.0):
        return float(share)
    return float(min(max(round(parts * share), 1), parts - 1) / parts)


def _held(table: np.ndarray, ids: np.ndarray, where: np.ndarray) -> float:
    """The one number that stands there, or THE_IDS, or MIXED."""
    if not where.any():
        return 0.0
    held = table[where]
    if np.array_equal(held, ids[where]):
        return THE_IDS
    return float(held[0]) if np.all(held == held[0]) else MIXED


def _pattern(ids: np.ndarray, p: float, chosen: np.ndarray) -> dict[str, float]:
    """How the choice hangs together: over rows, words and neighbors."""
    words = ids > MASK
    share = chosen[words].mean()
    if share in (0.0, 1.0):
        return {}
    lines = {  # no sentence has fewer than eleven words
        "columns": [chosen[words[:, c], c] for c in range(1, 12)],
        "rows": [row[w] for row, w in zip(chosen, words, strict=True)],
        "types": [chosen[ids == word] for word in WORDS],
    }
    facts = {
        name: float(all(len(set(one)) < 2 for one in parts))
        for name, parts in lines.items()
    }
    if p < 0.3:
        pairs = chosen[:, :-1] & words[:, 1:]
        after = chosen[:, 1:][pairs].mean() if pairs.any() else 0.0
        facts["lumps"] = _beyond(after, share) - _beyond(-after, -share)
    left = chosen.sum(axis=1) - share * words.sum(axis=1)
    by_chance = share * (1 - share) * words.sum(axis=1)
    facts["counts"] = float((left**2).sum() < 0.6 * by_chance.sum())
    behind = words[:, ::-1].cumsum(axis=1)[:, ::-1]
    front = chosen[:, 1:5][words[:, 1:5]].mean()
    back = chosen[words & (behind <= 4)].mean()
    facts["place"] = _beyond(front, share) or 2 * _beyond(back, share)
    return facts


def _beyond(one: float, share: float) -> float:
    return float(one > share + FAR)


# ----------------------------------------------------------------- in words


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Words for the messages, read from the report."""
    facts = {"p": number(case.args[1])}
    if not _is_report(got):
        return facts
    report = dict(zip(FACTS, got.tolist(), strict=True))
    specials = [f"{_percent(report[name])} of {name}" for name in SPECIAL]
    return facts | {
        "masked": "about " + number(report["masked"]),
        "pad": _percent(report["<pad>"]),
        "sign": _said(report["sign"]),
        "quiet": _said(report["quiet words"]),
        "specials": ", ".join(specials[1:]),
    }


def _is_report(array: np.ndarray) -> bool:
    return array.shape == (len(FACTS),)


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _said(value: float) -> str:
    """What a table holds, in words."""
    signs = {THE_IDS: "the words", MIXED: "several numbers"}
    return signs.get(value, number(value))


def _two_tables(probe: Probe) -> str | None:
    """Two tables of the shape of ids came back."""
    got, ids = probe.got, probe.args[0]
    if got.kind != ARRAY or _is_report(got.array):
        return None
    return (
        "Two tables of the shape of ids are wanted, together an array of "
        f"shape {(2, *ids.shape)}; yours has shape {got.array.shape}."
    )


def _first_difference(probe: Probe) -> str | None:
    """Name the first fact of the report that is not as wanted."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or not _is_report(got.array):
        return None
    rows = zip(FACTS.values(), got.array, want.array, strict=True)
    for sentence, came, wanted in rows:
        if came != wanted:
            said = sentence.format(came=number(came), wanted=number(wanted))
            p = probe.args[1]
            return f"The first thing that breaks, with p = {p:g}: {said}"
    return None


def _show_inputs(args: tuple) -> str:
    ids, p = args
    name = "sentences" if len(ids) > 1 else "one sentence"
    first = " ".join(map(str, ids[0]))
    return f"p = {p:g}, ids = {name} of shape {ids.shape}; row 0 is {first}"


def _in_words(verdict: Verdict, answer: Any) -> Verdict:
    """Put the reports of an example in words, and explain one error."""
    if "bitwise_and" in verdict.message:  # of a number and a table
        advice = (
            " `&` binds more tightly than `<` and `>`: put each of the two "
            "comparisons in brackets."
        )
        verdict = replace(verdict, message=verdict.message + advice)
    if verdict.example is None:
        return verdict
    example = replace(
        verdict.example,
        expected=_report_in_words(verdict.example.expected),
        received=_report_in_words(verdict.example.received),
    )
    return replace(verdict, example=example)


def _report_in_words(text: str) -> str:
    """A report as `reading.show` writes it, in words; else the text."""
    inside = text.removeprefix("[").removesuffix("]")
    try:
        numbers = [float(part) for part in inside.split(",")]
    except ValueError:
        return text
    if len(numbers) != len(FACTS):
        return text
    report = dict(zip(FACTS, numbers, strict=True))
    lines = [
        f"words that became 4: {_percent(report['masked'])}, something "
        f"else: {_percent(report['replaced'])}",
        "changed of "
        + ", ".join(f"{name} {_percent(report[name])}" for name in SPECIAL),
        f"targets at the chosen words: {_said(report['asked'])}, at the "
        f"others: {_said(report['quiet words'])}",
    ]
    found = [words for name, words in PATTERNS.items() if report[name]]
    return "\n".join(lines + found)


PATTERNS = {
    "columns": "the same places in every sentence",
    "rows": "whole sentences",
    "again": "the same places at each call",
    "types": "all occurrences of a word alike",
    "lumps": "chosen words side by side too often, or never",
    "place": "more at one end of the sentence",
}


EXERCISE = Exercise(
    name="mask_tokens",
    inputs=("ids", "p"),
    asked="`mask_tokens(ids, p)` chooses each word of the table `ids` with "
    "probability p and returns two tables of the same shape: the ids with a "
    "4 at the chosen places, and the targets, which hold the chosen words in "
    "their places and 0 everywhere else. Ids 0 to 4 are never chosen. What is "
    "drawn cannot be compared number by number, so a report on your tables "
    "is (shares to the nearest 5 %).",
    praise="Your masks obey every law: the right share, words only, a new "
    "draw for each place and each call, targets where something is hidden "
    "and nowhere else.",
    cases=CASES,
    draw=lambda seed: Case("one more", (_sentences(seed, 6, 8), 1.0)),
    solve=Reference(solution),
    properties=(_two_tables, finite, _first_difference),
    hints=(
        "Three lines: a table of True and False, the ids with some places "
        "overwritten, the targets with the other places overwritten.",
        "The table is true where an even random number is below p and the id "
        "is above 4. Tensors have a method masked_fill, which writes a "
        "number wherever such a table is true; a tilde turns the table "
        "around.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
    play=play,
    finish=_in_words,
    most_combined=100,
)
