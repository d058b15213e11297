"""Numbers worked out on paper: different weights, the same output."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "same_output_by_hand"]


def same_output_by_hand(value: Any) -> Verdict:
    """Check an output and two other rows of weights that give it, too.

    The weights (0.5, 0.3, 0.2) over the values (1, 0), (0, 1), (1/2, 1/2).

    Args:
        value: eight numbers: the output (two); the weights that give the
            same output without the third value (three); the weights that
            give it with as much of the third value as possible (three).

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Brunner et al. 2020. Chapter 17.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
