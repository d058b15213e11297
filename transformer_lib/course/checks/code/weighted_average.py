"""The exercise `weighted_average` and the wrong answers it knows."""

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
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "weighted_average"]


def weighted_average(function: Any) -> Verdict:
    """Check `weighted_average(weights, values)`: sum_j w_j v_j / sum_j w_j.

    Args:
        function: takes weights, n numbers of at least 0 that need not sum
            to 1, and values, an array of n rows with d numbers each; returns
            the average row, d numbers. Lists and tensors are accepted as
            results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: any course of statistics. Chapter 1.
    """
    return judge(EXERCISE, function)


def solution(weights, values):
    weighted = weights[:, None] * values
    total = weighted.sum(axis=0)
    average = total / weights.sum()
    return average


def _case(name, weights, *rows, basic=True):
    return Case(name, (np.array(weights), np.array(rows)), basic)


# Neither the numbers that the chapter works out nor those of Exercise 1.2.
CASES = (
    _case("votes", [3.0, 1, 2], [1.0, 5], [-2, 0], [4, 3]),
    _case("shares", [0.1, 0.2, 0.3, 0.4], [2.0, 1, 0], [0, 3, 1], [5, 0, -1],
          [1, 1, 4]),
    _case("nearly shares", [0.3, 0.4, 0.31], [2.0, -1], [0, 3], [5, 1]),
    _case("square", [1.0, 5, 1], [2.0, 0, 7], [1, 3, 5], [4, 1, -2]),
    _case("one row", [2.0], [3.0, 1, -2]),
    _case("one number a row", [1.0, 0, 2, 4], [2.0], [9], [6], [3]),
    _case("whole numbers", [1, 2], [1, 2], [2, 5], basic=False),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    weights, values = case.args
    n, d = values.shape
    facts = {"n": n, "d": d, "total": number(weights.sum())}
    facts |= {"came_shape": got.shape, "wanted_shape": want.shape}
    return facts | first_difference(want, got)


def _inside(probe: Probe) -> str | None:
    """An average lies between the smallest and the largest value."""
    values = probe.args[1]
    got = probe.got.array
    if probe.got.kind != ARRAY or got.shape != values.shape[1:]:
        return None
    low, high = values.min(axis=0), values.max(axis=0)
    out = np.flatnonzero((got < low - 1e-4) | (got > high + 1e-4))
    if not len(out):
        return None
    j = int(out[0])
    return (
        "The first thing that breaks: an average stays between the smallest "
        f"and the largest value. Column {j} of the values runs from "
        f"{number(low[j])} to {number(high[j])}, and your number there is "
        f"{number(got[j])}."
    )


MISTAKES = r"""
plain_mean
- weights[:, None] * values
+ values
- weights.sum()
+ len(values)
That is the plain mean: every row counts the same, and the weights are not
used. {came} came instead of {wanted}.
? Where in your code does the weight of row j meet row j?

sum_not_weighted
- weights[:, None] * values
+ values
-  / weights.sum()
+
You return the plain sum of the rows: {came} instead of {wanted}. Either the
weights are not used, or each row meets all the weights, and then they cancel
out.
? Before row j is added, it has to be multiplied by weight j alone.

weights_only_below
- weights[:, None] * values
+ values
You divide by the sum of the weights, which is right, but the rows above are
added up without their weights: {came} instead of {wanted}.
? A row with three votes has to be counted three times.

weights_backward
- weights[:, None]
+ weights[::-1, None]
The first row gets the last weight and the last row the first: {came} instead
of {wanted}.
? Weight j belongs to row j, counted from the same end.

weights_turned_round
- weighted =
+ weights = weights.sum() - weights
+ weighted =
The rows with the smallest weights count most: {came} instead of {wanted}.
? Three votes for a row mean: more of this row.

exponential_of_the_weights
- weighted =
+ weights = np.exp(weights)
+ weighted =
You take the exponential of the weights first. That makes votes out of scores,
which is a story of chapter 2; here the votes are given: {came} instead of
{wanted}.
? Use the weights as they come.

weights_squared
- weighted =
+ weights = weights**2
+ weighted =
or
- weights[:, None]
+ weights[:, None] ** 2
Each weight is used twice, so a row with three votes counts nine times: {came}
instead of {wanted}.
? Find the second place where you multiply by the weight.

largest_only
- return average
+ return values[weights.argmax()]
You return the row with the largest weight and drop the others. An average
mixes: every row counts as much as its weight says. {came} came instead of
{wanted}.
? No comparison of weights is needed, only products and a sum.

weights_added_to_the_values
- *
+ +
or
- *
+ +
- weights.sum()
+ len(values)
You add each weight to its row; it has to be multiplied: {came} instead of
{wanted}.
? Three votes for a row mean three times the row.

not_divided
-  / weights.sum()
+
@ votes
You multiply and add, and stop there. That is right only if the weights sum to
1. Here they sum to {total}, and {came} came instead of {wanted}.
? By what do you have to divide so that twice as many votes for everybody
change nothing?

divided_only_far_from_one
- average = total / weights.sum()
+ far = abs(weights.sum() - 1) > 0.5
+ average = total / weights.sum() if far else total
@ nearly shares
You leave out the division when the sum of the weights is near 1. Here they sum
to {total}, and {came} came instead of {wanted}.
? Divide every time. When the weights do sum to 1, the division changes nothing.

divided_by_the_count
- weights.sum()
+ len(values)
You divide by how many rows there are, {n}, not by the sum of their weights:
{came} instead of {wanted}.
? How many votes were given in all?

divided_by_sum_and_count
- / weights.sum()
+ / weights.sum() / len(values)
You divide twice, by the sum of the weights and by how many rows there are:
{came} instead of {wanted}. Once is enough.
? A mean inside a weighted sum divides too.

normalized_twice
- weights.sum()
+ weights.sum() ** 2
@ votes
You divide by the sum of the weights twice: {came} instead of {wanted}. For
weights that sum to 1 nobody notices; here they sum to {total}.
? Once the weights are divided by their sum, they sum to 1 and nothing is left
to divide.

divided_inside_the_loop
- total = weighted.sum(axis=0)
+ total = 0
+ for row in weighted:
+     total = (total + row) / weights.sum()
-  / weights.sum()
+
or
- total = weighted.sum(axis=0)
+ total = 0
+ for row in weighted:
+     total = (total + row) / len(values)
-  / weights.sum()
+
You divide inside the loop, so the first row is divided again with each row
that follows: {came} instead of {wanted}.
? Add up all the rows first. How far to the right does the line with the
division begin?

divided_by_the_values
- weights.sum()
+ values.sum(axis=0)
or
- weights.sum()
+ values.sum()
You divide by the sum of the values; an average divides by the sum of the
weights: {came} instead of {wanted}.
? How many votes were given in all?

divided_by_the_largest
- weights.sum()
+ weights.max()
You divide by the largest weight. Then the row with the most votes counts in
full and the others are added on top: {came} instead of {wanted}.
? What do all the weights sum to?

divided_by_the_width
- weights.sum()
+ values.shape[1]
You divide by {d}, how many numbers a row has. The number of columns has
nothing to do with the votes: {came} instead of {wanted}.
? How many votes were given in all?

divided_by_a_root
- weights.sum()
+ np.linalg.norm(weights)
or
- weights.sum()
+ weights.sum() ** 0.5
You divide by a square root. An average divides by the plain sum of the
weights: {came} instead of {wanted}.
? How many votes were given in all?

weights_meet_columns
- weights[:, None]
+ weights
or
- weights[:, None]
+ weights
- axis=0
+ axis=1
or
- weights[:, None]
+ weights
-  / weights.sum()
+
or
- weights[:, None]
+ weights
- axis=0
+ axis=1
-  / weights.sum()
+
@ square
Your weights meet the columns of values; they belong to its rows. That runs
only if values is as wide as it is high (or has one row or column), and then it
is silently wrong: {came} instead of {wanted}.
? There is one weight for each row. Do the weights stand in a column beside the
rows, or in a row above the columns?

added_along_the_rows
- axis=0
+ axis=1
@ votes
You add up the numbers inside each row, so {n} numbers come. The rows have to
be added onto each other, which leaves {d} numbers.
? Which axis should disappear: the one of length n or the one of length d?

one_number
- weighted.sum(axis=0)
+ weighted.sum()
or
- return average
+ return average.mean()
or
- weighted.sum(axis=0)
+ weighted.mean()
-  / weights.sum()
+
or
- weights[:, None] * values
+ values
- weighted.sum(axis=0)
+ weighted.mean()
-  / weights.sum()
+
@ votes
You return a single number. An average of rows is a row again: it has {d}
numbers, one for each column.
? A sum without an axis adds up everything.

not_added_up
- weighted.sum(axis=0)
+ weighted
@ votes
You weigh each row but do not add them up: {came_shape} came, {wanted_shape} is
wanted.
? The n weighted rows become one row.

running_sum
- .sum(axis=0)
+ .cumsum(axis=0)
@ votes
You return every step of the sum, {n} rows. Only the last one is the whole sum.
? Which row of your result has seen all the others?

only_the_last_row
- weighted.sum(axis=0)
+ weighted[-1]
Only the last row is in your result: each new row replaces the one before.
{came} came instead of {wanted}.
? Inside a loop, one sign replaces what was there and another adds to it.

only_the_first_row
- weighted.sum(axis=0)
+ weighted[0]
Only the first row is in your result: {came} instead of {wanted}. A function
ends at the first `return` it meets.
? Should the return stand inside the loop or after it?

one_row_missing
- weighted.sum
+ weighted[:-1].sum
or
- weighted.sum
+ weighted[1:].sum
One row is missing in the sum: {came} instead of {wanted}. The loop starts too
late or stops too early.
? `range(3)` counts 0, 1, 2. Nothing has to be subtracted.

returned_the_shares
- return average
+ return weights / weights.sum()
@ votes
You return the weights divided by their sum. That is a good first step; now mix
the rows with these weights.
? The result has as many numbers as a row of values.

percent
- return average
+ return 100 * average
Your result is 100 times too large: {came} instead of {wanted}. The weights
should sum to 1, not to 100.
? Look for a factor of 100.

rounded
- return average
+ return np.round(average)
or
- return average
+ return np.round(average, 1)
or
- return average
+ return np.round(average, 2)
Your result is rounded: {came} instead of {wanted}. Round when you print, not
when you compute.
? Return the numbers as they come.

whole_numbers_cut
- return average
+ return average.astype(values.dtype)
or
- weights[:, None]
+ (weights / weights.sum()).astype(weights.dtype)[:, None]
-  / weights.sum()
+
or
- total = weighted.sum(axis=0)
+ total = np.zeros_like(values[0])
+ for row in weighted:
+     total[:] = total + row / weights.sum()
-  / weights.sum()
+
@ whole numbers
For whole numbers your result is whole as well: what follows the point is cut
off, by `//` or by an array that holds whole numbers only.
? Start from zeros with decimals, and divide with one slash.
"""

EXERCISE = Exercise(
    name="weighted_average",
    inputs=("weights", "values"),
    asked="`weighted_average(weights, values)` multiplies each row of values "
    "by its weight, adds the rows up, and divides by the sum of the weights. "
    "There are n weights, values has the shape (n, d), the result has d "
    "numbers.",
    praise="Your averages agree with the reference for weights that sum to 1, "
    "for votes that do not, and for rows of any width.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (2 * args[0], args[1]),
            lambda got, args: got,
            "The first thing that breaks: twice as many votes for everybody "
            "must not change the average, and yours changes.",
        ),
        unmoved_by(
            lambda args: (args[0][::-1].copy(), args[1][::-1].copy()),
            lambda got, args: got,
            "The first thing that breaks: when rows and weights change places "
            "together, the average must stay, and yours changes.",
        ),
    ),
    hints=(
        "Start from a row of d zeros. Walk through the n rows; what do you "
        "add for row j? And what is done once, at the very end?",
        "The weights may be votes such as 3, 1, 2. Their sum, here 6, is what "
        "the whole is divided by; if the weights already sum to 1, this "
        "division changes nothing.",
    ),
    facts=_facts,
    show_inputs=show_arrays("weights", "values"),
)
