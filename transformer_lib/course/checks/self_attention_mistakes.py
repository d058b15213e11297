"""Known wrong answers to the exercise `self_attention(X)`.

The words in braces are filled in by `about_self_attention` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_SCORES = (
    Mistake(
        "scaled_by_root_of_d",
        "You divide the scores by the root of d. A later chapter adds exactly "
        "that and says why; here the scores are wanted as they are, so "
        "{came} came in place of {wanted}.",
        "Take the division away for now.",
        ({"scale": "root of d"},),
    ),
    Mistake(
        "scaled_by_d",
        "You divide the scores by d = {d}. Here the plain dot products are "
        "wanted. (A later chapter does scale them, by the root of d.)",
        "Take the division away for now.",
        ({"scale": "d"},),
    ),
    Mistake(
        "scaled_by_root_of_n",
        "You divide the scores by the root of the number of tokens, "
        "n = {n}. The scores are wanted as they are: a token must not change "
        "its votes because the sentence grows.",
        "Take the division away.",
        ({"scale": "root of n"},),
    ),
    Mistake(
        "multiplied_by_root_of_d",
        "You multiply the scores by the root of d, which makes the largest "
        "weight larger still. The plain dot products are wanted.",
        "Take the factor away.",
        ({"scale": "times root of d"},),
    ),
    Mistake(
        "negative_scores",
        "The tokens that agree least get the largest weight: a minus sign "
        "stands before the scores.",
        "For token i the largest score should belong to the token most like "
        "it, often itself.",
        ({"scale": "minus"},),
    ),
    Mistake(
        "cosine_in_place_of_dot_product",
        "You divide each vector by its length first, so your scores are "
        "cosines. Here the score is the plain dot product, in which a longer "
        "vector speaks louder.",
        "Remove the norm.",
        ({"score": "cosine"},),
    ),
    Mistake(
        "distance_in_place_of_dot_product",
        "Your scores are distances with a minus sign; wanted are dot "
        "products. For row {row} that makes {came} in place of {wanted}.",
        "Multiply the two vectors entry by entry and add up.",
        ({"score": "distance"},),
    ),
    Mistake(
        "star_in_the_scores",
        "The scores are multiplied entry by entry (`*`). A dot product also "
        "adds up, and all n times n of them are one matrix product. Yours "
        "happens to run for a square X and stops for four tokens with two "
        "numbers each.",
        "Which operator of Python is the matrix product?",
        ({"score": "entry by entry"},),
    ),
    Mistake(
        "not_transposed",
        "You multiply X by X without turning one of them. It runs only if n "
        "equals d, and then it multiplies rows with columns, not tokens with "
        "tokens.",
        "Score (i, j) needs row i and row j. Where does a matrix product "
        "take its second vectors from?",
        ({"score": "not turned"},),
    ),
    Mistake(
        "features_attend",
        "Your scores compare the columns of X, so {d} by {d} features look "
        "at each other. Tokens are the rows: their scores are {n} by {n}.",
        "Print the shape of your scores. With four tokens it should be (4, 4).",
        (
            {"score": "features", "out": "features"},
            {"score": "features", "out": "features, turned"},
        ),
    ),
)
_WEIGHTS = (
    Mistake(
        "softmax_over_queries",
        "The weights with which you build row {row} sum to {column_sum}, not "
        "to 1. Most often softmax runs down the columns (over the queries) "
        "in place of along the rows; weights that are transposed, or a sum "
        "that lost its axis, give the same numbers.",
        "Sum your weights along both directions. Which of the two sums is "
        "all ones? Each row is one token's question and has a budget of 1.",
        ({"share": "column softmax"},),
    ),
    Mistake(
        "softmax_over_everything",
        "One softmax runs over the whole matrix, so all {n} tokens share one "
        "budget of 1 and the contexts come out too short: {came_row} in "
        "place of {wanted_row}.",
        "Each row of scores needs a softmax of its own.",
        ({"share": "one softmax"},),
    ),
    Mistake(
        "no_softmax",
        "The softmax is missing: you weigh the tokens with the raw scores. "
        "For row {row} that makes {came_row}; an average with shares makes "
        "{wanted_row}.",
        "Between the scores and the weighted sum one step is missing.",
        ({"share": "scores"},),
    ),
    Mistake(
        "no_exponential",
        "You divide the scores by their sum without the exponential. A "
        "negative score becomes a negative weight, and a sum of 0 breaks the "
        "row.",
        "Use the softmax of the exercise before.",
        ({"share": "divided scores"},),
    ),
    Mistake(
        "not_divided",
        "You take the exponential of the scores but do not divide by its "
        "sum, so the weights of a row are no shares: {came_row} came in "
        "place of {wanted_row}.",
        "What should the weights of one row sum to?",
        (
            {"share": "exponential"},
            {"share": "exponential from the top"},
        ),
    ),
    Mistake(
        "base_two",
        "You raise 2 to the scores, as in the first game with votes. Softmax "
        "uses e = 2.718, so {wanted} is wanted in place of {came}.",
        "Only the base is wrong, everything else is right.",
        ({"share": "base two"},),
    ),
    Mistake(
        "sigmoid",
        "You use the sigmoid, which looks at each score alone; the weights "
        "of a row then do not sum to 1. Softmax lets the scores compete.",
        "Use the softmax of the exercise before.",
        ({"share": "sigmoid"},),
    ),
    Mistake(
        "winner_takes_all",
        "Each token takes only its best match. Softmax is softer: every "
        "token gives a little, so row {row} is {wanted_row} and not "
        "{came_row}.",
        "No comparison is needed; the exponential favors the largest score "
        "by itself.",
        ({"share": "winner"}, {"share": "first winner"}),
    ),
    Mistake(
        "equal_weights",
        "Every token gets the same weight, so each row is the plain mean "
        "{mean}. The weights should follow the scores.",
        "Are the scores used at all? Perhaps the softmax runs over an axis "
        "of length 1.",
        ({"share": "equal"},),
    ),
    Mistake(
        "all_weights_one",
        "Every weight is 1, so each row is the sum of all tokens, {sum}. "
        "That happens when softmax gets one score at a time: a single number "
        "always gets the whole share.",
        "Softmax must see all scores of one token together, as one row.",
        ({"share": "ones"},),
    ),
    Mistake(
        "softmax_twice",
        "Softmax is applied twice, so the weights are almost equal: {came} "
        "in place of {wanted}.",
        "Once is enough: find the second call.",
        ({"share": "twice"},),
    ),
    Mistake(
        "logarithm_of_weights",
        "You weigh with the logarithms of the shares. They are negative and "
        "sum to no budget: {came} came in place of {wanted}.",
        "Take the logarithm away.",
        ({"share": "logarithm"},),
    ),
    Mistake(
        "looks_only_back",
        "Your tokens see only themselves and the tokens before them: row 0 "
        "is the first token unchanged. That is the mask of a later chapter; "
        "here every token sees all.",
        "Is there a triangle, or a loop that ends at i?",
        ({"look": "back"},),
    ),
    Mistake(
        "looks_only_ahead",
        "Your tokens see only themselves and the tokens after them: the last "
        "row is the last token unchanged. Here every token sees all.",
        "Is there a triangle, or a loop that begins at i?",
        ({"look": "ahead"},),
    ),
    Mistake(
        "leaves_itself_out",
        "Your tokens do not look at themselves. In self-attention each token "
        "is also one of the tokens it asks, so {wanted} is wanted in place "
        "of {came}.",
        "Does a condition such as `i != j` leave the diagonal out?",
        ({"look": "not itself"}, {"look": "not itself, afterwards"}),
    ),
)
_RESULTS = (
    Mistake(
        "returned_weights",
        "You return the weights, {n} by {n} shares. They are right; one step "
        "is missing: the average of the tokens with these weights.",
        "The result has the shape of X.",
        ({"out": "weights"},),
    ),
    Mistake(
        "returned_scores",
        "You return the scores, the {n} by {n} dot products. They are right; "
        "softmax and the weighted average are missing.",
        "The result has the shape of X.",
        ({"out": "scores"},),
    ),
    Mistake(
        "returned_tokens",
        "Your result is X itself. The context vectors mix the tokens: row "
        "{row} should be {wanted_row}, not {came_row}.",
        "Do you return the variable that you computed?",
        ({"out": "tokens"},),
    ),
    Mistake(
        "star_in_the_average",
        "Weights and tokens are multiplied entry by entry (`*`). The average "
        "also adds up over the tokens, which is a matrix product. Yours "
        "happens to run for a square X and stops for four tokens with two "
        "numbers each.",
        "Which operator of Python is the matrix product?",
        ({"out": "entry by entry"},),
    ),
    Mistake(
        "not_summed",
        "You multiply each token by its weight but do not add up, so the "
        "result has the shape {shape}. A context vector is the sum over the "
        "tokens.",
        "Along which axis do the tokens lie in your result?",
        ({"out": "not summed"},),
    ),
    Mistake(
        "only_its_own_share",
        "Each token is multiplied by its own weight only; what it should "
        "take from the others is missing: {came} in place of {wanted}.",
        "For token i the sum runs over every token j, not only over i itself.",
        ({"out": "diagonal"},),
    ),
    Mistake(
        "transposed",
        "The numbers are right, but rows and columns are exchanged: row i of "
        "the result should be the context vector of token i.",
        "Look for a transpose on the way out.",
        ({"out": "turned"},),
    ),
    Mistake(
        "one_context_only",
        "You return a single context vector. Every token gets one of its "
        "own, so the result has as many rows as X, here {n}.",
        "Does `return` stand inside the loop, or is a list overwritten?",
        ({"out": "first"}, {"out": "last"}),
    ),
    Mistake(
        "contexts_added_up",
        "You add up (or average) the context vectors of all tokens. Each "
        "token keeps its own: the result has as many rows as X, here {n}.",
        "One sum is enough, the one over the tokens that are looked at.",
        ({"out": "sum"}, {"out": "mean"}),
    ),
    Mistake(
        "divided_by_the_number_of_tokens",
        "You divide the weighted sum by n = {n} once more. The weights "
        "already sum to 1, so the sum is an average: {wanted} is wanted in "
        "place of {came}.",
        "A mean inside the weighted sum divides twice.",
        ({"out": "mean of products"},),
    ),
    Mistake(
        "token_added",
        "You add the token to its context vector. That is the residual "
        "connection of a later chapter; here the average alone is wanted.",
        "Remove the last addition.",
        ({"add": "tokens"},),
    ),
)
_REFINEMENTS = (
    Mistake(
        "no_maximum_subtracted",
        "Your contexts are right for short vectors. Here a score is 1600, "
        "and e to the power 1600 is too big for a computer. Subtract each "
        "row's largest score before the exponential; it changes no weight.",
        "The softmax exercise has the same trap. Use your function from there.",
        matches=lambda a: a["long"].broken,
        on="long",
    ),
    Mistake(
        "maximum_of_everything",
        "You subtract the largest score of the whole matrix. The row of the "
        "short token lies so far below it that all its numbers become 0, and "
        "0 divided by 0 is nan. Each row needs its own largest score.",
        "Along which axis should the maximum run, and which shape must it "
        "keep?",
        matches=lambda a: a["short and long"].broken,
        on="short and long",
    ),
    Mistake(
        "whole_numbers_cut",
        "For tokens made of whole numbers your result is whole as well: the "
        "array you write into has an integer type and cuts off what follows "
        "the point.",
        "Give the new array a type with decimals, whatever the type of X.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (*_SCORES, *_WEIGHTS, *_RESULTS, *_REFINEMENTS)
