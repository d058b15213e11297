"""How far a reader has come: the saved chapters, exercise by exercise.

In a notebook::

    from transformer_course.progress import progress

    progress(2)                           # the exercises of chapter 2
"""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from pathlib import Path

from transformer_course.checks.engine.verdict import RIGHT
from transformer_course.grading.reading.exercises import (
    ROOMS,
    Chapter,
    chapter_files,
    read_chapter,
)
from transformer_course.grading.reading.submissions import (
    Copy,
    Work,
    read_copy,
)
from transformer_course.grading.running.marking import Mark, mark
from transformer_course.grading.running.process import Limits
from transformer_course.workbook.folders import lessons

__all__ = ["Progress", "progress"]


@dataclass(frozen=True, repr=False)
class Progress:
    """The exercises of some chapters that a check judges.

    Attributes:
        marks: the verdict on each.
    """

    marks: tuple[Mark, ...]

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(mark.verdict.ok for mark in self.marks)

    def __repr__(self) -> str:
        lines = [
            f"{mark.asked.title:38} {mark.verdict.status}"
            for mark in self.marks
        ]
        return "\n".join([*lines, self._sum()])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(mark.asked.title)}</td>"
            f"<td>{html.escape(mark.verdict.status)}</td></tr>"
            for mark in self.marks
        )
        head = "<tr><th>exercise</th><th></th></tr>"
        return f"<table>{head}{rows}</table><p>{self._sum()}</p>"

    def _sum(self) -> str:
        return f"{self.right} of {len(self.marks)} {RIGHT}"


def progress(
    chapter: int | None = None, folder: str | Path | None = None
) -> Progress:
    """Look through the exercises in code and on paper of the saved chapters.

    Args:
        chapter: its number; None for the whole book, which takes a minute.
        folder: that holds the lessons; None for `chapters`, also from a
            laboratory, or for the current folder. The laboratories are looked
            for in `../book/laboratory` where its name is `chapters`, else in
            `laboratory` below it; one that is not there is the book's.

    Returns:
        What is right, wrong or not attempted yet. It shows itself.

    Raises:
        ValueError: there is no such notebook.
    """
    here = Path("chapters") if Path("chapters").is_dir() else lessons()
    folder = here if folder is None else Path(folder)
    if chapter is None:
        found = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
        numbers = [int(path.name[:2]) for path in found]
        if not numbers:
            raise ValueError(f"{folder}: no chapters here; save them first")
    else:
        numbers = [chapter]
    return Progress(tuple(m for n in numbers for m in _marks(n, folder)))


def _marks(number: int, folder: Path) -> list[Mark]:
    """Judge a chapter as it is saved."""
    chapter = read_chapter(number, folder)
    files = zip(ROOMS, chapter_files(number, folder), strict=False)
    copies = {room: _saved(path, chapter, room) for room, path in files}
    return mark(Work(copies), chapter, Limits())


def _saved(path: Path, chapter: Chapter, room: str) -> Copy:
    """A notebook in which any cell may be the reader's own."""
    copy = read_copy(path, chapter, room)
    own = range(len(chapter.helpers(room)), len(copy.texts))
    return replace(copy, own=tuple(own))
