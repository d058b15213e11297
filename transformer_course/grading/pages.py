"""Write down what came out of a run, after its last process has ended."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

from transformer_course.grading.roster import ticket_of
from transformer_course.grading.run import Class
from transformer_course.grading.writing.explored import explored
from transformer_course.grading.writing.feedback import page
from transformer_course.grading.writing.overview import overview
from transformer_course.grading.writing.table import (
    cell,
    write_canvas,
    write_files,
    write_moodle,
    write_table,
)
from transformer_lib.files import atomic_write

__all__ = ["Places"]

_LONGEST = 240  # bytes of the name of a file, with room for endings


@dataclass(frozen=True)
class Places:
    """Where results go; None for nowhere.

    Attributes:
        table: file, a row a student; what became of each file stands beside
            it, in a file with `_files` in its name.
        feedback: folder, a page a student.
        explore: file, everybody's answers to explore and prove exercises; one a
            chapter, where there are several.
        canvas, moodle: files for their gradebooks.
        overview: file, the class as one picture.
        handed_back: file, the pages as a ZIP that Moodle takes back.
        zeros: whether a gradebook gets 0 for a chapter that was not handed in.
    """

    table: Path | None = None
    feedback: Path | None = None
    explore: Path | None = None
    canvas: Path | None = None
    moodle: Path | None = None
    overview: Path | None = None
    handed_back: Path | None = None
    zeros: bool = False

    @property
    def journal(self) -> Path | None:
        """Where the run notes what it has found."""
        if self.table is None:
            return None
        return self.table.with_name(self.table.name + ".journal")

    @property
    def files(self) -> Path | None:
        """Where it is said what became of each file."""
        if self.table is None:
            return None
        return self.table.with_stem(self.table.stem + "_files")

    def check(self, submissions: Path | None = None) -> None:
        """See that there are folders to write to, before hours of work.

        Args:
            submissions: the folder that is read, and where nothing goes.

        Raises:
            ValueError: there is none, or a file where one is wanted.
        """
        gradebooks = self.canvas, self.moodle, self.handed_back
        for place in (self.table, self.explore, self.overview, *gradebooks):
            if place is not None and not place.parent.is_dir():
                raise ValueError(f"{place}: there is no folder {place.parent}")
        pages = self.feedback
        if pages is not None and pages.exists() and not pages.is_dir():
            raise ValueError(f"--feedback {pages}: give a folder, not a file")
        for place in (
            self.table,
            self.explore,
            self.overview,
            *gradebooks,
            pages,
        ):
            if place and submissions and _is_in(place, submissions):
                raise ValueError(
                    f"{place}: the next run would take it for a submission; "
                    f"write it outside of {submissions}"
                )

    def write(self, found: Class) -> None:
        """Write all that shall be written.

        Args:
            found: what came out.

        Raises:
            OSError: a file cannot be written.
        """
        if self.table is not None and self.files is not None:
            write_table(self.table, found.rows)
            write_files(self.files, found.files)
        if self.canvas is not None:
            write_canvas(self.canvas, found.rows, self.zeros)
        if self.moodle is not None:
            write_moodle(self.moodle, found.rows, self.zeros)
        if self.overview is not None:
            text = overview(found.rows)
            atomic_write(self.overview, text.encode("utf-8"))
        if self.feedback is not None:
            self._write_pages(self.feedback, found)
        if self.handed_back is not None:
            self._hand_back(self.handed_back, found)
        if self.explore is not None:
            self._write_explored(self.explore, found)

    def _write_pages(self, folder: Path, found: Class) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in _pages(found).items():
            atomic_write(folder / _page_name(name), text)

    def _hand_back(self, path: Path, found: Class) -> None:
        """In the names of the files that Moodle has given out.

        Moodle parts a name at its first four underscores: person, number,
        kind of part, part, file.
        """
        pages, made = _pages(found), io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for student in found.handed.students:
                files = [p.file.name for p in (*student.pieces, *student.older)]
                if ticket := next(filter(None, map(ticket_of, files)), ""):
                    name = f"{ticket}_assignsubmission_file_feedback.html"
                    archive.writestr(name, pages[student.name])
        atomic_write(path, made.getvalue())

    def _write_explored(self, path: Path, found: Class) -> None:
        chapters = found.handed.chapters
        for chapter in chapters:
            own = {
                student.name: {
                    room: piece.file
                    for room, piece in student.of(chapter.number).items()
                }
                for student in found.handed.students
            }
            place = path
            if len(chapters) > 1:
                place = path.with_stem(f"{path.stem}_{chapter.number}")
            text = explored(chapter.number, own)
            atomic_write(place, text.encode("utf-8"))


def _is_in(place: Path, folder: Path) -> bool:
    return place.resolve().is_relative_to(folder.resolve())


def _pages(found: Class) -> dict[str, bytes]:
    """The page of each student."""
    own: dict[str, list[str]] = {}
    for file in found.files:
        own.setdefault(file.student, []).append(file.said)
    return {
        row.name: page(
            row.name, found.pages[row.name], own.get(row.name, [])
        ).encode("utf-8")
        for row in found.rows
    }


def _page_name(name: str) -> str:
    """A file in one folder, whatever a student is called."""
    plain = cell(name.replace("/", " - "))
    if len(os.fsencode(plain)) < _LONGEST and plain.strip("."):
        return f"{plain}.html"
    return f"{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()}.html"
