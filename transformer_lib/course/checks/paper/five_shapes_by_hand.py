"""Numbers worked out on paper: how many numbers five arrays hold."""

from __future__ import annotations

from typing import Any

from transformer_lib.course.checks.engine.paper import Paper, judge_paper
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "five_shapes_by_hand"]


def five_shapes_by_hand(value: Any) -> Verdict:
    """Check how many numbers each of five arrays holds.

    A batch of B = 5 sentences of T = 7 words, d = 8 numbers a word: the
    vectors of one sentence, the word numbers of the batch, the vectors of
    the batch, a score for each pair of words of the same sentence, the
    lengths of the sentences.

    Args:
        value: five whole numbers, as a tuple, list, array or tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 0.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
