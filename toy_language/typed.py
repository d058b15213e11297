"""Sentences that people typed, with all translations that count as right.

The toy corpus is written by a grammar. The split `free` is not: two people
wrote it who knew the words and nothing of the grammar. It shows what a visitor
gets, is scored at the end, and nothing is chosen by it.
"""

import re
from itertools import product
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from toy_language.tables import read_table

__all__ = ["TypedSentence", "accepted", "read_typed", "typed_sentences"]


class TypedSentence(NamedTuple):
    """A sentence and its right translations.

    Args:
        source: English, as it was typed.
        accepted: every Korean sentence that counts as right.
    """

    source: str
    accepted: frozenset[str]


def accepted(notation: str) -> frozenset[str]:
    """Spell out the translations that a line stands for.

    Args:
        notation: translations separated by " / "; in each, {a|b|} is one of
            several, the last one empty.

    Returns:
        Every translation, composed (NFC), without spaces at its ends.

    Raises:
        ValueError: a brace that does not open or close.
    """
    found: set[str] = set()
    for translation in normalize("NFC", notation).split(" / "):
        parts = re.split(r"\{([^{}]*)\}", translation)
        if any(brace in "".join(parts) for brace in "{}"):
            raise ValueError(f"braces do not match in {translation!r}")
        choices = [
            part.split("|") if number % 2 else [part]
            for number, part in enumerate(parts)
        ]
        found |= {"".join(choice).strip() for choice in product(*choices)}
    return frozenset(found)


def read_typed(path: str | Path) -> list[TypedSentence]:
    """Read sentences and their right translations.

    Args:
        path: of a table with the columns English and Korean: a sentence, and
            the notation of `accepted`.

    Returns:
        The sentences, in the order of the file.

    Raises:
        OSError: the file cannot be read.
        ValueError: a row that is malformed, or braces that do not match; the
            message has the line.
    """
    found = []
    for row in read_table(path, "English, Korean"):
        try:
            right = accepted(row["Korean"])
        except ValueError as error:
            raise row.wrong(str(error)) from None
        found.append(TypedSentence(row["English"], right))
    return found


def typed_sentences() -> list[TypedSentence]:
    """Read the split `free`.

    Returns:
        The sentences, in the order of the file.
    """
    return read_typed("free.tsv")
