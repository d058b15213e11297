"""Numbers worked out on paper: the shapes of six products."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "six_products_by_hand"]


def six_products_by_hand(value: Any) -> Verdict:
    """Check the shapes of Q K^T, K Q^T, Q V^T, A V, V A and K^T V.

    Q is (2, 4), K is (5, 4), V is (5, 3) and A is (2, 5). A product that
    does not exist is written (0, 0).

    Args:
        value: six pairs of whole numbers, as tuples, lists or an array.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 3.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
