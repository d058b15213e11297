"""Worked out on paper: what a decoder reads and what it should say."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "three_shifts_by_hand"]


def three_shifts_by_hand(value: Any) -> Verdict:
    """Check the two tables of ids for three sentences of 4, 2 and 3 words.

    <pad> is 0, <bos> 1, <eos> 2; the words are (4, 5, 6, 7), (4, 7) and
    (5, 6, 7).

    Args:
        value: two tables of three rows and five columns, first what is read
            and then what is to be said.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 12.
    """
    return judge_paper(PAPER, value)


def filled(rows: Any, width: int, pad: int) -> np.ndarray:
    """Rows of ids, filled up on the right."""
    return np.array([[*row, *[pad] * (width - len(row))] for row in rows])


def to_the_right(rows: np.ndarray, pad: int) -> np.ndarray:
    """The same rows with their padding on the left."""
    return np.array([[*row[row == pad], *row[row != pad]] for row in rows])


PAPER = Paper.read(__file__, filled, to_the_right)
