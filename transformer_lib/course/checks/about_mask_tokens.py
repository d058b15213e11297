"""The exercise `mask_tokens(ids, p)` and the wrong answers it knows."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import (
    has_inputs,
    keyword_only,
    takes,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.preconditions import Misfit
from transformer_lib.course.checks.engine.properties import Probe, finite
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.engine.verdict import Example, Verdict
from transformer_lib.course.checks.mask_tokens_mistakes import MISTAKES
from transformer_lib.course.checks.mask_tokens_trial import (
    FACTS,
    MIXED,
    SPECIAL,
    THE_IDS,
    play,
    trials,
)
from transformer_lib.course.checks.mask_tokens_variants import masked

__all__ = ["EXERCISE", "mask_tokens"]

_NAMES = ("ids", "p")


def mask_tokens(function: Any) -> Verdict:
    """Check a function `mask_tokens(ids, p)`.

    Ids 0 to 3 are <pad>, <bos>, <eos> and <unk>, 4 is <mask>, words begin at
    5. Each word is chosen with probability p, by a draw of its own; special
    tokens never. A chosen word becomes 4; the targets hold the word there,
    and 0 everywhere else.

    The answer is random, so the check looks at laws over large tables: see
    `mask_tokens_trial`. As many words of each sentence as p asks for, drawn
    at random, is accepted too.

    Args:
        function: takes ids, a tensor (B, T), and p from 0 to 1; returns the
            pair (masked ids, targets), both (B, T), as tensors, arrays or
            lists. It may draw from any generator; those of torch, NumPy and
            Python are seeded for the time of the check.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Devlin et al. 2019, section 3.1 (Task 1), without its 80/10/10.
    Chapter 18.
    """
    # The first draw is slow; let no answer wait.
    torch.rand(2, generator=torch.Generator()).lt(0.5)
    verdict = judge(EXERCISE, _as_played(function))
    return dataclasses.replace(
        verdict,
        message=_on_brackets(verdict.message),
        example=_in_words(verdict.example),
    )


def _on_brackets(message: str) -> str:
    """Say what an error of `&` between a number and a table comes from."""
    if "bitwise_and" not in message:
        return message
    return message + (
        " `&` binds more tightly than `<` and `>`: put each of the two "
        "comparisons in brackets."
    )


def _in_words(example: Example | None) -> Example | None:
    """The reports of an example, line by line in words."""
    if example is None:
        return None
    return dataclasses.replace(
        example,
        expected=_report_in_words(example.expected),
        received=_report_in_words(example.received),
    )


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
    found = [words for name, words in _PATTERNS.items() if report[name]]
    return "\n".join(lines + found)


_PATTERNS = {
    "columns": "the same places in every sentence",
    "rows": "whole sentences",
    "again": "the same places at each call",
    "types": "all occurrences of a word alike",
    "lumps": "chosen words side by side too often, or never",
    "place": "more at one end of the sentence",
}


def _is_played(function: Any) -> bool:
    """True for a function of whole trials."""
    return has_inputs(function, EXERCISE.inputs)


def _as_played(function: Any) -> Any:
    """Turn a function of ids and p into one of trials."""
    if not callable(function) or _is_played(function):
        return function
    if not takes(function, _NAMES):
        return Misfit(function)

    def played(batch: Any) -> Any:
        return play(_called(function), batch)

    with contextlib.suppress(Exception):  # whose lines an error message shows
        played.__wrapped__ = function
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    played.__signature__ = inspect.Signature(
        [inspect.Parameter(name, kind) for name in EXERCISE.inputs]
    )
    return played


def _called(function: Callable) -> Callable:
    """The function with its inputs by position, or by name if it wants."""
    by_name = keyword_only(function) & set(_NAMES)

    def call(ids: Any, p: float) -> Any:
        given = dict(zip(_NAMES, (ids, p), strict=True))
        named = {name: given.pop(name) for name in by_name}
        return function(*given.values(), **named)

    return call


def _is_report(array: np.ndarray) -> bool:
    return array.shape == (len(FACTS),)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Words for the messages, read from the report."""
    facts = {"p": number(case.args[0].trial.p)}
    if not _is_report(got):
        return facts
    report = dict(zip(FACTS, got.tolist(), strict=True))
    facts["masked"] = "about " + number(report["masked"])
    facts["pad"] = _percent(report["<pad>"])
    facts["sign"] = _said(report["sign"])
    facts["quiet"] = _said(report["quiet words"])
    facts["specials"] = ", ".join(
        f"{_percent(report[name])} of {name}"
        for name in ("<bos>", "<eos>", "<unk>")
    )
    return facts


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _said(value: float) -> str:
    """What a table holds, in words."""
    signs = {THE_IDS: "the words", MIXED: "several numbers"}
    return signs.get(value, number(value))


def _two_tables(probe: Probe) -> str | None:
    """Two tables of the shape of ids came back."""
    got = probe.got
    if got.kind != ARRAY or _is_report(got.array):
        return None
    ids = probe.args[0].trial.ids
    return (
        "Two tables of the shape of ids are wanted, together an array of "
        f"shape {(2, *ids.shape)}; yours has shape {got.array.shape}."
    )


def _first_difference(probe: Probe) -> str | None:
    """Name the first fact of the report that is not as wanted."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or not _is_report(got.array):
        return None
    p = probe.args[0].trial.p
    for name, came, wanted in zip(FACTS, got.array, want.array, strict=True):
        if came != wanted:
            return f"The first thing that breaks, with p = {p:g}: " + _SAY[
                name
            ].format(came=number(came), wanted=number(wanted))
    return None


_STAYS = "the share {came} of %s is changed; all of it must stay."
_SAY = {
    "masked": "the share {came} of the words becomes 4, and {wanted} is "
    "wanted.",
    "replaced": "the share {came} of the words becomes something other than 4.",
    "<pad>": _STAYS % "the padding",
    "<bos>": _STAYS % "all <bos>",
    "<eos>": _STAYS % "all <eos>",
    "<unk>": _STAYS % "all <unk>",
    "asked": "at the masked places your targets do not always hold the word "
    "that was there.",
    "quiet words": "at words that are not masked your targets do not hold 0.",
    "quiet rest": "at special tokens and padding your targets do not hold 0.",
    "sign": "what stands in place of the chosen words is not always 4.",
    "columns": "the same columns are chosen in every sentence.",
    "rows": "sentences are chosen as a whole, or not at all.",
    "again": "a second call chooses the same places as the first.",
    "types": "all occurrences of a word are treated alike.",
    "lumps": "chosen words stand side by side more often, or less often, "
    "than by chance.",
    "place": "words at one end of the sentence are chosen more often.",
}


class _MaskExercise(Exercise):
    """An exercise that is judged by a report on its answer."""

    @property
    def signature(self) -> str:
        """The call as the chapter writes it."""
        return f"mask_tokens({', '.join(_NAMES)})"

    @property
    def student_inputs(self) -> tuple[str, ...]:
        """The inputs of one call."""
        return _NAMES


EXERCISE = _MaskExercise(
    name="mask_tokens",
    inputs=("batch",),
    asked="`mask_tokens(ids, p)` chooses each word of the table `ids` with "
    "probability p and returns two tables of the same shape: the ids with a "
    "4 at the chosen places, and the targets, which hold the chosen words in "
    "their places and 0 everywhere else. Ids 0 to 4 are never chosen. What is "
    "drawn cannot be compared number by number, so a report on your tables "
    "is (shares to the nearest 5 %).",
    praise="Your masks obey every law: the right share, words only, a new "
    "draw for each place and each call, targets where something is hidden "
    "and nowhere else.",
    cases=tuple(Case(name, (batch,)) for name, batch in trials()),
    solve=masked,
    catalogue=MISTAKES,
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
    show_inputs=lambda args: str(args[0]),
)
