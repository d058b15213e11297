"""Judge a student's function: the road from the first look to the verdict.

First what can be said without values (`trouble`), then the reference, then
single mistakes, then pairs of mistakes (`matching`), then the first law that
breaks.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.isolation import one_check
from transformer_lib.course.checks.engine.laws import Probe, first_broken
from transformer_lib.course.checks.engine.matching import agree, find, find_pair
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    RAISED,
    Answer,
    cut,
)
from transformer_lib.course.checks.engine.trouble import (
    Trouble,
    after_calling,
    before_calling,
    explain_failure,
)
from transformer_lib.course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    RIGHT,
    Example,
    Verdict,
)
from transformer_lib.course.checks.engine.whole_numbers import what_stops

__all__ = ["judge"]


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
        self.shown: Case | None = None  # the case that the verdict is about

    def verdict(self) -> Verdict:
        """The verdict, with what the function printed in the shown case."""
        trouble = self._trouble()
        if trouble is None:
            verdict = self._from_values()
        else:
            verdict = self._from_trouble(trouble)
        if self.shown is None:
            return verdict
        printed = self.answers[self.shown.name].printed
        return replace(verdict, printed=printed)

    def call(self, args: tuple) -> Answer:
        """Call the student's function within what is left of the time."""
        limit = max(min(guard.SECONDS, self.seconds), 0.05)
        names = self.exercise.inputs
        answer = guard.call(self.function, args, names, limit)
        self.seconds -= answer.seconds
        return answer

    # ------------------------------------------------- before the values

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

    def _trouble(self) -> Trouble | None:
        trouble = before_calling(self.function, self.exercise)
        if trouble is not None:
            return trouble
        for case in self.exercise.cases:
            self.shown = case
            answer = self.answers[case.name] = self.call(case.args)
            trouble = after_calling(answer)
            if trouble is not None:
                return trouble
        core = [case for case in self.exercise.cases if case.core]
        talks = [c for c in core if self.answers[c.name].printed]
        self.shown = (talks or core)[0]
        return explain_failure(
            self.function, [self.answers[case.name] for case in core]
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
            case = self._choose(failing, mistake.on)
            message = mistake.message.format_map(self._facts(case))
            return self.exercise.wrong(
                message + self._also(changed),
                mistake=mistake.id,
                example=self._example(case),
                hint=mistake.hint,
            )
        pair = find_pair(self.exercise, self.answers, failing)
        if pair is None:
            return None
        first, second = pair
        return self.exercise.wrong(
            "Two things at once: {}, and {}. Mend one, run the check "
            "again, and it tells you more about the other.".format(
                *(m.id.replace("_", " ") for m in pair)
            )
            + self._also(changed),
            mistake=f"{first.id}+{second.id}",
            example=self._example(self._choose(failing)),
            hint=f"{first.hint} {second.hint}",
        )

    def _unnamed(self, failing: list[Case], changed: str) -> Verdict:
        """Name the first property that breaks."""
        if changed:
            stops = [self._what_stops(case) for case in failing]
            begin = "The values are not right yet, and"
            if all(stops):  # the other cases are right
                begin = f"The values are right for decimals. {stops[0]} And"
            return self._changing(failing[0], changed, begin)
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
        self.shown = case
        return Example(
            given=self.exercise.show_inputs(case.args),
            expected=self.wanted[case.name].text,
            received=self.answers[case.name].text,
        )
