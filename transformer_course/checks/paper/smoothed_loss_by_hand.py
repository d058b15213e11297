"""Worked out on paper: a loss with and without label smoothing."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "smoothed_loss_by_hand"]


def smoothed_loss_by_hand(value: Any) -> Verdict:
    """Check a smoothed target and two losses, for four classes.

    The model gives 1/2, 1/4, 1/8, 1/8, the second class is right, and the
    smoothing is 0.2, shared by all four classes.

    Args:
        value: three numbers: the target of the right class, the loss without
            smoothing, the loss with smoothing, in nats.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 12.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
