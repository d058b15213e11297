"""The exercise `class TiedEmbedding` and the wrong answers it knows.

The first table is drawn at random, so the check writes numbers of its own
into `table` and looks at what the two methods make of them (`Uses`). That
also shows whether both read the same table.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

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
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    NOTHING,
    Answer,
    apart,
    same,
)
from transformer_lib.course.checks.engine.verdict import (
    WRONG,
    Verdict,
)
from transformer_lib.course.checks.tied_embedding_mistakes import MISTAKES
from transformer_lib.course.checks.tied_embedding_uses import Uses, play
from transformer_lib.course.checks.tied_embedding_variants import Table

__all__ = ["EXERCISE", "TiedEmbedding"]


def TiedEmbedding(made: Any) -> Verdict:
    r"""Check a class `TiedEmbedding(V, d)` with `embed` and `logits`.

    $$\mathrm{embed}(id) = \sqrt{d}\, E_{id}, \qquad
      \mathrm{logits}(h) = h E^\top$$

    with one table E, the attribute `table` of shape (V, d), whose numbers
    start as N(0, 1/d).

    Args:
        made: the class, or a function of V and d that gives such an object.

    Returns:
        The verdict; no exception, no output, 15 seconds at the most.

    Source: Vaswani et al. 2017, section 3.4; Press and Wolf 2017. Chapter 10.
    """
    try:
        trouble = safely(lambda: _before_judging(made), None)
        if trouble is not None:
            return trouble
        function = _as_function(made)
        verdict = judge(EXERCISE, function)
        if verdict.status == WRONG and (
            verdict.mistake is None or "+" in verdict.mistake
        ):
            seen = _seen_from_outside(function)
            return named(EXERCISE, seen, verdict) if seen else verdict
        return verdict
    except Exception as error:
        return EXERCISE.wrong(
            "The check could not make sense of this answer "
            f"({type(error).__name__}). Hand over the class itself.",
            mistake="not_checkable",
        )


def _solve(V: int, d: int, uses: Uses, **knobs) -> Any:
    """The right class, or a wrong variant, put through the uses."""
    common: dict = {}
    return play(lambda V, d: Table(V, d, common, **knobs), V, d, uses)


def _before_judging(made: Any) -> Verdict | None:
    """What can be said of the class without making an object of it."""
    said = nothing_to_judge(made, EXERCISE)
    if said is not None:
        return said
    if _is_of_uses(made):
        return None
    for name, inputs in (("__init__", "V, d"), ("embed", "ids"),
                         ("logits", "h")):  # fmt: skip
        thing = made if name == "__init__" else getattr(made, name, None)
        names = (*inputs.split(", "),)
        if name != "__init__":
            names = ("self", *names)
        call = f"TiedEmbedding({inputs})"
        call = call if name == "__init__" else f"{name}({inputs})"
        if isinstance(made, type) and thing is None:
            return EXERCISE.wrong(
                f"Your class has no method `{name}`.",
                "signature",
                hint="The class has two methods besides the first: embed, "
                "which takes ids, and logits, which takes h.",
            )
        if thing is not None and not takes(thing, names):
            return EXERCISE.wrong(
                f"The check calls `{call}`, but yours takes other inputs: "
                f"{inputs_of(thing)}. Change its first line.",
                "signature",
                hint="TiedEmbedding(V, d) makes an object; embed takes ids, "
                "logits takes h, both after self.",
            )
    return None


def _is_of_uses(made: Any) -> bool:
    """True for a function of (V, d, uses)."""
    return has_inputs(made, EXERCISE.inputs)


def _as_function(made: Any) -> Callable:
    """Turn a class into a function of V, d and `Uses`."""
    if _is_of_uses(made):
        return made

    def last_answer(V: int, d: int, uses: Uses) -> Any:
        return play(made, V, d, uses)

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
    return next(vars(made)[n] for n in ("embed", "logits") if n in vars(made))


def _seen_from_outside(function: Callable) -> str:
    """Mistakes that show only in how two tables are (not) told apart."""

    def call(*steps: tuple) -> Answer:
        uses = Uses(tuple((0, *step) for step in steps))
        return guard.call(function, (5, 3, uses), EXERCISE.inputs, 1.0)

    def ask(what: str, *before: tuple) -> Any:
        answer = call(*before, (what, values[what]))
        if answer.kind != ARRAY:
            raise _NoAnswerError
        array = answer.array
        if what == "logits" and np.isfinite(array).all():
            return array - array[-1:]  # what zeros score is a bias
        return np.nan_to_num(array)

    values = {"embed": _IDS, "logits": np.vstack([_H, np.zeros(3)])}
    if call(("shape", None)).kind == NOTHING:
        return "no_attribute_table"
    old, new = ("table", _E), ("table", _E[::-1] - 2.0)
    try:
        for what in values:
            first, again = ask(what, old), ask(what, old)
            stuck = not same(first, again) or same(first, ask(what, new))
            for use in values:  # a copy that is kept at the first use
                before = (use, values[use])
                stuck |= same(first, ask(what, old, before, new))
            if stuck:
                return _STUCK[what]
    except _NoAnswerError:
        return ""
    silent = call(old, ("logits", np.zeros((1, 3))))
    if silent.kind == ARRAY and silent.array.shape == (1, 5):
        return (
            "" if same(silent.array, np.zeros((1, 5))) else ("bias_at_the_exit")
        )
    return ""


class _NoAnswerError(Exception):
    """The student's code gave no numbers to compare."""


_STUCK = {
    "embed": "embed_does_not_read_the_table",
    "logits": "logits_do_not_read_the_table",
}
_IDS = np.array([2, 0, 4, 2])
_E = np.array([
    [0.5, -1.0, 1.0], [2.0, 0.5, 0.0], [1.0, 1.0, -2.0],
    [0.0, -0.5, 1.5], [-1.0, 2.0, 1.0],
])  # fmt: skip
_H = np.array([[1.0, 0.125, 2.0], [-1.0, 1.0, 0.5]])
_F = np.array([[1.0, 2, 0, -1], [0, 1, 1, 1], [3, -1, 0, 2], [0, 0, 2, 1]])


def _case(name: str, *steps: tuple, V: int = 5, d: int = 3) -> Case:
    """A case; a step is (what, value) or (object, what, value)."""
    full = tuple(s if len(s) == 3 else (0, *s) for s in steps)
    return Case(name, (V, d, Uses(full)))


_CASES = (
    _case("shape", ("shape", None)),
    _case("embed", ("table", _E), ("embed", _IDS)),
    _case("logits", ("table", _E), ("logits", _H)),
    _case("one id", ("table", _E), ("embed", np.array(3))),
    _case("batch", ("table", _E), ("embed", np.array([[1, 2], [0, 4]]))),
    _case("one vector", ("table", _E), ("logits", _H[0])),
    _case("batch of vectors", ("table", _E), ("logits", np.stack([_H, -_H]))),
    _case("square embed", ("table", _F), ("embed", np.array([0, 3, 1])),
          V=4, d=4),
    _case("square logits", ("table", _F), ("logits", _F[:2] + 1), V=4, d=4),
    _case("twice", ("table", _E), ("embed", _IDS), ("embed", _IDS)),
    _case("embed, then logits", ("table", _E), ("embed", _IDS),
          ("logits", _H)),
    _case("new numbers", ("table", _E), ("logits", _H), ("table", 2 - _E),
          ("logits", _H)),
    _case("new numbers after embed", ("table", _E), ("embed", _IDS),
          ("table", 2 - _E), ("logits", _H)),
    _case("new numbers after logits", ("table", _E), ("logits", _H),
          ("table", 2 - _E), ("embed", _IDS)),
    _case("two objects", (0, "table", _E), (1, "table", -2 * _E),
          (0, "embed", _IDS)),
    _case("spread", ("spread", None), V=400, d=64),
    _case("spread, narrow", ("spread", None), V=400, d=16),
    _case("middle", ("middle", None), V=400, d=64),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: what came and what is wanted."""
    if got.shape != want.shape:
        return {"shape": str(got.shape), "wanted_shape": str(want.shape)}
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if not len(wrong):
        return {}
    place = tuple(int(i) for i in wrong[0])
    came, wanted = apart(got[place], want[place])
    return {"came": came, "wanted": wanted}


class _ClassExercise(Exercise):
    """An exercise whose answer is a class."""

    @property
    def signature(self) -> str:
        """The class and its methods, as the chapter writes them."""
        return "class TiedEmbedding(V, d) with embed(ids) and logits(h)"


EXERCISE = _ClassExercise(
    name="TiedEmbedding",
    inputs=("V", "d", "uses"),
    asked="`TiedEmbedding(V, d)` holds one table, the attribute `table` of "
    "shape (V, d), drawn from a normal distribution with mean 0 and variance "
    "1/d. `embed(ids)` gives each id's row times the root of d; `logits(h)` "
    "gives the dot product of each vector with every row.",
    praise="Your class reads and writes with one table: single ids, "
    "sentences and batches, before and after the table changes, and two "
    "objects do not disturb each other.",
    cases=_CASES,
    solve=_solve,
    catalogue=MISTAKES,
    properties=(shape, finite),
    hints=(
        "One thing is kept in `self`: the table. NumPy's normal numbers have "
        "the standard deviation 1; divide them by the root of d.",
        "An array of ids in square brackets picks a row for each of them, "
        "whatever its shape. For the scores, each vector meets every row: "
        "that is one matrix product, with the table turned on its side.",
    ),
    facts=_facts,
    show_inputs=lambda args: f"V = {args[0]}, d = {args[1]}\n{args[2]}",
)
