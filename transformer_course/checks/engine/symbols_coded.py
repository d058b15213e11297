"""Lists of symbols as rows of numbers, so that a check can compare them.

A check compares arrays. The exercises on byte-pair encoding return lists of
lists of symbols, which are written down here as one row of numbers, in a way
that keeps everything: nothing that differs is written alike. Lists, tuples and
arrays of the same symbols count as the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.reading import describe, shorten

__all__ = [
    "coded",
    "decoded",
    "in_numbers",
    "in_words",
    "is_nested",
    "said",
]

_OPEN, _CLOSE, _TEXT, _END, _NUMBER, _SET, _DICT, _OTHER = range(-1, -9, -1)
_DEEPEST = 6
_LARGEST = 10_000  # items in a list; more are not written down


def coded(value: Any) -> Any:
    """Write nested lists of strings as one row of numbers.

    Args:
        value: what a function returned.

    Returns:
        The row, shape (n,); None and `...` stay what they are.
    """
    if value is None or value is Ellipsis:
        return value
    return np.array(_row(value, 0), dtype=float)


def _row(value: Any, depth: int) -> list[float]:
    if isinstance(value, np.ndarray) and value.size <= _LARGEST:
        value = value.tolist()
    if isinstance(value, str):  # two numbers a letter: exact for all letters
        letters = [part for c in value for part in divmod(ord(c), 256)]
        return [_TEXT, *letters, _END]
    if _is_list(value) and depth < _DEEPEST and len(value) <= _LARGEST:
        inside = [number for item in value for number in _row(item, depth + 1)]
        return [_OPEN, *inside, _CLOSE]
    if isinstance(value, (set, frozenset)):
        return [_SET, *_row(sorted(value, key=repr), depth + 1), _END]
    if isinstance(value, dict):
        return [_DICT, *_row(list(value.items()), depth + 1), _END]
    if isinstance(value, (int, float, np.number)) and np.isfinite(float(value)):
        return [_NUMBER, float(value), _END]
    return [_OTHER, *_row(describe(value), depth + 1), _END]


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def decoded(row: np.ndarray) -> Any:
    """Read a row of `coded` back: lists, strings, sets and dicts.

    Args:
        row: shape (n,).

    Returns:
        The value; tuples have become lists, and a thing that could not be
        written down has become a few words about it.
    """
    return _read([float(number) for number in row], 0)[0]


def _read(row: list[float], at: int) -> tuple[Any, int]:
    kind, at = row[at], at + 1
    if kind == _OPEN:
        items = []
        while row[at] != _CLOSE:
            item, at = _read(row, at)
            items.append(item)
        return items, at + 1
    if kind == _TEXT:
        letters = []
        while row[at] != _END:
            letters.append(chr(int(256 * row[at] + row[at + 1])))
            at += 2
        return "".join(letters), at + 1
    if kind == _NUMBER:
        return row[at], at + 2
    inside, at = _read(row, at)
    if kind == _SET:
        inside = {_frozen(item) for item in inside}
    elif kind == _DICT:
        inside = {_frozen(key): value for key, value in inside}
    return inside, at + 1


def _frozen(item: Any) -> Any:
    return tuple(map(_frozen, item)) if isinstance(item, list) else item


def is_nested(value: Any) -> bool:
    """True for a list of lists that hold nothing but strings."""
    return isinstance(value, list) and all(
        isinstance(part, list) and all(isinstance(x, str) for x in part)
        for part in value
    )


def said(value: Any) -> str:
    """Show words as `th|ing, ring` and other things as they are."""
    if is_nested(value) and value:
        return shorten(", ".join("|".join(part) or "''" for part in value), 300)
    return shorten(value if isinstance(value, str) else repr(value), 200)


def in_numbers(*names: str) -> Callable[..., Any]:
    """Return how to drive a function that answers in symbols.

    Args:
        names: of its inputs.
    """

    def play(function: Any, *args: Any) -> Any:
        return coded(call_by_position_or_name(function, args, names))

    return play


def in_words(row: np.ndarray) -> str:
    """Show the symbols that a row of `coded` stands for.

    Args:
        row: shape (n,).
    """
    return said(decoded(row))
