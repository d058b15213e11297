"""The exercise `encoder_layer(x, attn, ffn, ln)` and its wrong answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.guard import call_by_position_or_name
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.engine.reading import show
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "encoder_layer", "function_of"]

INPUTS = ("x", "attn", "ffn", "ln")


def encoder_layer(function: Any) -> Verdict:
    """Check a function `encoder_layer(x, attn, ffn, ln)`, post-norm.

    z = ln(x + attn(x)) and y = ln(z + ffn(z)), as in the paper. The check
    hands over three functions of its own, some of them so simple that the
    answer can be worked out on paper, so that the wiring alone is judged.

    Args:
        function: takes x of shape (..., tokens, width) and three functions
            that keep this shape, and returns y. Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.1. Chapter 5.
    """
    return judge(EXERCISE, function)


def solution(x, attn, ffn, ln):
    attended = attn(x)
    z = ln(x + attended)
    forwarded = ffn(z)
    y = ln(z + forwarded)
    return y


def one_by_one(attn, x):
    tokens = x.reshape(-1, 1, x.shape[-1])
    return np.concatenate([attn(token) for token in tokens]).reshape(x.shape)


# A case names the functions: what one does, and the numbers it has learned.
# The simple ones have none; their wiring can be followed on paper.
HALF_MEAN = ("every row becomes half the mean of all rows",)
ABOVE_ONE = ("max(0, entry - 1)",)
TURNED = ("the entries in reverse order",)
DOUBLED = ("2 * entry + 1",)
STANDARD = ("to mean 0 and standard deviation 1",)
CENTERED = ("entry minus half the row's mean",)


def mean(x):
    return x.mean(axis=-1, keepdims=True)


def standard(x):
    return (x - mean(x)) / np.sqrt(mean((x - mean(x)) ** 2) + 1e-5)


FUNCTIONS = {
    HALF_MEAN[0]: lambda x: 0 * x + x.mean(axis=-2, keepdims=True) / 2,
    ABOVE_ONE[0]: lambda x: np.maximum(0.0, x - 1.0),
    TURNED[0]: lambda x: x[..., ::-1].copy(),
    DOUBLED[0]: lambda x: 2 * x + 1,
    STANDARD[0]: standard,
    CENTERED[0]: lambda x: x - mean(x) / 2,
    "self-attention with a matrix": lambda x, w: (
        softmax(x @ x.mT / len(w) ** 0.5) @ x @ w
    ),
    "a feed-forward network": lambda x, w_1, w_2, b: (
        np.maximum(0.0, x @ w_1) @ w_2 + b
    ),
    "layer norm with gain and bias": lambda x, gain, bias: (
        standard(x) * gain + bias
    ),
}


def function_of(description: tuple, name: str = "function") -> Callable:
    """Make the function that a case describes.

    Args:
        description: what it does, a key of `FUNCTIONS`, and its numbers.
        name: what error messages call it.

    Returns:
        A function of an array or a tensor, which returns the same kind.
    """
    words, *numbers = description

    def function(x):
        if hasattr(x, "detach"):
            array = x.detach().cpu().double().numpy()
            return x.new_tensor(FUNCTIONS[words](array, *numbers))
        return FUNCTIONS[words](np.asarray(x, dtype=np.float64), *numbers)

    function.__qualname__ = name
    return function


def _play(answer: Callable, x: np.ndarray, *descriptions: tuple) -> Any:
    functions = map(function_of, descriptions, INPUTS[1:])
    return call_by_position_or_name(answer, (x, *functions), INPUTS)


def _learned(name, seed, size, seed_of_the_parts):
    """Attention, feed-forward and norm with matrices drawn once."""
    x, d = _random(seed, size), size[-1]
    draw = np.random.default_rng(seed_of_the_parts)
    w, w_1 = draw.normal(size=(d, d)), draw.normal(size=(d, 2 * d))
    w_2, bias = draw.normal(size=(2 * d, d)), draw.normal(size=d)
    attn = ("self-attention with a matrix", w)
    ffn = ("a feed-forward network", w_1, w_2, bias)
    ln = ("layer norm with gain and bias", 1 + draw.random(d), bias)
    return Case(name, (x, attn, ffn, ln))


def _random(seed, size):
    draw = np.random.default_rng(seed)
    return draw.integers(-15, 16, size=size) / 10


PAPER = np.array([[1.0, 2.0, 3.0, 6.0], [3.0, 0.0, 1.0, 4.0]])
CASES = (
    Case("on paper", (PAPER, HALF_MEAN, ABOVE_ONE, CENTERED)),
    Case("standard", (PAPER, TURNED, ABOVE_ONE, STANDARD)),
    Case("no balance", (_random(1, (3, 2)), TURNED, ABOVE_ONE, DOUBLED)),
    _learned("learned", 2, (3, 4), 3),
    _learned("batch", 4, (2, 3, 5), 5),
    _learned("one token", 6, (1, 3), 7),
    Case(
        "whole numbers",
        (PAPER.astype(int), HALF_MEAN, ABOVE_ONE, CENTERED),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    return first_difference(want, got)


def _show(args: tuple) -> str:
    x, *functions = args
    lines = [
        f"{name}: {words}"
        for name, (words, *_) in zip(INPUTS[1:], functions, strict=True)
    ]
    return "\n".join([show(x, "x = "), *lines])


MISTAKES = r"""
no_skip_at_all
- (x +
+ (
- (z +
+ (
Nothing is added: each sub-layer replaces what it reads, so its output has to
hold the whole sentence again and not only what should change. {came} came in
place of {wanted}.
? Where is the vector that the sub-layer read? It has to be added to what the
sub-layer made of it.

no_skip_around_attention
- (x +
+ (
The feed-forward network has its skip, the attention has none: after it the
words know their neighbors but no longer themselves.
? Compare your two lines. In which of them does the vector come back that the
sub-layer read?

no_skip_around_feed_forward
- (z +
+ (
The attention has its skip, the feed-forward network has none: its output
replaces z and should be added to it.
? Compare your two lines. In which of them does the vector come back that the
sub-layer read?

one_skip_around_everything
- ln(x + attended)
+ attended
- (z +
+ (x +
or
- (x +
+ (
- (z +
+ (x +
There is one skip, from the beginning of the layer to its end. The paper has
two, one around each sub-layer.
? After the attention its change is added at once, before the feed-forward
network sees anything.

layer_input_added_after_feed_forward
- (z +
+ (x +
The second skip starts in the wrong place: you add x, the input of the layer,
to what the feed-forward network made. So the residual connection no longer
carries the change that the attention made.
? A skip adds what the sub-layer read. What did the feed-forward network read?

feed_forward_reads_the_layer_input
- (z)
+ (x)
The feed-forward network reads x, the input of the layer. It should read z,
what the first half of the layer made of it.
? The second line mentions z twice and x not at all.

attention_result_lost
- (z)
+ (x)
- (z +
+ (x +
- return y
+ return ln(y)
Both lines start from x, so the second one forgets the first: the attention has
no effect, and the norm is applied twice.
? The second line must start from the result of the first.

side_by_side
- (z)
+ (x)
- (z +
+ (x + attended +
or
- (z)
+ (x)
- forwarded)
+ ln(x + forwarded))
The two sub-layers stand side by side and both read x. There are models built
like that, but in the paper one follows the other: the feed-forward network
reads what the attention has mixed.
? Finish the first half, with its norm, and give it a name. Then begin the
second half with it.

input_added_twice
- (x +
+ (2 * x +
- (z +
+ (2 * z +
or
- (x +
+ (2 * x +
or
- (z +
+ (2 * z +
The vector that the sub-layer read is added twice: {came} came instead of
{wanted}. Perhaps you add it and then call something that adds it too.
? attn and ffn give the change alone; the plus sign is yours, once.

change_added_twice
- (x +
+ (x + 2 *
- (z +
+ (z + 2 *
or
- (x +
+ (x + 2 *
or
- (z +
+ (z + 2 *
The change is added twice: {came} came instead of {wanted}.
? Count how often the result of the sub-layer stands in your sum.

multiplied
- (x +
+ (x *
- (z +
+ (z *
or
- (x +
+ (x *
or
- (z +
+ (z *
You multiply where you should add. A sub-layer with nothing to say gives zeros:
added, they leave x as it is; multiplied, they wipe it out.
? Which calculation with 0 changes nothing?

subtracted
- (x +
+ (x -
- (z +
+ (z -
or
- (x +
+ (-x +
- (z +
+ (-z +
or
- (x +
+ (x -
or
- (z +
+ (z -
or
- (x +
+ (-x +
or
- (z +
+ (-z +
You subtract where you should add: {came} came instead of {wanted}. F(x) =
H(x) - x is what a sub-layer has to learn; the layer itself adds x again.
? A sub-layer gives the change. What do you do with a change to have it made?

averaged
- (x +
+ (x / 2 + 1 / 2 *
- (z +
+ (z / 2 + 1 / 2 *
or
- (x +
+ (x / 2 + 1 / 2 *
or
- (z +
+ (z / 2 + 1 / 2 *
You take the mean of x and the change; the paper takes the sum. With a norm
that brings everything to one size the halves would not show, but other norms
tell them apart.
? Leave the division away.

pre_norm
- (x)
+ (ln(x))
- z = ln
+ z =
- (z)
+ (ln(z))
- y = ln
+ y =
This is pre-norm: the norm comes before each sub-layer, and the sum is not
normalized. It is a good design, and most later models use it. Here the paper's
order is wanted, post-norm: first the sum, then the norm.
? Post-norm means that the last thing that happens to each sum is the norm.

two_orders_mixed
- (x)
+ (ln(x))
- z = ln
+ z =
or
- (z)
+ (ln(z))
- y = ln
+ y =
One half of your layer is post-norm and the other pre-norm. Each order works by
itself; here post-norm is wanted in both halves: first the sum, then the norm.
? Compare the places of ln in your two lines.

pre_norm_and_one_at_the_end
- (x)
+ (ln(x))
- z = ln
+ z =
- (z)
+ (ln(z))
This is pre-norm with one more norm at the end, as whole pre-norm models have
it. Here the paper's order is wanted, post-norm: each of the two sums is
normalized, and the sub-layers read what they get.
? Post-norm means that the last thing that happens to each sum is the norm.

norm_before_the_addition
- z = ln
+ z =
- attended)
+ ln(attended))
- y = ln
+ y =
- forwarded)
+ ln(forwarded))
or
- z = ln
+ z =
- attended)
+ ln(attended))
or
- y = ln
+ y =
- forwarded)
+ ln(forwarded))
You normalize the change and then add x. The norm belongs around the sum: here
the sum itself is never normalized, so its size grows from layer to layer.
? Move one closing bracket: the plus sign stands inside ln(...).

change_normalized_too
- attended)
+ ln(attended))
- forwarded)
+ ln(forwarded))
You normalize the change, add it, and normalize the sum as well. The paper adds
the change as the sub-layer made it, so that a small change stays small: {came}
came instead of {wanted}.
? One norm for each sub-layer, after the sum. Which one is too many?

sum_of_two_norms
- z = ln
+ z =
- (x +
+ (ln(x) +
- attended)
+ ln(attended))
- y = ln
+ y =
- (z +
+ (ln(z) +
- forwarded)
+ ln(forwarded))
You normalize x and the change each for itself and add them afterwards. The
norm of a sum is not the sum of the norms: {came} came instead of {wanted}.
? First the sum, then one norm.

skip_starts_after_the_norm
- attended =
+ x = ln(x)
+ attended =
- z = ln
+ z =
- forwarded =
+ z = ln(z)
+ forwarded =
- y = ln
+ y =
You normalize first and then use the normalized vector twice, for the sub-layer
and for the skip. So x itself is never carried on, and the sum leaves without a
norm.
? The skip takes what came in. In post-norm nothing is normalized before the
sum.

sub_layers_read_the_norm
- (x)
+ (ln(x))
- (z)
+ (ln(z))
or
- (x)
+ (ln(x))
There is a norm before the sub-layer as well as after the sum. In the paper
each sub-layer reads its input as it is, so {wanted} is wanted instead of
{came}.
? One norm for each sub-layer, after the sum. Which one is too many?

norm_applied_twice
- forwarded =
+ z = ln(z)
+ forwarded =
- return y
+ return ln(y)
or
- forwarded =
+ z = ln(z)
+ forwarded =
or
- return y
+ return ln(y)
A sum is normalized twice, or each of them. With a learned gain and bias the
second norm changes the numbers again: {came} instead of {wanted}.
? One norm for each sum.

no_norm
- z = ln
+ z =
- y = ln
+ y =
Both skips are there, but no norm: ln is never called. Without it the vectors
grow from layer to layer.
? Each of the two sums goes through ln.

one_norm_before_a_sub_layer
- (x)
+ (ln(x))
- z = ln
+ z =
- y = ln
+ y =
or
- z = ln
+ z =
- (z)
+ (ln(z))
- y = ln
+ y =
There is one norm, before a sub-layer, and neither sum is normalized. The paper
normalizes both sums, and the sub-layers read what they get.
? How many norms has the layer, and what goes into each of them?

one_skip_and_no_norm
- ln(x + attended)
+ attended
- ln(z +
+ (x +
There is one skip, from the beginning of the layer to its end, and no norm. The
paper has two skips, one around each sub-layer, and normalizes both sums.
? After the attention its change is added at once, and the sum is normalized,
before the feed-forward network sees anything.

norm_after_attention_only
- y = ln
+ y =
The first sum is normalized, the second is not. A layer has two sub-layers and
two norms.
? What happens to the sum in your last line?

norm_at_the_end_only
- z = ln
+ z =
There is one norm, at the end of the layer. The paper normalizes after each
sub-layer, so the feed-forward network should read normalized vectors.
? What happens to the sum in your first line?

order_exchanged
- attn
+ ffn
- ffn
+ attn
The feed-forward network comes first and the attention second. In the paper the
words first look around, then each thinks for itself.
? Exchange attn and ffn.

feed_forward_skipped
- return y
+ return z
Your layer ends after the attention: ffn has no effect. This is the output of
the first sub-layer, z.
? Do you return the result of the second line or of the first?

attention_skipped
- attn
+ ffn
- return y
+ return z
Your layer has only the feed-forward half: attn has no effect, and no word
hears anything of the others.
? The first line makes z from x with attn.

attention_twice
- ffn
+ attn
Both halves use attn, and ffn is never used: the words look around twice and
never think.
? Look at the second line, which was perhaps copied from the first.

feed_forward_twice
- attn
+ ffn
Both halves use ffn, and attn is never used: no word hears anything of the
others.
? Look at the first line: which sub-layer comes first in a layer?

change_only
- return y
+ return forwarded
You return what the feed-forward network made, without z and without the norm.
That is the change, not the output of the layer.
? The last line is not finished: add z, then normalize.

input_returned
- return y
+ return x
Your function returns x as it came. A layer whose sub-layers do nothing would
do that without norms; these sub-layers do something.
? Which name do you return in the last line?

token_by_token
- attn(x)
+ one_by_one(attn, x)
You call attn for one token at a time, so no token sees another. attn wants the
whole array x.
? Take the loop away: all three functions work on the whole array.

whole_numbers_cut
- return y
+ return y.astype(x.dtype)
or
- forwarded =
+ z = z.astype(x.dtype)
+ forwarded =
- return y
+ return y.astype(x.dtype)
@ whole numbers
For whole numbers in x your result has whole numbers only: the array you write
into has an integer type and cuts off what follows the point.
? Make no empty copy of x to write into; the sum is a new array anyway.
"""

EXERCISE = Exercise(
    name="encoder_layer",
    refused=("encoder_layer",),
    inputs=INPUTS,
    asked="`encoder_layer(x, attn, ffn, ln)` returns the output of one "
    "encoder layer as in the paper: around the attention and around the "
    "feed-forward network there is a skip, and the norm comes after each "
    "addition. attn, ffn and ln are functions that keep the shape of x.",
    praise="Both sub-layers have their skip and their norm, in the right "
    "order, for simple functions, for learned ones and for a whole batch.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(shape, finite),
    hints=(
        "Two lines are enough, one for each sub-layer, and they look alike. "
        "The first makes z from x, the second makes y from z.",
        "Each line says: the sub-layer reads a vector, its change is added "
        "to that same vector, and the norm gets the sum. So in the second "
        "line everything that stood for x now stands for z.",
    ),
    play=_play,
    facts=_facts,
    show_inputs=_show,
)
