"""A puzzle on paper: the seven lines of the training loop, in order.

Several orders are right, so an answer is judged by what each line finds when
its turn comes, and not by comparison with one order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["LINES", "LOOP", "broken_rule", "loop_order"]

LINES = {
    1: "loss.backward()",
    2: "group['lr'] = rate",
    3: "logits = model(source, target_in)",
    4: "optimizer.step()",
    5: "clip_grad_norm_(model.parameters(), clip)",
    6: "optimizer.zero_grad()",
    7: "loss = total / count",
}
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
    return judge_paper(LOOP, value)


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


def _as_order(got: np.ndarray, near: float = 0.001) -> tuple | None:
    """The whole numbers, if they are 1 to 7, each once."""
    if got.shape != (7,) or not np.isfinite(got).all():
        return None
    whole = np.round(got)
    if np.abs(got - whole).max() > near or sorted(whole) != [*range(1, 8)]:
        return None
    return tuple(int(line) for line in whole)


class _Puzzle(Paper):
    """Two answers agree if they break the same rule, or none."""

    def agrees(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if both are orders and both break the same rule first."""
        mine = _as_order(got)
        other = _as_order(np.asarray(value, dtype=np.float64))
        if other is None:  # the misconception of counting from 0
            return _as_order(got + 1) is not None
        if mine is None:
            return False
        return broken_rule(mine) == broken_rule(other)


def _misconceptions() -> list[Misconception]:
    """For each rule one order that breaks it, and what to say."""
    pick = [
        ("loss_before_forward", [6, 7, 3, 1, 5, 2, 4],
         "The loss (line 7) is computed before the logits exist. In the "
         "first pass Python stops; later the loss would belong to the batch "
         "before."),
        ("backward_before_loss", [6, 3, 1, 7, 5, 2, 4],
         "`backward` (line 1) needs the loss of this batch, and line 7 comes "
         "after it."),
        ("step_before_backward", [6, 3, 7, 2, 5, 4, 1],
         "The step (line 4) comes before `backward` (line 1) has found the "
         "gradient of this batch. In the first pass there is none at all, "
         "and nothing moves."),
        ("clipped_before_backward", [6, 3, 7, 5, 1, 2, 4],
         "Line 5 clips a gradient that `backward` has not computed yet, so "
         "the step uses an unclipped one. No error says so."),
        ("emptied_before_the_step", [3, 7, 1, 6, 5, 2, 4],
         "`zero_grad` (line 6) throws the gradient away after `backward` has "
         "found it and before the step could use it. Nothing is ever "
         "learned, and no error says so."),
        ("clipped_after_the_step", [6, 3, 7, 1, 2, 4, 5],
         "Line 5 clips the gradient when the step has already been made with "
         "the long one. No error says so."),
        ("rate_after_the_step", [6, 3, 7, 1, 5, 4, 2],
         "Line 2 sets the rate of *this* step, and the step has been made "
         "already. Every step walks with the rate of the one before it; the "
         "first with whatever the optimizer was made with."),
        ("counted_from_zero", [5, 2, 6, 0, 4, 1, 3],
         "The lines are numbered from 1 to 7, and there is a 0 in your list. "
         "It seems that you have subtracted 1 from each."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    """What is wrong with numbers that are no order."""
    missing = sorted(set(range(1, 8)) - set(np.round(got).tolist()))
    named = " and ".join(str(number) for number in missing[:2])
    return (
        "Each number from 1 to 7 comes once. In yours "
        f"{named or 'one'} is missing."
    )


LOOP = _Puzzle(
    name="loop_order(order)",
    asked="The seven line numbers in the order in which they run, such as "
    "`[1, 2, 3, 4, 5, 6, 7]` (which is wrong).",
    count="seven numbers",
    given="\n".join(f"{number}  {line}" for number, line in LINES.items()),
    expected="seven numbers, from 1 to 7, each once; several orders are right",
    want=lambda: [6, 3, 7, 1, 5, 2, 4],
    misconceptions=_misconceptions,
    praise="This loop learns. Other orders do as well: the rate may be set "
    "anywhere before the step, and zero_grad may run anywhere but between "
    "backward and the step.",
    hints=(
        "Ask each line what it needs. The loss needs logits, backward needs "
        "the loss, and clip needs what backward has made.",
        "Five of the lines have only one order among themselves: logits, "
        "loss, backward, clip, step. Then find out where zero_grad must not "
        "stand, and where the rate must not.",
    ),
    look=_look,
    tolerance=0.001,
)
