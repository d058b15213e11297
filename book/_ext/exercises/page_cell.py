"""Run a cell of a notebook in the page, after the cells that it needs.

The page's own Python for cells; in another worker page_answer.py judges
answers. Text goes in and text comes out. Each run has a namespace of its own,
so that a cell gives the same whichever cells a reader has run before it, and
what one of them does to NumPy ends with its run.
"""

from __future__ import annotations

import ast
import contextlib
import json
from collections.abc import Callable
from typing import Any

import numpy
from page_answer import FILE, Printed, failed, value_of

from transformer_course.plots.results import ResultTable

__all__ = ["run"]

NUMPY = dict(vars(numpy))
FORM = numpy.get_printoptions()
IMPORTS = (ast.Import, ast.ImportFrom)
ABOVE = "a cell above"


class Lacking:
    """Stands for a module that the page's Python lacks, such as torch."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Any:
        raise ModuleNotFoundError(
            f"{self._name} is not in the page; in Colab or JupyterLab it is",
            name=self._name,
        )

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Say that it is lacking."""
        return self.anything


def run(asked: str, tell: Callable[[str], None] = lambda who: None) -> str:
    """Run a cell in a new namespace.

    Args:
        asked: JSON with `text`, of the cell, and `before`, the cells to run
            first: of each its `text`, the numbers of the `statements` that are
            needed (null: all), and whether it is `optional`, that is, passed
            over if it fails.
        tell: gets "answer" where a cell begins; the page's clock starts anew.

    Returns:
        JSON with `parts`, what the cell shows: {"text"} or {"head", "rows",
        "numbers"}, a table. If it fails also `error`, `cause` and `trace`; and
        `above`, the number of the cell above that failed instead.
    """
    job = json.loads(asked)
    vars(numpy).update(NUMPY)
    numpy.set_printoptions(**FORM)
    scope: dict[str, Any] = {"__name__": "__main__", "np": numpy}
    for number, cell in enumerate(job["before"]):
        tell("answer")
        try:
            with contextlib.redirect_stdout(Printed()):
                run_above(cell["text"], cell["statements"], scope)
        except BaseException as error:
            if not cell["optional"]:
                told = {"parts": [], "above": number, **failed(error)}
                return json.dumps(told)
    tell("answer")
    return json.dumps(shown_by(job["text"], scope))


def shown_by(text: str, scope: dict[str, Any]) -> dict[str, Any]:
    """Run a cell; return what the page shows of it, or of its error."""
    printed = Printed()
    shown: list[dict[str, Any]] = []
    result: dict[str, Any] = {}
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
        ):
            value = value_of(text, scope, FILE)
            if value is not None:
                shown = [part_of(value)]
    except BaseException as error:  # exit() and the like, too
        result = failed(error)
    if printed.getvalue():
        shown.insert(0, {"text": printed.shown()})
    return {"parts": shown, **result}


def part_of(value: Any) -> dict[str, Any]:
    """Return what a page shows of the value of a cell's last line."""
    if isinstance(value, ResultTable):
        return {
            "head": value.head,
            "rows": value.rows,
            "numbers": value._numbers(),
        }
    return {"text": repr(value)}


def run_above(
    text: str, statements: list[int] | None, scope: dict[str, Any]
) -> None:
    """Run the statements of a cell that another one needs.

    Args:
        text: of the cell.
        statements: the numbers of those that are needed; None for all.
        scope: the names that they see and make.
    """
    body = ast.parse(text, ABOVE).body
    for node in body if statements is None else [body[n] for n in statements]:
        if isinstance(node, IMPORTS):
            bring(node, scope)
        else:
            exec(compile(ast.Module([node], []), ABOVE, "exec"), scope)


def bring(node: ast.Import | ast.ImportFrom, scope: dict[str, Any]) -> None:
    """Import each name on its own; a stand-in comes for one that is lacking."""
    for name in node.names:
        one: ast.stmt = (
            ast.Import([name])
            if isinstance(node, ast.Import)
            else ast.ImportFrom(node.module, [name], node.level)
        )
        module = ast.fix_missing_locations(ast.Module([one], []))
        try:
            exec(compile(module, ABOVE, "exec"), scope)
        except ImportError as error:
            bound = name.asname or name.name.split(".")[0]
            is_part = not isinstance(error, ModuleNotFoundError)
            lacking = name.name if is_part else error.name or bound
            scope[bound] = Lacking(lacking.split(".")[0])
