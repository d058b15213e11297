"""Numbers worked out on paper: a beam of two over a small tree."""

from __future__ import annotations

import math
from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "beam_by_hand", "sentences"]


def beam_by_hand(value: Any) -> Verdict:
    """Check five probabilities of a search with a beam of two.

    The tree of chapter 14, exercise 1: what the greedy search ends with, the
    two hypotheses kept after the second step, what the beam ends with, and
    the most probable sentence of all.

    Args:
        value: five numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 14.
    """
    return judge_paper(PAPER, value)


Tree = dict[str, dict[str, float]]  # for each beginning, what may follow


def steps(tree: Tree, words: str) -> list[float]:
    """How probable each word is behind those before it."""
    found, before = [], ""
    for word in words.split():
        found.append(tree[before][word])
        before = f"{before} {word}".strip()
    return found


def walk(tree: Tree, words: str) -> float:
    """How probable some words are, in a row from the start."""
    return math.prod(steps(tree, words))


def sentences(tree: Tree, before: str = "") -> dict[str, float]:
    """Every finished sentence of a tree and its probability.

    Args:
        tree: for each beginning, how probable each next word is.
        before: the beginning.

    Returns:
        The words with <eos>, and the product along the way.
    """
    if before.endswith("<eos>"):
        return {before: walk(tree, before)}
    found = {}
    for word in tree.get(before, {}):
        found |= sentences(tree, f"{before} {word}".strip())
    return found


PAPER = Paper.read(__file__, steps, walk, sentences)
