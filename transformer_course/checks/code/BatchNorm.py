"""The exercise `class BatchNorm` and the wrong answers it knows.

A class has a memory, so one call says little. The check makes objects of it,
calls them in turn, and compares what the last call gives.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.class_answer import (
    code_in,
    look_at_class,
    objects_share_memory,
    restored,
)
from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.foreign import inputs_of, takes
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.preconditions import Precondition
from transformer_course.checks.engine.properties import Probe, finite, shape
from transformer_course.checks.engine.reading import ARRAY, number, show
from transformer_course.checks.engine.verdict import Verdict

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
    draw=lambda seed: _case("one more", (_random(seed, 5), True)),
    solve=Reference(Solution),
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
    on_the_way={
        "normal": "the normalized features",
        "x.mean(axis)": "the mean of each feature",
        "x.var(axis)": "the variance of each feature",
        "self.mean": "the running mean",
        "self.variance": "the running variance",
        "x - mean": "the differences from the mean",
        "np.sqrt(variance + 1e-05)": "the divisors",
        "variance + 1e-05": "the variances plus eps",
    },
)
