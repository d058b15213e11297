"""The exercise `class BatchNorm` and the wrong answers it knows.

A class has a memory, so one call says little. The check makes objects of it,
calls them in turn (`Calls`), and compares what the last call gives.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_lib.course.checks.batch_norm_mistakes import MISTAKES
from transformer_lib.course.checks.batch_norm_variants import Norm
from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.class_answer import (
    named,
    nothing_to_judge,
)
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import (
    has_inputs,
    inputs_of,
    safely,
    takes,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    same,
    show,
)
from transformer_lib.course.checks.engine.verdict import (
    WRONG,
    Verdict,
)

__all__ = ["EXERCISE", "BatchNorm", "Calls", "play"]


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
    try:
        trouble = safely(lambda: _before_judging(made), None)
        if trouble is not None:
            return trouble
        function = _as_function(made)
        verdict = judge(EXERCISE, function)
        if verdict.status == WRONG and _remembers_others(function, verdict):
            return named(EXERCISE, "shared_by_all_objects", verdict)
        return verdict
    except Exception as error:
        return EXERCISE.wrong(
            "The check could not make sense of this answer "
            f"({type(error).__name__}). Hand over the class itself.",
            mistake="not_checkable",
        )


@dataclass(eq=False)
class Calls:
    """Objects and what they are called with, in order.

    Attributes:
        steps: (object, x, training); objects are counted from 0, and each
            is made when its turn comes for the first time.
        gain: gamma and beta that each object gets, or None.
    """

    steps: tuple[tuple[int, np.ndarray, bool], ...]
    gain: tuple[np.ndarray, np.ndarray] | None = None

    def handed_over(self) -> list[tuple[str, np.ndarray]]:
        """What the objects get of it, under the name of their input."""
        return [("x", x) for _, x, _ in self.steps]

    def __str__(self) -> str:
        names, lines = "ab", []
        for who, x, training in self.steps:
            new = f"{names[who]} = BatchNorm({x.shape[-1]})"
            if new not in lines:
                lines.append(new)
                if self.gain:
                    gamma, beta = map(show, self.gain)
                    lines.append(f"{names[who]}.gamma = {gamma}")
                    lines.append(f"{names[who]}.beta = {beta}")
            start = f"{names[who]}("
            lines.append(f"{show(x, start)}, {training})")
        return "\n".join(lines)


def play(make: Callable, d: int, calls: Calls) -> Any:
    """Make the objects, call them in turn, return the last answer.

    Args:
        make: the class.
        d: the number of features.
        calls: what to do.

    Returns:
        Whatever the last call returned.
    """
    objects, answer = {}, None
    for who, x, training in calls.steps:
        if who not in objects:
            objects[who] = make(d)
            if calls.gain is not None:
                _dress(objects[who], *calls.gain)
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


def _solve(d: int, x: Calls, **knobs) -> Any:
    """The right class, or a wrong variant, put through the calls."""
    common: dict = {}
    return play(lambda width: Norm(width, common, **knobs), d, x)


def _before_judging(made: Any) -> Verdict | None:
    """What can be said of the class without making an object of it."""
    said = nothing_to_judge(made, EXERCISE)
    if said is not None:
        return said
    if isinstance(made, type) and not _finds(made, "__call__"):
        return EXERCISE.wrong(
            "An object of your class cannot be called like a function: the "
            "class has no method `__call__`.",
            "signature",
            hint="The second method is called `__call__`, with two "
            "underscores on each side, and takes self, x and training.",
        )
    for thing, given, names in _first_lines(made):
        if not takes(thing, given):
            return EXERCISE.wrong(
                f"The check calls `{names}`, but yours takes other inputs: "
                f"{inputs_of(thing)}. Change its first line.",
                "signature",
                hint="BatchNorm(d) makes an object, and the object is called "
                "with x and training, in this order.",
            )
    return None


def _finds(made: type, method: str) -> bool:
    return any(method in vars(base) for base in made.__mro__)


def _first_lines(made: Any) -> list[tuple[Any, tuple, str]]:
    """What is called, with how many inputs, and how it is written."""
    if _is_of_calls(made):
        return []
    found = [(made, ("d",), "BatchNorm(d)")]
    if isinstance(made, type):
        inputs = ("self", "x", "training")
        found.append((made.__call__, inputs, "bn(x, training)"))
    return found


def _is_of_calls(made: Any) -> bool:
    """True for a function of (d, x), where x are `Calls`."""
    return has_inputs(made, EXERCISE.inputs)


def _as_function(made: Any) -> Callable:
    """Turn a class into a function of d and `Calls`."""
    if _is_of_calls(made):
        return made

    def last_answer(d: int, x: Calls) -> Any:
        return play(made, d, x)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    last_answer.__signature__ = inspect.Signature(
        [inspect.Parameter(name, kind) for name in EXERCISE.inputs]
    )
    with contextlib.suppress(Exception):  # whose lines an error message shows
        last_answer.__wrapped__ = safely(lambda: _own_code(made), made)
    return last_answer


def _own_code(made: Any) -> Callable:
    if not isinstance(made, type):
        return made
    names = ("__call__", "forward", "__init__")
    return next(vars(made)[n] for n in names if n in vars(made))


def _remembers_others(function: Callable, verdict: Verdict) -> bool:
    """True if a new object knows what another one was trained on."""
    if verdict.mistake in ("never_ends", "calls_exit", "calls_itself_forever"):
        return False
    fresh, other = Calls(((0, _A, False),)), Calls(((0, _FAR, True),))
    first, _, second = (
        guard.call(function, (3, calls), EXERCISE.inputs, 1.0)
        for calls in (fresh, other, fresh)
    )
    if first.kind != ARRAY or second.kind != ARRAY:
        return False
    return not same(first.array, second.array)


def _random(seed: int, n: int) -> np.ndarray:
    """n rows of three features with one decimal; the last one is small."""
    x = np.random.default_rng(seed).integers(-30, 51, size=(n, 3)) / 10
    return x * np.array([1.0, 1.0, 0.002])


_A, _B, _C, _D = _random(1, 5), _random(2, 4), _random(3, 6), _random(4, 3)
_FAR = 10 + 3 * _random(5, 5)
_ONE = np.array([[2.0, -1.0, 4.0]])
_EASY = np.array([[1.0, 4.0, 0.0], [5.0, 4.0, 2.0], [3.0, 1.0, 4.0]])
_CONSTANT = np.array([[1.0, 2.0, 0.0], [3.0, 2.0, 4.0], [5.0, 2.0, 2.0]])
_GAIN = (np.array([1.0, 2.0, 0.5]), np.array([0.0, 1.0, -1.0]))


def _case(name: str, *steps: tuple, gain=None, basic: bool = True) -> Case:
    """A case of three features; a step is (x, training) or (object, ...)."""
    full = tuple(s if len(s) == 3 else (0, *s) for s in steps)
    return Case(name, (3, Calls(full, gain)), basic=basic)


_CASES = (
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
    """Numbers for the messages: what came and what is wanted."""
    if got.shape != want.shape:
        return {"shape": str(got.shape)}
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if not len(wrong):
        return {}
    place = tuple(int(i) for i in wrong[0])
    came, wanted = apart(got[place], want[place])
    row, feature = (place + (0,))[:2]
    return {
        "came": came,
        "wanted": wanted,
        "row": str(row),
        "feature": str(feature),
    }


def _mean_zero(probe: Probe) -> str | None:
    """In training each feature has mean 0 over the batch."""
    calls = probe.args[1]
    _, x, training = calls.steps[-1]
    if not training or calls.gain or probe.got.kind != ARRAY:
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


class _ClassExercise(Exercise):
    """An exercise whose answer is a class."""

    @property
    def signature(self) -> str:
        """The class and its call, as the chapter writes them."""
        return "class BatchNorm(d), called with (x, training)"


EXERCISE = _ClassExercise(
    name="BatchNorm",
    inputs=("d", "x"),
    asked="`bn = BatchNorm(d)` makes an object, `bn(x, training)` normalizes "
    "each of the d features over the rows of x: with the batch's own mean "
    "and variance if `training` is True, with the running ones if it is "
    "False. A training call moves the running mean (at first 0) and variance "
    "(at first 1) a tenth of the way to those of the batch. eps is 1e-5, "
    "`bn.gamma` and `bn.beta` are the gain and the shift.",
    praise="Your class agrees with the reference in training, after one and "
    "two batches, for a single row, with gain and shift, and two objects do "
    "not disturb each other.",
    cases=_CASES,
    solve=_solve,
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
    show_inputs=lambda args: str(args[1]),
)
