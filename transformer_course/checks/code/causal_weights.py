"""The exercise `causal_weights(scores)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import (
    first_difference,
    show_arrays,
)
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number
from transformer_course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax  # noqa: F401 (in edits)

__all__ = ["EXERCISE", "causal_weights"]


def causal_weights(function: Any) -> Verdict:
    """Check a function `causal_weights(scores)`.

    Row i of the answer is the softmax of row i of the scores over the keys
    1 to i; all later keys get exactly 0. Axes before the last two are
    leading axes.

    Args:
        function: takes scores (..., n, n), already scaled, and returns
            weights of the same shape. Lists and tensors are accepted.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.3. Chapter 8.
    """
    return judge(EXERCISE, function)


def solution(scores):
    n = scores.shape[-1]
    seen = np.tri(n) > 0
    hidden = np.where(seen, scores, -np.inf)
    shifted = hidden - hidden.max(-1, keepdims=True)
    votes = np.exp(shifted)  # a row with no key to see becomes nan
    total = votes.sum(-1, keepdims=True)
    shares = votes / total
    return shares


def tri(n, k=0):
    """True up to the k-th key after a query."""
    return np.tri(n, k=k, dtype=bool)


def after_the_first(scores):
    """True in all sentences of a batch but the first."""
    later = np.zeros(scores.shape, bool)
    if scores.ndim > 2:
        later[1:] = True
    return later


def _random(name, seed, n, *leading):
    draw = np.random.default_rng(seed)
    scores = draw.integers(-20, 21, size=(*leading, n, n)) / 10
    return Case(name, (scores,), basic=not leading)


def _probe(name, scores):
    return Case(name, (np.array(scores),), basic=False)


# What has leading axes, or numbers out of the ordinary, only probes a
# refinement: first the mask, then the rest.
CASES = (
    Case("of the chapter", (np.array([[1.0, 1, 1], [0, 2, 0], [1, 0, 2]]),)),
    _random("four words", 81, 4),
    _random("five words", 82, 5),
    Case("one word", (np.array([[-1.5]]),)),
    _random("batch", 84, 4, 2),
    _random("batch and heads", 85, 3, 2, 4),
    _random("square batch", 86, 3, 3),
    _probe("loud future", [[1.0, 900, 900], [0.5, 1, 900], [1, 0, 2]]),
    _probe("large", [[800.0, 0], [800, 801]]),
    # The same numbers in float32:
    _probe("low scores", np.where(np.tri(3) == 1, -2e9, 2e9)),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    facts = {"row_1": "something else", "line": "row"}
    facts |= first_difference(want, got)
    if got.shape == want.shape:
        sums = got.reshape(-1, *got.shape[-2:])[0].sum(axis=-1)
        worst = int(np.argmax(np.abs(sums - 1)))
        facts |= {"row_1": number(sums[0]), "total": number(got.sum())}
        facts |= {"which": f"row {worst + 1}", "sum": number(sums[worst])}
    return facts


def _zeros_above(probe: Probe) -> str | None:
    """No weight goes to a later word."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    later = np.triu(got.array, 1)
    if not (abs(later) > 1e-6).any():
        return None
    place = tuple(int(i) for i in np.argwhere(abs(later) > 1e-6)[0])
    return (
        "The first thing that breaks: word "
        f"{place[-2] + 1} gives {number(got.array[place])} of its weight to "
        f"word {place[-1] + 1}, which comes later. Above the diagonal stands "
        "0 everywhere."
    )


def _rows_of_one(probe: Probe) -> str | None:
    """Each row sums to 1."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    sums = got.array.sum(axis=-1)
    off = np.argwhere(abs(sums - 1) > 1e-4)
    if not len(off):
        return None
    place = tuple(int(i) for i in off[0])
    return (
        f"The first thing that breaks: row {place[-1] + 1} sums to "
        f"{number(sums[place])}. The weights of each word sum to 1."
    )


EXERCISE = Exercise(
    name="causal_weights",
    inputs=("scores",),
    asked="`causal_weights(scores)` returns the attention weights of a "
    "causal layer: in row i the softmax over the keys up to i, and 0 for all "
    "later keys. The scores come in scaled. Axes before the last two are "
    "left alone.",
    praise="Your weights agree with the reference, also for a batch with "
    "heads, for very high future scores and for scores of minus two billion.",
    cases=CASES,
    draw=lambda seed: _random("one more", seed, 4),
    solve=Reference(solution),
    properties=(
        shape,
        finite,
        _zeros_above,
        between_zero_and_one,
        _rows_of_one,
        unmoved_by(
            lambda args: (args[0] + np.triu(np.ones(args[0].shape), 1),),
            lambda got, args: got,
            "The first thing that breaks: when only scores of later words "
            "change, no weight may change, and yours do.",
        ),
    ),
    hints=(
        "Two steps. First make a table of the same size that says for each "
        "query and key whether the key may be seen, and read its first row "
        "aloud. Then hide, then take the softmax.",
        "NumPy can make a triangle of ones and zeros, and it can choose "
        "between two values by a mask; the chapter has used both. The hidden "
        "value is one for which e to the power of it is exactly 0.",
    ),
    facts=_facts,
    show_inputs=show_arrays("scores"),
    on_the_way={
        "hidden": "the scores, the future hidden",
        "shifted": "the shifted scores, the future hidden",
        "votes": "the exponentials",
        "total": "the sums of the exponentials",
        "hidden.max(-1, keepdims=True)": "the largest score of each row",
    },
)
