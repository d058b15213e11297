"""Which of an answer's names hold right numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transformer_course.checks.engine.parting.relations import (
    agree,
    compared,
    factor_of,
    rows,
    same_for_each_row,
    varied,
)
from transformer_course.checks.engine.reading import number
from transformer_course.checks.engine.steps import CALL, NAMED, Step

__all__ = ["MOST_NAMES", "TOLD", "Names", "joined", "listed"]

MOST_NAMES = 4
TOLD = (" does not: ", " times the right ")  # how something differs


class Names:
    """The names of the reference and those of an answer, side by side.

    Args:
        ours: the steps of the reference.
        theirs: those of the answer.
        given: the inputs by name.
    """

    def __init__(
        self,
        ours: Sequence[Step],
        theirs: Sequence[Step],
        given: dict[str, np.ndarray],
    ):
        self.ours, self.theirs, self.given = ours, theirs, given

    def said(self, end: int) -> str:
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
            fits = [n for n, came in theirs.items() if agree(wanted, came)]
            right |= dict.fromkeys(fits)
            after = [] if fits else [*after, name]
        said = []
        if right:
            names = list(right)[-MOST_NAMES:]
            end = "s" if len(names) > 1 or theirs[names[0]].size > 1 else ""
            holds = "hold" if len(names) > 1 else "holds"
            said.append(f"Your {listed(names)} {holds} the right number{end}.")
        said.append(self._wrong_name(ours, theirs, after, bool(right)))
        return joined(*said)

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
                factor = factor_of(ours[name], theirs[name])
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
        return f"Your `{after[0]}` does not: {compared(wanted, came)}"

    def _is_multiple(self, wanted: np.ndarray, came: np.ndarray) -> bool:
        """True for a factor that is no accident and that nothing makes good."""
        several = rows(wanted) > 1 and len(np.unique(wanted.round(6))) > 4
        factor = factor_of(wanted, came)
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
        factor = factor_of(wanted, came)
        if factor is None:
            return same_for_each_row(wanted, came)
        steps = (s.result for s in (*self.ours, *self.theirs))
        arrays = [*self.given.values(), *(x for x in steps if x is not None)]
        lengths = {n for x in arrays for n in (*x.shape, x.size, rows(x)) if n}
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


def _telling(array: np.ndarray | None, old: list[np.ndarray]) -> bool:
    """True for an array that no accident and no input gives."""
    if array is None or not np.isfinite(array).any():
        return False
    if not varied(array):
        return False
    return not any(agree(array, other) for other in old)


def joined(*sentences: str) -> str:
    """The sentences that say something, one after another."""
    return " ".join(sentence for sentence in sentences if sentence)


def listed(names: list[str]) -> str:
    """Names as code, with "and" before the last."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + f" and {quoted[-1]}"
