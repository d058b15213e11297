"""The exercise `self_attention(X)` and the wrong answers it knows."""

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
from transformer_lib.course.checks.engine.reading import ARRAY, number, show
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "self_attention"]


def self_attention(function: Any) -> Verdict:
    """Check a function `self_attention(X)`: softmax(X X^T) X, row by row.

    Neither a scale nor projections are wanted here; they come in later
    chapters. Because X X^T is symmetric, a softmax down the columns, a
    transposed matrix of weights and a sum that lost its axis give the same
    numbers: one name serves all three, and two of them together are right.

    Args:
        function: takes X of shape (n, d), whose rows are the tokens, and
            returns the n context vectors, shape (n, d). Lists and tensors
            are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.1, without scale. Chapter 2.
    """
    return judge(EXERCISE, function)


def solution(X):
    scores = X @ X.T
    weights = softmax(scores, axis=1)
    return weights @ X


def top(x):
    return x.max(axis=1, keepdims=True)


def shares(votes):
    return votes / votes.sum(axis=1, keepdims=True)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def added_up_in(dtype, parts):
    """Sum over the second axis, number by number, in an array of `dtype`."""
    total = np.zeros_like(parts[:, 0], dtype)
    for part in parts.swapaxes(0, 1):
        total[...] = total + part
    return total


def _random(name, seed, *size):
    """Tokens from -1.5 to 1.5 with one decimal: easy to read."""
    draw = np.random.default_rng(seed)
    return Case(name, (draw.integers(-15, 16, size=size) / 10,))


def _probe(name, tokens):
    return Case(name, (np.array(tokens),), basic=False)


# Not the tokens that the chapter works out by hand: no check tells c_2.
FOUR = [[2, 0], [1, 1], [0, 1], [-1, 1]]
CASES = (
    Case("four tokens", (np.array(FOUR, float),)),
    _random("five tokens", 5, 5, 3),
    _random("square", 6, 3, 3),
    _random("two tokens", 7, 2, 4),
    Case("one token", (np.array([[0.5, -1.0, 2.0]]),)),
    _probe("long", [[40.0, 0.0], [0.0, 40.0]]),
    _probe("short and long", [[1.0, 1.0], [60.0, 0.0]]),
    _probe("whole numbers", FOUR),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    (tokens,) = case.args
    facts = {"n": len(tokens), "d": tokens.shape[1], "row": 0}
    facts |= first_difference(want, got)
    row = facts["row"]
    if got.shape == want.shape:
        facts |= {"came_row": show(got[row]), "wanted_row": show(want[row])}
    weights = softmax(tokens @ tokens.T)
    facts["column_sum"] = number(weights.sum(axis=0)[row])
    facts["mean"] = show(tokens.mean(axis=0))
    return facts | {"sum": show(tokens.sum(axis=0))}


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest entry."""
    if probe.got.kind != ARRAY or probe.got.array.shape != probe.args[0].shape:
        return None
    tokens, got = probe.args[0], probe.got.array
    low, high = tokens.min(axis=0), tokens.max(axis=0)
    out = np.argwhere((got < low - 1e-4) | (got > high + 1e-4))
    if not len(out):
        return None
    row, column = (int(i) for i in out[0])
    return (
        "The first thing that breaks: an average stays between the smallest "
        f"and the largest value. Column {column} of X runs from "
        f"{number(low[column])} to {number(high[column])}, and your row "
        f"{row} has {number(got[row, column])} there. Do the weights of each "
        "row sum to 1?"
    )


MISTAKES = r"""
scaled_by_root_of_d
- scores =
+ scores = X.shape[1] ** -0.5 *
You divide the scores by the root of d. A later chapter adds exactly that and
says why; here the scores are wanted as they are, so {came} came instead of
{wanted}.
? Take the division away for now.

scaled_by_d
- scores =
+ scores = 1 / X.shape[1] *
You divide the scores by d = {d}. Here the plain dot products are wanted. (A
later chapter does scale them, by the root of d.)
? Take the division away for now.

scaled_by_root_of_n
- scores =
+ scores = len(X) ** -0.5 *
You divide the scores by the root of the number of tokens, n = {n}. The scores
are wanted as they are: a token must not change its votes because the sentence
grows.
? Take the division away.

multiplied_by_root_of_d
- scores =
+ scores = X.shape[1] ** 0.5 *
You multiply the scores by the root of d, which makes the largest weight larger
still. The plain dot products are wanted.
? Take the factor away.

negative_scores
- X @ X.T
+ -X @ X.T
The tokens that agree least get the largest weight: a minus sign stands before
the scores.
? For token i the largest score should belong to the token most like it, often
itself.

cosine_in_place_of_dot_product
- X @ X.T
+ unit(X) @ unit(X).T
You divide each vector by its length first, so your scores are cosines. Here
the score is the plain dot product, in which a longer vector speaks louder.
? Remove the norm.

distance_in_place_of_dot_product
- X @ X.T
+ -((X[:, None] - X) ** 2).sum(axis=-1)
Your scores are distances with a minus sign; wanted are dot products. For row
{row} that makes {came} instead of {wanted}.
? Multiply the two vectors entry by entry and add up.

star_in_the_scores
- X @ X.T
+ X * X.T
The scores are multiplied entry by entry (`*`). A dot product also adds up, and
all n times n of them are one matrix product. Yours happens to run for a square
X and stops for four tokens with two numbers each.
? Which operator of Python is the matrix product?

not_transposed
- X @ X.T
+ X @ X
You multiply X by X without turning one of them. It runs only if n equals d,
and then it multiplies rows with columns, not tokens with tokens.
? Score (i, j) needs row i and row j. Where does a matrix product take its
second vectors from?

features_attend
- X @ X.T
+ X.T @ X
- weights @ X
+ X @ weights
or
- X @ X.T
+ X.T @ X
- weights @ X
+ X @ weights.T
Your scores compare the columns of X, so {d} by {d} features look at each
other. Tokens are the rows: their scores are {n} by {n}.
? Print the shape of your scores. With four tokens it should be (4, 4).

softmax_over_queries
- axis=1
+ axis=0
The weights with which you build row {row} sum to {column_sum}, not to 1. Most
often softmax runs down the columns (over the queries) instead of along the
rows; weights that are transposed, or a sum that lost its axis, give the same
numbers.
? Sum your weights along both directions. Which of the two sums is all ones?
Each row is one token's question and has a budget of 1.

softmax_over_everything
- softmax(scores, axis=1)
+ softmax(scores.ravel()).reshape(scores.shape)
One softmax runs over the whole matrix, so all {n} tokens share one budget of 1
and the contexts come out too short: {came_row} instead of {wanted_row}.
? Each row of scores needs a softmax of its own.

no_softmax
- softmax(scores, axis=1)
+ scores
The softmax is missing: you weigh the tokens with the raw scores. For row {row}
that makes {came_row}; an average with weights makes {wanted_row}.
? Between the scores and the weighted sum one step is missing.

no_exponential
- softmax(scores, axis=1)
+ shares(scores)
You divide the scores by their sum without the exponential. A negative score
becomes a negative weight, and a sum of 0 breaks the row.
? Use the softmax of the exercise before.

not_divided
- softmax(scores, axis=1)
+ np.exp(scores)
or
- softmax(scores, axis=1)
+ np.exp(scores - top(scores))
You take the exponential of the scores but do not divide by its sum, so the
weights of a row do not sum to 1: {came_row} came instead of {wanted_row}.
? What should the weights of one row sum to?

base_two
- softmax(scores, axis=1)
+ shares(2**scores)
You raise 2 to the scores, as in the first game with votes. Softmax uses e =
2.718, so {wanted} is wanted instead of {came}.
? Only the base is wrong, everything else is right.

sigmoid
- softmax(scores, axis=1)
+ 1 / (1 + np.exp(-scores))
You use the sigmoid, which looks at each score alone; the weights of a row then
do not sum to 1. Softmax lets the scores compete.
? Use the softmax of the exercise before.

winner_takes_all
- softmax(scores, axis=1)
+ shares(1.0 * (scores == top(scores)))
or
- softmax(scores, axis=1)
+ np.eye(len(X))[scores.argmax(axis=1)]
Each token takes only its best match. Softmax is softer: every token gives a
little, so row {row} is {wanted_row} and not {came_row}.
? No comparison is needed; the exponential favors the largest score by itself.

equal_weights
- softmax(scores, axis=1)
+ shares(np.ones_like(scores))
Every token gets the same weight, so each row is the plain mean {mean}. The
weights should follow the scores.
? Are the scores used at all? Perhaps the softmax runs over an axis of length
1.

all_weights_one
- softmax(scores, axis=1)
+ np.ones_like(scores)
Every weight is 1, so each row is the sum of all tokens, {sum}. That happens
when softmax gets one score at a time: a single number always gets the
weight 1.
? Softmax must see all scores of one token together, as one row.

softmax_twice
- softmax(scores, axis=1)
+ softmax(softmax(scores))
Softmax is applied twice, so the weights are almost equal: {came} instead of
{wanted}.
? Once is enough: find the second call.

logarithm_of_weights
- softmax(scores, axis=1)
+ np.log(softmax(scores))
You weigh with the logarithms of the weights. They are negative and do not
sum to 1: {came} came instead of {wanted}.
? Take the logarithm away.

looks_only_back
- scores,
+ np.where(np.tri(len(X)), scores, -np.inf),
Your tokens see only themselves and the tokens before them: row 0 is the first
token unchanged. That is the mask of a later chapter; here every token sees
all.
? Is there a triangle, or a loop that ends at i?

looks_only_ahead
- scores,
+ np.where(np.tri(len(X)).T, scores, -np.inf),
Your tokens see only themselves and the tokens after them: the last row is the
last token unchanged. Here every token sees all.
? Is there a triangle, or a loop that begins at i?

leaves_itself_out
- softmax(scores, axis=1)
+ shares(np.exp(scores) * (1 - np.eye(len(X))))
or
- weights @ X
+ (weights - np.diag(np.diag(weights))) @ X
Your tokens do not look at themselves. In self-attention each token is also one
of the tokens it asks, so {wanted} is wanted instead of {came}.
? Does a condition such as `i != j` leave the diagonal out?

returned_weights
- weights @ X
+ weights
You return the weights, a table of {n} by {n}. They are right; one step is
missing: the average of the tokens with these weights.
? The result has the shape of X.

returned_scores
- weights @ X
+ scores
You return the scores, the {n} by {n} dot products. They are right; softmax and
the weighted average are missing.
? The result has the shape of X.

returned_tokens
- weights @ X
+ X
Your result is X itself. The context vectors mix the tokens: row {row} should
be {wanted_row}, not {came_row}.
? Do you return the variable that you computed?

star_in_the_average
- weights @ X
+ weights * X
Weights and tokens are multiplied entry by entry (`*`). The average also adds
up over the tokens, which is a matrix product. Yours happens to run for a
square X and stops for four tokens with two numbers each.
? Which operator of Python is the matrix product?

not_summed
- weights @ X
+ weights[:, :, None] * X
You multiply each token by its weight but do not add up, so the result has the
shape {shape}. A context vector is the sum over the tokens.
? Along which axis do the tokens lie in your result?

only_its_own_share
- weights @ X
+ np.diag(weights)[:, None] * X
Each token is multiplied by its own weight only; what it should take from the
others is missing: {came} instead of {wanted}.
? For token i the sum runs over every token j, not only over i itself.

transposed
- weights @ X
+ (weights @ X).T
The numbers are right, but rows and columns are exchanged: row i of the result
should be the context vector of token i.
? Look for a transpose on the way out.

one_context_only
- weights @ X
+ (weights @ X)[0]
or
- weights @ X
+ (weights @ X)[-1]
You return a single context vector. Every token gets one of its own, so the
result has as many rows as X, here {n}.
? Does `return` stand inside the loop, or is a list overwritten?

contexts_added_up
- weights @ X
+ (weights @ X).sum(axis=0)
or
- weights @ X
+ (weights @ X).mean(axis=0)
You add up (or average) the context vectors of all tokens. Each token keeps its
own: the result has as many rows as X, here {n}.
? One sum is enough, the one over the tokens that are looked at.

divided_by_the_number_of_tokens
- weights @ X
+ weights @ X / len(X)
You divide the weighted sum by n = {n} once more. The weights already sum to 1,
so the sum is an average: {wanted} is wanted instead of {came}.
? A mean inside the weighted sum divides twice.

token_added
- return
+ return X +
You add the token to its context vector. That is the residual connection of a
later chapter; here the average alone is wanted.
? Remove the last addition.

no_maximum_subtracted
- softmax(scores, axis=1)
+ shares(np.exp(scores))
@ long
Your contexts are right for short vectors. Here a score is 1600, and e to the
power 1600 is too big for a computer. Subtract each row's largest score before
the exponential; it changes no weight.
? The softmax exercise has the same trap. Use your function from there.

maximum_of_everything
- softmax(scores, axis=1)
+ shares(np.exp(scores - scores.max()))
@ short and long
You subtract the largest score of the whole matrix. The row of the short token
lies so far below it that all its numbers become 0, and 0 divided by 0 is nan.
Each row needs its own largest score.
? Along which axis should the maximum run, and which shape must it keep?

whole_numbers_cut
- weights @ X
+ (weights @ X).astype(X.dtype)
or
- weights @ X
+ weights.astype(X.dtype) @ X
or
- weights @ X
+ added_up_in(X.dtype, weights[..., None] * X)
@ whole numbers
For tokens made of whole numbers your result is whole as well: the array you
write into has an integer type and cuts off what follows the point.
? Give the new array a type with decimals, whatever the type of X.
"""

EXERCISE = Exercise(
    name="self_attention",
    refused=("scaled_dot_product_attention",),
    inputs=("X",),
    asked="`self_attention(X)` returns one context vector for each row of X: "
    "the dot products of that row with all rows, softmax over them, and the "
    "average of all rows with these weights. No scale, no projections yet.",
    praise="Your context vectors agree with the reference for one to five "
    "tokens, and long vectors do not break them.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=0),),
            lambda got, args: np.roll(got, 1, axis=0),
            "The first thing that breaks: when the tokens change places, "
            "their context vectors must change places with them, and yours "
            "become different ones.",
        ),
    ),
    hints=(
        "Four steps, each with a shape you can print: X is (n, d), the "
        "scores are (n, n), the weights are (n, n), the contexts are (n, d) "
        "again.",
        "Row i of the weights belongs to token i: it must sum to 1, and it "
        "says how much token i takes from each row of X. The average is a "
        "matrix product of weights and tokens, in this order. Your softmax "
        "from the exercise before does the middle step.",
    ),
    facts=_facts,
    show_inputs=show_arrays("X"),
)
