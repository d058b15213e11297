"""Numbers worked out on paper: two tokens through a feed-forward network."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "two_tokens_by_hand"]


def two_tokens_by_hand(value: Any) -> Verdict:
    """Check two tokens sent through a network of three units.

    The tokens (2, 1) and (-1, 3); W1 has the rows (1, 0, -1) and (0, 1, 1),
    b1 is (0, -2, 0), W2 has the rows (1, 0), (2, 1), (0, 3), b2 is (1, -1).

    Args:
        value: two rows of two numbers, the result of each token.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 10.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
