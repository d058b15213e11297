"""Numbers worked out on paper: what sixteen heads cost."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "heads_budget_by_hand"]


def heads_budget_by_hand(value: Any) -> Verdict:
    """Check five counts for d = 512, h = 16 and 100 tokens.

    Args:
        value: five whole numbers: the width of one head; the parameters in
            W_Q, W_K, W_V and W_O together; the multiplications for the
            scores of all heads; the attention weights of all heads; the
            attention weights if there were one head of width 512.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 7.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
