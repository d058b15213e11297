"""What Python in the page lacks to use a module, read from its imports.

A name of the book's packages counts with the file that makes it and with all
that this file imports, in its functions, too. Nothing is imported here.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import depends

__all__ = ["lacks"]

FIGURE, FILES, TORCH = "a figure", "files", "torch"
DRAWING = {"matplotlib", "IPython", "ipywidgets"}
# Of the standard library, what a page forbids or has no use for.
NOT_THERE = {"subprocess", "multiprocessing", "threading", "urllib", "socket"}
# Of the book, what its imports don't tell: a figure that moves is HTML, results
# lie in files, a workbook holds modules of torch, and of the checks those alone
# need it that judge a part.
TOLD = {
    "transformer_course.explorers": FIGURE,
    "transformer_course.stored": FILES,
    "transformer_course.workbook": TORCH,
    "transformer_course.checks.build": TORCH,
    "transformer_course.checks.parts": TORCH,
    "transformer_course.checks": "",
}


@cache
def lacks(full: str) -> str:
    """Return what the page lacks to use a module or one of its names.

    Args:
        full: its name, such as "numpy" or "transformer_course.plots.table".

    Returns:
        A word for a reader, such as "torch" or "a figure"; "" for nothing.
    """
    top = full.split(".")[0]
    if top not in depends.PACKAGES:
        if top == "numpy" or _is_there(top):
            return ""
        return FIGURE if top in DRAWING else top
    for known, word in TOLD.items():
        if full == known or full.startswith(f"{known}."):
            return word
    module = _made_in(full)
    return _file_lacks(module) if module else ""


def _is_there(top: str) -> bool:
    return top in sys.stdlib_module_names and top not in NOT_THERE


def _made_in(full: str) -> Path | None:
    """Return the file that makes a name; None for a package as such."""
    parts = full.split(".")
    for end in range(len(parts), 0, -1):
        place = depends.at(".".join(parts[:end]))
        if place is None:
            continue
        if place.is_file():
            return place
        home = depends.homes(place).get(parts[end]) if parts[end:] else None
        if home is None:
            return None
        if home.split(".")[0] not in depends.PACKAGES:
            home = ".".join([*parts[:end], home])
        return _made_in(f"{home}.{parts[end]}")
    return None


def _file_lacks(file: Path) -> str:
    """Return what a file of the book, or one that it imports, lacks."""
    seen, left = {file}, [file]
    while left:
        for full in _imported(left.pop()):
            if full.split(".")[0] not in depends.PACKAGES:
                if word := lacks(full):
                    return word
                continue
            place = _made_in(full)
            if place and place not in seen:
                seen.add(place)
                left.append(place)
    return ""


@cache
def _imported(file: Path) -> list[str]:
    """Return the full names that a file imports."""
    return list(_names(ast.parse(file.read_text(encoding="utf-8"))))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in depends.that_run(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{name.name}" for name in node.names)
