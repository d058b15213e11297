"""Recognize a mistake: the answers are those of a wrong variant.

Answers are compared case by case. Where every answer is an error there is
nothing to compare, and only a mistake that knows its error can be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from transformer_lib.course.checks.engine.exercise import (
    Case,
    Exercise,
    Mistake,
)
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    RAISED,
    Answer,
    same,
)

__all__ = ["agree", "find", "find_pair", "pairs"]


def find(
    exercise: Exercise, answers: dict[str, Answer], failing: list[Case]
) -> Mistake | None:
    """Return the first mistake that gives these answers.

    Args:
        exercise: what is asked.
        answers: the student's, by the name of the case.
        failing: the cases with a wrong answer.
    """
    core = [answers[case.name] for case in failing if case.core]
    wrong = core or [answers[case.name] for case in failing]
    known = _by_its_error(exercise, wrong)
    if known is not None:
        return known
    if core and all(answer.kind != ARRAY for answer in core):
        return None  # nothing to compare with
    for mistake in exercise.mistakes:
        if mistake.sees is not None:
            if not core and mistake.sees(answers):
                return mistake
        elif core and any(
            _makes(exercise, answers, knobs) for knobs in mistake.knobs
        ):
            return mistake
    return None


def find_pair(
    exercise: Exercise, answers: dict[str, Answer], failing: list[Case]
) -> tuple[Mistake, Mistake] | None:
    """Return the first two mistakes that give these answers together."""
    core = [answers[case.name] for case in failing if case.core]
    if all(answer.kind != ARRAY for answer in core):
        return None
    for first, second, knobs in pairs(exercise):
        if _makes(exercise, answers, knobs):
            return first, second
    return None


def pairs(exercise: Exercise) -> Iterator[tuple[Mistake, Mistake, dict]]:
    """Two mistakes whose knobs can be turned together."""
    single = [m for m in exercise.mistakes if m.knobs]
    for first, second in combinations(single, 2):
        if not first.knobs[0].keys() & second.knobs[0].keys():
            yield first, second, first.knobs[0] | second.knobs[0]


def _by_its_error(exercise: Exercise, wrong: list[Answer]) -> Mistake | None:
    """The one mistake whose error ends every wrong answer."""
    found = [
        mistake
        for mistake in exercise.mistakes
        if mistake.raises
        and all(
            answer.kind == RAISED and re.match(mistake.raises, answer.text)
            for answer in wrong
        )
    ]
    return found[0] if len(found) == 1 else None


def _makes(exercise: Exercise, answers: dict[str, Answer], knobs: dict) -> bool:
    """True if a wrong variant gives the student's answers.

    Where the student's code raises and the variant does not, the case says
    nothing; at least one case must tell the variant from the reference.
    """
    telling = 0
    for case in exercise.cases:
        if not case.core:
            continue
        got, want = answers[case.name], exercise.expected(case)
        made = exercise.expected(case, **knobs)
        if got.kind == RAISED and made.kind == ARRAY:
            continue
        if not agree(got, made):
            return False
        telling += got.kind == ARRAY and not agree(made, want)
    return telling > 0


def agree(left: Answer, right: Answer) -> bool:
    """Same numbers, or errors of the same family."""
    if left.kind == right.kind == ARRAY:
        tolerance = max(left.tolerance, right.tolerance)
        return same(left.array, right.array, tolerance)
    if left.kind == right.kind == RAISED:
        arithmetic = "ArithmeticError"
        return (arithmetic in left.groups) == (arithmetic in right.groups)
    return False
