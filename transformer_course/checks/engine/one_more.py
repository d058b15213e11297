"""One more case, drawn where a class is marked: nobody knows it before.

The cases of a check are in everybody's hands, so that a table of them is as
right as a function. It has no row for this one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.example import example_of
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.matching import agree
from transformer_course.checks.engine.properties import Probe
from transformer_course.checks.engine.reading import ARRAY, Answer
from transformer_course.checks.engine.submission import Submission
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["FITS_ONLY", "breaks_on_one_more", "drawn"]

FITS_ONLY = "fits_only_the_check"
_TRIES = 20


def breaks_on_one_more(
    exercise: Exercise, answer: Submission, seed: int
) -> Verdict | None:
    """Try a right answer on inputs that no check has shown.

    Args:
        exercise: what is asked.
        answer: one that is right for all its cases.
        seed: of the case.

    Returns:
        The verdict if the answer is wrong there; None if it is right, and
        where no case can be drawn.
    """
    case = drawn(exercise, seed)
    if case is None:
        return None

    def call(args: tuple) -> Answer:
        return answer.run(args, guard.SECONDS)

    got, want = call(case.args), exercise.expected(case)
    if agree(got, want):
        return None
    verdict = exercise.wrong(
        "Right for every input that the check in the notebook tries, and "
        "wrong for one more of the same kind, which is drawn when a class is "
        "marked. An answer has to be worked out from its inputs, whatever "
        "numbers they hold.",
        mistake=FITS_ONLY,
        example=example_of(exercise, case.args, want, got, call),
    )
    return replace(verdict, printed=got.printed)


def drawn(exercise: Exercise, seed: int) -> Case | None:
    """Draw one more case, such as our own answer gets right.

    Args:
        exercise: what is asked.
        seed: gives the same case each time.

    Returns:
        The first such case; None if the exercise has nothing to draw, or
        our own answer fails everything that is drawn.
    """
    if exercise.draw is None:
        return None
    for number in range(seed, seed + _TRIES):
        case = exercise.draw(number)
        if _is_fair(exercise, case):
            return case
    return None


def _is_fair(exercise: Exercise, case: Case) -> bool:
    """Whether our own answer, called as a student's, breaks nothing."""
    own = Submission(exercise, exercise.variant({}))

    def call(args: tuple) -> Answer:
        return own.run(args, guard.SECONDS)

    got, want = call(case.args), exercise.expected(case)
    if got.kind != ARRAY or not np.isfinite(got.array).all():
        return False
    probe = Probe(case.args, got, want, call, exercise.compares_results(case))
    broken = any(law(probe) for law in exercise.properties)
    return agree(got, want) and not broken
