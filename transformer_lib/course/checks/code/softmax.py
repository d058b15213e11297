"""The exercise `softmax(x, axis)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number, show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "softmax"]


def softmax(function: Any) -> Verdict:
    """Check a function `softmax(x, axis)`: exp(x) / sum(exp(x)) along axis.

    Args:
        function: takes x, an array with one or two axes, and axis (-1, 0 or
            1), and returns the weights, an array of the shape of x. Lists and
            tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Bridle, 1990 (the name). Chapter 2.
    """
    return judge(EXERCISE, function)


def solution(x, axis):
    scores = x - x.max(axis, keepdims=True)
    votes = np.exp(scores)
    total = votes.sum(axis, keepdims=True)
    shares = votes / total
    return shares


def _random(seed, *size):
    """Scores from -2 to 3 with one decimal: easy to read in a message."""
    return np.random.default_rng(seed).integers(-20, 31, size) / 10


def _probe(name, scores):
    return Case(name, (np.array(scores), -1), basic=False)


CASES = (
    Case("small", (np.array([[0.0, 1, 2], [3, 1, 1.5]]), -1)),
    Case("columns", (_random(1, 3, 4), 0)),
    Case("vector", (_random(2, 5), 0)),
    Case("square", (_random(3, 3, 3), -1)),
    Case("rows", (_random(4, 4, 2), 1)),
    _probe("large", [1000.0, 1001, 1002]),
    _probe("very negative", [-1000.0, -1002]),
    _probe("wide", [0.0, 0, 3000]),
    _probe("far rows", [[0.0, 1, 2], [1000, 1001, 1002]]),
    _probe("whole numbers", [[1, 2, 3], [3, 0, 1]]),
)


def _line(x, axis):
    """What softmax makes sum to 1, a row or a column."""
    return "row" if axis % x.ndim == x.ndim - 1 else "column"


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the worst line's sum, the largest, ..."""
    x, axis = case.args
    line = _line(x, axis)
    facts = {"line": line, "total": number(got.sum())}
    facts |= {"top": number(got.max()), "low": number(got.min())}
    if got.shape != want.shape:
        return facts
    sums = got.sum(axis=axis).ravel()
    worst = int(np.argmax(np.abs(sums - 1)))
    which = f"{line} {worst}" if x.ndim == 2 else "the answer"
    facts |= {"sum": number(sums[worst])}
    facts |= {"which": which, "Which": which[0].upper() + which[1:]}
    if x.ndim == 2:
        facts["cross"] = "column" if line == "row" else "row"
        facts["crossing"] = number(got.sum(axis=1 - axis % 2)[0])
    return facts | first_difference(want, got)


def _one_sum(probe: Probe) -> str | None:
    """Along the axis the weights sum to one."""
    if probe.got.kind != ARRAY or probe.got.array.shape != probe.args[0].shape:
        return None
    x, axis = probe.args
    sums = np.atleast_1d(probe.got.array.sum(axis=axis))
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) < 100 * probe.got.tolerance:
        return None
    which = f"{_line(x, axis)} {worst}" if x.ndim == 2 else "this row"
    return (
        f"The first thing that breaks: {which} sums to "
        f"{number(sums[worst])}, and the weights of a softmax sum to 1."
    )


MISTAKES = r"""
no_exponential
- np.exp(scores)
+ x
You divide the scores by their sum without the exponential. A negative score
then becomes a negative weight, and equal steps in the score no longer multiply
the weight: here {came} came instead of {wanted}.
? Each score first has to become a positive number that grows by the same
factor with each point. Only then is it divided.

no_exponential_below
- np.exp(scores)
+ np.exp(x)
- votes.
+ x.
The exponential is on top only: below the line you add up the plain scores.
{Which} sums to {sum}, but weights sum to 1.
? What is added up below must be the very numbers that stand on top.

divides_before_exponential
- votes / total
+ np.exp(x / x.sum(axis, keepdims=True))
You divide the scores by their sum first and take the exponential afterwards,
so the division is undone: {which} sums to {sum} instead of 1.
? Change the order: votes first, weights last.

divided_twice
- scores =
+ x = x / x.sum(axis, keepdims=True)
+ scores =
The scores are divided by their sum before the softmax sees them. That shrinks
them, so all weights move toward equal: {came} came instead of {wanted}.
? Divide once only, at the end.

exponential_of_the_sum
- np.exp(scores)
+ np.exp(x)
- votes / total
+ votes / np.exp(x.sum(axis, keepdims=True))
Below the line stands the exponential of the sum; wanted is the sum of the
exponentials. {Which} sums to {sum} instead of 1.
? First each score on its own, then add. For scores 0 and 0 the number below is
2.

not_divided
- np.exp(scores)
+ np.exp(x)
- votes / total
+ votes
You take the exponential and stop there: {which} sums to {sum}. Weights appear
only after each number is divided by the sum of its {line}.
? You have the votes. What turns votes into weights that sum to 1?

divided_by_the_largest
- votes / total
+ votes / votes.max(axis, keepdims=True)
Your largest weight is {top} in every {line}, so the weights cannot sum to 1
(here: {sum}). Either you divide by the largest number instead of the sum, or
you subtract the largest score and then forget to divide.
? Add up one row of your result by hand. By what do you have to divide to make
that 1?

divided_by_the_length
- votes / total
+ votes / np.linalg.norm(votes, axis=axis, keepdims=True)
or
- votes / total
+ x / np.linalg.norm(x, axis=axis, keepdims=True)
You divide by the root of the sum of squares, which gives arrows of length 1.
Weights sum to 1; {which} sums to {sum}.
? Divide by the plain sum of the exponentials.

divided_by_the_count
- np.exp(scores)
+ np.exp(x)
- votes / total
+ votes / x.shape[axis]
You divide by how many scores there are, not by what they add up to: {which}
sums to {sum} instead of 1.
? How many scores are there, and what do their exponentials add up to?

all_entries
- max(axis
+ max(None
- sum(axis
+ sum(None
You sum over the whole array, so all its entries together make {total} and a
single {line} only {sum}. Each {line} is a question of its own and has its own
sum.
? Which of NumPy's inputs tells a sum to run along one axis only?

always_the_last_axis
- max(axis
+ max(-1
- sum(axis
+ sum(-1
Your sums always run along the last axis, whatever `axis` says. For axis=0 each
column has to sum to 1; {which} of yours sums to {sum}.
? Is the name `axis` used in every sum and every maximum?

always_the_first_axis
- max(axis
+ max(0
- sum(axis
+ sum(0
Your sums always run down the columns, whatever `axis` says. For axis=-1 each
row has to sum to 1; {which} of yours sums to {sum}.
? Is the name `axis` used in every sum and every maximum?

wrong_axis
- max(axis
+ max(x.ndim - 1 - axis % x.ndim
- sum(axis
+ sum(x.ndim - 1 - axis % x.ndim
Rows and columns are exchanged: here every {cross} sums to {crossing}, and
{which} to {sum}. `axis` names the direction in which the sum walks, so axis=0
walks down a column.
? Take a 2 by 3 array and write down the shape of its sum along axis 0, then
along axis 1.

axis_lost_in_the_sum
- votes.sum(axis, keepdims=True)
+ votes.sum(axis)
or
- np.exp(scores)
+ np.exp(x)
- votes.sum(axis, keepdims=True)
+ votes.sum(axis)
A sum along an axis loses that axis, so NumPy lines the sums up with the
columns instead of the rows. That stops with an error for 4 by 2 numbers; for
a square it is silently wrong: {which} sums to {sum}.
? Look up what the option `keepdims` of a sum does to its shape.

axis_lost_in_the_maximum
- x.max(axis, keepdims=True)
+ x.max(axis)
The maximum along an axis loses that axis, so NumPy subtracts it from the wrong
rows. That stops with an error for 4 by 2 numbers; for a square it is silently
wrong: {came} instead of {wanted}.
? Look up what the option `keepdims` of a maximum does to its shape.

base_two
- np.exp(scores)
+ 2.0**scores
You raise 2 to the scores. The game with doubling votes is a fine beginning,
but softmax uses e = 2.718: one point more multiplies the vote by 2.718, not by
2.
? Which function of NumPy raises e to a power?

base_ten
- np.exp(scores)
+ 10.0**scores
You raise 10 to the scores; softmax uses e = 2.718. The largest score takes too
much: {came} came instead of {wanted}.
? Which function of NumPy raises e to a power?

squared
- np.exp(scores)
+ x**2
You square the scores; softmax takes their exponential. A square forgets the
sign: the scores -2 and 2 would get the same weight.
? A score of -2 should get far less than a score of 2. Which function keeps
that order and is never negative?

sigmoid
- votes / total
+ 1 / (1 + np.exp(-x))
This is the sigmoid, which looks at each score alone: the weights do not
compete, and {which} sums to {sum}. In softmax a weight depends on all scores of
its {line}.
? What stands below the line in softmax, and which scores are in it?

negative_scores
- scores =
+ x = -x
+ scores =
Your largest score gets the smallest weight: a minus sign has turned the order
around.
? Find the minus sign in front of the scores.

standardized
- votes / total
+ (x - x.mean(axis, keepdims=True)) / x.std(axis, keepdims=True)
You subtract the mean and divide by the standard deviation. That is
normalization, and {which} sums to {sum}; softmax gives positive weights that
sum to 1.
? Start again from the votes: e to the power of each score.

min_to_max
- votes / total
+ (x - x.min(axis, keepdims=True)) / np.ptp(x, axis, keepdims=True)
You stretch the scores from 0 (smallest) to 1 (largest). Softmax gives weights:
even the smallest score keeps a little, and {which} has to sum to 1, not to
{sum}.
? Start again from the votes: e to the power of each score.

log_softmax
- return shares
+ return np.log(shares)
You return the logarithm of the weights ({came} instead of {wanted}). It is
useful in a loss, but a weight lies between 0 and 1.
? Leave the last step away.

shares_sorted
- return shares
+ return np.sort(shares, axis)
Your weights are right but sorted, so a word gets another word's weight. Keep
each weight at the place of its score.
? Remove the sorting; the order of the words carries meaning.

winner_takes_all
- np.exp(scores)
+ scores == 0
or
- np.exp(scores)
+ scores == 0
- votes / total
+ votes
or
- np.exp(scores)
+ scores == 0
+ votes &= votes.cumsum(axis) == 1
Your largest score takes everything and the others get {low}. That is a hard
maximum; softmax is soft and leaves some weight to every score.
? No comparison is needed: the exponential alone favors the largest.

place_of_the_largest
- return shares
+ return x.argmax(axis)
You return where the largest score stands. Softmax returns one weight for each
score, an array of the same shape as x.
? The result for three scores has three numbers.

softmax_twice
- return shares
+ return solution(shares, axis)
Softmax is applied twice. The second time it sees numbers between 0 and 1 only,
so all weights move toward equal: {came} instead of {wanted}.
? Somewhere a weight is taken for a score.

one_minus
- return shares
+ return 1 - shares
You return what is missing to 1: {came} instead of {wanted}.
? Which number answers: how much does this score get?

percent
- return shares
+ return 100 * shares
Your weights are given in percent ({came}); wanted are fractions of 1
({wanted}).
? What should a row sum to: 1 or 100?

transposed
- return shares
+ return shares.T
or
- return shares
+ return shares.T if axis == 0 else shares
The weights are right, but rows and columns of the result are exchanged. The
result has the shape of x.
? Look for a transpose on the way out.

rounded
- return shares
+ return np.round(shares, 2)
or
- return shares
+ return np.round(shares, 3)
or
- return shares
+ return np.round(shares, 1)
Your weights are rounded ({came} instead of {wanted}). Round when you print,
not when you compute: the small weights get lost.
? Return the numbers as they come.

scaled
- scores =
+ x = x / x.shape[-1] ** 0.5
+ scores =
or
- scores =
+ x = x / x.shape[axis] ** 0.5
+ scores =
You divide the scores by the root of how many there are before the softmax. A
scale belongs to attention, in a later chapter; softmax takes the scores as
they are.
? Leave the scores as they come.

no_maximum_subtracted
- np.exp(scores)
+ np.exp(x)
or
- np.exp(scores)
+ np.exp(x)
- votes / total
+ votes / (total + 1e-12)
@ large
Your weights are right for small scores. But e to the power 1000 is too big for
a computer, so this row breaks. Adding a constant to all scores changes no
weight: subtract the row's largest score before the exponential.
? After the subtraction the largest score is 0, so no exponential is larger
than 1. Try it on the scores 1000, 1001, 1002.

another_number_subtracted
- x.max(axis, keepdims=True)
+ x.min(axis, keepdims=True)
@ wide
You subtract something before the exponential, which is the right idea, but not
the largest score: for the scores 0, 0, 3000 a number is left that is too big
for a computer.
? Which number must you subtract so that nothing above 0 is left?

maximum_of_everything
- x.max(axis, keepdims=True)
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

exponential_of_one_number
% (TypeError|ValueError): only .* can be converted to Python scalars
A function for a single number gets a whole array: `math.exp` and `float` take
one number, and `x` holds many.
? NumPy has an exponential of its own, which takes every number of an array at
once.
"""

EXERCISE = Exercise(
    name="softmax",
    refused=("softmax",),
    inputs=("x", "axis"),
    asked="`softmax(x, axis)` turns scores into weights: e to the power of "
    "each score, divided by the sum of these along `axis`. The result has "
    "the shape of x, and it also holds for scores such as 1000.",
    praise="Your weights agree with the reference for rows, columns, single "
    "vectors and whole numbers, and scores of 1000 do not break them.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        between_zero_and_one,
        _one_sum,
        unmoved_by(
            lambda args: (args[0] + 1.0, args[1]),
            lambda got, args: got,
            "The first thing that breaks: adding 1 to every score must not "
            "change any weight, and yours change.",
        ),
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=args[1]), args[1]),
            lambda got, args: np.roll(got, 1, axis=args[1]),
            "The first thing that breaks: when the scores change places, the "
            "weights must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Work out the scores 0, 1, 2 on paper: three votes (1, 2.718 and "
        "7.389), their sum, three weights. Your code does these three steps.",
        "Two things cost most people time. A sum along an axis must keep "
        "that axis, so that the division lines up (look up `keepdims`). And "
        "a constant taken off all scores of a row changes no weight, which "
        "keeps large scores harmless.",
    ),
    facts=_facts,
    show_inputs=lambda args: f"{show(args[0], 'x = ')}\naxis = {args[1]}",
)
