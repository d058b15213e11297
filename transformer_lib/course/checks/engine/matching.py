"""Recognize a mistake: the answers are those of a wrong variant.

Answers are compared case by case. Where every answer is an error there is
nothing to compare, and only a mistake that knows its error can be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, combinations, islice

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    RAISED,
    Answer,
    same,
)

__all__ = [
    "agree",
    "chosen",
    "combined",
    "find",
    "find_several",
    "shown",
    "told",
]


def find(
    exercise: Exercise, answers: dict[str, Answer], failing: list[Case]
) -> Mistake | None:
    """Return the first mistake that gives these answers.

    Args:
        exercise: what is asked.
        answers: the student's, by the name of the case.
        failing: the cases with a wrong answer.
    """
    basic = [answers[case.name] for case in failing if case.basic]
    wrong = basic or [answers[case.name] for case in failing]
    known = _by_its_error(exercise, wrong)
    if known is not None:
        return known
    if basic and all(answer.kind != ARRAY for answer in basic):
        return None  # nothing to compare with
    for mistake in exercise.mistakes:
        if basic:
            fits = any(_makes(exercise, answers, e) for e in mistake.edits)
        else:
            fits = _refines(exercise, answers, mistake)
        if fits:
            return mistake
    return None


def find_several(
    exercise: Exercise, answers: dict[str, Answer], failing: list[Case]
) -> tuple[Mistake, ...]:
    """Return the first two or three mistakes that give these answers."""
    basic = [answers[case.name] for case in failing if case.basic]
    if all(answer.kind != ARRAY or answer.broken for answer in basic):
        return ()  # nan is what any three mistakes can lead to
    tried = chain(combined(exercise, 2), combined(exercise, 3))
    for several, edits in islice(tried, exercise.most_combined):
        if _makes(exercise, answers, edits):
            return several
    return ()


def combined(
    exercise: Exercise, count: int
) -> Iterator[tuple[tuple[Mistake, ...], dict]]:
    """Yield mistakes that can be made together, and all their edits.

    One that shows in no basic case would add nothing.
    """
    single = [m for m in exercise.mistakes if _shows_early(exercise, m)]
    for several in combinations(single, count):
        edits: dict = {}
        for mistake in several:
            edits |= mistake.edits[0]
        in_all = sum(len(mistake.edits[0]) for mistake in several)
        if len(edits) == in_all and exercise.can_be_made(edits):
            yield several, edits


def _shows_early(exercise: Exercise, mistake: Mistake) -> bool:
    """True if the mistake, made the first way, shows in a basic case."""
    return any(
        not agree(exercise.expected(case, **edits), exercise.expected(case))
        for edits in mistake.edits[:1]
        for case in exercise.quick_first
        if case.basic
    )


def shown(exercise: Exercise, mistake: Mistake) -> str:
    """Return the name of the case that shows a mistake best, or ""."""
    if mistake.on or mistake.fails:
        return mistake.on or mistake.fails[0]
    for edits in mistake.edits[:1]:
        wrong = list(_wrong_cases(exercise, edits))
        if not any(case.basic for case in wrong):
            return wrong[0].name
    return ""


def told(exercise: Exercise, mistake: Mistake) -> str:
    """Return the message of a mistake, with the numbers that it leads to."""
    if not mistake.edits or "{" not in mistake.message:
        return mistake.message
    made = {
        case: exercise.expected(case, **mistake.edits[0])
        for case in exercise.cases
    }
    case = chosen(
        [c for c in made if not agree(made[c], exercise.expected(c))],
        {case.name: got for case, got in made.items()},
        shown(exercise, mistake),
    )
    return mistake.message.format_map(exercise.numbers(case, made[case]))


def chosen(
    failing: list[Case], answers: dict[str, Answer], name: str = ""
) -> Case:
    """Return the case to show: the named one, else one with numbers."""
    numbers = [c for c in failing if answers[c.name].kind == ARRAY]
    named = [c for c in numbers or failing if c.name == name]
    return (named or numbers or failing)[0]


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


def _makes(exercise: Exercise, answers: dict[str, Answer], edits: dict) -> bool:
    """True if a wrong variant gives the student's answers.

    Where the student's code raises and the variant does not, the case says
    nothing; at least one case must tell the variant from the reference.
    """
    telling = 0
    for case in _telling_first(exercise, answers):
        if not case.basic:
            continue
        got, want = answers[case.name], exercise.expected(case)
        try:
            made = exercise.expected(case, **edits)
        except LookupError:  # these edits exclude each other
            return False
        if got.kind == RAISED and made.kind == ARRAY:
            continue
        if not agree(got, made):
            return False
        telling += got.kind == ARRAY and not agree(made, want)
    return telling > 0


def _refines(
    exercise: Exercise, answers: dict[str, Answer], mistake: Mistake
) -> bool:
    """True for a mistake that shows in no basic case, and gives these."""
    if mistake.matches is not None:
        return mistake.matches(answers)
    if mistake.fails:
        want = {case.name: exercise.expected(case) for case in exercise.cases}
        return not any(agree(answers[n], want[n]) for n in mistake.fails)
    return any(
        _gives(exercise, answers, edits)
        and not any(case.basic for case in _wrong_cases(exercise, edits))
        for edits in mistake.edits
    )


def _wrong_cases(exercise: Exercise, edits: dict) -> Iterator[Case]:
    """The cases that tell a variant from the right answer, one at a time.

    Whoever knows enough after the first does not compute the others.
    """
    for case in exercise.cases:
        made, want = exercise.expected(case, **edits), exercise.expected(case)
        if not agree(made, want):
            yield case


def _gives(exercise: Exercise, answers: dict[str, Answer], edits: dict) -> bool:
    """True if the answers are a variant's wherever that is wrong."""
    telling = 0
    for case in _telling_first(exercise, answers):
        got, want = answers[case.name], exercise.expected(case)
        is_quick = case.name in exercise.quick
        if not telling and not is_quick and agree(got, want):
            return False  # only what fails can tell, and it came first
        made = exercise.expected(case, **edits)
        if agree(made, want):
            continue
        both_broken = got.broken and made.broken
        if got.kind == RAISED and not both_broken:
            continue
        if not both_broken and not agree(got, made):
            return False
        telling += not agree(got, want)
    return telling > 0


def _telling_first(
    exercise: Exercise, answers: dict[str, Answer]
) -> list[Case]:
    """The cases, those first in which most variants can be ruled out.

    Those are the quick ones, then what the student gets wrong; of most
    variants the others need not be computed.
    """

    def is_late(case: Case) -> bool:
        got, want = answers[case.name], exercise.expected(case)
        return case.name not in exercise.quick and agree(got, want)

    return sorted(exercise.quick_first, key=is_late)


def agree(left: Answer, right: Answer) -> bool:
    """Same numbers, or errors of the same family."""
    if left.kind == right.kind == ARRAY:
        tolerance = max(left.tolerance, right.tolerance)
        return same(left.array, right.array, tolerance)
    if left.kind == right.kind == RAISED:
        arithmetic = "ArithmeticError"
        return (arithmetic in left.groups) == (arithmetic in right.groups)
    return False
