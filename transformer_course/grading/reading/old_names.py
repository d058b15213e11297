"""Notebooks that were handed out when the course was part of the library.

Their import lines name places that are elsewhere now. In class such a line
ends with a sentence that says so. Here, where nobody can change a notebook
any more, the lines mean what they meant.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import transformer_lib
from transformer_lib._old_names import NOW

__all__ = ["accept", "renewed"]


def renewed(text: str) -> str:
    """Return a text of the book's as it reads now, to compare it.

    Args:
        text: of a cell, or the full name of something imported.
    """
    for old, new in NOW.items():
        text = re.sub(rf"\b{re.escape(old)}\b", new, text)
    return text


def accept() -> None:
    """Let this process import by old names, too, from here on."""
    others = transformer_lib.__getattr__

    def named(name: str) -> Any:
        new = NOW.get(f"{transformer_lib.__name__}.{name}")
        return others(name) if new is None else resolve_name(new)

    transformer_lib.__getattr__ = named
    sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder, Loader):
    """Gives the module that is there now for one of an old name."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how to load a module, if its name is an old one."""
        has_moved = renewed(fullname) != fullname
        return ModuleSpec(fullname, self) if has_moved else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of today in the place of an empty one."""
        sys.modules[module.__name__] = import_module(renewed(module.__name__))
