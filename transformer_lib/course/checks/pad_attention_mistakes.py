"""Known wrong answers to the exercise `pad_attention(Q, K, V, ids, pad)`.

The words in braces are filled in by `about_pad_attention` from the example.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import RAISED, Answer
from transformer_lib.course.checks.pad_attention_cases import wrong_there

__all__ = ["MISTAKES"]


def _hidden_by(**knobs: str) -> tuple[dict, ...]:
    """A mistake that leaves queries with no key, in four programs."""
    ways = ("minus infinity, nan", "very low", "very low, added")
    return knobs, *(knobs | {"hide": way} for way in ways)


def _cleaned(**knobs: str) -> tuple[dict, ...]:
    """A mistake that gives nan, or zeros where the nan is cleaned away."""
    ways = ("minus infinity, cleaned", "very low")
    return knobs, *(knobs | {"hide": way} for way in ways)


_REAL = (
    Mistake(
        "mask_flipped",
        "You look at the padding and hide the words. `ids == pad` is True at "
        "the padding; True in this book means *may be looked at*.",
        "Print your mask for the first sentence: at which tokens is it True?",
        _hidden_by(real="the padding"),
    ),
    Mistake(
        "pad_taken_as_0",
        "You hide the tokens with the number 0. Here the padding has the "
        "number {pad}, and where 0 occurs it is a word like any other. Never "
        "write the number; the function gets `pad`.",
        "Where does a 0 stand in your code? (Turning ids into True and False "
        "hides one.)",
        ({"real": "not 0"},),
        on="padding is 1",
    ),
    Mistake(
        "pad_taken_as_1",
        "You hide the tokens with the number 1. Here the padding has the "
        "number {pad}.",
        "Never write the number; the function gets `pad`.",
        ({"real": "not 1"},),
    ),
    Mistake(
        "greater_in_place_of_unequal",
        "You keep the tokens whose number is *greater* than pad. That is "
        "right only as long as the padding has the smallest number; here it "
        "is {pad}.",
        "A token is a word when its number is *not* pad.",
        ({"real": "above the padding"},),
        on="padding is 9",
    ),
    Mistake(
        "mask_of_the_first_sentence",
        "The padding of the first sentence is hidden in all of them. Each "
        "sentence has its own length and needs a row of the mask of its own.",
        "Is there an `ids[0]`? The mask has the shape of ids.",
        ({"real": "of the first"},),
    ),
    Mistake(
        "first_sentence_only",
        "Only the first sentence is masked; in the others the padding is "
        "looked at.",
        "Is there an index [0] where the mask is put on, or a loop that ends "
        "too early?",
        ({"real": "only of the first"},),
    ),
    Mistake(
        "hidden_wherever_any_is_padded",
        "You hide a place in *all* sentences as soon as one of them has "
        "padding there, so the longer sentences lose words.",
        "Do not take `all` or `any` over the sentences.",
        _hidden_by(real="of all"),
    ),
    Mistake(
        "only_the_last_place",
        "You hide the last place of each sentence, whatever stands there. "
        "How much padding there is, the ids say.",
        "Compare ids with pad, at every place.",
        ({"real": "not the last"},),
    ),
    Mistake(
        "counted_one_wrong",
        "The number of words is off by one: you show one place of padding as "
        "well, or hide the last word.",
        "A place with the number j, counted from 0, is a word when j is "
        "*smaller* than the number of words. Or ask each token instead.",
        ({"real": "one too many"}, *_hidden_by(real="one too few")),
    ),
)
_WHO = (
    Mistake(
        "queries_masked",
        "You hide the *rows* of the padded queries. The padded *keys* are to "
        "be hidden, their columns, whoever asks: a real word must not look "
        "at padding. What a padded query takes home, nobody reads.",
        "The axis of the keys is the last one of the scores. Where does your "
        "mask get its new axis?",
        _hidden_by(who="queries"),
    ),
    Mistake(
        "queries_masked_too",
        "The keys are right, but you hide the rows of the padded queries as "
        "well. They then have nothing to look at, and become zeros or nan. "
        "Leave them alone: ordinary numbers that nobody reads do no harm.",
        "One new axis is enough: the mask of the keys stretches over the "
        "queries.",
        (*_hidden_by(who="both"), {"out": "no rows of padding"}),
    ),
    Mistake(
        "or_in_place_of_and",
        "You join two masks with `or`: a real query may then look at "
        "everything, the padding included.",
        "No second mask is needed here. And where two are, both must allow.",
        ({"who": "either"},),
    ),
    Mistake(
        "sentences_taken_for_queries",
        "Your mask has the shape (B, n_k), and scores have (B, n_q, n_k). "
        "Broadcasting lines shapes up from the right, so query 1 of every "
        "sentence gets the padding of sentence 1, query 2 that of sentence "
        "2. It runs only if there are as many queries as sentences.",
        "The mask needs an axis of length 1 for the queries, in the middle.",
        _hidden_by(who="sentences"),
    ),
    Mistake(
        "no_mask",
        "Nothing is hidden: the words look at the padding. Does your masking "
        "line store its result?",
        "A function that fills or chooses returns a new array and leaves the "
        "old one as it is.",
        ({"who": "nobody"},),
    ),
    Mistake(
        "causal_in_place_of_padding",
        "You hide the later words and not the padding. That is the mask of "
        "the last exercise.",
        "This mask comes from ids and pad; no triangle is needed.",
        ({"who": "causal"},),
    ),
    Mistake(
        "causal_too",
        "The padding is hidden, and the later words as well. This exercise "
        "wants the padding mask alone: an encoder reads in both directions.",
        "Is there a triangle, or a loop that ends at i?",
        ({"who": "keys, causal"},),
    ),
)
_HOW = (
    Mistake(
        "zeroed_scores",
        "You set the scores of the padding to 0 (a key of zeros does the "
        "same). But e to the power 0 is 1: padding still gets a vote.",
        "Which score has a vote of 0?",
        ({"hide": "zero"},),
    ),
    Mistake(
        "zero_vectors_are_no_mask",
        "You set keys and values of the padding to zero. A zero key has the "
        "score 0 with every query and the vote e to the power 0 = 1, so it "
        "still takes its share of the budget.",
        "Hide scores, not vectors.",
        ({"hide": "zero vectors"},),
    ),
    Mistake(
        "zero_values_are_no_mask",
        "You set the values of the padding to zero (or skip them in the last "
        "sum). The padding still takes its share, and then hands over "
        "nothing: every result is too small, {came} in place of {wanted}.",
        "Hide before the softmax, so that the shares of the *words* sum to 1.",
        ({"hide": "zero values"}, {"hide": "after the softmax"}),
    ),
    Mistake(
        "fill_too_small",
        "You fill in a negative number that is too close to the scores, so "
        "the padding keeps a small vote.",
        "Only one number gives exactly 0 for every size of the scores.",
        ({"hide": "minus e"}, {"hide": "minus one"}, {"hide": "minus ten"}),
    ),
    Mistake(
        "plus_in_place_of_minus",
        "The scores of the padding become very *large*: a minus sign is "
        "missing, and the padding gets everything.",
        "Which sign must a score have, so that its vote is 0?",
        ({"hide": "plus very much"},),
    ),
    Mistake(
        "mask_times_infinity",
        "You multiply the mask by infinity. 0 times infinity is not a number "
        "(nan). Do not compute with infinity; choose.",
        "NumPy has a function that takes one of two values, by a mask.",
        ({"hide": "mask times infinity"},),
    ),
    Mistake(
        "mask_added",
        "You add the mask itself, its ones and zeros, to the scores. That "
        "raises some by 1 and hides nothing.",
        "A mask that is added has to hold 0 where a key may be seen, and "
        "what elsewhere?",
        ({"hide": "mask added"},),
    ),
)
_REST = (
    Mistake(
        "no_scale",
        "The scores are not divided by the root of d_k, here the root of "
        "{d_k}.",
        "How many numbers has one query?",
        ({"scale": "none"},),
    ),
    Mistake(
        "divided_by_d_k",
        "You divide the scores by d_k = {d_k} and not by its root.",
        "A root is missing, or a division stands there twice.",
        ({"scale": "d_k"},),
    ),
    Mistake(
        "root_of_d_v",
        "You divide by the root of d_v, the width of the values. The divisor "
        "is the root of d_k, the width of a query, here {d_k}.",
        "The scores are made of queries and keys; the values have no part "
        "in them.",
        ({"scale": "root of d_v"},),
    ),
    Mistake(
        "root_of_the_number_of_keys",
        "You divide by the root of how *many* keys or queries there are. The "
        "divisor is the root of d_k, the width of a query, here {d_k}.",
        "In a batch the axes are (B, n, d): which one did you read?",
        ({"scale": "root of keys"}, {"scale": "root of queries"}),
    ),
    Mistake(
        "softmax_over_queries",
        "Softmax runs over the queries. Each query has a budget of 1 for its "
        "keys, and those lie along the last axis.",
        "With a batch, axis 1 is that of the queries.",
        _cleaned(share="column softmax"),
    ),
    Mistake(
        "softmax_over_the_batch",
        "Softmax runs over the sentences, so they compete with each other. "
        "The keys lie along the last axis.",
        "Axis 0 counts the sentences.",
        _cleaned(share="batch softmax"),
    ),
    Mistake(
        "softmax_over_everything",
        "One softmax runs over the whole batch: all queries of all sentences "
        "share one budget of 1.",
        "Name the axis, and keep the sums as a column.",
        ({"share": "one softmax"},),
    ),
    Mistake(
        "not_divided",
        "You take e to the power of the scores and do not divide by the sum.",
        "What should the weights of one query sum to?",
        ({"share": "exponential"},),
    ),
    Mistake(
        "mean_of_the_words",
        "Every word gets the same share: you take the mean of the values of "
        "the real words. The scores play no part.",
        "Do Q and K stand in your last lines?",
        ({"share": "equal"},),
    ),
    Mistake(
        "divided_by_the_number_of_words",
        "You divide the result once more, by the number of real words. The "
        "shares already sum to 1, so the sum is an average.",
        "A mean in place of a sum divides twice.",
        ({"out": "mean"},),
    ),
    Mistake(
        "returned_weights",
        "You return the weights. They are right; the weighted sum of the "
        "values is missing.",
        "The result has as many columns as V.",
        ({"out": "weights"},),
    ),
    Mistake(
        "one_sentence_only",
        "Only the first sentence came back. Each sentence of the batch has a "
        "result.",
        "Is there a [0] at the end, or a `return` inside the loop over the "
        "sentences?",
        ({"out": "first sentence"},),
    ),
    Mistake(
        "queries_added_up",
        "You add up the results of all queries. Each query takes home a "
        "vector of its own.",
        "The sum runs over the keys; the matrix product does that.",
        ({"out": "sum over queries"},),
    ),
)


def _no_numbers_there(answers: dict[str, Answer]) -> bool:
    """Not a number, or an error, where there is nothing to look at."""
    got = answers["only padding"]
    return got.kind == RAISED or got.broken


def _mean_there(answers: dict[str, Answer]) -> bool:
    """Finite and not zero where there is nothing to look at."""
    got = answers["only padding"]
    return (
        wrong_there(answers, "only padding")
        and got.array is not None
        and bool(np.isfinite(got.array).all())
    )


_REFINEMENTS = (
    Mistake(
        "padding_only_on_the_right",
        "Padding on the right is hidden, padding on the left is not. You "
        "count the words and keep that many places from the left; ask each "
        "token instead.",
        "`ids != pad` answers for every place, wherever the padding stands.",
        matches=lambda a: wrong_there(a, "padding on the left"),
        on="padding on the left",
    ),
    Mistake(
        "hidden_scores_still_count",
        "Here the scores of the padding are in the thousands, and your "
        "answer breaks or moves. Some step before the hiding looks at all "
        "scores (a maximum, or a first softmax). Hide first, then compute.",
        "What is the first line that touches the scores? It should be the "
        "one that hides.",
        matches=lambda a: wrong_there(a, "loud padding"),
        on="loud padding",
    ),
    Mistake(
        "nothing_to_look_at_gives_nan",
        "A sentence of nothing but padding gives nan, or an error: all its "
        "votes are 0, and 0 is divided by 0. In this book a query with "
        "nothing to look at takes home zeros.",
        "Which queries have a key at all? Ask the mask along its last axis, "
        "and set the weights of the others to 0 after the softmax.",
        matches=_no_numbers_there,
        on="only padding",
    ),
    Mistake(
        "nothing_to_look_at_gives_an_average",
        "A sentence of nothing but padding gives an average of the padding, "
        "as if nothing were hidden: with a finite fill such as -1e9 all "
        "scores of the row are equal again. In this book such a query takes "
        "home zeros.",
        "Use minus infinity, and set the weights of queries without any key "
        "to 0 after the softmax.",
        matches=_mean_there,
        on="only padding",
    ),
)
MISTAKES = (*_REAL, *_WHO, *_HOW, *_REST, *_REFINEMENTS)
