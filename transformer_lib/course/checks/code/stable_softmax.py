"""The exercise `stable_softmax(x)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number, show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "stable_softmax"]


def stable_softmax(function: Any) -> Verdict:
    """Check a function `stable_softmax(x)`: softmax along the last axis.

    weight_j = exp(x_j - max x) / sum_k exp(x_k - max x), the maximum and the
    sum taken along the last axis. Scores of any size give finite weights.

    Args:
        function: takes x, an array with one, two or three axes, and returns
            the weights, an array of the shape of x. Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Milakov and Gimelshein, 2018, section 2. Chapter 4.
    """
    return judge(EXERCISE, function)


def solution(x):
    scores = x - x.max(-1, keepdims=True)
    votes = np.exp(scores)
    total = votes.sum(-1, keepdims=True)
    shares = votes / total
    return shares


def _random(name, seed, *size):
    """Scores from -2 to 3 with one decimal: easy to read in a message."""
    draw = np.random.default_rng(seed)
    return Case(name, (draw.integers(-20, 31, size) / 10,))


def _probe(name, scores):
    """A case beyond the usual size of scores."""
    return Case(name, (np.array(scores),), basic=False)


CASES = (
    Case("small", (np.array([[0.0, 1, 2], [3, 1, 1.5]]),)),
    _random("vector", 41, 5),
    _random("square", 42, 3, 3),
    _random("stack", 43, 2, 3, 4),
    _probe("hundred", [100.0, 101, 102]),
    _probe("four hundred", [400.0, 401, 402]),
    _probe("thousand", [1000.0, 1001, 1002]),
    _probe("very negative", [-1000.0, -1001, -1002]),
    _probe("below zero", [-400.0, -401, -402]),
    _probe("one high", [0.0, 0, 900]),
    _probe("two high", [900.0, 900, 0]),
    _probe("far apart", [0.0, 0, 3000]),
    _probe("far rows", [[0.0, 1, 2], [1000, 1001, 1002]]),
    _probe("whole numbers", [[1, 2, 3], [3, 0, 1]]),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the worst row's sum, the first wrong weight."""
    facts = {"total": number(got.sum()), "top": number(got.max())}
    if got.shape != want.shape:
        return facts
    sums = got.sum(axis=-1).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    which = f"row {worst}" if got.ndim == 2 else "a row"
    facts |= {"which": which, "Which": which.capitalize()}
    facts["sum"] = number(sums[worst])
    return facts | first_difference(want, got)


def _one_sum(probe: Probe) -> str | None:
    """Along the last axis the weights sum to one."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.args[0].shape:
        return None
    sums = np.atleast_1d(got.array.sum(axis=-1)).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) < 100 * got.tolerance:
        return None
    return (
        f"The first thing that breaks: a row sums to {number(sums[worst])}, "
        "and the weights of a softmax sum to 1."
    )


# No edit: its numbers would also fit an exponential in single precision,
# which breaks at 400 without any maximum. But that one breaks at 100 as well.
MAXIMUM_ADDED = Mistake(
    "maximum_added",
    "You add the maximum where it should be taken off: already for the "
    "scores 400, 401, 402 the exponent exceeds 709, and the row breaks.",
    "After the right step the largest exponent is 0.",
    matches=lambda a: a["four hundred"].broken and not a["hundred"].broken,
    on="four hundred",
)

MISTAKES = r"""
maximum_of_the_column
- max(-1
+ max(0
You subtract the largest score of each column. Within a row the scores then
lose different numbers, and that changes the weights: {came} came instead of
{wanted}. Subtract one number for the whole row.
? Along which axis does your maximum run? A row is the last axis.

axis_lost_in_the_maximum
- x.max(-1, keepdims=True)
+ x.max(-1)
or
- x.max(-1, keepdims=True)
+ x.max(-1)
- votes.sum(-1, keepdims=True)
+ votes.sum(-1)
The maximum along an axis loses that axis, so NumPy lines the row maxima up
with the columns. For 2 by 3 numbers that stops with an error; for a square it
is silently wrong: {came} instead of {wanted}.
? Look up what the option `keepdims` of a maximum does to its shape.

sign_turned
- np.exp(scores)
+ np.exp(-scores)
You subtract the score from the maximum, not the maximum from the score, so
the largest score gets the smallest weight.
? For the scores 0, 1, 2 the exponents are -2, -1, 0.

clipped_tightly
- scores =
+ x = np.clip(x, -1, 1)
+ scores =
or
- scores =
+ x = np.clip(x, -2, 2)
+ scores =
or
- scores =
+ x = np.minimum(x, 0)
+ scores =
or
- scores =
+ x = np.minimum(x, 1)
+ scores =
You cut large scores down to a limit, so scores beyond it get the same weight
although they differ: {came} came instead of {wanted}.
? Cutting loses the difference between two large scores. Which operation keeps
all differences?

divided_by_the_largest
- scores =
+ x = x / x.max(-1, keepdims=True)
+ scores =
or
- scores =
+ x = x / abs(x).max(-1, keepdims=True)
+ scores =
You divide the scores by the largest one. That keeps them small, but it changes
their differences and so the weights: {came} instead of {wanted}. A difference
survives a subtraction, not a division.
? Replace one sign.

shrunk
- scores =
+ x = x / 100
+ scores =
or
- scores =
+ x = x / 10
+ scores =
or
- scores =
+ x = x / 1000
+ scores =
You divide all scores by a fixed number to make them small. That moves all
weights toward equal: {came} instead of {wanted}.
? Subtract instead of dividing; only differences count.

scaled
- scores =
+ x = x / x.shape[-1] ** 0.5
+ scores =
or
- scores =
+ x = x / x.shape[-1]
+ scores =
You scale the scores by how many there are. This exercise is about overflow
alone: the weights must be exactly those of softmax, and {came} came instead of
{wanted}.
? Leave the division of the scores to the next exercise.

stretched_from_0_to_1
- scores =
+ x = (x - x.min(-1, keepdims=True)) / np.ptp(x, -1, keepdims=True)
+ scores =
You stretch each row of scores from 0 to 1 before the exponential. No overflow
is left, but neither are the differences: {came} instead of {wanted}.
? Subtract one number a row and do nothing else to the scores.

standardized
- scores =
+ x = x / x.std(-1, keepdims=True)
+ scores =
You divide the scores of each row by their standard deviation. Subtracting is
harmless, dividing is not: {came} came instead of {wanted}.
? Leave the division away, and think again about what to subtract.

subtracted_after_the_exponential
- np.exp(scores)
+ np.exp(x) - np.exp(x).max(-1, keepdims=True)
or
- np.exp(scores)
+ np.exp(x) - np.exp(x).max(-1, keepdims=True)
- votes / total
+ votes
You subtract the largest number after the exponential. By then the overflow has
happened, and the weights are wrong: {came} instead of {wanted}.
? First the subtraction, then the exponential.

shift_forgotten_below
- votes.
+ np.exp(x).
Above the line you subtract the maximum, below it you add up the exponentials
of the scores as they were. {Which} sums to {sum}.
? Compute the exponentials once and use them in both places.

shift_forgotten_above
- votes /
+ np.exp(x) /
Below the line you subtract the maximum, above it you do not. {Which} sums to
{sum}.
? Compute the exponentials once and use them in both places.

no_exponential
- np.exp(scores)
+ scores
The exponential is missing: you divide shifted scores by their sum, so {came}
came instead of {wanted}.
? Three steps: subtract, e to the power, divide.

not_divided
- votes / total
+ votes
or
- votes / total
+ votes / votes.max(-1, keepdims=True)
You subtract and take the exponential, and there you stop: the largest number
of each row is 1 and {which} sums to {sum}.
? You have the exponentials. What makes them sum to 1?

divided_by_the_count
- votes / total
+ votes / x.shape[-1]
You divide by how many scores there are, not by the sum of the exponentials:
{which} sums to {sum}.
? What must you divide by, so that the row sums to 1?

axis_lost_in_the_sum
- votes.sum(-1, keepdims=True)
+ votes.sum(-1)
or
- np.exp(scores)
+ np.exp(x)
- votes.sum(-1, keepdims=True)
+ votes.sum(-1)
@ square
A sum along an axis loses that axis, so NumPy lines the sums up with the
columns. For a square that is silently wrong: {which} sums to {sum}.
? Look up what the option `keepdims` of a sum does to its shape.

first_axis
- max(-1
+ max(0
- sum(-1
+ sum(0
or
- sum(-1
+ sum(0
Your sums run down the columns. Each row, that is the last axis, is a question
of its own; {which} of yours sums to {sum}.
? Which number of `axis` means the last one, however many there are?

second_axis
- max(-1
+ max(1
- sum(-1
+ sum(1
or
- sum(-1
+ sum(1
@ stack
You wrote `axis=1`. That is the last axis of a table, but not of a stack of
tables, where {which} of yours sums to {sum}; and a single row has no axis 1 at
all.
? Count the axes from the end: which number is the last one?

all_entries
- x.max(-1, keepdims=True)
+ x.max()
- votes.sum(-1, keepdims=True)
+ votes.sum()
or
- votes.sum(-1, keepdims=True)
+ votes.sum()
You sum over the whole array, so all its rows together make {total} and {which}
only {sum}.
? Which of NumPy's inputs tells a sum to run along one axis only? Ask the same
of your maximum.

base_two
- np.exp(scores)
+ 2.0**scores
You raise 2 to the scores; softmax uses e = 2.718: {came} instead of {wanted}.
? Which function of NumPy raises e to a power?

winner_takes_all
- np.exp(scores)
+ scores == 0
Your largest score takes everything. That needs no exponential and never
overflows, but softmax gives every score some weight.
? Subtract, exponential, divide; no comparison is needed.

softmax_twice
- return shares
+ return solution(shares)
Softmax is applied twice, so all weights move toward equal: {came} came instead
of {wanted}.
? Somewhere a weight is taken for a score.

log_softmax
- return shares
+ return np.log(shares)
You return the logarithm of the weights ({came} instead of {wanted}).
? Leave the last step away.

rounded
- return shares
+ return np.round(shares, 2)
or
- return shares
+ return np.round(shares, 3)
Your weights are rounded ({came} instead of {wanted}). Round when you print,
not when you compute.
? Return the numbers as they come.

& maximum_added

no_maximum_subtracted
- np.exp(scores)
+ np.exp(x)
or
- np.exp(scores)
+ np.exp(x)
- votes / total
+ votes / (total + 1e-12)
@ thousand
Your weights are right for small scores. But e to the power 1000 is too large
for any number format here, so this row breaks. Subtract the row's largest score
from all scores of the row first; only differences count.
? After the subtraction the largest score is 0, so no exponential is larger
than 1. Try it on the scores 1000, 1001, 1002.

clipped
- scores =
+ x = np.minimum(x, 700)
+ scores =
or
- x - x.max(-1, keepdims=True)
+ np.minimum(x, 709)
or
- x - x.max(-1, keepdims=True)
+ np.clip(x, -709, 709)
@ thousand
You cut large scores down to a limit, so 1000, 1001 and 1002 come out the same
although they differ.
? Cutting loses the differences between large scores. Which operation keeps all
differences?

nan_covered_up
- np.exp(scores)
+ np.exp(x)
- return shares
+ return np.nan_to_num(shares)
@ thousand
The numbers broke inside, and you replaced what is not a number. The weights of
this row no longer sum to 1: a hole is covered, not mended.
? Prevent the overflow: no exponential larger than 1 needs to be computed.

largest_size_subtracted
- x.max
+ abs(x).max
@ very negative
You subtract the largest size, without its sign. For scores that are all far
below 0 that pushes them down further, all exponentials become 0, and 0
divided by 0 is nan.
? The largest of -1000, -1001, -1002 is -1000, and taking it off adds 1000.

far_below_zero
- x.max(-1, keepdims=True)
+ x.max(-1, keepdims=True).clip(0)
@ very negative
Only one thing is missing: scores that are all far below 0. All their
exponentials become 0, and 0 divided by 0 is nan. Is the subtraction behind a
condition, or does the largest score stand beside a 0? Subtract it always,
whatever its sign.
? What is the largest of -1000, -1001, -1002, and where does it go in your code?

smallest_subtracted
- x.max
+ x.min
@ two high
You subtract the smallest score. All exponents are then positive, and one of
900 is too large: this row breaks.
? Which number must you take off so that nothing above 0 is left?

another_number_subtracted
- x.max(-1, keepdims=True)
+ x[..., :1]
or
- x.max(-1, keepdims=True)
+ x[..., -1:]
@ one high
You subtract one number a row, which is the right idea, but not the largest
score: here an exponent near 900 is left, which is too large.
? Which number must you take off so that nothing above 0 is left?

mean_subtracted
- x.max
+ x.mean
@ far apart
You subtract the mean. That helps as long as no score lies far above it; of 0,
0, 3000 the mean is 1000, and an exponent of 2000 is left.
? Which number must you take off so that nothing above 0 is left?

maximum_of_everything
- x.max(-1, keepdims=True)
+ x.max()
@ far rows
You subtract the largest score of the whole array. A row far below it shrinks
to zeros, and 0 divided by 0 is nan. Each row needs its own largest score.
? Along which axis should the maximum run, and which shape must it keep?

whole_numbers_cut
- return shares
+ return shares.astype(x.dtype)
or
- np.exp(scores)
+ np.exp(scores).astype(x.dtype)
@ whole numbers
For whole numbers as scores your weights become 0 and 1: the array you write
into has an integer type and cuts off what follows the point.
? Give the new array a type with decimals, whatever the type of x.
"""

EXERCISE = Exercise(
    name="stable_softmax",
    refused=("softmax",),
    inputs=("x",),
    asked="`stable_softmax(x)` is the softmax of x along its last axis, "
    "whatever the size of the scores and however many axes x has. The "
    "result has the shape of x and holds neither inf nor nan.",
    praise="Your weights agree with the reference for vectors, tables and "
    "stacks of tables, and no score is too large or too small for them.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    made_here=(MAXIMUM_ADDED,),
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _one_sum,
        unmoved_by(
            lambda args: (args[0] + 1.0,),
            lambda got, args: got,
            "The first thing that breaks: adding 1 to every score must not "
            "change any weight, and yours change.",
        ),
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=-1),),
            lambda got, args: np.roll(got, 1, axis=-1),
            "The first thing that breaks: when the scores change places, the "
            "weights must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Softmax as in chapter 2, with one step before it. Which number may "
        "you subtract from all scores of a row without changing a weight, and "
        "which choice makes sure that no exponential exceeds 1?",
        "Both the maximum and the sum run along the last axis, counted from "
        "the end, and both must keep that axis (look up `keepdims`), so that "
        "each row meets its own two numbers. Then the number of axes does "
        "not matter.",
    ),
    facts=_facts,
    show_inputs=lambda args: show(args[0], "x = "),
)
