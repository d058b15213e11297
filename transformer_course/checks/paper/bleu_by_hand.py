"""Numbers worked out on paper: BLEU of one sentence, step by step."""

from __future__ import annotations

from collections import Counter

__all__ = ["clipped", "kinds", "unclipped"]


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
