"""The example of a verdict: what was given, expected and received.

Of large arrays the small table shows the part around the first number that
differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.properties import Probe
from transformer_course.checks.engine.reading import (
    ARRAY,
    MOST_SHOWN,
    Answer,
    briefly,
    first_unlike,
    number,
    part,
)
from transformer_course.checks.engine.verdict import Example, Verdict

__all__ = ["example_of", "of_one_example"]


def example_of(
    exercise: Exercise,
    args: tuple,
    want: Answer,
    got: Answer,
    call: Callable[[tuple], Answer],
) -> Example:
    """Show one case.

    Args:
        exercise: says how inputs and answers are shown.
        args: the inputs of the case.
        want: the right answer.
        got: the student's.
        call: gives the student's answer to other inputs.

    Returns:
        The case, and what the small table shows of it.
    """

    def in_words(answer: Answer) -> str:
        return _in_words(exercise, Probe(args, answer, want, call))

    given = exercise.show_inputs(args)
    example = Example(given, expected=in_words(want), received=in_words(got))
    with briefly():
        given = exercise.show_inputs(args)
    rows = (("given", given), *_few_numbers(example, want, got))
    if rows == example.whole():
        return example
    return replace(example, brief=rows)


def _few_numbers(
    example: Example, want: Answer, got: Answer
) -> tuple[tuple[str, str], ...]:
    """The part of large arrays around the first number that differs."""
    whole = example.whole()[1:]
    if want.kind != ARRAY or example.expected != want.text:
        return whole
    place, rows = first_unlike(want, got), []
    for (name, text), answer in zip(whole, (want, got), strict=True):
        large = answer.kind == ARRAY and answer.array.size > MOST_SHOWN
        rows.append((name, part(answer.array, place) if large else text))
    if place is not None and tuple(rows) != whole:
        came = number(got.array[place])
        which = "" if np.isfinite(got.array[place]) else f"{came} "
        rows.append(("differs", f"{which}first at {list(place)}, marked >"))
    return tuple(rows)


def _in_words(exercise: Exercise, probe: Probe) -> str:
    """An answer as it is shown: in the words of the exercise, if it has any."""
    answer = probe.got
    if exercise.words is not None and answer.kind == ARRAY:
        said = exercise.words(probe)
        if said is not None:
            return said
    if exercise.show_answer is None or answer.kind != ARRAY:
        return answer.text
    return exercise.show_answer(answer.array)


def of_one_example(judged: Verdict, finished: Verdict) -> Verdict:
    """Leave out a part of numbers that are told in other words by now.

    Args:
        judged: the verdict on the values.
        finished: the same, after the exercise's last word on it.
    """
    if judged.example is None or finished.example is None:
        return finished
    if judged.example.whole() == finished.example.whole():
        return finished
    return replace(finished, example=replace(finished.example, brief=()))
