"""Weights worked out on paper: one row of scores, hidden in three ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["THREE_WAYS", "three_ways_by_hand"]

POWERS = np.array([2.0, 3.0, 4.0, 1.0])  # e to the scores ln 2, ln 3, ln 4, 0


def three_ways_by_hand(value: Any) -> Verdict:
    """Check a weight of token 2 when tokens 3 and 4 are hidden, three ways.

    The scores of token 2 are ln 2, ln 3, ln 4 and 0. The task asks for the
    attention weight that it gives to itself: hidden scores set to minus
    infinity; hidden scores set to 0; hidden weights set to 0 after the softmax.

    Args:
        value: three numbers, as a tuple, list or array.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 8.
    """
    return judge_paper(THREE_WAYS, value)


RIGHT = (3 / 5, 3 / 7, 3 / 10)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    scores = np.log(POWERS)
    first, second, third = RIGHT
    pick = [
        ("zero_is_no_vote", (first, first, third),
         "Second number: a score of 0 enters the softmax as e to the power "
         "0, and that is 1, not 0. Tokens 3 and 4 still count. The other two "
         "are right."),
        ("zeroed_after_and_rescaled", (first, second, first),
         "Third number: after the softmax nothing divides again. The weights "
         "of tokens 3 and 4 are set to 0 and given to nobody. The other two "
         "are right."),
        ("all_three_hide", (first, first, first),
         "You took all three ways for one and the same. The first number is "
         "right; ask of the other two which numbers stand below the fraction "
         "bar."),
        ("first_two_exchanged", (second, first, third),
         "The first and the second number have changed places. For which of "
         "the two scores is e to the power of it 0?"),
        ("one_zero_vote_only", (first, 3 / 6, third),
         "Second number: *two* tokens are hidden, and each still counts with "
         "1. The other two are right."),
        ("word_3_still_seen", (3 / 9, 3 / 10, 3 / 10),
         "Token 2 may look at tokens 1 and 2. You hid token 4 only: the "
         "triangle is one position too wide."),
        ("itself_hidden", (0, 0, 0),
         "You hid token 2 from itself as well. The mask allows 'up to and "
         "including'."),
        ("share_of_word_1", (2 / 5, 2 / 7, 2 / 10),
         "These are the weights of token 1. The task asks for what token "
         "2 gives to itself, the second weight of the row."),
        ("shares_of_the_hidden", (0, 2 / 7, 5 / 10),
         "These are the weights of the hidden tokens. The task asks for the "
         "weight that token 2 gives to itself."),
        ("nothing_hidden", (third, third, third),
         "You took the plain softmax three times. Which numbers are in the "
         "sum below the fraction bar, each time?"),
        ("order_exchanged", (third, second, first),
         "The three numbers are there, in another order: first minus "
         "infinity, then 0, then after the softmax."),
        ("last_two_exchanged", (first, third, second),
         "The second and the third number have changed places."),
        ("no_exponential",
         (scores[1] / scores[:2].sum(), scores[1] / scores[:2].sum(),
          scores[1] / scores.sum()),
         "You divided the scores. What is divided is e to the power of the "
         "scores: 2, 3, 4 and 1."),
        ("votes_not_divided", (3, 3, 3),
         "3 is e to the power of the score of token 2. Its weight is that, "
         "divided by the sum of all such numbers that count."),
        ("percent", (60, 300 / 7, 30),
         "These are percentages; give weights between 0 and 1."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


THREE_WAYS = Paper(
    name="three_ways_by_hand(weights)",
    asked="Three weights with three decimals, such as `(0.123, 0.456, 0.789)`: "
    "what token 2 gives to itself when tokens 3 and 4 are hidden by minus "
    "infinity, by 0, and after the softmax.",
    count="three numbers",
    given="scores of token 2: ln 2, ln 3, ln 4, 0",
    expected="three weights between 0 and 1",
    want=lambda: RIGHT,
    misconceptions=_misconceptions,
    praise="All three are right. Only the first way hides: in the second "
    "the hidden tokens still get weight, and in the third the weights do not "
    "sum to 1.",
    hints=(
        "Write e to the power of each score: e to the power ln 2 is 2. Then "
        "ask for each way which numbers stand below the fraction bar.",
        "They are 2, 3, 4 and 1. Minus infinity makes the last two 0, "
        "a score of 0 makes them 1, and after the softmax they have already "
        "been counted as 4 and 1.",
    ),
)
