"""Interactive figures that work in the book, in a notebook and in print.

Each function gives an `Explorer`: the last line of a cell shows it. Nothing
here needs torch, and nothing is fetched. A figure is loaded when it is first
asked for.

All chapters.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME = {
    alias.name: node.module
    for node in ast.parse(_STUB).body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Load what the stub names the first time it is asked for."""
    if name not in _HOME:
        known = ", ".join(__all__)
        raise AttributeError(
            f"{__name__} has no explorer {name!r}; it has {known}"
        )
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__.copy()
