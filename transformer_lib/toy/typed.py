"""Sentences that people typed, with all translations that count as right.

The toy corpus is written by a grammar. The split `free` is not: two people
wrote it who knew the words and nothing of the grammar. It shows what a visitor
gets, is scored at the end, and nothing is chosen by it.
"""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product
from typing import NamedTuple

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
        Every translation, without spaces at its ends.

    Raises:
        ValueError: a brace that does not open or close.
    """
    found: set[str] = set()
    for translation in notation.split(" / "):
        parts = re.split(r"\{([^{}]*)\}", translation)
        if any(brace in "".join(parts) for brace in "{}"):
            raise ValueError(f"braces do not match in {translation!r}")
        choices = [
            part.split("|") if number % 2 else [part]
            for number, part in enumerate(parts)
        ]
        found |= {"".join(choice).strip() for choice in product(*choices)}
    return frozenset(found)


def read_typed(path: Traversable) -> list[TypedSentence]:
    """Read sentences and their right translations.

    Args:
        path: of a file with a sentence, a tab and the notation of `accepted`
            on each line; lines that begin with # are remarks.

    Returns:
        The sentences, in the order of the file.

    Raises:
        OSError: the file cannot be read.
        ValueError: a line without a tab, or braces that do not match.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if line and line[0] != "#"]
    return [
        TypedSentence(source, accepted(notation)) for source, notation in pairs
    ]


def typed_sentences() -> list[TypedSentence]:
    """Read the split `free`.

    Returns:
        The sentences, in the order of the file.
    """
    return read_typed(files("transformer_lib.toy") / "data" / "free.tsv")
