"""Masks worked out on paper: two Korean sentences in one batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "two_masks_by_hand"]


def two_masks_by_hand(value: Any) -> Verdict:
    """Check the masks of a batch with a sentence of 2 and one of 4 words.

    Three tables of 4 x 4 in this order: the encoder's mask of the short
    sentence (padding hidden), the decoder's mask of the short sentence
    (padding and later words hidden), the decoder's mask of the long one.
    1 stands for "may be looked at", 0 for "hidden".

    Args:
        value: three tables of four rows of four numbers.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 8.
    """
    return judge_paper(PAPER, value)


def columns(length: int, width: int) -> np.ndarray:
    """(width, width) 0 in the columns of the padding on the right, else 1."""
    return np.tile(1.0 * (np.arange(width) < length), (width, 1))


def triangle(width: int, more: int = 0) -> np.ndarray:
    """(width, width) 1 up to the diagonal, or so many places beyond."""
    return np.tri(width, k=more)


PAPER = Paper.read(__file__, columns, triangle)
