"""A puzzle on paper: the seven lines of the training loop, in order.

Several orders are right, so an answer is judged by what each line finds when
its turn comes, and not by comparison with one order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.course.checks.engine.paper import Paper, judge_paper
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "broken_rule", "loop_order"]

_BACKWARD, _RATE, _FORWARD, _STEP, _CLIP, _ZERO, _LOSS = range(1, 8)


def loop_order(value: Any) -> Verdict:
    """Check an order of the seven lines of a training loop.

    The lines are 1 backward, 2 set the rate of this step, 3 forward,
    4 optimizer step, 5 clip the gradient, 6 zero_grad, 7 loss. The loop is
    run from its first pass on, with a new model and no gradient yet.

    Args:
        value: the seven numbers in the order in which the lines shall run,
            as a tuple, list, array or tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked in chapter 13.
    """
    return judge_paper(PAPER, value)


def broken_rule(order: tuple[int, ...]) -> str | None:
    """Return the name of the first rule that an order breaks, or None.

    Args:
        order: the numbers from 1 to 7, each once.

    Returns:
        The name of a misconception.
    """
    at = {line: place for place, line in enumerate(order)}
    rules = {
        "loss_before_forward": at[_FORWARD] < at[_LOSS],
        "backward_before_loss": at[_LOSS] < at[_BACKWARD],
        "step_before_backward": at[_BACKWARD] < at[_STEP],
        "clipped_before_backward": at[_BACKWARD] < at[_CLIP],
        "emptied_before_the_step": not (at[_BACKWARD] < at[_ZERO] < at[_STEP]),
        "clipped_after_the_step": at[_CLIP] < at[_STEP],
        "rate_after_the_step": at[_RATE] < at[_STEP],
    }
    return next((name for name, kept in rules.items() if not kept), None)


class _Puzzle(Paper):
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
            return "Write the numbers of the lines, whole numbers from 1 to 7."
        verb = "is" if len(missing) == 1 else "are"
        return (
            f"Each number from 1 to 7 comes once. In yours {named} {verb} "
            "missing."
        )

    def _as_order(self, got: np.ndarray) -> tuple[int, ...] | None:
        """The whole numbers, if they are 1 to 7, each once."""
        if got.shape != (7,) or not np.isfinite(got).all():
            return None
        whole = np.round(got)
        if np.abs(got - whole).max() > self.near:
            return None
        order = tuple(int(line) for line in whole)
        return order if sorted(order) == [*range(1, 8)] else None


PAPER = _Puzzle.read(__file__)
