"""Numbers worked out on paper: which points lead to some weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "points_by_hand"]


def points_by_hand(value: Any) -> Verdict:
    """Check three points that give the weights 1/2, 1/4 and 1/4.

    Each point doubles the vote. Only differences count, so (1, 0, 0) is
    right, and so is (5, 4, 4).

    Args:
        value: three numbers, as a tuple, list, array or tensor; their
            differences may be off by 0.002.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 2.
    """
    return judge_paper(PAPER, value)


class _Points(Paper):
    """Two answers agree if they differ by one number, the same everywhere."""

    def agrees(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if the differences to the last number agree."""
        value = np.asarray(value, dtype=np.float64)
        if got.shape != value.shape or not np.isfinite(got).all():
            return False
        return super().agrees(got - got[-1], value - value[-1])

    def in_page(self) -> dict[str, Any]:
        """Say that only differences count."""
        return {"differences": True}


PAPER = _Points.read(__file__)
