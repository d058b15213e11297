"""The exercise `rollout(maps)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    number,
    same,
    show,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "rollout"]


def rollout(function: Any) -> Verdict:
    r"""Check a function `rollout(maps)`: attention rollout.

    $$R = \hat A_N \cdots \hat A_2 \hat A_1$$

    where for each layer the maps of its heads are averaged, the identity is
    added for the residual connection, and the rows are brought back to the
    sum 1.

    Args:
        function: takes maps (layers, heads, n, n), the first layer first,
            each row (of a query) with the sum 1. Returns (n, n): row i says
            how the token at place i depends, after the last layer, on the
            n inputs.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Abnar and Zuidema 2020, section 3. Chapter 17.
    """
    return judge(EXERCISE, function)


def solution(maps):
    eye = np.eye(maps.shape[-1])
    layers = maps.mean(axis=1)
    layers = layers + eye
    layers = layers / layers.sum(axis=-1, keepdims=True)
    result = eye
    for layer in layers:
        result = layer @ result
    return result


def shares(x):
    return x / x.sum(axis=-1, keepdims=True)


def _maps(seed, layers, heads, n, causal=False):
    """Random attention: sharp in some rows, flat in others."""
    draw = np.random.default_rng(seed)
    scores = 2.0 * draw.normal(size=(layers, heads, n, n))
    if causal:
        scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    return softmax(scores)


# On paper: two layers of one head, two tokens.
SMALL = np.array([[[[0.0, 1.0], [0.5, 0.5]]], [[[0.5, 0.5], [1.0, 0.0]]]])
CASES = (
    Case("two tokens", (SMALL,)),
    Case("one layer", (_maps(1, 1, 3, 4),)),
    Case("three layers", (_maps(2, 3, 2, 4),)),
    Case("causal", (_maps(3, 2, 4, 5, causal=True),)),
    Case("one head", (_maps(4, 4, 1, 3),)),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    facts = {"heads": case.args[0].shape[1], "row_sum": "?"}
    if got.shape == want.shape:
        with np.errstate(all="ignore"):
            facts["row_sum"] = number(got[0].sum())
    return facts


def _rows(probe: Probe) -> str | None:
    """Rows of a product of shares are shares."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    with np.errstate(all="ignore"):
        sums = got.array.sum(axis=-1)
    wrong = np.flatnonzero(~np.isclose(sums, 1, atol=1e-4))
    if not len(wrong):
        return None
    row = int(wrong[0])
    return (
        f"The first thing that breaks: row {row} sums to "
        f"{number(sums[row])}. If the rows of every layer sum to 1, those of "
        "their product do, too."
    )


def _one_layer(probe: Probe) -> str | None:
    """One layer is half the identity and half the mean of its heads."""
    maps = probe.args[0][:1]
    if _gives(probe, maps, solution(maps)):
        return None
    return (
        "The first thing that breaks: with one layer alone, half of each row "
        "is the identity and half the mean of the heads. Yours is another "
        "matrix. Begin with one layer."
    )


def _nobody_moves(probe: Probe) -> str | None:
    """If every token looks at itself alone, nothing is mixed."""
    eye = np.eye(probe.args[0].shape[-1])
    maps = np.broadcast_to(eye, probe.args[0].shape).copy()
    if _gives(probe, maps, eye):
        return None
    return (
        "The first thing that breaks: if every token looks at itself alone, "
        "in all layers, the result is the identity. Yours is not."
    )


def _gives(probe: Probe, maps: np.ndarray, want: np.ndarray) -> bool:
    """False if the student's answer to these maps is another matrix."""
    answer = probe.call((maps,))
    if answer.kind != ARRAY or answer.array.shape != want.shape:
        return True
    return same(answer.array, want, 1e-4)


def _show_inputs(args: tuple) -> str:
    maps = args[0]
    if maps.size <= 8:
        return show(maps[:, 0], "maps[:, 0] = ")
    return f"maps of shape {maps.shape}"


MISTAKES = r"""
one_head_only
- maps.mean(axis=1)
+ maps[:, 0]
or
- maps.mean(axis=1)
+ maps[:, -1]
You take one head of each layer. The mean of all of them is wanted.
? Along which axis are the heads?

heads_added
- maps.mean(axis=1)
+ maps.sum(axis=1)
or
- maps.mean(axis=1)
+ maps.sum(axis=1)
- layers.sum(axis=-1, keepdims=True)
+ 2
You add the heads up. With {heads} heads the attention then weighs {heads}
times as much as the identity. Their mean is wanted.
? What should a row of the mean add up to?

largest_head
- maps.mean(axis=1)
+ maps.max(axis=1)
or
- maps.mean(axis=1)
+ maps.min(axis=1)
or
- maps.mean(axis=1)
+ maps.max(axis=1)
- layers.sum(axis=-1, keepdims=True)
+ 2
or
- maps.mean(axis=1)
+ maps.min(axis=1)
- layers.sum(axis=-1, keepdims=True)
+ 2
You take the largest (or smallest) weight among the heads. The mean is wanted.
(Others have tried the largest; that is another method.)
? Which function averages along an axis?

heads_multiplied
- maps.mean(axis=1)
+ maps.prod(axis=1)
You multiply the heads of a layer. They work side by side, not one after the
other: their mean is wanted.
? What is multiplied are layers.

averaged_over_layers
- maps.mean(axis=1)
+ maps.mean(axis=0)
You average over the layers and multiply over the heads. The first axis counts
the layers, the second the heads.
? Print `maps.shape` and the shape of your mean.

each_head_rolled_apart
- maps.mean(axis=1)
+ maps
- return result
+ return result.mean(axis=0)
You roll out each head alone and average at the end. A head of one layer reads
what *all* heads of the layer below have written, so the mean comes first, in
each layer.
? Which comes first, the mean or the product?

maps_turned
- maps.mean(axis=1)
+ maps.mean(axis=1).mT
or
- maps.mean(axis=1)
+ maps.mean(axis=1).mT
- layers.sum(axis=-1, keepdims=True)
+ 2
You turn each map around, so that columns ask and rows are looked at. In this
book a row is a query.
? Which axis of a map has the sum 1?

no_identity
- layers + eye
+ layers
You multiply the bare attention. Around each attention runs a residual
connection that carries the token itself: the identity is missing.
? If every token looked only at its neighbor, would it lose itself?

ones_not_identity
- + eye
+ + 1
or
- + eye
+ + 1
- layers.sum(axis=-1, keepdims=True)
+ 2
or
- + eye
+ + 1 / len(eye)
You add the same number everywhere. The identity has ones on its diagonal and
zeros elsewhere.
? Print what you add.

identity_in_the_first_layer_only
- layers + eye
+ np.concatenate([layers[:1] + eye, layers[1:]])
Only the first layer gets its identity. Each layer has a residual connection of
its own.
? Is the identity added inside of the loop?

identity_after_the_product
- layers + eye
+ layers
- layer @ result
+ (layer @ result + eye) / 2
or
- layers + eye
+ layers
- return result
+ return (result + eye) / 2
You add the identity to a product of layers. The residual connection of a layer
carries what *stands* in a place by then, not the word that stood there at the
beginning: add the identity to the map of each layer, and multiply afterwards.
? Which comes first in each round, the plus or the product?

identity_taken_away
- + eye
+ - eye
or
- + eye
+ - eye
- result = eye
+ result = layers[0]
- in layers
+ in layers[1:]
or
- + eye
+ - eye
- layers.sum(axis=-1, keepdims=True)
+ 2
You subtract the identity. It is added: the residual connection is a plus.
? Look at the sign.

diagonal_replaced
- layers + eye
+ np.where(eye > 0, 1, layers)
You set the diagonal to 1 and lose what stood there. A token may look at
itself, too: add the identity.
? Plus, not instead.

not_renormalized
-  / layers.sum(axis=-1, keepdims=True)
+
The rows are not brought back to the sum 1: your first row adds up to
{row_sum}. Each layer doubles it.
? What is the sum of a row after the identity was added?

columns_normalized
- axis=-1
+ axis=-2
You divide each column by its sum. A row is what one token takes in, and rows
must sum to 1.
? Along which axis do you add? Keep that axis, for the division.

divided_by_the_whole
- axis=-1
+ axis=(-1, -2)
or
- layers.sum(axis=-1, keepdims=True)
+ len(eye)
You divide by the sum of the whole matrix, or by n. Each *row* is divided by
its own sum.
? `sum` without an axis adds everything.

divided_by_the_largest
- layers.sum
+ layers.max
You divide each row by its largest weight. Divide it by its sum.
? What should a row add up to?

softmax_again
- layers / layers.sum(axis=-1, keepdims=True)
+ softmax(layers)
or
- return result
+ return softmax(result)
You bring the rows back to 1 by a softmax. They are weights already (twice as
large); a division by their sum is enough.
? What does softmax make of a weight of 0?

layers_in_the_wrong_order
- layer @ result
+ result @ layer
@ two tokens
You multiply the layers in the wrong order. A row of the *last* layer asks, so
the last layer stands on the left, the first on the right.
? Which index of the product should belong to the inputs?

cell_by_cell
- result = eye
+ result = 1
- layer @ result
+ layer * result
or
- layer @ result
+ layer * result
You multiply cell by cell. A matrix product is wanted: a way from i to j may go
through any token in between.
? In Python the matrix product has a sign of its own.

layers_added
- result = eye
+ result = 0
- layer @ result
+ layer + result
or
- result = eye
+ result = 0
- layer @ result
+ layer / len(maps) + result
You add the layers, or average them. They work one after the other: the
matrices are multiplied.
? How does a token of layer 2 reach an input? Through layer 1.

one_layer_only
- layer @ result
+ layer
or
- in layers
+ in layers[:1]
One layer alone comes back. All of them are multiplied.
? Is the product overwritten in each round of the loop, or does `return` stand
inside of it?

turned_in_between
- layer @ result
+ layer @ result.T
Somewhere in the product a matrix is turned around. None has to be.
? Look for a `.T`.

starts_with_zeros
- result = eye
+ result = 0 * eye
All numbers are 0: your product starts with zeros. A product starts with the
identity, or with the first layer.
? What is 0 times anything?

a_layer_left_out
- in layers
+ in layers[1:]
or
- in layers
+ in layers[:-1]
The first or the last layer has no part in your product.
? Where does your loop start, and where does it end?

first_layer_twice
- result = eye
+ result = layers[0]
The first layer is multiplied twice. If the product starts with it, the loop
begins with the second.
? What does your loop multiply in its first round?

result_turned
- return result
+ return result.T
Your result lies on its side: rows and columns have changed places.
? A row is a token of the last layer and sums to 1.

one_row_only
- return result
+ return result[-1]
or
- return result
+ return result[0]
You return a single row. The whole matrix is wanted, (n, n).
? Leave the choice of a row to whoever calls the function.

columns_summed
- return result
+ return result.sum(axis=0)
or
- return result
+ return result.mean(axis=0)
You return what each input gives to all tokens together, (n,). The whole matrix
is wanted, (n, n).
? Leave out the last step.

diagonal_dropped
- return result
+ return result * (1 - eye)
or
- return result
+ return shares(result * (1 - eye))
You take the diagonal away at the end. It belongs to the answer: it says how
much of a token is left in its own place.
? Leave out the last step.

percent
- return result
+ return 100 * result
or
- return result
+ return (100 * result).round()
or
- return result
+ return (100 * result).round(1)
You return percentages. Weights are wanted: rows that sum to 1.
? Leave out the factor 100.

rounded
- return result
+ return result.round(2)
or
- return result
+ return result.round(3)
or
- return result
+ return result.round(4)
The numbers are right but rounded. After some layers most weights are small, and
rounding makes zeros of them.
? Round when you print, not when you compute.

batch_axis
- return result
+ return result[None]
An axis of length 1 stands in front. A matrix is wanted, (n, n).
? Leave out the last reshaping.

places_not_shares
- return result
+ return result.argmax(axis=-1)
You return the place of the largest weight in each row. The weights
themselves are wanted.
? Leave out the `argmax`.
"""

EXERCISE = Exercise(
    name="rollout",
    inputs=("maps",),
    asked="`rollout(maps)` gets attention weights of shape (layers, heads, n, "
    "n), the first layer first, and returns (n, n): for each layer the mean "
    "of its heads, plus the identity, rows brought back to the sum 1; and "
    "these matrices multiplied, each later layer from the left.",
    praise="Your matrices agree with the reference for one layer and for "
    "four, for one head and for several, and under a causal mask.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(shape, finite, _rows, _one_layer, _nobody_moves),
    hints=(
        "One layer first: the mean over the heads is (n, n), the identity "
        "has the same shape, and a row of the sum of both adds up to 2.",
        "Begin the product with the first layer. For each further one put "
        "its matrix to the left of what you have. A row of the last layer "
        "asks, and the columns of the first are the inputs.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
)
