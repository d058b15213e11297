"""Numbers worked out on paper: one step downhill on (wx - y)^2."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "step_by_hand"]


def step_by_hand(value: Any) -> Verdict:
    """Check one step downhill on the loss (wx - y)^2, worked out on paper.

    With x = 3, y = 3, w = 2 and the learning rate 0.05: the loss, its slope
    2 (wx - y) x, the new w, which is w - 0.05 times the slope, and the loss
    there.

    Args:
        value: four numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 0.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
