"""Run the code cells of notebooks on a device; store how they went.

    python benchmarks/notebooks.py --device cuda

They are the lessons and laboratories that train on a GPU where there is one.
Their cells run in order, in one process and without Jupyter; the set-up cell,
which might fetch something, is left out. Every assertion has to hold, and the
device that a notebook chooses has to be the one that was asked for. Stored
outputs are not compared, since a GPU rounds differently. A cell that fails
ends its notebook, and the other notebooks still run.

The result is benchmarks/results/notebooks_gpu.json, written anew after every
notebook. ``--smoke`` runs all these cells on the CPU, for about three minutes
(a training that is cut short would learn too little for the assertions), and
stores nothing in the project.
"""

import argparse
import ast
import contextlib
import io
import json
import linecache
import os
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common

NAME = "notebooks_gpu"
ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = tuple(
    f"{folder}/{name}.ipynb"
    for name in ("13_training_loop", "15_toy_translator")
    for folder in ("chapters", "book/laboratory")
)
SHOWS = ("_repr_mimebundle_", "_repr_html_")  # what Jupyter calls
HELD = "_assertion_held"


class Told(ast.NodeTransformer):
    """Let each assertion that has held say so, by its cell and line."""

    def __init__(self, file: str):
        self.file = file

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        told = ast.parse(f"{HELD}({self.file!r}, {node.lineno})").body[0]
        for part in ast.walk(told):
            ast.copy_location(part, node)
        return [node, told]


SKIPPED = {"setup", "remove-cell"}  # what installs, and what has widgets


def cells_of(path: Path) -> list[tuple[str, str]]:
    """Return id and text of the code cells that compute something."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [
        (cell["id"], "".join(cell["source"]))
        for cell in cells
        if cell["cell_type"] == "code"
        and SKIPPED.isdisjoint(cell["metadata"].get("tags", []))
    ]


def display(*things: Any) -> None:
    """Make what Jupyter would show of each thing; nobody sees it."""
    for thing in things:
        ways = (getattr(thing, name, None) for name in SHOWS)
        (next(filter(None, ways), None) or thing.__repr__)()


def execute(text: str, file: str, scope: dict) -> None:
    """Run a cell, and make what its last line shows.

    Args:
        text: of the cell.
        file: a name for it, under which errors and checks find its lines.
        scope: the notebook's names.
    """
    lines = text.splitlines(keepends=True)
    linecache.cache[file] = (len(text), None, lines, file)
    body = Told(file).visit(ast.parse(text)).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), file, "exec"), scope)
    if last is not None:
        shown = eval(compile(ast.Expression(last.value), file, "eval"), scope)
        if shown is not None:
            display(shown)


def in_words(error: Exception, file: str) -> str:
    """Say what went wrong, and in which line of a cell."""
    steps = traceback.extract_tb(error.__traceback__)
    lines = [step.lineno for step in steps if step.filename == file]
    where = f"line {lines[-1]}, " if lines else ""
    return f"{where}{type(error).__name__}: {error}".removesuffix(": ")


@contextlib.contextmanager
def notebook(folder: Path) -> Iterator[dict]:
    """Give the names of a new notebook; what it prints goes nowhere."""
    module = types.ModuleType("notebook")
    vars(module)["display"] = display
    sys.modules[module.__name__] = module
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        yield vars(module)
    del sys.modules[module.__name__]


def run(path: Path, device: str) -> dict:
    """Run a notebook; return its figures.

    Args:
        path: of the notebook.
        device: that it has to choose.
    """
    cells, held = cells_of(path), set()
    done, failed, began = 0, None, time.monotonic()
    with notebook(path.parent) as scope:
        scope[HELD] = lambda *place: held.add(place)
        for name, text in cells:
            file = f"<{path.name}, cell {name}>"
            try:
                execute(text, file, scope)
            except Exception as error:
                failed = f"cell {name}, {in_words(error, file)}"
                break
            done += 1
    chosen = getattr(scope.get("device"), "type", scope.get("device"))
    if not failed and chosen != device:
        failed = f"its device is {chosen}, and not {device}"
    return {
        "device": chosen,
        "cells": done,
        "of": len(cells),
        "assertions": len(held),
        "seconds": round(time.monotonic() - began, 1),
        "failed": failed,
    }


def arguments() -> argparse.Namespace:
    return common.parser(__doc__, devices=True).parse_args()


def main() -> None:
    args = arguments()
    if args.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"  # the notebooks look for one
    figures: dict = {"notebooks": {}}
    with tempfile.TemporaryDirectory() as folder:
        # The book's parts, not those of the reader whose computer this is.
        os.environ["TRANSFORMER_WORKBOOK"] = str(Path(folder, "none.py"))
        for name in NOTEBOOKS:
            told = figures["notebooks"][name] = run(ROOT / name, args.device)
            how = told["failed"] or f"{told['assertions']} assertions hold"
            print(f"{name}: {how} ({told['seconds']} s)", flush=True)
            common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)
    if any(told["failed"] for told in figures["notebooks"].values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
