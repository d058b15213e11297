"""Numbers worked out on paper: BLEU of one sentence, step by step."""

from __future__ import annotations

from collections import Counter
from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "bleu_by_hand"]


def bleu_by_hand(value: Any) -> Verdict:
    """Check six numbers of BLEU on paper.

    The pair of chapter 18, exercise 4: how many n-grams of one, two, three
    and four tokens are found in the reference (clipped), the brevity penalty
    and BLEU, both from 0 to 1.

    Args:
        value: six numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Papineni et al. 2002, section 2. Chapter 18.
    """
    return judge_paper(PAPER, value)


def pieces(text: str, n: int) -> Counter:
    """How often each n-gram of a text comes."""
    tokens = text.split()
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped(hypothesis: str, reference: str) -> list[int]:
    """N-grams of 1 to 4 tokens that are found, at most as often as there."""
    return [
        (pieces(hypothesis, n) & pieces(reference, n)).total()
        for n in range(1, 5)
    ]


def unclipped(hypothesis: str, reference: str) -> list[int]:
    """The same, however often the reference has them."""
    return [
        sum(
            times
            for piece, times in pieces(hypothesis, n).items()
            if piece in pieces(reference, n)
        )
        for n in range(1, 5)
    ]


def kinds(hypothesis: str, reference: str) -> list[int]:
    """The same, each kind of n-gram once."""
    return [
        len(pieces(hypothesis, n) & pieces(reference, n)) for n in range(1, 5)
    ]


PAPER = Paper.read(__file__, clipped, unclipped, kinds)
