"""Numbers worked out on paper: dot products of positions, d = 4."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "equal_products_by_hand"]


def equal_products_by_hand(value: Any) -> Verdict:
    """Check PE(2)·PE(5), PE(7)·PE(10), PE(100)·PE(101) and PE(9)·PE(9).

    The encoding has d = 4, so its two pairs turn by 1 and by 0.01.

    Args:
        value: four numbers.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
