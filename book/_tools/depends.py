"""Which files of our packages a notebook depends on, read from its imports.

Nothing is imported. A package that loads its names when they are first used
(its __init__ has a `__getattr__`) counts with what every name of it needs and
with the names that are asked for; any other package counts whole, unless its
__init__ itself makes the name that is asked for.
"""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("toy_language", "transformer_lib", "transformer_course")
# Read, not imported, by whoever imports a module beside it.
DATA = ("transformer_lib/data", "toy_language/data")
RESULTS = "benchmarks/results"  # of these, what the code names
# In a lazy package, what all of its names use.
COMMON = "engine"


@functools.cache
def is_lazy(package: Path) -> bool:
    """Tell whether a package loads a name when it is first used."""
    return "__getattr__" in (package / "__init__.py").read_text("utf-8")


@functools.cache
def homes(package: Path) -> dict[str, str]:
    """Return the module of each name that a package offers to editors."""
    stub = package / "__init__.pyi"
    source = stub if stub.exists() else package / "__init__.py"
    found = {}
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            above = package.relative_to(ROOT).parts if node.level else ()
            module = ".".join([*above, node.module])
            found |= {name.name: module for name in node.names}
    return found


@functools.cache
def bound(package: Path) -> set[str]:
    """Return the names that a package's own file makes or imports."""
    source = (package / "__init__.py").read_text(encoding="utf-8")
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {name.asname or name.name for name in node.names}
        elif isinstance(node, ast.Assign):
            names = [n for t in node.targets for n in ast.walk(t)]
            found |= {n.id for n in names if isinstance(n, ast.Name)}
    return found


def at(module: str) -> Path | None:
    """Return a module's file or a package's folder."""
    place = ROOT.joinpath(*module.split("."))
    if (place / "__init__.py").exists():
        return place
    file = place.with_suffix(".py")
    return file if file.exists() else None


@functools.cache
def imported(source: str) -> list[tuple[str, str | None]]:
    """Return each import of ours: a module, and a name of it or None."""
    found: list[tuple[str, str | None]] = []
    for node in that_run(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(name.name, None) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found += [(node.module or "", name.name) for name in node.names]
    return [one for one in found if one[0].split(".")[0] in PACKAGES]


def that_run(tree: ast.AST) -> Iterable[ast.AST]:
    """Give what stands below a node, but for what only type checkers read."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        left += ast.iter_child_nodes(node)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            del left[-len(node.body) :]


@functools.cache
def files_below(folder: Path) -> list[Path]:
    """Return all files of a folder but what Python keeps there."""
    return [
        file
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]


def needed(source: str) -> set[Path]:
    """Return the files that some code depends on, data among them."""
    found: set[Path] = set()
    for place in places(source):
        _take(place, source, found)
    for folder in map(ROOT.joinpath, DATA):
        if any(folder.parent in file.parents for file in found):
            found.update(files_below(folder))
    return found | results(source)


def places(source: str) -> Iterator[Path]:
    """Yield the files and packages that some code itself imports."""
    for module, name in imported(source):
        place = at(module)
        if name and place and place.is_dir():
            inner = at(f"{module}.{name}")
            if inner is None and is_lazy(place) and name in homes(place):
                inner = at(homes(place)[name])
            if inner is not None:
                yield place / "__init__.py"
                place = inner
            elif name in bound(place):
                place /= "__init__.py"
        if place is not None:
            yield place


def results(source: str) -> set[Path]:
    """Return the stored results that some code asks for by name.

    Where the name is made while the code runs, its fixed parts decide: of
    `stored_results(f"ablations_{device}")` all that begin so.
    """
    calls = [
        node.args[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("stored_results")
        and node.args
    ]
    wanted = [_pattern(call) for call in calls]
    return {
        file
        for file in (ROOT / RESULTS).glob("*.json")
        if any(re.fullmatch(one, file.stem) for one in wanted)
    }


def _pattern(name: ast.expr) -> str:
    """What a text looks like that an expression may give."""
    if isinstance(name, ast.Constant):
        return re.escape(str(name.value))
    if isinstance(name, ast.JoinedStr):
        return "".join(map(_pattern, name.values))
    return ".*"


def _take(place: Path, source: str, found: set[Path]) -> None:
    for file in [place] if place.is_file() else _package(place, source):
        if file in found:
            continue
        found.add(file)
        if file.suffix == ".py":
            inside = file.read_text(encoding="utf-8")
            for place in places(inside):
                _take(place, inside, found)


def _package(package: Path, source: str) -> Iterable[Path]:
    """Give the files of a package that code which names it depends on."""
    files = files_below(package)
    if not is_lazy(package):
        return files
    used = set(re.findall(rf"\b{package.name}\.(\w+)", source))
    modules = {homes(package).get(name) for name in used} - {None}
    return [
        file
        for file in files
        if file.name == "__init__.py"
        or COMMON in file.relative_to(package).parts
        or file.stem in used
        or any(file == at(module) for module in modules)
    ]


def starts_a_process(source: str) -> bool:
    """Tell whether code runs another program, whose needs nobody reads here."""
    return bool(
        re.search(r"\b(subprocess|multiprocessing|Popen|os\.system)\b", source)
        or re.search(r"(?m)^\s*[!%]", source)
    )


def code_of(notebook: Path) -> str:
    """Return the code of a notebook as one module, without magic commands."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    lines = (
        line
        for cell in cells
        if cell["cell_type"] == "code"
        for line in "".join(cell["source"]).splitlines()
    )
    return "\n".join(re.sub(r"^\s*[%!].*", "pass", line) for line in lines)
