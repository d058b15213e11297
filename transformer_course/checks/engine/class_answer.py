"""What the checks of an exercise that asks for a class have in common."""

from __future__ import annotations

import contextlib
import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.foreign import is_class, safely
from transformer_course.checks.engine.preconditions import (
    Precondition,
    call_of,
)
from transformer_course.checks.engine.reading import ARRAY, same
from transformer_course.checks.engine.submission import Submission
from transformer_course.checks.engine.verdict import (
    WRONG,
    Example,
    Verdict,
)

__all__ = [
    "code_in",
    "look_at_class",
    "objects_share_memory",
    "restored",
]

_GIVES_UP = {"never_ends", "calls_exit", "calls_itself_forever"}


def look_at_class(made: Any, exercise: Exercise) -> Precondition | None:
    """Return what to say of a placeholder, or of an object; else None."""
    blank = made is None or made is Ellipsis
    if blank or safely(lambda: _is_empty(made), False):
        return Precondition(
            "Nothing to check yet. Replace each `...` with your own code and "
            "run this cell again.",
            attempted=False,
        )
    if is_class(made) or safely(lambda: inspect.isroutine(made), False):
        return None
    return Precondition(
        "This check wants the class itself, not an object made of it: "
        f"`{call_of(exercise.name)}`.",
        "not_a_function",
        "A name followed by brackets makes an object; the name alone stands "
        "for the class itself.",
    )


def _is_empty(made: Any) -> bool:
    """True for a class with nothing in it."""
    if not isinstance(made, type) or made.__mro__ != (made, object):
        return False
    return not any(map(inspect.isroutine, vars(made).values()))


def code_in(*methods: str) -> Callable[[Any], Any]:
    """Return what finds the first of these methods in a class."""

    def lines_of(made: Any) -> Any:
        if not isinstance(made, type):
            return made
        return safely(lambda: _first(made, methods), made)

    return lines_of


def _first(made: type, methods: tuple[str, ...]) -> Any:
    return next(vars(made)[name] for name in methods if name in vars(made))


@contextlib.contextmanager
def restored(made: Any) -> Iterator[None]:
    """Give a class back the attributes and default values that it had.

    What its objects share would otherwise pass from one case to the next.

    Args:
        made: the student's class; anything else is left alone.
    """
    if not is_class(made):
        yield
        return
    own = {name: _kept(value) for name, value in vars(made).items()}
    try:
        yield
    finally:
        for name in set(vars(made)) - set(own):
            delattr(made, name)
        for name, (value, inner) in own.items():
            if inspect.isfunction(value):
                value.__defaults__, value.__kwdefaults__ = inner
            elif not name.startswith("__") and not inspect.isroutine(value):
                setattr(made, name, inner)


def _kept(value: Any) -> tuple[Any, Any]:
    """A value of the class, and a copy of what may change in it."""
    changes = value
    if inspect.isfunction(value):
        changes = value.__defaults__, value.__kwdefaults__
    try:
        return value, copy.deepcopy(changes)
    except Exception:
        return value, changes


def objects_share_memory(
    fresh: tuple, after_another: tuple
) -> Callable[[Verdict, Submission], Verdict]:
    """Return what names "shared_by_all_objects", the last word on a class.

    Args:
        fresh: the inputs that let a new object answer.
        after_another: the same, after another object has been busy.
    """

    def finish(verdict: Verdict, submission: Submission) -> Verdict:
        if verdict.status != WRONG or verdict.mistake in _GIVES_UP:
            return verdict
        if submission.precondition() is not None:
            return verdict
        first, second = (
            submission.run(args, 1.0) for args in (fresh, after_another)
        )
        if first.kind != ARRAY or second.kind != ARRAY:
            return verdict
        if same(first.array, second.array):
            return verdict
        return _named(submission.exercise, "shared_by_all_objects", verdict)

    return finish


def _named(exercise: Exercise, mistake: str, judged: Verdict) -> Verdict:
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
