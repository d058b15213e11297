"""Numbers worked out on paper: dot products of positions, d = 4."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EQUAL_PRODUCTS", "equal_products_by_hand"]

PAIRS = ((2, 5), (7, 10), (100, 101), (9, 9))
_DISTANCES = np.array([3.0, 3.0, 1.0, 0.0])
_SUMS = np.array([7.0, 17.0, 201.0, 18.0])


def equal_products_by_hand(value: Any) -> Verdict:
    """Check PE(2)·PE(5), PE(7)·PE(10), PE(100)·PE(101) and PE(9)·PE(9).

    The encoding has d = 4, so its two pairs turn by 1 and by 0.01.

    Args:
        value: four numbers.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    return judge_paper(EQUAL_PRODUCTS, value)


def _products(
    distance: np.ndarray, slow: float = 0.01, turn: float = 1.0
) -> np.ndarray:
    """The sum of two cosines of one distance."""
    return np.cos(turn * distance) + np.cos(turn * slow * distance)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    far = _DISTANCES
    pick = [
        ("sums_not_differences", _products(_SUMS),
         "You added the positions. In the rule for cos(a - b) they are "
         "subtracted: the distances are 3, 3, 1 and 0."),
        ("fast_pair_only", np.cos(far),
         "You used the fast pair only, or multiplied the two cosines. A row "
         "has four numbers, two pairs; both give a cosine, and a dot product "
         "adds."),
        ("slow_pair_only", np.cos(0.01 * far),
         "You used the slow pair only. A row has four numbers, two pairs, "
         "and both give a cosine."),
        ("sines_of_the_distance", np.sin(far) + np.sin(0.01 * far),
         "sin a sin b + cos a cos b is the *cosine* of a - b."),
        ("minus_between_the_pairs", np.cos(far) - np.cos(0.01 * far),
         "The two pairs are added. A minus stands inside the cosine only, "
         "between the positions."),
        ("slow_hand_too_fast", _products(far, slow=0.1),
         "Your slow pair turns by 1/10. For d = 4 the exponent of the second "
         "pair is 2/4, and 10000 to that power is 100."),
        ("base_1000", _products(far, slow=1000**-0.5),
         "Your base is 1000. The book's is 10000, and its root is 100."),
        ("both_hands_alike", 2 * np.cos(far),
         "Both of your pairs turn equally fast. The second one turns by 0.01 "
         "a position."),
        ("degrees", _products(far, turn=np.pi / 180),
         "Your calculator counts in degrees. Angles are in radians here: the "
         "cosine of 3 is near -1."),
        ("mean_not_sum", _products(far) / 2,
         "You took the mean of the two pairs. A dot product is a sum."),
        ("length_not_square",
         [*_products(far)[:3], 2**0.5],
         "Three are right. PE(9)·PE(9) is the *squared* length: each pair "
         "gives cosine squared plus sine squared."),
        ("one_for_itself", [*_products(far)[:3], 1.0],
         "Three are right. In PE(9)·PE(9) each of the *two* pairs gives 1."),
        ("zero_for_itself", [*_products(far)[:3], 0.0],
         "Three are right. In PE(9)·PE(9) the distance is 0, and the cosine "
         "of 0 is 1, in both pairs."),
        ("four_for_itself", [*_products(far)[:3], 4.0],
         "Three are right. In PE(9)·PE(9) each pair gives 1, and there are "
         "two pairs, not four."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    if abs(got[0] - got[1]) > 0.004:
        return (
            "Your first two numbers differ, so what matters to them is not "
            "the distance. How far is it from 2 to 5, and how far from 7 to "
            "10?"
        )
    first = int(np.argmax(abs(got - want) > 0.002))
    one, other = PAIRS[first]
    return (
        f"The first number that differs is PE({one})·PE({other}). Their "
        f"distance is {other - one}: take the cosine of that for the fast "
        "pair, the cosine of a hundredth of it for the slow one, and add."
    )


EQUAL_PRODUCTS = Paper(
    name="equal_products_by_hand(products)",
    asked="PE(2)·PE(5), PE(7)·PE(10), PE(100)·PE(101) and PE(9)·PE(9) for "
    "d = 4: four numbers with three decimals, such as `(0.123, 1, 1, 0)`.",
    count="four numbers",
    given="d = 4, so the pairs turn by 1 and by 0.01 a position",
    expected="four numbers, in the order of the list",
    want=lambda: _products(_DISTANCES),
    misconceptions=_misconceptions,
    praise="The first two agree, for both distances are 3. Only the distance "
    "counts, and you never needed the rows themselves.",
    hints=(
        "Write the dot product of rows a and b as two parts, one a pair. "
        "Each part has the form sin a sin b + cos a cos b.",
        "sin a sin b + cos a cos b = cos(a - b). The fast pair gives the "
        "cosine of the distance, the slow pair that of a hundredth of it.",
    ),
    look=_look,
)
