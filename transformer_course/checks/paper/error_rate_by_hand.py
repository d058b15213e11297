"""Numbers worked out on paper: the error rate of a small alignment."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "error_rate_by_hand"]


def error_rate_by_hand(value: Any) -> Verdict:
    """Check the error rates of three alignments of one sentence pair.

    I get up early / ich stehe früh auf. Sure: I-ich, get-stehe, up-auf,
    early-früh; possible, too: get-auf, up-stehe.

    Args:
        value: five numbers: |A and S|, |A and P| and the error rate of
            A = I-ich, get-stehe, get-auf, early-früh; the error rate of
            I-ich, early-früh; that of all sixteen links.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Och and Ney 2003. Chapter 17.
    """
    return judge_paper(PAPER, value)


def links(english: str, german: str) -> set[str]:
    """Every link between two sentences."""
    return {f"{one}-{two}" for one in english.split() for two in german.split()}


def rate(found: set, sure: set, possible: set, to_find: set) -> float:
    """The alignment error rate; to_find is what stands below the line."""
    hits = len(found & sure) + len(found & possible)
    return 1 - hits / (len(found) + len(to_find))


PAPER = Paper.read(__file__, links, rate)
