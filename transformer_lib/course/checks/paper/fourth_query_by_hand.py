"""Numbers worked out on paper: what a fourth query takes home."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.reading import show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["FOURTH_QUERY", "K", "Q", "V", "fourth_query_by_hand"]

Q = np.array([[1.0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 1, 0]])
K = np.array([[2.0, 0, 0, 0], [0, 2, 0, 0], [2, 0, 2, 0]])
V = np.array([[1.0, 0], [0, 1], [1, 1]])
ASKS = np.array([1.0, 0, -1, 3])


def fourth_query_by_hand(value: Any) -> Verdict:
    """Check what the query (1, 0, -1, 3) takes from three keys and values.

    c = softmax(q K^T / 2) V with the keys (2, 0, 0, 0), (0, 2, 0, 0),
    (2, 0, 2, 0) and the values (1, 0), (0, 1), (1, 1).

    Args:
        value: two numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 3.
    """
    return judge_paper(FOURTH_QUERY, value)


def _shares(scores: Any) -> np.ndarray:
    votes = np.exp(np.asarray(scores, dtype=np.float64))
    return votes / votes.sum()


def _takes(q: np.ndarray = ASKS, divisor: float = 2.0) -> np.ndarray:
    return _shares(K @ q / divisor) @ V


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    scores = K @ ASKS
    shares = _shares(scores / 2)
    right = shares @ V
    pick = [
        ("no_scale", _takes(divisor=1),
         "You forgot to divide the scores by the root of d_k. Here d_k = 4, "
         "so each score is halved before it becomes a vote."),
        ("divided_by_d_k", _takes(divisor=4),
         "You divided the scores by d_k = 4. Divide by its root, 2."),
        ("root_of_d_v", _takes(divisor=2**0.5),
         "You divided by the root of 2, the width of the values. The width "
         "of queries and keys counts: d_k = 4."),
        ("root_of_the_number_of_keys", _takes(divisor=3**0.5),
         "You divided by the root of 3, the number of keys. A score is a "
         "sum of d_k = 4 products, so the divisor is the root of 4."),
        ("minus_forgotten", _takes(abs(ASKS)),
         "The third number of the query is -1, not 1. With the third key it "
         "makes 1 * 2 + (-1) * 2."),
        ("first_value_alone", V[0],
         "That is the first value alone. A score of 0 is not a weight of 0: "
         "it still makes one vote, because e to the power 0 is 1. Each value "
         "counts with its weight."),
        ("gave_query_2", _takes(Q[1]),
         "That is the result of the second query, (0, 2, 0, 0). Here "
         "(1, 0, -1, 3) asks."),
        ("third_value_left_out", shares[:2],
         "You gave the weights of values 1 and 2. Value 3 is (1, 1): its "
         "weight counts in both numbers."),
        ("third_key_left_out", _shares(scores[:2] / 2) @ V[:2],
         "Key 3 is missing: its score is 0, and a score of 0 still makes one "
         "vote. Divide by the sum of three votes, and mix three values."),
        ("gave_the_scores", scores,
         "Those are the three scores, and they are right. Halve them, turn "
         "them into weights, then mix the values."),
        ("gave_the_scaled_scores", scores / 2,
         "Those are the three scaled scores, and they are right. Now turn "
         "them into weights, then mix the values."),
        ("gave_the_votes", np.exp(scores / 2),
         "Those are the three votes, and they are right. Divide each by "
         "their sum, then mix the values."),
        ("gave_the_shares", shares,
         "Those are the three weights, and they are right. The last step is "
         "missing: each value times its weight, added up."),
        ("mixed_the_keys", shares @ K,
         "You mixed the keys. The keys only decide on the weights; mix the "
         "values (1, 0), (0, 1), (1, 1)."),
        ("no_softmax", scores @ V,
         "You used the scores themselves as weights. Softmax comes "
         "first: e to the power of each, divided by the sum."),
        ("base_two", 2.0 ** (scores / 2) / sum(2.0 ** (scores / 2)) @ V,
         "You let each point double the vote. Softmax multiplies by "
         "e = 2.718 for each point."),
        ("equal_shares", V.mean(axis=0),
         "You gave each value the weight 1/3, as the first query of the "
         "chapter does. Here (1, 0, -1, 3) asks, and the scores differ."),
        ("values_added", V.sum(axis=0),
         "That is the plain sum of the values. Each has to be multiplied by "
         "its weight first."),
        ("votes_not_divided", np.exp(scores / 2) @ V,
         "You multiplied the values by the votes. Divide each vote by the "
         "sum of the three votes first."),
        ("swapped", right[::-1],
         "Both numbers are right but stand in the wrong order."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick] + _rounded(right, shares)


def _rounded(right: np.ndarray, shares: np.ndarray) -> list[Misconception]:
    message = (
        "The way is right, but you rounded too early or too coarsely. Keep "
        "four decimals while you work and give three at the end."
    )
    coarse = [np.round(right, d) for d in (2, 1)]
    coarse += [np.round(shares, d) @ V for d in (2, 1)]
    near = 1.05 * 0.002
    return [
        Misconception("rounded_too_coarsely", value, message)
        for value in coarse
        if np.any(abs(value - right) > near)
    ]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.002
    if fits.any():
        good, bad = ("first", "second") if fits[0] else ("second", "first")
        return (
            f"Your {good} number is right. Look again at the {bad} one: "
            f"multiply each weight by the {bad} number of its value and add."
        )
    if np.any(got < 0) or np.any(got > 1):
        return (
            "But an average stays between the smallest and the largest "
            "value, here between 0 and 1. Do your three weights sum to 1?"
        )
    return (
        "Both numbers differ from the wanted ones. Check the three scores "
        "first: they are whole numbers and add up to 2."
    )


FOURTH_QUERY = Paper(
    name="fourth_query_by_hand(c)",
    asked="What the query (1, 0, -1, 3) takes from the three values: two "
    "numbers with three decimals, such as `(0.123, 0.456)`.",
    count="two numbers",
    given=show(ASKS, "q = ") + "\n" + show(K, "K = ") + "\n" + show(V, "V = "),
    expected="two numbers: the average of the values with the weights of "
    "this query",
    want=_takes,
    misconceptions=_misconceptions,
    praise="Both numbers are right. Two of the scores are 0, and yet the "
    "values of both keys have some weight.",
    hints=(
        "Begin with the three dot products of the query with the rows of K. "
        "They are whole numbers, and two of them are 0.",
        "Halve the scores. Then e to the power of each (e to the power 0 is "
        "1), each divided by their sum. The first number of the result is "
        "the weight of value 1 plus that of value 3.",
    ),
    look=_look,
)
