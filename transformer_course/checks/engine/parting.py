"""Say where the numbers of an answer part from the right ones.

What was heard of an answer (`steps`) is laid beside what was heard of the
reference. Only facts about numbers are told: what agrees, what does not, and
what it is equal to instead. Where an answer goes another way than the
reference, so that nothing can be laid beside anything, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from transformer_course.checks.engine.reading import apart, number, same
from transformer_course.checks.engine.steps import (
    CALL,
    NAMED,
    SHARED,
    UNUSED,
    Step,
)

__all__ = ["arrays_in", "parting"]

_MOST_NAMES = 4
_TOLD = (" does not: ", " times the right ")  # how something differs


def parting(
    ours: Sequence[Step],
    theirs: Sequence[Step],
    given: dict[str, np.ndarray],
    want: np.ndarray,
    got: np.ndarray,
    is_module: bool = False,
) -> str:
    """Return what can be said of the way to a wrong result, or "".

    Args:
        ours: the steps of the reference.
        theirs: those of the answer.
        given: the inputs of a function by name.
        want: the right result.
        got: the answer's.
        is_module: whether the steps are those of layers, whose weights may
            be used without calling them.
    """
    return _Pair(ours, theirs, given, want, got, is_module).said()


class _Pair:
    """Two ways to a result, side by side."""

    def __init__(
        self,
        ours: Sequence[Step],
        theirs: Sequence[Step],
        given: dict[str, np.ndarray],
        want: np.ndarray,
        got: np.ndarray,
        is_module: bool,
    ):
        self.ours, self.theirs = ours, theirs
        self.want, self.got = want, got
        self.given, self.is_module = given, is_module
        for step in ours:
            if step.kind == CALL and not step.name:
                self.given = {
                    name: x
                    for name, x in zip(step.given, step.inputs, strict=False)
                    if isinstance(x, np.ndarray)
                }

    def said(self) -> str:
        """The sentences."""
        calls = _telling_calls(self.ours)
        if not calls:
            said = self._by_names(len(self.ours))
            if any(words in said for words in _TOLD):
                return said
            return _joined(said, self._of_result())
        theirs = _telling_calls(self.theirs)
        names = {step.name for step in calls}
        for step in self.theirs:
            if step.kind == SHARED and {step.name, *step.given} <= names:
                return (
                    f"`{step.given[0]}` and `{step.name}` are one and the "
                    "same layer."
                )
        if any(_of_another_form(calls, theirs, name) for name in names):
            return ""
        right: list[Step] = []
        left = list(theirs)
        for step in calls:
            found = _best(step, left)
            if found is None:
                return self._missing(step, calls, right)
            left = [other for other in left if other is not found]
            if not _inputs_agree(step, found):
                return self._comes_in(step, found, right)
            if not _agree(step.result, found.result):
                return _joined(
                    _right_so_far(right), self._goes_out(step, found)
                )
            right.append(step)
        return self._at_the_end(right, left, calls)

    # -------------------------------------------------------------- calls

    def _missing(self, step: Step, calls: list[Step], right: list[Step]) -> str:
        name = step.name
        times = sum(other.name == name for other in calls)
        made = sum(s.name == name for s in _telling_calls(self.theirs))
        if made:
            return _joined(
                _right_so_far(right),
                f"`{name}` is called {_times(made)}, where {_times(times)} "
                "is wanted.",
            )
        unused = {s.name for s in self.theirs if s.kind == UNUSED}
        if self.is_module and name not in unused:
            return ""  # its weights are used in another way
        if any(s.kind == CALL and s.name == name for s in self.theirs):
            return ""
        return _joined(_right_so_far(right), f"`{name}` is never called.")

    def _comes_in(self, step: Step, found: Step, right: list[Step]) -> str:
        bad = [
            place
            for place, pair in enumerate(
                zip(step.inputs, found.inputs, strict=False)
            )
            if not _input_agrees(step, place, *pair)
        ]
        place = bad[0]
        name = self._which_call(step)
        what = f"What comes into {name}"
        if _is_mask(step, place):
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
        return _joined(
            _right_so_far(right),
            f"{what} does not agree: {detail}",
            self._by_names(end),
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
        came = _piled_like(step.result, found.result)
        name = self._which_call(step)
        name = name[0].upper() + name[1:]
        if step.result.shape != came.shape:
            detail = (
                f"the shape {came.shape} came, {step.result.shape} is wanted."
            )
        else:
            detail = _compared(step.result, came)
        return f"{name} gets the right numbers and gives others: {detail}"

    def _before(self, found: Step) -> list[Step]:
        place = next(i for i, s in enumerate(self.theirs) if s is found)
        return list(self.theirs[:place])

    def _at_the_end(
        self, right: list[Step], left: list[Step], calls: list[Step]
    ) -> str:
        for step in left:
            known = [other for other in calls if other.name == step.name]
            if known and not any(_inputs_agree(k, step) for k in known):
                made = sum(s.name == step.name for s in self.theirs)
                return (
                    f"`{step.name}` is called {_times(made)}, where "
                    f"{_times(len(known))} is wanted."
                )
        last = right[-1]
        if last.result is not None and _agree(last.result, self.want):
            detail = self._detail(self.want, self.got, list(self.theirs))
            return _joined(
                _right_so_far(right),
                f"The result should be what `{last.name}` gives, and is not: "
                f"{detail}",
            )
        return _joined(
            _right_so_far(right),
            "What is made of that is not right: "
            + self._detail(self.want, self.got, list(self.theirs)),
            self._by_names(len(self.ours)),
        )

    # ------------------------------------------------------------- details

    def _detail(
        self, wanted: np.ndarray, came: np.ndarray, before: list[Step]
    ) -> str:
        came = _piled_like(wanted, came)
        if wanted.shape != came.shape:
            return f"the shape {came.shape} came, {wanted.shape} is wanted."
        equal = self._equal_to(came, before)
        if equal:
            return f"it is equal to {equal}."
        return _compared(wanted, came)

    def _equal_to(self, came: np.ndarray, before: list[Step]) -> str:
        """What an array is equal to: an input, a result, or a sum of two."""
        known = list(self._sources(before))
        for array, words in known:
            if _agree(array, came):
                return words
        for (one, left), (two, right) in combinations(known, 2):
            if one.shape == two.shape and _agree(one + two, came):
                return f"{left} plus {right}"
        return ""

    def _sources(self, before: list[Step]) -> Iterator[tuple[np.ndarray, str]]:
        for name, array in self.given.items():
            if "mask" not in name:
                yield array, f"the input `{name}`"
        for step in _telling_calls(before):
            if step.result is not None:
                yield step.result, f"what `{step.name}` gives"

    # --------------------------------------------------------------- names

    def _by_names(self, end: int) -> str:
        """Say which of the answer's names hold right numbers.

        A name stands for the last array that it is given.

        Args:
            end: how many steps of the reference are looked at.
        """
        ours = self._telling_names(self.ours[:end])
        theirs = {s.name: s.result for s in self.theirs if s.kind == NAMED}
        right: dict[str, None] = {}
        after: list[str] = []  # names of the reference, since the last right
        for name, wanted in ours.items():
            fits = [n for n, came in theirs.items() if _agree(wanted, came)]
            right |= dict.fromkeys(fits)
            after = [] if fits else [*after, name]
        said = []
        if right:
            names = list(right)[-_MOST_NAMES:]
            end = "s" if len(names) > 1 or theirs[names[0]].size > 1 else ""
            holds = "hold" if len(names) > 1 else "holds"
            said.append(f"Your {_listed(names)} {holds} the right number{end}.")
        said.append(self._wrong_name(ours, theirs, after, bool(right)))
        return _joined(*said)

    def _wrong_name(
        self,
        ours: dict[str, np.ndarray],
        theirs: dict[str, np.ndarray],
        after: list[str],
        some_are_right: bool,
    ) -> str:
        """Say which name holds a multiple, or the first other numbers."""
        for name in after:
            if name in theirs and self._is_multiple(ours[name], theirs[name]):
                factor = _factor(ours[name], theirs[name])
                return (
                    f"Here each number in your `{name}` is {number(factor)} "
                    "times the right one."
                )
        has_calls = any(step.kind == CALL for step in self.ours)
        if has_calls or not after or not some_are_right:
            return ""
        wanted, came = ours[after[0]], theirs.get(after[0])
        if came is None or self._made_good(wanted, came):
            return ""
        return f"Your `{after[0]}` does not: {_compared(wanted, came)}"

    def _is_multiple(self, wanted: np.ndarray, came: np.ndarray) -> bool:
        """True for a factor that is no accident and that nothing makes good."""
        several = _rows(wanted) > 1 and len(np.unique(wanted.round(6))) > 4
        factor = _factor(wanted, came)
        return (
            several and factor is not None and not self._made_good(wanted, came)
        )

    def _made_good(self, wanted: np.ndarray, came: np.ndarray) -> bool:
        """True for a difference that a later line may make good.

        Numbers of another sign, or divided by a length or its root, a shift
        or a factor of each row, which a softmax or a norm takes away, another
        shape.
        """
        if wanted.shape != came.shape:
            return True
        factor = _factor(wanted, came)
        if factor is None:
            return _same_for_each_row(wanted, came)
        steps = (s.result for s in (*self.ours, *self.theirs))
        arrays = [*self.given.values(), *(x for x in steps if x is not None)]
        lengths = {n for x in arrays for n in (*x.shape, x.size, _rows(x)) if n}
        powers = {float(n) ** p for n in lengths for p in (1, -1, 0.5, -0.5)}
        return factor < 0 or any(abs(factor - n) < 1e-4 * n for n in powers)

    def _telling_names(self, steps: Sequence[Step]) -> dict[str, np.ndarray]:
        """The arrays that have a name and that no input or call gives."""
        old = [*self.given.values()]
        for step in (*self.ours, *self.theirs):
            if step.kind == CALL:
                old += [x for x in step.inputs if isinstance(x, np.ndarray)]
                old += [step.result] if step.result is not None else []
        last = {s.name: s.result for s in steps if s.kind == NAMED}
        return {
            name: array
            for name, array in last.items()
            if array is not None and _telling(array, old)
        }

    def _of_result(self) -> str:
        """A relation between the results, if there is one."""
        relation = ""
        if self.want.shape == self.got.shape:
            relation = _relation(self.want, self.got)
        return f"In the result of this example, {relation}" if relation else ""


def _telling_calls(steps: Sequence[Step]) -> list[Step]:
    """The calls of layers that change what they get."""
    calls = [
        step
        for step in steps
        if step.kind == CALL
        and step.name
        and step.result is not None
        and any(isinstance(x, np.ndarray) and x.ndim for x in step.inputs)
    ]
    names = {step.name for step in calls}
    idle = {
        name
        for name in names
        if all(
            step.inputs and _agree(step.inputs[0], step.result)
            for step in calls
            if step.name == name
        )
    }
    return [step for step in calls if step.name not in idle]


def _of_another_form(ours: list[Step], theirs: list[Step], name: str) -> bool:
    """True for a layer that is called in pieces, or for several at once."""
    left, right = (
        [step for step in steps if step.name == name]
        for steps in (ours, theirs)
    )
    shapes = [{_shape(step) for step in steps} for steps in (left, right)]
    return len(left) != len(right) > 0 and not shapes[1] <= shapes[0]


def _shape(step: Step) -> tuple | None:
    first = step.inputs[0] if step.inputs else None
    return first.shape if isinstance(first, np.ndarray) else None


def _best(step: Step, left: list[Step]) -> Step | None:
    """The call of the same name that agrees most."""
    same_name = [other for other in left if other.name == step.name]
    fits = [other for other in same_name if _inputs_agree(step, other)]
    gives = [other for other in fits if _agree(step.result, other.result)]
    return (gives or fits or same_name or [None])[0]


def _inputs_agree(one: Step, other: Step) -> bool:
    pairs = zip(one.inputs, other.inputs, strict=False)
    return all(_input_agrees(one, n, *pair) for n, pair in enumerate(pairs))


def _input_agrees(step: Step, place: int, wanted: object, came: object) -> bool:
    if _is_mask(step, place):
        return _masks_agree(wanted, came)
    return _agree(wanted, came)


def _is_mask(step: Step, place: int) -> bool:
    return place < len(step.given) and "mask" in step.given[place]


def _masks_agree(wanted: object, came: object) -> bool:
    """True also where it cannot be told."""
    if wanted is ... or came is ...:
        return True
    if wanted is None or came is None:
        mask = came if wanted is None else wanted
        return mask is None or bool(np.all(mask == 1))
    if not set(np.unique(came)) <= {0.0, 1.0}:
        return True
    try:
        return same(*np.broadcast_arrays(wanted, came))
    except ValueError:
        return True


def _agree(one: object, other: object) -> bool:
    """True for the same vectors, in whatever axes they are piled up."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return same(one, _piled_like(one, other))
    return one is other


def _piled_like(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    may_be = one.size == other.size and one.shape[-1:] == other.shape[-1:]
    return other.reshape(one.shape) if may_be else other


def _telling(array: np.ndarray | None, old: list[np.ndarray]) -> bool:
    """True for an array that no accident and no input gives."""
    if array is None or not np.isfinite(array).any():
        return False
    if not _varied(array):
        return False
    return not any(_agree(array, other) for other in old)


def _varied(array: np.ndarray) -> bool:
    """True for numbers that are no mask, no constant and no count."""
    different = np.unique(np.round(array[np.isfinite(array)], 6))
    whole = np.equal(different, np.round(different)).all()
    if array.size == 1:  # such as 0.1 may be written anywhere
        return bool(len(different)) and not same(array, array.round(3))
    return len(different) > (2 if whole else 1)


def _rows(array: np.ndarray) -> int:
    return array.size // array.shape[-1] if array.size and array.ndim else 0


def _same_for_each_row(wanted: np.ndarray, came: np.ndarray) -> bool:
    """True for one shift, or one factor, of each row of two or more."""
    if wanted.ndim == 0 or wanted.shape[-1] < 2:
        return False
    usual = np.isfinite(wanted) & np.isfinite(came) & (wanted != 0)
    with np.errstate(all="ignore"):
        for change in (came - wanted, came / wanted):
            top = change.max(-1, initial=-np.inf, where=usual)
            low = change.min(-1, initial=np.inf, where=usual)
            if (top - low).max(initial=0) < 1e-6:
                return True
    return False


def _factor(wanted: np.ndarray, came: np.ndarray) -> float | None:
    """What one array is multiplied by to give another one."""
    large = np.isfinite(wanted) & (np.abs(wanted) > 1e-3)
    if wanted.shape != came.shape or large.sum() < 2:
        return None
    factor = float((came[large] / wanted[large]).flat[0])
    fits = abs(factor) > 1e-6 and same(came, factor * wanted)
    return factor if fits else None


def _several(step: Step) -> bool:
    return sum("mask" not in name for name in step.given) > 1


def _all_alike(step: Step, found: Step, bad: list[int]) -> bool:
    """True if one array comes as every input, and each is wrong."""
    places = [n for n in range(len(step.inputs)) if not _is_mask(step, n)]
    alike = all(_agree(found.inputs[0], x) for x in found.inputs[: len(places)])
    return places == [n for n in bad if n in places] and alike


def _right_so_far(right: list[Step]) -> str:
    names = list(dict.fromkeys(step.name for step in right))[-_MOST_NAMES:]
    if not names:
        return ""
    if len(names) == 1:
        return f"`{names[0]}` gets and gives the right numbers."
    return f"{_listed(names)} get and give the right numbers."


def _compared(wanted: np.ndarray, came: np.ndarray) -> str:
    """Say how two arrays differ: in one relation, or where first."""
    relation = _relation(wanted, came)
    if relation:
        return relation
    wrong = ~np.isclose(came, wanted, rtol=1e-5, atol=1e-6, equal_nan=True)
    if not wrong.any():
        return "they differ."
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    one, two = apart(came[place], wanted[place])
    if not place:
        return f"it is {one} instead of {two}."
    return f"the first difference, at {list(place)}, is {one} instead of {two}."


def _relation(wanted: np.ndarray, came: np.ndarray) -> str:
    if wanted.size < 3 or not np.isfinite(wanted).all():
        return ""
    if not _varied(wanted):
        return ""
    if same(came, -wanted):
        return "each number has the other sign."
    factor = _factor(wanted, came)
    if factor is not None:
        return f"each number is {number(factor)} times the wanted one."
    shift = (came - wanted).flat[0]
    if same(came, wanted + shift):
        less, more = ("less", -shift) if shift < 0 else ("more", shift)
        return f"each number is {number(more)} {less} than the wanted one."
    if same(came, np.abs(wanted)):
        return "what should be negative has lost its sign."
    if same(came, np.maximum(wanted, 0)):
        return "what should be negative is 0."
    if wanted.ndim > 1 and same(came, np.swapaxes(wanted, -1, -2)):
        return "rows and columns have changed places."
    for axis in range(wanted.ndim):
        if wanted.shape[axis] > 1 and same(came, np.flip(wanted, axis)):
            return f"axis {axis} runs the other way round."
    several = len(np.unique(wanted.round(6))) > 4
    if several and same(np.sort(came, None), np.sort(wanted, None)):
        return "the numbers are the wanted ones, in another order."
    return ""


def arrays_in(named: Iterable[tuple[str, object]]) -> Iterator:
    """Yield the arrays among these inputs, and those in lists, by name."""
    for name, value in named:
        if isinstance(value, (np.ndarray, float)):
            yield name, np.asarray(value)
        elif isinstance(value, (list, tuple)):
            parts = ((f"{name}[{n}]", part) for n, part in enumerate(value))
            yield from arrays_in(parts)


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + f" and {quoted[-1]}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _nth(place: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth")
    return words[place] if place < len(words) else f"{place + 1}th"
