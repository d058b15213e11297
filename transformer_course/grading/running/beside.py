"""What stands beside the cells of a notebook: its kernel, and other files.

A kernel gives a notebook a few names, and the notebook imports the modules
that lie in its folder. Here both are made of what was handed in; there are no
files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["KERNEL", "lend", "written"]

_WRITTEN = re.compile(r"%%writefile[^\S\n]+(?:\./)?(\w+)\.py[^\S\n]*\n")


class _Shell:
    """What `get_ipython()` returns: any of its calls does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing


def _nothing(*given: Any, **named: Any) -> None:
    """Show nothing, where there is nobody to see it."""


KERNEL = {
    "display": _nothing,
    "get_ipython": _Shell,
    "In": [""],
    "Out": {},
    "_": "",
    "__": "",
    "___": "",
}


class _Finder(MetaPathFinder, Loader):
    """Finds modules in texts, after all that is installed."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how to load a module, if there is its text."""
        return ModuleSpec(fullname, self) if fullname in self.texts else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module."""
        name = module.__name__
        code = compile(self.texts[name], f"<{name}.py>", "exec")
        exec(code, vars(module))


_finder = _Finder()


def lend(texts: Mapping[str, str]) -> None:
    """Let this process import modules from texts, and from no earlier ones.

    Args:
        texts: by the names of the modules.
    """
    if _finder not in sys.meta_path:
        sys.meta_path.append(_finder)
    for name in _finder.texts:
        sys.modules.pop(name, None)
    _finder.texts = dict(texts)


def written(texts: Sequence[str]) -> dict[str, str]:
    """Find the modules that cells of a notebook write.

    Args:
        texts: of the cells.

    Returns:
        The texts of the modules, by their names.
    """
    found = [(_WRITTEN.match(text), text) for text in texts]
    return {form[1]: text[form.end() :] for form, text in found if form}
