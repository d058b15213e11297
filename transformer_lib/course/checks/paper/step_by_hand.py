"""Numbers worked out on paper: one step downhill on (wx - y)^2."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["ONE_STEP", "step_by_hand"]

W, X, Y, RATE = 2.0, 3.0, 3.0, 0.05


def step_by_hand(value: Any) -> Verdict:
    """Check one step downhill on the loss (wx - y)^2, worked out on paper.

    With x = 3, y = 3, w = 2 and the learning rate 0.05: the loss, its slope
    2 (wx - y) x, the new w, which is w - 0.05 times the slope, and the loss
    there.

    Args:
        value: four numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 0.
    """
    return judge_paper(ONE_STEP, value)


def _step(slope: float | None = None, move: float | None = None) -> list:
    """Loss, slope, new w, new loss; a wrong slope or move is carried on."""
    error = W * X - Y
    slope = 2 * error * X if slope is None else slope
    new = W - RATE * slope if move is None else W + move
    return [error**2, slope, new, (new * X - Y) ** 2]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    error = W * X - Y
    loss, slope, new, after = _step()
    pick = [
        ("walked_uphill", _step(move=RATE * slope),
         "You went uphill: the new loss is larger than the old one. "
         "Downhill is against the derivative, so subtract."),
        ("x_forgotten", _step(slope=2 * error),
         "In the derivative the last factor x is missing. When w grows by 1, "
         "the error grows by x."),
        ("two_forgotten", _step(slope=error * X),
         "In the derivative the factor 2 is missing, which comes from the "
         "square: the derivative of a square is 2 times what is squared."),
        ("two_and_x_forgotten", _step(slope=error),
         "You took the error itself for the derivative, which is 2 times the "
         "error times x."),
        ("w_in_place_of_x", _step(slope=2 * error * W),
         "The last factor of the derivative is x, not w: w is what we turn, "
         "and x says how much the error follows."),
        ("error_the_other_way_round", _step(slope=-slope),
         "The derivative has the wrong sign. The error is wx - y, guess minus "
         "truth, in this order."),
        ("rate_forgotten", _step(move=-slope),
         "You took the whole derivative as the step. Multiply it by the "
         "learning rate, 0.05, first."),
        ("rate_of_the_chapter", _step(move=-0.1 * slope),
         "You multiplied the derivative by 0.1, the learning rate of the "
         "chapter. Here it is 0.05."),
        ("rate_a_half", _step(move=-0.5 * slope),
         "You multiplied the derivative by 0.5; the learning rate is 0.05."),
        ("rate_a_half_percent", _step(move=-0.005 * slope),
         "You multiplied the derivative by 0.005; the learning rate is "
         "0.05."),
        ("gave_the_step", [loss, slope, RATE * slope, after],
         "The third number is how far you step. The task asks where you "
         "arrive: w minus the step."),
        ("step_without_w", [loss, slope, -RATE * slope,
                            (-RATE * slope * X - Y) ** 2],
         "The third number is the step alone. It starts from w = 2."),
        ("stepped_on_the_loss", _step(move=-RATE * loss),
         "You subtracted a part of the loss. The loss says how bad it is; "
         "where to go is said by the derivative."),
        ("error_not_squared", [error, slope, new, new * X - Y],
         "The first and the last number are errors. The loss is the square "
         "of the error. The other two numbers are right."),
        ("new_error_not_squared", [loss, slope, new, new * X - Y],
         "The last number is the new error; the loss is its square. The "
         "other three are right."),
        ("new_loss_guessed", [loss, slope, new, loss - slope * RATE],
         "The last number is not the old loss minus a step. Put the new w "
         "into (wx - y) squared. The other three are right."),
        ("loss_not_computed_anew", [loss, slope, new, loss],
         "The last number is the loss at the new w; you gave the old one. "
         "The other three are right."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


_NAMES = ("loss", "derivative", "new w", "new loss")
_WAYS = (
    "multiply w by x, subtract y, and square what you get",
    "it is 2 times the error times x, where the error is wx - y",
    "from w subtract the learning rate times the derivative",
    "as for the first number, with your new w",
)


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = [i for i in range(4) if abs(got[i] - want[i]) > 0.002]
    right = [_NAMES[i] for i in range(4) if i not in wrong]
    first = wrong[0]
    known = f"Right so far: {', '.join(right)}. " if right else ""
    return f"{known}Look again at the {_NAMES[first]}: {_WAYS[first]}."


ONE_STEP = Paper(
    name="step_by_hand(step)",
    asked="The loss, its derivative, the new w and the new loss: four numbers, "
    "such as `(1.5, -2, 0.25, 1)`.",
    count="four numbers",
    given="loss = (w * x - y) ** 2, x = 3, y = 3, w = 2, learning rate 0.05",
    expected="four numbers: loss, its derivative, new w, loss at the new w",
    want=_step,
    misconceptions=_misconceptions,
    praise="All four are right. This time the derivative is positive, so w "
    "goes down, and the loss falls to a hundredth.",
    hints=(
        "First the guess wx, then the error wx - y. The loss is the square "
        "of the error, and the derivative is 2 times the error times x.",
        "The guess is too large here, so w has to become smaller. If your "
        "new loss is larger than the old one, look at the sign of your "
        "step.",
    ),
    look=_look,
)
