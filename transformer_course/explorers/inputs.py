"""What a reader may change in a live figure: numbers, choices, words."""

from dataclasses import dataclass
from numbers import Real

__all__ = ["Choice", "Number", "Words"]


@dataclass(frozen=True)
class Number:
    """A live input: a number between `low` and `high`."""

    name: str
    low: Real
    high: Real
    step: Real
    start: Real


@dataclass(frozen=True)
class Choice:
    """A live input: one of `options`; the value is its place, from 0."""

    name: str
    options: tuple[str, ...]
    start: int = 0


@dataclass(frozen=True)
class Words:
    """A live input: a line of text."""

    name: str
    start: str
