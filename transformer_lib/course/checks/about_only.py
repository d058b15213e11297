"""The exercise `only(scene)`, a construction, and its wrong answers."""

from __future__ import annotations

import contextlib
import inspect
from dataclasses import replace
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import has_inputs, takes
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.preconditions import Misfit
from transformer_lib.course.checks.engine.properties import Probe
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.verdict import Example, Verdict
from transformer_lib.course.checks.only_mistakes import MISTAKES
from transformer_lib.course.checks.only_portrait import (
    FACTS,
    first_fault,
    portrait,
    sentence_of,
)
from transformer_lib.course.checks.only_variants import built, reference

__all__ = ["EXERCISE", "only"]

_INPUTS = ("scene",)
_TOGETHER = ("always_the_same", "one_subject", "one_verb")
_MANNERS = ("among friends", "to ma'am", "to grandma")


def only(function: Any) -> Verdict:
    """Check the construction `only(scene)`: only the dog slept, 개만 잤다.

    The function takes a `Scene` and returns a `Phrase`. Sixty sentences are
    built with it, twenty in each manner of speaking, and looked at: words,
    particle, links, politeness.

    Args:
        function: from a `Scene` to a `Phrase`.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: chapter 15, and `transformer_lib.grammar`.
    """
    verdict = judge(EXERCISE, _as_portrait(function))
    return _with_a_sentence(verdict, function)


def _with_a_sentence(verdict: Verdict, function: Any) -> Verdict:
    """Show a wrong sentence in place of a row of ones and zeros."""
    if verdict.example is None or _is_portrait(function):
        return verdict
    found: list[Example] = []

    def look() -> None:
        for manner, words in enumerate(_MANNERS):
            fault = first_fault(function, manner)
            if fault is not None:
                seed, received = fault
                wanted = sentence_of(built, seed, manner)
                given = f"a scene, {words} (seed {seed})"
                found.append(Example(given, wanted, received))
                return

    def list_some() -> None:  # one sentence alone would not show it
        some = [sentence_of(function, seed, 0) for seed in range(3)]
        wanted = [sentence_of(built, seed, 0) for seed in range(3)]
        given = f"three scenes, {_MANNERS[0]} (seeds 0, 1, 2)"
        found.append(Example(given, *map("\n".join, (wanted, some))))

    together = verdict.mistake in _TOGETHER
    guard.call(list_some if together else look, (), ())
    if not found:
        wanted = sentence_of(built, 0, 0)
        given = f"a scene, {_MANNERS[0]} (seed 0)"
        found.append(Example(given, wanted, verdict.example.received))
    return replace(verdict, example=found[0])


def _is_portrait(function: Any) -> bool:
    """True for a function of a manner, as the judge calls it."""
    return has_inputs(function, EXERCISE.inputs)


def _as_portrait(function: Any) -> Any:
    """Turn a construction into a function from a manner to its portrait."""
    if not callable(function) or _is_portrait(function):
        return function
    if not takes(function, _INPUTS):
        return Misfit(function)

    def drawn(manner: int) -> Any:
        return portrait(function, manner)

    with contextlib.suppress(Exception):  # whose lines an error message shows
        drawn.__wrapped__ = function
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    drawn.__signature__ = inspect.Signature(
        [inspect.Parameter(name, kind) for name in EXERCISE.inputs]
    )
    return drawn


def _first_fact(probe: Probe) -> str | None:
    """The first fact that does not hold."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return "Return the Phrase itself: no numbers, no list of phrases."
    broken = np.flatnonzero(got.array < want.array)
    if not len(broken):
        return None
    return (
        "The first thing that breaks in some sentence: it should be so that "
        f"{FACTS[broken[0]]}."
    )


class _OnlyExercise(Exercise):
    """An exercise whose answer is a construction."""

    @property
    def signature(self) -> str:
        """The call as the chapter writes it."""
        return "only(scene)"

    @property
    def student_inputs(self) -> tuple[str, ...]:
        """The input of one construction."""
        return _INPUTS


EXERCISE = _OnlyExercise(
    name="only",
    inputs=("manner",),
    asked="`only(scene)` returns a Phrase that begins with *only* and has "
    "만 in place of the subject's particle, with any subject and any verb "
    "without an object. *Only* and 만 are linked to each other, and to "
    "nothing else; all other words and links are as in `simple`.",
    praise="All sixty sentences are right: the words, the particle, the "
    "links, and the manner of speaking.",
    cases=tuple(
        Case(words, (manner,)) for manner, words in enumerate(_MANNERS)
    ),
    solve=reference,
    catalogue=MISTAKES,
    properties=(_first_fact,),
    hints=(
        "Begin with `simple`: subject, verb, clause. `clauses.clause` can "
        "replace the particle of the subject. Then there are two more things "
        "to do: the English word, and the links of the particle.",
        "The English word has to be the same object in both lists. In the "
        "Korean list one entry changes, and all others stay.",
    ),
    show_inputs=lambda args: f"twenty scenes, {_MANNERS[args[0]]}",
)
