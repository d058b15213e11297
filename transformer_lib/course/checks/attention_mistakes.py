"""Known wrong answers to the exercise `attention(Q, K, V)`.

The words in braces are filled in by `about_attention` from the shown example.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.attention_cases import (
    LEADING,
    attended,
    is_right,
    made_by,
    softmax,
    turned,
)
from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import Answer

__all__ = ["MISTAKES"]

_SCALES = (
    Mistake(
        "no_scale",
        "The scores are not scaled. Divide them by the root of d_k, here the "
        "root of {d_k}, before the softmax: {wanted} is wanted in place of "
        "{came}.",
        "How many numbers has one query? The root of that is the divisor.",
        ({"scale": "none"},),
    ),
    Mistake(
        "divided_by_d_k",
        "You divide the scores by d_k = {d_k} and not by its root (or twice "
        "by the root). That makes the weights too equal.",
        "A root is missing, or a division stands there twice.",
        ({"scale": "d_k"},),
    ),
    Mistake(
        "root_of_d_v",
        "You divide by the root of d_v, the width of the *values*. A score "
        "is a sum over d_k products, so d_k = {d_k} sets its size; d_v = "
        "{d_v} has no part in it. With d_k equal to d_v nobody would notice.",
        "From which of the three inputs do you read the width?",
        ({"scale": "root of d_v"},),
    ),
    Mistake(
        "root_of_the_number_of_keys",
        "You divide by the root of how *many* keys there are. A score does "
        "not grow with the number of keys; it grows with the numbers in one "
        "key, d_k.",
        "Which axis of K counts the keys, and which the numbers in one key?",
        ({"scale": "root of keys"},),
    ),
    Mistake(
        "root_of_the_number_of_queries",
        "You divide by the root of how *many* queries there are. One query "
        "must not get other weights because others ask as well. The divisor "
        "is the root of d_k.",
        "Which axis of Q counts the queries, and which the numbers in one?",
        ({"scale": "root of queries"},),
    ),
    Mistake(
        "multiplied_by_the_root",
        "You multiply the scores by the root of d_k in place of dividing. "
        "The largest weight becomes larger still.",
        "The root stands below the fraction bar.",
        ({"scale": "times"},),
    ),
    Mistake(
        "fixed_divisor",
        "You divide by a fixed number. The root of 4 was right for the "
        "three tokens of the chapter, and 8 is right for 64 numbers; the "
        "check tries other widths. Here d_k = {d_k}.",
        "Read the width from the input: how many numbers has one query?",
        ({"scale": "always 2"}, {"scale": "always 8"}),
    ),
    Mistake(
        "root_without_brackets",
        "The root went wrong: Python reads `d ** 1 / 2` as `(d ** 1) / 2`, "
        "and `s / d ** 1 / 2` divides by d and then by 2. Here d_k = {d_k}.",
        "Brackets around the 1 / 2, or `0.5`, or NumPy's square root.",
        ({"scale": "half of d_k"}, {"scale": "twice d_k"}),
    ),
    Mistake(
        "scaled_after_the_softmax",
        "You divide after the softmax. Then the weights of a query sum to "
        "1 divided by the root of d_k, and every result is too small: "
        "{came} in place of {wanted}. The division belongs to the scores.",
        "Sum the weights with which you multiply V. What must come out?",
        ({"scale": "after the softmax"},),
    ),
)
_SCORES = (
    Mistake(
        "query_and_key_exchanged",
        "Q and K have changed places: your scores are K times Q turned, so "
        "the keys ask and the queries answer. It runs only if there are as "
        "many queries as keys.",
        "The rows of the scores belong to the queries. Which matrix has to "
        "stand on the left?",
        ({"score": "keys ask"},),
    ),
    Mistake(
        "scores_with_values",
        "You compare the queries with the values. The key answers *does it "
        "match?*, the value is what is handed over. Scores need K.",
        "V takes part in the last step only.",
        ({"score": "values"},),
    ),
    Mistake(
        "keys_not_used",
        "You compare the queries with the queries. A query is compared with "
        "the keys.",
        "Read the line of the scores again: where does K stand in it?",
        ({"score": "queries only"},),
    ),
    Mistake(
        "queries_not_used",
        "You compare the keys with the keys. It is the queries that ask.",
        "Read the line of the scores again: where does Q stand in it?",
        ({"score": "keys only"},),
    ),
    Mistake(
        "not_transposed",
        "You multiply Q by K without turning K on its side. It runs only if "
        "there are as many keys as numbers in a key, and then it multiplies "
        "rows with columns, not queries with keys.",
        "A matrix product takes columns from its second factor. Where are "
        "the keys in K: in its rows or in its columns?",
        ({"score": "not turned"},),
    ),
    Mistake(
        "star_in_the_scores",
        "The scores are multiplied entry by entry (`*`). A dot product also "
        "adds up, and all scores together are one matrix product.",
        "Which operator of Python is the matrix product?",
        ({"score": "entry by entry"},),
    ),
    Mistake(
        "features_attend",
        "Your scores compare the columns of Q and K, so {d_k} by {d_k} "
        "features look at each other. Queries and keys are the *rows*: the "
        "scores are {n_q} by {n_k}.",
        "Print the shape of your scores: first the number of queries, then "
        "the number of keys.",
        ({"score": "features", "out": "features"},),
    ),
    Mistake(
        "cosine_in_place_of_dot_product",
        "You divide queries and keys by their lengths, so your scores are "
        "cosines. Attention uses the plain dot product, in which a longer "
        "key speaks louder.",
        "Remove the norm; the only divisor is the root of d_k.",
        ({"score": "cosine"}, {"score": "cosine", "scale": "none"}),
    ),
    Mistake(
        "distance_in_place_of_dot_product",
        "Your scores are distances with a minus sign; wanted are dot "
        "products. That makes {came} in place of {wanted}.",
        "Multiply query and key entry by entry and add up.",
        ({"score": "distance"},),
    ),
    Mistake(
        "negative_scores",
        "The key that matches least gets the largest weight: a minus sign "
        "stands before the scores.",
        "The largest score should get the largest share.",
        ({"score": "minus"},),
    ),
)
_WEIGHTS = (
    Mistake(
        "softmax_over_queries",
        "Softmax runs down the columns, over the queries, so the queries "
        "compete for each key. Each *query* has a budget of 1: its weights "
        "for all keys, one row, sum to 1. Yours in row {row} sum to "
        "{column_weights}.",
        "Sum your weights along both directions. Which of the two sums is "
        "all ones? The axis of the keys is the last one.",
        ({"share": "column softmax"},),
    ),
    Mistake(
        "softmax_over_everything",
        "One softmax runs over the whole matrix, so all queries share one "
        "budget of 1 and the results come out too small: {came} in place of "
        "{wanted}.",
        "Each row of scores needs a softmax of its own.",
        ({"share": "one softmax"},),
    ),
    Mistake(
        "softmax_over_features",
        "Softmax runs over the numbers of the result, so each row of your "
        "result sums to 1. Softmax belongs between the scores and V: it "
        "shares each query among the keys.",
        "First shares, then the weighted sum. Which of the two comes last "
        "in your code?",
        ({"out": "softmax last"}, {"out": "softmax of result"}),
    ),
    Mistake(
        "no_softmax",
        "The softmax is missing: you weigh the values with the raw scores, "
        "and {came} comes out in place of {wanted}.",
        "Between the scores and the weighted sum one step is missing.",
        ({"share": "scores"}, {"share": "scores", "scale": "none"}),
    ),
    Mistake(
        "no_exponential",
        "You divide the scores by their sum without the exponential. A "
        "negative score becomes a negative weight, and a sum of 0 breaks "
        "the row.",
        "Use the softmax of chapter 2.",
        ({"share": "divided scores"},),
    ),
    Mistake(
        "not_divided",
        "You take the exponential of the scores but do not divide by its "
        "sum, so the weights of a query are no shares: {came} came in place "
        "of {wanted}.",
        "What should the weights of one query sum to?",
        ({"share": "exponential"}, {"share": "exponential from the top"}),
    ),
    Mistake(
        "base_two",
        "You raise 2 to the scores, as in the game with votes. Softmax uses "
        "e = 2.718, so {wanted} is wanted in place of {came}.",
        "Only the base is wrong, everything else is right.",
        ({"share": "base two"},),
    ),
    Mistake(
        "sigmoid",
        "You use the sigmoid, which looks at each score alone; the weights "
        "of a query then do not sum to 1. Softmax lets the keys compete.",
        "Use the softmax of chapter 2.",
        ({"share": "sigmoid"},),
    ),
    Mistake(
        "winner_takes_all",
        "Each query takes only its best match, like a library that lends out "
        "one book. Softmax is softer: every value gives a little.",
        "No comparison is needed; the exponential favors the largest score "
        "by itself.",
        ({"share": "winner"},),
    ),
    Mistake(
        "equal_weights",
        "Every value gets the same weight, so all queries get the plain mean "
        "of V. The weights should follow the scores.",
        "Are the scores used at all? Perhaps the softmax runs over an axis "
        "of length 1.",
        ({"share": "equal"},),
    ),
    Mistake(
        "values_not_weighted",
        "You add up the values without weights: every weight is 1. That "
        "also happens when softmax gets one score at a time, because a "
        "single number always gets the whole share.",
        "Softmax must see all scores of one query together, as one row, and "
        "each value is multiplied by its share before the sum.",
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
        "votes_never_reset",
        "The list of votes goes on from one query to the next. The first "
        "query is right; each later one is still served the votes of the "
        "first and divides by the votes of all.",
        "Each query needs an empty list of its own. Where does yours begin?",
        ({"share": "votes kept"},),
    ),
    Mistake(
        "sum_not_kept_as_a_column",
        "The sum of each row has to divide that row. Yours lie in a row of "
        "their own, so the sum of row 2 divides *column* 2. It runs only if "
        "there are as many queries as keys.",
        "`keepdims=True` keeps the sums as a column.",
        (
            {"share": "sum not kept"},
            {"share": "sum not kept, from the top"},
        ),
    ),
    Mistake(
        "looks_only_back",
        "Query i sees only the keys up to place i. That is the mask of a "
        "later chapter; here every query sees every key.",
        "Is there a triangle, or a loop that ends at i?",
        ({"look": "back"},),
    ),
)
_RESULTS = (
    Mistake(
        "keys_as_values",
        "You average the keys. The keys only decide on the weights; what is "
        "handed over are the values V. Your result has {came_columns} "
        "columns, and V has {d_v}.",
        "K is needed for the scores and never again.",
        ({"out": "keys"},),
        on="two queries",
    ),
    Mistake(
        "queries_as_values",
        "You average the queries. What is handed over are the values V. It "
        "runs only if there are as many queries as keys.",
        "Q is needed for the scores and never again.",
        ({"out": "queries"},),
    ),
    Mistake(
        "values_transposed",
        "V is turned on its side in the weighted sum. The weights of a query "
        "meet the *rows* of V, one row for each key; only K is turned.",
        "With five keys the weights of one query are five numbers. Which "
        "axis of V has as many?",
        ({"out": "values turned"},),
    ),
    Mistake(
        "weights_transposed",
        "The weights are turned on their side before the weighted sum, so "
        "query i gets what the others give to key i. It runs only if there "
        "are as many queries as keys.",
        "The rows of the weights belong to the queries, as do the rows of "
        "the result.",
        ({"out": "weights turned"},),
    ),
    Mistake(
        "returned_weights",
        "You return the weights, {n_q} by {n_k} shares. They are right; one "
        "step is missing: the average of the values with these weights.",
        "The result has as many columns as V.",
        ({"out": "weights"},),
    ),
    Mistake(
        "returned_scores",
        "You return the scaled scores, {n_q} by {n_k} numbers. They are "
        "right; softmax and the weighted sum are missing.",
        "The result has as many columns as V.",
        ({"out": "scores"},),
    ),
    Mistake(
        "star_in_the_average",
        "Weights and values are multiplied entry by entry (`*`). A weighted "
        "sum also adds up over the keys, which is a matrix product. Yours "
        "happens to run for square inputs.",
        "Which operator of Python is the matrix product?",
        ({"out": "entry by entry"},),
    ),
    Mistake(
        "not_summed",
        "You multiply each value by its weight but do not add up, so the "
        "result has the shape {shape}. Each query gets one vector, the sum "
        "over the keys.",
        "Along which axis do the keys lie in your result?",
        ({"out": "not summed"},),
    ),
    Mistake(
        "divided_by_the_number_of_keys",
        "You divide the weighted sum by the number of keys once more. The "
        "weights already sum to 1, so the sum is an average: {wanted} is "
        "wanted in place of {came}.",
        "A mean in place of a sum divides twice.",
        ({"out": "mean of products"},),
    ),
    Mistake(
        "transposed",
        "The numbers are right, but rows and columns are exchanged: row i of "
        "the result belongs to query i.",
        "Look for a transpose on the way out.",
        ({"out": "turned"},),
    ),
    Mistake(
        "result_never_reset",
        "The results of the queries pile up: each one still holds what the "
        "queries before it took home, or all rows are one and the same "
        "array. {came} comes out in place of {wanted}.",
        "The array that you add to begins with zeros *for each query*, "
        "inside the loop over the queries.",
        ({"out": "running"}, {"out": "everywhere the sum"}),
    ),
    Mistake(
        "values_on_the_left",
        "You multiply V by the weights; the weights stand on the left. It "
        "runs only if the values are as wide as there are queries.",
        "The result has a row for each query. Which of the two factors has "
        "these rows?",
        ({"out": "values first"},),
    ),
    Mistake(
        "one_query_only",
        "You return the result of a single query. Each query gets one of its "
        "own, so the result has as many rows as Q.",
        "Does `return` stand inside the loop, or is a list overwritten?",
        ({"out": "first"}, {"out": "last"}),
    ),
    Mistake(
        "queries_added_up",
        "You add up (or average) the results of all queries. Each query "
        "keeps its own: the result has as many rows as Q.",
        "One sum is enough, the one over the keys.",
        ({"out": "sum"}, {"out": "mean"}),
    ),
)


def _flattened(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """All leading axes thrown together: everybody looks at everybody."""
    rows = [x.reshape(-1, x.shape[-1]) for x in (q, k, v)]
    return attended(*rows).reshape(*q.shape[:-1], v.shape[-1])


def _flat(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    return _flattened(q, k, v).reshape(-1, v.shape[-1])


def _axis(place: int):
    """Softmax along an axis counted from the front."""

    def variant(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        return softmax(q @ turned(k) / q.shape[-1] ** 0.5, place) @ v

    return variant


def _scaled_by(place: int, which: int = 0):
    """The divisor read from an axis counted from the front."""

    def variant(*args: np.ndarray) -> np.ndarray:
        q, k, v = args
        size = args[which].shape[place]
        return softmax(q @ turned(k) / size**0.5) @ v

    return variant


def _all_turned(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    return softmax(q @ k.T / q.shape[-1] ** 0.5) @ v


def _first(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    return attended(q, k, v)[0]


def _joined(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    return attended(q, k, v).reshape(-1, v.shape[-1])


def _any(*variants):
    tests = [made_by(variant) for variant in variants]
    return lambda answers: any(test(answers) for test in tests)


def _only_one(answers: dict[str, Answer]) -> bool:
    return is_right(answers["batch"], "batch") and not is_right(
        answers["batch and heads"], "batch and heads"
    )


def _only_two(answers: dict[str, Answer]) -> bool:
    return not any(is_right(answers[c.name], c.name) for c in LEADING)


_LEADING = (
    Mistake(
        "turned_all_axes",
        "Two axes are right. With more, `.T` reverses the order of *all* "
        "axes, so sentences and numbers change places. Only the last two "
        "axes of K are to be exchanged.",
        "In NumPy a function swaps two axes that you name, and `.mT` turns "
        "each matrix; name the last two, counted from the end.",
        matches=made_by(_all_turned),
        on="square batch",
    ),
    Mistake(
        "flattened_leading_axes",
        "Two axes are right. With more, you put all rows into one long "
        "matrix, so the queries of one sentence look at the keys of every "
        "other sentence. Each sentence keeps to itself.",
        "A matrix product does that for you: it treats all axes before the "
        "last two as a pile of matrices.",
        matches=_any(_flattened, _flat),
        on="batch",
    ),
    Mistake(
        "softmax_axis_from_the_front",
        "Two axes are right. With more, your softmax runs along an axis "
        "counted from the front, and that is another one now. The keys are "
        "on the last axis of the scores.",
        "Count from the end: the last axis is number -1, however many there "
        "are.",
        matches=_any(_axis(1), _axis(0)),
        on="batch",
    ),
    Mistake(
        "width_from_the_front",
        "Two axes are right. With more, you read the width of a query from "
        "an axis counted from the front, so the scores are divided by the "
        "root of something else. The width is the length of the *last* axis.",
        "Count from the end: the last axis is number -1, however many there "
        "are.",
        matches=_any(_scaled_by(1), _scaled_by(1, 1)),
        on="batch",
    ),
    Mistake(
        "first_of_the_batch_only",
        "Two axes are right. With more, you return the result of the first "
        "sentence and forget the others.",
        "Is there a leading [0], or a return inside the loop over the batch?",
        matches=made_by(_first),
        on="batch",
    ),
    Mistake(
        "leading_axes_lost",
        "The numbers are right, but the leading axes got lost: the result "
        "has all axes of Q except the last, and then the width of V.",
        "Bring the result back into the shape that the leading axes had.",
        matches=made_by(_joined),
        on="batch",
    ),
    Mistake(
        "one_leading_axis_only",
        "Two and three axes are right, four are not: sentences *and* heads "
        "stand before the last two axes. Do not count the leading axes; "
        "leave them alone.",
        "Name the last two axes by counting from the end, and no loop over "
        "the batch is needed.",
        matches=_only_one,
        on="batch and heads",
    ),
    Mistake(
        "only_two_axes",
        "With two axes everything is right. The exercise also wants leading "
        "axes: a batch of sentences, or of sentences and heads, in which "
        "each matrix is treated on its own.",
        "NumPy's matrix product already treats leading axes so. What "
        "remains is to turn K along its last two axes and to run softmax "
        "along the last.",
        matches=_only_two,
        on="batch",
    ),
)


_REFINEMENTS = (
    Mistake(
        "no_maximum_subtracted",
        "Your results are right for moderate scores. Here a score is 2546, "
        "and e to the power 2546 is too big for a computer. Subtract each "
        "row's largest score before the exponential; it changes no weight.",
        "The softmax of chapter 2 has the same trap. Use your function from "
        "there, or the book's.",
        matches=lambda a: a["long"].broken,
        on="long",
    ),
    Mistake(
        "maximum_of_everything",
        "You subtract one maximum from the whole matrix. A row far below it "
        "becomes all zeros, and 0 divided by 0 is not a number.",
        "Each row needs its own maximum, kept as a column.",
        matches=lambda a: a["short and long"].broken,
        on="short and long",
    ),
    Mistake(
        "whole_numbers_cut",
        "When the inputs hold whole numbers, what follows the point gets "
        "lost: the array that you write into has a type for whole numbers.",
        "A fresh array of zeros holds numbers with decimals, unless you give "
        "it the type of an input.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (
    *_SCALES,
    *_SCORES,
    *_WEIGHTS,
    *_RESULTS,
    *_LEADING,
    *_REFINEMENTS,
)
