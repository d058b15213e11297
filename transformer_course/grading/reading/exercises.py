"""The exercises of a chapter that a check can judge, read from its notebooks.

A chapter has two rooms, a notebook each: the lesson, and the laboratory. An
exercise is known by the call of its check, `checks.softmax(softmax)`; the cell
for its answer carries the tag `answer:softmax`.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from transformer_course import checks
from transformer_course.checks import parts
from transformer_course.checks.engine.exercise import Exercise
from transformer_course.grading.reading.program import parsed

__all__ = [
    "LABORATORY",
    "LESSON",
    "ROOMS",
    "TAG",
    "Asked",
    "Cell",
    "Chapter",
    "chapter_file",
    "chapter_files",
    "exercise_of",
    "handed_over",
    "in_order",
    "read_chapter",
]

LESSON, LABORATORY = ROOMS = ("lesson", "laboratory")
TAG = "answer:"
_HEADING = r"^### (?:Exercise|Solution) (\d+\.\d+)"
_PLACES = (Path(__file__).parents[3] / "chapters", Path("chapters"))
_LABORATORIES = ("book", "laboratory")


@dataclass(frozen=True)
class Cell:
    """A cell with code.

    Attributes:
        text: its source.
        keys: its tags that begin with `answer:`, and its id.
        room: in which it stands.
    """

    text: str
    keys: frozenset[str] = frozenset()
    room: str = LESSON


@dataclass(frozen=True)
class Asked:
    """An exercise of a chapter.

    Attributes:
        number: such as "2.1".
        name: of its check, or of the part of the reader's Transformer.
        given: what the chapter hands to the check, as Python.
        keys: tag and ids of the cells for the answer.
        is_part: whether `checks.build` judges it.
        room: in which it stands.
    """

    number: str
    name: str
    given: str
    keys: frozenset[str]
    is_part: bool
    room: str = LESSON

    @property
    def title(self) -> str:
        """How tables and pages call it."""
        return f"{self.number} {self.name}"


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book, as it is handed out.

    Attributes:
        number: from 0 on.
        asked: the exercises of both rooms, in the order of their numbers.
        cells: the cells with code of both rooms.
    """

    number: int
    asked: tuple[Asked, ...]
    cells: tuple[Cell, ...]

    def helpers(self, room: str) -> list[str]:
        """Return the texts of the cells that are not for answers.

        The laboratory repeats definitions of the lesson, so neither room
        takes a helper from the other.

        Args:
            room: whose cells.
        """
        keys = frozenset().union(*(asked.keys for asked in self.asked))
        here = [cell for cell in self.cells if cell.room == room]
        return [cell.text for cell in here if not cell.keys & keys]


def chapter_file(number: int, folder: Path | None = None) -> Path:
    """Find the lesson of a chapter.

    Args:
        number: of the chapter.
        folder: that holds the lessons; if None, that of the book.

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


def chapter_files(number: int, folder: Path | None = None) -> tuple[Path, ...]:
    """Find the lesson of a chapter, and its laboratory if there is one.

    Args:
        number: of the chapter.
        folder: that holds the lessons; if None, that of the book. The
            laboratories are in `../book/laboratory` where its name is
            `chapters`, else in `laboratory` below it; one that is not there
            is the book's.

    Returns:
        One path or two, in the order of `ROOMS`.

    Raises:
        ValueError: there is no such chapter, or none at all.
    """
    lesson = chapter_file(number, folder)
    homes = [_laboratories(place) for place in (lesson.parent, *_PLACES)]
    for home in homes:
        for path in home.glob(f"{number:02}_*.ipynb"):
            return lesson, path
    return (lesson,)


def _laboratories(lessons: Path) -> Path:
    """The folder of the laboratories, whether there is one or not."""
    lessons = lessons.resolve()
    if lessons.name == "chapters":
        return lessons.parent.joinpath(*_LABORATORIES)
    return lessons / "laboratory"


def read_chapter(number: int, folder: Path | None = None) -> Chapter:
    """Find the exercises of a chapter.

    Args:
        number: of the chapter.
        folder: that holds the lessons; if None, that of the book. Where the
            laboratories are, `chapter_files` says.

    Returns:
        The chapter, each exercise once. What both notebooks ask belongs to
        the lesson: a reader may have begun when there was one notebook.

    Raises:
        ValueError: there is no such chapter, or none at all.
    """
    cells: list[Cell] = []
    asked: dict[str, Asked] = {}
    for room, path in zip(ROOMS, chapter_files(number, folder), strict=False):
        own, questions = _read(path, room)
        cells += own
        for one in questions:
            asked.setdefault(one.name, one)
    ordered = sorted(asked.values(), key=lambda one: in_order(one.number))
    return Chapter(number, tuple(ordered), tuple(cells))


def in_order(number: str) -> list[int]:
    """Return what exercises are sorted by.

    Args:
        number: of an exercise, such as "2.10"; "" where it has none.
    """
    return [int(part) for part in number.split(".") if part]


def _read(path: Path, room: str) -> tuple[list[Cell], list[Asked]]:
    """The cells with code of a notebook, and what it asks."""
    content = json.loads(path.read_text(encoding="utf-8"))
    cells, asked, heading = [], [], ""
    for cell in content["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code":
            heading = (re.findall(_HEADING, text, re.M) or [heading])[-1]
            continue
        tags = cell["metadata"].get("tags", [])
        own = {tag for tag in tags if tag.startswith(TAG)}
        own |= {cell.get("id", "")} - {""}
        cells.append(Cell(text, frozenset(own), room))
        for name, given in _handed_over(text):
            keys = _keys(name, cells)
            part = name in parts.PARTS
            asked.append(Asked(heading, name, given, keys, part, room))
    return cells, asked


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
