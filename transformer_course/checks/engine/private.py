"""An exercise of your own, in a notebook."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.engine.reading import show
from transformer_course.checks.engine.verdict import (
    Verdict,
    from_the_front_door,
)

__all__ = ["exercise"]


def exercise(
    solution: Callable,
    cases: Sequence[tuple],
    mistakes: str = "",
    asked: str = "",
    praise: str = "Your results agree with the reference in every case.",
    hints: tuple[str, str] = (
        "Compute the example by hand and compare each step.",
        "Print what each line makes, and look for the first surprise.",
    ),
) -> Callable[[Any], Verdict]:
    """Make a check of your own.

    Args:
        solution: the right answer, a function with a name, of arrays and
            numbers; the check takes its name and its inputs from it.
        cases: the inputs of each call, at least one tuple.
        mistakes: a catalogue as in `engine/catalogue.py`: blocks of a name,
            an edit (old text and new text in backquotes, `=>` between), a
            sentence, and a hint after a question mark.
            `{came}`, `{wanted}` and `{shape}` are filled in.
        asked: what the exercise wants, in a sentence.
        praise: said to a right answer.
        hints: what `verdict.hint(1)` and `verdict.hint(2)` say.

    Returns:
        The check, a function of a student's answer.

    Raises:
        ValueError: no cases came.
        LookupError: an old text does not occur once in the solution.
    """
    if not cases:
        raise ValueError("an exercise needs at least one case; none came")
    inputs = tuple(inspect.signature(solution).parameters)
    name = solution.__name__
    made = Exercise(
        name=name,
        inputs=inputs,
        asked=asked or f"Write `{name}({', '.join(inputs)})`.",
        praise=praise,
        cases=tuple(
            Case(f"case {number}", tuple(map(_plain, args)))
            for number, args in enumerate(cases, 1)
        ),
        solve=Reference(solution),
        catalogue=mistakes if mistakes.strip() else (),
        properties=(shape, finite),
        hints=hints,
        facts=lambda case, want, got: first_difference(want, got),
        show_inputs=partial(_shown, inputs),
    )
    for mistake in made.mistakes:
        for edits in mistake.edits:
            made.variant(edits)  # so that a wrong edit is found here
    return from_the_front_door(partial(judge, made))


def _plain(value: Any) -> Any:
    return np.array(value) if isinstance(value, list) else value


def _shown(inputs: tuple[str, ...], args: tuple) -> str:
    return "\n".join(
        show(value, f"{name} = ")
        if isinstance(value, np.ndarray)
        else f"{name} = {value!r}"
        for name, value in zip(inputs, args, strict=True)
    )
