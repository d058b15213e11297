"""A student's answer to an exercise, as the judge sees it.

The judge asks it for seven things only, and gets plain data back; so an
answer may as well live in another process.
"""

from __future__ import annotations

import contextlib
import copy
import dis
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.box import draw_from
from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.foreign import (
    code_of,
    is_class,
    safely,
)
from transformer_course.checks.engine.preconditions import (
    AskedHere,
    Precondition,
    look,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    Answer,
    read,
    same,
)
from transformer_course.checks.engine.source import idle_line
from transformer_course.checks.engine.steps import (
    MOST,
    Step,
    recorder,
)
from transformer_course.checks.engine.verdict import Example
from transformer_lib import numpy_reference

__all__ = ["RANDOM", "UNLIKE", "Submission"]

RANDOM = "random"  # other numbers where the generators are in another state
UNLIKE = "unlike"  # other numbers even where they are in the same

_IDLE = {
    "RESUME", "NOP", "LOAD_CONST", "LOAD_SMALL_INT", "RETURN_VALUE",
    "RETURN_CONST", "COPY_FREE_VARS", "MAKE_CELL", "CACHE", "POP_TOP",
}  # fmt: skip


@contextlib.contextmanager
def _refusing(names: tuple[str, ...]) -> Iterator[None]:
    """Let functions of the reference refuse for a while."""
    home = vars(numpy_reference)
    kept = {name: home[name] for name in names}
    home.update({name: partial(_refuse, name) for name in names})
    try:
        yield
    finally:
        home.update(kept)


def _refuse(name: str, *args: Any, **named: Any) -> None:
    raise AskedHere(f"reference.{name} is what this exercise asks for")


def _called(names: tuple[str, ...], function: Any, *args: Any) -> Any:
    return guard.call_by_position_or_name(function, args, names)


def _watched(answer: Any, seen: list[str]) -> Callable:
    """The same answer; what is called in it notes that it varies."""
    if not is_class(answer):
        return _thrice(answer, seen)

    @wraps(answer, updated=())
    def make(*args: Any, **named: Any) -> Any:
        module = answer(*args, **named)
        module.forward = _thrice(module.forward, seen)
        return module

    return make


def _thrice(function: Callable, seen: list[str]) -> Callable:
    """Call with the same numbers drawn, with others, and then in earnest."""

    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        arrays = []
        for seed in (0, 0, 1):
            draw_from(seed)
            own, by_name = copy.deepcopy((args, named))
            arrays.append(read(function(*own, **by_name)).array)
        if all(array is not None for array in arrays):
            first, again, other = arrays
            if not same(first, again):
                seen.append(UNLIKE)
            elif not same(first, other):
                seen.append(RANDOM)
        return function(*args, **named)

    return called


class Submission:
    """An answer here, in this process.

    Args:
        exercise: what is asked.
        answer: whatever the student handed over.
    """

    def __init__(self, exercise: Exercise, answer: Any):
        self.exercise, self.answer = exercise, answer

    def precondition(self) -> Precondition | None:
        """Return what the answer breaks before it is run, or None.

        None too for an object that does not let itself be looked at.
        """
        look_at = self.exercise.look or look
        return safely(lambda: look_at(self.answer, self.exercise), None)

    def run(self, args: tuple, seconds: float) -> Answer:
        """Run the answer on copies of the inputs, for a limited time.

        Args:
            args: the inputs of a case, or others of the same form.
            seconds: the limit.
        """
        exercise = self.exercise
        with _refusing(exercise.refused):
            return guard.call(
                self.answer,
                args,
                exercise.handed_over,
                seconds,
                exercise.play,
                exercise.lines_of,
            )

    def varies(self, args: tuple, seconds: float) -> str:
        """Tell whether two calls with the same input give the same numbers.

        A function is called three times, as is the `forward` of a module,
        each time that the exercise calls it.

        Args:
            args: the inputs of a case.
            seconds: the limit.

        Returns:
            RANDOM, UNLIKE, or "" for the same numbers, and where the answer
            does not let itself be called again.
        """
        exercise, seen = self.exercise, []
        with _refusing(exercise.refused):
            guard.call(
                _watched(self.answer, seen),
                args,
                exercise.handed_over,
                seconds,
                exercise.play,
            )
        return seen[0] if seen else ""

    def steps(self, args: tuple, seconds: float) -> list[Step]:
        """Listen to the answer on its way to the result.

        Args:
            args: the inputs of a case.
            seconds: the limit.

        Returns:
            The steps, in order; none where there are too many, or the result
            is no array.
        """
        exercise = self.exercise
        play = exercise.play or partial(_called, exercise.handed_over)
        play, steps = recorder(play, exercise.lines_of, exercise.inputs)
        with _refusing(exercise.refused):
            answer = guard.call(
                self.answer, args, exercise.handed_over, seconds, play
            )
        heard = list(steps)
        return heard if answer.kind == ARRAY and len(heard) <= MOST else []

    def example(self, mistake: str) -> Example | None:
        """Show the answer as the exercise does; None if that fails.

        Args:
            mistake: what it was recognized as, or "".
        """
        found: list[Example | None] = []
        show = self.exercise.example
        if show is not None:
            guard.call(lambda: found.append(show(self.answer, mistake)), (), ())
        return found[0] if found else None

    def does_nothing(self) -> bool:
        """Tell whether the body holds no instruction that computes."""
        return safely(self._is_idle, False)

    def idle_line(self) -> str:
        """Say that a line of it names a method and does not run it, or ""."""
        return idle_line(self.answer)

    def _is_idle(self) -> bool:
        code = code_of(self.exercise.lines_of(self.answer))
        return code is not None and all(
            step.opname in _IDLE for step in dis.get_instructions(code)
        )
