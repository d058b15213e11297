"""Numbers worked out on paper: where the schedule's rate is highest."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "peak_by_hand"]


def peak_by_hand(value: Any) -> Verdict:
    """Check the peak of the paper's schedule, worked out without calculus.

    For d_model = 4 and warmup = 25: the step with the highest rate, that
    rate, the rate at step 5, the rate at step 100, and the warmup that would
    halve the highest rate.

    Args:
        value: five numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.001 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: the schedule is that of Vaswani et al. 2017, equation 3.
    Chapter 13.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
