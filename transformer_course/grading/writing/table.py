"""The table of a class, a row a student, as files for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from transformer_course.checks.engine.verdict import NOT_HANDED_IN
from transformer_course.grading.rows import FileRow, Result, Row
from transformer_lib.files import atomic_write

__all__ = [
    "cell",
    "write_canvas",
    "write_files",
    "write_moodle",
    "write_table",
]

_FORMULA = re.compile(r"(^|[;,\t|])(\s*)(?=[=+\-@'])")
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_MOODLE = ("Identifier", "ID number", "Username", "Full name", "Email address")


def cell(text: str) -> str:
    """Write a text so that no terminal obeys it and no spreadsheet computes it.

    Args:
        text: of a student, perhaps.

    Returns:
        The text, with an apostrophe before whatever would begin a formula,
        also where a spreadsheet parts fields at semicolons.
    """
    known = (c if c.isprintable() and c != "\\" else repr(c) for c in text)
    text = "".join(c if len(c) == 1 else c[1:-1] for c in known)
    return _FORMULA.sub(r"\1\2'", text)


def write_table(path: Path, rows: Sequence[Row]) -> None:
    """Write the table of a class: for each exercise points and verdict.

    Args:
        path: of the file.
        rows: one for each student, with the same exercises.

    Raises:
        OSError: the file cannot be written.
    """
    titles = [result.exercise for result in rows[0].results] if rows else []
    chapters = _chapters(rows)
    sums = [f"chapter {n}" for n in chapters]
    late = [f"late {n} (min)" for n in chapters]
    pairs = [c for title in titles for c in (title, f"{title}: verdict")]
    about = ["student", "name", "points", "of those judged"]
    lines = [[*about, *sums, *late, *pairs, "notes"]]
    for row in rows:
        found = [c for r in row.results for c in (_earned(r), r.said)]
        lines.append(
            [
                row.name,
                row.person.name if row.person else "",
                _plain(row.points()),
                _plain(row.most()),
                *(_plain(row.points(n)) for n in chapters),
                *(str(row.late.get(n, 0)) for n in chapters),
                *found,
                "; ".join(row.notes),
            ]
        )
    _write(path, lines)


def write_files(path: Path, files: Iterable[FileRow]) -> None:
    """Write what became of each file.

    Args:
        path: of the table.
        files: in their order.

    Raises:
        OSError: the file cannot be written.
    """
    _write(path, [["file", "student", "became", "sha256"], *map(list, files)])


def write_canvas(path: Path, rows: Sequence[Row], zeros: bool = False) -> None:
    """Write points by chapter in the form of Canvas's gradebook.

    Args:
        path: of the file.
        rows: of students, with the roster that Canvas has exported; where
            there is a roster, nobody else has a line.
        zeros: whether a chapter that was not handed in gets 0 points, and no
            empty cell, which leaves what the gradebook has.

    Raises:
        OSError: the file cannot be written.
    """
    chapters = _chapters(rows)
    lines = [[*_CANVAS, *(_column(rows, n) for n in chapters)]]
    results = rows[0].results if rows else ()
    most = [sum(r.worth for r in results if r.chapter == n) for n in chapters]
    lines.append(["    Points Possible", *4 * [""], *map(_plain, most)])
    for row in _known(rows):
        points = _by_chapter(row, chapters, zeros)
        lines.append([*_about(row, _CANVAS), *points])
    _write(path, lines)


def write_moodle(path: Path, rows: Sequence[Row], zeros: bool = False) -> None:
    """Write points by chapter in a form that Moodle's grade import reads.

    Args:
        path: of the file.
        rows: of students, with the roster that Moodle has exported; where
            there is a roster, nobody else has a line.
        zeros: as for `write_canvas`.

    Raises:
        OSError: the file cannot be written.
    """
    chapters = _chapters(rows)
    lines = [[*_MOODLE, *(f"Chapter {n}" for n in chapters)]]
    for row in _known(rows):
        points = _by_chapter(row, chapters, zeros)
        lines.append([*_about(row, _MOODLE), *points])
    _write(path, lines)


def _known(rows: Sequence[Row]) -> list[Row]:
    """The students of the roster; all, where there is none."""
    return [row for row in rows if row.person] or list(rows)


def _about(row: Row, heads: Sequence[str]) -> list[str]:
    """What the roster says of a student, else what is known."""
    known = dict(row.person.row) if row.person else {}
    named = row.person.name if row.person else ""
    other = dict.fromkeys(("Student", "Full name"), named or row.name)
    other |= dict.fromkeys(("ID", "ID number"), row.name)
    if known and not known.get("Full name"):  # Moodle's export has two names
        known["Full name"] = named
    return [
        known.get(head, "" if known else other.get(head, "")) for head in heads
    ]


def _column(rows: Sequence[Row], chapter: int) -> str:
    """The head of a chapter's column, as the roster has it if it does."""
    named = rf"Chapter {chapter}\b.*"
    known = (head for row in rows if row.person for head, _ in row.person.row)
    found = (head for head in known if re.fullmatch(named, head))
    return next(found, f"Chapter {chapter}")


def _by_chapter(row: Row, chapters: Sequence[int], zeros: bool) -> list[str]:
    """Points, and nothing where there is nothing to give points for."""
    return [
        _plain(row.points(n)) if _is_known(row.of(n), zeros) else ""
        for n in chapters
    ]


def _is_known(results: Sequence[Result], zeros: bool) -> bool:
    """Whether a sum says what a student has done."""
    is_here = any(result.status != NOT_HANDED_IN for result in results)
    return (is_here or zeros) and all(result.is_judged for result in results)


def _earned(result: Result) -> str:
    return _plain(result.points) if result.is_judged else "?"


def _chapters(rows: Sequence[Row]) -> list[int]:
    return sorted({r.chapter for row in rows[:1] for r in row.results})


def _plain(number: float) -> str:
    return f"{number:g}"


def _write(path: Path, lines: Iterable[Sequence[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([*map(cell, line)] for line in lines)
    atomic_write(path, text.getvalue().encode("utf-8-sig"))
