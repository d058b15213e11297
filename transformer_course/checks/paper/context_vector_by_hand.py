"""Numbers worked out on paper: the context vector of the second token."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "context_vector_by_hand"]


def context_vector_by_hand(value: Any) -> Verdict:
    """Check the context vector c_2, worked out on paper.

    c_2 = sum_j alpha_2j x_j for x = (1, 0), (1, 1), (0, 1), (-1, 0), where
    alpha_2 is the softmax of the dot products of x_2 with all four.

    Args:
        value: two numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 2.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
