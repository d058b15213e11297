"""What one student gets for a notebook, for both of a chapter, or for a file.

The verdicts are given here, by the checks of this process. The student's own
process has done nothing but compute.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from transformer_lib.course import checks
from transformer_lib.course.checks import parts
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.verdict import (
    NOT_HANDED_IN,
    WRONG,
    Verdict,
)
from transformer_lib.course.grading.exercises import (
    Asked,
    Chapter,
    exercise_of,
)
from transformer_lib.course.grading.handed_in import HandedIn
from transformer_lib.course.grading.process import Limits, Process
from transformer_lib.course.grading.reasons import Lost, garbled
from transformer_lib.course.grading.submissions import Copy, Work

__all__ = ["Mark", "mark"]


class Mark(NamedTuple):
    """The verdict on one exercise.

    Attributes:
        asked: the exercise.
        verdict: as in class.
    """

    asked: Asked
    verdict: Verdict


def mark(work: Work, chapter: Chapter, limits: Limits) -> list[Mark]:
    """Judge all answers of a student.

    An exercise is judged in the room in which it stands: with the cells that
    the student has there, and the book's helpers of that notebook.

    Args:
        work: what was handed in.
        chapter: what was handed out.
        limits: for the student's code.

    Returns:
        A verdict on each exercise of the chapter, in order.

    Raises:
        OSError: no process can be started.
        RuntimeError: a process has ended before any foreign code ran.
    """
    marks: list[Mark] = []
    process: Process | None = None
    try:
        for asked in chapter.asked:
            copy = work.copies.get(asked.room)
            if copy is None:
                verdict = _not_handed_in(asked)
            elif not copy.own or asked.name in copy.taken:
                verdict = _nothing_yet(asked)
            else:
                process = process or _begun(chapter, limits)
                verdict, is_used_up = _judged(asked, copy, chapter, process)
                if is_used_up:
                    process.end()
                    process = None
            marks.append(Mark(asked, verdict))
    finally:
        if process is not None:
            process.end()
    return marks


def _begun(chapter: Chapter, limits: Limits) -> Process:
    """A process that is ready, and has run nothing foreign yet."""
    names = [asked.name for asked in chapter.asked]
    process = Process(limits, len(names))
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
        )
    except Lost as lost:
        return _wrong(asked, lost.message, lost.name), True
    match found:
        case {"state": "ready", "value": value}:
            if exercise_of(asked.name) is None:
                return getattr(checks, asked.name)(_on_paper(value)), False
            return _judged_code(asked, chapter, process)
        case {"state": "missing"} if copy.is_touched(asked):
            return _wrong(
                asked,
                f"The cell for this answer was changed, but none defines "
                f"`{asked.given}`.",
                "not_found",
            ), False
        case {"state": "missing" | "blank"}:
            return _nothing_yet(asked), False
        case {"state": "broken", "error": str(error)}:
            return _wrong(
                asked,
                f"Your cell does not run: {error[:300].rstrip('.')}. Only the "
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


def _wrong(asked: Asked, message: str, mistake: str) -> Verdict:
    verdict = _nothing_yet(asked)
    return replace(verdict, status=WRONG, message=message, mistake=mistake)
