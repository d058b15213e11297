"""What a class has handed in: whose it is, of which chapter, and of what use.

Each file gets a line, whatever it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from transformer_course.grading.reading import notes as noting
from transformer_course.grading.reading.collecting import (
    NOTEBOOK,
    File,
    collect,
)
from transformer_course.grading.reading.exercises import ROOMS, Chapter
from transformer_course.grading.reading.recognizing import Book
from transformer_course.grading.reading.students import (
    OWN,
    USELESS,
    Piece,
    Student,
    sorted_by_student,
)
from transformer_course.grading.reading.submissions import (
    Unreadable,
    cells_of,
    code_of,
    copy_of,
    own_file,
    rooms_of,
)
from transformer_course.grading.roster import Person
from transformer_course.grading.rows import FileRow

__all__ = ["ClassWork", "class_work"]

_EARLIER = "my_transformer_before_"  # workbook.save's
_SYSTEMS = ("a hidden", "a ZIP, opened")  # no student has sent these


@dataclass(frozen=True)
class ClassWork:
    """What was handed in.

    Attributes:
        chapters: those that are judged.
        students: whose pieces are sorted.
        files: a line for each file.
        notes: by student, what a person should look at.
    """

    chapters: list[Chapter]
    students: list[Student]
    files: list[FileRow]
    notes: dict[str, list[str]]


def class_work(
    folder: Path, wanted: Collection[int], roster: Sequence[Person]
) -> ClassWork:
    """Read and sort what a class has handed in.

    Args:
        folder: of the submissions.
        wanted: chapters; none for all that are found.
        roster: the class, if it is known.

    Raises:
        OSError: the folder cannot be listed.
        ValueError: there is no such chapter, or nothing in the folder.
    """
    book = _book()
    for number in wanted:
        if number not in book.chapters:
            last = max(book.chapters)
            raise ValueError(f"no chapter {number}: there are 0 to {last}")
    files = collect(folder)
    alone = next(iter(wanted)) if len(wanted) == 1 else None
    said: dict[str, str] = {}
    pieces = []
    for file in _without_earlier(files, said):
        try:
            pieces.append(_piece(file, book, alone))
        except Unreadable as error:
            said[file.name] = str(error)
            if not file.why.startswith(_SYSTEMS):
                pieces.append(Piece(file, USELESS))
    chapters = _chosen(pieces, book, wanted)
    students = sorted_by_student(pieces, roster)
    numbers = {chapter.number for chapter in chapters}
    became = {}
    for student in students:
        for piece in student.pieces:
            became[piece.file] = said.get(piece.file.name) or _became(
                piece, numbers, book
            )
        for piece in student.older:
            became[piece.file] = "an earlier one; a later one counts"
    owners = {p.file: s.name for s in students for p in (*s.pieces, *s.older)}
    rows = [
        FileRow(
            file.name,
            owners.get(file, ""),
            became.get(file) or said[file.name],
            file.digest if file.data else "",
        )
        for file in files
    ]
    return ClassWork(chapters, students, rows, _notes(students, chapters, rows))


@cache
def _book() -> Book:
    return Book()


def _without_earlier(files: list[File], said: dict[str, str]) -> list[File]:
    """Leave out what `workbook.save` has kept, where there is a newer one."""
    folders = {
        PurePosixPath(f.name).parent
        for f in files
        if f.name.endswith(".py") and _EARLIER not in f.name
    }
    kept = []
    for file in files:
        path = PurePosixPath(file.name)
        if path.name.startswith(_EARLIER) and path.parent in folders:
            said[file.name] = "an earlier version of my_transformer.py"
        else:
            kept.append(file)
    return kept


def _piece(file: File, book: Book, alone: int | None) -> Piece:
    """What a file is.

    Raises:
        Unreadable: it is of no use; the message says why.
    """
    if file.why:
        raise Unreadable(file.why)
    if file.kind != NOTEBOOK:
        text = file.data.decode("utf-8-sig", "replace")
        names = {a.name for c in book.chapters.values() for a in c.asked}
        if not names.isdisjoint(book.defined(text)):
            return Piece(file, OWN)
        raise Unreadable("a Python file that defines no answer")
    cells = cells_of(file.data)
    code = code_of(cells)
    number = book.chapter_of(file.name, cells, code)
    if number < 0 and alone is None:
        raise Unreadable("a notebook in which nothing of any chapter is")
    number = alone if number < 0 and alone is not None else number
    rooms = rooms_of(code, book.chapters[number]) or frozenset(ROOMS)
    return Piece(file, number, rooms, code)


def _chosen(
    pieces: list[Piece], book: Book, wanted: Collection[int]
) -> list[Chapter]:
    """The chapters to judge, in order."""
    found = set(wanted) or {p.chapter for p in pieces if p.rooms}
    if not found:
        texts = [p.file.data for p in pieces if p.chapter == OWN]
        for data in texts:
            found |= book.parts_in(data.decode("utf-8-sig", "replace"))
    return [book.chapters[number] for number in sorted(found)]


def _became(piece: Piece, numbers: set[int], book: Book) -> str:
    if piece.chapter == OWN:
        return "a file of the own Transformer"
    rooms = " and ".join(room for room in ROOMS if room in piece.rooms)
    said = f"chapter {piece.chapter}, {rooms}"
    if piece.chapter not in numbers:
        asked = ", ".join(map(str, sorted(numbers)))
        return f"{said}; this run judges chapter {asked}"
    if not book.chapters[piece.chapter].asked:
        return f"{said}; it asks nothing that a check can judge"
    return said


def _notes(
    students: list[Student], chapters: list[Chapter], rows: list[FileRow]
) -> dict[str, list[str]]:
    """By student: what was not judged, what is the same, what is the book's."""
    found: dict[str, list[str]] = {s.name: [] for s in students}
    for row in rows:
        is_judged = row.became.startswith("chapter ") and ";" not in row.became
        if row.student and not is_judged and "own Tr" not in row.became:
            found[row.student].append(f"{row.name}: {row.became}")
    senders: dict[str, set[str]] = {}
    for row in rows:
        if row.student and row.digest:
            senders.setdefault(row.digest, set()).add(row.student)
    for row in rows:
        others = senders.get(row.digest, set()) - {row.student}
        if row.student and others:
            same = noting.some(sorted(others))
            found[row.student].append(f"{row.name}: the same file as {same}")
    for chapter in chapters:
        _compare(chapter, students, found)
    return {name: list(dict.fromkeys(said)) for name, said in found.items()}


def _compare(
    chapter: Chapter, students: list[Student], found: dict[str, list[str]]
) -> None:
    titles = {asked.name: asked.number for asked in chapter.asked}
    forms: dict[str, dict[str, str]] = {}
    for student in students:
        notebooks = student.of(chapter.number)
        copies = [copy_of(p.code, chapter, r) for r, p in notebooks.items()]
        if student.own_file is not None:
            copies.append(own_file(student.own_file.file.data))
        own: dict[str, str] = {}
        for copy in copies:
            found[student.name] += noting.looks_around(copy, chapter)
            own |= noting.shapes(copy, chapter)
        forms[student.name] = own
        for asked in chapter.asked:
            form = own.get(asked.name)
            if form is not None and noting.alike(asked, form, chapter.number):
                found[student.name].append(f"{asked.number} is the book's own")
    for name, said in noting.copied(forms, titles).items():
        found[name] += said
