"""A Python file of functions and classes that is written part by part.

All functions take and return the text of the file.
"""

from __future__ import annotations

import ast
import builtins
import io
import symtable
import textwrap
from collections.abc import Collection, Sequence
from typing import Any

from transformer_course.checks.engine.source import parsed

__all__ = [
    "MARK",
    "assigned",
    "definitions",
    "inside",
    "is_marked",
    "lacking",
    "names_in",
    "put",
    "put_constant",
    "unused",
    "without",
]

MARK = "# The book's version.\n"

_Definition = ast.FunctionDef | ast.ClassDef
_OF_NOTEBOOKS = {"display", "get_ipython"}  # no names of Python's


def definitions(text: str) -> dict[str, str]:
    """Find the functions and classes of a file.

    Args:
        text: of the file.

    Returns:
        Their texts, by name.

    Raises:
        SyntaxError: it is no Python.
    """
    lines = _lines(text)
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
    lines, places = _lines(text), _places(text)
    behind = [places[other][0] for other in later if other in places]
    if name in places:
        start, end = places[name]
    else:
        start = end = min(behind, default=len(lines))
    source = textwrap.dedent(source)
    return _joined(lines[:start], [source], lines[end:])


def put_constant(text: str, name: str, value: Any) -> str:
    """Give a name a plain value, above all functions and classes.

    Args:
        text: of the file.
        name: of the value; a line that gives it another one is replaced.
        value: what `repr` writes down in full.

    Raises:
        SyntaxError: the file is no Python.
    """
    lines, line = _lines(text), f"{name} = {value!r}\n"
    for node in parsed(text).body:
        if isinstance(node, ast.Assign) and (
            [ast.unparse(target) for target in node.targets] == [name]
        ):
            lines[node.lineno - 1 : node.end_lineno] = [line]
            return "".join(lines)
    start = min((a for a, _ in _places(text).values()), default=len(lines))
    above = "".join(lines[:start]).rstrip("\n") + "\n" + line
    return _joined([above], lines[start:])


def without(text: str, names: Collection[str]) -> str:
    """Return the file without some of its functions and classes.

    Args:
        text: of the file.
        names: of what goes.

    Raises:
        SyntaxError: the file is no Python.
    """
    for name in names:
        start, end = _places(text)[name]
        text = _joined(_lines(text)[:start], _lines(text)[end:])
    return text


def inside(text: str, name: str) -> set[str]:
    """Return the names that a definition uses, and those that they use.

    Args:
        text: of the file.
        name: of the function or class; a name of its own set.

    Raises:
        SyntaxError: the file is no Python.
    """
    every, found, todo = definitions(text), set(), [name]
    while todo:
        name = todo.pop()
        if name not in found and name in every:
            todo += names_in(every[name])
        found.add(name)
    return found


def unused(text: str, wanted: Collection[str]) -> list[str]:
    """Return the functions and classes that nothing in the file needs.

    Args:
        text: of the file.
        wanted: names that are needed in any case.

    Raises:
        SyntaxError: the file is no Python.
    """
    every = definitions(text)
    needed = names_in(without(text, every)) | set(wanted)
    needed = set().union(*(inside(text, name) for name in needed))
    return [name for name in every if name not in needed]


def lacking(text: str, name: str) -> list[str]:
    """Return the names that a function or class of a file uses in vain.

    Args:
        text: of the file.
        name: of the function or class.

    Raises:
        SyntaxError: the file is no Python.
        KeyError: it has no such function or class.
    """
    known = assigned(text) | set(dir(builtins)) - _OF_NOTEBOOKS
    return sorted(names_in(definitions(text)[name]) - known)


def assigned(text: str) -> set[str]:
    """Return the names that the file gives to something.

    Args:
        text: of the file.

    Raises:
        SyntaxError: the file is no Python.
    """
    top = symtable.symtable(text, "file", "exec")
    return {
        symbol.get_name()
        for symbol in top.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }


def _lines(text: str) -> list[str]:
    """Cut as Python counts: a form feed or U+2028 begins no new line."""
    return io.StringIO(text).readlines()


def _joined(*pieces: Sequence[str]) -> str:
    """Put pieces of a file together, two blank lines between them."""
    whole = ("".join(piece).strip("\n") for piece in pieces)
    return "\n\n\n".join(piece for piece in whole if piece) + "\n"


def _places(text: str) -> dict[str, tuple[int, int]]:
    """First and last line of each definition, with what belongs above it."""
    lines, places = _lines(text), {}
    for node in parsed(text).body:
        if not isinstance(node, _Definition):
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        marked = first > 1 and lines[first - 2] == MARK
        places[node.name] = (first - 1 - marked, node.end_lineno or first)
    return places


def names_in(source: str) -> set[str]:
    """Return the names that a definition looks for outside of itself.

    Args:
        source: of the definition.

    Raises:
        SyntaxError: it is no Python.
    """
    source = textwrap.dedent(source)
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
