"""Known wrong answers to the exercise `softmax(x, axis)`.

The words in braces are filled in by `about_softmax` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


MISTAKES = (
    Mistake(
        "no_exponential",
        "You divide the scores by their sum without the exponential. A "
        "negative score then becomes a negative share, and equal steps in "
        "the score no longer multiply the share: here {came} came in place "
        "of {wanted}.",
        "Each score first has to become a positive number that grows by the "
        "same factor with each point. Only then is it divided.",
        ({"rise": "nothing"},),
    ),
    Mistake(
        "no_exponential_below",
        "The exponential is on top only: below the line you add up the plain "
        "scores. {Which} sums to {sum}, but shares sum to 1.",
        "What is added up below must be the very numbers that stand on top.",
        ({"divide": "scores"},),
    ),
    Mistake(
        "divides_before_exponential",
        "You divide the scores by their sum first and take the exponential "
        "afterwards, so the division is undone: {which} sums to {sum} in "
        "place of 1.",
        "Change the order: votes first, shares last.",
        ({"score": "divided by sum", "divide": "nothing"},),
    ),
    Mistake(
        "divided_twice",
        "The scores are divided by their sum before the softmax sees them. "
        "That shrinks them, so all shares move toward equal: {came} came in "
        "place of {wanted}.",
        "Divide once only, at the end.",
        ({"score": "divided by sum"},),
    ),
    Mistake(
        "exponential_of_the_sum",
        "Below the line stands the exponential of the sum; wanted is the sum "
        "of the exponentials. {Which} sums to {sum} in place of 1.",
        "First each score on its own, then add. For scores 0 and 0 the "
        "number below is 2.",
        ({"divide": "exp of sum"},),
    ),
    Mistake(
        "not_divided",
        "You take the exponential and stop there: {which} sums to {sum}. "
        "Shares appear only after each number is divided by the sum of its "
        "{line}.",
        "You have the votes. What turns votes into shares of one?",
        ({"divide": "nothing"},),
    ),
    Mistake(
        "divided_by_the_largest",
        "Your largest share is {top} in every {line}, so the shares cannot "
        "sum to 1 (here: {sum}). Either you divide by the largest number in "
        "place of the sum, or you subtract the largest score and then forget "
        "to divide.",
        "Add up one row of your result by hand. By what do you have to "
        "divide to make that 1?",
        ({"divide": "max"},),
    ),
    Mistake(
        "divided_by_the_length",
        "You divide by the root of the sum of squares, which gives arrows of "
        "length 1. Shares of one whole sum to 1; {which} sums to {sum}.",
        "Divide by the plain sum of the exponentials.",
        ({"divide": "length"}, {"divide": "length", "rise": "nothing"}),
    ),
    Mistake(
        "divided_by_the_count",
        "You divide by how many scores there are, not by what they add up "
        "to: {which} sums to {sum} in place of 1.",
        "The mean asks how many, the share asks how much in all.",
        ({"divide": "count"},),
    ),
    Mistake(
        "all_entries",
        "You sum over the whole array, so all its entries together make "
        "{total} and a single {line} only {sum}. Each {line} is a question "
        "of its own and has its own sum.",
        "Which of NumPy's inputs tells a sum to run along one axis only?",
        ({"over": "all"},),
    ),
    Mistake(
        "always_the_last_axis",
        "Your sums always run along the last axis, whatever `axis` says. For "
        "axis=0 each column has to sum to 1; {which} of yours sums to "
        "{sum}.",
        "Is the name `axis` used in every sum and every maximum?",
        ({"over": "last"},),
    ),
    Mistake(
        "always_the_first_axis",
        "Your sums always run down the columns, whatever `axis` says. For "
        "axis=-1 each row has to sum to 1; {which} of yours sums to {sum}.",
        "Is the name `axis` used in every sum and every maximum?",
        ({"over": "first"},),
    ),
    Mistake(
        "wrong_axis",
        "Rows and columns are exchanged: here every {cross} sums to "
        "{crossing}, and {which} to {sum}. `axis` names the direction in "
        "which the sum walks, so axis=0 walks down a column.",
        "Take a 2 by 3 array and write down the shape of its sum along axis "
        "0, then along axis 1.",
        ({"over": "other"},),
    ),
    Mistake(
        "axis_lost_in_the_sum",
        "A sum along an axis loses that axis, so NumPy lines the sums up "
        "with the columns in place of the rows. That stops with an error "
        "for 4 by 2 numbers; for a square it is silently wrong: {which} "
        "sums to {sum}.",
        "Look up what the option `keepdims` of a sum does to its shape.",
        ({"divide": "axis lost"},),
    ),
    Mistake(
        "axis_lost_in_the_maximum",
        "The maximum along an axis loses that axis, so NumPy subtracts it "
        "from the wrong rows. That stops with an error for 4 by 2 numbers; "
        "for a square it is silently wrong: {came} in place of {wanted}.",
        "Look up what the option `keepdims` of a maximum does to its shape.",
        ({"score": "minus max, axis lost"},),
    ),
    Mistake(
        "base_two",
        "You raise 2 to the scores. The game with doubling votes is a fine "
        "beginning, but softmax uses e = 2.718: one point more multiplies "
        "the vote by 2.718, not by 2.",
        "Which function of NumPy raises e to a power?",
        ({"rise": "two"},),
    ),
    Mistake(
        "base_ten",
        "You raise 10 to the scores; softmax uses e = 2.718. The largest "
        "score takes too much: {came} came in place of {wanted}.",
        "Which function of NumPy raises e to a power?",
        ({"rise": "ten"},),
    ),
    Mistake(
        "squared",
        "You square the scores; softmax takes their exponential. A square "
        "forgets the sign: the scores -2 and 2 would get the same share.",
        "A score of -2 should get far less than a score of 2. Which function "
        "keeps that order and is never negative?",
        ({"rise": "square"},),
    ),
    Mistake(
        "sigmoid",
        "This is the sigmoid, which looks at each score alone: the shares do "
        "not compete, and {which} sums to {sum}. In softmax a share depends "
        "on all scores of its {line}.",
        "What stands below the line in softmax, and which scores are in it?",
        ({"rise": "sigmoid", "divide": "nothing"},),
    ),
    Mistake(
        "negative_scores",
        "Your largest score gets the smallest share: a minus sign has turned "
        "the order around.",
        "Find the minus sign in front of the scores.",
        ({"score": "negative"},),
    ),
    Mistake(
        "standardized",
        "You subtract the mean and divide by the standard deviation. That is "
        "normalization, and {which} sums to {sum}; softmax gives positive "
        "shares that sum to 1.",
        "Start again from the votes: e to the power of each score.",
        ({"score": "standardized", "rise": "nothing", "divide": "nothing"},),
    ),
    Mistake(
        "min_to_max",
        "You stretch the scores from 0 (smallest) to 1 (largest). Softmax "
        "gives shares: even the smallest score keeps a little, and {which} "
        "has to sum to 1, not to {sum}.",
        "Start again from the votes: e to the power of each score.",
        ({"score": "min to max", "rise": "nothing", "divide": "nothing"},),
    ),
    Mistake(
        "log_softmax",
        "You return the logarithm of the shares ({came} in place of "
        "{wanted}). It is useful in a loss, but a share lies between 0 and "
        "1.",
        "Leave the last step away.",
        ({"then": "log"},),
    ),
    Mistake(
        "shares_sorted",
        "Your shares are right but sorted, so a word gets another word's "
        "share. Keep each share at the place of its score.",
        "Remove the sorting; the order of the words carries meaning.",
        ({"then": "sorted"},),
    ),
    Mistake(
        "winner_takes_all",
        "Your largest score takes everything and the others get {low}. That "
        "is a hard maximum; softmax is soft and leaves a share to all.",
        "No comparison is needed: the exponential alone favors the largest.",
        (
            {"then": "hard"},
            {"then": "all winners"},
            {"then": "first winner"},
        ),
    ),
    Mistake(
        "place_of_the_largest",
        "You return where the largest score stands. Softmax returns one "
        "share for each score, an array of the same shape as x.",
        "The result for three scores has three numbers.",
        ({"then": "argmax"},),
    ),
    Mistake(
        "softmax_twice",
        "Softmax is applied twice. The second time it sees numbers between 0 "
        "and 1 only, so all shares move toward equal: {came} in place of "
        "{wanted}.",
        "Somewhere a share is taken for a score.",
        ({"then": "again"},),
    ),
    Mistake(
        "one_minus",
        "You return what is missing to 1: {came} in place of {wanted}.",
        "Which number answers: how much does this score get?",
        ({"then": "one minus"},),
    ),
    Mistake(
        "percent",
        "Your shares are given in percent ({came}); wanted are shares of 1 "
        "({wanted}).",
        "What should a row sum to: 1 or 100?",
        ({"then": "percent"},),
    ),
    Mistake(
        "transposed",
        "The shares are right, but rows and columns of the result are "
        "exchanged. The result has the shape of x.",
        "Look for a transpose on the way out.",
        ({"then": "turned"},),
    ),
    Mistake(
        "rounded",
        "Your shares are rounded ({came} in place of {wanted}). Round when "
        "you print, not when you compute: the small shares get lost.",
        "Return the numbers as they come.",
        (
            {"then": "rounded"},
            {"then": "rounded a little"},
            {"then": "rounded to tenths"},
        ),
    ),
    Mistake(
        "scaled",
        "You divide the scores by the root of how many there are before the "
        "softmax. A scale belongs to attention, in a later chapter; softmax "
        "takes the scores as they are.",
        "Leave the scores as they come.",
        ({"score": "over root"},),
    ),
    Mistake(
        "no_maximum_subtracted",
        "Your shares are right for small scores. But e to the power 1000 is "
        "too big for a computer, so this row breaks. Adding a constant to "
        "all scores changes no share: subtract the row's largest score "
        "before the exponential.",
        "After the subtraction the largest score is 0, so no exponential is "
        "larger than 1. Try it on the scores 1000, 1001, 1002.",
        matches=lambda a: a["large"].broken,
        on="large",
    ),
    Mistake(
        "another_number_subtracted",
        "You subtract something before the exponential, which is the right "
        "idea, but not the largest score: for the scores 0, 0, 3000 a number "
        "is left that is too big for a computer.",
        "Which number must you subtract so that nothing above 0 is left?",
        matches=lambda a: a["wide"].broken,
        on="wide",
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
    Mistake(
        "exponential_of_one_number",
        "A function for a single number gets a whole array: `math.exp` and "
        "`float` take one number, and `x` holds many.",
        "NumPy has an exponential of its own, which takes every number of an "
        "array at once.",
        raises="(TypeError|ValueError): only .* can be converted to Python "
        "scalars",
    ),
)
