"""Known wrong answers to the exercise `scaled_scores(Q, K)`.

The words in braces are filled in by `about_scaled_scores` from the shown
example.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, RAISED, Answer

__all__ = ["MISTAKES"]


def _only_the_stack(answers: dict[str, Answer]) -> bool:
    """Whole numbers are right; the stack has the right shape alone."""
    whole, stack = answers["whole numbers"], answers["two sentences"]
    return (
        whole.kind == stack.kind == ARRAY
        and np.allclose(whole.array, answers["small"].array)
        and stack.array.shape == (2, 2, 4)
    )


def _stops(answer: Answer) -> bool:
    return answer.kind == RAISED


_SCALES = (
    Mistake(
        "no_scale",
        "Your scores are the plain dot products. Divide them by the root of "
        "d_k = {d_k}, which is {root}: {came} came in place of {wanted}.",
        "How many products are added up in one score? Its root is the "
        "number to divide by.",
        ({"scale": "none"},),
    ),
    Mistake(
        "divided_by_d_k",
        "You divide by d_k = {d_k}, not by its root, {root}. Perhaps both Q "
        "and K are divided by the root: that is twice. The scores become so "
        "small that all keys look alike: {came} in place of {wanted}.",
        "The variance grows like d_k, but the typical size of a score is the "
        "standard deviation.",
        ({"scale": "d_k"},),
    ),
    Mistake(
        "divided_by_the_square",
        "You divide by the square of d_k where its root is wanted: {came} in "
        "place of {wanted}.",
        "In Python `** 2` squares and `** 0.5` takes the root.",
        ({"scale": "square of d_k"},),
    ),
    Mistake(
        "half_of_d_k",
        "You divide by half of d_k = {d_k}. For d_k = 4 that is the root as "
        "well, 2, and for no other width: {came} came in place of {wanted}.",
        "In Python `/ 2` halves and `** 0.5` takes the root.",
        ({"scale": "half of d_k"},),
    ),
    Mistake(
        "root_of_the_score",
        "You take the root of the score itself, perhaps of the whole "
        "fraction. Wanted is the root of d_k alone; a score below 0 has no "
        "root and becomes nan.",
        "Look at where the bracket after the root closes.",
        ({"scale": "root of the fraction"}, {"scale": "root of the score"}),
    ),
    Mistake(
        "fourth_root",
        "You divide by the root of the root of d_k. Dividing Q and K by that "
        "is a known trick, but then both of them need it: {came} came in "
        "place of {wanted}.",
        "Divide the finished dot products, once, by the root of d_k.",
        ({"scale": "fourth root"},),
    ),
    Mistake(
        "logarithm_of_d_k",
        "You divide by the logarithm of d_k = {d_k}; wanted is its root, "
        "{root}.",
        "Which function of NumPy takes a root?",
        ({"scale": "logarithm"},),
    ),
    Mistake(
        "root_of_the_number_of_keys",
        "You divide by the root of the number of keys, n_k = {n_k}. The size "
        "of a score has nothing to do with how many keys there are: it is a "
        "sum of d_k = {d_k} products.",
        "Which entry of `K.shape` counts the numbers of one key?",
        ({"scale": "root of n_k"},),
    ),
    Mistake(
        "root_of_the_number_of_queries",
        "You divide by the root of the number of queries, n_q = {n_q}; "
        "`len(Q)` counts rows. Wanted is how many numbers a row has, "
        "d_k = {d_k}.",
        "Which entry of `Q.shape` counts the numbers of one query?",
        ({"scale": "root of n_q"},),
    ),
    Mistake(
        "root_of_all_entries",
        "You divide by the root of how many numbers K has in all. One score "
        "uses one row of K only, d_k = {d_k} numbers.",
        "`K.size` counts everything; which entry of `K.shape` counts one row?",
        ({"scale": "root of size"},),
    ),
    Mistake(
        "multiplied_by_the_root",
        "You multiply by the root of d_k. That makes large scores larger "
        "still: {came} in place of {wanted}.",
        "Replace one sign.",
        ({"scale": "times"},),
    ),
    Mistake(
        "only_the_first_column",
        "Only the first number of each query is divided by the root, so only "
        "one of the {d_k} products of a score is scaled: {came} in place of "
        "{wanted}.",
        "Divide the finished scores; then no column can be left out.",
        ({"scale": "first column"},),
    ),
    Mistake(
        "always_two",
        "You always divide by 2. That is right for d_k = 4, as in the "
        "examples on paper, and wrong for every other width: {came} in place "
        "of {wanted}.",
        "Take d_k from the shape of Q.",
        ({"scale": "two"},),
        on="three queries",
    ),
    Mistake(
        "always_eight",
        "You always divide by 8, the root of the paper's 64. Here d_k is "
        "{d_k}, so {came} came in place of {wanted}.",
        "Take d_k from the shape of Q.",
        ({"scale": "eight"},),
    ),
    Mistake(
        "root_of_d_model",
        "You divide by the root of 512, the paper's d_model. What counts is "
        "the width of one query, d_k = {d_k} here.",
        "Take d_k from the shape of Q.",
        ({"scale": "root of 512"},),
    ),
    Mistake(
        "own_spread",
        "You divide the scores by their own standard deviation. A query that "
        "has nothing to say would then shout as loudly as any other; the "
        "paper divides by a constant, the root of d_k = {d_k}.",
        "The number to divide by depends on the shape alone, never on the "
        "values.",
        ({"scale": "own spread"}, {"scale": "own row spread"}),
    ),
    Mistake(
        "own_largest",
        "You divide by the largest score, so no score exceeds 1: no query "
        "can ever prefer a key clearly. Divide by the root of d_k = {d_k}.",
        "The number to divide by depends on the shape alone, never on the "
        "values.",
        ({"scale": "own largest"},),
    ),
    Mistake(
        "whole_part",
        "You divide with `//`, which cuts off what follows the point: {came} "
        "in place of {wanted}.",
        "A single stroke divides.",
        ({"scale": "whole part"},),
    ),
)
_SCORES = (
    Mistake(
        "cosine",
        "You bring queries and keys to length 1 first, so your scores are "
        "cosines. Attention does not divide by the lengths of the vectors "
        "but by a constant, the root of d_k = {d_k}.",
        "Remove the norms. The lengths are the model's own choice.",
        (
            {"score": "cosine", "scale": "none"},
            {"score": "cosine"},
        ),
    ),
    Mistake(
        "unit_queries",
        "You divide each query by its own length. A long query is a decided "
        "one; that would be lost. Divide by the root of d_k = {d_k}, the "
        "same for all.",
        "Which number depends on the shape alone?",
        (
            {"score": "unit queries", "scale": "none"},
            {"score": "unit queries"},
        ),
    ),
    Mistake(
        "unit_keys",
        "You divide each key by its own length. Divide by the root of "
        "d_k = {d_k}, the same for all.",
        "Which number depends on the shape alone?",
        (
            {"score": "unit keys", "scale": "none"},
            {"score": "unit keys"},
        ),
    ),
    Mistake(
        "keys_ask",
        "Your table is turned: the shape is {shape}, wanted is "
        "{wanted_shape}. A row belongs to a query.",
        "Exchange the two factors.",
        ({"score": "keys ask"},),
    ),
    Mistake(
        "star_in_place_of_at",
        "You multiply Q and K entry by entry (`*`). A dot product also adds "
        "up, and every query meets every key. Yours runs only if there are "
        "as many queries as keys.",
        "Which operator of Python is the matrix product?",
        ({"score": "entry by entry"},),
        on="square",
    ),
    Mistake(
        "not_transposed",
        "You multiply Q by K without turning K on its side. It runs only if "
        "n_k equals d_k, and then it mixes the keys up.",
        "Write the two shapes side by side: the inner numbers must be d_k.",
        ({"score": "not turned"},),
        on="square",
    ),
    Mistake(
        "features_compared",
        "You compare the columns of Q with those of K. Queries and keys are "
        "rows: the table should be {wanted_shape}, yours is {shape}.",
        "Which of the two has to be turned on its side?",
        ({"score": "features"},),
        on="square",
    ),
    Mistake(
        "each_query_with_its_own_key",
        "You multiply query 1 with key 1, query 2 with key 2, and so on. "
        "Every query meets every key: n_q times n_k scores.",
        "The result has one row a query and one column a key.",
        ({"score": "same row"},),
        on="square",
    ),
    Mistake(
        "distance",
        "Your scores are distances with a minus sign; wanted are dot products.",
        "Multiply pair by pair and add up.",
        ({"score": "distance"}, {"score": "distance", "scale": "none"}),
    ),
)
_ENDS = (
    Mistake(
        "softmax_too",
        "You return shares. Here the scores are wanted; softmax comes "
        "afterwards.",
        "Leave the last step away.",
        ({"then": "softmax"},),
    ),
    Mistake(
        "exponential_too",
        "You return e to the power of each score. Here the scores themselves "
        "are wanted.",
        "Leave the last step away.",
        ({"then": "exponential"},),
    ),
    Mistake(
        "maximum_subtracted_too",
        "You take the largest score off each row. That belongs to softmax, "
        "which does it by itself; here the scores are wanted as they are.",
        "Leave the last step away.",
        ({"then": "minus the largest"},),
    ),
    Mistake(
        "minus_sign",
        "All signs are turned around: {came} in place of {wanted}.",
        "Find the minus sign.",
        ({"then": "minus"},),
    ),
    Mistake(
        "rounded",
        "Your scores are rounded ({came} in place of {wanted}). Round when "
        "you print, not when you compute.",
        "Return the numbers as they come.",
        ({"then": "rounded"}, {"then": "rounded a little"}),
    ),
    Mistake(
        "whole_numbers_cut",
        "For whole numbers in Q and K your scores are whole as well: the "
        "array you write into has an integer type and cuts off what follows "
        "the point.",
        "Give the new array a type with decimals, whatever the type of Q.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
    Mistake(
        "one_sentence_only",
        "Right for one sentence. For a stack of sentences, shape "
        "(2, 2, 3) and (2, 4, 3), your function stops. `K.T` turns *all* "
        "axes around, and a fixed `K.shape[1]` is no longer d_k.",
        "Only the last two axes of K change places: look up `swapaxes`, or "
        "`.mT`. And count axes from the end: `Q.shape[-1]`.",
        matches=lambda a: _stops(a["two sentences"]),
        on="two sentences",
    ),
    Mistake(
        "axes_counted_from_the_front",
        "Right for one sentence. In a stack of sentences `shape[0]` counts "
        "sentences and `shape[1]` rows; the width d_k is the *last* entry of "
        "the shape, 3 here.",
        "Count axes from the end: `Q.shape[-1]`.",
        matches=_only_the_stack,
        on="two sentences",
    ),
)
MISTAKES = (*_SCALES, *_SCORES, *_ENDS)
