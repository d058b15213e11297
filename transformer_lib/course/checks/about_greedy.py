"""The exercise `greedy(model, src, ...)` and the wrong answers it knows."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import torch

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.greedy_cases import CASES, INPUTS, decoded
from transformer_lib.course.checks.greedy_mistakes import MISTAKES

__all__ = ["EXERCISE", "greedy"]


def greedy(function: Any) -> Verdict:
    """Check a function `greedy(model, src, bos, eos, pad, max_len)`.

    Each step hands the whole prefix to the model and writes, for each
    sentence, the token with the highest score behind the last position. A
    sentence that has written <eos> gets <pad>; the loop ends when all have,
    or after max_len tokens.

    Args:
        function: takes a model, called as `model(src, tgt)`, which gives
            (B, T, V) scores; src (B, S) ids, the three special ids and
            max_len. Returns (B, L) ids, <bos> left out and <eos> kept, L the
            number of steps. Tensors, arrays and lists are accepted.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: the definition of a greedy search. Chapter 14.
    """
    return judge(EXERCISE, _with_tensors(function))


def _with_tensors(function: Any) -> Any:
    """Let a student's function get the source as a tensor."""
    if not callable(function):
        return function

    def run(*args: Any, **named: Any) -> Any:
        args = tuple(map(_tensor, args))
        named = {name: _tensor(value) for name, value in named.items()}
        return function(*args, **named)

    run.__wrapped__ = function  # for its first line, its body, its errors
    return run


def _tensor(value: Any) -> Any:
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    _, _, bos, eos, pad, max_len = case.args
    facts = {"bos": bos, "eos": eos, "pad": pad, "max_len": max_len, "row": 0}
    facts["columns"] = got.shape[1] if got.ndim == 2 else "other"
    if got.ndim == 2 and len(got) == len(want):
        width = min(got.shape[1], want.shape[1])
        wrong = np.argwhere(got[:, :width] != want[:, :width])
        if len(wrong):
            row, column = wrong[0]
            facts["row"] = row
            facts["came"] = number(got[row, column])
            facts["wanted"] = number(want[row, column])
        else:
            longer = (got[:, width:] != pad).any(axis=1)
            facts["row"] = int(longer.argmax())
    return facts


def _whole(probe: Probe) -> str | None:
    """Ids are whole numbers."""
    if probe.got.kind != ARRAY or probe.got.whole:
        return None
    return (
        "The first thing that breaks: ids are whole numbers, and yours are "
        "not. Did you return scores?"
    )


def _once(probe: Probe) -> str | None:
    """Behind <eos> there is only <pad>."""
    if probe.got.kind != ARRAY or probe.got.array.ndim != 2:
        return None
    _, _, _, eos, pad, _ = probe.args
    for i, row in enumerate(probe.got.array.tolist()):
        behind = row[row.index(eos) + 1 :] if eos in row else []
        if any(token != pad for token in behind):
            return (
                f"The first thing that breaks: in row {i} something other "
                "than <pad> stands behind <eos>."
            )
    return None


def _show_inputs(args: tuple) -> str:
    _, src, bos, eos, pad, max_len = args
    return (
        f"src = {src.tolist()}, bos = {bos}, eos = {eos}, pad = {pad}, "
        f"max_len = {max_len}; the model is one of the check's own, a fixed "
        "rule on the source and the whole prefix"
    )


with suppress(RuntimeError):
    torch.tensor(0)  # the first tensor is slow; do not let an answer wait

EXERCISE = Exercise(
    name="greedy",
    inputs=INPUTS,
    asked="`greedy(model, src, bos, eos, pad, max_len)` writes for each "
    "sentence of the batch the best next token, again and again, beginning "
    "after <bos>; `model(src, tgt)` gives scores of shape (B, T, V). Returned "
    "are the ids written, (B, L): without <bos>, with <eos>, <pad> behind it. "
    "It ends when all sentences have <eos>, or after max_len tokens.",
    praise="Your tokens agree with the reference for one sentence and for "
    "several, for sentences that end early, late, at once and not at all, "
    "and for other ids of <bos>, <eos> and <pad>.",
    cases=CASES,
    solve=decoded,
    catalogue=MISTAKES,
    properties=(shape, finite, _whole, _once),
    hints=(
        "Four things a step: ask the model with the whole prefix, take the "
        "scores behind the last position, find the best token of each row, "
        "join it to the prefix.",
        "A mark for each sentence says whether it has written <eos>. Before "
        "joining, the new tokens of marked sentences become <pad>; after it, "
        "new marks are set; if all are set, the loop ends. The column with "
        "<bos> is left out of the result.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
)
