"""Judge a student's function: the road from the first look to the verdict.

First what can be said without values (`trouble`), then the reference, then
single mistakes, then pairs of mistakes, then the first law that breaks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from transformer_lib.course.checks import guard
from transformer_lib.course.checks.exercise import Case, Exercise, Mistake
from transformer_lib.course.checks.isolation import one_check
from transformer_lib.course.checks.laws import Probe, first_broken
from transformer_lib.course.checks.reading import (
    ARRAY,
    RAISED,
    Answer,
    cut,
    same,
)
from transformer_lib.course.checks.trouble import (
    Trouble,
    after_calling,
    before_calling,
    explain_failure,
)
from transformer_lib.course.checks.verdict import (
    NOT_ATTEMPTED,
    RIGHT,
    Example,
    Verdict,
)

__all__ = ["judge", "pairs"]


def judge(exercise: Exercise, function: Any) -> Verdict:
    """Judge a student's function; never raises.

    Args:
        exercise: what is asked.
        function: whatever the student handed over.

    Returns:
        The verdict.
    """
    try:
        with one_check():
            return _Judge(exercise, function).verdict()
    except Exception as error:
        return exercise.wrong(
            "The check could not make sense of this answer "
            f"({cut(type(error).__name__, 60)}). Return plain numbers, lists, "
            "NumPy arrays or tensors.",
            mistake="not_checkable",
        )


class _Judge:
    """One look at one function."""

    def __init__(self, exercise: Exercise, function: Any):
        self.exercise, self.function = exercise, function
        self.seconds = 2 * guard.SECONDS
        self.answers: dict[str, Answer] = {}
        self.wanted = {c.name: exercise.expected(c) for c in exercise.cases}

    def verdict(self) -> Verdict:
        """The road from the first look to the verdict."""
        trouble = before_calling(self.function, self.exercise)
        if trouble is None:
            for case in self.exercise.cases:
                answer = self.call(case.args)
                self.answers[case.name] = answer
                trouble = after_calling(answer)
                if trouble is not None:
                    break
        if trouble is None:
            core = [c.name for c in self.exercise.cases if c.core]
            trouble = explain_failure(
                self.function, [self.answers[name] for name in core]
            )
        if trouble is not None:
            return self._from_trouble(trouble)
        failing = [c for c in self.exercise.cases if not self._fits(c)]
        changed = self._changed()
        if not failing:
            if not changed:
                return self._right()
            return self._changing(self.exercise.cases[0], changed, "right")
        return self._named(failing, changed) or self._unnamed(failing, changed)

    def call(self, args: tuple) -> Answer:
        """Call the student's function within what is left of the time."""
        limit = max(min(guard.SECONDS, self.seconds), 0.05)
        names = self.exercise.inputs
        answer = guard.call(self.function, args, names, limit)
        self.seconds -= answer.seconds
        return answer

    def _fits(self, case: Case) -> bool:
        got, want = self.answers[case.name], self.wanted[case.name]
        if want.kind == RAISED:
            return got.kind == RAISED and want.error in got.groups
        return _agree(got, want)

    def _named(self, failing: list[Case], changed: str) -> Verdict | None:
        """The verdict of the first mistake, or pair, that fits."""
        core = [self.answers[case.name] for case in failing if case.core]
        if core and all(answer.kind != ARRAY for answer in core):
            return None  # nothing to compare with
        for mistake in self.exercise.mistakes:
            if mistake.sees is not None:
                fits = not core and mistake.sees(self.answers)
            else:
                fits = core and any(map(self._makes, mistake.knobs))
            if fits:
                case = self._shown(failing, mistake.on)
                message = mistake.message.format_map(self._facts(case))
                return self.exercise.wrong(
                    message + self._also(changed),
                    mistake=mistake.id,
                    example=self._example(case),
                    hint=mistake.hint,
                )
        return self._pair(failing, changed) if core else None

    def _pair(self, failing: list[Case], changed: str) -> Verdict | None:
        for first, second, knobs in pairs(self.exercise):
            if self._makes(knobs):
                names = (m.id.replace("_", " ") for m in (first, second))
                return self.exercise.wrong(
                    "Two things at once: {}, and {}. Mend one, run the check "
                    "again, and it tells you more about the other.".format(
                        *names
                    )
                    + self._also(changed),
                    mistake=f"{first.id}+{second.id}",
                    example=self._example(self._shown(failing)),
                    hint=f"{first.hint} {second.hint}",
                )
        return None

    def _makes(self, knobs: dict) -> bool:
        """True if a wrong variant gives the student's answers.

        Where the student's code raises and the variant does not, the case
        says nothing; at least one case must tell the variant from the
        reference.
        """
        telling = 0
        for case in self.exercise.cases:
            if not case.core:
                continue
            got, want = self.answers[case.name], self.wanted[case.name]
            made = self.exercise.expected(case, **knobs)
            if got.kind == RAISED and made.kind == ARRAY:
                continue
            if not _agree(got, made):
                return False
            telling += got.kind == ARRAY and not _agree(made, want)
        return telling > 0

    def _unnamed(self, failing: list[Case], changed: str) -> Verdict:
        """Name the first property that breaks."""
        if changed:
            return self._changing(failing[0], changed, "wrong")
        failing = [c for c in failing if c.core] or failing
        probes = [
            Probe(
                case.args,
                self.answers[case.name],
                self.wanted[case.name],
                self.call,
            )
            for case in failing
        ]
        place, message = first_broken(probes, self.exercise.laws)
        return self.exercise.wrong(
            message, example=self._example(failing[place])
        )

    def _changed(self) -> str:
        names = [n for a in self.answers.values() for n in a.changed]
        return names[0] if names else ""

    def _also(self, changed: str) -> str:
        if not changed:
            return ""
        return f" (Your function also changes `{changed}`, its input.)"

    def _changing(self, case: Case, name: str, values: str) -> Verdict:
        values_are = (
            "The values are right, but your"
            if values == "right"
            else "The values are not right yet, and your"
        )
        return self.exercise.wrong(
            f"{values_are} function changes `{name}` while it works: whoever "
            "called it now holds other numbers than before. Work on a copy, "
            "or write each result into a new array.",
            mistake="changes_its_input",
            example=self._example(case),
            hint="Look for `-=`, `/=`, `*=` or an assignment to a part of "
            f"`{name}`. Each of them writes into the caller's own array.",
        )

    def _shown(self, failing: list[Case], name: str = "") -> Case:
        """The case to show: the named one, else one with numbers."""
        named = [c for c in failing if c.name == name]
        numbers = [c for c in failing if self.answers[c.name].kind == ARRAY]
        return (named or numbers or failing)[0]

    def _facts(self, case: Case) -> dict:
        facts = defaultdict(lambda: "another number")
        got, want = self.answers[case.name], self.wanted[case.name]
        if self.exercise.facts and got.kind == want.kind == ARRAY:
            facts.update(self.exercise.facts(case, want.array, got.array))
        return facts

    def _example(self, case: Case) -> Example:
        return Example(
            given=self.exercise.show_inputs(case.args),
            expected=self.wanted[case.name].text,
            received=self.answers[case.name].text,
        )

    def _right(self) -> Verdict:
        exercise = self.exercise
        return Verdict(
            RIGHT, exercise.signature, exercise.asked, exercise.praise
        )

    def _from_trouble(self, trouble: Trouble) -> Verdict:
        exercise = self.exercise
        if trouble.attempted:
            return exercise.wrong(
                trouble.message, trouble.id, hint=trouble.hint
            )
        return Verdict(
            NOT_ATTEMPTED,
            exercise.signature,
            exercise.asked,
            trouble.message,
            hints=exercise.hints,
        )


def pairs(exercise: Exercise) -> Iterator[tuple[Mistake, Mistake, dict]]:
    """Two mistakes whose knobs can be turned together."""
    single = [m for m in exercise.mistakes if m.knobs]
    for first, second in combinations(single, 2):
        if not first.knobs[0].keys() & second.knobs[0].keys():
            yield first, second, first.knobs[0] | second.knobs[0]


def _agree(left: Answer, right: Answer) -> bool:
    """Same numbers, or errors of the same family."""
    if left.kind == right.kind == ARRAY:
        tolerance = max(left.tolerance, right.tolerance)
        return same(left.array, right.array, tolerance)
    if left.kind == right.kind == RAISED:
        arithmetic = "ArithmeticError"
        return (arithmetic in left.groups) == (arithmetic in right.groups)
    return False
