"""Numbers worked out on paper: a beam of two over a small tree."""

from __future__ import annotations

import math

__all__ = ["sentences", "steps", "walk"]


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
