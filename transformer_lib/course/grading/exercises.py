"""The exercises of a chapter that a check can judge, read from its notebook.

An exercise is known by the call of its check, `checks.softmax(softmax)`; the
cell for its answer carries the tag `answer:softmax`.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from transformer_lib.course import checks
from transformer_lib.course.checks import parts
from transformer_lib.course.checks.engine.exercise import Exercise
from transformer_lib.course.grading.program import parsed

__all__ = [
    "TAG",
    "Asked",
    "Cell",
    "Chapter",
    "chapter_file",
    "exercise_of",
    "handed_over",
    "read_chapter",
]

TAG = "answer:"
_HEADING = r"^### (?:Exercise|Solution) (\d+\.\d+)"
_PLACES = (Path(__file__).parents[3] / "chapters", Path("chapters"))


@dataclass(frozen=True)
class Cell:
    """A cell with code.

    Attributes:
        text: its source.
        keys: its tags that begin with `answer:`, and its id.
    """

    text: str
    keys: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Asked:
    """An exercise of a chapter.

    Attributes:
        number: such as "2.1".
        name: of its check, or of the part of the reader's Transformer.
        given: what the chapter hands to the check, as Python.
        keys: tag and ids of the cells for the answer.
        is_part: whether `checks.build` judges it.
    """

    number: str
    name: str
    given: str
    keys: frozenset[str]
    is_part: bool

    @property
    def title(self) -> str:
        """How tables and pages call it."""
        return f"{self.number} {self.name}"


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book, as it is handed out.

    Attributes:
        number: from 0 on.
        asked: its exercises, in order.
        cells: its cells with code.
    """

    number: int
    asked: tuple[Asked, ...]
    cells: tuple[Cell, ...]

    @property
    def helpers(self) -> list[str]:
        """The texts of the cells that are not for answers."""
        keys = frozenset().union(*(asked.keys for asked in self.asked))
        return [cell.text for cell in self.cells if not cell.keys & keys]


def chapter_file(number: int, folder: Path | None = None) -> Path:
    """Find the notebook of a chapter.

    Args:
        number: of the chapter.
        folder: that holds the chapters; if None, that of the book.

    Returns:
        Its path.

    Raises:
        ValueError: there is no such chapter, or none at all.
    """
    places = _PLACES if folder is None else (folder,)
    for place in places:
        for path in place.glob(f"{number:02}_*.ipynb"):
            return path
    for place in places if folder is None else ():
        names = sorted(p.name for p in place.glob("[0-9][0-9]_*.ipynb"))
        if names:
            first, last = int(names[0][:2]), int(names[-1][:2])
            raise ValueError(
                f"no chapter {number}: there are {first} to {last}"
            )
    raise ValueError(
        f"no chapter {number}: there is no file "
        f"{places[-1]}/{number:02}_*.ipynb; run this where the book is"
    )


def read_chapter(number: int, folder: Path | None = None) -> Chapter:
    """Find the exercises of a chapter.

    Args:
        number: of the chapter.
        folder: that holds the chapters; if None, that of the book.

    Returns:
        The chapter.

    Raises:
        ValueError: there is no such chapter, or none at all.
    """
    path = chapter_file(number, folder)
    content = json.loads(path.read_text(encoding="utf-8"))
    cells, asked, heading = [], [], ""
    for cell in content["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code":
            heading = (re.findall(_HEADING, text, re.M) or [heading])[-1]
            continue
        tags = cell["metadata"].get("tags", [])
        keys = {tag for tag in tags if tag.startswith(TAG)}
        cells.append(Cell(text, frozenset(keys | {cell.get("id", "")} - {""})))
        for name, given in _handed_over(text):
            keys = _keys(name, cells)
            part = name in parts.PARTS
            asked.append(Asked(heading, name, given, keys, part))
    return Chapter(number, tuple(asked), tuple(cells))


def _handed_over(text: str) -> list[tuple[str, str]]:
    """The calls of checks in a cell, none where a reader's cell is broken."""
    try:
        return list(handed_over(text))
    except SyntaxError:
        return []


def _keys(name: str, cells: list[Cell]) -> frozenset[str]:
    """The keys of the cells for an answer.

    A cell for two answers has the tag of the other one, too; that is no key
    of this one.
    """
    own = [cell.keys for cell in cells if TAG + name in cell.keys]
    found = frozenset({TAG + name}).union(*own)
    return frozenset(k for k in found if k == TAG + name or TAG not in k)


def exercise_of(name: str) -> Exercise | None:
    """Find what a check in code knows.

    Args:
        name: of an exercise, or of a part of the reader's Transformer.

    Returns:
        The exercise; None for one on paper.
    """
    if name in parts.PARTS:
        return parts.part(name).EXERCISE
    home = sys.modules[getattr(checks, name).__module__]
    return getattr(home, "EXERCISE", None)


def handed_over(text: str) -> Iterator[tuple[str, str]]:
    """Find the calls of checks in a cell.

    Args:
        text: of the cell.

    Yields:
        The name of the exercise, and what is handed to its check.

    Raises:
        SyntaxError: the cell is no Python.
    """
    for node in ast.walk(parsed(text)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("checks"), attr=name),
                args=[given],
            ):
                said = ast.unparse(given)
                if name == "build" and said in parts.PARTS:
                    yield said, said
                elif name in checks.__all__ and name not in checks.TOOLS:
                    yield name, said
