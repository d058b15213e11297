"""The exercise `teacher_forcing`: what is read and what is to be said."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import is_function
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.teacher_forcing_mistakes import MISTAKES

__all__ = ["EXERCISE", "shifted", "teacher_forcing"]


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
    return judge(EXERCISE, _with_gaps_filled(function))


def _with_gaps_filled(function: Any) -> Any:
    """Turn rows of unequal length into tables, so that they can be named."""
    if not is_function(function):
        return function

    @functools.wraps(function)
    def wrapped(*args, **named):
        result = function(*args, **named)
        try:
            return _filled(result)
        except Exception:  # whatever it is, the check says so
            return result

    return wrapped


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


def shifted(
    sentences: list,
    bos: int,
    eos: int,
    pad: int,
    *,
    reads: str = "bos words",
    says: str = "words eos",
    fill: str = "right",
    ids: str = "given",
    layout: str = "two tables",
    words: str = "all",
    order: str = "given",
) -> Any:
    """Inputs and targets, or a wrong variant; the defaults are right."""
    bos, eos, pad = _IDS[ids](bos, eos, pad)
    kept = [_WORDS[words](list(s)) for s in _ORDER[order](sentences)]
    if fill == "words first":
        longest = max(map(len, kept))
        kept = [w + [pad] * (longest - len(w)) for w in kept]
    rows_in = [_ROW[reads](w, bos, eos) for w in kept]
    rows_out = [_ROW[says](w, bos, eos) for w in kept]
    tables = [rows_in, rows_out]
    longest = max(len(row) for table in tables for row in table)
    short = min(len(row) for table in tables for row in table)
    if fill == "one more":
        longest += 1
    if reads == "all but the last column":
        longest -= 1
    signs = {"with eos": eos, "with bos": bos, "nothing": float("nan")}
    done = [
        [
            _lengthened(row, longest, short, signs.get(how, pad), how)
            for row in table
        ]
        for table, how in zip(
            tables, _BOTH.get(fill, (fill, fill)), strict=True
        )
    ]
    return _LAYOUT[layout](*done)


def _lengthened(
    row: list, longest: int, short: int, sign: float, fill: str
) -> list:
    gap = [sign] * (longest - len(row))
    if fill == "after the first":
        return row[:1] + gap + row[1:]
    if fill == "left":
        return gap + row
    if fill == "cut":
        return row[:short]
    return (row + gap)[:longest]


_ROW = {
    "bos words": lambda w, b, e: [b, *w],
    "words eos": lambda w, b, e: [*w, e],
    "words": lambda w, b, e: [*w],
    "bos words eos": lambda w, b, e: [b, *w, e],
    "all but the last column": lambda w, b, e: [b, *w, e],
    "eos words": lambda w, b, e: [e, *w],
    "bos words, last lost": lambda w, b, e: [b, *w[:-1]],
    "later words eos": lambda w, b, e: [*w[1:], e],
    "words eos eos": lambda w, b, e: [*w, e, e],
    "words bos": lambda w, b, e: [*w, b],
    "later words eos eos": lambda w, b, e: [*w[1:], e, e],
}
_IDS = {
    "given": lambda b, e, p: (b, e, p),
    "own": lambda b, e, p: (1, 2, 0),
    "own pad": lambda b, e, p: (b, e, 0),
    "bos for eos": lambda b, e, p: (b, b, p),
    "exchanged": lambda b, e, p: (e, b, p),
}
_WORDS = {
    "all": lambda w: w,
    "reversed": lambda w: w[::-1],
    "distinct": lambda w: list(dict.fromkeys(w)),
    "sorted": sorted,
}
_ORDER = {
    "given": lambda s: s,
    "short first": lambda s: sorted(s, key=len),
    "long first": lambda s: sorted(s, key=len, reverse=True),
    "only the first": lambda s: s[:1],
}
# Two ways to fill up, one for each table.
_BOTH = {
    "targets with eos": ("right", "with eos"),
    "targets not": ("right", "nothing"),
    "after bos": ("after the first", "left"),
}
_LAYOUT = {
    "two tables": lambda i, o: [i, o],
    "exchanged": lambda i, o: [o, i],
    "pairs": lambda i, o: [list(p) for p in zip(i, o, strict=True)],
    "columns": lambda i, o: [
        list(map(list, zip(*t, strict=True))) for t in (i, o)
    ],
    "inputs": lambda i, o: i,
    "targets": lambda i, o: o,
    "side by side": lambda i, o: [a + b for a, b in zip(i, o, strict=True)],
}

_CASES = (
    Case("three", ([[5, 6, 7], [8], [9, 4]], 1, 2, 0)),
    Case("other ids", ([[20, 21], [22, 23, 24, 25]], 7, 8, 9)),
    Case("repeated", ([[6, 6, 5, 6], [6, 5], [5, 4, 4]], 2, 3, 1)),
    Case("equal", ([[7, 4], [6, 5], [9, 8]], 1, 2, 0)),
    Case("one", ([[11, 12, 10]], 3, 4, 5)),
    Case("no words", ([[5, 6], []], 1, 2, 0), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Words for the messages: a row of each table."""
    sentences, bos, eos, pad = case.args
    facts = {"bos": bos, "eos": eos, "pad": pad, "shape": got.shape}
    facts["wanted_shape"] = want.shape
    if got.ndim == 3 and got.shape[:2] == want.shape[:2]:
        wrong = 0
        if got.shape == want.shape:
            wrong = int(np.argmax((got != want).any(axis=(0, 2))))
        facts["reads"], facts["says"] = (_row(got[t, wrong]) for t in (0, 1))
        facts["words"] = ", ".join(map(str, sentences[wrong]))
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
    sentences, bos, eos, pad = args
    return f"sentences = {sentences}, bos = {bos}, eos = {eos}, pad = {pad}"


EXERCISE = Exercise(
    name="teacher_forcing",
    inputs=("sentences", "bos", "eos", "pad"),
    asked="`teacher_forcing(sentences, bos, eos, pad)` returns two tables, "
    "inputs and targets, with a row for each sentence: the inputs are bos and "
    "the words, the targets are the words and eos, and both are filled up "
    "with pad on the right to the same length.",
    praise="Your tables agree with the reference: each target stands one "
    "place before its word is read, and only padding follows.",
    cases=_CASES,
    solve=shifted,
    catalogue=MISTAKES,
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
    facts=_facts,
    show_inputs=_show,
)
