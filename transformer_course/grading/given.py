"""The lecturer's own points: for what no check judges, and over its verdicts.

student,exercise,points,comment
Kim Min,2.5,3,your third seed says more than the mean
1001,2.1,1,right in an older form
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from transformer_course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    NOT_HANDED_IN,
)
from transformer_course.grading.reading.exercises import (
    chapter_files,
    in_order,
)
from transformer_course.grading.reading.submissions import cells_of
from transformer_course.grading.roster import Rules
from transformer_course.grading.rows import Given, Result, Row
from transformer_course.grading.run import Class
from transformer_course.grading.writing.feedback import given_points

__all__ = ["read_given", "with_given"]

_HEADS = ("student", "exercise", "points", "comment")
_HEADING = r"(?m)^### Exercise (\d+\.\d+)"


def read_given(path: Path) -> list[Given]:
    """Read a CSV file with student, exercise, points and comment.

    Args:
        path: of the file.

    Raises:
        OSError: it cannot be read.
        ValueError: a column is missing, or a line has no number of points.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: save it as CSV in UTF-8") from None
    head = text.partition("\n")[0]
    mark = ";" if head.count(";") > head.count(",") else ","
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    heads = [head.strip().lower() for head in next(lines, [])]
    if missing := [head for head in _HEADS[:3] if head not in heads]:
        raise ValueError(f'{path}: a column "{missing[0]}" is wanted')
    found = []
    for line in lines:
        one = dict(zip(heads, map(str.strip, line), strict=False))
        if any(one.values()):
            found.append(_given(one, f"{path}, line {lines.line_num}"))
    return found


def _given(one: Mapping[str, str], where: str) -> Given:
    student, exercise, points, comment = (one.get(head, "") for head in _HEADS)
    try:
        number = float(points)
    except ValueError:
        number = math.nan
    if not 0 <= number < 1e6:
        raise ValueError(f"{where}: {points!r} is no number of points")
    return Given(student, exercise, number, comment, where)


def with_given(found: Class, given: Sequence[Given], rules: Rules) -> Class:
    """Put the lecturer's points into what a run has found.

    Args:
        found: by the checks.
        given: the points; of two for one exercise the later counts.
        rules: what other exercises are worth; without a rule, as much as the
            most points that are given for it.

    Returns:
        The same with other points, and with columns for what no check judges.

    Raises:
        ValueError: there is no such student, or no such exercise.
    """
    most: dict[str, float] = {}
    own: dict[str, dict[str, Given]] = {}
    for one in given:
        number = _number(one, found)
        most[number] = max(one.points, most.get(number, 0.0))
        own.setdefault(_name(one, found.rows), {})[number] = one
    for number in most:
        most[number] = rules.points.get(number, most[number])
    rows = [_merged(row, own.get(row.name, {}), most) for row in found.rows]
    pages = {
        name: [*parts, *given_points(list(own.get(name, {}).items()))]
        for name, parts in found.pages.items()
    }
    return replace(found, rows=rows, pages=pages)


def _name(one: Given, rows: Sequence[Row]) -> str:
    """What the table calls the student who is meant."""
    wanted = one.student.casefold()
    names = [row.name for row in rows if row.name.casefold() == wanted]
    names = names or [
        row.name
        for row in rows
        if row.person and row.person.name.casefold() == wanted
    ]
    if len(names) != 1:
        some = "no" if not names else "more than one"
        raise ValueError(
            f"{one.where}: {some} student {one.student!r}; write what the "
            'column "student" of the table has'
        )
    return names[0]


def _number(one: Given, found: Class) -> str:
    """The number of the exercise that is meant."""
    for result in found.rows[0].results:
        number, _, name = result.exercise.partition(" ")
        if one.exercise in (number, name, result.exercise):
            return number
    for chapter in found.handed.chapters:
        for path in chapter_files(chapter.number):
            for cell in cells_of(path.read_bytes()):
                text = "".join(cell["source"])
                if one.exercise in re.findall(_HEADING, text):
                    return one.exercise
    raise ValueError(
        f"{one.where}: no exercise {one.exercise!r} in the chapters of this run"
    )


def _merged(
    row: Row, own: Mapping[str, Given], most: Mapping[str, float]
) -> Row:
    results = {r.exercise.partition(" ")[0]: r for r in row.results}
    is_here = any(r.status != NOT_HANDED_IN for r in row.results)
    for number, worth in most.items():
        status = NOT_ATTEMPTED if is_here else NOT_HANDED_IN
        new = Result(number, status, worth=worth)
        results.setdefault(number, new)
    for number, one in own.items():
        results[number] = results[number]._replace(
            given=one.points, comment=one.comment
        )
    ordered = sorted(results, key=in_order)
    return replace(row, results=tuple(results[number] for number in ordered))
