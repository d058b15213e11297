"""An exercise as data: cases, a reference, and the mistakes people make.

A knob turns the reference `solve(*inputs, **knobs)` into a wrong variant, as
in `solve(x, axis, divide="nothing")`, so that a mistake is recognized in any
code that makes it: answers are compared, never the source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from transformer_lib.course.checks.engine.laws import Law
from transformer_lib.course.checks.engine.reading import RAISED, Answer, read
from transformer_lib.course.checks.engine.verdict import WRONG, Example, Verdict

__all__ = ["Case", "Exercise", "Mistake"]


@dataclass(frozen=True, eq=False)
class Case:
    """One set of inputs.

    Attributes:
        name: how mistakes refer to the case.
        args: the inputs.
        core: False for inputs that only probe a refinement (huge numbers);
            they matter once all core cases are right.
        refuse: name of the exception that is wanted in place of an answer.
    """

    name: str
    args: tuple
    core: bool = True
    refuse: str = ""


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer.

    Attributes:
        id: short name, stable, used by tests and teachers.
        message: one or two sentences; `{facts}` are filled in.
        hint: the next thing to look at.
        knobs: settings of `solve` that make this mistake.
        sees: in place of knobs, a look at the answers by case name.
        raises: in place of knobs, a pattern for the error, such as
            "TypeError: 'int' object is not iterable", that every wrong
            answer ends with. It must be telling: no typo may lead to it.
        on: name of the case to show; the first wrong one if empty.
    """

    id: str
    message: str
    hint: str
    knobs: tuple[dict, ...] = ()
    sees: Callable[[dict[str, Answer]], bool] | None = None
    raises: str = ""
    on: str = ""


@dataclass(frozen=True, eq=False)
class Exercise:
    """All that a check knows about one exercise."""

    name: str
    inputs: tuple[str, ...]
    asked: str
    praise: str
    cases: tuple[Case, ...]
    solve: Callable
    mistakes: tuple[Mistake, ...]
    laws: tuple[Law, ...]
    hints: tuple[str, str]
    facts: Callable[[Case, np.ndarray, np.ndarray], dict] | None = None
    show_inputs: Callable[[tuple], str] = field(default=repr)

    @property
    def signature(self) -> str:
        """The call as the chapter writes it."""
        return f"{self.name}({', '.join(self.inputs)})"

    @property
    def student_inputs(self) -> tuple[str, ...]:
        """What the student's function takes, which a check may play with."""
        return self.inputs

    def expected(self, case: Case, **knobs) -> Answer:
        """The reference's answer, or a wrong variant's with knobs."""
        if case.refuse and not knobs:
            wanted = f"a {case.refuse} with a message"
            return Answer(RAISED, text=wanted, error=case.refuse)
        return _computed(self, case, tuple(sorted(knobs.items())))

    def wrong(
        self,
        message: str,
        mistake: str | None = None,
        example: Example | None = None,
        hint: str = "",
    ) -> Verdict:
        """A verdict "wrong" with this exercise's words around it."""
        first, second = self.hints
        return Verdict(
            status=WRONG,
            exercise=self.signature,
            asked=self.asked,
            message=message,
            mistake=mistake,
            example=example,
            hints=(hint or first, second),
        )


@cache
def _computed(exercise: Exercise, case: Case, knobs: tuple) -> Answer:
    """What a variant answers; computed once, for it never changes."""
    try:
        with np.errstate(all="ignore"):
            answer = read(exercise.solve(*case.args, **dict(knobs)))
    except Exception as error:
        groups = tuple(base.__name__ for base in type(error).__mro__)
        name = type(error).__name__
        return Answer(RAISED, text=name, error=name, groups=groups)
    if answer.array is not None:
        answer.array.setflags(write=False)
    return answer
