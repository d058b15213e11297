"""A Python file of functions and classes that is written part by part.

All functions take and return the text of the file.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Sequence

__all__ = ["MARK", "definitions", "is_marked", "lacking", "put"]

MARK = "# The book's version.\n"

_Definition = ast.FunctionDef | ast.ClassDef


def definitions(text: str) -> dict[str, str]:
    """Find the functions and classes of a file.

    Args:
        text: of the file.

    Returns:
        Their texts, by name.

    Raises:
        SyntaxError: it is no Python.
    """
    lines = text.splitlines(keepends=True)
    return {
        name: "".join(lines[start:end])
        for name, (start, end) in _places(text).items()
    }


def is_marked(text: str, name: str) -> bool:
    """Tell whether a function or class of a file is the book's version."""
    return definitions(text).get(name, "").startswith(MARK)


def put(text: str, name: str, source: str, later: Sequence[str] = ()) -> str:
    """Put a function or a class into a file, in place of one of its name.

    Args:
        text: of the file.
        name: what the source defines.
        source: its text.
        later: names that shall stand behind a new one.

    Raises:
        SyntaxError: the file is no Python.
    """
    lines, places = text.splitlines(keepends=True), _places(text)
    behind = [places[other][0] for other in later if other in places]
    if name in places:
        start, end = places[name]
    else:
        start = end = min(behind, default=len(lines))
    before = "".join(lines[:start]).rstrip("\n")
    after = "".join(lines[end:]).lstrip("\n")
    pieces = [piece for piece in (before, source.strip("\n"), after) if piece]
    return "\n\n\n".join(pieces).rstrip("\n") + "\n"


def lacking(text: str, name: str) -> list[str]:
    """Return the names that a function or class of a file uses in vain.

    Args:
        text: of the file.
        name: of the function or class.

    Raises:
        SyntaxError: the file is no Python.
        KeyError: it has no such function or class.
    """
    known = _assigned(text) | set(dir(builtins))
    return sorted(_used(definitions(text)[name]) - known)


def _places(text: str) -> dict[str, tuple[int, int]]:
    """First and last line of each definition, with what belongs above it."""
    lines, places = text.splitlines(keepends=True), {}
    for node in ast.parse(text).body:
        if not isinstance(node, _Definition):
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        marked = first > 1 and lines[first - 2] == MARK
        places[node.name] = (first - 1 - marked, node.end_lineno or first)
    return places


def _assigned(text: str) -> set[str]:
    top = symtable.symtable(text, "file", "exec")
    return {
        symbol.get_name()
        for symbol in top.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }


def _used(source: str) -> set[str]:
    """The names that a definition looks for outside of itself."""
    top = symtable.symtable(source, "part", "exec")
    found = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    tables = list(top.get_children())
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_global() and symbol.is_referenced()
        }
    return found - {"__class__"}
