"""What a class has handed in: whose it is, of which chapter, and of what use.

Each file gets a line, whatever it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from transformer_course.grading.clock import Clock
from transformer_course.grading.reading import notes as noting
from transformer_course.grading.reading.collecting import (
    NOTEBOOK,
    PYTHON,
    File,
    collect,
)
from transformer_course.grading.reading.exercises import ROOMS, Chapter
from transformer_course.grading.reading.recognizing import Book
from transformer_course.grading.reading.students import (
    MODULE,
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
    text_of,
)
from transformer_course.grading.roster import Person
from transformer_course.grading.rows import FileRow

__all__ = ["ClassWork", "class_work"]

_OWN = "my_transformer"
_EARLIER = f"{_OWN}_before_"  # workbook.save's
_SECONDS = 30  # of reading what came in one folder, ZIP or file
_PLAIN = {
    OWN: "a file of the own Transformer",
    MODULE: "a module that a notebook imports",
}
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
    folder: Path,
    wanted: Collection[int],
    roster: Sequence[Person],
    rooms: Collection[str] = ROOMS,
) -> ClassWork:
    """Read and sort what a class has handed in.

    Args:
        folder: of the submissions.
        wanted: chapters; none for all that more than a few have sent.
        roster: the class, if it is known.
        rooms: those whose exercises count.

    Raises:
        OSError: the folder cannot be listed.
        ValueError: there is no such chapter, nothing in the folder, or the
            roster is that of another class.
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
    clock = Clock([file.name for file in files], _SECONDS)
    for file in _without_earlier(files, said):
        try:
            with clock.of(file.name) as has_time:
                if not has_time:
                    raise Unreadable(
                        f"to read what came with it took {_SECONDS} seconds"
                    )
                pieces.append(_piece(file, book, alone))
        except Unreadable as error:
            said[file.name] = str(error)
            if file.why.startswith(_SYSTEMS):
                said[file.name] = file.why
            else:
                pieces.append(Piece(file, USELESS))
    pieces = _with_modules(pieces)
    students = sorted_by_student(pieces, roster)
    _see_that_it_is_the_class(students, roster)
    rare = {} if wanted else _rare(students)
    chapters = _chosen(pieces, book, wanted, rare, rooms)
    numbers = {chapter.number for chapter in chapters}
    became = {}
    for student in students:
        for piece in student.pieces:
            became[piece.file] = (
                said[piece.file.name]
                if piece.chapter == USELESS
                else _became(piece, numbers, book, rooms, rare)
            )
        for piece in student.older:
            became[piece.file] = "an earlier one; a later one counts"
    owners = {p.file: s.name for s in students for p in (*s.pieces, *s.older)}
    rows = [
        FileRow(
            file.name,
            owners.get(file, ""),
            became.get(file) or said[file.name],
            file.digest,
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
        text = text_of(file.data)
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


def _with_modules(pieces: list[Piece]) -> list[Piece]:
    """Find the Python files that notebooks beside them import."""
    notebooks = [piece for piece in pieces if piece.rooms]
    return [
        Piece(piece.file, MODULE)
        if piece.file.kind == PYTHON
        and not piece.file.why
        and PurePosixPath(piece.file.name).stem != _OWN
        and any(map(piece.is_imported_by, notebooks))
        else piece
        for piece in pieces
    ]


def _see_that_it_is_the_class(
    students: list[Student], roster: Sequence[Person]
) -> None:
    """Refuse a roster that knows few of those who have sent something.

    Raises:
        ValueError: it knows fewer than half.
    """
    sent = [student for student in students if student.pieces]
    strange = [student.name for student in sent if student.person is None]
    if roster and 2 * len(strange) > len(sent):
        known = noting.some([one.name or one.id for one in roster])
        raise ValueError(
            f"the roster knows {len(sent) - len(strange)} of {len(sent)} who "
            f"have sent something. It has {known}; the files are from "
            f"{noting.some(strange)}. Take the roster of this class, with "
            "whole names or with the numbers that stand in the files' names"
        )


def _rare(students: list[Student]) -> dict[int, str]:
    """The chapters that fewer than a tenth of those who sent one have sent."""
    sent = [{p.chapter for p in s.pieces if p.rooms} for s in students]
    sent = [numbers for numbers in sent if numbers]
    count = Counter(number for numbers in sent for number in numbers)
    return {
        number: f"only {some} of {len(sent)} sent it"
        for number, some in count.items()
        if 10 * some < len(sent)
    }


def _chosen(
    pieces: list[Piece],
    book: Book,
    wanted: Collection[int],
    rare: Collection[int],
    rooms: Collection[str],
) -> list[Chapter]:
    """The chapters to judge, in order."""
    found = set(wanted) or {p.chapter for p in pieces if p.rooms} - {*rare}
    if not found:
        texts = [p.file.data for p in pieces if p.chapter == OWN]
        for data in texts:
            found |= book.parts_in(text_of(data))
    return [
        replace(
            chapter, asked=tuple(a for a in chapter.asked if a.room in rooms)
        )
        for chapter in (book.chapters[number] for number in sorted(found))
    ]


def _became(
    piece: Piece,
    numbers: set[int],
    book: Book,
    counted: Collection[str],
    rare: Mapping[int, str],
) -> str:
    if piece.chapter in _PLAIN:
        return _PLAIN[piece.chapter]
    rooms = " and ".join(room for room in ROOMS if room in piece.rooms)
    said = f"chapter {piece.chapter}, {rooms}"
    if piece.chapter in rare:
        number = piece.chapter
        return f"{said}; {rare[number]}, so --chapter {number} has to name it"
    if piece.chapter not in numbers:
        asked = ", ".join(map(str, sorted(numbers)))
        return f"{said}; this run judges chapter {asked}"
    if piece.rooms.isdisjoint(counted):
        return f"{said}; this run judges each {' and '.join(counted)}"
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
        is_plain = is_judged or row.became in _PLAIN.values()
        if row.student and not is_plain:
            found[row.student].append(f"{row.name}: {row.became}")
    for student in students:
        found[student.name] += student.doubts
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
        files = [p.file for p in student.pieces if p.chapter in (OWN, MODULE)]
        copies += [own_file(file.data) for file in files]
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
