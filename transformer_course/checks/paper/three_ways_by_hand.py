"""Weights worked out on paper: one row of scores, hidden in three ways."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "three_ways_by_hand"]


def three_ways_by_hand(value: Any) -> Verdict:
    """Check a weight of token 2 when tokens 3 and 4 are hidden, three ways.

    The scores of token 2 are ln 2, ln 3, ln 4 and 0. The task asks for the
    attention weight that it gives to itself: hidden scores set to minus
    infinity; hidden scores set to 0; hidden weights set to 0 after the softmax.

    Args:
        value: three numbers, as a tuple, list or array.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 8.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
