"""The exercise `attention(Q, K, V)` and the wrong answers it knows."""

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
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "attention"]


def attention(function: Any) -> Verdict:
    """Check a function `attention(Q, K, V)`.

    softmax(Q K^T / sqrt(d_k)) V, where softmax runs over the keys. All axes
    before the last two are leading axes, such as sentences and heads; each
    matrix behind them is treated on its own.

    Args:
        function: takes Q (..., n_q, d_k), K (..., n_k, d_k) and V
            (..., n_k, d_v), returns (..., n_q, d_v). Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.1, equation 1. Chapter 3.
    """
    return judge(EXERCISE, function)


def solution(Q, K, V):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    weights = softmax(scores)
    return weights @ V


def total(x):
    return x.sum(axis=-1, keepdims=True)


def top(x):
    return x.max(axis=-1, keepdims=True)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def rows(x):
    return x.reshape(-1, x.shape[-1])


def _case(name, seed, sizes, *leading):
    """Random numbers with one decimal; sizes are n_q, n_k, d_k, d_v."""
    draw = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = sizes
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    args = (draw.integers(-15, 16, (*leading, *two)) / 10 for two in shapes)
    return Case(name, tuple(args), basic=not leading)


def _probe(name, *matrices):
    return Case(name, tuple(map(np.array, matrices)), basic=False)


CASES = (
    _case("two queries", 10, (2, 3, 4, 2)),
    _case("five keys", 11, (3, 5, 2, 4)),
    _case("square", 12, (3, 3, 3, 3)),
    _case("as many queries as keys", 13, (4, 4, 3, 2)),
    _case("one query", 17, (1, 4, 3, 2)),
    _case("one key", 18, (2, 1, 3, 2)),
    _case("batch", 14, (3, 5, 4, 6), 2),
    _case("batch and heads", 15, (4, 5, 2, 6), 2, 3),
    _case("square batch", 16, (3, 3, 3, 3), 3),
    _probe("long", [[60.0, 0], [0, 60]], [[60.0, 0], [0, 60]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _probe("short and long", [[0.0, 1], [60, 0]], [[60.0, 1], [0, 2]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _probe("whole numbers", [[1, 0], [0, 2]], [[1, 1], [2, 0], [0, 1]],
           [[3], [5], [8]]),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    q, k, v = case.args
    facts = {"row": 0, "came_columns": got.shape[-1] if got.ndim else 0}
    facts |= first_difference(want, got)
    sums = total(softmax(q @ k.mT / q.shape[-1] ** 0.5, axis=-2))
    facts["column_weights"] = number(sums[..., facts["row"], 0].flat[0])
    sizes = (q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1])
    return facts | dict(zip(("n_q", "n_k", "d_k", "d_v"), sizes, strict=True))


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest value."""
    got, values = probe.got, probe.args[2]
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    low = values.min(axis=-2, keepdims=True) - 1e-4
    high = values.max(axis=-2, keepdims=True) + 1e-4
    out = (got.array < low) | (got.array > high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: an average of the values stays between "
        f"the smallest and the largest of them. Your {number(got.array[place])}"
        f" at {list(place)} lies outside of column {place[-1]} of V. Do the "
        "weights of each query sum to 1?"
    )


MISTAKES = r"""
no_scale
-  / Q.shape[-1] ** 0.5
+
The scores are not scaled. Divide them by the root of d_k, here the root of
{d_k}, before the softmax: {wanted} is wanted instead of {came}.
? How many numbers has one query? The root of that is the divisor.

divided_by_d_k
- Q.shape[-1] ** 0.5
+ Q.shape[-1]
You divide the scores by d_k = {d_k} and not by its root (or twice by the
root). That makes the weights too equal.
? A root is missing, or a division stands there twice.

root_of_d_v
- Q.shape[-1]
+ V.shape[-1]
You divide by the root of d_v, the width of the *values*. A score is a sum over
d_k products, so d_k = {d_k} sets its size; d_v = {d_v} has no part in it. With
d_k equal to d_v nobody would notice.
? From which of the three inputs do you read the width?

root_of_the_number_of_keys
- Q.shape[-1]
+ K.shape[-2]
You divide by the root of how *many* keys there are. A score does not grow with
the number of keys; it grows with the numbers in one key, d_k.
? Which axis of K counts the keys, and which the numbers in one key?

root_of_the_number_of_queries
- Q.shape[-1]
+ Q.shape[-2]
You divide by the root of how *many* queries there are. One query must not get
other weights because others ask as well. The divisor is the root of d_k.
? Which axis of Q counts the queries, and which the numbers in one?

multiplied_by_the_root
- / Q
+ * Q
You multiply the scores by the root of d_k instead of dividing. The largest
weight becomes larger still.
? The root stands below the fraction bar.

fixed_divisor
- Q.shape[-1] ** 0.5
+ 2
or
- Q.shape[-1] ** 0.5
+ 8
You divide by a fixed number. The root of 4 was right for the three tokens of
the chapter, and 8 is right for 64 numbers; the check tries other widths. Here
d_k = {d_k}.
? Read the width from the input: how many numbers has one query?

root_without_brackets
- Q.shape[-1] ** 0.5
+ Q.shape[-1] ** 1 / 2
or
- Q.shape[-1] ** 0.5
+ (Q.shape[-1] ** 1 / 2)
The root went wrong: Python reads `d ** 1 / 2` as `(d ** 1) / 2`, and `s / d **
1 / 2` divides by d and then by 2. Here d_k = {d_k}.
? Brackets around the 1 / 2, or `0.5`, or NumPy's square root.

scaled_after_the_softmax
-  / Q.shape[-1] ** 0.5
+
- softmax(scores)
+ softmax(scores) / Q.shape[-1] ** 0.5
You divide after the softmax. Then the weights of a query sum to 1 divided by
the root of d_k, and every result is too small: {came} instead of {wanted}.
The division belongs to the scores.
? Sum the weights with which you multiply V. What must come out?

query_and_key_exchanged
- Q @ K.mT
+ K @ Q.mT
Q and K have changed places: your scores are K times Q turned, so the keys ask
and the queries answer. It runs only if there are as many queries as keys.
? The rows of the scores belong to the queries. Which matrix has to stand on
the left?

scores_with_values
- K.mT
+ V.mT
You compare the queries with the values. The key answers *does it match?*, the
value is what is then averaged. Scores need K.
? V takes part in the last step only.

keys_not_used
- K.mT
+ Q.mT
You compare the queries with the queries. A query is compared with the keys.
? Read the line of the scores again: where does K stand in it?

queries_not_used
- Q @ K.mT
+ K @ K.mT
You compare the keys with the keys. It is the queries that ask.
? Read the line of the scores again: where does Q stand in it?

not_transposed
- K.mT
+ K
You multiply Q by K without turning K on its side. It runs only if there are as
many keys as numbers in a key, and then it multiplies rows with columns, not
queries with keys.
? A matrix product takes columns from its second factor. Where are the keys in
K: in its rows or in its columns?

star_in_the_scores
- @ K.mT
+ * K
The scores are multiplied entry by entry (`*`). A dot product also adds up, and
all scores together are one matrix product.
? Which operator of Python is the matrix product?

features_attend
- Q @ K.mT
+ Q.mT @ K
- weights @ V
+ V @ weights
Your scores compare the columns of Q and K, so {d_k} by {d_k} features look at
each other. Queries and keys are the *rows*: the scores are {n_q} by {n_k}.
? Print the shape of your scores: first the number of queries, then the number
of keys.

cosine_in_place_of_dot_product
- Q @ K.mT
+ unit(Q) @ unit(K).mT
or
- Q @ K.mT / Q.shape[-1] ** 0.5
+ unit(Q) @ unit(K).mT
You divide queries and keys by their lengths, so your scores are cosines.
Attention uses the plain dot product, in which a longer key speaks louder.
? Remove the norm; the only divisor is the root of d_k.

distance_in_place_of_dot_product
- Q @ K.mT
+ -((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(-1)
Your scores are distances with a minus sign; wanted are dot products. That
makes {came} instead of {wanted}.
? Multiply query and key entry by entry and add up.

negative_scores
- Q @ K.mT
+ -Q @ K.mT
The key that matches least gets the largest weight: a minus sign stands before
the scores.
? The largest score should get the largest weight.

softmax_over_queries
- softmax(scores)
+ softmax(scores, axis=-2)
Softmax runs down the columns, over the queries, so the queries compete for
each key. Each *query* has a budget of 1: its weights for all keys, one row,
sum to 1. Yours in row {row} sum to {column_weights}.
? Sum your weights along both directions. Which of the two sums is all ones?
The axis of the keys is the last one.

softmax_over_everything
- softmax(scores)
+ softmax(scores.ravel()).reshape(scores.shape)
One softmax runs over the whole matrix, so all queries share one budget of 1
and the results come out too small: {came} instead of {wanted}.
? Each row of scores needs a softmax of its own.

softmax_over_features
- weights @ V
+ softmax(scores @ V)
or
- weights @ V
+ softmax(weights @ V)
Softmax runs over the numbers of the result, so each row of your result sums to
1. Softmax belongs between the scores and V: there it turns the
scores of each query into weights.
? First the weights, then the weighted sum. Which of the two comes last in your
code?

no_softmax
- softmax(scores)
+ scores
or
-  / Q.shape[-1] ** 0.5
+
- softmax(scores)
+ scores
The softmax is missing: you weigh the values with the raw scores, and {came}
comes out instead of {wanted}.
? Between the scores and the weighted sum one step is missing.

no_exponential
- softmax(scores)
+ scores / total(scores)
You divide the scores by their sum without the exponential. A negative score
becomes a negative weight, and a sum of 0 breaks the row.
? Use the softmax of chapter 2.

not_divided
- softmax(scores)
+ np.exp(scores)
or
- softmax(scores)
+ np.exp(scores - top(scores))
You take the exponential of the scores but do not divide by its sum, so the
weights of a query do not sum to 1: {came} came instead of {wanted}.
? What should the weights of one query sum to?

base_two
- softmax(scores)
+ softmax(scores * np.log(2))
You raise 2 to the scores, as in the game with votes. Softmax uses e = 2.718,
so {wanted} is wanted instead of {came}.
? Only the base is wrong, everything else is right.

sigmoid
- softmax(scores)
+ 1 / (1 + np.exp(-scores))
You use the sigmoid, which looks at each score alone; the weights of a query
then do not sum to 1. Softmax lets the keys compete.
? Use the softmax of chapter 2.

winner_takes_all
- softmax(scores)
+ softmax(1e9 * scores)
Each query takes only its best match, like a library that lends out one book.
Softmax is softer: every value gives a little.
? No comparison is needed; the exponential favors the largest score by itself.

equal_weights
- softmax(scores)
+ softmax(0 * scores)
Every value gets the same weight, so all queries get the plain mean of V. The
weights should follow the scores.
? Are the scores used at all? Perhaps the softmax runs over an axis of length
1.

values_not_weighted
- softmax(scores)
+ np.ones_like(scores)
You add up the values without weights: every weight is 1. That also happens
when softmax gets one score at a time, because a single number always gets the
weight 1.
? Softmax must see all scores of one query together, as one row, and each value
is multiplied by its weight before the sum.

softmax_twice
- softmax(scores)
+ softmax(softmax(scores))
Softmax is applied twice, so the weights are almost equal: {came} instead of
{wanted}.
? Once is enough: find the second call.

votes_never_reset
- softmax(scores)
+ np.exp(scores)[..., :1, :] / total(np.exp(scores)).cumsum(-2)
The list of votes goes on from one query to the next. The first query is right;
each later one is still served the votes of the first and divides by the votes
of all.
? Each query needs an empty list of its own. Where does yours begin?

sum_not_kept_as_a_column
- softmax(scores)
+ np.exp(scores) / np.exp(scores).sum(-1)
or
- softmax(scores)
+ np.exp(scores - top(scores)) / np.exp(scores - top(scores)).sum(-1)
The sum of each row has to divide that row. Yours lie in a row of their own, so
the sum of row 2 divides *column* 2. It runs only if there are as many queries
as keys.
? `keepdims=True` keeps the sums as a column.

looks_only_back
- softmax(scores)
+ softmax(np.where(np.tri(*scores.shape[-2:]), scores, -np.inf))
Query i sees only the keys up to place i. That is the mask of a later chapter;
here every query sees every key.
? Is there a triangle, or a loop that ends at i?

keys_as_values
- weights @ V
+ weights @ K
@ two queries
You average the keys. The keys only decide on the weights; what is averaged
are the values V. Your result has {came_columns} columns, and V has {d_v}.
? K is needed for the scores and never again.

queries_as_values
- weights @ V
+ weights @ Q
You average the queries. What is averaged are the values V. It runs only if
there are as many queries as keys.
? Q is needed for the scores and never again.

values_transposed
- weights @ V
+ weights @ V.mT
V is turned on its side in the weighted sum. The weights of a query meet the
*rows* of V, one row for each key; only K is turned.
? With five keys the weights of one query are five numbers. Which axis of V has
as many?

weights_transposed
- weights @ V
+ weights.mT @ V
The weights are turned on their side before the weighted sum, so query i gets
what the others give to key i. It runs only if there are as many queries as
keys.
? The rows of the weights belong to the queries, as do the rows of the result.

returned_weights
- weights @ V
+ weights
You return the weights, a table of {n_q} by {n_k}. They are right; one step is
missing: the average of the values with these weights.
? The result has as many columns as V.

returned_scores
- weights @ V
+ scores
You return the scaled scores, {n_q} by {n_k} numbers. They are right; softmax
and the weighted sum are missing.
? The result has as many columns as V.

star_in_the_average
- weights @ V
+ weights * V
Weights and values are multiplied entry by entry (`*`). A weighted sum also
adds up over the keys, which is a matrix product. Yours happens to run for
square inputs.
? Which operator of Python is the matrix product?

not_summed
- weights @ V
+ weights[..., None] * V[..., None, :, :]
You multiply each value by its weight but do not add up, so the result has the
shape {shape}. Each query gets one vector, the sum over the keys.
? Along which axis do the keys lie in your result?

divided_by_the_number_of_keys
- weights @ V
+ weights @ V / K.shape[-2]
You divide the weighted sum by the number of keys once more. The weights
already sum to 1, so the sum is an average: {wanted} is wanted instead of
{came}.
? A mean instead of a sum divides twice.

transposed
- weights @ V
+ (weights @ V).mT
The numbers are right, but rows and columns are exchanged: row i of the result
belongs to query i.
? Look for a transpose on the way out.

result_never_reset
- weights @ V
+ (weights @ V).cumsum(axis=-2)
or
- weights @ V
+ np.ones_like(Q[..., :1]) * (weights @ V).sum(-2, keepdims=True)
The results of the queries pile up: each one still holds what the queries
before it took home, or all rows are one and the same array. {came} comes out
instead of {wanted}.
? The array that you add to begins with zeros *for each query*, inside the loop
over the queries.

values_on_the_left
- weights @ V
+ V @ weights
You multiply V by the weights; the weights stand on the left. It runs only if
the values are as wide as there are queries.
? The result has a row for each query. Which of the two factors has these rows?

one_query_only
- weights @ V
+ (weights @ V)[..., 0, :]
or
- weights @ V
+ (weights @ V)[..., -1, :]
You return the result of a single query. Each query gets one of its own, so the
result has as many rows as Q.
? Does `return` stand inside the loop, or is a list overwritten?

queries_added_up
- weights @ V
+ (weights @ V).sum(-2)
or
- weights @ V
+ (weights @ V).mean(-2)
You add up (or average) the results of all queries. Each query keeps its own:
the result has as many rows as Q.
? One sum is enough, the one over the keys.

turned_all_axes
- K.mT
+ K.T
@ square batch
Two axes are right. With more, `.T` reverses the order of *all* axes, so
sentences and numbers change places. Only the last two axes of K are to be
exchanged.
? In NumPy a function swaps two axes that you name, and `.mT` turns each
matrix; name the last two, counted from the end.

flattened_leading_axes
- weights @ V
+ solution(*map(rows, (Q, K, V))).reshape(*Q.shape[:-1], -1)
or
- weights @ V
+ solution(*map(rows, (Q, K, V)))
@ batch
Two axes are right. With more, you put all rows into one long matrix, so the
queries of one sentence look at the keys of every other sentence. Each sentence
keeps to itself.
? A matrix product does that for you: it treats all axes before the last two as
a pile of matrices.

softmax_axis_from_the_front
- softmax(scores)
+ softmax(scores, axis=1)
or
- softmax(scores)
+ softmax(scores, axis=0 if Q.ndim > 2 else 1)
@ batch
Two axes are right. With more, your softmax runs along an axis counted from the
front, and that is another one now. The keys are on the last axis of the
scores.
? Count from the end: the last axis is number -1, however many there are.

width_from_the_front
- Q.shape[-1]
+ Q.shape[1]
or
- Q.shape[-1]
+ K.shape[1]
@ batch
Two axes are right. With more, you read the width of a query from an axis
counted from the front, so the scores are divided by the root of something
else. The width is the length of the *last* axis.
? Count from the end: the last axis is number -1, however many there are.

first_of_the_batch_only
- weights @ V
+ (weights @ V)[0 if Q.ndim > 2 else ...]
@ batch
Two axes are right. With more, you return the result of the first sentence and
forget the others.
? Is there a leading [0], or a return inside the loop over the batch?

leading_axes_lost
- weights @ V
+ rows(weights @ V)
@ batch
The numbers are right, but the leading axes got lost: the result has all axes
of Q except the last, and then the width of V.
? Bring the result back into the shape that the leading axes had.

only_two_axes
! batch, batch and heads, square batch
@ batch
With two axes everything is right. The exercise also wants leading axes: a
batch of sentences, or of sentences and heads, in which each matrix is treated
on its own.
? NumPy's matrix product already treats leading axes so. What remains is to
turn K along its last two axes and to run softmax along the last.

one_leading_axis_only
! batch and heads
@ batch and heads
Two and three axes are right, four are not: sentences *and* heads stand before
the last two axes. Do not count the leading axes; leave them alone.
? Name the last two axes by counting from the end, and no loop over the batch
is needed.

no_maximum_subtracted
- softmax(scores)
+ np.exp(scores) / total(np.exp(scores))
@ long
Your results are right for moderate scores. Here a score is 2546, and e to the
power 2546 is too big for a computer. Subtract each row's largest score before
the exponential; it changes no weight.
? The softmax of chapter 2 has the same trap. Use your function from there, or
the book's.

maximum_of_everything
- softmax(scores)
+ np.exp(scores - scores.max()) / total(np.exp(scores - scores.max()))
@ short and long
You subtract one maximum from the whole matrix. A row far below it becomes all
zeros, and 0 divided by 0 is not a number.
? Each row needs its own maximum, kept as a column.

whole_numbers_cut
! whole numbers
@ whole numbers
When the inputs hold whole numbers, what follows the point gets lost: the array
that you write into has a type for whole numbers.
? A fresh array of zeros holds numbers with decimals, unless you give it the
type of an input.
"""

EXERCISE = Exercise(
    name="attention",
    refused=("scaled_dot_product_attention",),
    inputs=("Q", "K", "V"),
    asked="`attention(Q, K, V)` returns softmax(Q K^T / sqrt(d_k)) V: one "
    "row for each query, an average of the rows of V. Axes before the last "
    "two, such as sentences and heads, are left alone.",
    praise="Your results agree with the reference for all shapes: more keys "
    "than queries, values of another width, a batch, a batch with heads.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (args[0], *(np.roll(x, 1, -2) for x in args[1:])),
            lambda got, args: got,
            "The first thing that breaks: when keys and values change places "
            "together, no result may change, and yours do.",
        ),
    ),
    hints=(
        "Four steps, each with a shape you can print: the scores are "
        "(n_q, n_k), scaled and shared they stay (n_q, n_k), and the result "
        "is (n_q, d_v). Begin with matrices and leave the leading axes for "
        "later.",
        "Only three things ever mention an axis: K is turned along its last "
        "two, the root is that of the last axis of Q, and softmax runs along "
        "the last axis of the scores. Counted from the end, all three hold "
        "for any number of leading axes.",
    ),
    facts=_facts,
    show_inputs=show_arrays("Q", "K", "V"),
)
