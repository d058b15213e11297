"""The exercise `teacher_forcing`: what is read and what is to be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import (
    Probe,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "teacher_forcing"]

INPUTS = ("sentences", "bos", "eos", "pad")


def teacher_forcing(function: Any) -> Verdict:
    """Check a function `teacher_forcing(sentences, bos, eos, pad)`.

    Inputs are bos w1 w2 ..., targets w1 w2 ... eos, both filled up with pad
    on the right to the same length.

    Args:
        function: takes B lists of ids and three ids; returns the pair
            (inputs, targets), two tables with B rows and one column more
            than the longest sentence has words. Lists, arrays and tensors
            are accepted as tables.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Williams and Zipser 1989. Chapter 12.
    """
    return judge(EXERCISE, function)


def solution(sentences, bos, eos, pad):
    inputs = []
    targets = []
    for sentence in sentences:
        words = list(sentence)
        inputs.append([bos, *words])
        targets.append([*words, eos])
    longest = max(map(len, inputs + targets))
    for read in inputs:
        read += [pad] * (longest - len(read))
    for said in targets:
        said += [pad] * (longest - len(said))
    return inputs, targets


def _play(answer: Callable, *args: Any) -> Any:
    """Call, and fill up rows of unequal length, so that they can be named."""
    result = call_by_position_or_name(answer, args, INPUTS)
    try:
        return _filled(result)
    except Exception:  # whatever it is, the check says so
        return result


def _filled(result: Any) -> Any:
    """Lists of rows of unequal length, filled up with nan."""
    tables = [[[float(v) for v in row] for row in table] for table in result]
    lengths = {len(row) for table in tables for row in table}
    if len(lengths) < 2:
        return result
    top = max(lengths)
    return [
        [row + [float("nan")] * (top - len(row)) for row in table]
        for table in tables
    ]


CASES = (
    Case("three", ([[5, 6, 7], [8], [9, 4]], 1, 2, 0)),
    Case("other ids", ([[20, 21], [22, 23, 24, 25]], 7, 8, 9)),
    Case("repeated", ([[6, 6, 5, 6], [6, 5], [5, 4, 4]], 2, 3, 1)),
    Case("equal", ([[7, 4], [6, 5], [9, 8]], 1, 2, 0)),
    Case("one", ([[11, 12, 10]], 3, 4, 5)),
    Case("no words", ([[5, 6], []], 1, 2, 0), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Words for the messages: a row of each table."""
    facts = dict(zip(INPUTS, case.args, strict=True))
    facts |= {"shape": got.shape, "wanted_shape": want.shape}
    if got.ndim == 3 and got.shape[:2] == want.shape[:2]:
        wrong = 0
        if got.shape == want.shape:
            wrong = int(np.argmax((got != want).any(axis=(0, 2))))
        facts["reads"], facts["says"] = (_row(got[t, wrong]) for t in (0, 1))
        facts["words"] = ", ".join(map(str, facts["sentences"][wrong]))
    return facts


def _row(values: np.ndarray) -> str:
    return " ".join("-" if v != v else f"{v:g}" for v in values)


def _shift(probe: Probe) -> str | None:
    """What is said at a place is read at the next."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    sentences = probe.args[0]
    reads, says = got.array
    for row, sentence in enumerate(sentences):
        n = len(sentence)
        if not np.array_equal(reads[row, 1 : n + 1], says[row, :n]):
            return (
                "The first thing that breaks: what is to be said at one place "
                f"must be read at the next. In row {row} you read "
                f"{_row(reads[row])} and say {_row(says[row])}."
            )
    return None


def _turned(args: tuple) -> tuple:
    sentences, *ids = args
    return (sentences[::-1], *ids)


def _show(args: tuple) -> str:
    pairs = zip(INPUTS, args, strict=True)
    return ", ".join(f"{name} = {value}" for name, value in pairs)


NO_WORDS = Mistake(
    "no_words",
    "A sentence without words makes your function stumble. It is short, "
    "but real: bos is read, eos is said.",
    "Which line needs a first or a last word?",
    matches=lambda answers: answers["no words"].kind != ARRAY,
    on="no words",
)


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    sentences = [draw.integers(5, 40, size=n).tolist() for n in (3, 1, 4)]
    return Case("one more", (sentences, 1, 2, 0))


EXERCISE = Exercise(
    name="teacher_forcing",
    inputs=INPUTS,
    asked="`teacher_forcing(sentences, bos, eos, pad)` returns two tables, "
    "inputs and targets, with a row for each sentence: the inputs are bos and "
    "the words, the targets are the words and eos, and both are filled up "
    "with pad on the right to the same length.",
    praise="Your tables agree with the reference: each target stands one "
    "place before its word is read, and only padding follows.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
    properties=(
        shape,
        _shift,
        unmoved_by(
            _turned,
            lambda got, args: got[:, ::-1] if got.ndim > 1 else got,
            "The first thing that breaks: when the sentences come in reverse "
            "order, the rows must too, and yours do not.",
        ),
    ),
    hints=(
        "Write one sentence of three words on paper, twice, one row below "
        "the other. In each column stands what has just been read and what "
        "is to be said next.",
        "Both rows of a sentence have one place more than it has words. The "
        "longest sentence decides how long all rows become.",
    ),
    made_here=(NO_WORDS,),
    play=_play,
    facts=_facts,
    show_inputs=_show,
)
