"""Numbers worked out on paper: which two pieces are joined next."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

__all__ = ["highest_score", "letters", "most_frequent", "pairs", "score"]


def letters(words: dict[str, int]) -> Counter:
    """How often each letter comes in words that come so often."""
    found: Counter = Counter()
    for word, times in words.items():
        for letter in word:
            found[letter] += times
    return found


def pairs(words: dict[str, int]) -> Counter:
    """How often each pair of neighbors comes."""
    found: Counter = Counter()
    for word, times in words.items():
        for one, two in pairwise(word):
            found[one + two] += times
    return found


def score(
    words: dict[str, int], pair: str, below: str = "the product"
) -> float:
    """The count of a pair over the product of the counts of its letters.

    Args:
        words: each word, and how often it comes.
        pair: two letters.
        below: "the sum", "the first" or "the second" in place of the product.
    """
    one, two = letters(words)[pair[0]], letters(words)[pair[1]]
    divisor = {
        "the product": one * two,
        "the sum": one + two,
        "the first": one,
        "the second": two,
    }
    return pairs(words)[pair] / divisor[below]


def most_frequent(words: dict[str, int]) -> str:
    """The pair that BPE joins first."""
    found = pairs(words)
    return max(found, key=found.__getitem__)


def highest_score(words: dict[str, int]) -> str:
    """The pair that WordPiece joins first."""
    return max(pairs(words), key=lambda pair: score(words, pair))
