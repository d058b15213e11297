"""Every exercise in code: how it is judged, and what is tried with it.

The parts of the reader's own Transformer are among them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any

import pytest
from stored_answers import answers_to, mistake_of

from transformer_course import checks
from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.matching import agree, find
from transformer_course.checks.engine.verdict import Verdict
from transformer_course.checks.parts import MASKS, PARTS, judged, part

# A stack of layers is slow to judge, and many of its mistakes are alike.
SLOW = ("EncoderLayer", "DecoderLayer", "Transformer")


@dataclass(frozen=True)
class Tried:
    """An exercise, its check, and the stored answers to it."""

    name: str
    exercise: Exercise
    check: Callable[[Any], Verdict]

    @cached_property
    def answers(self) -> dict[str, Any]:
        return answers_to(self.name)

    @property
    def right(self) -> list[str]:
        return [key for key in self.answers if mistake_of(key) == "right"]

    @property
    def wrong(self) -> list[str]:
        return [key for key in self.answers if mistake_of(key) != "right"]

    @property
    def named(self) -> set[str]:
        """The mistakes that the stored answers make."""
        return set(map(mistake_of, self.wrong))


def every_exercise() -> Iterator[Tried]:
    """Yield the exercises in code, then the parts in the book's order.

    A part is judged as from chapter 8 on, where it has its mask.
    """
    for home in sorted(checks.homes()):
        name = home.rpartition(".")[2]
        if home == f"{checks.__name__}.code.{name}":
            module = import_module(home)
            yield Tried(name, module.EXERCISE, getattr(checks, name))
    for name in PARTS:
        check = partial(judged, name, chapter=MASKS)
        yield Tried(name, part(name).EXERCISE, check)


EXERCISES = {tried.name: tried for tried in every_exercise()}


def sampled() -> Iterator[Any]:
    """Yield each exercise with each of its answers, for a parametrized test.

    The right answers stand for themselves. The first answer that makes a
    mistake, to whichever exercise, stands for all that make it; of those to
    `SLOW` exercises, one in four stands for all. The others are `whole`.
    """
    first: dict[str, tuple[str, str]] = {}
    for name, tried in EXERCISES.items():
        for key in tried.wrong:
            first.setdefault(mistake_of(key), (name, key))
    slow = [pair for pair in first.values() if pair[0] in SLOW]
    sample = {*first.values()} - {*slow} | {*slow[::4]}
    for name, tried in EXERCISES.items():
        for key in tried.answers:
            some = key in tried.right or (name, key) in sample
            marks = [] if some else [pytest.mark.whole]
            yield pytest.param(name, key, marks=marks)


def named_edits(exercise: Exercise) -> Iterator[tuple[str, dict, str | None]]:
    """Yield each mistake, one way to make it, and the id that it gets.

    The answers are the edited reference's own, kept from case to case; what
    they do not name, an error or a last word, is asked of the whole check.
    """
    for mistake in exercise.mistakes:
        for edits in mistake.edits:
            made = {c: exercise.expected(c, **edits) for c in exercise.cases}
            failing = [
                case
                for case, answer in made.items()
                if not agree(answer, exercise.expected(case))
            ]
            answers = {case.name: answer for case, answer in made.items()}
            found = find(exercise, answers, failing)
            if found is None:
                verdict = judge(exercise, exercise.variant(edits))
                yield mistake.id, edits, verdict.mistake
            else:
                yield mistake.id, edits, found.id
