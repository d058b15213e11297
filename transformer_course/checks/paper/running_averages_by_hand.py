"""Numbers worked out on paper: running averages after two batches."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "running_averages_by_hand"]


def running_averages_by_hand(value: Any) -> Verdict:
    """Check the running mean and variance after each of two batches.

    One feature, the batches (2, 6) and (5, 9), momentum 1/4: the mean starts
    at 0 and the variance at 1, each batch moves them a quarter of the way to
    its own mean and to its variance divided by n - 1.

    Args:
        value: four numbers: mean and variance after the first batch, mean
            and variance after the second.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 6.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
