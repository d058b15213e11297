"""Properties that a right answer has; the first broken one is named.

A property looks at one answer (a `Probe`) and returns a sentence if the answer
breaks it, else None. Laws are asked in order, from the coarsest (is it a
number at all) to the finest (are the values right).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from transformer_course.checks.engine.reading import (
    ARRAY,
    ELLIPSIS,
    NOTHING,
    RAISED,
    UNREADABLE,
    Answer,
    apart,
    first_unlike,
    number,
    same,
)

__all__ = [
    "Property",
    "Probe",
    "between_zero_and_one",
    "finite",
    "first_broken",
    "readable",
    "refuses",
    "runs",
    "shape",
    "unmoved_by",
    "values",
]


@dataclass(frozen=True)
class Probe:
    """One wrong answer, and a way to ask for more."""

    args: tuple
    got: Answer
    want: Answer
    call: Callable[[tuple], Answer]
    is_result: bool = True


Property = Callable[[Probe], str | None]


def first_broken(
    probes: Sequence[Probe], known: Sequence[Property]
) -> tuple[int, str]:
    """The place of the probe and the sentence of the first broken property."""
    for broken in (readable, runs, refuses, *known, values):
        for place, probe in enumerate(probes):
            sentence = broken(probe)
            if sentence:
                return place, sentence
    return 0, "The answer differs from the wanted one."


def readable(probe: Probe) -> str | None:
    """The answer is made of numbers."""
    kind = probe.got.kind
    if kind in (NOTHING, ELLIPSIS):
        return (
            f"For the input below your function returns {probe.got.text}, "
            "although it returns numbers for other inputs. Does every branch "
            "of the code end in `return`?"
        )
    if kind == UNREADABLE:
        return (
            "Numbers are wanted, but your function returns "
            f"{_end(probe)}{_cause(probe)}"
        )
    return None


def runs(probe: Probe) -> str | None:
    """The function does not stop with an error."""
    got = probe.got
    if got.kind != RAISED or probe.want.kind == RAISED:
        return None
    line = f", in the line `{got.place}`" if got.place else ""
    return f"Your function stops with an error{line}: {_end(probe)}" + _cause(
        probe
    )


def refuses(probe: Probe) -> str | None:
    """Input that makes no sense is refused with the asked error."""
    got, want = probe.got, probe.want
    if want.kind != RAISED:
        return None
    came = "the answer" if got.kind == ARRAY else "the error"
    return (
        f"This input makes no sense and should be refused with a "
        f"{want.error}; your function gives {came} {_end(probe)}"
    )


def shape(probe: Probe) -> str | None:
    """The shape is the wanted one."""
    if not _numbers(probe) or not probe.is_result:
        return None
    if probe.got.array.shape == probe.want.array.shape:
        return None
    return (
        f"The shape is the first thing that breaks: "
        f"{probe.got.array.shape} came, {probe.want.array.shape} is wanted."
    )


_GIVES = {
    "nan": "0 / 0, inf - inf, 0 * inf, the root or the logarithm of a negative "
    "number, and an average of nothing, as over a row that is hidden as a "
    "whole",
    "inf": "a division by 0, and a number too big for the computer, such as "
    "the exponential of 1000",
    "-inf": "the logarithm of 0, a division by 0, and a number too big for "
    "the computer",
}
_SLOPE = (
    " The slope of a root at 0 is infinite, and 0 times that is nan, even "
    "where `torch.where` takes another value."
)


def finite(probe: Probe) -> str | None:
    """No nan and no infinity."""
    if not _numbers(probe) or np.isfinite(probe.got.array).all():
        return None
    array = probe.got.array
    bad = np.argwhere(~np.isfinite(array))
    first = tuple(int(i) for i in bad[0])
    came = number(array[first])
    learns = "gradients" in [x for x in probe.args if isinstance(x, str)]
    what, where = "the answer contains", f", first at {list(first)}"
    if learns:
        what, where = "a gradient of yours is", ""
    elif not first or not probe.is_result:
        where = ""
    if array.size > 1 and np.all(np.isnan(array)):
        what, came, where = "every number of yours is", "nan", ""
    more = _SLOPE if learns and came == "nan" else ""
    return (
        f"The first thing that breaks: {what} {came}{where}. What gives "
        f"{came}: {_GIVES[came]}.{more}"
    )


def between_zero_and_one(probe: Probe) -> str | None:
    """The numbers lie between 0 and 1."""
    if not _numbers(probe):
        return None
    array = probe.got.array
    bad = array[(array < -1e-6) | (array > 1 + 1e-6)]
    if not bad.size:
        return None
    return (
        "The first thing that breaks: each number must lie between 0 and 1, "
        f"and one of yours is {number(bad.flat[0])}."
    )


def values(probe: Probe) -> str | None:
    """The numbers are the wanted ones."""
    if not _numbers(probe):
        return None
    got, want = probe.got.array, probe.want.array
    said = "The form is right, the values are not:"
    if not probe.is_result:
        said = (
            "In this example the check compares not what you return but what "
            "follows from it (see `given`):"
        )
    if got.shape != want.shape:
        few = f"{said} {got.size} numbers came, {want.size} are wanted."
        return shape(probe) or few
    place = first_unlike(probe.want, probe.got)
    if place is None:
        return None
    where = f" at {list(place)}" if place else ""
    came, wanted = apart(got[place], want[place])
    return f"{said} the first difference{where} is {came} instead of {wanted}."


def unmoved_by(
    change: Callable[[tuple], tuple],
    follow: Callable[[np.ndarray, tuple], np.ndarray],
    sentence: str,
) -> Property:
    """A property of two calls: change the inputs, and the answer follows.

    Args:
        change: the inputs of the second call, from those of the first.
        follow: what the first answer must become.
        sentence: what to say if it does not.
    """

    def property_of_two(probe: Probe) -> str | None:
        if not _numbers(probe) or not np.isfinite(probe.got.array).all():
            return None
        second = probe.call(change(probe.args))
        if second.kind != ARRAY:
            return None
        tolerance = 100 * probe.got.tolerance
        if same(second.array, follow(probe.got.array, probe.args), tolerance):
            return None
        return sentence

    return property_of_two


def _numbers(probe: Probe) -> bool:
    return probe.got.kind == probe.want.kind == ARRAY


def _end(probe: Probe) -> str:
    text = probe.got.text
    return text if text.endswith((".", "!", "?")) else text + "."


def _cause(probe: Probe) -> str:
    return f" {probe.got.cause}" if probe.got.cause else ""
