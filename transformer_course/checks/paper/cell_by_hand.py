"""Numbers worked out on paper: follow one cell through split and merge."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "cell_by_hand"]


def cell_by_hand(value: Any) -> Verdict:
    """Check where cell 13 of a (1, 4, 6) array goes; everything from 0.

    Args:
        value: eight whole numbers. With three heads of width 2: head, row
            and column after the right split; head, row and column after a
            view alone; row and column in the result if the split is right
            and the merge is a reshape without transpose.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 7.
    """
    return judge_paper(PAPER, value)


def place_of(cell: int, array: np.ndarray) -> np.ndarray:
    """Where a number stands, from 0."""
    return np.argwhere(array == cell)[0]


PAPER = Paper.read(__file__, place_of)
