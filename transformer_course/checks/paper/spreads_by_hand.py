"""Numbers worked out on paper: how widely sums of products scatter."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "spreads_by_hand", "sums_of_products"]


def spreads_by_hand(value: Any) -> Verdict:
    """Check five spreads of sums of products, worked out on paper.

    Queries and keys have d components, each +1 or -1 with equal chance. Asked
    are the variance of q . k for d = 1; for d = 2; for d = 2 when the
    components of the query are +2 or -2; the standard deviation for d = 64; and
    that of the scores divided by 8 for d = 64 and a query of +2 or -2.

    Args:
        value: five numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 4.
    """
    return judge_paper(PAPER, value)


def sums_of_products(d: int, size: float = 1.0) -> np.ndarray:
    """All 2^d sums of d products that are +size or -size each."""
    return np.array([sum(s) for s in product((size, -size), repeat=d)])


PAPER = Paper.read(__file__, sums_of_products)
