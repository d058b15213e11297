"""The exercise `class Cached` and the wrong answers it knows.

A cache is a memory, so one call says little. The check makes objects, takes
steps with them in turn (`Steps`), and compares what the last step gives.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_lib.course.checks.cached_mistakes import MISTAKES
from transformer_lib.course.checks.cached_variants import Reference
from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.class_answer import (
    named,
    nothing_to_judge,
)
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import (
    has_inputs,
    is_class,
    safely,
    signature,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    number,
    same,
    show,
)
from transformer_lib.course.checks.engine.verdict import WRONG, Verdict

__all__ = ["EXERCISE", "Cached", "Steps", "play"]

_MATRICES = ("W_Q", "W_K", "W_V", "P")


def Cached(made: Any) -> Verdict:
    r"""Check a class `Cached`: `Cached(W_Q, W_K, W_V, P)`, `step`, `select`.

    Each `step(x)` takes the next token of B sentences, adds its position
    P[t], keeps its key and its value, and returns

    $$\mathrm{softmax}\left(q_t K_{\le t}^\top / \sqrt{d_k}\right) V_{\le t}$$

    for each sentence. `select(rows)` says that from now on sentence i goes
    on from what sentence rows[i] has been.

    Args:
        made: the class; its objects are made from W_Q (d, d_k), W_K (d, d_k),
            W_V (d, d_v) and P (n, d); step takes x (B, d) and returns
            (B, d_v); select takes a list of row numbers.

    Returns:
        The verdict; no exception, no output, 15 seconds at the most.

    Source: Vaswani et al. 2017, section 3.2.1, one row at a time. Chapter 14.
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
class Steps:
    """What is done with objects of the class, in order.

    Attributes:
        moves: (object, what): an array (B, d) is a step, a tuple of row
            numbers a selection; objects are counted from 0.
    """

    moves: tuple[tuple[int, Any], ...]

    def handed_over(self) -> list[tuple[str, Any]]:
        """What the methods get of it, under the names of their inputs."""
        return [
            ("x" if isinstance(what, np.ndarray) else "rows", what)
            for _, what in self.moves
        ]

    def __str__(self) -> str:
        names, lines = "ab", []
        for who, what in self.moves:
            new = f"{names[who]} = Cached(W_Q, W_K, W_V, P)"
            if new not in lines:
                lines.append(new)
            if isinstance(what, np.ndarray):
                lines.append(show(what, f"{names[who]}.step(") + ")")
            else:
                lines.append(f"{names[who]}.select({list(what)})")
        return "\n".join(lines)


def play(make: Callable, matrices: tuple, steps: Steps) -> Any:
    """Make the objects, go through the moves, return the last answer.

    Args:
        make: the class.
        matrices: W_Q, W_K, W_V and P.
        steps: what to do.

    Returns:
        Whatever the last step returned.
    """
    objects, answer = {}, None
    for who, what in steps.moves:
        if who not in objects:
            objects[who] = make(*matrices)
        if objects[who] is None or objects[who] is Ellipsis:
            return objects[who]
        if isinstance(what, np.ndarray):
            answer = objects[who].step(what)
        else:
            objects[who].select(list(what))
    return answer


def _solve(W_Q, W_K, W_V, P, steps: Steps, **knobs: Any) -> Any:
    """The right class, or a wrong variant, put through the moves."""
    common: dict = {}
    return play(
        lambda *matrices: Reference(*matrices, common, **knobs),
        (W_Q, W_K, W_V, P),
        steps,
    )


def _before_judging(made: Any) -> Verdict | None:
    """What can be said of the class without making an object of it."""
    said = nothing_to_judge(made, EXERCISE)
    if said is not None:
        return said
    if not _is_of_steps(made) and not _takes(made, _MATRICES):
        return EXERCISE.wrong(
            "The check calls `Cached(W_Q, W_K, W_V, P)`, but yours takes "
            "other inputs. Change the first line of `__init__`.",
            "signature",
            hint="The four matrices come when the object is made.",
        )
    methods = (("step", ("self", "x")), ("select", ("self", "rows")))
    for name, inputs in methods if isinstance(made, type) else ():
        method = getattr(made, name, None)
        if not callable(method) or not _takes(method, inputs):
            call = f"{name}({', '.join(inputs[1:])})"
            return EXERCISE.wrong(
                f"The class needs a method `{call}`, which takes one input "
                "beside self.",
                "signature",
                hint="An object of the class has two methods: one takes a "
                "step, the other changes the order of the sentences.",
            )
    return None


def _takes(thing: Any, names: tuple) -> bool:
    found = signature(thing)
    if found is None:  # built-in, or an object that refuses
        return True
    try:
        found.bind(*[0] * len(names))
    except TypeError:
        return False
    return True


def _is_of_steps(made: Any) -> bool:
    """True for a function of the matrices and `Steps`."""
    return has_inputs(made, EXERCISE.inputs)


def _as_function(made: Any) -> Callable:
    """Turn a class into a function of the matrices and `Steps`."""
    if _is_of_steps(made):
        return made

    def last_answer(*args: Any) -> Any:
        return play(made, args[:4], args[4])

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    last_answer.__signature__ = inspect.Signature(
        [inspect.Parameter(name, kind) for name in EXERCISE.inputs]
    )
    with contextlib.suppress(Exception):  # whose lines an error message shows
        last_answer.__wrapped__ = made
        if is_class(made):
            last_answer.__wrapped__ = safely(lambda: made.step, made)
    return last_answer


def _remembers_others(function: Callable, verdict: Verdict) -> bool:
    """True if a new object knows what another one has seen."""
    if verdict.mistake in ("never_ends", "calls_exit", "calls_itself_forever"):
        return False
    fresh = Steps(((0, _tokens(1, 1)),))
    other = Steps(((0, _tokens(2, 1)), (0, _tokens(3, 1))))
    first, _, second = (
        guard.call(function, (*_GIVEN, moves), EXERCISE.inputs, 1.0)
        for moves in (fresh, other, fresh)
    )
    if first.kind != ARRAY or second.kind != ARRAY:
        return False
    return not same(first.array, second.array)


def _tokens(seed: int, n: int, d: int = 4) -> np.ndarray:
    """n tokens of d numbers with one decimal."""
    return np.random.default_rng(seed).integers(-15, 16, size=(n, d)) / 10


_GIVEN = (
    _tokens(11, 4, 3),
    _tokens(12, 4, 3),
    _tokens(13, 4, 2),
    _tokens(14, 8),
)
_A, _B, _C, _D = (tuple(_tokens(10 * s + t, s) for t in range(4))
                  for s in (1, 2, 3, 4))  # fmt: skip


def _case(name: str, *moves: Any, who: tuple = ()) -> Case:
    """A case of steps (arrays) and selections (tuples)."""
    who = who or (0,) * len(moves)
    return Case(name, (*_GIVEN, Steps(tuple(zip(who, moves, strict=True)))))


_CASES = (
    _case("one step", _A[0]),
    _case("three steps", *_A[:3]),
    _case("four steps", *_A),
    _case("two sentences", *_B[:3]),
    _case("two objects", _A[0], _A[1], _A[2], who=(0, 1, 0)),
    _case("exchanged", _B[0], _B[1], (1, 0), _B[2], _B[3]),
    _case("a circle", _C[0], _C[1], (1, 2, 0), _C[2]),
    _case("doubled", _B[0], _B[1], (0, 0), _B[2], _B[3]),
    _case("fewer", _C[0], _C[1], (2,), _A[2], _A[3]),
    _case("more", _A[0], _A[1], (0, 0, 0), _C[2], _C[3]),
    _case("twice", _C[0], (2, 0, 0), _C[1], (1, 0, 2), _C[2], _C[3]),
)


def _inside(probe: Probe) -> str | None:
    """A mixture lies between the smallest and the largest value."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    moves = [what for _, what in probe.args[4].moves]
    tokens = [what for what in moves if isinstance(what, np.ndarray)]
    P, W_V = probe.args[3], probe.args[2]
    values = np.concatenate([(x + P[t]) @ W_V for t, x in enumerate(tokens)])
    low, high = values.min(axis=0) - 1e-4, values.max(axis=0) + 1e-4
    out = (got.array < low) | (got.array > high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: a mixture stays between the smallest "
        f"and the largest value, and your {number(got.array[place])} at "
        f"{list(place)} lies outside. Do the shares of each sentence sum to 1?"
    )


class _ClassExercise(Exercise):
    """An exercise whose answer is a class."""

    @property
    def signature(self) -> str:
        """The class and its methods, as the chapter writes them."""
        return "class Cached(W_Q, W_K, W_V, P) with step(x) and select(rows)"


EXERCISE = _ClassExercise(
    name="Cached",
    inputs=(*_MATRICES, "steps"),
    asked="`cache = Cached(W_Q, W_K, W_V, P)` makes an empty cache. "
    "`cache.step(x)` takes the next token of B sentences, (B, d): it adds the "
    "position, row t of P for the step t = 0, 1, ..., keeps the new keys and "
    "values, and returns for each sentence softmax(q K^T / sqrt(d_k)) V over "
    "all its tokens so far, (B, d_v). After `cache.select(rows)` sentence i "
    "goes on from what sentence rows[i] has been.",
    praise="Your class agrees with attention over the whole sentence, step "
    "for step, for one sentence and for several, after exchanging, doubling "
    "and dropping sentences, and two objects do not disturb each other.",
    cases=_CASES,
    solve=_solve,
    catalogue=MISTAKES,
    properties=(shape, finite, _inside),
    hints=(
        "Two things are kept in `self` beside the matrices: the keys, "
        "(B, t, d_k), and the values, (B, t, d_v). How many tokens there are "
        "is t, and that is also the position of the next one.",
        "A step: add the position, make q, k and v, join k and v to what is "
        "kept along the axis of the tokens, then attend with the one query "
        "of each sentence. A selection picks rows of both, along the axis "
        "of the sentences, into new arrays.",
    ),
    show_inputs=lambda args: (
        f"{args[4]}\n(matrices of one decimal; d = 4, d_k = 3, d_v = 2)"
    ),
)
