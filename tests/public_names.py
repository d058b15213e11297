"""The modules of the three packages, and the names that each makes public.

A module's public names are those of its `__all__`, or else the functions and
classes that it defines without an underscore. Modules are found as files:
none is imported to list them.
"""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

from transformer_course import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = "transformer_lib."


def name_of(path):
    """The dotted name of a module, or of a package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


NAMES = sorted(
    name
    for package in PACKAGES
    for name in map(name_of, (ROOT / package).rglob("*.py"))
    if name != package and not name.split(".")[-1].startswith("_")
)
# Public names stand in the modules of the library and at the packages of the
# course; what lies deeper is public as far as a package's `__all__` says so.
DOORS = [
    name
    for name in NAMES
    if re.fullmatch(r"\w+\.\w+", name)
    or re.fullmatch(r"transformer_lib\.confidence\.(training|trust)", name)
]


def short(name):
    return name.removeprefix(LIBRARY)


def path_of(name):
    """The file of a module, or of a package."""
    place = ROOT.joinpath(*name.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def is_package(name):
    return path_of(name).name == "__init__.py"


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def definitions(path):
    """The functions and classes of a file by name."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {n.name: n for n in tree_of(path).body if isinstance(n, kinds)}


def public_names(name):
    """A module's public functions and classes."""
    module = importlib.import_module(name)
    if hasattr(module, "__all__"):
        listed = [n for n in module.__all__ if callable(getattr(module, n))]
        return sorted(n for n in listed if not is_alias(getattr(module, n)))
    return sorted(n for n in definitions(path_of(name)) if n[0] != "_")


def is_alias(value):
    """Tell a type such as tuple[int, int] from a class."""
    return not (inspect.isclass(value) or inspect.isroutine(value)) or (
        hasattr(value, "__origin__")
    )


def home(name, thing):
    """The file and the definition of a public name."""
    value = inspect.unwrap(getattr(importlib.import_module(name), thing))
    path = path_of(value.__module__)
    return path, definitions(path)[value.__name__]


def bound(path):
    """The names that a file binds itself, imports aside."""
    found = set(definitions(path))
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = getattr(node, "targets", None) or [node.target]
            names = [n for t in targets for n in ast.walk(t)]
            found.update(n.id for n in names if isinstance(n, ast.Name))
    return {name for name in found if not name.startswith("_")}
