"""A student's answer to an exercise, as the judge sees it.

The judge asks it for four things only, and gets plain data back; so an
answer may as well live in another process.
"""

from __future__ import annotations

import contextlib
import dis
from collections.abc import Iterator
from functools import partial
from typing import Any

from transformer_lib import numpy_reference
from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.exercise import Exercise
from transformer_lib.course.checks.engine.foreign import code_of, safely
from transformer_lib.course.checks.engine.preconditions import (
    AskedHere,
    Precondition,
    look,
)
from transformer_lib.course.checks.engine.reading import Answer
from transformer_lib.course.checks.engine.verdict import Example

__all__ = ["Submission"]

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

    def _is_idle(self) -> bool:
        code = code_of(self.exercise.lines_of(self.answer))
        return code is not None and all(
            step.opname in _IDLE for step in dis.get_instructions(code)
        )
