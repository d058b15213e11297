"""Recognize a mistake: the answers are those of a wrong variant.

Answers are compared case by case. Where every answer is an error there is
nothing to compare, and only a mistake that knows its error can be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice

import numpy as np

from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.half_way import (
    Half,
    halves,
    left_out,
)
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.reading import (
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
    "find_half",
    "find_two",
    "fits_everywhere",
    "shown",
    "told",
]

_ENOUGH = 0.4  # of the failing cases; what gives fewer is not the mistake
_MANY = 3  # different numbers, which are not equal to others by accident


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
            fits = any(
                _makes(exercise, answers, edits)
                and _explains(exercise, answers, failing, edits)
                for edits in mistake.edits
            )
        else:
            fits = _refines(exercise, answers, failing, mistake)
        if fits:
            return mistake
    return None


def find_half(
    exercise: Exercise, answers: dict[str, Answer], basic: bool = True
) -> Half | None:
    """Return the input, or the value on the way, that was returned.

    Numbers that are few or alike may be equal by accident; they tell nothing.

    Args:
        exercise: what is asked.
        answers: the student's, by the name of the case.
        basic: whether the basic cases are enough.
    """
    cases = [case for case in _compared(exercise) if case.basic or not basic]
    numbers = [c for c in cases if answers[c.name].kind == ARRAY]
    if _different([answers[case.name] for case in numbers]) < _MANY:
        return None
    if all(agree(answers[c.name], exercise.expected(c)) for c in numbers):
        return None
    for half in halves(exercise.solve):
        if _all_agree(exercise, answers, cases, half.edits):
            return half
    return None


def _compared(exercise: Exercise) -> list[Case]:
    return [c for c in exercise.quick_first if exercise.compares_results(c)]


def fits_everywhere(
    exercise: Exercise, answers: dict[str, Answer], mistake: Mistake
) -> bool:
    """True if a mistake gives the results of the other cases, too."""
    cases = _compared(exercise)
    return any(
        _all_agree(exercise, answers, cases, edits) for edits in mistake.edits
    )


def find_two(
    exercise: Exercise, answers: dict[str, Answer], failing: list[Case]
) -> tuple[Mistake, ...]:
    """Return the first two mistakes that give these answers together.

    None where something simpler gives them, too. An error, nan, or one and
    the same number everywhere is what any two mistakes can lead to.
    """
    numbers = [
        case
        for case in failing
        if case.basic and answers[case.name].kind == ARRAY
        if not answers[case.name].broken
    ]
    results = [answers[c.name] for c in numbers if exercise.compares_results(c)]
    if not numbers or _are_alike(results):
        return ()
    for two, edits in islice(combined(exercise, 2), exercise.most_combined):
        if _makes(exercise, answers, edits) and _explains(
            exercise, answers, failing, edits
        ):
            return () if _is_simpler(exercise, answers, two) else two
    return ()


def _is_simpler(
    exercise: Exercise, answers: dict[str, Answer], two: tuple[Mistake, ...]
) -> bool:
    """True if less than two mistakes gives these answers.

    Two may cancel to the numbers of an answer that is unfinished and has
    neither of them, or only one: an input times a number, or plus one; a step
    left out; a value on the way to a mistake.
    """
    basic = [case for case in exercise.quick_first if case.basic]
    cases = list(filter(exercise.compares_results, basic)) or basic
    results = [answers[case.name] for case in cases]
    known = halves(exercise.solve)

    def gives(edits: dict) -> bool:
        return _all_agree(exercise, answers, cases, edits)

    for half in (half for half in known if half.is_input):
        made = [exercise.expected(case, **half.edits) for case in cases]
        if _in_a_line(results, made):
            return True
    if any(map(gives, left_out(exercise.solve))):
        return True
    if any(_stops(exercise, mistake, cases) for mistake in two):
        return False  # unfinished, as it is said to be
    return any(
        gives(edits | half.edits)
        for mistake in exercise.mistakes
        for edits in mistake.edits[:1]
        for half in known
        if half.value.isidentifier()
        and exercise.can_be_made(edits | half.edits)
    )


def _stops(exercise: Exercise, mistake: Mistake, cases: list[Case]) -> bool:
    """True for a mistake that is nothing but an early end."""
    made = {c.name: exercise.expected(c, **mistake.edits[0]) for c in cases}
    return any(
        _all_agree(exercise, made, cases, half.edits)
        for half in halves(exercise.solve)
        if not half.is_input
    )


def _in_a_line(answers: list[Answer], others: list[Answer]) -> bool:
    """True for the same numbers, times one number and plus another one."""
    pairs = list(zip(answers, others, strict=True))
    if any(a.kind != ARRAY or b.kind != ARRAY for a, b in pairs):
        return False
    if any(a.array.shape != b.array.shape for a, b in pairs):
        return False
    left, right = (
        np.concatenate([answer.array.ravel() for answer in side])
        for side in zip(*pairs, strict=True)
    )
    usual = np.isfinite(left) & np.isfinite(right)
    if not usual.all() or len(np.unique(right.round(6))) < _MANY:
        return False
    slope, start = np.polyfit(right, left, 1)
    return same(left, slope * right + start)


def _all_agree(
    exercise: Exercise,
    answers: dict[str, Answer],
    cases: list[Case],
    edits: dict,
) -> bool:
    try:
        return bool(cases) and all(
            agree(answers[c.name], exercise.expected(c, **edits)) for c in cases
        )
    except LookupError:  # these edits exclude each other
        return False


def _different(answers: list[Answer]) -> int:
    """How many different numbers there are."""
    numbers = [answer.array.ravel() for answer in answers]
    return len(np.unique(np.concatenate(numbers).round(6))) if numbers else 0


def _are_alike(answers: list[Answer]) -> bool:
    """True for one number everywhere, and for one answer to all cases."""
    if not answers:
        return False
    first, *others = answers
    each = bool(others) and all(agree(first, other) for other in others)
    return each or _different(answers) < 2


def _explains(
    exercise: Exercise,
    answers: dict[str, Answer],
    failing: list[Case],
    edits: dict,
) -> bool:
    """True if a variant gives the answers of enough of the failing cases."""
    looked_at = [case for case in failing if case.basic] or failing
    made = ((answers[c.name], exercise.expected(c, **edits)) for c in looked_at)
    same = sum(
        agree(got, wrong) or (got.broken and wrong.broken)
        for got, wrong in made
    )
    return same > _ENOUGH * len(looked_at)


def combined(
    exercise: Exercise, count: int
) -> Iterator[tuple[tuple[Mistake, ...], dict]]:
    """Yield mistakes that can be made together, and all their edits.

    One that shows in no basic case would add nothing.
    """
    known = {mistake.id: mistake for mistake in exercise.mistakes}

    @cache
    def shows(name: str) -> bool:
        return _shows_early(exercise, known[name])

    for names in combinations(known, count):  # which asks no more than needed
        if not all(map(shows, names)):
            continue
        edits: dict = {}
        several = tuple(known[name] for name in names)
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
    exercise: Exercise,
    answers: dict[str, Answer],
    failing: list[Case],
    mistake: Mistake,
) -> bool:
    """True for a mistake that shows in no basic case, and gives these."""
    if mistake.matches is not None:
        return mistake.matches(answers)
    if mistake.fails:
        want = {case.name: exercise.expected(case) for case in exercise.cases}
        return not any(agree(answers[n], want[n]) for n in mistake.fails)
    return any(
        _gives(exercise, answers, edits)
        and _explains(exercise, answers, failing, edits)
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
    told = False
    for case in _telling_first(exercise, answers):
        got, want = answers[case.name], exercise.expected(case)
        is_quick = case.name in exercise.quick
        if not told and not is_quick and agree(got, want):
            return False  # only what fails can tell, and it came first
        made = exercise.expected(case, **edits)
        if agree(made, want):
            continue
        both_broken = got.broken and made.broken
        if got.kind == RAISED and not both_broken:
            continue
        if not both_broken and not agree(got, made):
            return False
        told = True
    return told


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
