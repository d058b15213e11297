"""Numbers worked out on paper: the derivatives of chains of small layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["FOUR_FACTORS", "four_factors_by_hand"]

DEPTH, SMALL, LARGE = 4, -0.5, 1.0


def four_factors_by_hand(value: Any) -> Verdict:
    """Check the derivatives of four-layer chains, worked out on paper.

    Each layer has one weight: F(x) = w x. The task asks, for four layers, for
    the derivative without and with the skip for w = -1/2, the same for w = 1,
    and how many of the paths through the net with skips pass exactly two F.

    Args:
        value: five numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: the paths are those of Veit et al., 2016. Chapter 5.
    """
    return judge_paper(FOUR_FACTORS, value)


def _values(
    small: tuple[float, float], large: tuple[float, float], paths: float = 6
) -> list[float]:
    return [*small, *large, paths]


def _both(w: float, depth: int = DEPTH) -> tuple[float, float]:
    return w**depth, (1 + w) ** depth


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    small, large = _both(SMALL), _both(LARGE)
    pick = [
        ("minus_kept", _values((-small[0], small[1]), large),
         "The product of four negative factors is positive. The others are "
         "right."),
        ("minus_kept_twice", _values((-small[0], -small[1]), large),
         "Both derivatives for w = -1/2 are positive: four factors of -1/2 "
         "make a positive product, and 1 + w is 1/2. The others are right."),
        ("minus_lost", _values((small[0], 1.5**DEPTH), large),
         "With the skip and w = -1/2 the factor is 1 - 1/2. You took "
         "1 + 1/2."),
        ("one_skip_only", _values((small[0], 1 + small[0]),
                                  (large[0], 1 + large[0])),
         "You added 1 once, at the end. Each layer has a skip, so each "
         "factor is 1 + w."),
        ("factors_added", _values((DEPTH * SMALL, DEPTH * (1 + SMALL)),
                                  (DEPTH * LARGE, DEPTH * (1 + LARGE))),
         "Effects in a chain are multiplied, not added (chapter 0)."),
        ("one_layer_only", _values((SMALL, 1 + SMALL), (LARGE, 1 + LARGE)),
         "Those are the factors of one layer. There are four, and they are "
         "multiplied."),
        ("three_layers", _values(_both(SMALL, 3), _both(LARGE, 3), 3),
         "You took three layers. There are four."),
        ("five_layers", _values(_both(SMALL, 5), _both(LARGE, 5), 10),
         "You took five layers. There are four."),
        ("exchanged", _values(small, large[::-1]),
         "For w = 1 the two stand in the wrong order: without the skip the "
         "factor is 1, with it 2."),
        ("all_paths", _values(small, large, 16),
         "The derivatives are right. 16 is the number of all paths; wanted are "
         "those that pass exactly two F and take the skip at the other two "
         "layers."),
        ("pairs_counted_twice", _values(small, large, 12),
         "The derivatives are right. You counted each pair of layers twice: "
         "first layer 1 then 3 is the same path as first 3 then 1."),
        ("neighbors_only", _values(small, large, 3),
         "The derivatives are right. The two layers need not be neighbors: "
         "layers 1 and 4 are a pair, too."),
        ("one_f_counted", _values(small, large, 4),
         "The derivatives are right. 4 is the number of paths through exactly "
         "one F."),
        ("two_counted", _values(small, large, 2),
         "The derivatives are right. The last number is not how many F a path "
         "passes, but how many such paths there are."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


_NAMES = (
    "derivative without the skip for w = -1/2",
    "derivative with the skip for w = -1/2",
    "derivative without the skip for w = 1",
    "derivative with the skip for w = 1",
    "number of paths",
)
_WAYS = (
    "multiply w by itself, once for each layer",
    "the factor of a layer is 1 + w",
    "multiply w by itself, once for each layer",
    "the factor of a layer is 1 + w",
    "write down all pairs of layers, such as 1 and 2",
)


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = [i for i in range(5) if abs(got[i] - want[i]) > 0.002]
    first = wrong[0]
    return (
        f"{5 - len(wrong)} of 5 are right. Look again at the "
        f"{_NAMES[first]}: {_WAYS[first]}."
    )


FOUR_FACTORS = Paper(
    name="four_factors_by_hand(numbers)",
    asked="For four layers: the derivative without and with the skip for "
    "w = -1/2, the same two for w = 1, and the number of paths through "
    "exactly two F. Five numbers, such as `(0.5, 0.25, 3, 9, 7)`.",
    count="five numbers",
    given="four layers, F(x) = w * x; w = -1/2, then w = 1",
    expected="five numbers: two derivatives for w = -1/2, two for w = 1, and a "
    "number of paths",
    want=lambda: _values(_both(SMALL), _both(LARGE)),
    misconceptions=_misconceptions,
    praise="All five are right. The skip moves the safe value of w: "
    "without it the derivative is kept at w = 1, with it at w = 0, and with "
    "w = -1/2 it shrinks in spite of the skip.",
    hints=(
        "The derivative of one layer is w without the skip and 1 + w with it. "
        "Four layers in a chain: multiply.",
        "For the paths, choose the two layers where the path goes through "
        "F: 1 and 2, 1 and 3, and so on. At the others it takes the skip.",
    ),
    look=_look,
)
