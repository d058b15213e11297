"""The exercise `rms_norm(x, gamma, eps)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import (
    first_difference,
    show_arrays,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "rms_norm"]


def rms_norm(function: Any) -> Verdict:
    r"""Check a function `rms_norm(x, gamma, eps)`.

    $$\gamma \odot \frac{x}{\sqrt{\frac{1}{d} \sum_j x_j^2 + \epsilon}}$$

    Args:
        function: takes x (..., d), gamma (d,) and a number eps, returns
            (..., d). Lists and tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Zhang and Sennrich 2019, equation 4; eps as in torch. Chapter 20.
    """
    return judge(EXERCISE, function)


def solution(x, gamma, eps):
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    root = np.sqrt(mean_square + eps)
    normal = x / root
    return gamma * normal


def centered(x: np.ndarray) -> np.ndarray:
    """Subtract from each vector its mean, as layer norm does."""
    return x - x.mean(axis=-1, keepdims=True)


def _case(name: str, seed: int, *sizes: int, basic: bool = True) -> Case:
    """Random numbers with one decimal."""
    draw = np.random.default_rng(seed)
    x = draw.integers(-30, 51, sizes) / 10
    return Case(name, (x, draw.integers(2, 30, sizes[-1]) / 10, 0.01), basic)


_TINY = np.array([[1e-4, 2e-4], [3e-4, -1e-4], [0.0, 4e-4]])
CASES = (
    Case("one token", (np.array([1.0, 2.0, 6.0]), np.ones(3), 1e-5)),
    _case("tokens", 1, 2, 4),
    _case("square", 2, 3, 3),
    Case("small numbers", (_TINY, np.array([1.0, 2.0]), 1e-3)),
    _case("batch", 4, 2, 3, 4, basic=False),
    _case("square batch", 5, 3, 3, 3, basic=False),
    Case("a zero vector", (np.eye(2, 3), np.ones(3), 1e-5), basic=False),
    Case("whole numbers", (np.array([[1, 2]]), np.array([1, 2]), 0.5), False),
)

MISTAKES = r"""
layer_norm
- x**2
+ centered(x) ** 2
- x / root
+ centered(x) / root
That is layer norm: you subtract the mean first. RMSNorm leaves the mean where
it is: {wanted} is wanted instead of {came}.
? Read the formula once more: is there a minus sign in it?

divided_by_the_deviation
- x**2
+ centered(x) ** 2
You divide by the standard deviation, which is measured from the mean. RMSNorm
measures from 0: the root of the mean of the squares themselves.
? What do you square, x or its distance from the mean?

mean_subtracted_above
- x / root
+ centered(x) / root
You subtract the mean above the line. RMSNorm subtracts nothing: {wanted} is
wanted instead of {came}.
? Read the formula once more: is there a minus sign in it?

root_forgotten
- np.sqrt(mean_square + eps)
+ mean_square + eps
You divide by the mean square itself; its root is wanted.
? A vector that is twice as long must come out the same.

mean_in_place_of_the_mean_square
- x**2
+ x
- np.sqrt(mean_square + eps)
+ mean_square + eps
or
- x**2
+ x
You divide by the mean of the numbers, which may be 0 or negative. Square them
first.
? For 1, 2, 6 the mean of the squares is 41 / 3.

square_of_the_mean
- (x**2).mean(axis=-1, keepdims=True)
+ x.mean(axis=-1, keepdims=True) ** 2
You take the mean first and square it; the numbers are to be squared first. The
mean of 1 and -1 is 0, that of their squares is 1.
? Which comes first, the square or the mean?

divided_by_the_tokens
- (x**2).mean(axis=-1, keepdims=True)
+ (x**2).sum(axis=-1, keepdims=True) / len(x)
You divide by `len(x)`, which for a table is the number of its rows, the tokens.
The mean runs over the d numbers of a token.
? Print `len(x)` and `x.shape[-1]` for a table of 2 tokens with 4 numbers.

sum_in_place_of_mean
- .mean(
+ .sum(
You divide by the length of the vector, the root of the *sum* of its squares.
The root of the *mean* is wanted, so that the numbers keep a size of about 1
however many there are.
? Divide the sum by d before you take the root.

divided_by_d_minus_one
- mean_square + eps
+ x.shape[-1] / (x.shape[-1] - 1) * mean_square + eps
Your mean divides by d - 1. Nothing is estimated here: divide by d.
? How many squares do you add up, and by what do you divide?

over_all_entries
- axis=-1, keepdims=True
+
One divisor for the whole table: the tokens change each other's size. Each
token, a row, has a root mean square of its own.
? Which axis do you name in `mean`? None at all means every entry.

over_the_tokens
- axis=-1
+ axis=0
You average down the columns, over the tokens. The mean square of a token runs
over its own d numbers, the last axis.
? A table of 2 tokens with 4 numbers has 2 mean squares.

axis_lost
- axis=-1, keepdims=True
+ axis=-1
The roots of the tokens lie in a row of their own, so the root of token 2
divides *column* 2. It runs only where there are as many tokens as numbers.
? `keepdims=True` keeps them as a column.

no_eps
- mean_square + eps
+ mean_square
eps is not used: {came} came instead of {wanted}. A vector of zeros would be
divided by 0.
? Add it to the mean square, before the root.

eps_outside_the_root
- np.sqrt(mean_square + eps)
+ np.sqrt(mean_square) + eps
You add eps to the root; the formula adds it to the mean square, before the
root: {wanted} is wanted instead of {came}.
? Below the line: first mean square plus eps, then the root of the sum.

fixed_eps
- + eps
+ + 1e-5
or
- + eps
+ + 1e-6
or
- + eps
+ + 1e-8
@ small numbers
You add a number of your own instead of the input eps.
? Where does the third input appear in your code?

no_gain
- gamma * normal
+ normal
gamma is not used: {came} came instead of {wanted}.
? The last step multiplies by gamma, one number for each feature.

gain_below_the_line
- gamma * normal
+ normal / gamma
You divide by gamma; it multiplies. Is it below the line, beside the root?
? Divide first, in brackets of its own, and multiply by gamma at the end.

gain_added
- gamma * normal
+ gamma + normal
You add gamma; it multiplies. There is no shift in RMSNorm.
? gamma is all ones in the beginning. What must it do to the vector then?

gain_before_the_norm
- x / root
+ x / np.sqrt(((gamma * x) ** 2).mean(axis=-1, keepdims=True) + eps)
You multiply by gamma first and normalize afterwards, so a gain that is the same
for all features has no effect. gamma is the last step.
? Normalize x alone.

one_plus_gain
- gamma * normal
+ (1 + gamma) * normal
You multiply by 1 + gamma. Some models do so, with gammas that begin at 0; asked
is gamma itself.
? gamma is all ones in the beginning. What must it do to the vector then?

multiplied_by_the_root
- x / root
+ x * root
You multiply by the root instead of dividing: large vectors become larger
still.
? The root stands below the line.

returned_the_root
- gamma * normal
+ root
You return the divisors. They are right; what is wanted is x divided by them,
times gamma.
? The result has the shape of x.

one_leading_axis_only
- axis=-1
+ axis=min(1, x.ndim - 1)
@ batch
For a table everything is right. With more axes your mean runs along an axis
counted from the front, and that is another one now.
? Count from the end: the last axis is number -1, however many there are.

only_two_axes
! batch, square batch
With one and two axes everything is right. The exercise also wants more axes
before the last one, such as sentences; each vector is treated on its own.
? Only the last axis may be mentioned.
"""

EXERCISE = Exercise(
    name="rms_norm",
    inputs=("x", "gamma", "eps"),
    asked="`rms_norm(x, gamma, eps)` divides each vector of x, along the last "
    "axis, by the root of its mean square plus eps, and multiplies the result "
    "by gamma.",
    praise="Your results agree with the reference for one vector, for a table "
    "and for a batch, with gain and with large and small eps.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(shape, finite),
    hints=(
        "Three steps: the mean of the squares of each vector, its root with "
        "eps under the root, and a division. gamma comes last.",
        "Take the mean along the last axis and keep that axis, with length 1: "
        "then one division serves any number of axes.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=show_arrays("x", "gamma", "eps"),
)
