"""What the page needs to know of an exercise in code, from its notebook."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from transformer_course import checks
from transformer_course.grading.reading.exercises import TAG, handed_over
from transformer_course.grading.reading.program import (
    Statement,
    needed,
    statements_of,
)

__all__ = [
    "IN_CODE",
    "IN_PAGE",
    "asked_in",
    "imported_to_run",
    "set_up",
    "to_run",
]

# The exercises that need no torch.
IN_CODE = frozenset(
    home.rpartition(".")[2] for home in checks.homes() if ".code." in home
)
_NAME = re.compile(r"`+([^`]+)`+")
_SET_UP = "# Set-up."
# In a cell's metadata: what book/_tools/page_cells.py has found of it.
IN_PAGE = "page"
_ROOT = Path(__file__).resolve().parents[3]
_IMPORT = (ast.Import, ast.ImportFrom)
_FUNCTION = (ast.FunctionDef, ast.ClassDef)


@cache
def cells_of(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook, each with its text."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return [
        cell | {"text": "".join(cell["source"])} for cell in content["cells"]
    ]


def set_up(path: Path) -> str:
    """Return the set-up cell of a notebook, or ""."""
    texts = (cell["text"] for cell in cells_of(path))
    return next((text for text in texts if text.startswith(_SET_UP)), "")


def asked_in(path: Path) -> dict[str, dict[str, Any]]:
    """Return the exercises in code of a notebook.

    Args:
        path: of the notebook.

    Returns:
        By the name of the check: `start`, what stands in the cell for the
        answer; `call`, of the check; `before`, texts that bring the names that
        the notebook has defined by then, as far as the exercise speaks of
        them; `torch`, whether it speaks of tensors.
    """
    found: dict[str, dict[str, Any]] = {}
    for place, cell in enumerate(cells_of(path)):
        if cell["cell_type"] != "code" or "checks." not in cell["text"]:
            continue
        for name, given in handed_over(cell["text"]):
            if name in IN_CODE and name not in found:
                found[name] = _asked(path, place, name, given)
    return found


def to_run(path: Path) -> dict[str, dict[str, Any]]:
    """Return the cells of a notebook that may run in the page, in order.

    Args:
        path: of the notebook.

    Returns:
        By the id of the cell its `text` and, if readers can run it, `needs` as
        in its metadata.
    """
    cells = [cell for cell in cells_of(path) if cell["cell_type"] == "code"]
    needs = {
        cell["id"]: cell["metadata"].get(IN_PAGE, {}).get("needs")
        for cell in cells
    }
    wanted = {
        need.partition(":")[0]
        for one in needs.values()
        for need in (one or "").split()
    }
    found = {}
    for cell in cells:
        name = cell["id"]
        if needs[name] is not None:
            found[name] = {"text": cell["text"], "needs": needs[name]}
        elif name in wanted:
            found[name] = {"text": cell["text"]}
    return found


def imported_to_run(root: Path = _ROOT) -> list[str]:
    """Return the imports, one name each, that cells use which run in a page."""
    found: set[str] = set()
    for folder in ("chapters", "book/laboratory"):
        for path in (root / folder).glob("*.ipynb"):
            found.update(_imports_used(_statements_to_run(path)))
    return sorted(found)


def _statements_to_run(path: Path) -> list[ast.stmt]:
    """The statements of the cells that may run, and those that these need."""
    cells = to_run(path)
    wanted: dict[str, set[int] | None] = {}
    for name, cell in cells.items():
        if "needs" not in cell:
            continue
        wanted[name] = None  # all of it
        for need in cell["needs"].split():
            above, _, numbers = need.partition(":")
            if not numbers:
                wanted[above] = None
            elif (known := wanted.setdefault(above, set())) is not None:
                known.update(map(int, numbers.split(",")))
    return [
        node
        for name, numbers in wanted.items()
        for number, node in enumerate(ast.parse(cells[name]["text"]).body)
        if numbers is None or number in numbers
    ]


def _imports_used(statements: list[ast.stmt]) -> Iterator[str]:
    """Give the imports among statements whose names one of them uses."""
    used = {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
    }
    for node in statements:
        if isinstance(node, _IMPORT):
            for name, text in zip(node.names, _one_by_one(node), strict=True):
                if (name.asname or name.name.split(".")[0]) in used:
                    yield text


def _asked(path: Path, check: int, name: str, given: str) -> dict[str, Any]:
    cells = cells_of(path)
    answer = max(
        n
        for n, cell in enumerate(cells[: check + 1])
        if TAG + name in _tags(cell)
    )
    told = max(
        n
        for n, cell in enumerate(cells[:answer])
        if cell["text"].lstrip().startswith("#") or "### " in cell["text"]
    )
    words = "\n".join(cell["text"] for cell in cells[told:answer])
    return {
        "start": cells[answer]["text"],
        "call": f"checks.{name}({given})",
        "before": _before(cells[:answer], words),
        "torch": "torch." in words or "the tensor" in words,
    }


def _tags(cell: dict[str, Any]) -> list[str]:
    return cell["metadata"].get("tags", [])


def _before(cells: list[dict[str, Any]], words: str) -> list[str]:
    """All imports, each on its own, then functions that words speak of."""
    lines = [_statements(cell) for cell in cells]
    every = [line.node for cell in lines for line in cell]
    spoken = {
        name
        for code in _NAME.findall(words)
        for name in re.findall(r"\w+", code)
    }
    functions = {node.name for node in every if isinstance(node, _FUNCTION)}
    wanted = needed(lines, len(lines), sorted(spoken & functions))
    texts = [
        text
        for node in every
        if isinstance(node, _IMPORT)
        for text in _one_by_one(node)
    ]
    texts += [
        ast.unparse(line.node)
        for _, line in wanted
        if isinstance(line.node, (*_FUNCTION, ast.Assign))
    ]
    return list(dict.fromkeys(texts))


def _statements(cell: dict[str, Any]) -> list[Statement]:
    """The statements of a cell that is no answer and not the set-up."""
    answers = any(tag.startswith(TAG) for tag in _tags(cell))
    if cell["cell_type"] != "code" or answers:
        return []
    if cell["text"].startswith(_SET_UP):
        return []
    return statements_of(cell["text"])


def _one_by_one(node: ast.Import | ast.ImportFrom) -> list[str]:
    """An import for each name: one that the page lacks takes no other along."""
    kind = type(node)
    more = {} if kind is ast.Import else {"module": node.module, "level": 0}
    return [ast.unparse(kind(names=[one], **more)) for one in node.names]
