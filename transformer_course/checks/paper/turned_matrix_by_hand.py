"""Numbers worked out on paper: layer norm of a transposed matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "turned_matrix_by_hand"]


def turned_matrix_by_hand(value: Any) -> Verdict:
    """Check layer norm of the first and the last row of the transpose.

    G is the transpose of the matrix H of chapter 6: four tokens with three
    features each, (1, 2, 3), (2, 2, 2), (3, 4, 5), (6, 8, 4). No eps, no
    gain, no shift.

    Args:
        value: two rows of three numbers; each may differ by 0.002.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 6.
    """
    return judge_paper(PAPER, value)


def layer_norm(x: np.ndarray) -> np.ndarray:
    """Each row less its mean, over its deviation; a row of equals is 0."""
    away = x - x.mean(axis=1, keepdims=True)
    deviation = x.std(axis=1, keepdims=True)
    return away / np.where(deviation > 0, deviation, 1.0)


PAPER = Paper.read(__file__, layer_norm)
