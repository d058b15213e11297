"""Numbers worked out on paper: two hypotheses and the length penalty."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "length_penalty_by_hand"]


def length_penalty_by_hand(value: Any) -> Verdict:
    """Check the scores of two hypotheses under two length penalties.

    score = log-probability / ((5 + length) / 6) ** alpha for -2.0 (4 tokens)
    and -2.9 (9 tokens), with alpha = 0.6 and with alpha = 1.

    Args:
        value: four numbers: short and long with alpha = 0.6, short and long
            with alpha = 1; they may differ by 0.01 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Wu et al. 2016, section 7, equation 14. Chapter 14.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
