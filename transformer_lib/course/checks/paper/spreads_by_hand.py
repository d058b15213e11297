"""Numbers worked out on paper: how widely sums of products scatter."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["SPREADS", "spreads_by_hand", "sums_of_products"]


def spreads_by_hand(value: Any) -> Verdict:
    """Check five spreads of sums of products, worked out on paper.

    Queries and keys have d entries, each +1 or -1 with equal chance. Asked
    are the variance of q . k for d = 1; for d = 2; for d = 2 when the
    entries of the query are +2 or -2; the standard deviation for d = 64; and
    that of the scores divided by 8 for d = 64 and a query of +2 or -2.

    Args:
        value: five numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 4.
    """
    return judge_paper(SPREADS, value)


def sums_of_products(d: int, size: float = 1.0) -> np.ndarray:
    """All 2^d sums of d products that are +size or -size each."""
    return np.array([sum(s) for s in product((size, -size), repeat=d)])


def _spreads() -> list[float]:
    one, two = (sums_of_products(d).var() for d in (1, 2))
    double = sums_of_products(2, 2.0).var()
    wide = np.sqrt(64 * one)
    return [one, two, double, wide, np.sqrt(64 * sums_of_products(1, 2).var())
            / 8]  # fmt: skip


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    one, two, double, wide, scaled = _spreads()
    less = [2 * one, 4 / 3 * two, 4 / 3 * double]
    pick = [
        ("standard_deviations", np.sqrt([one, two, double]).tolist()
         + [wide, scaled],
         "The first three are standard deviations. Asked is the variance "
         "there, the mean of the squares; take no root yet."),
        ("variances_all_along", [one, two, double, wide**2, scaled**2],
         "The last two are variances. Asked is the standard deviation "
         "there, the root of the variance."),
        ("last_root_forgotten", [one, two, double, wide, scaled**2],
         "The last number is a variance. Asked is the standard deviation, "
         "its root. The other four are right."),
        ("fourth_root_forgotten", [one, two, double, wide**2, scaled],
         "The fourth number is a variance. Asked is the standard deviation, "
         "its root. The other four are right."),
        ("two_not_squared", [one, two, 2 * two, wide, np.sqrt(2)],
         "Doubling all products doubles their distance from 0, and the "
         "variance is made of squares: it becomes four times as large."),
        ("two_not_squared_at_first", [one, two, 2 * two, wide, scaled],
         "The third number: doubling all products doubles their distance "
         "from 0, and the variance is made of squares, so it becomes four "
         "times as large. The other four are right."),
        ("two_overlooked", [one, two, two, wide, one],
         "In the third and the last question the entries of the query are "
         "+2 or -2. Does that not change the products?"),
        ("two_overlooked_at_the_end", [one, two, double, wide, one],
         "In the last question the entries of the query are +2 or -2. The "
         "other four are right."),
        ("not_divided", [one, two, double, wide, 2 * wide],
         "The last number is the spread before the division by 8, the root "
         "of 64. The other four are right."),
        ("divided_by_64", [one, two, double, wide, wide / 32],
         "For the last number divide by 8, the root of 64, not by 64. The "
         "other four are right."),
        ("mean_of_the_deviations", [0, 0, 0, 0, 0],
         "The mean of the sums is 0, and so is the mean distance with its "
         "sign. For the variance, square each distance first."),
        ("mean_of_the_sizes", [1, 1, 2, wide, scaled],
         "The first three are means of the sizes without their signs. For "
         "the variance, square each sum first, then take the mean."),
        ("one_less", [*less, wide, scaled],
         "You divide the sum of squares by one less than the count. Here "
         "the possible sums are all there are, so divide by their count."),
        ("squares_not_averaged", [2 * one, 4 * two, 4 * double, wide, scaled],
         "You added the squares up. The variance is their mean: divide by "
         "how many sums there are."),
        ("different_sums_only", [one, 8 / 3, 4 * 8 / 3, wide, scaled],
         "You counted each possible sum once. The sum 0 comes about in two "
         "ways, so it counts twice: four cases in all."),
        ("grows_with_the_square", [one, 2 * two, 4 * 2 * two, 64, 16],
         "With d entries the *variance* is d times as large, not the "
         "standard deviation. List the four sums for d = 2 once more."),
    ]  # fmt: skip
    exact = [Misconception(*one) for one in pick]
    return exact + [
        Misconception(one.id, np.round(one.value, digits), one.message)
        for one in exact
        for digits in (2, 1)  # as a pocket calculator gets rounded
        if not np.allclose(one.value, np.round(one.value, digits))
    ]


_NAMES = (
    "variance for d = 1",
    "variance for d = 2",
    "variance for d = 2 with the doubled query",
    "standard deviation for d = 64",
    "standard deviation after the division",
)
_WAYS = (
    "two products are possible, +1 and -1; square each and take the mean",
    "four sums are possible; square each and take the mean",
    "the four sums are twice as large as before; square and take the mean",
    "each of the 64 products adds the same variance; add up, then the root",
    "first the spread of the sum of 64 products of +2 or -2, then divide by 8",
)


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = [i for i in range(5) if abs(got[i] - want[i]) > 0.002]
    right = [_NAMES[i] for i in range(5) if i not in wrong]
    known = f"Right so far: {', '.join(right)}. " if right else ""
    return f"{known}Look again at the {_NAMES[wrong[0]]}: {_WAYS[wrong[0]]}."


SPREADS = Paper(
    name="spreads_by_hand(spreads)",
    asked="Three variances and two standard deviations: five numbers, such "
    "as `(0.5, 1.5, 3, 4, 7)`.",
    count="five numbers",
    given="entries +1 or -1; in the third and the last question the query "
    "has +2 or -2",
    expected="variance for d = 1, for d = 2, for d = 2 with the doubled "
    "query; standard deviation for d = 64, and with the doubled query after "
    "dividing by 8",
    want=_spreads,
    misconceptions=_misconceptions,
    praise="All five are right. Dividing by the root of d takes away what "
    "the number of entries adds, and nothing else: a query twice as large "
    "still has scores twice as large.",
    hints=(
        "Write down all possible sums, each as often as it comes about: two "
        "for d = 1, four for d = 2. Their mean is 0, so the variance is the "
        "mean of their squares.",
        "Variances of independent products add up, so 64 products have 64 "
        "times the variance of one. The standard deviation is the root. "
        "Whatever all sums are multiplied with, the standard deviation is "
        "multiplied with as well.",
    ),
    look=_look,
)
