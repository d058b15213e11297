"""Known wrong answers to the exercise `layer_norm(x, gamma, beta, eps)`.

The words in braces are filled in by `about_layer_norm` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_AXES = (
    Mistake(
        "over_the_batch",
        "You average over the tokens: one mean for each feature. That is "
        "batch norm. Here {came} came in place of {wanted} at {where}; layer "
        "norm takes the mean and the spread of one token, along the last "
        "axis.",
        "How many means do you get for a table of 3 tokens with 4 features? "
        "Layer norm has 3.",
        ({"over": "first"}, {"over": "all but last"}),
    ),
    Mistake(
        "over_all_entries",
        "One mean and one spread for the whole array: the tokens are mixed, "
        "so that changing one token changes all others. Here {came} came in "
        "place of {wanted} at {where}.",
        "Which axis do you name in `mean`? None at all means every entry.",
        ({"over": "all"},),
    ),
    Mistake(
        "over_the_sentence",
        "For a batch of sentences you take one mean for each sentence, over "
        "its tokens and features together. Layer norm takes one for each "
        "token, so that no token knows of the others.",
        "Average along the last axis alone.",
        ({"over": "last two"},),
        on="batch",
    ),
    Mistake(
        "always_axis_one",
        "You average along axis 1. That is the last axis of a table, but not "
        "of a single token (which has axis 0 only) and not of a batch of "
        "sentences (where it is axis 2).",
        "The last axis has a name that fits every array: -1.",
        ({"over": "axis 1"},),
        on="batch",
    ),
    Mistake(
        "one_spread_for_all",
        "The mean is that of each token, but the variance is taken over all "
        "tokens together. Here {came} came in place of {wanted} at {where}.",
        "Give `var` the same axis that you gave `mean`.",
        ({"over": "token, one spread"},),
    ),
    Mistake(
        "axis_lost",
        "The axis gets lost: `x.mean(axis=-1)` is a row of numbers, one for "
        "each token, and NumPy lays it along the *features*. For 3 tokens "
        "with 4 features that is an error. For a square it is silent: token "
        "0 gets a different mean subtracted at each feature, and {came} "
        "comes out in place of {wanted} at {where}.",
        "`keepdims=True` keeps the means in a column, one beside each token.",
        (
            {"over": "token, both lost"},
            {"over": "token, mean lost"},
            {"over": "token, spread lost"},
        ),
        on="square",
    ),
)
_SPREAD = (
    Mistake(
        "divided_by_n_minus_one",
        "Your variance divides by n - 1, where layer norm divides by n: "
        "{came} came in place of {wanted}. (`torch.std` and `torch.var` do "
        "that unless you say `correction=0`; NumPy divides by n.)",
        "There are n features, and their mean square is wanted.",
        ({"spread": "n - 1"},),
    ),
    Mistake(
        "eps_outside_the_root",
        "You add eps to the standard deviation, after the root. The formula "
        "adds it to the variance, before the root. With eps = {eps}, {came} "
        "comes out in place of {wanted}.",
        "Below the line: first variance plus eps, then the root of the sum.",
        ({"divide": "eps outside"},),
    ),
    Mistake(
        "no_eps",
        "You do not use eps. A token whose features are all equal has the "
        "variance 0, and 0 divided by 0 is not a number (nan).",
        "Add eps to the variance before you take the root.",
        ({"divide": "no eps"},),
        on="constant",
    ),
    Mistake(
        "eps_after_the_division",
        "eps is added after the division: Python reads `x / root + eps` as "
        "`(x / root) + eps`. So a token whose features are all equal is "
        "still divided by 0, which is not a number (nan).",
        "eps belongs under the root, beside the variance. Brackets decide.",
        ({"divide": "eps after"},),
        on="constant",
    ),
    Mistake(
        "an_eps_of_its_own",
        "Your function has an eps of its own and does not look at the input "
        "`eps`, which is {eps} here: {came} came in place of {wanted}.",
        "Look for a number such as 1e-5 in your code.",
        tuple(
            {"divide": f"own {own}"}
            for own in ("1e-5", "1e-6", "1e-8", "1e-12")
        ),
        on="gain",
    ),
    Mistake(
        "eps_squared",
        "You add the square of eps to the variance; the formula adds eps "
        "itself: {came} came in place of {wanted}.",
        "Below the line: the root of variance plus eps.",
        ({"divide": "eps squared"},),
        on="gain",
    ),
    Mistake(
        "eps_as_a_floor",
        "You use eps as the smallest standard deviation allowed. The formula "
        "adds it to every variance: {came} came in place of {wanted}.",
        "No comparison is needed, only a sum.",
        ({"divide": "at least eps"},),
        on="gain",
    ),
    Mistake(
        "root_forgotten",
        "You divide by the variance itself; its root is wanted, the standard "
        "deviation. Here {came} came in place of {wanted}.",
        "Numbers twice as far apart must come out the same. With the "
        "variance they come out half as large.",
        ({"divide": "variance"},),
    ),
    Mistake(
        "squared_in_place_of_the_root",
        "You square the variance in place of taking its root: {came} came in "
        "place of {wanted}. Is there a `** 2` where `** 0.5` was meant?",
        "The power 0.5 is the square root.",
        ({"divide": "square"},),
    ),
    Mistake(
        "multiplied_by_the_root",
        "You multiply by the standard deviation; divide by it. Here {came} "
        "came in place of {wanted}.",
        "A token with a large spread must shrink.",
        ({"divide": "times"},),
    ),
    Mistake(
        "not_divided",
        "You subtract the mean and stop there: the first token keeps the "
        "standard deviation {deviation}. Divide by the root of the variance.",
        "What makes the spread of every token the same?",
        ({"divide": "nothing"},),
    ),
    Mistake(
        "divided_by_the_range",
        "You divide by the distance from the smallest to the largest entry. "
        "Layer norm divides by the root of the variance, in which every "
        "entry counts: {came} came in place of {wanted}.",
        "Square the differences from the mean, average them, take the root.",
        ({"divide": "range"},),
    ),
    Mistake(
        "squares_added_up",
        "You divide by the root of the *sum* of the squared differences. The "
        "variance is their *mean*: {came} came in place of {wanted}.",
        "Divide the sum of squares by the number of features.",
        ({"divide": "sum"},),
    ),
    Mistake(
        "divided_by_the_length",
        "You divide by the length of the vector, the root of the *sum* of "
        "squares. The variance is the *mean* of the squares of the "
        "differences: {came} came in place of {wanted}.",
        "Divide the sum of squares by the number of features.",
        ({"divide": "length"},),
    ),
    Mistake(
        "mean_distance",
        "You divide by the mean distance from the mean, without squares. The "
        "root of the mean square is wanted: {came} came in place of "
        "{wanted}.",
        "Replace `abs` by a square, and take the root after averaging.",
        ({"divide": "distance"},),
    ),
)
_CENTER = (
    Mistake(
        "mean_not_subtracted",
        "You divide by the spread but never subtract the mean: {came} came "
        "in place of {wanted}. The features of a token must be moved first, "
        "so that their mean is 0.",
        "What stands above the line? x minus the mean of its token.",
        ({"center": "not subtracted"},),
    ),
    Mistake(
        "root_mean_square",
        "You divide by the root of the mean square and subtract no mean. "
        "That is a norm of its own (RMSNorm, Zhang and Sennrich 2019), used "
        "in many later models; layer norm subtracts the mean first. {came} "
        "came in place of {wanted}.",
        "Subtract the mean, then use what you have.",
        ({"center": "root mean square"},),
    ),
    Mistake(
        "spread_around_zero",
        "Above the line the mean is subtracted, below the line it is not: "
        "your variance is the mean of x squared. {came} came in place of "
        "{wanted}.",
        "Square the differences from the mean, not x itself.",
        ({"center": "spread around 0"},),
    ),
    Mistake(
        "median",
        "You subtract the median; layer norm subtracts the mean. {came} came "
        "in place of {wanted}.",
        "Add up the features and divide by their number.",
        ({"center": "median"},),
    ),
    Mistake(
        "brackets_missing",
        "Only the mean is divided: Python reads `x - mean / root` as "
        "`x - (mean / root)`. So {came} comes out in place of {wanted}.",
        "Put the difference in brackets.",
        ({"center": "brackets lost"},),
    ),
)
_GAIN = (
    Mistake(
        "gain_and_shift_exchanged",
        "gamma and beta have changed places: gamma multiplies (the gain), "
        "beta is added (the shift). {came} came in place of {wanted}.",
        "A gain of 1 and a shift of 0 must change nothing.",
        ({"affine": "exchanged"},),
    ),
    Mistake(
        "gain_and_shift_forgotten",
        "gamma and beta are not used. Without them every token would have to "
        "keep mean 0 and spread 1, even where the next layer could use "
        "something else. {came} came in place of {wanted}.",
        "Last step: multiply by gamma, add beta.",
        ({"affine": "none"},),
        on="gain",
    ),
    Mistake(
        "shift_forgotten",
        "beta is not used: {came} came in place of {wanted}.",
        "Last step: multiply by gamma, add beta.",
        ({"affine": "no shift"},),
        on="gain",
    ),
    Mistake(
        "gain_forgotten",
        "gamma is not used: {came} came in place of {wanted}.",
        "Last step: multiply by gamma, add beta.",
        ({"affine": "no gain"},),
        on="gain",
    ),
    Mistake(
        "shift_before_the_gain",
        "You add beta first and multiply afterwards, so beta is multiplied "
        "as well: {came} came in place of {wanted}.",
        "First gamma, then beta; brackets decide.",
        ({"affine": "shift before gain"},),
        on="gain",
    ),
    Mistake(
        "gain_before_the_norm",
        "You multiply by gamma *before* the mean and the spread are taken "
        "out. Normalizing then undoes part of it: {came} came in place of "
        "{wanted}.",
        "Normalize first. gamma and beta come last.",
        ({"affine": "gain first"},),
        on="gain",
    ),
    Mistake(
        "gain_before_the_mean_is_subtracted",
        "gamma multiplies x before the mean is subtracted: Python reads "
        "`gamma * x - mean` as `(gamma * x) - mean`. So {came} comes out in "
        "place of {wanted}.",
        "Put the difference in brackets: first x - mean, then times gamma.",
        ({"affine": "gain before the mean"},),
        on="gain",
    ),
    Mistake(
        "shift_before_the_norm",
        "You add beta before you normalize, and the subtraction of the mean "
        "takes most of it away again: {came} came in place of {wanted}.",
        "Normalize first. gamma and beta come last.",
        ({"affine": "shift first"}, {"affine": "both first"}),
        on="gain",
    ),
    Mistake(
        "shift_subtracted",
        "beta is subtracted; it must be added. {came} came in place of "
        "{wanted}.",
        "A plus between the two terms.",
        ({"affine": "shift subtracted"},),
        on="gain",
    ),
    Mistake(
        "divided_by_the_gain",
        "You divide by gamma; multiply by it. {came} came in place of "
        "{wanted}.",
        "A gain of 2 makes a feature twice as large.",
        ({"affine": "divided by gain"},),
        on="gain",
    ),
    Mistake(
        "one_gain_for_each_token",
        "You turned gamma and beta into columns, one number for each token. "
        "They hold one number for each *feature*, and NumPy lays a row along "
        "the features by itself. {came} came in place of {wanted}.",
        "`gamma * normal` needs no reshaping.",
        ({"affine": "by token"},),
        on="square",
    ),
)
_RETURNED = (
    Mistake(
        "rounded",
        "Your result is rounded: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Is there a `round` on the way out?",
        ({"then": "rounded"}, {"then": "rounded a little"}),
    ),
    Mistake(
        "transposed",
        "Your result is turned on its side: tokens are rows, in the result "
        "as in x.",
        "Leave out the `.T` at the end.",
        ({"then": "turned"},),
    ),
    Mistake(
        "whole_numbers_cut",
        "For whole numbers your result consists of whole numbers too. You "
        "write into an array that was made like x, and an array of whole "
        "numbers cuts off all decimals.",
        "Make the result a new array of decimal numbers, or let the formula "
        "create it.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (*_AXES, *_SPREAD, *_CENTER, *_GAIN, *_RETURNED)
