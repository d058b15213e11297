"""Six sentences about one attention map, sorted on paper."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "six_readings_by_hand"]


def six_readings_by_hand(value: Any) -> Verdict:
    """Check how six sentences about one attention map were sorted.

    1: the map itself says so, for whoever knows how maps are made. 2: a guess
    that an intervention can test. 3: it misreads the map, or nobody has said
    yet what would count as a test.

    Args:
        value: six numbers, 1, 2 or 3, for the sentences A to F.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Jain and Wallace 2019; Wiegreffe and Pinter 2019. Chapter 17.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
