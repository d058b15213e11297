"""What one student gets for the notebooks of a chapter, or for a file.

The verdicts are given here, by the checks of this process. The student's own
process has done nothing but compute.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, NamedTuple

from transformer_course import checks
from transformer_course.checks import parts
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.verdict import (
    NOT_HANDED_IN,
    NOT_JUDGED,
    RIGHT,
    WRONG,
    Verdict,
)
from transformer_course.grading.reading.exercises import (
    Asked,
    Chapter,
    exercise_of,
)
from transformer_course.grading.reading.submissions import Copy, Work
from transformer_course.grading.running.ahead import Ahead
from transformer_course.grading.running.handed_in import (
    HandedIn,
    without_places,
)
from transformer_course.grading.running.mended import mended
from transformer_course.grading.running.process import Limits, Process
from transformer_course.grading.running.reasons import Lost, garbled

__all__ = ["Mark", "mark"]


class Mark(NamedTuple):
    """The verdict on one exercise.

    Attributes:
        asked: the exercise.
        verdict: as in class.
        follows: numbers of earlier exercises, such as "2.1": with the book's
            answers to these, a wrong answer is right. It counts as right
            where none of these was answered.
    """

    asked: Asked
    verdict: Verdict
    follows: str = ""


def mark(
    work: Work,
    chapter: Chapter,
    limits: Limits,
    only: Collection[str] | None = None,
    ahead: Ahead | None = None,
) -> list[Mark]:
    """Judge all answers of a student.

    An exercise is judged in the room in which it stands: with the cells that
    the student has there, and the book's helpers of that notebook.

    Args:
        work: what was handed in.
        chapter: what was handed out.
        limits: for the student's code.
        only: the names of the exercises to judge; None for all.
        ahead: where processes come from; None for new ones.

    Returns:
        A verdict on each of them, in order.

    Raises:
        OSError: no process can be started.
        RuntimeError: a process has ended before any foreign code ran.
    """
    judging = _Judging(chapter, limits, ahead)
    marks: list[Mark] = []
    try:
        for asked in chapter.asked:
            if only is not None and asked.name not in only:
                continue
            copy = work.copies.get(asked.room)
            verdict = _of(asked, copy, judging)
            follows = ""
            if copy is not None and verdict.status == WRONG:
                verdict, follows = _follows(
                    asked, copy, verdict, marks, judging
                )
            marks.append(Mark(asked, verdict, follows))
    finally:
        judging.end()
    return marks


class _Judging:
    """The process for a student's answers: started when it is needed, and
    anew when it is of no use any more."""

    def __init__(self, chapter: Chapter, limits: Limits, ahead: Ahead | None):
        self.chapter, self.limits, self.ahead = chapter, limits, ahead
        self._process: Process | None = None

    def judged(self, asked: Asked, copy: Copy) -> Verdict:
        """Judge the answer that is in a copy."""
        process = self._process = self._process or _begun(
            self.chapter, self.limits, self.ahead
        )
        verdict, is_used_up = _judged(asked, copy, self.chapter, process)
        if is_used_up:
            self.end()
        return verdict

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.end()


def _of(asked: Asked, copy: Copy | None, judging: _Judging) -> Verdict:
    if copy is None:
        return _not_handed_in(asked)
    if not copy.own or asked.name in copy.taken:
        return _nothing_yet(asked)
    return judging.judged(asked, copy)


def _follows(
    asked: Asked,
    copy: Copy,
    verdict: Verdict,
    before: list[Mark],
    judging: _Judging,
) -> tuple[Verdict, str]:
    """The verdict on a wrong answer with the book's in place of earlier ones.

    What was not answered earlier is nobody's mistake, so that verdict counts;
    with the book's in place of a wrong one, it is only told.
    """
    here = [m for m in before if m.asked.room == asked.room]
    here = [m for m in here if m.verdict.status != RIGHT]
    wrong = {m.asked.name for m in here if m.verdict.status == WRONG}
    open_ = [m.asked for m in here if m.asked.name not in wrong]
    other, used = mended(copy, asked, open_)
    if used:
        verdict = judging.judged(asked, other)
        if verdict.ok:
            return verdict, _numbers(used)
    other, used = mended(copy, asked, [m.asked for m in here])
    if wrong & {one.name for one in used} and judging.judged(asked, other).ok:
        return verdict, _numbers(used)
    return verdict, ""


def _numbers(asked: Sequence[Asked]) -> str:
    return ", ".join(one.number for one in asked)


def _begun(chapter: Chapter, limits: Limits, ahead: Ahead | None) -> Process:
    """A process that is ready, and has run nothing foreign yet."""
    names = [asked.name for asked in chapter.asked]
    process = ahead.next() if ahead else Process(limits, 2 * len(names))
    try:
        process.ask("start", exercises=names)
    except Lost as lost:
        process.end()
        raise RuntimeError(
            f"the process for answers did not start: {lost}"
        ) from None
    return process


def _judged(
    asked: Asked, copy: Copy, chapter: Chapter, process: Process
) -> tuple[Verdict, bool]:
    """The verdict, and whether the process is of no use any more."""
    process.begin()
    try:
        found = process.ask(
            "find",
            texts=list(copy.texts),
            own=list(copy.own),
            seconds=process.limits.cell,
            name=asked.name,
            given=asked.given,
            kept=copy.cells_for(asked),
            first=copy.first,
            modules=dict(copy.modules),
        )
    except Lost as lost:
        return _wrong(asked, lost.message, lost.name), True
    verdict, is_used_up = _of_what_was_found(
        found, asked, copy, chapter, process
    )
    match found:
        case {"lacks": str(name)} if verdict.status == WRONG:
            if _is_missing(name, copy):
                return _lacks(asked, name), True
    return verdict, is_used_up


def _of_what_was_found(
    found: Any, asked: Asked, copy: Copy, chapter: Chapter, process: Process
) -> tuple[Verdict, bool]:
    match found:
        case {"state": "ready", "value": value}:
            if exercise_of(asked.name) is None:
                return getattr(checks, asked.name)(_on_paper(value)), False
            return _judged_code(asked, chapter, process)
        case {"state": "missing"} if copy.is_touched(asked):
            return _unknown(
                asked,
                "The cell for this answer was changed, but nothing that was "
                f"run defines `{asked.given}`. A person has to look at it.",
                "not_found",
            ), False
        case {"state": "missing" | "blank"}:
            return _nothing_yet(asked), False
        case {"state": "broken", "error": str(error)}:
            said = without_places(error[:300]).rstrip(".")
            return _wrong(
                asked,
                f"Your cell does not run: {said}. Only the "
                "cells that this answer needs were run, from top to bottom.",
                "does_not_run",
            ), True
    lost = garbled()
    return _wrong(asked, lost.message, lost.name), True


def _judged_code(
    asked: Asked, chapter: Chapter, process: Process
) -> tuple[Verdict, bool]:
    answer = HandedIn(exercise_of(asked.name), process)
    if asked.is_part:
        verdict = parts.judged(asked.name, answer, chapter.number)
    else:
        verdict = judge(answer.exercise, answer)
    if answer.lost is not None:
        lost = answer.lost
        return _wrong(asked, lost.message, lost.name), True
    return verdict, verdict.mistake == "never_ends"


def _is_missing(name: str, copy: Copy) -> bool:
    """Whether a package is imported by the student and is not here."""
    if not re.fullmatch(r"[^\W\d]\w{0,60}", name):
        return False
    word = re.compile(rf"\b{name}\b")
    texts = [copy.texts[place] for place in copy.own]
    asked_for = any("import" in t and word.search(t) for t in texts)
    is_here = name in copy.modules or find_spec(name) is not None
    return asked_for and not is_here


def _on_paper(value: Any) -> Any:
    """What the check of an exercise on paper would have seen in class."""
    match value:
        case {"callable": True}:
            return _on_paper
        case {"type": str(name)}:
            known = name.isidentifier() and len(name) < 60
            return type(name if known else "object", (), {})()
    return value


def _nothing_yet(asked: Asked) -> Verdict:
    if asked.is_part:
        return judge(exercise_of(asked.name), None)
    return getattr(checks, asked.name)(None)


def _not_handed_in(asked: Asked) -> Verdict:
    message = f"The notebook that asks for it, the {asked.room}, is missing."
    verdict = replace(_nothing_yet(asked), status=NOT_HANDED_IN, hints=())
    return replace(verdict, message=message)


def _lacks(asked: Asked, name: str) -> Verdict:
    message = (
        f"Your cell imports `{name}`, which is not installed where this was "
        "marked, so nobody knows whether it is right. The chapter does without."
    )
    return _unknown(asked, message, "package_missing")


def _unknown(asked: Asked, message: str, mistake: str) -> Verdict:
    verdict = replace(_nothing_yet(asked), status=NOT_JUDGED, hints=())
    return replace(verdict, message=message, mistake=mistake)


def _wrong(asked: Asked, message: str, mistake: str) -> Verdict:
    verdict = _nothing_yet(asked)
    return replace(verdict, status=WRONG, message=message, mistake=mistake)
