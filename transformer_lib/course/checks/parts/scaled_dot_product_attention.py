"""Part 1 of the reader's own Transformer, and the wrong answers it knows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import torch
from torch.nn import functional as F

from transformer_lib.course.checks.engine.edits import (
    Reference,
    mistakes,
)
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    Answer,
    number,
    show,
)
from transformer_lib.course.checks.parts.drive import NUMPY
from transformer_lib.course.checks.parts.functions import SAID, play

__all__ = ["EXERCISE", "scaled_dot_product_attention"]


def scaled_dot_product_attention(query, key, value, mask=None):
    """Average the values: softmax(query key^T / sqrt(d_k)) value.

    query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v); mask,
    True where a query may look at a key, broadcasts to (..., n_q, n_k).
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value


def unit(x):
    """Vectors of length 1."""
    return x / x.norm(dim=-1, keepdim=True)


def rows(x):
    """All rows in one matrix."""
    return x.reshape(-1, x.shape[-1])


def together(query, key, value):
    """All sentences as one: their rows in one matrix."""
    joined = F.scaled_dot_product_attention(*map(rows, (query, key, value)))
    return joined.reshape(*query.shape[:-1], -1)


def left_over(weights, mask, least=0.0):
    """Hide weights, and divide what is left by its sum."""
    left = weights * mask
    return left / left.sum(-1, keepdim=True).clamp(min=least)


def first_column(x):
    """Divide the first number of each row by the root of the width."""
    root = torch.ones(x.shape[-1], dtype=x.dtype)
    root[0] = math.sqrt(x.shape[-1])
    return x / root


def without_maximum(x, top=0.0, least=0.0):
    """Softmax of each row that subtracts something else, or nothing."""
    votes = (x - top).exp()
    return votes / votes.sum(-1, keepdim=True).clamp(min=least)


def spread(x):
    """The standard deviation of each row, nan for a single number."""
    gaps = x - x.mean(-1, keepdim=True)
    return (gaps.square().sum(-1, keepdim=True) / (x.shape[-1] - 1)).sqrt()


def first_sentence(mask):
    """Hide nothing, except in the first sentence of a batch."""
    if mask.ndim < 3:
        return mask
    later = torch.arange(len(mask)) > 0
    return mask | later.reshape(-1, *[1] * (mask.ndim - 1))


def triangle(scores):
    """True where the key is not later than the query."""
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril()


def _case(name, seed, sizes, *leading, ask="output", mask=None, basic=None,
          loud=1.0):  # fmt: skip
    """Random numbers with one decimal; sizes are n_q, n_k, d_k, d_v.

    `loud` stretches the keys that no query may look at.
    """
    draw = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = sizes
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    q, k, v = (draw.integers(-15, 16, (*leading, *two)) / 10 for two in shapes)
    if mask is not None:
        mask = np.array(mask, dtype=bool)
        k = np.where(mask.any(-2)[..., None], k, k * loud)
    if basic is None:
        basic = not leading and mask is None
    say = SAID[ask] + (
        "" if mask is None else f", with a mask of shape {mask.shape}"
    )
    return Case(name, (say, ask, q, k, v, mask), basic)


def _probe(name, *matrices, mask=None):
    given = ("the result", "output", *map(np.array, matrices), mask)
    return Case(name, given, basic=False)


_PADDING = [[[1, 1, 1, 0]], [[1, 0, 0, 0]]]
_EMPTY = [[[1, 1, 0]], [[0, 0, 0]]]
CASES = (
    _case("two queries", 10, (2, 3, 4, 2)),
    _case("five keys", 11, (3, 5, 2, 4)),
    _case("square", 12, (3, 3, 3, 3)),
    _case("as many queries as keys", 13, (4, 4, 3, 2)),
    _case("one query", 17, (1, 4, 3, 2)),
    _case("one key", 18, (2, 1, 3, 2)),
    _case("gradients", 19, (2, 3, 4, 2), ask="gradients"),
    _case("batch", 14, (3, 5, 4, 6), 2),
    _case("batch and heads", 15, (4, 5, 2, 6), 2, 3),
    _case("square batch", 16, (3, 3, 3, 3), 3),
    _probe("long", [[60.0, 0], [0, 60]], [[60.0, 0], [0, 60]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _probe("short and long", [[0.0, 1], [60, 0]], [[60.0, 1], [0, 2]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _case("one mask", 20, (2, 3, 2, 2), 2, mask=[[1, 0, 1], [0, 1, 1]]),
    _case("padding", 21, (3, 4, 2, 5), 2, mask=_PADDING),
    _case("as many queries as sentences", 22, (3, 5, 2, 3), 3,
          mask=[[[1, 1, 1, 1, 0]], [[1, 1, 0, 0, 0]], [[0, 1, 1, 0, 1]]]),
    _case("causal", 23, (4, 4, 3, 2), 2, mask=np.tri(4)),
    _case("square padding", 24, (3, 3, 2, 3), 2,
          mask=[[[1, 1, 0]], [[1, 0, 0]]]),
    _case("mask with heads", 25, (2, 4, 3, 2), 2, 3,
          mask=[[x] for x in _PADDING]),
    _case("loud padding", 26, (2, 3, 3, 2), 2, loud=4000.0,
          mask=[[[1, 1, 0]], [[1, 0, 0]]]),
    _probe("low scores", [[[1e5, 0.0], [0, 1e5]]],
           [[[-1e5, -2e5], [-2e5, -1e5], [0, 0]]],
           [[[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]],
           mask=np.array([[[True, True, False]]])),
    _case("gradients with a mask", 27, (3, 4, 2, 2), 2, mask=_PADDING,
          ask="gradients"),
    _case("nothing to look at", 28, (2, 3, 2, 3), 2, mask=_EMPTY),
    _case("gradients of nothing", 29, (2, 3, 2, 3), 2, mask=_EMPTY,
          ask="gradients"),
    _case("types", 30, (2, 3, 4, 2), 2, ask="types"),
    _case("digits", 33, (2, 3, 4, 2), 2, ask="digits"),
    _case("other device", 31, (2, 3, 4, 5), 2, ask="other device"),
    _case("mask on another device", 32, (2, 3, 4, 5), 2, ask="other device",
          mask=_EMPTY),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    _, _, q, k, v, _ = case.args
    facts = {"row": 0, "came_columns": got.shape[-1] if got.ndim else 0}
    facts |= first_difference(want, got)
    scores = torch.from_numpy(q @ k.mT / q.shape[-1] ** 0.5)
    sums = scores.softmax(-2).sum(-1).flatten()
    facts["column_weights"] = number(sums[min(facts["row"], len(sums) - 1)])
    facts["root"] = number(q.shape[-1] ** 0.5)
    sizes = (q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1])
    return facts | dict(zip(("n_q", "n_k", "d_k", "d_v"), sizes, strict=True))


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest value."""
    _, ask, _, _, values, mask = probe.args
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    if ask != "output" or mask is not None:
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
        f" at {list(place)} lies outside of column {place[-1]} of `value`. Do "
        "the weights of each query sum to 1?"
    )


def _exchanged(args: tuple) -> tuple:
    """Keys, their values and their columns of the mask in another order."""
    say, ask, q, k, v, mask = args
    if ask != "output":
        return args
    turned = None if mask is None else np.roll(mask, 1, -1)
    return say, ask, q, np.roll(k, 1, -2), np.roll(v, 1, -2), turned


def _other_hidden(args: tuple) -> tuple:
    """Other numbers in keys and values that no query may look at."""
    say, ask, q, k, v, mask = args
    if ask != "output" or mask is None:
        return args
    seen = mask.any(-2)[..., None]
    return say, ask, q, np.where(seen, k, k + 1), np.where(seen, v, v - 2), mask


def _shown(args: tuple) -> str:
    say, ask, q, k, v, mask = args
    given = {"query": q, "key": k, "value": v}
    if mask is not None:
        given["mask"] = mask.astype(int)
    if ask == "output" and q.ndim < 3:
        return "\n".join(show(x, f"{name} = ") for name, x in given.items())
    sizes = ", ".join(f"{name} {x.shape}" for name, x in given.items())
    return f"{sizes}; {say}"


MISTAKES = r"""
no_scale
-  / math.sqrt(query.shape[-1])
+
The scores are not scaled. Divide them by the root of d_k = {d_k}, which is
{root}, before the softmax.
? How many numbers has one query? The root of that is the divisor.

divided_by_d_k
- math.sqrt(query.shape[-1])
+ query.shape[-1]
Your scores are divided by d_k = {d_k}, not by its root, {root} (or twice by
the root, once in `query` and once in `key`). That makes the weights too equal.
? A root is missing, or a division stands there twice.

divided_by_the_square
- math.sqrt(query.shape[-1])
+ query.shape[-1] ** 2
You divide by the square of d_k = {d_k}, where its root is wanted.
? In Python `** 2` squares. What takes the root?

half_of_d_k
- math.sqrt(query.shape[-1])
+ (query.shape[-1] / 2)
You divide by half of d_k = {d_k}, not by its root, {root}. Python also reads
`d_k ** 1 / 2` as `(d_k ** 1) / 2`. For d_k = 4 the two are the same.
? Compute your divisor for d_k = 9. What should it be?

root_without_brackets
- math.sqrt(query.shape[-1])
+ query.shape[-1] ** 1 / 2
Your scores are divided by d_k and by 2. `scores / d_k ** 1 / 2` does that:
Python reads it as `(scores / d_k ** 1) / 2`. Here d_k = {d_k}.
? What does `9 ** 1 / 2` give in Python?

root_of_the_score
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ (query @ key.transpose(-2, -1) / query.shape[-1]).sqrt()
or
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ (query @ key.transpose(-2, -1)).sqrt()
You take the root of the score itself, perhaps of the whole fraction. The task
asks for the root of d_k alone; a score below 0 has no root and becomes nan.
? Where does the bracket of the root close?

fourth_root
- math.sqrt(query.shape[-1])
+ query.shape[-1] ** 0.25
You divide by the root of the root of d_k. That is right only where both
`query` and `key` are divided by it.
? By what is one score divided in all?

logarithm_of_d_k
- math.sqrt
+ math.log
You divide by the logarithm of d_k = {d_k}; wanted is its root, {root}.
? Which function of `math` takes a root?

root_of_d_v
- query.shape[-1]
+ value.shape[-1]
You divide by the root of d_v, the width of the *values*. A score is a sum over
d_k products, so d_k = {d_k} sets its size; d_v = {d_v} has no part in it.
? From which of the three inputs do you read the width?

root_of_the_number_of_keys
- query.shape[-1]
+ key.shape[-2]
You divide by the root of how *many* keys there are, n_k = {n_k}. A score does
not grow with the number of keys; it grows with the numbers in one key, d_k =
{d_k}.
? Which axis of `key` counts the keys, and which the numbers in one key?

root_of_the_number_of_queries
- query.shape[-1]
+ query.shape[-2]
You divide by the root of how *many* queries there are, n_q = {n_q}. One query
must not get other weights because others ask as well. The divisor is the root
of d_k = {d_k}.
? Which axis of `query` counts the queries, and which the numbers in one?

root_of_all_entries
- query.shape[-1]
+ (key.shape[-2] * key.shape[-1])
You divide by the root of how many numbers all keys have together. One score
uses one row of `key` only, d_k = {d_k} numbers.
? What does `numel` count, and what the last entry of the shape?

multiplied_by_the_root
- / math
+ * math
You multiply the scores by the root of d_k instead of dividing. The largest
weight becomes larger still.
? On which side of the fraction bar does the root stand?

only_the_first_column
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ first_column(query) @ key.transpose(-2, -1)
Only the first number of each query is divided by the root, so only one of the
{d_k} products of a score is scaled.
? What happens if you divide the finished scores?

always_two
- math.sqrt(query.shape[-1])
+ 2
@ five keys
You always divide by 2. That is the root of d_k = 4; here d_k = {d_k}, and the
root is {root}.
? From which input can the width be read?

always_eight
- math.sqrt(query.shape[-1])
+ 8
You always divide by 8, the root of the paper's 64. Here d_k = {d_k}, and the
root is {root}.
? From which input can the width be read?

root_of_d_model
- query.shape[-1]
+ 512
You divide by the root of 512, the paper's d_model. What counts is the width of
one query, d_k = {d_k} here.
? From which input can the width be read?

own_spread
- weights = scores.softmax(dim=-1)
+ weights = (scores / spread(scores.view(-1))).softmax(dim=-1)
or
- weights = scores.softmax(dim=-1)
+ weights = (scores / scores.std(correction=0)).softmax(dim=-1)
or
- weights = scores.softmax(dim=-1)
+ weights = (scores / spread(scores)).softmax(dim=-1)
You divide the scores by their own standard deviation, so the weights no longer
depend on how large the scores are. The divisor is the root of d_k = {d_k}, the
same for all queries.
? Does your divisor depend on the shapes alone?

own_largest
- weights = scores.softmax(dim=-1)
+ weights = (scores / scores.abs().max()).softmax(dim=-1)
You divide by the largest score, so no score exceeds 1 and no query can prefer
a key clearly. The divisor is the root of d_k = {d_k}.
? Does your divisor depend on the shapes alone?

whole_part
- / math
+ // math
You divide with `//`, which cuts off what follows the point of each score.
? Which operator of Python divides without cutting?

scaled_after_the_softmax
-  / math.sqrt(query.shape[-1])
+
- weights @ value
+ weights @ value / math.sqrt(query.shape[-1])
The division comes after the softmax. Then the weights of a query sum to 1
divided by the root of d_k, and every result is too close to 0: {came} instead
of {wanted}.
? Sum the weights with which you multiply `value`. What must come out?

query_and_key_exchanged
- query @ key.transpose(-2, -1)
+ key @ query.transpose(-2, -1)
`query` and `key` have changed places: the rows of your scores belong to the
keys. It runs only if there are as many queries as keys.
? The rows of the scores belong to the queries. Which matrix has to stand on
the left?

scores_with_values
- key.transpose
+ value.transpose
You compare the queries with the values. The key is what a query is compared
with, the value is what is averaged.
? In which step does `value` take part?

keys_not_used
- key.transpose
+ query.transpose
You compare the queries with the queries. A query is compared with the keys.
? Read the line of the scores again: where does `key` stand in it?

queries_not_used
- query @ key
+ key @ key
You compare the keys with the keys. The rows of the scores belong to the
queries.
? Read the line of the scores again: where does `query` stand in it?

not_transposed
- key.transpose(-2, -1)
+ key
You multiply `query` by `key` without exchanging the axes of `key`. It runs
only if there are as many keys as numbers in a key, and then it mixes the keys.
? Write the two shapes side by side. Which two numbers must be equal, and are
both of them d_k?

star_in_the_scores
- @ key.transpose(-2, -1)
+ * key
`query` and `key` are multiplied entry by entry (`*`). A dot product also adds
up, and all scores together are one matrix product.
? Which operator of Python is the matrix product?

each_query_with_its_own_key
- query @ key.transpose(-2, -1)
+ (query * key).sum(-1)
@ square
You multiply query 1 with key 1, query 2 with key 2, and so on. Every query
meets every key: n_q times n_k scores.
? Which shape have your scores? The task asks for (n_q, n_k).

features_attend
- query @ key.transpose(-2, -1)
+ query.transpose(-2, -1) @ key
- weights @ value
+ value @ weights
Your scores compare the columns of `query` and `key`, so {d_k} by {d_k}
features look at each other. Queries and keys are the *rows*: the scores are
{n_q} by {n_k}.
? Print the shape of your scores: first the number of queries, then the number
of keys.

cosine_in_place_of_dot_product
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ unit(query) @ unit(key).transpose(-2, -1)
or
- query @ key.transpose(-2, -1)
+ unit(query) @ unit(key).transpose(-2, -1)
You divide queries and keys by their lengths, so your scores are cosines.
Attention uses the plain dot product, which grows with the length of a key.
? Which divisor is left when the norms are removed?

unit_queries
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ unit(query) @ key.transpose(-2, -1)
or
- query @ key.transpose(-2, -1)
+ unit(query) @ key.transpose(-2, -1)
You divide each query by its own length. The divisor is the root of d_k =
{d_k}, the same for all queries.
? Does your divisor depend on the shapes alone?

unit_keys
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ query @ unit(key).transpose(-2, -1)
or
- query @ key.transpose(-2, -1)
+ query @ unit(key).transpose(-2, -1)
You divide each key by its own length. The divisor is the root of d_k = {d_k},
the same for all keys.
? Does your divisor depend on the shapes alone?

distance_in_place_of_dot_product
- query @ key.transpose(-2, -1)
+ -((query[..., :, None, :] - key[..., None, :, :]) ** 2).sum(-1)
or
- query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
+ -((query[..., :, None, :] - key[..., None, :, :]) ** 2).sum(-1)
Your scores are squared distances with a minus sign; wanted are dot products.
? What is done with two numbers in a dot product, before the sum?

negative_scores
- = query @ key
+ = -query @ key
The key that matches least gets the largest weight: a minus sign stands before
the scores.
? Which key should get the largest weight, and which gets it?

exponential_too
- scores.softmax
+ scores.exp().softmax
You take e to the power of the scores, and softmax does it once more.
? Which of the three steps of softmax have you written yourself?

softmax_over_queries
- dim=-1
+ dim=-2
Softmax runs over the queries. The weights of each *query*, one row, sum to 1;
yours in row {row} sum to {column_weights}.
? Sum your weights along both axes. Which of the two sums is all ones? The axis
of the keys is the last one.

softmax_over_everything
- scores.softmax(dim=-1)
+ scores.flatten().softmax(dim=0).view_as(scores)
One softmax runs over all scores, so all weights together sum to 1, and the
results come out too close to 0: {came} instead of {wanted}.
? Which axis does your softmax run along? Each row of scores needs one of its
own.

softmax_over_features
- weights @ value
+ (scores @ value).softmax(-1)
or
- weights @ value
+ (weights @ value).softmax(-1)
Softmax runs over the numbers of the result, so each row of your result sums to
1. It belongs between the scores and `value`: it makes the weights.
? First the weights, then the weighted sum. Which of the two comes last in your
code?

no_softmax
- scores.softmax(dim=-1)
+ scores
or
-  / math.sqrt(query.shape[-1])
+
- scores.softmax(dim=-1)
+ scores
The softmax is missing: you weigh the values with the raw scores, and {came}
comes out instead of {wanted}.
? Between the scores and the weighted sum one step is missing.

no_exponential
- scores.softmax(dim=-1)
+ scores / scores.sum(-1, keepdim=True)
You divide the scores by their sum without the exponential. A negative score
becomes a negative weight, and a sum of 0 gives no number.
? Which step of softmax makes every number positive?

not_divided
- scores.softmax(dim=-1)
+ scores.exp()
or
- scores.softmax(dim=-1)
+ (scores - scores.amax(-1, keepdim=True)).exp()
You take the exponential of the scores but do not divide by its sum, so the
weights of a query do not sum to 1: {came} came instead of {wanted}.
? What should the weights of one query sum to?

base_two
- scores.softmax
+ (scores * math.log(2)).softmax
You raise 2 to the scores. Softmax uses e = 2.718, so {wanted} is wanted in
place of {came}.
? Only the base is wrong, everything else is right.

sigmoid
- scores.softmax(dim=-1)
+ scores.sigmoid()
You use the sigmoid, which looks at each score alone; the weights of a query
then do not sum to 1.
? Which function divides by the sum over all keys?

winner_takes_all
- scores.softmax(dim=-1)
+ (1e9 * scores).softmax(dim=-1)
or
- scores.softmax(dim=-1)
+ (scores == scores.amax(-1, keepdim=True)).to(scores)
Each query takes only the value of its best key. Softmax gives every key a
weight.
? Which step compares the scores or picks the largest? Softmax does neither.

equal_weights
- scores.softmax
+ (0 * scores).softmax
Every value gets the same weight, so all queries get the plain mean of the
values. The weights should follow the scores.
? Are the scores used at all? Perhaps the softmax runs over an axis of length
1.

values_not_weighted
- scores.softmax(dim=-1)
+ torch.ones_like(scores)
You add up the values without weights: every weight is 1. That also happens
when softmax gets one score at a time.
? How many scores does softmax get in one call? It needs all scores of a query
together.

softmax_twice
- scores.softmax(dim=-1)
+ scores.softmax(dim=-1).softmax(dim=-1)
Softmax is applied twice, so the weights are almost equal: {came} instead of
{wanted}.
? Once is enough: find the second call.

votes_never_reset
- scores.softmax(dim=-1)
+ scores.exp()[..., :1, :] / scores.exp().sum(-1, keepdim=True).cumsum(-2)
The list of exponentials goes on from one query to the next. The first query is
right; each later one is still weighed with the exponentials of the first and
divided by the sum of all so far.
? Each query needs an empty list of its own. Where does yours begin?

sum_not_kept_as_a_column
- scores.softmax(dim=-1)
+ scores.exp() / scores.exp().sum(-1)
The sum of each row has to divide that row. Yours lie in a row of their own, so
the sum of row 2 divides *column* 2. It runs only if there are as many queries
as keys.
? Which shape have your sums, and which shape lets each divide its own row?

looks_only_back
- scores.softmax
+ scores.masked_fill(~triangle(scores), -math.inf).softmax
Query i sees only the keys up to place i, without any mask. Where none is
given, every query sees every key.
? Is there a triangle, `is_causal`, or a loop that ends at i?

keys_as_values
- weights @ value
+ weights @ key
@ two queries
You average the keys. What is averaged are the values: your result has
{came_columns} columns, and `value` has {d_v}.
? In which step is `key` needed, and in which not?

queries_as_values
- weights @ value
+ weights @ query
You average the queries. What is averaged are the values. It runs only if there
are as many queries as keys.
? In which step is `query` needed, and in which not?

values_transposed
- weights @ value
+ weights @ value.transpose(-2, -1)
The axes of `value` are exchanged in the weighted sum. The weights of a query
meet the *rows* of `value`, one for each key; only `key` is transposed.
? With five keys the weights of one query are five numbers. Which axis of
`value` has as many?

weights_transposed
- weights @ value
+ weights.transpose(-2, -1) @ value
The axes of the weights are exchanged before the weighted sum, so query i gets
what the others give to key i. It runs only if there are as many queries as
keys.
? The rows of the weights belong to the queries, as do the rows of the result.

returned_weights
- weights @ value
+ weights
You return the weights, {n_q} by {n_k} numbers. They are right; one step is
missing: the average of the values with these weights.
? The result has as many columns as `value`.

returned_scores
- weights @ value
+ scores
You return the scaled scores, {n_q} by {n_k} numbers. They are right; softmax
and the weighted sum are missing.
? The result has as many columns as `value`.

star_in_the_average
- weights @ value
+ weights * value
Weights and values are multiplied entry by entry (`*`). A weighted sum also
adds up over the keys, which is a matrix product.
? Which operator of Python is the matrix product?

not_summed
- weights @ value
+ weights[..., None] * value[..., None, :, :]
You multiply each value by its weight but do not add up, so the result has the
shape {shape}. Each query gets one vector, the sum over the keys.
? Along which axis do the keys lie in your result?

divided_by_the_number_of_keys
- weights @ value
+ weights @ value / key.shape[-2]
You divide the weighted sum by the number of keys once more. The weights
already sum to 1, so the sum is an average: {wanted} is wanted instead of
{came}.
? Is there a `mean` where a sum is meant?

transposed
- weights @ value
+ (weights @ value).transpose(-2, -1)
The numbers are right, but rows and columns are exchanged: row i of the result
belongs to query i.
? Look for a transpose in the last lines.

result_never_reset
- weights @ value
+ (weights @ value).cumsum(-2)
or
- weights @ value
+ torch.ones_like(query[..., :1]) * (weights @ value).sum(-2, keepdim=True)
The results of the queries pile up: each one still holds those of the queries
before it, or all rows are one and the same tensor. {came} comes out instead
of {wanted}.
? Does the tensor that you add to begin with zeros for each query?

values_on_the_left
- weights @ value
+ value @ weights
You multiply the values by the weights; the weights stand on the left. It runs
only if the values are as wide as there are queries.
? The result has a row for each query. Which of the two factors has these rows?

one_query_only
- weights @ value
+ (weights @ value)[..., 0, :]
or
- weights @ value
+ (weights @ value)[..., -1, :]
You return the result of a single query. Each query gets one of its own, so the
result has as many rows as `query`.
? Does `return` stand inside the loop, or is a list overwritten?

queries_added_up
- weights @ value
+ (weights @ value).sum(-2)
or
- weights @ value
+ (weights @ value).mean(-2)
You add up (or average) the results of all queries. Each query keeps its own:
the result has as many rows as `query`.
? Over which axis does your last sum run? One sum is enough, the one over the
keys.

rounded
- weights @ value
+ (weights @ value).round(decimals=2)
or
- weights @ value
+ (weights @ value).round(decimals=3)
or
- weights @ value
+ weights.round(decimals=2) @ value
or
- weights @ value
+ weights.round(decimals=3) @ value
or
- weights @ value
+ weights.round(decimals=4) @ value
or
- scores.softmax
+ scores.round(decimals=2).softmax
Something is rounded on the way: {came} came instead of {wanted}. Round when
you print, not when you compute.
? Where does `round` stand in your code?

no_gradient
- weights @ value
+ (weights @ value).detach()
@ gradients
The numbers are right, but your result does not know how it was computed, so no
gradient comes back and nothing could be learned. `detach`, `.data`, `item`,
`torch.no_grad` and a new tensor made from numbers all cut the way back.
? Which line turns tensors into plain numbers, or copies them?

weights_without_gradient
- weights @ value
+ weights.detach() @ value
@ gradients
The numbers are right, but the gradient reaches the values only: the weights do
not know how they were computed. Then queries and keys could not be learned.
? Which line between the scores and the weights cuts the way back? (`detach`,
`.data`, `torch.no_grad`, a new tensor)

not_a_tensor
% TypeError: a tensor is wanted
The numbers are right, but they do not come as a tensor. Gradients, and the
line that calls your function, need one.
? Of which type is your result? `torch.stack` joins a list of tensors to one
tensor.

in_place_breaks_gradients
% RuntimeError: one of the variables needed for gradient computation has been
The numbers are right, but no gradient can be computed: you write into a tensor
that PyTorch still needs for it, such as the result of the softmax.
? Where does an assignment to a part, or a function with `_` at its end, change
a tensor? A function that returns a new one leaves the old as it is.

types_differ
% RuntimeError: (?!.*[Bb]ool)(expected m1 and m2 to have the same
% dtype|expected scalar type)
Two tensors of a product have different types: the inputs come with 64 bits,
and you turn one of them, or something on the way, into 32 bits (or create it
so).
? Where do you write `.float()`, `torch.float32` or create a new tensor? A new
one takes the type of another with `dtype=query.dtype`.

root_of_the_shape
% TypeError: must be real number, not torch.Size
You take the root of a whole shape. A shape lists the lengths of all axes; d_k
is the last of them.
? What does `query.shape` show, and how do you get at its last entry?

root_of_a_number
% TypeError: sqrt\(\): argument 'input' \(position 1\) must be Tensor, not int
`torch.sqrt` takes the root of a tensor, and d_k is a number of Python.
? Which module of Python takes the root of a number?

softmax_without_an_axis
% TypeError: softmax\(\) missing 1 required
You do not say along which axis softmax should run.
? Along which axis do the keys of one query lie in the scores? It has a number
that counts from the end.

transpose_without_axes
% TypeError: transpose\(\) (missing|received an invalid)
`transpose` of PyTorch needs the two axes that should change places.
? Which two axes of `key` are to be exchanged, counted from the end?

three_axes_taken_for_granted
% .*(Dimension out of range|permute\(|must be a 3D|values to unpack)
You take it for granted that there are three or more axes. The first cases are
single matrices, without sentences or heads.
? Count axes from the end: then the same line holds for matrices, for a batch,
and for a batch with heads.

both_axes_from_the_front
- key.transpose(-2, -1)
+ key.permute(*range(key.ndim)[::-1])
- dim=-1
+ dim=1
@ square batch
Two axes are right. With more, two of your lines mean other axes: `.T` turns
*all* axes of `key` around, and `dim=1` is no longer the last axis of the
scores.
? Both lines have to name the last axes, counted from the end.

turned_all_axes
- key.transpose(-2, -1)
+ key.permute(*range(key.ndim)[::-1])
@ square batch
Two axes are right. With more, `.T` reverses the order of *all* axes, so
sentences and numbers change places. Only the last two axes of `key` are to be
exchanged.
? `transpose` takes the two axes that you name. Which two are they, counted
from the end?

turned_the_first_two_axes
- key.transpose(-2, -1)
+ key.transpose(0, 1)
@ square batch
Two axes are right. With more, axes 0 and 1 of `key` are no longer its last
two, so sentences and keys change places.
? Count from the end: the last axis is number -1, however many there are.

flattened_leading_axes
- weights @ value
+ weights @ value if query.ndim < 3 else together(query, key, value)
or
- weights @ value
+ weights @ value if query.ndim < 3 else rows(together(query, key, value))
@ batch
Two axes are right. With more, you put all rows into one long matrix, so the
queries of one sentence look at the keys of every other sentence.
? What does a matrix product do with the axes before the last two? Try it with
`torch.randn(2, 3, 4) @ torch.randn(2, 4, 5)`.

softmax_axis_from_the_front
- dim=-1
+ dim=1
or
- dim=-1
+ dim=0 if scores.ndim > 2 else 1
or
- dim=-1
+ dim=0 if scores.ndim == 3 else 1
@ batch
Two axes are right. With more, your softmax runs along an axis counted from the
front, and that is another one now. The keys are on the last axis of the
scores.
? Which number has the last axis, however many there are? (`F.softmax` without
`dim` chooses one of the first two.)

width_from_the_front
- query.shape[-1]
+ query.shape[1]
or
- query.shape[-1]
+ key.shape[1]
@ batch
Two axes are right. With more, you read the width of a query from an axis
counted from the front, so the scores are divided by the root of something
else. The width is the length of the *last* axis.
? Which number has the last axis, however many there are?

first_of_the_batch_only
- weights @ value
+ (weights @ value)[0 if query.ndim > 2 else ...]
@ batch
Two axes are right. With more, you return the result of the first sentence
only.
? Is there a leading [0], or a return inside the loop over the batch?

leading_axes_lost
- weights @ value
+ rows(weights @ value)
@ batch
The numbers are right, but the leading axes got lost: the result has all axes
of `query` except the last, and then the width of `value`.
? Where does `view`, `reshape` or `flatten` change the shape, and what brings
it back?

only_two_axes
! batch, batch and heads, square batch
@ batch
With two axes everything is right. The function also has to take leading axes:
a batch of sentences, or of sentences and heads, in which each matrix is
treated on its own.
? What does `@` do with the axes before the last two? What remains is to name
the last two axes, counted from the end.

one_leading_axis_only
! batch and heads
@ batch and heads
Two and three axes are right, four are not: sentences *and* heads stand before
the last two axes. How many there are should play no part.
? Which of your lines counts axes from the front, or counts how many there are?

no_maximum_subtracted
- scores.softmax(dim=-1)
+ without_maximum(scores)
or
- scores.softmax(dim=-1)
+ without_maximum(scores, least=1e-9)
@ long
Your results are right for moderate scores. Here a score is 2546, and e to the
power 2546 is too big for a computer.
? Which number may be subtracted from all scores of a row without changing a
weight? PyTorch's softmax does it.

maximum_of_everything
- scores.softmax(dim=-1)
+ without_maximum(scores, scores.max())
@ short and long
You subtract one maximum from the whole matrix. In a row far below it all
exponentials become 0, and 0 divided by 0 is not a number.
? Along which axis is the maximum to be taken, and which shape has it then?

no_mask_input
% TypeError: .*takes (from )?3 (to 3 )?positional arguments but 4 were given
Without a mask the values are right, and chapter 4 asks for no more. From
chapter 8 on the function is called with a mask as its fourth input, and yours
takes three.
? How does the first line of a function give an input a default value?

no_mask
- scores = scores.masked
+ _ = scores.masked
- weights.masked_fill(~mask, 0.0)
+ weights
Without a mask the values are right, and chapter 4 asks for no more. From
chapter 8 on a mask has to hide keys, and with yours nothing changes.
? Does the line with the mask store its result? A function that fills or
chooses returns a new tensor and leaves the old one as it is.

mask_subtracted
% RuntimeError: (Negation|Subtraction), the `-` operator
Without a mask the values are right. A mask holds True and False, and PyTorch
does not compute with them: `1 - mask` and `-mask` are refused.
? Which operator turns True into False and False into True?

mask_asked_for_truth
% RuntimeError: Boolean value of Tensor with more than one value
Without a mask the values are right. With one, `if mask` or `not mask` asks a
whole table whether it is true, and it has no single answer. (`~` turns each
entry of a table.)
? What do you want to know there: whether a mask was given at all?

mask_not_stretched
% IndexError: The shape of the mask .* does not match the shape of the indexed
Without a mask the values are right. As an index, a mask must have exactly the
shape of the scores; (B, 1, n_k) and (n_q, n_k) have not.
? Which function fills where a mask is True, and stretches the mask by itself?

mask_of_numbers_wanted
% RuntimeError: (masked_fill_? only supports boolean|expected predicate to be)
Without a mask the values are right. `masked_fill` wants a mask of True and
False, and you turn yours into numbers before.
? Which line changes the type of the mask?

mask_flipped
- fill(~mask, -math
+ fill(mask, -math
- (~mask, 0.0)
+ (mask, 0.0)
or
- fill(~mask, -math
+ fill(mask, -math
- weights.masked_fill(~mask, 0.0)
+ weights
or
- fill(~mask, -math.inf)
+ fill(mask, -1e9)
- weights.masked_fill(~mask, 0.0)
+ weights
or
- scores.masked_fill(~mask, -math.inf)
+ scores - 1e9 * mask
- weights.masked_fill(~mask, 0.0)
+ weights
Without a mask the values are right. With one, you hide what may be looked at
and show the rest: True means *may be looked at*.
? `masked_fill` fills where its first input is True. What is True there in your
code?

mask_of_the_first_sentence
- scores = scores.masked
+ mask = mask[:1] if mask.ndim > 2 else mask
+     scores = scores.masked
The mask of the first sentence is used for all of them. Each sentence has its
own length, and its own row in the mask.
? Is there a `mask[0]`, or a new axis in the wrong place?

first_sentence_only
- scores = scores.masked
+ mask = first_sentence(mask)
+     scores = scores.masked
Only the first sentence is masked; in the others the hidden keys are looked at.
? Is there an index [0] where the mask is applied, or a loop that ends too
early?

hidden_wherever_any_is_padded
- scores = scores.masked
+ mask = mask.all(0) if mask.ndim > 2 else mask
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask.all(0) if mask.ndim > 2 else mask
+     scores = scores.masked
- weights.masked_fill(~mask, 0.0)
+ weights
or
- scores = scores.masked
+ mask = mask.all(0) if mask.ndim > 2 else mask
+     scores = scores.masked
- -math.inf
+ -1e9
- weights.masked_fill(~mask, 0.0)
+ weights
You hide a key in *all* sentences as soon as it is hidden in one of them, so
longer sentences lose words.
? Over which axis do you take `all`, `any`, a minimum or a product?

queries_masked
- scores = scores.masked
+ mask = mask.mT
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask.mT
+     scores = scores.masked
- weights.masked_fill(~mask, 0.0)
+ weights
or
- scores = scores.masked
+ mask = mask.mT
+     scores = scores.masked
- -math.inf
+ -1e9
- weights.masked_fill(~mask, 0.0)
+ weights
The last two axes of the mask are exchanged: you hide rows of the scores,
*queries*, where columns, *keys*, are to be hidden. It runs only if there are
as many queries as keys.
? Which axis of the scores belongs to the keys, and which of your mask?

queries_masked_too
- scores = scores.masked
+ mask = mask & mask.mT
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask & mask.mT
+     scores = scores.masked
- weights.masked_fill(~mask, 0.0)
+ weights
or
- scores = scores.masked
+ mask = mask & mask.mT
+     scores = scores.masked
- -math.inf
+ -1e9
- weights.masked_fill(~mask, 0.0)
+ weights
You hide the keys, and the queries at the same positions as well. The mask says
which keys may be looked at; nothing is to be hidden besides.
? Is the mask joined with its own transpose?

or_in_place_of_and
- scores = scores.masked
+ mask = mask | mask.mT
+     scores = scores.masked
You join the mask with its own transpose by `or`: then a query may look at more
than the mask allows.
? The mask comes ready. Which line changes it?

sentences_taken_for_queries
- scores = scores.masked
+ mask = mask.squeeze(1) if mask.ndim > 2 else mask
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask.squeeze(1) if mask.ndim > 2 else mask
+     scores = scores.masked
- weights.masked_fill(~mask, 0.0)
+ weights
@ as many queries as sentences
Your mask loses its axis of length 1 on the way. Broadcasting aligns shapes
from the right, so the row of sentence 1 is used for query 1 of every sentence.
It runs only if there are as many queries as sentences.
? Where do `squeeze`, an index or `view` remove an axis of the mask?

an_axis_added_to_the_mask
- scores = scores.masked
+ mask = mask.unsqueeze(1)
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask.unsqueeze(1) if mask.ndim > 2 else mask
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask.unsqueeze(1) if mask.ndim == 3 else mask
+     scores = scores.masked
or
- scores = scores.masked
+ mask = mask.unsqueeze(0) if mask.ndim == 3 else mask
+     scores = scores.masked
@ padding
You give the mask one axis more, and the scores get it, too. The mask comes in
a form that broadcasts to the scores; an axis for the heads is the work of
whoever has heads.
? Print the shapes of the mask and of the scores, before and after the mask is
applied.

causal_in_place_of_padding
- scores = scores.masked
+ mask = triangle(scores)
+     scores = scores.masked
With a mask you hide the later keys, whatever the mask says. What is hidden,
the mask alone decides.
? Is there a triangle, or `is_causal`?

causal_too
- scores = scores.masked
+ mask = mask & triangle(scores)
+     scores = scores.masked
@ padding
You hide what the mask hides, and the later keys as well. What is hidden, the
mask alone decides.
? Is there a triangle, or `is_causal`?

zeroed_scores
- scores.masked_fill(~mask, -math.inf)
+ scores * mask
- weights.masked_fill(~mask, 0.0)
+ weights
You set the hidden scores to 0. But e to the power 0 is 1: a hidden key still
gets a weight.
? For which score is e to the power of it exactly 0? (1e-9 is a number next to
0, too.)

zero_vectors_are_no_mask
- scores.masked_fill(~mask, -math.inf)
+ scores * mask
The hidden scores become 0, with the weight of e to the power 0 = 1, and the
hidden values are left out. So the other weights of a query do not sum to 1.
? Sum the weights of the keys that may be seen. What should come out?

zero_values_are_no_mask
- scores.masked_fill(~mask, -math.inf)
+ scores
You hide after the softmax (or set the hidden values to 0). The hidden keys
have taken their part of the weight by then, so what is left does not sum to 1.
? Which of the two should come first, hiding or the softmax?

fill_too_small
- -math.inf
+ -1
- weights.masked_fill(~mask, 0.0)
+ weights
or
- -math.inf
+ -math.e
- weights.masked_fill(~mask, 0.0)
+ weights
or
- -math.inf
+ -10
- weights.masked_fill(~mask, 0.0)
+ weights
or
- scores.masked_fill(~mask, -math.inf)
+ scores - 10 * ~mask
- weights.masked_fill(~mask, 0.0)
+ weights
You fill in (or subtract) a number that is too close to the scores, so the
hidden keys keep a small weight.
? Which number gives exactly 0 for every size of the scores?

plus_in_place_of_minus
- -math.inf
+ 1e9
- weights.masked_fill(~mask, 0.0)
+ weights
The hidden scores become very *large*: a minus sign is missing, and the hidden
keys get all of the weight.
? Which sign must a score have, so that e to the power of it is 0?

mask_times_infinity
- scores.masked_fill(~mask, -math.inf)
+ scores + ~mask * -math.inf
- weights.masked_fill(~mask, 0.0)
+ weights
With a mask your results are nan. A mask times infinity does that, for 0 times
infinity is no number; so does plus infinity where minus is meant.
? Which function *chooses* one of two values by a mask, without computing?

nan_turned_into_0
- scores.masked_fill(~mask, -math.inf)
+ scores + ~mask * -math.inf
- weights.masked_fill(~mask, 0.0)
+ weights.nan_to_num()
or
- scores.masked_fill(~mask, -math.inf)
+ scores + ~mask * -math.inf
- weights @ value
+ weights.nan_to_num() @ value
@ one mask
You multiply the mask by infinity: 0 times infinity is nan, so a score that may
be seen becomes nan, too, and you turn all these nan into 0 afterwards.
? Which function *chooses* one of two values by a mask, without computing?

plus_infinity_turned_into_0
- -math.inf
+ math.inf
- weights.masked_fill(~mask, 0.0)
+ weights.nan_to_num()
@ one mask
The hidden scores become *plus* infinity. Softmax makes nan of such a row,
which you turn into 0, so what may be seen gets no weight either.
? Which sign must a score have, so that e to the power of it is 0?

mask_added
- scores.masked_fill(~mask, -math.inf)
+ scores + mask
- weights.masked_fill(~mask, 0.0)
+ weights
The scores that may be seen are higher by 1 than before, as if the mask itself,
its ones and zeros, were added. That hides nothing.
? A mask that is added has to hold 0 where a key may be seen, and what
elsewhere?

score_times_minus_infinity
- scores.masked_fill(~mask, -math.inf)
+ torch.where(mask, scores, scores * -1e9)
- weights.masked_fill(~mask, 0.0)
+ weights
You multiply the hidden scores by a very low number. A score below 0 becomes
very *high* by that.
? What should become of a hidden score, whatever it was before?

masked_between_two_softmaxes
- scores = scores.masked
+ scores = scores.softmax(-1).masked
or
- scores = scores.masked
+ scores = scores.softmax(-1).masked
- weights.masked_fill(~mask, 0.0)
+ weights
With a mask softmax runs twice: once on the plain scores, and again after
hiding. The second takes weights for scores, and those lie so close together
that the result comes out nearly equal.
? What is hidden in your code, scores or weights?

divided_by_the_number_of_words
- weights @ value
+ weights @ value / (1 if mask is None else mask.sum(-1, keepdim=True))
With a mask you divide the result once more, by the number of keys that may be
seen. The weights already sum to 1, so the sum is an average.
? Is there a `mean`, or a division by the sum of the mask?

hidden_scores_still_count
- scores.masked_fill(~mask, -math.inf)
+ scores
- weights.masked_fill(~mask, 0.0)
+ left_over(weights, mask)
or
- scores.masked_fill(~mask, -math.inf)
+ scores
- weights.masked_fill(~mask, 0.0)
+ left_over(weights, mask, 1e-9)
or
- scores.masked_fill(~mask, -math.inf)
+ scores
- weights.masked_fill(~mask, 0.0)
+ left_over(weights, mask, 1e-300)
@ loud padding
Here the scores of the hidden keys are in the thousands, and your answer breaks
or moves. Some step before the hiding looks at all scores: a maximum, or a
first softmax.
? What is the first line that touches the scores? It should be the one that
hides.

hidden_by_a_finite_number
- -math.inf
+ -1e9
or
- scores.masked_fill(~mask, -math.inf)
+ scores - 1e9 * ~mask
or
- -math.inf
+ -1e4
or
- scores.masked_fill(~mask, -math.inf)
+ scores - 1e4 * ~mask
@ low scores
You hide with a finite number, such as -1e9 or -1e4. Here the scores that may be
seen are lower still, so the hidden key takes all the weight, and where it is
set to 0 afterwards nothing is left. Minus infinity has no such limit.
? A finite number always has something below it.

nothing_to_look_at_gives_nan
- weights.masked_fill(~mask, 0.0)
+ weights
@ nothing to look at
A query that may look at nothing gets nan: all its scores are minus infinity,
and 0 is divided by 0. Here such a query gets zeros. (A product with the mask
does not help: nan times 0 is nan again.)
? Which weights should a hidden key have, whatever the softmax says?

nothing_to_look_at_gives_an_average
- -math.inf
+ -1e9
- weights.masked_fill(~mask, 0.0)
+ weights
or
- scores.masked_fill(~mask, -math.inf)
+ scores - 1e9 * ~mask
- weights.masked_fill(~mask, 0.0)
+ weights
or
- -math.inf
+ torch.finfo(scores.dtype).min
- weights.masked_fill(~mask, 0.0)
+ weights
@ nothing to look at
A query that may look at nothing gets an average of what is hidden. With a
finite number such as -1e9 all its scores are low alike, and softmax looks at
differences only. Here such a query gets zeros.
? Which weights should a hidden key have, whatever the softmax says?

nan_mended_in_the_result
! gradients of nothing
@ gradients of nothing
The numbers are right, but a query that may look at nothing makes the gradients
nan, also those of `value`: you put 0 in place of nan in the *result*. The
weights stay nan, and the gradients go through them.
? Put the 0 in the weights, before they meet `value`.

nan_in_the_gradients
- scores.masked_fill(~mask, -math.inf)
+ scores + torch.where(mask, 0.0, -math.inf)
@ gradients of nothing
The numbers are right, but a query that may look at nothing makes the gradients
nan, and one nan ruins all weights in the next step. Minus infinity was *added*
to its scores; the gradient goes back through the sum.
? Which function puts a number in place of a score, so that no gradient goes
back to what stood there?

always_32_bits
- weights @ value
+ (weights @ value).float()
@ types
Your result always has 32 bits. It should have the type of the inputs; in a
model with 16 or 64 bits the next line would stop.
? Where do you write `.float()`, or create a tensor without saying of which
type?

always_64_bits
- weights @ value
+ (weights @ value).double()
@ types
Your result always has 64 bits. It should have the type of the inputs, and
those of a model have 32 or 16.
? Where do you write `.double()` or `float64`?

fixed_to_one_type
! types
@ types
Your function does not give a result of the inputs' type for 64, 32 and 16
bits. Something on the way has a type of its own.
? Where do you write a type, or create a tensor without saying of which type?

cut_to_32_bits
- scores.softmax(dim=-1)
+ scores.float().softmax(dim=-1).to(query.dtype)
! digits
@ digits
The result has 64 bits, but only the digits of 32: on the way something is cut
to 32 bits and widened again, and the digits that were lost do not come back.
? Look for `.float()`, `float32`, and a softmax with a `dtype=`. The type of the
inputs is the right one for every step.

fixed_to_the_processor
% (RuntimeError|NotImplementedError): (Tensor on device|Cannot copy|the result)
Your function works on the processor only. Something that it creates lies
there, and cannot be joined with inputs that lie on a GPU.
? Where do you create a tensor? `device=query.device` puts it where the inputs
are; `zeros_like` and its relatives do so by themselves.
"""

_IGNORED = {
    "scores = scores.masked_fill(~mask, -math.inf)": "pass",
    "weights = weights.masked_fill(~mask, 0.0)": "pass",
}


def _also_in_chapter_4(known: tuple[Mistake, ...]) -> tuple[Mistake, ...]:
    """Know what comes before `no_mask` also where the mask is ignored."""
    places = {mistake.id: place for place, mistake in enumerate(known)}
    begin, end = places["turned_all_axes"], places["no_mask"]
    return (
        *known[:begin],
        *(
            replace(m, edits=(*m.edits, *(e | _IGNORED for e in m.edits)))
            for m in known[begin:end]
        ),
        *known[end:],
    )



def _nan_for_values(answers: dict[str, Answer]) -> bool:
    """The values get nan, too, from weights that stayed nan."""
    got = answers["gradients of nothing"]
    if answers["nothing to look at"].broken or got.kind != ARRAY:
        return False
    values = 2 * 3 * 3  # theirs are the last of the row
    return bool(np.isnan(got.array[-values:]).any())


def _told_by_the_gradients(known: tuple[Mistake, ...]) -> tuple[Mistake, ...]:
    """Know by the gradients of the values that the result was mended."""
    return tuple(
        replace(mistake, matches=_nan_for_values)
        if mistake.id == "nan_mended_in_the_result"
        else mistake
        for mistake in known
    )


EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    inputs=("query", "key", "value"),
    written="scaled_dot_product_attention(query, key, value, mask=None)",
    asked="`scaled_dot_product_attention(query, key, value, mask=None)` "
    "returns softmax(query key^T / sqrt(d_k)) value: a row for each query, an "
    "average of the rows of `value`. Axes before the last two, such as "
    "sentences and heads, are left alone. From chapter 8 on: a mask is True "
    "where a query may look at a key, it broadcasts to (..., n_q, n_k), and "
    "a query that may look at nothing gets zeros.",
    praise="Values and gradients are those of "
    "torch.nn.functional.scaled_dot_product_attention: for values of "
    "another width, a batch, a batch with heads, large scores, masks "
    "of every form. A query with nothing to look at gets zeros.",
    cases=CASES,
    solve=Reference(scaled_dot_product_attention),
    catalogue=_told_by_the_gradients(
        _also_in_chapter_4(mistakes(NUMPY + MISTAKES))
    ),
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            _exchanged,
            lambda got, args: got,
            "The first thing that breaks: when keys and values change places "
            "together, no result may change, and yours do.",
        ),
        unmoved_by(
            _other_hidden,
            lambda got, args: got,
            "The first thing that breaks: when other numbers stand in hidden "
            "keys and values, no result may change, and yours do.",
        ),
    ),
    hints=(
        "Write the shape behind every line. The scores are (..., n_q, n_k); "
        "scaled, hidden and shared out they stay so, and the result is "
        "(..., n_q, d_v).",
        "Axes are counted from the end: `key` is turned along its last two, "
        "the root is that of the last axis of `query`, softmax runs along the "
        "last axis of the scores. A mask is applied to the scores before the "
        "softmax; last of all, look for queries with nothing to look at.",
    ),
    facts=_facts,
    show_inputs=_shown,
    play=play,
    handed_over=("say", "ask", "query", "key", "value", "mask"),
)
