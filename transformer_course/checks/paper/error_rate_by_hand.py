"""Numbers worked out on paper: the error rate of a small alignment."""

from __future__ import annotations

__all__ = ["links", "rate"]


def links(english: str, german: str) -> set[str]:
    """Every link between two sentences."""
    return {f"{one}-{two}" for one in english.split() for two in german.split()}


def rate(found: set, sure: set, possible: set, to_find: set) -> float:
    """The alignment error rate; to_find is what stands below the line."""
    hits = len(found & sure) + len(found & possible)
    return 1 - hits / (len(found) + len(to_find))
