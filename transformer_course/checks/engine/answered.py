"""Can an answer be checked? If not, say in a sentence what is wanted."""

from __future__ import annotations

import math
from collections.abc import Set
from typing import Any

import numpy as np

__all__ = ["answered"]

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def answered(value: Any, like: Any) -> bool:
    """Tell whether an answer has the form of an example.

    If it has not, a sentence is printed: that nothing has been written yet,
    or what is wanted and what came. For cells that go on with the answer:

        if checks.answered(rates, like=[0.01, 0.003]):
            ...

    Args:
        value: what the reader has put in place of None or `...`.
        like: an example. A whole number stands for any whole number, 0.5 for
            any number, a tuple for a sequence of just as many, a list for
            a sequence of one or more, a set for any collection, even an empty
            one, and an array for one of the same shape.

    Returns:
        True if the answer can be checked. It may still be wrong.
    """
    wanted, where = _in_words(like), "`...`" if value is ... else "None"
    if _is_missing(value):
        print(f"Not attempted yet: put {wanted} in place of {where}.")
    elif not _fits(value, like):
        example = "" if "array" in wanted else f", such as {like!r}"
        wanted = wanted.rstrip(",")
        print(f"Wanted: {wanted}{example}. You wrote {_short(value)}.")
    else:
        return True
    return False


def _is_missing(value: Any) -> bool:
    """True for None and `...`, and where one of them is left inside."""
    if isinstance(value, (list, tuple, set)):
        return any(_is_missing(member) for member in value)
    return value is None or value is ...


def _fits(value: Any, like: Any) -> bool:
    if hasattr(like, "shape"):
        return tuple(getattr(value, "shape", ())) == tuple(like.shape)
    if isinstance(like, (tuple, list, Set)):
        return _members_fit(value, like)
    if isinstance(like, str):
        return isinstance(value, str)
    if isinstance(like, bool):
        return isinstance(value, (bool, np.bool_))
    return _is_number(value, whole=isinstance(like, int))


def _members_fit(value: Any, like: Any) -> bool:
    if isinstance(value, (str, dict)):
        return False
    try:
        members = tuple(value)
    except TypeError:  # a single number
        return False
    if isinstance(value, Set) and not isinstance(like, Set):
        return False  # a set has no order
    if not isinstance(like, tuple):
        kind = next(iter(like))
        enough = bool(members) or isinstance(like, Set)
        return enough and all(_fits(member, kind) for member in members)
    if len(members) != len(like):
        return False
    return all(map(_fits, members, like))


def _is_number(value: Any, whole: bool) -> bool:
    """True for a finite number; text and tables with axes are none."""
    if isinstance(value, (str, bytes, bool, np.bool_)):
        return False
    try:
        finite = math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return False
    if getattr(value, "shape", ()) != () or not finite:
        return False
    number = value.item() if hasattr(value, "item") else value
    return isinstance(number, int) or not whole


def _in_words(like: Any) -> str:
    """What an example stands for, such as "three whole numbers"."""
    if isinstance(like, tuple):
        each = [_in_words(member) for member in like]
        if len(set(each)) > 1:
            return ", ".join(each[:-1]) + " and " + each[-1]
        if isinstance(like[0], bool):
            return f"True or False, {COUNTS[len(like)]} times,"
        return f"{COUNTS[len(like)]} {_kind(like[0])}"
    if isinstance(like, list):
        return f"a list of {_kind(like[0])}"
    if isinstance(like, Set):
        return f"a set of {_kind(next(iter(like)))}"
    if isinstance(like, bool):
        return "True or False"
    one = _kind(like).replace("s", "", 1)
    return f"an {one}" if one[0] in "aeiou" else f"a {one}"


def _kind(like: Any) -> str:
    if hasattr(like, "shape"):
        return f"arrays of shape {tuple(like.shape)}"
    if isinstance(like, str):
        return "names"
    return "whole numbers" if isinstance(like, int) else "numbers"


def _short(value: Any, most: int = 60) -> str:
    """What was written, on one line."""
    try:
        shape = getattr(value, "shape", ())
        text = f"an array of shape {tuple(shape)}" if shape else repr(value)
    except Exception:  # foreign code
        text = f"an object of type {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most] + " ..."
