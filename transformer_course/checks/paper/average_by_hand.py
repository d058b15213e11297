"""Numbers worked out on paper: one context vector."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "average_by_hand"]


def average_by_hand(value: Any) -> Verdict:
    """Check a weighted average of three vectors, worked out on paper.

    The vectors (4, 0), (0, 2) and (2, 6) with the weights 1/2, 1/4 and 1/4.

    Args:
        value: two numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 1.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
