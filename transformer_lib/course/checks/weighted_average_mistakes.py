"""Known wrong answers to the exercise `weighted_average(weights, values)`.

The words in braces are filled in by `about_weighted_average` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_WEIGHED = (
    Mistake(
        "plain_mean",
        "That is the plain mean: every row counts the same, and the weights "
        "are not used. {came} came in place of {wanted}.",
        "Where in your code does the weight of row j meet row j?",
        ({"weigh": "alike"},),
    ),
    Mistake(
        "sum_not_weighted",
        "You return the plain sum of the rows: {came} in place of {wanted}. "
        "Either the weights are not used, or each row meets all the weights, "
        "and then they cancel out.",
        "Before row j is added, it has to be multiplied by weight j alone.",
        ({"weigh": "alike", "divide": "nothing"},),
    ),
    Mistake(
        "weights_only_below",
        "You divide by the sum of the weights, which is right, but the rows "
        "above are added up without their weights: {came} in place of "
        "{wanted}.",
        "A row with three votes has to be counted three times.",
        ({"weigh": "alike", "divide": "sum of the given"},),
    ),
    Mistake(
        "weights_backward",
        "The first row gets the last weight and the last row the first: "
        "{came} in place of {wanted}.",
        "Weight j belongs to row j, counted from the same end.",
        ({"weigh": "backward"},),
    ),
    Mistake(
        "weights_turned_round",
        "The rows with the smallest weights count most: {came} in place of "
        "{wanted}.",
        "Three votes for a row mean: more of this row.",
        ({"weigh": "what is missing"},),
    ),
    Mistake(
        "exponential_of_the_weights",
        "You take the exponential of the weights first. That makes votes out "
        "of scores, which is a story of chapter 2; here the votes are given: "
        "{came} in place of {wanted}.",
        "Use the weights as they come.",
        ({"weigh": "exponential"},),
    ),
    Mistake(
        "weights_squared",
        "Each weight is used twice, so a row with three votes counts nine "
        "times: {came} in place of {wanted}.",
        "Find the second place where you multiply by the weight.",
        (
            {"weigh": "squared"},
            {"weigh": "squared", "divide": "sum of the given"},
        ),
    ),
    Mistake(
        "largest_only",
        "You return the row with the largest weight and drop the others. An "
        "average mixes: every row counts as much as its weight says. {came} "
        "came in place of {wanted}.",
        "No comparison of weights is needed, only products and a sum.",
        ({"then": "largest only"},),
    ),
    Mistake(
        "weights_added_to_the_values",
        "You add each weight to its row; it has to be multiplied: {came} in "
        "place of {wanted}.",
        "Three votes for a row mean three times the row.",
        ({"meet": "added"}, {"meet": "added", "divide": "count"}),
    ),
)
_DIVIDED = (
    Mistake(
        "not_divided",
        "You multiply and add, and stop there. That is right only if the "
        "weights sum to 1. Here they sum to {total}, and {came} came in "
        "place of {wanted}.",
        "By what do you have to divide so that twice as many votes for "
        "everybody change nothing?",
        ({"divide": "nothing"},),
        on="votes",
    ),
    Mistake(
        "divided_by_the_count",
        "You divide by how many rows there are, {n}, not by the sum of their "
        "weights: {came} in place of {wanted}.",
        "How many votes were given in all?",
        ({"divide": "count"},),
    ),
    Mistake(
        "divided_by_sum_and_count",
        "You divide twice, by the sum of the weights and by how many rows "
        "there are: {came} in place of {wanted}. Once is enough.",
        "A mean inside a weighted sum divides too.",
        ({"divide": "sum and count"},),
    ),
    Mistake(
        "normalized_twice",
        "You divide by the sum of the weights twice: {came} in place of "
        "{wanted}. For weights that sum to 1 nobody notices; here they sum "
        "to {total}.",
        "Once the weights are shares, their sum is 1 and nothing is left to "
        "divide.",
        ({"divide": "sum twice"},),
        on="votes",
    ),
    Mistake(
        "divided_inside_the_loop",
        "You divide inside the loop, so the first row is divided again with "
        "each row that follows: {came} in place of {wanted}.",
        "Add up all the rows first. How far to the right does the line with "
        "the division begin?",
        (
            {"then": "by the sum each time"},
            {"then": "by the count each time"},
        ),
    ),
    Mistake(
        "divided_by_the_values",
        "You divide by the sum of the values; an average divides by the sum "
        "of the weights: {came} in place of {wanted}.",
        "How many votes were given in all?",
        ({"divide": "sums of the values"}, {"divide": "sum of all values"}),
    ),
    Mistake(
        "divided_by_the_largest",
        "You divide by the largest weight. Then the row with the most votes "
        "counts in full and the others are added on top: {came} in place of "
        "{wanted}.",
        "What do all the weights sum to?",
        (
            {"divide": "largest"},
            {"weigh": "by the largest", "divide": "nothing"},
        ),
    ),
    Mistake(
        "divided_by_the_width",
        "You divide by {d}, how many numbers a row has. The number of "
        "columns has nothing to do with the votes: {came} in place of "
        "{wanted}.",
        "How many votes were given in all?",
        ({"divide": "width"},),
    ),
    Mistake(
        "divided_by_a_root",
        "You divide by a square root. An average divides by the plain sum of "
        "the weights: {came} in place of {wanted}.",
        "How many votes were given in all?",
        ({"divide": "length"}, {"divide": "root of sum"}),
    ),
)
_GATHERED = (
    Mistake(
        "weights_meet_columns",
        "Your weights meet the columns of values; they belong to its rows. "
        "That runs only if values is as wide as it is high (or has one row "
        "or column), and then it is silently wrong: {came} in place of "
        "{wanted}.",
        "There is one weight for each row. Do the weights stand in a column "
        "beside the rows, or in a row above the columns?",
        (
            {"meet": "columns"},
            {"meet": "columns", "gather": "along"},
            {"meet": "columns", "divide": "nothing"},
            {"meet": "columns", "gather": "along", "divide": "nothing"},
        ),
        on="square",
    ),
    Mistake(
        "added_along_the_rows",
        "You add up the numbers inside each row, so {n} numbers come. The "
        "rows have to be added onto each other, which leaves {d} numbers.",
        "Which axis should disappear: the one of length n or the one of "
        "length d?",
        ({"gather": "along"},),
        on="votes",
    ),
    Mistake(
        "one_number",
        "You return a single number. An average of rows is a row again: it "
        "has {d} numbers, one for each column.",
        "A sum without an axis adds up everything.",
        (
            {"gather": "everything"},
            {"gather": "mean of the sums"},
            {"gather": "mean of everything", "divide": "nothing"},
            {
                "weigh": "alike",
                "gather": "mean of everything",
                "divide": "nothing",
            },
        ),
        on="votes",
    ),
    Mistake(
        "not_added_up",
        "You weigh each row but do not add them up: {came_shape} came, "
        "{wanted_shape} is wanted.",
        "The n weighted rows become one row.",
        ({"gather": "nothing"},),
        on="votes",
    ),
    Mistake(
        "running_sum",
        "You return every step of the sum, {n} rows. Only the last one is "
        "the whole sum.",
        "Which row of your result has seen all the others?",
        ({"gather": "running"},),
        on="votes",
    ),
    Mistake(
        "only_the_last_row",
        "Only the last row is in your result: each new row replaces the one "
        "before. {came} came in place of {wanted}.",
        "Inside a loop, one sign replaces what was there and another adds "
        "to it.",
        ({"gather": "last"},),
    ),
    Mistake(
        "only_the_first_row",
        "Only the first row is in your result: {came} in place of {wanted}. "
        "A function ends at the first `return` it meets.",
        "Should the return stand inside the loop or after it?",
        ({"gather": "first"},),
    ),
    Mistake(
        "one_row_missing",
        "One row is missing in the sum: {came} in place of {wanted}. The "
        "loop starts too late or stops too early.",
        "`range(3)` counts 0, 1, 2. Nothing has to be subtracted.",
        ({"gather": "all but the last"}, {"gather": "all but the first"}),
    ),
)
_RETURNED = (
    Mistake(
        "returned_the_shares",
        "You return the weights divided by their sum. That is a good first "
        "step; now mix the rows with these shares.",
        "The result has as many numbers as a row of values.",
        ({"then": "shares"},),
        on="votes",
    ),
    Mistake(
        "percent",
        "Your result is 100 times too large: {came} in place of {wanted}. "
        "The shares should sum to 1, not to 100.",
        "Look for a factor of 100.",
        ({"then": "percent"},),
    ),
    Mistake(
        "rounded",
        "Your result is rounded: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Return the numbers as they come.",
        (
            {"then": "rounded"},
            {"then": "rounded to tenths"},
            {"then": "rounded to hundredths"},
        ),
    ),
    Mistake(
        "whole_numbers_cut",
        "For whole numbers your result is whole as well: what follows the "
        "point is cut off, by `//` or by an array that holds whole numbers "
        "only.",
        "Start from zeros with decimals, and divide with one slash.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (*_WEIGHED, *_DIVIDED, *_GATHERED, *_RETURNED)
