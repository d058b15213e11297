"""A table filled on paper: which Korean word takes from which English one."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "alignment_by_hand"]


def alignment_by_hand(value: Any) -> Verdict:
    """Check the table of weights for 나는 내일 여행을 간다.

    Rows are the four Korean words, columns the seven English words of "I am
    going on a trip tomorrow". A Korean word that stands for one English word
    gives it everything. One that stands for several gives half of its weight
    to the main word and the other half, in equal parts, to the helpers.

    Args:
        value: four rows of seven numbers, as nested lists or an array.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 1.
    """
    return judge_paper(PAPER, value)


def row(english: list[str], main: str, *helpers: str) -> np.ndarray:
    """Half of the weight for the main word, half for its helpers together."""
    weights = np.zeros(len(english))
    weights[english.index(main)] = 0.5 if helpers else 1.0
    for word in helpers:
        weights[english.index(word)] = 0.5 / len(helpers)
    return weights


PAPER = Paper.read(__file__, row)
