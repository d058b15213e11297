"""Formulas of an exercise on paper, and texts with formulas in braces.

`paper_text` says how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from transformer_course.checks.engine.catalogue import CatalogueError
from transformer_course.checks.engine.reading import number, show
from transformer_lib.numpy_reference import softmax

__all__ = ["BRACES", "NAMES", "Formula", "Text", "as_array", "compiled", "verb"]


def fraction(value: float) -> str:
    """A number as people write it on paper: 1/4, -1/2, 3."""
    return str(Fraction(value).limit_denominator(1000))


def in_words(value: float) -> str:
    """A small whole number as a word."""
    whole = int(value) if value == round(value) else -1
    return _WORDS[whole] if 0 <= whole < len(_WORDS) else number(value)


def verb(count: float) -> str:
    """What fits a number of things: 1 is, 2 are."""
    return "is" if count == 1 else "are"


def listed(values: Iterable[float]) -> str:
    """Numbers in a sentence, without brackets."""
    return ", ".join(number(value) for value in values)


def orders(values: np.ndarray) -> np.ndarray:
    """All other orders of some numbers."""
    return np.array(list(permutations(values))[1:])


def first_true(found: ArrayLike) -> int:
    """The first place of a row at which something holds."""
    return int(np.flatnonzero(found)[0])


def last_true(found: ArrayLike) -> int:
    """The last such place."""
    return int(np.flatnonzero(found)[-1])


_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
).split()
# What a formula may call, apart from the functions of NAME.py.
NAMES: dict[str, Any] = {
    "abs": np.abs, "all": np.all, "any": np.any, "array": np.array,
    "cos": np.cos, "count": np.count_nonzero, "exp": np.exp,
    "first_true": first_true, "fraction": fraction, "in_words": in_words,
    "isin": np.isin, "last_true": last_true, "len": len, "listed": listed,
    "ln": np.log, "log2": np.log2, "max": max, "maximum": np.maximum,
    "mean": np.mean, "min": min, "minimum": np.minimum, "orders": orders,
    "pi": np.pi, "range": range, "round": np.round, "set": set, "sin": np.sin,
    "softmax": softmax, "sqrt": np.sqrt, "sum": sum, "verb": verb,
}  # fmt: skip

BRACES = re.compile(r"\{(?P<formula>[^{}]+?)(?::(?P<form>[,.\d]*[dfg]))?\}")


class Formula(NamedTuple):
    """A Python expression, and where it stands."""

    text: str
    place: str

    def value(self, names: Mapping[str, Any]) -> Any:
        """Work it out; a list of numbers becomes an array.

        Raises:
            CatalogueError: it stops with an error.
        """
        try:
            found = eval(compiled(self.text), {**NAMES, **names})
        except Exception as error:
            raise CatalogueError(
                f"{self.place}: `{self.text}` cannot be worked out "
                f"({type(error).__name__}: {error})"
            ) from error
        return as_array(found)


class Text(NamedTuple):
    """Words with formulas in braces, and where they stand."""

    text: str
    place: str

    def filled(self, names: Mapping[str, Any]) -> str:
        """The words, with numbers in place of the braces."""

        def said(found: re.Match) -> str:
            value = Formula(found["formula"], self.place).value(names)
            if found["form"]:
                return format(value, found["form"])
            before = self.text[: found.start()].rpartition("\n")[2]
            return _said(value, before)

        return BRACES.sub(said, self.text)


@lru_cache(maxsize=4096)
def compiled(text: str) -> CodeType:
    """A formula as code; SyntaxError if it is none."""
    return compile(text.strip(), "formula", "eval")


def as_array(value: Any) -> Any:
    """A list of numbers as an array, float64; anything else as it is."""
    if not isinstance(value, list):
        return value
    try:
        array = np.asarray(value)
    except ValueError:  # rows of several lengths
        return value
    return array.astype(np.float64) if array.dtype.kind in "fiub" else value


def _said(value: Any, before: str) -> str:
    """A value in a sentence; a table goes on below its first row."""
    if isinstance(value, str):
        return value
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0:
        return number(float(array))
    if array.ndim == 1:
        return "(" + ", ".join(map(number, array)) + ")"
    return show(array, before)[len(before) :]
