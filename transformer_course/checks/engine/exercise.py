"""An exercise as data: cases, a reference, and the mistakes people make.

A mistake is known by an edit of the reference: whoever's code gives the same
numbers as the edited reference has made it, however it is written. Answers
are compared, never the source.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from transformer_course.checks.engine import catalogue as texts
from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import (
    Probe,
    Property,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    RAISED,
    Answer,
    read,
)
from transformer_course.checks.engine.verdict import (
    WRONG,
    Example,
    Verdict,
)

__all__ = ["Case", "Exercise"]

Known = tuple[Mistake, ...]
_RESULTS = ("output", "dropped", "encode", "decode", "ids")  # what is asked


@dataclass(frozen=True, eq=False)
class Case:
    """One set of inputs.

    Attributes:
        name: how mistakes refer to the case.
        args: the inputs, plain data.
        basic: False for inputs that only probe a refinement (huge numbers);
            they matter once all basic cases are right.
        refuse: name of the exception that is wanted in place of an answer.
    """

    name: str
    args: tuple
    basic: bool = True
    refuse: str = ""


@dataclass(frozen=True, eq=False)
class Exercise:
    """All that a check knows about one exercise.

    Attributes:
        name: of the function or class that is asked for.
        inputs: names of what it takes.
        asked: what the exercise wants, in one or two sentences.
        praise: said to a right answer.
        cases: the inputs that it is tried on.
        solve: the right answer, a `Reference`.
        properties: what holds for every right answer; the first one that
            breaks is named where no mistake fits.
        hints: what `hint(1)` and `hint(2)` say.
        catalogue: the mistakes, if they do not stand in a text file beside
            the reference, which is read when it is needed.
        made_here: mistakes that the catalogue names by `& id`.
        revise: gives what was read its last form.
        facts: gives the numbers that messages speak of.
        show_inputs: gives a case's inputs in words and numbers.
        show_answer: gives an answer in words, where its numbers stand for
            something else.
        words: gives the answer of a probe in words, or None where its numbers
            are shown.
        play: how to drive an answer that is not simply called with the
            inputs: `play(answer, *args)` returns plain numbers.
        look: says what is wrong with an answer before it is run.
        lines_of: gives the function whose lines a message may show.
        handed_over: names of the inputs of a case, where they are not
            `inputs`.
        written: the call as the chapter writes it, where it is not
            `name(inputs)`.
        finish: the last word on a verdict: `finish(verdict, submission)`.
        example: shows a wrong answer where its numbers say little:
            `example(answer, mistake)`, or None where it cannot.
        refused: functions of `numpy_reference` that solve the exercise; they
            refuse while an answer runs.
        quick: names of basic cases that cost little and that most mistakes
            get wrong; they are tried first, to rule mistakes out.
        most_combined: how many pairs of mistakes a check tries; a number,
            so that a slow machine names what a fast one does.
        on_the_way: what a reader calls the named values of the reference,
            such as "the shifted scores".
        draw: gives one more case of the same form, from a seed; None where
            there is nothing to draw (`one_more`).
    """

    name: str
    inputs: tuple[str, ...]
    asked: str
    praise: str
    cases: tuple[Case, ...]
    solve: Reference
    properties: tuple[Property, ...]
    hints: tuple[str, str]
    catalogue: str | Known | None = None
    made_here: Known = ()
    revise: Callable[[Known], Known] = field(default=lambda known: known)
    facts: Callable[[Case, np.ndarray, np.ndarray], dict] | None = None
    show_inputs: Callable[[tuple], str] = field(default=repr)
    show_answer: Callable[[np.ndarray], str] | None = None
    words: Callable[[Probe], str | None] | None = None
    play: Callable[..., Any] | None = None
    look: Callable[[Any, Exercise], Any] | None = None
    lines_of: Callable[[Any], Any] = field(default=lambda answer: answer)
    handed_over: tuple[str, ...] = ()
    written: str = ""
    finish: Callable[[Verdict, Any], Verdict] | None = None
    example: Callable[[Any, str], Example | None] | None = None
    refused: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    most_combined: int = 1200
    on_the_way: Mapping[str, str] = field(default_factory=dict)
    draw: Callable[[int], Case] | None = None

    def __post_init__(self) -> None:
        if not self.handed_over:
            object.__setattr__(self, "handed_over", self.inputs)

    @property
    def signature(self) -> str:
        """The call as the chapter writes it."""
        return self.written or f"{self.name}({', '.join(self.inputs)})"

    @cached_property
    def quick_first(self) -> tuple[Case, ...]:
        """All cases, the quick ones before the others."""
        named = {case.name: case for case in self.cases}
        quick = {name: named[name] for name in self.quick}
        return tuple((quick | named).values())

    @cached_property
    def mistakes(self) -> Known:
        """All known mistakes; the first that fits is named."""
        known = self.catalogue
        if known is None:
            path = Path(inspect.getfile(self.solve.thing)).with_suffix(".txt")
            known = texts.read(path, self.made_here)
        elif isinstance(known, str):
            known = texts.parse(known, self.made_here)
        return self.revise(known)

    def compares_results(self, case: Case) -> bool:
        """True where an answer's own result is compared.

        Elsewhere a check makes numbers of its own: gradients, names, bits.
        """
        named = dict(zip(self.handed_over, case.args, strict=True))
        return named.get("ask", "output") in _RESULTS

    def expected(self, case: Case, **edits: str) -> Answer:
        """The reference's answer, or a wrong variant's."""
        if case.refuse and not edits:
            wanted = f"a {case.refuse} with a message"
            return Answer(RAISED, text=wanted, error=case.refuse)
        return _computed(self, case, tuple(sorted(edits.items())))

    def variant(self, edits: dict) -> Callable:
        """Return a wrong answer: the reference with these edits.

        Raises:
            LookupError: the edits do not fit the reference, or each other.
        """
        return self.solve.edited(edits)

    def can_be_made(self, edits: dict) -> bool:
        """True unless two of the edits change the same place."""
        try:
            return bool(self.solve.source(edits))
        except LookupError:
            return False

    def numbers(self, case: Case, got: Answer) -> dict:
        """What messages may speak of, for an answer to a case."""
        found = defaultdict(lambda: "another number")
        want = self.expected(case)
        if self.facts and got.kind == want.kind == ARRAY:
            found.update(self.facts(case, want.array, got.array))
        return found

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


@lru_cache(maxsize=50_000)
def _computed(exercise: Exercise, case: Case, edits: tuple) -> Answer:
    """What a variant answers; kept, for it never changes."""
    variant = exercise.variant(dict(edits))
    try:
        with np.errstate(all="ignore"):
            if exercise.play is None:
                answer = read(variant(*case.args))
            else:
                answer = read(exercise.play(variant, *case.args))
    except Exception as error:
        groups = tuple(base.__name__ for base in type(error).__mro__)
        name = type(error).__name__
        return Answer(RAISED, text=name, error=name, groups=groups)
    if answer.array is not None:
        answer.array.setflags(write=False)
    return answer
