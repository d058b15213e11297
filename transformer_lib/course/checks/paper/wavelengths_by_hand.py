"""Numbers worked out on paper: how long the waves of an encoding are."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["WAVELENGTHS", "wavelengths_by_hand"]

_RIGHT = (1.0, 10.0, 100.0, 1000.0)  # 10000 to the power i/4


def wavelengths_by_hand(value: Any) -> Verdict:
    """Check the four wavelengths of an encoding with d = 8.

    In multiples of 2 pi: how many positions it takes until a pair has gone
    round once, divided by 2 pi.

    Args:
        value: four numbers, for the pairs 0 to 3.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    return judge_paper(WAVELENGTHS, value)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    pair = np.arange(4)
    pick = [
        ("speeds_not_lengths", 1 / np.array(_RIGHT),
         "These are the frequencies: how far a pair turns with each position. "
         "The wavelength is how many positions a full turn takes. A slow "
         "pair has a *long* wave."),
        ("exponents_only", pair / 4,
         "These are the exponents 2i/d. Raise 10000 to each of them."),
        ("exponent_doubled", 10000.0 ** (pair / 2),
         "Your exponents are 0, 0.5, 1, 1.5, twice too large: i counts the "
         "*pairs*, 0 to 3, and the exponent is 2i/8. This is what comes out "
         "if i is read as the number of a column."),
        ("exponent_halved", 10000.0 ** (pair / 8),
         "Your exponents are i/8. The formula has 2i/d."),
        ("counted_from_one", 10000.0 ** ((pair + 1) / 4),
         "Your pairs are counted from 1. The first one has i = 0, and "
         "10000 to the power 0 is 1."),
        ("base_1000", 1000.0 ** (pair / 4),
         "The base is 10000, with four zeros; these are the wavelengths for "
         "1000."),
        ("stretched_to_10000", 10000.0 ** (pair / 3),
         "Your last wavelength is 10000. In the formula the last exponent is "
         "6/8 and not 1, whatever the paper's sentence says."),
        ("with_two_pi", 2 * np.pi * np.array(_RIGHT),
         "2 pi is still in your numbers. The exercise asks for multiples of "
         "2 pi: leave the factor out."),
        ("slowest_first", _RIGHT[::-1],
         "The order is turned round: pair 0 is the fastest."),
        ("zero_for_pair_0", (0.0, *_RIGHT[1:]),
         "Three are right. 10000 to the power 0 is 1, not 0."),
        ("slowest_is_10000", (*_RIGHT[:3], 10000.0),
         "Three are right. The last exponent is 6/8 and not 1, whatever the "
         "paper's sentence says."),
        ("multiplied_not_raised", 10000 * pair / 4,
         "You multiplied 10000 by the exponent. Raise it to the power."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    for known in _misconceptions():
        if np.allclose(got, known.value, rtol=0.01, atol=0.002):
            return f"{known.message} (Yours are within 1 % of that.)"
    first = int(np.argmax(abs(got - want) > 0.002))
    return (
        f"The first number that differs is that of pair {first}. Its exponent "
        f"is 2 times {first}, divided by 8; 10000 to that power is the "
        "answer."
    )


WAVELENGTHS = Paper(
    name="wavelengths_by_hand(lengths)",
    asked="The four wavelengths for d = 8, in multiples of 2 pi: four "
    "numbers such as `(1, 2, 3, 4)`, pair 0 first.",
    count="four numbers",
    given="d = 8, base 10000, pairs i = 0, 1, 2, 3",
    expected="four numbers, pair 0 first",
    want=lambda: _RIGHT,
    misconceptions=_misconceptions,
    praise="Each pair is ten times slower than the one before it, like the "
    "digits of a number. The slowest one turns once in about 6,283 "
    "positions.",
    hints=(
        "A pair that turns by w with each position has gone round once after "
        "2 pi / w positions. So the answer is 1 / w.",
        "w is 1 divided by 10000 to the power 2i/d, so 1 / w is that power. "
        "10000 to the power 1/4 is the root of the root of 10000.",
    ),
    look=_look,
)
