"""Numbers worked out on paper: what a fourth query takes home."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "fourth_query_by_hand"]


def fourth_query_by_hand(value: Any) -> Verdict:
    """Check what the query (1, 0, -1, 3) takes from three keys and values.

    c = softmax(q K^T / 2) V with the keys (2, 0, 0, 0), (0, 2, 0, 0),
    (2, 0, 2, 0) and the values (1, 0), (0, 1), (1, 1).

    Args:
        value: two numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 3.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
