"""The exercise `rollout(maps)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import Probe, finite, shape
from transformer_course.checks.engine.reading import (
    ARRAY,
    number,
    same,
    show,
)
from transformer_course.checks.engine.verdict import Verdict
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
    draw=lambda seed: Case("one more", (_maps(seed, 3, 2, 3),)),
    solve=Reference(solution),
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
    on_the_way={
        "layers": "the maps of single layers",
    },
)
