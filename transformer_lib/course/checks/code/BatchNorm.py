"""The exercise `class BatchNorm` and the wrong answers it knows.

A class has a memory, so one call says little. The check makes objects of it,
calls them in turn, and compares what the last call gives.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.class_answer import (
    code_in,
    look_at_class,
    objects_share_memory,
    restored,
)
from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.foreign import inputs_of, takes
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.preconditions import Precondition
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY, number, show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "BatchNorm"]

Steps = tuple[tuple[int, np.ndarray, bool], ...]  # (object, x, training)


def BatchNorm(made: Any) -> Verdict:
    r"""Check a class `BatchNorm`: `BatchNorm(d)`, called as `(x, training)`.

    $$\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$

    with the mean and the variance (divided by n) of each feature over the n
    rows of x if `training`, and the running ones otherwise. Each training
    call moves these a tenth of the way to the mean and the variance (divided
    by n - 1) of its batch; they start at 0 and 1. gamma, at first ones, and
    beta, at first zeros, are attributes; eps is 1e-5.

    Args:
        made: the class, or a function of d that gives such an object.

    Returns:
        The verdict; no exception, no output, 15 seconds at the most.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2; the running averages
    are torch's. Chapter 6.
    """
    return judge(EXERCISE, made)


class Solution:
    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        self.mean, self.variance = np.zeros(d), np.ones(d)

    def __call__(self, x, training):
        axis = 0
        now = x.mean(axis), x.var(axis)
        if training:
            keep, take = 0.9, 0.1
            self.mean = keep * self.mean + take * now[0]
            self.variance = keep * self.variance + take * x.var(axis, ddof=1)
        mean, variance = now if training else (self.mean, self.variance)
        normal = (x - mean) / np.sqrt(variance + 1e-5)
        return self.gamma * normal + self.beta


def play(make: Callable, d: int, steps: Steps, gain: Any) -> Any:
    """Make the objects, call them in turn, return the last answer.

    Args:
        make: the class.
        d: the number of features.
        steps: (object, x, training); objects are counted from 0, and each is
            made when its turn comes for the first time.
        gain: gamma and beta that each object gets, or None.

    Returns:
        Whatever the last call returned.
    """
    objects: dict[int, Any] = {}
    answer = None
    with restored(make), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the spread of a single row
        for who, x, training in steps:
            if who not in objects:
                objects[who] = make(d)
                if gain is not None:
                    _dress(objects[who], *gain)
            if objects[who] is None or objects[who] is Ellipsis:
                return objects[who]
            answer = guard.call_by_position_or_name(
                objects[who], (x, training), ("x", "training")
            )
    return answer


def _dress(norm: Any, gamma: np.ndarray, beta: np.ndarray) -> None:
    """Set gamma and beta, also where they are parameters of torch."""
    for name, values in (("gamma", gamma), ("beta", beta)):
        try:
            setattr(norm, name, values.copy())
        except Exception:
            data = getattr(norm, name).data
            data.copy_(data.new_tensor(values.tolist()))


def _look(made: Any, exercise: Exercise) -> Precondition | None:
    """What can be said of the class without making an object of it."""
    said = look_at_class(made, exercise)
    if said is not None:
        return said
    if isinstance(made, type) and not _finds(made, "__call__"):
        return Precondition(
            "An object of your class cannot be called like a function: the "
            "class has no method `__call__`.",
            "signature",
            "The second method is called `__call__`, with two underscores on "
            "each side, and takes self, x and training.",
        )
    for thing, given, names in _first_lines(made):
        if not takes(thing, given):
            return Precondition(
                f"The check calls `{names}`, but yours takes other inputs: "
                f"{inputs_of(thing)}. Change its first line.",
                "signature",
                "BatchNorm(d) makes an object, and the object is called with "
                "x and training, in this order.",
            )
    return None


def _finds(made: type, method: str) -> bool:
    return any(method in vars(base) for base in made.__mro__)


def _first_lines(made: Any) -> list[tuple[Any, tuple, str]]:
    """What is called, with how many inputs, and how it is written."""
    found = [(made, ("d",), "BatchNorm(d)")]
    if isinstance(made, type):
        inputs = ("self", "x", "training")
        found.append((made.__call__, inputs, "bn(x, training)"))
    return found


def _random(seed: int, n: int) -> np.ndarray:
    """n rows of three features with one decimal; the last one is small."""
    x = np.random.default_rng(seed).integers(-30, 51, size=(n, 3)) / 10
    return x * np.array([1.0, 1.0, 0.002])


_A, _B, _C = _random(1, 5), _random(2, 4), _random(3, 6)
_FAR = 10 + 3 * _random(5, 5)
_ONE = np.array([[2.0, -1.0, 4.0]])
_EASY = np.array([[1.0, 4.0, 0.0], [5.0, 4.0, 2.0], [3.0, 1.0, 4.0]])
_CONSTANT = np.array([[1.0, 2.0, 0.0], [3.0, 2.0, 4.0], [5.0, 2.0, 2.0]])
_GAIN = (np.array([1.0, 2.0, 0.5]), np.array([0.0, 1.0, -1.0]))


def _case(name: str, *steps: tuple, gain=None, basic: bool = True) -> Case:
    """A case of three features; a step is (x, training) or (object, ...)."""
    full = tuple(s if len(s) == 3 else (0, *s) for s in steps)
    return Case(name, (3, full, gain), basic)


CASES = (
    _case("training", (_EASY, True)),
    _case("more rows", (_A, True)),
    _case("constant", (_CONSTANT, True)),
    _case("new object", (_B, False)),
    _case("trained once", (_A, True), (_EASY, False)),
    _case("trained twice", (_A, True), (_B, True), (_EASY, False)),
    _case("one row", (_A, True), (_C, True), (_ONE, False)),
    _case("in between", (_A, True), (_C, False), (_EASY, False)),
    _case("training again", (_A, True), (_B, True), (_EASY, True)),
    _case("two objects", (0, _A, True), (1, _C, True), (0, _EASY, False)),
    _case("a second object", (0, _A, True), (1, _EASY, False)),
    _case("gain", (_EASY, True), gain=_GAIN),
    _case("gain later", (_A, True), (_EASY, False), gain=_GAIN),
    _case("whole numbers", (_EASY.astype(int), True), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    return first_difference(want, got)


def _show_inputs(args: tuple) -> str:
    """The lines that a student would type."""
    d, steps, gain = args
    names, lines = "ab", []
    for who, x, training in steps:
        new = f"{names[who]} = BatchNorm({d})"
        if new not in lines:
            lines.append(new)
            if gain is not None:
                gamma, beta = map(show, gain)
                lines.append(f"{names[who]}.gamma = {gamma}")
                lines.append(f"{names[who]}.beta = {beta}")
        start = f"{names[who]}("
        lines.append(f"{show(x, start)}, {training})")
    return "\n".join(lines)


def _mean_zero(probe: Probe) -> str | None:
    """In training each feature has mean 0 over the batch."""
    _, steps, gain = probe.args
    _, x, training = steps[-1]
    if not training or gain is not None or probe.got.kind != ARRAY:
        return None
    if probe.got.array.shape != x.shape:
        return None
    means = probe.got.array.mean(axis=0)
    worst = int(np.argmax(abs(means)))
    if abs(means[worst]) < 1e-3:
        return None
    return (
        "The first thing that breaks: while training each feature must come "
        f"out with the mean 0 over the batch, and feature {worst} of yours "
        f"has the mean {number(means[worst])}."
    )


MISTAKES = r"""
over_the_features
- x.mean(axis)
+ x.mean(1, keepdims=True)
- x.var(axis)
+ x.var(1, keepdims=True)
- x.var(axis, ddof=1)
+ x.var(1, ddof=1, keepdims=True)
or
- axis = 0
+ axis = 1
You average along axis 1, over the features of one row. That is layer norm;
batch norm takes one mean for each feature, over the rows. {came} came instead
of {wanted}.
? A table of 5 rows with 3 features has 3 means.

over_all_entries
- axis = 0
+ axis = None
One mean for the whole batch: every feature is moved by the same number. Batch
norm has one mean for each feature. {came} came instead of {wanted}.
? Which axis do you name in `mean`? None at all means every entry.

divided_by_n_minus_one
- x.var(axis)
+ x.var(axis, ddof=1)
While training you divide by a variance that counts n - 1 rows. The batch is
normalized with the plain mean of the squares, which counts n; only the
*running* variance counts n - 1. {came} came instead of {wanted}.
? Two variances are needed: one to divide by, one to keep.

no_eps
-  + 1e-5
+
@ constant
You do not use eps. A feature that is the same in all rows has the variance 0,
and 0 divided by 0 is not a number (nan).
? Add 1e-5 to the variance before you take the root.

eps_outside_the_root
- np.sqrt(variance + 1e-5)
+ (np.sqrt(variance) + 1e-5)
@ more rows
You add eps to the standard deviation; the formula adds it to the variance,
before the root. Where the spread is small it shows: {came} came instead of
{wanted}.
? Below the line: first variance plus eps, then the root of the sum.

another_eps
- 1e-5
+ 1e-3
or
- 1e-5
+ 1e-6
or
- 1e-5
+ 1e-8
or
- 1e-5
+ 1e-12
@ more rows
Your eps is not 1e-5. Where the spread is small it shows: {came} came instead
of {wanted}.
? Compare the small number in your code with the one that is asked.

root_forgotten
- np.sqrt(variance + 1e-5)
+ (variance + 1e-5)
You divide by the variance itself; its root is wanted. {came} came instead of
{wanted}.
? Numbers twice as far apart must come out the same.

mean_not_subtracted
- (x - mean)
+ x
You divide by the spread but subtract no mean: {came} came instead of
{wanted}.
? What stands above the line? x minus the mean of its feature.

trains_with_the_running_ones
- now if training else (self.mean, self.variance)
+ (self.mean, self.variance)
or
- axis = 0
+ axis, before = 0, (self.mean, self.variance)
- now if
+ before if
While training you normalize with the running mean and variance. They serve
evaluation; a training call uses the batch's own. {came} came instead of
{wanted}.
? After a training call the mean of each feature must be 0.

evaluates_with_the_batch
- now if training else (self.mean, self.variance)
+ now
@ one row
With training = False you still use the mean and the variance of the rows that
came in. Then a row's result depends on the other rows, and a row alone has no
variance to divide by. {came} came instead of {wanted}. (Does the word training
appear in your code?)
? Which two numbers for each feature did the training leave behind?

runs_only_the_mean
- (self.mean, self.variance)
+ (self.mean, now[1])
@ trained once
With training = False you use the running mean, but the variance of the rows
that came in: {came} came instead of {wanted}.
? Both the mean and the variance have a running version.

runs_only_the_variance
- (self.mean, self.variance)
+ (now[0], self.variance)
@ trained once
With training = False you use the running variance, but the mean of the rows
that came in: {came} came instead of {wanted}.
? Both the mean and the variance have a running version.

evaluation_does_nothing
- np.sqrt(variance + 1e-5)
+ np.sqrt(variance + 1e-5) if training else x
@ trained once
With training = False you return x without normalizing it: {came} came instead
of {wanted}. The formula is the same; only the mean and the variance come from
elsewhere.
? Normalize with what the training left behind.

never_updated
- if training:
+ if False:
@ trained once
The running mean and variance never change, so evaluation knows nothing of the
training: {came} came instead of {wanted}. (A local variable is forgotten when
the call ends; `self.` keeps it.)
? Each training call has to write into the object.

updated_while_evaluating
- if training:
+ if True:
@ in between
A call with training = False also moves the running mean and variance. Looking
must not change what is looked at: {came} came instead of {wanted}.
? Put the update inside the branch for training.

only_the_mean_is_kept
- self.variance = keep
+ _ = keep
@ trained once
The running mean moves, the running variance stays where it began: {came} came
instead of {wanted}.
? Two lines are needed for the update.

only_the_variance_is_kept
- self.mean = keep
+ _ = keep
@ trained once
The running variance moves, the running mean stays where it began: {came} came
instead of {wanted}.
? Two lines are needed for the update.

training_flag_reversed
- axis = 0
+ axis, training = 0, not training
The two branches are exchanged: you use the running numbers when training is
True. {came} came instead of {wanted}.
? Read your `if` aloud.

momentum_reversed
- 0.9, 0.1
+ 0.1, 0.9
@ trained once
You keep a tenth of the old value and take nine tenths of the new one, which
leaves little more than the last batch. Asked is the other way around: {came}
came instead of {wanted}. (Here, as in PyTorch, momentum 0.1 is the
weight of the *new* value; TensorFlow's momentum is the weight of the old one.)
? After one batch, nine tenths of the start must still be there.

only_the_last_batch
- 0.9, 0.1
+ 0.0, 1.0
@ trained twice
You keep the numbers of the last batch and forget all before: {came} came in
place of {wanted}.
? Nine tenths of the old value stay.

another_momentum
- 0.9, 0.1
+ 0.99, 0.01
or
- 0.9, 0.1
+ 0.5, 0.5
or
- 0.9, 0.1
+ 0.999, 0.001
or
- 0.9, 0.1
+ 0.01, 0.99
@ trained once
The running numbers move, but not by a tenth of the way: {came} came instead
of {wanted}.
? The weight of the newest batch is 0.1.

mean_of_all_batches
- keep, take = 0.9, 0.1
+ n = self.n = vars(self).get("n", 0) + 1
+         keep, take = (n - 1) / n, 1 / n
@ trained twice
You keep the plain mean over all batches so far. That can be done, but asked is
a moving average, which forgets old batches slowly: {came} came instead of
{wanted}.
? No counter is needed: nine tenths of the old, one tenth of the new.

starts_with_the_first_batch
- keep, take = 0.9, 0.1
+ n = self.n = vars(self).get("n", 0) + 1
+         keep, take = (0.9, 0.1) if n > 1 else (0.0, 1.0)
@ trained once
Your running numbers begin as those of the first batch. Asked is a start at 0
and 1, from which the first batch moves them a tenth of the way: {came} came in
place of {wanted}.
? The first batch is treated like every other.

added_without_forgetting
- 0.9, 0.1
+ 1.0, 0.1
@ trained once
You add a tenth of the new value but keep all of the old one, so the running
numbers grow without end: {came} came instead of {wanted}.
? Multiply the old value by 0.9 first.

keeps_the_biased_variance
- x.var(axis, ddof=1)
+ x.var(axis)
@ trained once
The running variance takes in a variance that counts n rows. It should count n
- 1, because it is an estimate for rows not yet seen: {came} came instead of
{wanted}. With batches of 5 that makes a quarter of what each batch adds.
? Two variances are needed: one to divide by, one to keep.

keeps_the_deviation
- x.var(axis, ddof=1)
+ x.std(axis, ddof=1)
- (self.mean, self.variance)
+ (self.mean, self.variance**2)
or
- x.var(axis, ddof=1)
+ x.std(axis)
- (self.mean, self.variance)
+ (self.mean, self.variance**2)
@ trained twice
You keep a running standard deviation. The mean of roots is not the root of the
mean: {came} came instead of {wanted}.
? Keep the variance, and take the root when you divide.

variance_starts_at_zero
- np.zeros(d), np.ones(d)
+ np.zeros(d), np.zeros(d)
@ new object
Your running variance starts at 0. It should start at 1, so that a new object
changes nothing much: {came} came instead of {wanted}.
? Zeros for the mean, ones for the variance.

shared_by_all_objects
- self.mean, self.variance = np.zeros(d), np.ones(d)
+ if not hasattr(type(self), "mean"):
+         type(self).mean, type(self).variance = np.zeros(d), np.ones(d)
- self.mean = keep
+ type(self).mean = keep
- self.variance = keep
+ type(self).variance = keep
or
- self.mean, self.variance = np
+ type(self).mean, type(self).variance = np
- self.mean = keep
+ type(self).mean = keep
- self.variance = keep
+ type(self).variance = keep
@ two objects
Two objects of your class share one memory: what one is trained on changes the
answers of the other. A network has many such layers, and each needs numbers of
its own.
? What is written in the class, or as a default value, exists once for all
objects. Create the running mean and variance inside `__init__`, as part of
self.

gain_and_shift_forgotten
- self.gamma * normal + self.beta
+ normal
@ gain
After `bn.gamma = ...` and `bn.beta = ...` your result is the same as before.
Keep the gain and the shift under these names, and use them in the last step:
{came} came instead of {wanted}.
? Multiply by gamma, add beta, for training and evaluation alike.

gain_while_training_only
- self.gamma * normal + self.beta
+ self.gamma * normal + self.beta if training else normal
@ gain later
gamma and beta are used while training only. What is learned must also hold
afterwards: {came} came instead of {wanted}.
? The last step belongs behind the `if`, for both branches.

shift_forgotten
-  + self.beta
+
@ gain
beta is not used: {came} came instead of {wanted}.
? Multiply by gamma, add beta.

gain_forgotten
- self.gamma * normal
+ normal
@ gain
gamma is not used: {came} came instead of {wanted}.
? Multiply by gamma, add beta.

gain_and_shift_exchanged
- self.gamma * normal + self.beta
+ self.beta * normal + self.gamma
gamma and beta have changed places: gamma multiplies, beta is added. {came}
came instead of {wanted}.
? At first gamma is all ones and beta all zeros.

rounded
- self.gamma * normal + self.beta
+ np.round(self.gamma * normal + self.beta, 2)
Your result is rounded: {came} instead of {wanted}. Round when you print, not
when you compute.
? Is there a `round` on the way out?

whole_numbers_cut
! whole numbers
For whole numbers your result consists of whole numbers too. You write into an
array that was made like x, and an array of whole numbers cuts off all
decimals.
? Make the result a new array of decimal numbers, or let the formula create it.
"""

EXERCISE = Exercise(
    name="BatchNorm",
    refused=("batch_norm",),
    inputs=("d",),
    written="class BatchNorm(d), called with (x, training)",
    asked="`bn = BatchNorm(d)` makes an object, `bn(x, training)` normalizes "
    "each of the d features over the rows of x: with the batch's own mean "
    "and variance if `training` is True, with the running ones if it is "
    "False. A training call moves the running mean (at first 0) and variance "
    "(at first 1) a tenth of the way to those of the batch. eps is 1e-5, "
    "`bn.gamma` and `bn.beta` are the gain and the shift.",
    praise="Your class agrees with the reference in training, after one and "
    "two batches, for a single row, with gain and shift, and two objects do "
    "not disturb each other.",
    cases=CASES,
    solve=Reference(Solution),
    catalogue=MISTAKES,
    properties=(shape, finite, _mean_zero),
    hints=(
        "Four things are kept in `self`: gamma, beta, a running mean and a "
        "running variance, one number for each feature. Which two of them "
        "does a training call change?",
        "If training: take mean and variance of the batch along axis 0, use "
        "them, and move the running ones. Otherwise: use the running ones "
        "and leave them alone. The variance that you divide by counts n "
        "rows, the one that you keep counts n - 1.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
    play=play,
    look=_look,
    lines_of=code_in("__call__", "forward", "__init__"),
    handed_over=("d", "x", "gain"),
    finish=objects_share_memory(
        fresh=(3, ((0, _A, False),), None),
        after_another=(3, ((1, _FAR, True), (0, _A, False)), None),
    ),
)
