"""Known wrong answers to the exercise `stable_softmax(x)`.

The words in braces are filled in by `about_stable_softmax` from the shown
example.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer

__all__ = ["MISTAKES"]


def _equal(answer: Answer) -> bool:
    """All shares alike, where the scores differ."""
    return answer.kind == ARRAY and np.ptp(answer.array) < 1e-9 < np.max(
        answer.array
    )


def _sums_to_less(answer: Answer) -> bool:
    return (
        answer.kind == ARRAY
        and np.isfinite(answer.array).all()
        and answer.array.sum() < 0.999
    )


def _to_one(answer: Answer) -> bool:
    return answer.kind == ARRAY and bool(abs(answer.array.sum() - 1) < 1e-6)


_VALUES = (
    Mistake(
        "maximum_of_the_column",
        "You subtract the largest score of each column. Within a row the "
        "scores then lose different numbers, and that changes the shares: "
        "{came} came in place of {wanted}. Only a number that the whole row "
        "shares may be taken off.",
        "Along which axis does your maximum run? A row is the last axis.",
        ({"score": "minus column maximum"},),
    ),
    Mistake(
        "axis_lost_in_the_maximum",
        "The maximum along an axis loses that axis, so NumPy lines the row "
        "maxima up with the columns. For 2 by 3 numbers that stops with an "
        "error; for a square it is silently wrong: {came} in place of "
        "{wanted}.",
        "Look up what the option `keepdims` of a maximum does to its shape.",
        (
            {"score": "minus maximum, axis lost"},
            {"divide": "axis lost twice"},
        ),
    ),
    Mistake(
        "sign_turned",
        "You take the score off the maximum, not the maximum off the score, "
        "so the largest score gets the smallest share.",
        "For the scores 0, 1, 2 the exponents are -2, -1, 0.",
        ({"score": "largest minus"},),
    ),
    Mistake(
        "clipped_tightly",
        "You cut large scores down to a limit, so scores beyond it get the "
        "same share although they differ: {came} came in place of {wanted}.",
        "Cutting loses the difference between two large scores. Which "
        "operation keeps all differences?",
        (
            {"score": "clipped at 1"},
            {"score": "clipped at 2"},
            {"score": "cut off above 0"},
            {"score": "cut off above 1"},
        ),
    ),
    Mistake(
        "divided_by_the_largest",
        "You divide the scores by the largest one. That keeps them small, "
        "but it changes their differences and so the shares: {came} in place "
        "of {wanted}. A difference survives a subtraction, not a division.",
        "Replace one sign.",
        ({"score": "over largest"}, {"score": "over largest size"}),
    ),
    Mistake(
        "shrunk",
        "You divide all scores by a fixed number to make them small. That "
        "moves all shares toward equal: {came} in place of {wanted}.",
        "Subtract instead of dividing; only differences count.",
        ({"score": "over 100"}, {"score": "over 10"}, {"score": "over 1000"}),
    ),
    Mistake(
        "scaled",
        "You scale the scores by how many there are. This exercise is about "
        "overflow alone: the shares must be exactly those of softmax, and "
        "{came} came in place of {wanted}.",
        "Leave the division of the scores to the next exercise.",
        ({"score": "over root"}, {"score": "over count"}),
    ),
    Mistake(
        "stretched_from_0_to_1",
        "You stretch each row of scores from 0 to 1 before the exponential. "
        "No overflow is left, but neither are the differences: {came} in "
        "place of {wanted}.",
        "Subtract one number a row and do nothing else to the scores.",
        ({"score": "from 0 to 1"},),
    ),
    Mistake(
        "standardized",
        "You divide the scores of each row by their standard deviation. "
        "Subtracting is harmless, dividing is not: {came} came in place of "
        "{wanted}.",
        "Leave the division away, and think again about what to subtract.",
        ({"score": "standardized"}, {"score": "over spread"}),
    ),
    Mistake(
        "subtracted_after_the_exponential",
        "You take the largest number off after the exponential. By then the "
        "overflow has happened, and the shares are wrong: {came} in place of "
        "{wanted}.",
        "First the subtraction, then the exponential.",
        (
            {"rise": "e, then minus the largest"},
            {"rise": "e, then minus the largest", "divide": "nothing"},
        ),
    ),
    Mistake(
        "shift_forgotten_below",
        "Above the line you subtract the maximum, below it you add up the "
        "exponentials of the scores as they were. {Which} sums to {sum}.",
        "Compute the exponentials once and use them in both places.",
        ({"divide": "unshifted sum"},),
    ),
    Mistake(
        "shift_forgotten_above",
        "Below the line you subtract the maximum, above it you do not. "
        "{Which} sums to {sum}.",
        "Compute the exponentials once and use them in both places.",
        ({"divide": "unshifted on top"},),
    ),
    Mistake(
        "no_exponential",
        "The exponential is missing: you divide shifted scores by their sum, "
        "so {came} came in place of {wanted}.",
        "Three steps: subtract, e to the power, divide.",
        ({"rise": "nothing"},),
    ),
    Mistake(
        "not_divided",
        "You subtract and take the exponential, and there you stop: the "
        "largest number of each row is 1 and {which} sums to {sum}.",
        "You have the votes. What turns votes into shares of one?",
        ({"divide": "nothing"}, {"divide": "largest"}),
    ),
    Mistake(
        "divided_by_the_count",
        "You divide by how many scores there are, not by the sum of the "
        "votes: {which} sums to {sum}.",
        "The mean asks how many, the share asks how much in all.",
        ({"divide": "count"},),
    ),
    Mistake(
        "axis_lost_in_the_sum",
        "A sum along an axis loses that axis, so NumPy lines the sums up "
        "with the columns. For a square that is silently wrong: {which} "
        "sums to {sum}.",
        "Look up what the option `keepdims` of a sum does to its shape.",
        ({"divide": "axis lost"},),
        on="square",
    ),
    Mistake(
        "first_axis",
        "Your sums run down the columns. Each row, that is the last axis, is "
        "a question of its own; {which} of yours sums to {sum}.",
        "Which number of `axis` means the last one, however many there are?",
        ({"over": "first"},),
    ),
    Mistake(
        "second_axis",
        "You wrote `axis=1`. That is the last axis of a table, but not of a "
        "stack of tables, where {which} of yours sums to {sum}; and a single "
        "row has no axis 1 at all.",
        "Count the axes from the end: which number is the last one?",
        ({"over": "second"},),
        on="stack",
    ),
    Mistake(
        "all_entries",
        "You sum over the whole array, so all its rows together make {total} "
        "and {which} only {sum}.",
        "Which of NumPy's inputs tells a sum to run along one axis only? Ask "
        "the same of your maximum.",
        ({"over": "all"},),
    ),
    Mistake(
        "base_two",
        "You raise 2 to the scores; softmax uses e = 2.718: {came} in place "
        "of {wanted}.",
        "Which function of NumPy raises e to a power?",
        ({"rise": "two"},),
    ),
    Mistake(
        "winner_takes_all",
        "Your largest score takes everything. That needs no exponential and "
        "never overflows, but softmax leaves a share to all.",
        "Subtract, exponential, divide; no comparison is needed.",
        ({"then": "hard"},),
    ),
    Mistake(
        "softmax_twice",
        "Softmax is applied twice, so all shares move toward equal: {came} "
        "came in place of {wanted}.",
        "Somewhere a share is taken for a score.",
        ({"then": "again"},),
    ),
    Mistake(
        "log_softmax",
        "You return the logarithm of the shares ({came} in place of {wanted}).",
        "Leave the last step away.",
        ({"then": "log"},),
    ),
    Mistake(
        "rounded",
        "Your shares are rounded ({came} in place of {wanted}). Round when "
        "you print, not when you compute.",
        "Return the numbers as they come.",
        ({"then": "rounded"}, {"then": "rounded a little"}),
    ),
)
_SIZES = (
    Mistake(
        "maximum_added",
        "You add the maximum where it should be taken off: already for the "
        "scores 400, 401, 402 the exponent exceeds 709, and the row breaks.",
        "After the right step the largest exponent is 0.",
        matches=lambda a: a["four hundred"].broken and not a["hundred"].broken,
        on="four hundred",
    ),
    Mistake(
        "no_maximum_subtracted",
        "Your shares are right for small scores. But e to the power 1000 is "
        "too large for any number format here, so this row breaks. Take the "
        "row's largest score off all scores of the row first; only "
        "differences count.",
        "After the subtraction the largest score is 0, so no exponential is "
        "larger than 1. Try it on the scores 1000, 1001, 1002.",
        matches=lambda a: a["thousand"].broken,
        on="thousand",
    ),
    Mistake(
        "clipped",
        "You cut large scores down to a limit, so 1000, 1001 and 1002 come "
        "out the same although they differ.",
        "Cutting loses the differences between large scores. Which operation "
        "keeps all differences?",
        matches=lambda a: (
            _equal(a["thousand"])
            or (_sums_to_less(a["thousand"]) and _to_one(a["one high"]))
        ),
        on="thousand",
    ),
    Mistake(
        "nan_covered_up",
        "The numbers broke inside, and you replaced what is not a number. "
        "The shares of this row no longer sum to 1: a hole is covered, not "
        "mended.",
        "Prevent the overflow: no exponential larger than 1 needs to be "
        "computed.",
        matches=lambda a: _sums_to_less(a["thousand"]),
        on="thousand",
    ),
    Mistake(
        "largest_size_subtracted",
        "You subtract the largest size, without its sign. For scores that "
        "are all far below 0 that pushes them down further, all votes become "
        "0, and 0 divided by 0 is nan.",
        "The largest of -1000, -1001, -1002 is -1000, and taking it off adds "
        "1000.",
        matches=lambda a: a["very negative"].broken,
        on="very negative",
    ),
    Mistake(
        "smallest_subtracted",
        "You subtract the smallest score. All exponents are then positive, "
        "and one of 900 is too large: this row breaks.",
        "Which number must you take off so that nothing above 0 is left?",
        matches=lambda a: a["one high"].broken and a["two high"].broken,
        on="two high",
    ),
    Mistake(
        "another_number_subtracted",
        "You subtract one number a row, which is the right idea, but not the "
        "largest score: here an exponent near 900 is left, which is too "
        "large.",
        "Which number must you take off so that nothing above 0 is left?",
        matches=lambda a: a["one high"].broken or a["two high"].broken,
        on="one high",
    ),
    Mistake(
        "mean_subtracted",
        "You subtract the mean. That helps as long as no score lies far "
        "above it; of 0, 0, 3000 the mean is 1000, and an exponent of 2000 "
        "is left.",
        "Which number must you take off so that nothing above 0 is left?",
        matches=lambda a: a["far apart"].broken,
        on="far apart",
    ),
    Mistake(
        "maximum_of_everything",
        "You subtract the largest score of the whole array. A row far below "
        "it shrinks to zeros, and 0 divided by 0 is nan. Each row needs its "
        "own largest score.",
        "Along which axis should the maximum run, and which shape must it "
        "keep?",
        matches=lambda a: a["far rows"].broken,
        on="far rows",
    ),
    Mistake(
        "whole_numbers_cut",
        "For whole numbers as scores your shares become 0 and 1: the array "
        "you write into has an integer type and cuts off what follows the "
        "point.",
        "Give the new array a type with decimals, whatever the type of x.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (*_VALUES, *_SIZES)
