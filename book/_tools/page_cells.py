"""Find the cells of a notebook that Python in the page can run.

    python book/_tools/page_cells.py                      all of them
    python book/_tools/page_cells.py chapters/02_*.ipynb  only these
    python book/_tools/page_cells.py --count              say how many, no more

The page has NumPy, the standard library, and of the book what needs no more:
no torch, and nothing that draws. A statement can run there if it uses nothing
of what is lacking (page_lacks.py), and if all statements above that it needs
can run (cell_needs.py). What is found is written into the cell's metadata:

    "page": {"needs": "imports:0,2 data"}    run these first
    "page": {"lacks": "torch"}

A cell that is needed stands with the numbers of its statements; without
numbers it is needed whole. Of code that the pages fold, what can run and shows
something is marked, and no other. Nothing is executed; run_notebooks.py does
the same.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from cell_needs import IMPORTS, Cell, Notebook, is_unsure
from depends import ROOT
from notebook_file import dumped
from page_lacks import lacks

KEY = "page"
FOLDERS = ("chapters", "book/laboratory")
IPYTHON = "IPython"  # what only a notebook has
OF_IPYTHON = {"display", "get_ipython"}


def mark(notebook: dict[str, Any]) -> None:
    """Write into the metadata of each cell whether the page can run it."""
    cells = [one for one in notebook["cells"] if one["cell_type"] == "code"]
    for cell, found in zip(cells, found_in(cells), strict=True):
        cell["metadata"].pop(KEY, None)
        if found and _is_offered(cell, found):
            cell["metadata"][KEY] = found


def _is_offered(cell: dict[str, Any], found: dict[str, str]) -> bool:
    """Tell whether a reader of the page is to hear what was found."""
    tags = set(cell["metadata"].get("tags", []))
    if tags & {"hide-cell", "remove-cell"}:
        return False
    shows = "needs" in found and bool(cell["outputs"])
    return shows or "hide-input" not in tags


def found_in(cells: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return of each code cell what it needs or lacks; of some, nothing."""
    page = _Page()
    return [page.read(cell) for cell in cells]


class _Page:
    """What the page can run of the cells so far, statement by statement.

    Attributes:
        notebook: what the statements do with names. Each counts as a cell, and
            so does each name of an import.
        places: of each statement the id of its cell, and its number there.
        lacks: what each lacks, or "".
        homes: where a name was imported from.
        lengths: how many statements each cell has.
        is_known: whether what the cells do can be read from their code.
    """

    def __init__(self) -> None:
        self.notebook = Notebook()
        self.places: list[tuple[str, int]] = []
        self.lacks: list[str] = []
        self.homes: dict[str, str] = {}
        self.lengths: dict[str, int] = {}
        self.is_known = True

    def read(self, cell: dict[str, Any]) -> dict[str, str]:
        """Take one more cell; return what its metadata have to say."""
        source = "".join(cell["source"])
        if "setup" in cell["metadata"].get("tags", []) or not source.strip():
            return {}
        self.is_known = self.is_known and not is_unsure(source)
        if not self.is_known:
            return {"lacks": IPYTHON}
        body = ast.parse(source).body
        first = len(self.places)
        for number, node in enumerate(body):
            for part in _parts(node):
                self.places.append((cell["id"], number))
                self._add(part)
        found = next(filter(None, self.lacks[first:]), "")
        needs = "" if found else self._needs(first)
        self.lengths[cell["id"]] = len(body)
        return {"lacks": found} if found else {"needs": needs}

    def _add(self, node: ast.stmt) -> None:
        """Take one more statement, or one name of an import."""
        done = Cell.of(ast.unparse(node))
        needed = sorted(self.notebook.needed_by(done))
        found = self._own(node, done) or next(
            filter(None, (self.lacks[one] for one in needed)), ""
        )
        # Nobody misses there that something was handed to torch or drawn.
        self.notebook.add(len(self.lacks), done, firmly=bool(found))
        self.lacks.append(found)

    def _own(self, node: ast.stmt, done: Cell) -> str:
        """Return what a statement itself lacks in the page, or ""."""
        if isinstance(node, IMPORTS):
            name = node.names[0]
            home = name.name
            if isinstance(node, ast.ImportFrom):
                home = f"{node.module}.{name.name}"
            elif not name.asname:
                home = name.name.split(".")[0]
            self.homes[name.asname or name.name.split(".")[0]] = home
            return lacks(home)
        for name in done.makes & self.homes.keys():
            del self.homes[name]
        if OF_IPYTHON & done.uses:
            return IPYTHON
        used = (
            f"{self.homes[one.value.id]}.{one.attr}"
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute)
            and isinstance(one.value, ast.Name)
            and one.value.id in self.homes
        )
        return next(filter(None, map(lacks, used)), "")

    def _needs(self, first: int) -> str:
        """Return what the statements from the first on need above it."""
        wanted: dict[str, set[int]] = {}
        for unit in range(first, len(self.places)):
            for one in self.notebook.found[unit]:
                if one < first:
                    cell, number = self.places[one]
                    wanted.setdefault(cell, set()).add(number)
        return " ".join(
            f"{cell}:{','.join(map(str, sorted(wanted[cell])))}"
            if len(wanted[cell]) < length
            else cell
            for cell, length in self.lengths.items()
            if cell in wanted
        )


def _parts(node: ast.stmt) -> Iterator[ast.stmt]:
    """Give a statement, or an import for each of its names."""
    if isinstance(node, ast.Import):
        yield from (ast.Import([name]) for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        for name in node.names:
            yield ast.ImportFrom(node.module, [name], node.level)
    else:
        yield node


def main(arguments: list[str] | None = None) -> int:
    """Mark the notebooks named on the command line, or count their cells."""
    parser = argparse.ArgumentParser(description="Mark the cells that run.")
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument(
        "--count", action="store_true", help="say how many, and write nothing"
    )
    options = parser.parse_args(arguments)
    for path in options.notebooks or [
        path for one in FOLDERS for path in sorted((ROOT / one).glob("*.ipynb"))
    ]:
        text = path.read_text(encoding="utf-8")
        notebook = json.loads(text)
        mark(notebook)
        if options.count:
            told = [cell["metadata"].get(KEY) for cell in notebook["cells"]]
            found = Counter(one.get("lacks", "nothing") for one in told if one)
            said = ", ".join(f"{n} lack {one}" for one, n in found.items())
            print(f"{path.parent.name}/{path.name}: {said}")
        elif dumped(notebook) != text:
            path.write_text(dumped(notebook), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
