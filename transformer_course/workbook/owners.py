"""Whose parts are: the reader's, or the book's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transformer_course.checks import parts
from transformer_course.checks.parts import source_file
from transformer_course.workbook import on_disk

__all__ = ["said", "whose"]


def said(text: str, found: Sequence[Any], missing: Sequence[str]) -> list[str]:
    """Say which parts are the book's, or that all are the reader's.

    Args:
        text: of the reader's file.
        found: parts of the file, and of the book.
        missing: names of those that the file does not have.

    Returns:
        The lines.
    """
    asked = {thing.__name__ for thing in found}
    theirs, inside, lent = list(missing), set(), set()
    for thing in filter(_is_of_the_file, found):
        used, borrowed = _inside(text, thing.__name__)
        if thing.__name__ in borrowed:
            theirs.append(thing.__name__)
        else:
            inside |= {*used} - asked
            lent |= {*borrowed}
    lent, lines = lent - {*theirs}, []
    if theirs:
        lines.append(f"The book's version: {', '.join(theirs)}")
    if lent:
        names = [name for name in parts.PARTS if name in lent]
        lines.append(f"The book's version, inside yours: {', '.join(names)}")
    if not lines and all(map(_is_of_the_file, found)):
        what = f"{len(inside)} parts" if len(inside) > 1 else "".join(inside)
        tail = f", with {what} inside" if what else ""
        names = [thing.__name__ for thing in found]
        lines.append(f"All yours: {', '.join(names)}{tail}")
    return lines


def whose(*things: Any) -> str:
    """Say whose parts are, with those that they use.

    Args:
        things: parts that `use` returned, or models of theirs.

    Returns:
        "your", "the book's", or "your and the book's": what stands before
        "Transformer" in a sentence about them.
    """
    owners = set()
    for thing in things:
        kind = thing if hasattr(thing, "__name__") else type(thing)
        if _is_of_the_file(kind):
            used, borrowed = _inside(on_disk.read(), kind.__name__)
            owners |= {name in borrowed for name in used}
        else:
            owners.add(True)
    if len(owners) == 2:
        return "your and the book's"
    return "the book's" if True in owners else "your"


def _is_of_the_file(thing: Any) -> bool:
    return thing.__module__ == "my_transformer"


def _inside(text: str, name: str) -> tuple[list[str], list[str]]:
    """The parts that a part of the file uses, and which are the book's."""
    names, there = source_file.inside(text, name), source_file.assigned(text)
    used = [part for part in parts.PARTS if part in names]
    return used, [
        part
        for part in used
        if part not in there or source_file.is_marked(text, part)
    ]
