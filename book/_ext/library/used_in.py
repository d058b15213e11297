"""Which chapters use which public name of our packages.

The lessons and laboratories say it themselves: what their code imports, and
what it takes out of a module that they import. The library does not know the
book's numbers.
"""

from __future__ import annotations

import ast
import importlib
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import transformer_lib
from transformer_course import PACKAGES

ROOT = Path(__file__).resolve().parents[3]
ROOMS = (ROOT / "chapters", ROOT / "book" / "laboratory")
LIBRARY = transformer_lib.__name__


def is_ours(module: str) -> bool:
    """Tell whether a module, by its full name, is of the project's packages."""
    return module.split(".")[0] in PACKAGES


def code_of(path: Path) -> ast.Module:
    """Return the code of a notebook, but for cells that are no Python."""
    found = ast.Module([], [])
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            try:
                found.body += ast.parse("".join(cell["source"])).body
            except SyntaxError:
                continue
    return found


def imported(code: ast.Module) -> Iterator[tuple[str, object]]:
    """Yield what code imports from our packages, and the name it has there."""
    for node in ast.walk(code):
        if isinstance(node, ast.ImportFrom) and is_ours(node.module or ""):
            for one in node.names:
                home = importlib.import_module(str(node.module))
                if not hasattr(home, one.name):
                    importlib.import_module(f"{node.module}.{one.name}")
                yield one.asname or one.name, getattr(home, one.name)
        elif isinstance(node, ast.Import):
            for one in node.names:
                if one.name == LIBRARY:
                    yield one.asname or LIBRARY, transformer_lib


def used(code: ast.Module) -> Iterator[object]:
    """Yield what code imports from our packages or their modules."""
    names = dict(imported(code))
    yield from names.values()
    for node in ast.walk(code):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = names.get(node.value.id)
            if isinstance(module, ModuleType):
                yield getattr(module, node.attr, None)


@cache
def table() -> dict[tuple[str, str], list[int]]:
    """Return the chapters that use a function or class, by module and name."""
    found = defaultdict(set)
    paths = (p for room in ROOMS for p in room.glob("[0-9][0-9]_*.ipynb"))
    for path in paths:
        for thing in used(code_of(path)):
            name = getattr(thing, "__qualname__", None)
            if name and is_ours(thing.__module__):
                found[thing.__module__, name].add(int(path.name[:2]))
    return {key: sorted(numbers) for key, numbers in found.items()}


def said(thing: object) -> str:
    """Return a sentence such as "Chapters 4, 8 and 15.", or nothing."""
    key = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
    numbers = [str(number) for number in table().get(key, [])]
    if not numbers:
        return ""
    *most, last = numbers
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"Chapter{'s' if most else ''} {listed}."
