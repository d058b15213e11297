"""Judge a student's function: the road from the first look to the verdict.

First what can be said without values (`preconditions`), then the reference,
then single mistakes, then several at once (`matching`), then the first of the
`properties` that breaks.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.isolation import one_check
from transformer_lib.course.checks.engine.matching import (
    agree,
    find,
    find_several,
    shown,
)
from transformer_lib.course.checks.engine.preconditions import (
    Precondition,
    after_calling,
    explain_failure,
)
from transformer_lib.course.checks.engine.properties import Probe, first_broken
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    RAISED,
    Answer,
    cut,
)
from transformer_lib.course.checks.engine.submission import Submission
from transformer_lib.course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    RIGHT,
    Example,
    Verdict,
)
from transformer_lib.course.checks.engine.whole_numbers import what_stops

__all__ = ["judge"]


def judge(exercise: Exercise, answer: Any) -> Verdict:
    """Judge a student's answer; never raises.

    Args:
        exercise: what is asked.
        answer: whatever the student handed over, or a `Submission`.

    Returns:
        The verdict.
    """
    try:
        with one_check():
            submission = answer
            if not issubclass(type(answer), Submission):
                submission = Submission(exercise, answer)
            verdict = _Judge(exercise, submission).verdict()
            if exercise.finish is not None:
                verdict = exercise.finish(verdict, submission)
            return verdict
    except Exception as error:
        return exercise.wrong(
            "The check could not make sense of this answer "
            f"({cut(type(error).__name__, 60)}). Return plain numbers, lists, "
            "NumPy arrays or tensors.",
            mistake="not_checkable",
        )


class _Judge:
    """One look at one answer."""

    def __init__(self, exercise: Exercise, submission: Submission):
        self.exercise, self.submission = exercise, submission
        self.seconds = 2 * guard.SECONDS
        self.answers: dict[str, Answer] = {}
        self.wanted = {c.name: exercise.expected(c) for c in exercise.cases}
        self.shown: Case | None = None  # the case that the verdict is about

    def verdict(self) -> Verdict:
        """The verdict, with what the function printed in the shown case."""
        broken = self._broken_precondition()
        if broken is None:
            verdict = self._from_values()
        else:
            verdict = self._from_precondition(broken)
        if self.shown is None:
            return verdict
        printed = self.answers[self.shown.name].printed
        return replace(verdict, printed=printed)

    def call(self, args: tuple) -> Answer:
        """Run the student's answer within what is left of the time."""
        limit = max(min(guard.SECONDS, self.seconds), 0.05)
        answer = self.submission.run(args, limit)
        self.seconds -= answer.seconds
        return answer

    # ------------------------------------------------- before the values

    def _from_precondition(self, broken: Precondition) -> Verdict:
        exercise = self.exercise
        if broken.attempted:
            return exercise.wrong(broken.message, broken.id, hint=broken.hint)
        return Verdict(
            NOT_ATTEMPTED,
            exercise.signature,
            exercise.asked,
            broken.message,
            hints=exercise.hints,
        )

    def _broken_precondition(self) -> Precondition | None:
        broken = self.submission.precondition()
        if broken is not None:
            return broken
        for case in self.exercise.cases:
            self.shown = case
            answer = self.answers[case.name] = self.call(case.args)
            broken = after_calling(answer)
            if broken is not None:
                return broken
        core = [case for case in self.exercise.cases if case.basic]
        talks = [c for c in core if self.answers[c.name].printed]
        self.shown = (talks or core)[0]
        return explain_failure(
            self.submission.does_nothing,
            [self.answers[case.name] for case in core],
        )

    # -------------------------------------------------------- the values

    def _from_values(self) -> Verdict:
        cases = self.exercise.cases
        failing = [case for case in cases if not self._fits(case)]
        changed = self._changed()
        if failing:
            named = self._named(failing, changed)
            return self._unnamed(failing, changed) if named is None else named
        if changed:
            begin = "The values are right, but"
            return self._changing(cases[0], changed, begin)
        self.shown = cases[0]
        return Verdict(
            RIGHT,
            self.exercise.signature,
            self.exercise.asked,
            self.exercise.praise,
        )

    def _fits(self, case: Case) -> bool:
        got, want = self.answers[case.name], self.wanted[case.name]
        if want.kind == RAISED:
            return got.kind == RAISED and want.error in got.groups
        return agree(got, want)

    def _named(self, failing: list[Case], changed: str) -> Verdict | None:
        """The verdict of the first mistake, or pair, that fits."""
        mistake = find(self.exercise, self.answers, failing)
        if mistake is not None:
            case = self._choose(failing, shown(self.exercise, mistake))
            if mistake.fails and self._what_stops(case):
                return None  # this says more than that the case fails
            message = mistake.message.format_map(self._facts(case))
            return self.exercise.wrong(
                message + self._also(changed),
                mistake=mistake.id,
                example=self._example(case),
                hint=mistake.hint,
            )
        several = find_several(self.exercise, self.answers, failing)
        if not several:
            return None
        names = [m.id.replace("_", " ") for m in several]
        count = {2: "Two", 3: "Three"}[len(several)]
        listed = f"{', '.join(names[:-1])}, and {names[-1]}"
        return self.exercise.wrong(
            f"{count} things at once: {listed}. Mend one, run the check "
            "again, and it tells you more about the other"
            + ("s." if len(several) > 2 else ".")
            + self._also(changed),
            mistake="+".join(m.id for m in several),
            example=self._example(self._choose(failing)),
            hint=" ".join(m.hint for m in several),
        )

    def _unnamed(self, failing: list[Case], changed: str) -> Verdict:
        """Name the first property that breaks."""
        if changed:
            stops = [self._what_stops(case) for case in failing]
            begin = "The values are not right yet, and"
            if all(stops):  # the other cases are right
                begin = f"The values are right for decimals. {stops[0]} And"
            return self._changing(failing[0], changed, begin)
        failing = [c for c in failing if c.basic] or failing
        probes = [
            Probe(
                case.args,
                self.answers[case.name],
                self.wanted[case.name],
                self.call,
            )
            for case in failing
        ]
        place, message = first_broken(probes, self.exercise.properties)
        case = failing[place]
        stops = self._what_stops(case)
        return self.exercise.wrong(
            stops or message,
            mistake="whole_numbers" if stops else None,
            example=self._example(case),
        )

    def _changed(self) -> str:
        names = [n for a in self.answers.values() for n in a.changed]
        return names[0] if names else ""

    def _also(self, changed: str) -> str:
        if not changed:
            return ""
        return f" (Your function also changes `{changed}`, its input.)"

    def _what_stops(self, case: Case) -> str:
        got = self.answers[case.name]
        return what_stops(self.exercise, case, got, self.call)

    def _changing(self, case: Case, name: str, begin: str) -> Verdict:
        return self.exercise.wrong(
            f"{begin} your function changes `{name}` while it works: whoever "
            "called it now holds other numbers than before. Work on a copy, "
            "or write each result into a new array.",
            mistake="changes_its_input",
            example=self._example(case),
            hint="Look for `-=`, `/=`, `*=` or an assignment to a part of "
            f"`{name}`. Each of them writes into the caller's own array.",
        )

    def _choose(self, failing: list[Case], name: str = "") -> Case:
        """The case to show: the named one, else one with numbers."""
        numbers = [c for c in failing if self.answers[c.name].kind == ARRAY]
        named = [c for c in numbers or failing if c.name == name]
        return (named or numbers or failing)[0]

    def _facts(self, case: Case) -> dict:
        facts = defaultdict(lambda: "another number")
        got, want = self.answers[case.name], self.wanted[case.name]
        if self.exercise.facts and got.kind == want.kind == ARRAY:
            facts.update(self.exercise.facts(case, want.array, got.array))
        return facts

    def _example(self, case: Case) -> Example:
        self.shown = case
        return Example(
            given=self.exercise.show_inputs(case.args),
            expected=self._in_words(self.wanted[case.name]),
            received=self._in_words(self.answers[case.name]),
        )

    def _in_words(self, answer: Answer) -> str:
        if self.exercise.show_answer is None or answer.kind != ARRAY:
            return answer.text
        return self.exercise.show_answer(answer.array)
