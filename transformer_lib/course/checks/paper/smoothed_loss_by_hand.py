"""Worked out on paper: a loss with and without label smoothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["SMOOTHED_LOSS", "smoothed_loss_by_hand"]

P = np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8])
RIGHT, EPS = 1, 0.2


def smoothed_loss_by_hand(value: Any) -> Verdict:
    """Check a smoothed target and two losses, for four classes.

    The model gives 1/2, 1/4, 1/8, 1/8, the second class is right, and the
    smoothing is 0.2, shared by all four classes.

    Args:
        value: three numbers: the target of the right class, the loss without
            smoothing, the loss with smoothing, in nats.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 12.
    """
    return judge_paper(SMOOTHED_LOSS, value)


def _numbers(
    others: float = EPS / 4,
    right: float = 1 - EPS + EPS / 4,
    place: int = RIGHT,
) -> np.ndarray:
    """Target, plain loss and smoothed loss; the defaults are right."""
    q = np.full(4, others)
    q[place] = right
    return np.array([right, -np.log(P[place]), -(q * np.log(P)).sum()])


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    t, plain, smooth = _numbers()
    bits = np.array([1, 1 / np.log(2), 1 / np.log(2)])
    tens = np.array([1, 1 / np.log(10), 1 / np.log(10)])
    pick = [
        ("spread_over_wrong_classes", _numbers(EPS / 3, 1 - EPS),
         "You share 0.2 among the three wrong classes. That is a convention "
         "of public code as well; wanted is the book's, in which all four "
         "classes share, the right one too."),
        ("spread_over_wrong_words", _numbers(EPS / 2, 1 - EPS),
         "You divide 0.2 by two. Here all four classes share it."),
        ("right_class_without_its_share", _numbers(EPS / 4, 1 - EPS),
         "Your target of the right class is 0.8, so the four targets sum to "
         "0.95. It gets its own quarter of the 0.2 as well."),
        ("eps_for_each", _numbers(EPS, 1 - EPS),
         "Each wrong class has the whole 0.2, and the targets sum to 1.4. "
         "All four share it."),
        ("one_sided", _numbers(0.0, 1 - EPS),
         "The right class is lowered and nobody gets what is taken away: the "
         "targets sum to 0.8."),
        ("right_class_stays_1", _numbers(EPS / 4, 1.0),
         "The right class still has 1, so the targets sum to 1.15."),
        ("smoothing_of_the_text", _numbers(0.1 / 4, 0.9 + 0.1 / 4),
         "You took the smoothing of the text, 0.1. Here it is 0.2."),
        ("first_class", _numbers(place=0),
         "You took the first class for the right one. It is the second, to "
         "which the model gives 1/4."),
        ("in_bits", _numbers() * bits,
         "Your losses are in bits. With the natural logarithm, ln 2 = 0.6931, "
         "they come out in nats."),
        ("logarithm_to_base_10", _numbers() * tens,
         "You used the logarithm to base 10. With the natural one, ln 2 = "
         "0.6931, the losses come out in nats."),
        ("all_classes_alike", (t, plain, -np.log(P).mean()),
         "Your smoothed loss weighs all four classes alike. The right one "
         "has by far the largest target."),
        ("only_the_right_class", (t, plain, -t * np.log(P[RIGHT])),
         "Your smoothed loss holds the term of the right class only. All four "
         "classes have a target above 0, so there are four terms."),
        ("wrong_classes_only", (t, plain, smooth + t * np.log(P[RIGHT])),
         "Your smoothed loss leaves out the term of the right class."),
        ("negative", (t, -plain, -smooth),
         "The logarithm of a probability is negative; the loss has a minus "
         "in front of it."),
        ("losses_exchanged", (t, smooth, plain),
         "The two losses have changed places: first without smoothing, then "
         "with it."),
        ("logarithm_of_the_target",
         (t, plain, -(t * np.log(t) + 3 * 0.05 * np.log(0.05))),
         "Your last number is the entropy of the targets, the lowest loss "
         "that any model can reach. The logarithm is that of the model's "
         "probabilities."),
        ("target_and_model_exchanged",
         (t, plain, -(P * np.log([0.05, t, 0.05, 0.05])).sum()),
         "You took the logarithm of the targets and weighed it with the "
         "model's probabilities. It is the other way round."),
        ("no_logarithm", (t, P[RIGHT], t * P[RIGHT] + 0.05 * 0.75),
         "The logarithm is missing: a loss is minus ln of a "
         "probability."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


SMOOTHED_LOSS = Paper(
    name="smoothed_loss_by_hand((target, plain, smoothed))",
    asked="Three numbers: the target of the right class, the loss without "
    "smoothing and the loss with it, in nats, such as `(0.5, 1.0, 1.0)`.",
    count="three numbers",
    given="the model's probabilities 1/2, 1/4, 1/8, 1/8; the second class is "
    "right; smoothing 0.2 over all four; ln 2 is 0.6931",
    expected="three numbers with two or three decimals",
    tolerance=0.005,
    want=_numbers,
    misconceptions=_misconceptions,
    praise="All three are right. Smoothing makes this loss a little larger: "
    "the model's first choice helps it a little, and the two classes with "
    "1/8 cost more.",
    hints=(
        "All probabilities are halves of halves, so every logarithm is a "
        "whole number of ln 2: 1, 2, 3 and 3 of them.",
        "The four targets must sum to 1. Weigh the 1, 2, 3, 3 with them, add "
        "up, and multiply by 0.6931 once, at the end.",
    ),
)
