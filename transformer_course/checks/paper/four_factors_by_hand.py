"""Numbers worked out on paper: the derivatives of chains of small layers."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "four_factors_by_hand"]


def four_factors_by_hand(value: Any) -> Verdict:
    """Check the derivatives of four-layer chains, worked out on paper.

    Each layer has one weight: F(x) = w x. The task asks, for four layers, for
    the derivative without and with the skip for w = -1/2, the same for w = 1,
    and how many of the paths through the net with skips pass exactly two F.

    Args:
        value: five numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: the paths are those of Veit et al., 2016. Chapter 5.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
