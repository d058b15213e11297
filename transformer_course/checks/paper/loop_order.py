"""A puzzle on paper: the seven lines of the training loop, in order.

Several orders are right, so an answer is judged by what each line finds when
its turn comes, and not by comparison with one order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_course.checks.engine.formula import verb
from transformer_course.checks.engine.paper import Paper

__all__ = ["broken_rule"]

_BACKWARD, _RATE, _FORWARD, _STEP, _CLIP, _ZERO, _LOSS = range(1, 8)
RULES = (  # its name, which lines, whether they run in this order or never do
    ("loss_before_forward", (_FORWARD, _LOSS), True),
    ("backward_before_loss", (_LOSS, _BACKWARD), True),
    ("step_before_backward", (_BACKWARD, _STEP), True),
    ("clipped_before_backward", (_BACKWARD, _CLIP), True),
    ("emptied_before_the_step", (_BACKWARD, _ZERO, _STEP), False),
    ("clipped_after_the_step", (_CLIP, _STEP), True),
    ("rate_after_the_step", (_RATE, _STEP), True),
)
NO_LINES = "Write the numbers of the lines, whole numbers from 1 to 7."
MISSING = "Each number from 1 to 7 comes once. In yours {named} {verb} missing."


def broken_rule(order: tuple[int, ...]) -> str | None:
    """Return the name of the first rule that an order breaks, or None.

    Args:
        order: the numbers from 1 to 7, each once.

    Returns:
        The name of a misconception.
    """
    for name, lines, wanted in RULES:
        places = [order.index(line) for line in lines]
        if (places == sorted(places)) != wanted:
            return name
    return None


class Puzzle(Paper):
    """Two answers agree if they break the same rule, or none."""

    def agrees(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if both are orders and both break the same rule first."""
        mine = self._as_order(got)
        other = self._as_order(np.asarray(value, dtype=np.float64))
        if other is None:  # the misconception of counting from 0
            return self._as_order(got + 1) is not None
        if mine is None:
            return False
        return broken_rule(mine) == broken_rule(other)

    def look(self, got: np.ndarray) -> str:
        """What is wrong with numbers that are no order."""
        missing = sorted(set(range(1, 8)) - set(np.round(got).tolist()))
        named = " and ".join(str(number) for number in missing[:2])
        if not named:
            return NO_LINES
        return MISSING.format(named=named, verb=verb(len(missing)))

    def in_page(self) -> dict[str, Any]:
        """Hand over the rules."""
        return {"rules": RULES, "no_lines": NO_LINES, "missing": MISSING}

    def _as_order(self, got: np.ndarray) -> tuple[int, ...] | None:
        """The whole numbers, if they are 1 to 7, each once."""
        if got.shape != (7,) or not np.isfinite(got).all():
            return None
        whole = np.round(got)
        if np.abs(got - whole).max() > self.near:
            return None
        order = tuple(int(line) for line in whole)
        return order if sorted(order) == [*range(1, 8)] else None


KIND = Puzzle
