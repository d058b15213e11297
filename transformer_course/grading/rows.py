"""What came out of a run: a row a student, a row a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from transformer_course.checks.engine.verdict import NOT_JUDGED, RIGHT
from transformer_course.grading.roster import Person

__all__ = ["FileRow", "Given", "Result", "Row"]


class Result(NamedTuple):
    """What came out for one exercise.

    Attributes:
        exercise: number and name, such as "2.1 softmax".
        status: "right", "wrong" or "not attempted"; "not handed in" where
            the notebook that asks for it is missing; "not judged" where the
            grader could not tell.
        mistake: the name of a recognized mistake, or "".
        follows: earlier exercises, with the book's answers to which this one
            is right, such as "2.1"; or "". It counts as right where those
            were not answered.
        worth: its points.
        given: what the lecturer gives for it, in place of that; or None.
        comment: of the lecturer.
    """

    exercise: str
    status: str
    mistake: str = ""
    follows: str = ""
    worth: float = 1.0
    given: float | None = None
    comment: str = ""

    @property
    def points(self) -> float:
        """What it earns."""
        if self.given is not None:
            return self.given
        return self.worth if self.status == RIGHT else 0.0

    @property
    def is_judged(self) -> bool:
        """False where the grader could not tell."""
        return self.status != NOT_JUDGED or self.given is not None

    @property
    def chapter(self) -> int:
        """The number of its chapter."""
        return int(self.exercise.partition(".")[0])

    @property
    def said(self) -> str:
        """The verdict in a few words."""
        told = f"{self.status}: {self.mistake}" if self.mistake else self.status
        if self.follows:
            how = "with the book's" if self.status == RIGHT else "follows from"
            told += f" ({how} {self.follows})"
        if self.given is not None:
            told += f"; given {self.given:g}"
        return f"{told}: {self.comment}" if self.comment else told


@dataclass(frozen=True)
class Given:
    """Points for one exercise of one student.

    Attributes:
        student: as the table calls him or her, or the name in the roster.
        exercise: its number, or the name of its check.
        points: they count as they are, whatever the verdict and the hour.
        comment: for the student.
        where: the line of the file.
    """

    student: str
    exercise: str
    points: float
    comment: str = ""
    where: str = ""


@dataclass(frozen=True)
class Row:
    """What came out for one student.

    Attributes:
        name: of the student, as far as it is known.
        results: one for each exercise.
        notes: what else there is to say, to be read by a person.
        late: by chapter, the minutes by which it came too late.
        person: of the roster, if there is one.
        shares: by chapter, which part of the points is left for being late.
    """

    name: str
    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()
    late: Mapping[int, int] = field(default_factory=dict)
    person: Person | None = None
    shares: Mapping[int, float] = field(default_factory=dict)

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(result.status == RIGHT for result in self.results)

    @property
    def is_finished(self) -> bool:
        """True if every exercise has got its verdict."""
        return all(result.is_judged for result in self.results)

    def points(self, chapter: int | None = None) -> float:
        """Return the points of a chapter, or of all, less what is late.

        Nothing is taken off those that the lecturer has given.
        """
        return sum(
            r.points
            if r.given is not None
            else r.points * self.shares.get(r.chapter, 1.0)
            for r in self.of(chapter)
        )

    def most(self, chapter: int | None = None) -> float:
        """Return how many points there are for what was judged."""
        here = self.of(chapter)
        return sum(result.worth for result in here if result.is_judged)

    def of(self, chapter: int | None = None) -> list[Result]:
        """Return the results of a chapter, or all."""
        return [r for r in self.results if chapter in (None, r.chapter)]


class FileRow(NamedTuple):
    """What became of one file.

    Attributes:
        name: below the folder.
        student: whose it is, or "".
        became: such as "chapter 2, lesson", or why it was not judged.
        digest: SHA-256 of its bytes, or "".
    """

    name: str
    student: str
    became: str
    digest: str = ""

    @property
    def said(self) -> str:
        """The same for the student."""
        read = "read as " if self.became.startswith("chapter ") else ""
        return f"{self.name}: {read}{self.became}"
