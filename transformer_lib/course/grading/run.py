"""A folder of submissions, one after another."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from transformer_lib.course.grading.exercises import Chapter, read_chapter
from transformer_lib.course.grading.feedback import page, page_unread
from transformer_lib.course.grading.marking import mark
from transformer_lib.course.grading.process import Limits
from transformer_lib.course.grading.students import students
from transformer_lib.course.grading.submissions import (
    Unreadable,
    Work,
    check_file,
    read_work,
)
from transformer_lib.course.grading.table import (
    UNFINISHED,
    Result,
    Row,
    cell,
    read_table,
    write_table,
)
from transformer_lib.files import atomic_write

__all__ = ["grade"]

_LONGEST = 240  # bytes of the name of a file, with room for endings


def grade(
    folder: str | Path,
    chapter: int,
    table: str | Path | None = None,
    feedback: str | Path | None = None,
    limits: Limits | None = None,
) -> Iterator[Row]:
    """Judge what a class has handed in.

    What is in the table already, and has not changed since, is not judged
    again; so a run that was interrupted goes on. Whoever was being judged when
    it was interrupted comes last. Where the second notebook of a student has
    come, the row of the first gives way to one for both.

    Args:
        folder: with notebooks, or files of the students' own Transformer.
        chapter: its number.
        table: file for the results, CSV; None for no file.
        feedback: folder for a page for each student; None for no pages.
        limits: for the code of each student; None for the usual ones.

    Yields:
        A row for each student, as `students` finds them, as soon as it is
        there.

    Raises:
        OSError: a file cannot be written.
        ValueError: there is no such chapter, nothing in the folder, or the
            table is another one.
    """
    folder, asked = Path(folder), read_chapter(chapter)
    titles = [one.title for one in asked.asked]
    found = students(folder, asked)
    files = {_name(paths[0], folder): paths for paths in found}
    seconds = {_name(path, folder) for paths in found for path in paths[1:]}
    known = read_table(Path(table), titles) if table else {}
    rows = {name: row for name, row in known.items() if name not in seconds}
    interrupted = {name for name, row in rows.items() if not row.is_finished}
    for name in sorted(files, key=lambda name: (name in interrupted, name)):
        place = Path(feedback) / _page_name(name) if feedback else None
        one = _One(files[name], folder, asked, limits or Limits(), place)
        if not one.is_known(rows.get(name)):
            rows[name] = one.unfinished("the grader was interrupted here")
            if table:
                write_table(Path(table), titles, rows.values())
            rows[name] = one.row()
            if table:
                write_table(Path(table), titles, rows.values())
        yield rows[name]


def _name(path: Path, folder: Path) -> str:
    """What tables call a file."""
    return cell(path.relative_to(folder).as_posix())


def _page_name(name: str) -> str:
    """The name of a page; not longer than a system lets it be."""
    if len(os.fsencode(name.rpartition("/")[2])) < _LONGEST:
        return f"{name}.html"
    return f"{hashlib.sha256(name.encode()).hexdigest()}.html"


class _One:
    """What one student has handed in."""

    def __init__(
        self,
        paths: Sequence[Path],
        folder: Path,
        chapter: Chapter,
        limits: Limits,
        place: Path | None,
    ):
        self.paths, self.chapter = paths, chapter
        self.name, *self.beside = (_name(path, folder) for path in paths)
        self.limits, self.place = limits, place

    def is_known(self, row: Row | None) -> bool:
        """Tell whether there is nothing left to do."""
        if row is None or not row.is_finished:
            return False
        if self.place is not None and not self.place.exists():
            return False
        try:
            return self._work().digest == row.digest
        except Unreadable:
            return False

    def unfinished(self, note: str) -> Row:
        """A row without a verdict."""
        titles = [asked.title for asked in self.chapter.asked]
        results = tuple(Result(title, UNFINISHED) for title in titles)
        return Row(self.name, results, note=cell(note[:200]))

    def row(self) -> Row:
        """Judge; whatever happens is told in the row."""
        chapter = self.chapter.number
        try:
            work = self._work()
        except Unreadable as error:
            self._write(page_unread(self.name, chapter, str(error)))
            return self.unfinished(str(error))
        try:
            marks = mark(work, self.chapter, self.limits)
        except Exception as error:  # a fault of the grader: go on with others
            return self.unfinished(f"{type(error).__name__}: {error}")
        self._write(page(self.name, chapter, marks))
        results = tuple(
            Result(asked.title, verdict.status, verdict.mistake or "")
            for asked, verdict in marks
        )
        notes = [f"with {name}" for name in self.beside]
        note = "; ".join([*notes, *filter(None, [work.note])])
        return Row(self.name, results, work.digest, note)

    def _work(self) -> Work:
        for path in self.paths:
            check_file(path)
        return read_work(self.paths, self.chapter)

    def _write(self, text: str) -> None:
        """Write the page, if there shall be one."""
        if self.place is None:
            return
        self.place.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(self.place, text.encode("utf-8"))
