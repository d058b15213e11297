"""Numbers worked out on paper: seven shapes inside the base model."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "model_shapes_by_hand"]


def model_shapes_by_hand(value: Any) -> Verdict:
    """Check seven shapes inside the base model, for n = 7 and m = 5.

    Args:
        value: seven pairs (rows, columns) in the order of the chapter's
            table; tuples, lists, an array or a tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 11.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
