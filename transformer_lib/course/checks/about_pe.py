"""The exercise `pe(n, d)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    same,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.pe_mistakes import MISTAKES
from transformer_lib.course.checks.pe_variants import encoded

__all__ = ["EXERCISE", "pe"]


def pe(function: Any) -> Verdict:
    r"""Check a function `pe(n, d)`.

    $$PE_{pos,2i} = \sin(pos / 10000^{2i/d}), \quad
      PE_{pos,2i+1} = \cos(pos / 10000^{2i/d})$$

    for pos = 0, ..., n - 1, where i counts the pairs of columns.

    Args:
        function: takes n, the number of positions, and d, the number of
            columns, even; returns an array of shape (n, d). Lists and
            tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    return judge(EXERCISE, function)


_CASES = (
    Case("book", (4, 4)),
    Case("wide", (5, 8)),
    Case("one pair", (3, 2)),
    Case("long", (101, 16)),
    Case("uneven", (7, 6)),
    Case("one position", (1, 6)),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Where the table is wrong first, and what stands there."""
    n, d = case.args
    facts = {"shape": got.shape, "n": n, "d": d, "pairs": d // 2}
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        row, column = (int(index) for index in wrong[0])
        came, wanted = apart(got[row, column], want[row, column])
        facts |= {"came": came, "wanted": wanted}
        facts |= {"row": row, "column": column}
    return facts


def _table(probe: Probe) -> bool:
    got, want = probe.got, probe.want
    return got.kind == ARRAY and got.array.shape == want.array.shape


def _first_row(probe: Probe) -> str | None:
    """Position 0: every angle is 0."""
    if not _table(probe):
        return None
    first = probe.got.array[0]
    for column, entry in enumerate(first):
        if not np.isclose(entry, column % 2, atol=1e-4):
            return (
                "The first thing that breaks: at position 0 all angles are "
                "0, so its row must read 0, 1, 0, 1, ... Yours has "
                f"{number(entry)} in column {column}."
            )
    return None


def _on_circles(probe: Probe) -> str | None:
    """Sine and cosine of one angle: the squares sum to 1."""
    if not _table(probe):
        return None
    squares = probe.got.array[:, 0::2] ** 2 + probe.got.array[:, 1::2] ** 2
    wrong = np.argwhere(~np.isclose(squares, 1, atol=1e-3))
    if not len(wrong):
        return None
    row, pair = (int(index) for index in wrong[0])
    return (
        "The first thing that breaks: columns "
        f"{2 * pair} and {2 * pair + 1} must be sine and cosine of the same "
        "angle, so their squares sum to 1. At position "
        f"{row} the sum of yours is {number(squares[row, pair])}."
    )


def _longer(probe: Probe) -> str | None:
    """A longer table begins with the shorter one."""
    if not _table(probe):
        return None
    n, d = probe.args
    more = probe.call((n + 3, d))
    if more.kind != ARRAY or more.array.shape != (n + 3, d):
        return None
    tolerance = 100 * probe.got.tolerance
    if same(more.array[:n], probe.got.array, tolerance):
        return None
    return (
        "The first thing that breaks: a table of more positions must begin "
        "with the same rows, and yours changes. The number of positions has "
        "no part in the angles."
    )


def _speeds(probe: Probe) -> str | None:
    """At position 1 the angles are the speeds themselves."""
    if not _table(probe) or probe.args[0] < 2:
        return None
    _, d = probe.args
    angles = np.arctan2(probe.got.array[1, 0::2], probe.got.array[1, 1::2])
    wanted = 10000.0 ** (-np.arange(0, d, 2) / d)
    wrong = np.flatnonzero(~np.isclose(angles, wanted, rtol=1e-3, atol=1e-6))
    if not len(wrong):
        return None
    pair = int(wrong[0])
    return (
        f"The first thing that breaks: from one position to the next, pair "
        f"{pair} of {d // 2} turns by {number(angles[pair], 6)}. It should "
        f"turn by 1 divided by 10000 to the power {2 * pair}/{d}."
    )


EXERCISE = Exercise(
    name="pe",
    inputs=("n", "d"),
    asked="`pe(n, d)` returns a table of shape (n, d): a row for each "
    "position 0, ..., n - 1. Columns 2i and 2i + 1 hold the sine and the "
    "cosine of the position divided by 10000 to the power 2i/d, where i "
    "counts the pairs from 0.",
    praise="Your tables agree with the reference for one pair and for many, "
    "for one position and for a hundred.",
    cases=_CASES,
    solve=encoded,
    catalogue=MISTAKES,
    properties=(shape, finite, _first_row, _on_circles, _longer, _speeds),
    hints=(
        "Do it on paper for two rows of four: row 0 is 0, 1, 0, 1, and row 1 "
        "holds sine and cosine of 1, then sine and cosine of 1/100. Which "
        "row and which column of your table differs first?",
        "Make the angles first: one for each position and each *pair*, a "
        "table of shape (n, d/2). Its sines go into the columns 0, 2, 4, "
        "..., its cosines into 1, 3, 5, ...",
    ),
    facts=_facts,
    show_inputs=lambda args: f"n = {args[0]}, d = {args[1]}",
)
