"""Numbers worked out on paper: the parameters of a very small Transformer."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "budget_by_hand"]


def budget_by_hand(value: Any) -> Verdict:
    """Check the parameter budget of a model with d = 4 and V = 10.

    d_ff = 8, one encoder layer, one decoder layer, post-norm, biases in
    every linear map but the output, sinusoids.

    Args:
        value: five numbers: the embedding matrix, one feed-forward network, the
            encoder layer, the whole model tied, the whole model untied.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 11.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
