"""Numbers worked out on paper: different weights, the same output."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.foreign import safely
from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["SAME", "VALUES", "WEIGHTS", "same_output_by_hand"]

VALUES = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
WEIGHTS = np.array([0.5, 0.3, 0.2])


def same_output_by_hand(value: Any) -> Verdict:
    """Check an output and two other rows of weights that give it, too.

    The weights (0.5, 0.3, 0.2) over the values (1, 0), (0, 1), (1/2, 1/2).

    Args:
        value: eight numbers: the output (two); the weights that give the
            same output without the third value (three); the weights that
            give it with as much of the third value as possible (three).

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Brunner et al. 2020. Chapter 17.
    """
    return judge_paper(SAME, safely(lambda: _flat(value), value))


def _flat(value: Any) -> Any:
    """Two, three and three numbers in brackets of their own are eight."""
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        return value
    if all(isinstance(part, (tuple, list, np.ndarray)) for part in value):
        return [number for part in value for number in part]
    return value


def _moved(third: float) -> np.ndarray:
    """The row with this third weight that has the same output."""
    half = (third - WEIGHTS[2]) / 2
    return np.array([WEIGHTS[0] - half, WEIGHTS[1] - half, third])


def _largest() -> float:
    """Half of what the third gets is taken from each of the others."""
    return float(WEIGHTS[2] + 2 * WEIGHTS[:2].min())


def _want() -> list[float]:
    output = WEIGHTS @ VALUES
    return [*output, *_moved(0.0), *_moved(_largest())]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = np.array(_want())
    output, none, most = right[:2], right[2:5], right[5:]
    dropped = np.array([0.5, 0.3, 0.0])
    pick = [
        ("third_dropped", [*output, *dropped, *most],
         "In the second part you set the third weight to 0 and left the "
         "others. Then the row does not sum to 1, and the output is smaller. "
         "Its 0.2 has to go somewhere."),
        ("third_dropped_and_rescaled", [*output, *dropped / 0.8, *most],
         "In the second part you scaled the row up to the sum 1. That moves "
         "the output to (0.625, 0.375). The third value is half of the first "
         "and half of the second: each gets half of its weight."),
        ("all_to_the_first", [*output, 0.7, 0.3, 0, *most],
         "In the second part all of the third weight went to the first value. "
         "The third value is (1/2, 1/2): half goes to each."),
        ("all_to_the_second", [*output, 0.5, 0.5, 0, *most],
         "In the second part all of the third weight went to the second "
         "value. The third value is (1/2, 1/2): half goes to each."),
        ("third_gets_everything", [*output, *none, 0, 0, 1],
         "With the whole weight on the third value the output is (0.5, 0.5). "
         "The task asks for (0.6, 0.4)."),
        ("below_zero", [*output, *none, *_moved(1.0)],
         "The output is right, but one weight is below 0. Attention weights "
         "never are."),
        ("largest_without_the_sum", [*output, *none, 0.2, 0, 0.6],
         "The last row does not sum to 1. What is taken from the first and "
         "from the second both goes to the third."),
        ("weights_for_output", [0.5, 0.3, *none, *most],
         "The first two numbers are weights. The output is the weighted sum "
         "of the values: the third value adds 0.2 times (1/2, 1/2)."),
        ("third_value_counted_whole", [0.7, 0.5, *none, *most],
         "In the output the third value counts as (1, 1). It is (1/2, 1/2)."),
        ("rows_exchanged", [*output, *most, *none],
         "All numbers are right; the two rows have changed places. First the "
         "one without the third value."),
        ("output_turned", [*output[::-1], *none, *most],
         "The two numbers of the output have changed places. The first comes "
         "from (1, 0) and half of the third value: 0.5 + 0.1."),
        ("percent", 100 * right,
         "You give percentages; weights from 0 to 1 are wanted."),
        ("row_given_back", [*output, *WEIGHTS, *most],
         "The second part gives back the row of the exercise. Its third "
         "weight should be 0."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    for name, row in (("second", got[2:5]), ("third", got[5:])):
        if row.min() < -0.006:
            return (
                f"The {name} part has a weight below 0. Attention weights "
                "never are."
            )
        if abs(row.sum() - 1) > 0.01:
            return f"The weights of the {name} part do not sum to 1."
        if np.abs(row @ VALUES - want[:2]).max() > 0.01:
            x, y = row @ VALUES
            return (
                f"The weights of the {name} part give the output ({x:.3g}, "
                f"{y:.3g}), another one than those of the exercise."
            )
    fits = abs(got - want) <= 0.006
    if fits[:5].all():
        return (
            "The last row has the right output, but its third weight can "
            "still grow: none of the other two is 0."
        )
    return (
        f"{int(fits.sum())} of the 8 are right. The two rows do give one "
        "output; are they the ones asked for?"
        if fits[:2].all()
        else "Begin with the output, the first two numbers."
    )


SAME = Paper(
    name="same_output_by_hand(numbers)",
    asked="The output of the weights (0.5, 0.3, 0.2) over (1, 0), (0, 1), "
    "(1/2, 1/2); the weights with the same output and the third weight 0; "
    "those with the same output and the largest third weight. Eight numbers "
    "such as `(0.1, 0.2, 0.3, 0.4, 0.3, 0.5, 0.2, 0.3)`.",
    count="eight numbers",
    given="weights (0.5, 0.3, 0.2); values (1, 0), (0, 1), (1/2, 1/2)",
    expected="an output (two numbers) and two rows of weights (three each)",
    want=_want,
    misconceptions=_misconceptions,
    praise="All eight are right. From 0 to 0.8, the third weight may be what "
    "it likes: what the layer hands on is the same.",
    hints=(
        "The third value is half of the first plus half of the second. So "
        "0.2 of it is the same as 0.1 of the first and 0.1 of the second.",
        "For the largest third weight go the other way, as far as no weight "
        "falls below 0. Which of the first two reaches 0 first?",
    ),
    look=_look,
    tolerance=0.005,
)
