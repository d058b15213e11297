"""Numbers worked out on paper: one context vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["AVERAGE", "average_by_hand"]

SHARES = np.array([0.5, 0.25, 0.25])
VECTORS = np.array([[4.0, 0.0], [0.0, 2.0], [2.0, 6.0]])


def average_by_hand(value: Any) -> Verdict:
    """Check a weighted average of three vectors, worked out on paper.

    The vectors (4, 0), (0, 2) and (2, 6) with the weights 1/2, 1/4 and 1/4.

    Args:
        value: two numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 1.
    """
    return judge_paper(AVERAGE, value)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = SHARES @ VECTORS
    mean = VECTORS.mean(axis=0)
    thirds = (
        "That is the plain mean, in which every vector counts a third. "
        "Here the first one counts a half and the others a quarter each."
    )
    again = (
        "You divided by 3 once more. The weights already sum to 1, so the "
        "sum is the average."
    )
    pick = [
        ("plain_mean", mean, thirds),
        ("plain_mean_rounded", mean.round(2), thirds),
        ("sum_not_weighted", VECTORS.sum(axis=0),
         "You added the three vectors as they are. First each of them "
         "is multiplied by its weight."),
        ("quarters_counted", 4 * right,
         "You counted in quarters (2, 1 and 1 of them) and forgot to divide "
         "by 4 at the end."),
        ("divided_once_more", right / 3, again),
        ("divided_once_more_rounded", (right / 3).round(2), again),
        ("largest_only", VECTORS[0],
         "You took the vector with the largest weight. The other two "
         "contribute a quarter each."),
        ("largest_only_shrunk", SHARES[0] * VECTORS[0],
         "That is the part of the first vector alone. The other two "
         "contribute a quarter each."),
        ("half_forgotten", VECTORS[0] + SHARES[1:] @ VECTORS[1:],
         "The first vector is counted in full; its weight is a half."),
        ("weights_backward", SHARES[::-1] @ VECTORS,
         "You gave the half to the last vector; it belongs to the first."),
        ("half_in_the_middle", SHARES[[1, 0, 2]] @ VECTORS,
         "You gave the half to the second vector; it belongs to the first."),
        ("third_with_a_half", np.array([0.5, 0.25, 0.5]) @ VECTORS,
         "You gave a half to the last vector as well. Its weight is a "
         "quarter: the three weights sum to 1."),
        ("last_vector_missing", SHARES[:2] @ VECTORS[:2],
         "The last vector is missing. It contributes a quarter of (2, 6)."),
        ("second_vector_missing", SHARES[[0, 2]] @ VECTORS[[0, 2]],
         "The second vector is missing. It contributes a quarter of (0, 2)."),
        ("first_vector_missing", SHARES[1:] @ VECTORS[1:],
         "The first vector is missing. It contributes half of (4, 0)."),
        ("exchanged", right[::-1],
         "Both numbers are right, but they have changed places: first the "
         "first numbers of the vectors, then the second ones."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    near = abs(got - want) <= 0.002
    if near[0]:
        return (
            "The first number is right. For the second, multiply the second "
            "numbers of the vectors by the same weights and add."
        )
    if near[1]:
        return (
            "The second number is right. For the first, multiply the first "
            "numbers of the vectors by the weights and add."
        )
    low, high = VECTORS.min(axis=0), VECTORS.max(axis=0)
    if (got < low).any() or (got > high).any():
        return (
            "An average stays between the smallest and the largest number: "
            "here between 0 and 4, and between 0 and 6."
        )
    return (
        "Write the three shrunken vectors one below the other first, then add "
        "them column by column."
    )


AVERAGE = Paper(
    name="average_by_hand(c)",
    asked="The average of (4, 0), (0, 2) and (2, 6) with the weights 1/2, "
    "1/4 and 1/4: two numbers, such as `(1.5, 4)`.",
    count="two numbers",
    given="vectors (4, 0), (0, 2), (2, 6) with weights 1/2, 1/4, 1/4",
    expected="two numbers: the first and the second entry of the context "
    "vector",
    want=lambda: SHARES @ VECTORS,
    misconceptions=_misconceptions,
    praise="Both numbers are right. This is the whole arithmetic of "
    "attention; what is left is where the weights come from.",
    hints=(
        "Multiply each vector by its weight: half of the first, a quarter of "
        "the second, a quarter of the third.",
        "Half of (4, 0) is (2, 0). Write the other two shrunken vectors "
        "below it and add, column by column.",
    ),
    look=_look,
)
