"""What the checks of an exercise that asks for a class have in common."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

from transformer_lib.course.checks.engine.exercise import Exercise
from transformer_lib.course.checks.engine.foreign import is_class, safely
from transformer_lib.course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    Example,
    Verdict,
)

__all__ = ["named", "nothing_to_judge"]


def nothing_to_judge(made: Any, exercise: Exercise) -> Verdict | None:
    """Return what to say of a placeholder, or of an object; else None."""
    blank = made is None or made is Ellipsis
    if blank or safely(lambda: _is_empty(made), False):
        return Verdict(
            NOT_ATTEMPTED,
            exercise.signature,
            exercise.asked,
            "Nothing to check yet. Replace each `...` with your own code and "
            "run this cell again.",
            hints=exercise.hints,
        )
    if not is_class(made) and not safely(
        lambda: inspect.isroutine(made), False
    ):
        return exercise.wrong(
            "This check wants the class itself, not an object made of it: "
            f"`checks.{exercise.name}({exercise.name})`.",
            "not_a_function",
            hint="A name followed by brackets makes an object; the name "
            "alone hands the class over.",
        )
    return None


def _is_empty(made: Any) -> bool:
    """True for a class with nothing in it."""
    if not isinstance(made, type) or made.__mro__ != (made, object):
        return False
    return not any(map(inspect.isroutine, vars(made).values()))


def named(exercise: Exercise, mistake: str, judged: Verdict) -> Verdict:
    """Return the verdict of a mistake that was seen outside the judge.

    Args:
        exercise: what is asked.
        mistake: its id.
        judged: what the judge said; what was printed is taken from it.
    """
    (found,) = (m for m in exercise.mistakes if m.id == mistake)
    (case,) = (c for c in exercise.cases if c.name == found.on)
    want = exercise.expected(case)
    got = exercise.expected(case, **found.edits[0])
    example = Example(exercise.show_inputs(case.args), want.text, got.text)
    verdict = exercise.wrong(found.message, mistake, example, found.hint)
    return replace(verdict, printed=judged.printed)
