"""Which call on the way gets other inputs, or gives another result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from transformer_course.checks.engine.parting.names import (
    MOST_NAMES,
    Names,
    joined,
    listed,
)
from transformer_course.checks.engine.parting.pairs import (
    best_of,
    input_agrees,
    inputs_agree,
    is_mask,
    of_another_form,
    telling_calls,
)
from transformer_course.checks.engine.parting.relations import (
    agree,
    compared,
    piled_like,
)
from transformer_course.checks.engine.steps import (
    CALL,
    SHARED,
    UNUSED,
    Step,
)

__all__ = ["Calls"]


class Calls:
    """The calls of the reference and those of an answer, side by side.

    Args:
        names: of both, and their steps.
        want: the right result.
        got: the answer's.
        is_module: whether the steps are those of layers.
    """

    def __init__(
        self, names: Names, want: np.ndarray, got: np.ndarray, is_module: bool
    ):
        self.names, self.given = names, names.given
        self.ours, self.theirs = names.ours, names.theirs
        self.want, self.got, self.is_module = want, got, is_module

    def said(self) -> str:
        """The sentences."""
        calls = telling_calls(self.ours)
        theirs = telling_calls(self.theirs)
        names = {step.name for step in calls}
        for step in self.theirs:
            if step.kind == SHARED and {step.name, *step.given} <= names:
                return (
                    f"`{step.given[0]}` and `{step.name}` are one and the "
                    "same layer."
                )
        if any(of_another_form(calls, theirs, name) for name in names):
            return ""
        right: list[Step] = []
        left = list(theirs)
        for step in calls:
            found = best_of(step, left)
            if found is None:
                return self._missing(step, calls, right)
            left = [other for other in left if other is not found]
            if not inputs_agree(step, found):
                return self._comes_in(step, found, right)
            if not agree(step.result, found.result):
                return joined(_right_so_far(right), self._goes_out(step, found))
            right.append(step)
        return self._at_the_end(right, left, calls)

    def _missing(self, step: Step, calls: list[Step], right: list[Step]) -> str:
        name = step.name
        times = sum(other.name == name for other in calls)
        made = sum(s.name == name for s in telling_calls(self.theirs))
        if made:
            return joined(
                _right_so_far(right),
                f"`{name}` is called {_times(made)}, where {_times(times)} "
                "is wanted.",
            )
        unused = {s.name for s in self.theirs if s.kind == UNUSED}
        if self.is_module and name not in unused:
            return ""  # its weights are used in another way
        if any(s.kind == CALL and s.name == name for s in self.theirs):
            return ""
        return joined(_right_so_far(right), f"`{name}` is never called.")

    def _comes_in(self, step: Step, found: Step, right: list[Step]) -> str:
        bad = [
            place
            for place, pair in enumerate(
                zip(step.inputs, found.inputs, strict=False)
            )
            if not input_agrees(step, place, *pair)
        ]
        place = bad[0]
        name = self._which_call(step)
        what = f"What comes into {name}"
        if is_mask(step, place):
            what = f"The mask that comes into {name}"
        elif _several(step) and not _all_alike(step, found, bad):
            name = step.given[place]
            what += f" as its {_nth(place)} input, `{name}`,"
        wanted, came = step.inputs[place], found.inputs[place]
        if came is None or wanted is None:
            came = "None" if came is None else "an array"
            wanted = "None" if wanted is None else "an array"
            detail = f"{came} came, {wanted} is wanted."
        elif came is ...:
            return ""
        else:
            detail = self._detail(wanted, came, self._before(found))
        end = next(n for n, s in enumerate(self.ours) if s is step)
        return joined(
            _right_so_far(right),
            f"{what} does not agree: {detail}",
            self.names.said(end),
        )

    def _which_call(self, step: Step) -> str:
        """The name of a call, and which one it is of several."""
        calls = [s for s in self.ours if s.kind == CALL and s.name == step.name]
        if len(calls) == 1:
            return f"`{step.name}`"
        number = next(n for n, s in enumerate(calls) if s is step)
        return f"the {_nth(number)} call of `{step.name}`"

    def _goes_out(self, step: Step, found: Step) -> str:
        if step.result is None or found.result is None:
            return ""
        came = piled_like(step.result, found.result)
        name = self._which_call(step)
        name = name[0].upper() + name[1:]
        if step.result.shape != came.shape:
            detail = (
                f"the shape {came.shape} came, {step.result.shape} is wanted."
            )
        else:
            detail = compared(step.result, came)
        return f"{name} gets the right numbers and gives others: {detail}"

    def _before(self, found: Step) -> list[Step]:
        place = next(i for i, s in enumerate(self.theirs) if s is found)
        return list(self.theirs[:place])

    def _at_the_end(
        self, right: list[Step], left: list[Step], calls: list[Step]
    ) -> str:
        for step in left:
            known = [other for other in calls if other.name == step.name]
            if known and not any(inputs_agree(k, step) for k in known):
                made = sum(s.name == step.name for s in self.theirs)
                return (
                    f"`{step.name}` is called {_times(made)}, where "
                    f"{_times(len(known))} is wanted."
                )
        last = right[-1]
        if last.result is not None and agree(last.result, self.want):
            detail = self._detail(self.want, self.got, list(self.theirs))
            return joined(
                _right_so_far(right),
                f"The result should be what `{last.name}` gives, and is not: "
                f"{detail}",
            )
        return joined(
            _right_so_far(right),
            "What is made of that is not right: "
            + self._detail(self.want, self.got, list(self.theirs)),
            self.names.said(len(self.ours)),
        )

    def _detail(
        self, wanted: np.ndarray, came: np.ndarray, before: list[Step]
    ) -> str:
        came = piled_like(wanted, came)
        if wanted.shape != came.shape:
            return f"the shape {came.shape} came, {wanted.shape} is wanted."
        equal = self._equal_to(came, before)
        if equal:
            return f"it is equal to {equal}."
        return compared(wanted, came)

    def _equal_to(self, came: np.ndarray, before: list[Step]) -> str:
        """What an array is equal to: an input, a result, or a sum of two."""
        known = list(self._sources(before))
        for array, words in known:
            if agree(array, came):
                return words
        for (one, left), (two, right) in combinations(known, 2):
            if one.shape == two.shape and agree(one + two, came):
                return f"{left} plus {right}"
        return ""

    def _sources(self, before: list[Step]) -> Iterator[tuple[np.ndarray, str]]:
        for name, array in self.given.items():
            if "mask" not in name:
                yield array, f"the input `{name}`"
        for step in telling_calls(before):
            if step.result is not None:
                yield step.result, f"what `{step.name}` gives"


def _several(step: Step) -> bool:
    return sum("mask" not in name for name in step.given) > 1


def _all_alike(step: Step, found: Step, bad: list[int]) -> bool:
    """True if one array comes as every input, and each is wrong."""
    places = [n for n in range(len(step.inputs)) if not is_mask(step, n)]
    alike = all(agree(found.inputs[0], x) for x in found.inputs[: len(places)])
    return places == [n for n in bad if n in places] and alike


def _right_so_far(right: list[Step]) -> str:
    names = list(dict.fromkeys(step.name for step in right))[-MOST_NAMES:]
    if not names:
        return ""
    if len(names) == 1:
        return f"`{names[0]}` gets and gives the right numbers."
    return f"{listed(names)} get and give the right numbers."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _nth(place: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth")
    return words[place] if place < len(words) else f"{place + 1}th"
