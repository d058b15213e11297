"""Numbers worked out on paper: five merges on ten words, two new words."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from transformer_course.checks.code import bpe_learn, bpe_merge

__all__ = [
    "counted",
    "kinds",
    "learned",
    "most_common",
    "once",
    "signs_alone",
    "size",
    "spelled",
]


Words = list[list[str]]  # the symbols of each word


def spelled(words: str, end: str) -> Words:
    """The letters of each word, and the sign for its end."""
    return [list(word + end) for word in words.split()]


def learned(words: Words, turns: int) -> list[tuple[str, str]]:
    """The pairs that byte-pair encoding merges."""
    return bpe_learn.solution(words, turns)


def once(words: str) -> str:
    """Each different word once."""
    return " ".join(dict.fromkeys(words.split()))


def counted(words: Words, pairs: list[tuple[str, str]]) -> list[int]:
    """How often each pair comes when it is its turn to be merged."""
    return [
        _neighbors(bpe_merge.solution(words, pairs[:turn]))[pair]
        for turn, pair in enumerate(pairs)
    ]


def most_common(words: Words, turns: int) -> list[tuple[str, str]]:
    """The pairs that are most frequent before anything is merged."""
    return [pair for pair, _ in _neighbors(words).most_common(turns)]


def size(words: Words, pairs: list[tuple[str, str]]) -> int:
    """How many symbols words have after merges."""
    return sum(map(len, bpe_merge.solution(words, pairs)))


def kinds(words: Words, pairs: list[tuple[str, str]]) -> int:
    """How many different symbols words have after merges."""
    return len(
        {symbol for word in bpe_merge.solution(words, pairs) for symbol in word}
    )


def signs_alone(words: Words, pairs: list[tuple[str, str]]) -> int:
    """In how many words the sign for the end is no part of a piece."""
    return sum(word[-1] == "_" for word in bpe_merge.solution(words, pairs))


def _neighbors(words: Words) -> Counter:
    return Counter(pair for word in words for pair in pairwise(word))
