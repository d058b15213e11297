"""Judge a student's function: the road from the first look to the verdict.

First what can be said without values (`preconditions`), then the reference,
then single mistakes (`matching`), then inputs and values on the way that are
returned (`half_way`), then two mistakes at once, then the first of the
`properties` that breaks; if that is only that the values are wrong, where they
part from the right ones (`steps`, `parting`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.box import cut, one_check
from transformer_course.checks.engine.example import (
    example_of,
    of_one_example,
)
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.foreign import is_class, safely
from transformer_course.checks.engine.half_way import Half, told_of
from transformer_course.checks.engine.matching import (
    agree,
    chosen,
    find,
    find_half,
    find_two,
    fits_everywhere,
    shown,
)
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.parting import arrays_in, parting
from transformer_course.checks.engine.preconditions import (
    Precondition,
    after_calling,
    explain_failure,
    rough_on_the_way,
    too_rough,
)
from transformer_course.checks.engine.properties import (
    Probe,
    first_broken,
    values,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    OUT_OF_TIME,
    RAISED,
    Answer,
)
from transformer_course.checks.engine.submission import (
    RANDOM,
    UNLIKE,
    Submission,
)
from transformer_course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    RIGHT,
    WRONG,
    Example,
    Verdict,
)
from transformer_course.checks.engine.whole_numbers import (
    in_short,
    what_stops,
)

__all__ = ["judge"]

_MOST_HEARD = 3  # cases of one answer


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
                finished = exercise.finish(verdict, submission)
                verdict = of_one_example(verdict, finished)
            if verdict.status != WRONG:
                return verdict
            said = f"{verdict.message} {submission.idle_line()}"
            return replace(verdict, message=said.rstrip())
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
        self.seconds, self.calls = 2 * guard.SECONDS, 0
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
        self.calls += 1
        if answer.kind == OUT_OF_TIME and limit < guard.SECONDS:
            used = f"{2 * guard.SECONDS - self.seconds:.2g} seconds"
            text = f"used {used} for {self.calls} calls and not ended the last"
            return replace(answer, text=text)
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
            for say in (self._rough, self._named):
                named = say(failing, changed)
                if named is not None:
                    return named
            return self._unnamed(failing, changed)
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
        """The verdict of the first mistake, value or pair that fits."""
        mistake = find(self.exercise, self.answers, failing)
        if mistake is not None and fits_everywhere(
            self.exercise, self.answers, mistake
        ):
            return self._mistaken(mistake, failing, changed)
        basic = mistake is None
        half = find_half(self.exercise, self.answers, basic)
        if half is not None:
            return self._half_way(half, failing, changed)
        if mistake is not None:
            return self._mistaken(mistake, failing, changed)
        two = find_two(self.exercise, self.answers, failing)
        if not two:
            return None
        case = self._choose(failing)
        said = [self._briefly(mistake, case) for mistake in two]
        listed = " ".join(f"({n}) {text}" for n, text in enumerate(said, 1))
        return self.exercise.wrong(
            f"Two things at once. {listed} Mend one and run the check "
            f"again.{self._also(changed)}",
            mistake="+".join(m.id for m in two),
            example=self._example(case),
            hint=" ".join(m.hint for m in two),
        )

    def _mistaken(
        self, mistake: Mistake, failing: list[Case], changed: str
    ) -> Verdict | None:
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

    def _half_way(
        self, half: Half, failing: list[Case], changed: str
    ) -> Verdict:
        case = next(c for c in failing if self.exercise.compares_results(c))
        return self.exercise.wrong(
            told_of(half, self.exercise.on_the_way) + self._also(changed),
            mistake="an_input" if half.is_input else "half_way",
            example=self._example(case),
        )

    def _briefly(self, mistake: Mistake, case: Case) -> str:
        """The first sentence of a mistake that is not alone.

        Numbers in it that are others with this mistake alone do not hold for
        the student's, so the sentence ends before them.
        """
        alone = self.exercise.expected(case, **mistake.edits[0])
        now, then = self._facts(case), {}
        if not agree(alone, self.wanted[case.name]):
            then = self.exercise.numbers(case, alone)

        def holds(text: str) -> bool:
            names = re.findall(r"{(\w+)}", text)
            return all(
                name in now and now[name] == then.get(name) for name in names
            )

        whole = re.match(r".*?[.!?](?= |$)|.*", mistake.message)[0]
        ends = [cut.start() for cut in re.finditer(r"[:;,] | \(", whole)]
        for text in (whole, *(whole[:end] + "." for end in reversed(ends))):
            if holds(text) and len(text.split()) > 2:
                return text.format_map(now)
        return mistake.id.replace("_", " ").capitalize() + "."

    def _rough(self, failing: list[Case], changed: str) -> Verdict | None:
        """The verdict on results of too few digits to name a mistake."""
        compares = self.exercise.compares_results
        results = filter(compares, (*failing, *self.exercise.cases))
        for case in results:
            got, want = self.answers[case.name], self.wanted[case.name]
            said = too_rough(got, want)
            if said is not None:
                return self._said(said, case, changed)
        return None

    def _said(self, said: Precondition, case: Case, changed: str) -> Verdict:
        return self.exercise.wrong(
            said.message + self._also(changed),
            mistake=said.id,
            example=self._example(case),
            hint=said.hint,
        )

    def _unnamed(self, failing: list[Case], changed: str) -> Verdict:
        """Name the first property that breaks."""
        if changed:
            return self._changing_and_wrong(failing, changed)
        varies = self._varies(failing)
        if varies is not None:
            return varies
        every = [(self.answers[c.name], self.wanted[c.name]) for c in failing]
        failing = [c for c in failing if c.basic] or failing
        probes = [self._probe(case) for case in failing]
        place, message = first_broken(probes, self.exercise.properties)
        case = failing[place]
        stops = self._what_stops(case)
        if not stops and message == values(probes[place]):
            rough = rough_on_the_way(every)
            if rough is not None:
                return self._said(rough, case, changed)
            parted = self._parting(failing[place:], probes[place:])
            case, message = parted or (case, message)
        return self.exercise.wrong(
            stops or message,
            mistake="whole_numbers" if stops else None,
            example=self._example(case),
        )

    def _probe(self, case: Case) -> Probe:
        return Probe(
            case.args,
            self.answers[case.name],
            self.wanted[case.name],
            self.call,
            self.exercise.compares_results(case),
        )

    def _parting(
        self, failing: list[Case], probes: list[Probe]
    ) -> tuple[Case, str] | None:
        """A case, and where on the way its values part from the right ones.

        A case in which a step can be named is preferred to one of which only
        the result can be told.
        """
        pairs = zip(failing, probes, strict=True)
        heard = [pair for pair in pairs if self._can_be_heard(pair[0])]
        found = []
        for case, probe in heard[:_MOST_HEARD]:
            plain = values(probe)
            said = self._heard(case) if plain else ""
            if said:
                found.append((case, f"{plain} {said}"))
            if "`" in said:
                return found[-1]
        return found[0] if found else None

    def _can_be_heard(self, case: Case) -> bool:
        numbers = self.answers[case.name].kind == ARRAY
        return numbers and self.exercise.compares_results(case)

    def _heard(self, case: Case) -> str:
        """Where the numbers part from the right ones, or ""."""
        exercise, want = self.exercise, self.wanted[case.name]
        theirs = self.submission.steps(
            case.args, max(min(1.0, self.seconds), 0.05)
        )
        if not theirs or want.array is None:
            return ""
        right = Submission(exercise, exercise.variant({}))
        named = zip(exercise.handed_over, case.args, strict=True)
        ours, given = right.steps(case.args, guard.SECONDS), arrays_in(named)
        came = self.answers[case.name].array
        is_module = is_class(exercise.solve.thing)
        return safely(
            lambda: parting(
                ours, theirs, dict(given), want.array, came, is_module
            ),
            "",
        )

    def _changing_and_wrong(self, failing: list[Case], changed: str) -> Verdict:
        begin = "The values are not right yet, and"
        if not all(self._what_stops(case) for case in failing):
            return self._changing(failing[0], changed, begin)
        # right for decimals, and the same line stops for whole numbers
        case = failing[0]
        verdict = self._changing(
            case, changed, "The values are right for decimals, but"
        )
        stops = in_short(self.exercise, case, self.answers[case.name])
        return replace(verdict, message=f"{verdict.message} {stops}")

    def _varies(self, failing: list[Case]) -> Verdict | None:
        """The verdict on numbers that are others in the next call."""
        case = self._choose(failing)
        if self.answers[case.name].kind != ARRAY:
            return None
        kind = self.submission.varies(case.args, max(self.seconds, 1.0))
        if not kind:
            return None
        right = Submission(self.exercise, self.exercise.variant({}))
        if right.varies(case.args, guard.SECONDS):
            return None  # as it should be
        likely = ", for example a layer made inside `forward`, whose weights "
        likely += "are new each time"
        if not isinstance(self.exercise.solve.thing, type):
            likely = ""
        why = {
            RANDOM: f"something random happens in each call{likely}.",
            UNLIKE: "they depend on more than the input, on random numbers or "
            "on what an earlier call has left behind.",
        }[kind]
        example = self._example(case)
        shape = self.answers[case.name].array.shape
        return self.exercise.wrong(
            f"Two calls with the same input give different numbers: {why}",
            mistake="different_each_time",
            example=replace(
                example, received=f"shape {shape}, other numbers in each call"
            ),
            hint="What does your code draw, make or keep while it is called?",
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
        return chosen(failing, self.answers, name)

    def _facts(self, case: Case) -> dict:
        return self.exercise.numbers(case, self.answers[case.name])

    def _example(self, case: Case) -> Example:
        self.shown = case
        want, got = self.wanted[case.name], self.answers[case.name]
        return example_of(self.exercise, case.args, want, got, self.call)
