"""A folder of submissions becomes a table, in one run.

Everything is read before any code of a student runs, and everything is written
after the last of it has ended.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from transformer_course.checks.engine.verdict import (
    NOT_HANDED_IN,
    NOT_JUDGED,
    RIGHT,
)
from transformer_course.grading.clock import Clock
from transformer_course.grading.journal import Journal
from transformer_course.grading.reading.class_work import ClassWork, class_work
from transformer_course.grading.reading.exercises import (
    LESSON,
    ROOMS,
    Asked,
    Chapter,
)
from transformer_course.grading.reading.students import Student
from transformer_course.grading.reading.submissions import (
    Work,
    copy_of,
    own_file,
)
from transformer_course.grading.roster import Person, Rules
from transformer_course.grading.rows import FileRow, Result, Row
from transformer_course.grading.running.ahead import Ahead
from transformer_course.grading.running.marking import Mark, mark
from transformer_course.grading.running.process import Limits
from transformer_course.grading.seal import Seal
from transformer_course.grading.writing.feedback import (
    came_late,
    piece,
    section,
)

__all__ = ["Class", "grade"]


@dataclass(frozen=True)
class Class:
    """What came out.

    Attributes:
        rows: one for each student.
        files: one for each file.
        pages: by student, a part of a page for each chapter.
        handed: what was handed in.
        ended: whether it was interrupted, and the rest is not judged.
    """

    rows: list[Row]
    files: list[FileRow]
    pages: dict[str, list[str]]
    handed: ClassWork
    ended: bool = False


def grade(
    folder: str | Path,
    chapters: Collection[int] = (),
    limits: Limits | None = None,
    roster: Sequence[Person] = (),
    rules: Rules | None = None,
    only: Collection[str] = (),
    journal: Path | None = None,
    told: Callable[[str], None] | None = None,
    rooms: Collection[str] = ROOMS,
) -> Class:
    """Judge what a class has handed in.

    Args:
        folder: with notebooks, files of the students' own Transformer, and
            ZIPs of them.
        chapters: their numbers; none for all that more than a few have sent.
        limits: for the code of each student; None for the usual ones.
        roster: the class, if it is known.
        rules: points, and when a chapter is due.
        only: numbers or names of exercises to judge again; the rest is as
            the journal has it.
        journal: file with what earlier runs have found. It is believed, and
            added to, only where files are closed to the students' code. It
            keeps the secret from which one more case is drawn for each answer.
        told: is called with the name of each student before he or she is
            judged.
        rooms: those whose exercises count, of "lesson" and "laboratory".

    Returns:
        Rows, files and pages; nothing but the journal is written.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: there is no such chapter or exercise, nothing in the
            folder, the roster is that of another class, or the package that
            judges has changed meanwhile.
    """
    limits, rules = limits or Limits(), rules or Rules()
    found = class_work(Path(folder), chapters, roster, rooms)
    names = _named(only, [a for c in found.chapters for a in c.asked])
    seal = Seal([c.number for c in found.chapters], not limits.closes_files)
    kept = Journal(journal, limits.closes_files, seal.digest)
    rows: list[Row] = []
    pages: dict[str, list[str]] = {}
    with ExitStack() as stack:
        stack.callback(kept.close)
        ahead = stack.enter_context(Ahead(limits, _imported(found.chapters)))
        clock = Clock([file.name for file in found.files], limits.student)
        ended = False
        for student in found.students:
            one = _One(student, kept, limits, names, ahead, clock)
            try:
                if told is not None and not ended:
                    told(student.name)
            except KeyboardInterrupt:
                ended = True
            results: list[Result] = []
            for chapter in found.chapters:
                try:
                    results += one.results(chapter, rules, ended)
                except KeyboardInterrupt:
                    ended = True
                    results += one.results(chapter, rules, ended)
            row = _row(student, results, rules, found)
            rows.append(row)
            pages[student.name] = [*one.pages, *came_late(row)]
    seal.check()
    return Class(rows, found.files, pages, found, ended)


def _imported(chapters: Collection[Chapter]) -> list[str]:
    """What takes long to import, and most of a class needs: the lessons do."""
    cells = [cell for chapter in chapters for cell in chapter.cells]
    texts = [cell.text for cell in cells if cell.room == LESSON]
    needs = any(re.search(r"^(?:import|from) torch\b", t, re.M) for t in texts)
    return ["torch"] if needs else []


def _named(only: Collection[str], asked: Sequence[Asked]) -> set[str] | None:
    """The names of some exercises; None for all."""
    if not only:
        return None
    known = {key: a.name for a in asked for key in (a.number, a.name)}
    if unknown := sorted(set(only) - set(known)):
        raise ValueError(f"no exercise {unknown[0]} is judged in this run")
    return {known[key] for key in only}


def _row(
    student: Student, results: list[Result], rules: Rules, found: ClassWork
) -> Row:
    late = {}
    notes = list(found.notes.get(student.name, ()))
    for chapter in found.chapters:
        files = [p.file for p in student.of(chapter.number).values()]
        own = student.own_file
        if own is not None and any(a.is_part for a in chapter.asked):
            files.append(own.file)
        times = [rules.minutes_late(chapter.number, f.time) for f in files]
        late[chapter.number] = max(times, default=0)
        is_due = rules.per_day and chapter.number in rules.due
        if is_due and any(file.time is None for file in files):
            notes.append(
                f"chapter {chapter.number} has no date, so nothing is taken "
                "off for being late"
            )
    shares = {number: rules.share(minutes) for number, minutes in late.items()}
    notes += [
        f"chapter {number} is late: {share:.0%} of its points are left"
        for number, share in shares.items()
        if share < 1
    ]
    return Row(
        student.name,
        tuple(results),
        tuple(notes),
        late,
        student.person,
        shares,
    )


class _One:
    """One student, chapter by chapter."""

    def __init__(
        self,
        student: Student,
        journal: Journal,
        limits: Limits,
        only: set[str] | None,
        ahead: Ahead,
        clock: Clock,
    ):
        self.student, self.journal, self.clock = student, journal, clock
        self.limits, self.only, self.ahead = limits, only, ahead
        self.pages: list[str] = []

    def results(
        self, chapter: Chapter, rules: Rules, ended: bool = False
    ) -> list[Result]:
        """Judge, or remember; whatever happens is told in the results."""
        if not chapter.asked:
            return []
        name = next((p.file.name for p in self.student.pieces), "")
        found = self._found(chapter, ended, name)
        verdicts = [(exercise, status) for exercise, status, *_ in found]
        pieces = [text for *_, text in found]
        self.pages.append(section(chapter.number, verdicts, pieces))
        return [Result(*one[:-1], rules.worth(one[0])) for one in found]

    def _found(
        self, chapter: Chapter, ended: bool, name: str
    ) -> list[list[str]]:
        """A line of plain data for each exercise, as `_line` writes it."""
        notebooks, own = self.student.of(chapter.number), self.student.own_file
        if not notebooks and own is None:
            readable = any(p.rooms for p in self.student.pieces)
            is_here = readable or not self.student.pieces
            status = NOT_HANDED_IN if is_here else NOT_JUDGED
            return _nothing(chapter, status)
        parts = [f"{r} {p.file.digest}" for r, p in sorted(notebooks.items())]
        key = [str(chapter.number), *parts, own.file.digest if own else ""]
        key += [f"{n} {text}" for n, text in self.student.modules.items()]
        key += [asked.number for asked in chapter.asked]
        known = self.journal.get(*key)
        if known is not None and self.only is None:
            return known
        only = self.only if known is not None else None
        if ended:
            said = "the run was interrupted"
            return known or _nothing(chapter, NOT_JUDGED, said)
        try:
            with self.clock.of(name) as has_time:
                if not has_time:
                    said = f"{self.clock.seconds / 60:g} minutes are used up"
                    return _nothing(chapter, NOT_JUDGED, said)
                marks = self._marks(chapter, only)
        except Exception as error:  # a fault of the grader: go on with others
            said = f"{type(error).__name__}: {error}"[:200]
            return _nothing(chapter, NOT_JUDGED, said)
        lines = [_line(one) for one in marks]
        if known is not None:
            new = {line[0]: line for line in lines}
            lines = [new.get(old[0], old) for old in known]
        self.journal.add(key, lines)
        return lines

    def _marks(self, chapter: Chapter, only: set[str] | None) -> list[Mark]:
        """The verdicts on notebooks, and on the file where that has more."""
        notebooks = self.student.of(chapter.number)
        modules = self.student.modules
        copies = {
            room: replace(copy_of(piece.code, chapter, room), modules=modules)
            for room, piece in notebooks.items()
        }
        rest = self.ahead, self.journal.secret
        marks = mark(Work(copies), chapter, self.limits, only, *rest)
        if self.student.own_file is None:
            return marks
        whole = own_file(self.student.own_file.file.data)
        whole = replace(whole, modules=modules)
        work = Work(dict.fromkeys(ROOMS, whole))
        open_ = [m.asked.name for m in marks if m.verdict.status != RIGHT]
        others = mark(work, chapter, self.limits, open_, *rest)
        better = {m.asked.name: m for m in others if _counts(m, notebooks)}
        return [better.get(m.asked.name, m) for m in marks]


def _counts(mark: Mark, notebooks: dict) -> bool:
    """Whether the file's answer stands in place of the notebook's."""
    tried = mark.verdict.status not in ("not attempted", NOT_HANDED_IN)
    return mark.verdict.ok or (tried and mark.asked.room not in notebooks)


def _line(mark: Mark) -> list[str]:
    """A verdict in the order of a `Result`, and what the page says."""
    verdict, title = mark.verdict, mark.asked.title
    mistake = verdict.mistake or ""
    return [title, verdict.status, mistake, mark.follows, piece(mark)]


def _nothing(chapter: Chapter, status: str, why: str = "") -> list[list[str]]:
    """Lines without a verdict."""
    said = html.escape(f"{status}. {why}")
    return [
        [a.title, status, why, "", f"<p>{html.escape(a.title)}: {said}</p>"]
        for a in chapter.asked
    ]
