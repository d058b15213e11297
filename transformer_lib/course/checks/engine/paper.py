"""An exercise on paper as data: the numbers wanted, and misconceptions.

A misconception is recognized by the value it leads to, so whoever has it is
told, whichever way the numbers were found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.foreign import safely
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    ELLIPSIS,
    NOTHING,
    Answer,
)
from transformer_lib.course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    RIGHT,
    WRONG,
    Example,
    Verdict,
)

__all__ = ["Paper", "Misconception", "judge_paper"]

ROUNDED = (
    "This is right as far as it goes, but rounded to two decimals. Give at "
    "least three."
)


class Misconception(NamedTuple):
    """A wrong answer that people give.

    Attributes:
        id: short name, stable, used by tests and teachers.
        value: the numbers that the misconception leads to.
        message: what went wrong, in one or two sentences.
    """

    id: str
    value: ArrayLike
    message: str


@dataclass(frozen=True, eq=False)
class Paper:
    """All that a check knows about one exercise on paper.

    Attributes:
        name: the call as the chapter writes it.
        asked: what the exercise wants, with an example of the form.
        count: what to give, such as "two numbers".
        given: the numbers of the exercise, as shown beside a wrong answer.
        expected: what is wanted, in words and never in numbers.
        want: gives the right numbers.
        misconceptions: gives the known wrong answers, the first that fits wins.
        praise: said to a right answer.
        hints: what `hint(1)` and `hint(2)` say.
        look: says where to look for got and want that no misconception
            explains; None says which number is the first that differs.
        tolerance: how far a number may be from the right one.
    """

    name: str
    asked: str
    count: str
    given: str
    expected: str
    want: Callable[[], ArrayLike]
    misconceptions: Callable[[], list[Misconception]]
    praise: str
    hints: tuple[str, str]
    look: Callable[[np.ndarray, np.ndarray], str] | None = None
    tolerance: float = 0.002

    @cached_property
    def answer(self) -> np.ndarray:
        """The right numbers, float64."""
        return np.asarray(self.want(), dtype=np.float64)

    def agrees(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if numbers on paper agree: same shape, nearly same value."""
        value = np.asarray(value, dtype=np.float64)
        near = self.tolerance * 1.05  # three decimals, rounded, and a little
        return got.shape == value.shape and bool(
            np.all(abs(got - value) <= near)
        )

    def rounds_to(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if these are the numbers of value, some with two decimals."""
        value = np.asarray(value, dtype=np.float64)
        if got.shape != value.shape:
            return False
        two = got == np.round(got, 2)
        near = np.where(two, 0.005 + 1e-9, self.tolerance * 1.05)
        return bool(np.all(abs(got - value) <= near))

    def wrong(self, message: str, mistake: str | None, came: str) -> Verdict:
        """A verdict "wrong" with this exercise's words around it."""
        example = Example(self.given, self.expected, came)
        return Verdict(
            WRONG,
            self.name,
            self.asked,
            message,
            mistake,
            example,
            hints=self.hints,
        )


def judge_paper(paper: Paper, value: Any) -> Verdict:
    """Compare numbers worked out on paper; never raise, never print.

    Args:
        paper: the exercise.
        value: numbers as a tuple, list, array or tensor, or one number.

    Returns:
        The verdict.
    """
    try:
        return _judge(paper, value)
    except Exception as error:
        return paper.wrong(
            f"The check could not read this ({type(error).__name__}). Give "
            f"{paper.count} in brackets.",
            "not_checkable",
            "?",
        )


def _judge(paper: Paper, value: Any) -> Verdict:
    blanks = safely(lambda: _blanks(value), "none")
    answer = guard.call(lambda: value, (), ())  # foreign objects may misbehave
    if blanks == "all" or answer.kind in (NOTHING, ELLIPSIS):
        message = (
            f"Nothing to check yet. Put your {paper.count} in place of `...` "
            "and run this cell again."
        )
        return Verdict(
            NOT_ATTEMPTED, paper.name, paper.asked, message, hints=paper.hints
        )
    if blanks == "some":
        return paper.wrong(
            f"Some are still missing: this exercise wants {paper.count}.",
            "half_filled",
            answer.text,
        )
    if answer.kind == ARRAY:
        return _judge_numbers(paper, answer)
    if callable(value):
        return paper.wrong(
            f"This exercise wants {paper.count}, not a function.",
            "a_function",
            "a function",
        )
    return paper.wrong(
        f"Wanted: {paper.count}; this is {answer.text}. Write plain numbers, "
        "in the same brackets as the example in what is asked.",
        "not_numbers",
        answer.text,
    )


def _blanks(value: Any) -> str:
    """Are all, some or none of the places in (nested) lists empty?"""
    if not isinstance(value, (tuple, list)):
        empty = value is None or value is Ellipsis
        return "all" if empty else "none"
    states = {_blanks(item) for item in value}
    if not states:
        return "all"
    return states.pop() if len(states) == 1 else "some"


def _judge_numbers(paper: Paper, answer: Answer) -> Verdict:
    got, want = answer.array, paper.answer
    if got.size == want.size and got.ndim != want.ndim and want.ndim < 2:
        got = got.reshape(want.shape)  # ((1, 2)) is meant as (1, 2)
    if paper.agrees(got, want):
        return Verdict(RIGHT, paper.name, paper.asked, paper.praise)
    for known in paper.misconceptions():
        if paper.agrees(got, known.value):
            return paper.wrong(known.message, known.id, answer.text)
    if paper.rounds_to(got, want):
        return paper.wrong(ROUNDED, "rounded", answer.text)
    for known in paper.misconceptions():
        if paper.rounds_to(got, known.value):
            return paper.wrong(known.message, known.id, answer.text)
    return paper.wrong(_difference(paper, got, want), None, answer.text)


def _difference(paper: Paper, got: np.ndarray, want: np.ndarray) -> str:
    if got.shape != want.shape:
        count = f"{got.size} number" + ("s" if got.size != 1 else "")
        came = f"{count} came" if got.ndim < 2 else f"shape {got.shape} came"
        return f"{paper.count.capitalize()} are wanted, and {came}."
    if not np.isfinite(got).all():
        return "One of your numbers is not a finite number."
    if paper.look is not None:
        return paper.look(got, want)
    if got.size == 1:
        return "Go through your steps once more, or ask for a hint."
    wrong = np.argwhere(abs(got - want) > 1.05 * paper.tolerance)
    right = got.size - len(wrong)
    place = ", ".join(
        f"{axis} {index + 1}"
        for axis, index in zip(
            ("row", "column") if got.ndim == 2 else ("number",),
            wrong[0],
            strict=False,
        )
    )
    return (
        f"{right} of {got.size} numbers {'is' if right == 1 else 'are'} right; "
        f"the first wrong one is {place}."
    )
