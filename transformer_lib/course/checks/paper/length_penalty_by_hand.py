"""Numbers worked out on paper: two hypotheses and the length penalty."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["PAIR", "PENALTY", "length_penalty_by_hand"]

PAIR = ((-2.0, 4), (-2.9, 9))  # log-probability, length
_ALPHAS = (0.6, 1.0)


def length_penalty_by_hand(value: Any) -> Verdict:
    """Check the scores of two hypotheses under two length penalties.

    score = log-probability / ((5 + length) / 6) ** alpha for -2.0 (4 tokens)
    and -2.9 (9 tokens), with alpha = 0.6 and with alpha = 1.

    Args:
        value: four numbers: short and long with alpha = 0.6, short and long
            with alpha = 1; they may differ by 0.01 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Wu et al. 2016, section 7, equation 14. Chapter 14.
    """
    return judge_paper(PENALTY, value)


def _scores(
    five: float = 5.0,
    six: float = 6.0,
    more: int = 0,
    alphas: tuple = _ALPHAS,
    turn: int = 1,
    pair: tuple = PAIR,
) -> list[float]:
    """Short and long for each alpha; the defaults are right."""
    return [
        log_p / ((five + length + more) / six) ** (turn * alpha)
        for alpha in alphas
        for log_p, length in pair
    ]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _scores()
    (short, _), (long, _) = PAIR
    swapped = ((short, PAIR[1][1]), (long, PAIR[0][1]))
    lps = [((5 + n) / 6) ** alpha for alpha in _ALPHAS for _, n in PAIR]
    pick = [
        ("the_penalties_alone", lps,
         "Those are the four penalties, and they are right. Now divide the "
         "log-probabilities by them."),
        ("per_word", [short / 4, long / 9] * 2,
         "You divided by the length itself. The penalty has (5 + length) / 6 "
         "in the brackets, and alpha as a power."),
        ("five_forgotten", _scores(five=0.0),
         "The 5 is missing: (5 + length) / 6."),
        ("six_forgotten", _scores(six=1.0),
         "The 6 is missing: (5 + length) / 6. The order of the two is not "
         "changed by it, but the numbers are."),
        ("brackets_moved", [p / (5 + n / 6) ** alpha for alpha in _ALPHAS
                            for p, n in PAIR],
         "You divide the length alone by 6. The whole sum is divided: "
         "(5 + length) / 6."),
        ("power_forgotten", _scores(alphas=(1.0, 1.0)),
         "The last two are right. For the first two raise the fraction to "
         "the power of 0.6."),
        ("alpha_of_the_first_pair", _scores(alphas=(0.6, 0.6)),
         "The first two are right. The last two belong to alpha = 1, and you "
         "took 0.6 again."),
        ("square_root", _scores(alphas=(0.5, 1.0)),
         "The last two are right. For the first two you took the square "
         "root; the power is 0.6, not 0.5."),
        ("alpha_as_a_factor",
         [right[2] / 0.6, right[3] / 0.6, right[2], right[3]],
         "The last two are right. For the first two you multiplied by 0.6; "
         "alpha is a power."),
        ("multiplied", _scores(turn=-1),
         "You multiplied by the penalty. The score is the log-probability "
         "*divided* by it."),
        ("bos_counted", _scores(more=1),
         "Your lengths are 5 and 10. They are 4 and 9; <eos> is counted "
         "already, and <bos> never."),
        ("eos_left_out", _scores(more=-1),
         "Your lengths are 3 and 8. <eos> counts: 4 and 9."),
        ("lengths_exchanged", _scores(pair=swapped),
         "You divided -2.0 by the penalty of 9 tokens and -2.9 by that of 4. "
         "Each log-probability belongs to its own length."),
        ("signs_lost", [-one for one in right],
         "All four are right but for the sign. A log-probability stays "
         "negative."),
        *(("in_another_order", order,
           "All four are right but stand in another order. Wanted: short, "
           "long with alpha = 0.6, then short, long with alpha = 1.")
          for order in [*permutations(right)][1:]),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.01
    names = (
        "the short one with alpha = 0.6",
        "the long one with alpha = 0.6",
        "the short one with alpha = 1",
        "the long one with alpha = 1",
    )
    return (
        f"{int(fits.sum())} of the 4 are right. Look again at "
        f"{names[int(np.argmin(fits))]}."
    )


PENALTY = Paper(
    name="length_penalty_by_hand(numbers)",
    asked="The scores of two hypotheses, -2.0 with 4 tokens and -2.9 with 9 "
    "tokens: short and long with alpha = 0.6, short and long with alpha = 1. "
    "Four numbers such as `(-0.1, -0.2, -0.3, -0.4)`.",
    count="four numbers",
    given="-2.0 with 4 tokens, -2.9 with 9 tokens; divided by "
    "((5 + length) / 6) to the power of alpha",
    expected="log-probability over penalty: short, long, short, long",
    want=_scores,
    misconceptions=_misconceptions,
    praise="All four are right. With alpha = 0.6 the short one wins, with "
    "alpha = 1 the long one: the winner is decided by a number that somebody "
    "chose.",
    hints=(
        "The two fractions are (5 + 4) / 6 and (5 + 9) / 6. With alpha = 1 "
        "divide by them as they are.",
        "1.5 to the power of 0.6 is 1.275, and 2.333 to the power of 0.6 is "
        "1.662.",
    ),
    look=_look,
    tolerance=0.01,
)
