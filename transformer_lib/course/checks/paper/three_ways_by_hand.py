"""Shares worked out on paper: one row of scores, hidden in three ways."""

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

VOTES = np.array([2.0, 3.0, 4.0, 1.0])  # e to the scores ln 2, ln 3, ln 4, 0


def three_ways_by_hand(value: Any) -> Verdict:
    """Check the share of word 2 when words 3 and 4 are hidden, three ways.

    The scores of word 2 are ln 2, ln 3, ln 4 and 0. Wanted is the share that
    it gives to itself: hidden scores set to minus infinity; hidden scores
    set to 0; hidden weights set to 0 after the softmax.

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
    scores = np.log(VOTES)
    first, second, third = RIGHT
    pick = [
        ("zero_is_no_vote", (first, first, third),
         "Second number: a score of 0 is a vote of e to the power 0, and "
         "that is 1, not 0. Words 3 and 4 vote. The other two are right."),
        ("zeroed_after_and_rescaled", (first, second, first),
         "Third number: after the softmax nothing divides again. The shares "
         "of words 3 and 4 are taken away and given to nobody. The other two "
         "are right."),
        ("all_three_hide", (first, first, first),
         "You took all three ways for one and the same. The first number is "
         "right; ask of the other two which votes stand below the fraction "
         "bar."),
        ("first_two_exchanged", (second, first, third),
         "The first and the second number have changed places. Which of the "
         "two scores has no vote?"),
        ("one_zero_vote_only", (first, 3 / 6, third),
         "Second number: *two* words are hidden, and each votes with 1. The "
         "other two are right."),
        ("word_3_still_seen", (3 / 9, 3 / 10, 3 / 10),
         "Word 2 may look at words 1 and 2. You hid word 4 only: the "
         "triangle is one place too wide."),
        ("itself_hidden", (0, 0, 0),
         "You hid word 2 from itself as well. The mask allows 'up to and "
         "including'."),
        ("share_of_word_1", (2 / 5, 2 / 7, 2 / 10),
         "These are the shares of word 1. Wanted is what word 2 gives to "
         "itself, the second vote of the row."),
        ("shares_of_the_hidden", (0, 2 / 7, 5 / 10),
         "These are the shares of the hidden words. Wanted is the share that "
         "word 2 gives to itself."),
        ("nothing_hidden", (third, third, third),
         "You took the plain softmax three times. Which votes are in the "
         "sum below the fraction bar, each time?"),
        ("order_exchanged", (third, second, first),
         "The three numbers are there, in another order: first minus "
         "infinity, then 0, then after the softmax."),
        ("last_two_exchanged", (first, third, second),
         "The second and the third number have changed places."),
        ("no_exponential",
         (scores[1] / scores[:2].sum(), scores[1] / scores[:2].sum(),
          scores[1] / scores.sum()),
         "You divided the scores. Votes are e to the power of the scores: "
         "2, 3, 4 and 1."),
        ("votes_not_divided", (3, 3, 3),
         "3 is the vote of word 2. Its share is the vote divided by the sum "
         "of all votes that count."),
        ("percent", (60, 300 / 7, 30),
         "These are percentages; give shares between 0 and 1."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


THREE_WAYS = Paper(
    name="three_ways_by_hand(shares)",
    asked="Three shares with three decimals, such as `(0.123, 0.456, 0.789)`: "
    "what word 2 gives to itself when words 3 and 4 are hidden by minus "
    "infinity, by 0, and after the softmax.",
    count="three numbers",
    given="scores of word 2: ln 2, ln 3, ln 4, 0",
    expected="three shares between 0 and 1",
    want=lambda: RIGHT,
    misconceptions=_misconceptions,
    praise="All three are right. Only the first way hides: in the second "
    "the hidden words still vote, and in the third their shares are lost.",
    hints=(
        "Write the four votes: e to the power ln 2 is 2. Then ask for each "
        "way which votes stand below the fraction bar.",
        "The votes are 2, 3, 4 and 1. Minus infinity makes the last two 0, "
        "a score of 0 makes them 1, and after the softmax they have already "
        "been counted as 4 and 1.",
    ),
)
