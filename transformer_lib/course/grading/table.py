"""The table of a class, a row a student, as a file for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from transformer_lib.course.checks.engine.verdict import RIGHT
from transformer_lib.files import atomic_write

__all__ = ["UNFINISHED", "Result", "Row", "cell", "read_table", "write_table"]

UNFINISHED = "unfinished"
_MISTAKE = ": mistake"


class Result(NamedTuple):
    """What came out for one exercise.

    Attributes:
        exercise: number and name, such as "2.1 softmax".
        status: "right", "wrong" or "not attempted"; "not handed in" where
            the notebook that asks for it is missing; "unfinished" where the
            grader has not come to an end, or could not read the file.
        mistake: the name of a recognized mistake, or "".
    """

    exercise: str
    status: str
    mistake: str = ""


@dataclass(frozen=True)
class Row:
    """What came out for one student.

    Args:
        name: of the file, below the folder; of the lesson's, if there is
            one for each room.
        results: one for each exercise.
        digest: of the file, or of both, to know them again.
        note: what else there is to say.
    """

    name: str
    results: tuple[Result, ...]
    digest: str = ""
    note: str = ""

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(result.status == RIGHT for result in self.results)

    @property
    def is_finished(self) -> bool:
        """True if every exercise has got its verdict."""
        return all(result.status != UNFINISHED for result in self.results)


def cell(text: str) -> str:
    """Write a text so that no terminal obeys it and no spreadsheet computes it.

    Args:
        text: of a student, perhaps.

    Returns:
        The text, after an apostrophe if it begins like a formula.
    """
    known = (c if c.isprintable() and c != "\\" else repr(c) for c in text)
    text = "".join(c if len(c) == 1 else c[1:-1] for c in known)
    return f"'{text}" if text[:1] in {*"=+-@'"} else text


def write_table(path: Path, exercises: list[str], rows: Iterable[Row]) -> None:
    """Write the table of a class; at any moment the file is whole.

    Args:
        path: of the file.
        exercises: the titles, in order.
        rows: one for each student.

    Raises:
        OSError: the file cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_head(exercises))
    for row in sorted(rows, key=lambda row: row.name):
        found = [c for r in row.results for c in (r.status, r.mistake)]
        counts = [row.right, len(row.results)]
        writer.writerow([row.name, *counts, *found, row.note, row.digest])
    atomic_write(path, text.getvalue().encode("utf-8-sig"))


def read_table(path: Path, exercises: list[str]) -> dict[str, Row]:
    """Read what an earlier run has written.

    Args:
        path: of the file.
        exercises: the titles, in order.

    Returns:
        The rows by their names; none if there is no such file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is another table.
    """
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    lines = list(csv.reader(io.StringIO(text, newline="")))
    if lines[:1] != [_head(exercises)]:
        raise ValueError(
            f"{path}: not a table of this chapter; name another file, or "
            "remove this one"
        )
    rows = {}
    for name, _, _, *found, note, digest in lines[1:]:
        pairs = zip(exercises, found[::2], found[1::2], strict=True)
        results = tuple(Result(*pair) for pair in pairs)
        rows[name] = Row(name, results, digest, note)
    return rows


def _head(exercises: list[str]) -> list[str]:
    pairs = [c for title in exercises for c in (title, title + _MISTAKE)]
    return ["file", "right", "of", *pairs, "note", "sha256"]
