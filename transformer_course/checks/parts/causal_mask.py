"""Part 4 of the reader's own Transformer: which keys are not later."""

from __future__ import annotations

import numpy as np
import torch

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
)
from transformer_course.checks.engine.reading import ARRAY
from transformer_course.checks.parts.functions import SAID, play

__all__ = ["EXERCISE", "causal_mask"]


def causal_mask(n):
    """Let each query look at itself and at what came before.

    (n, n), True where query i may look at key j: for j up to i.
    """
    return torch.ones(n, n, dtype=torch.bool).tril()


def tri(n, k=0):
    """True up to the k-th key after a query."""
    return torch.ones(n, n, dtype=torch.bool).tril(k)


def _case(n, ask="output"):
    name = f"n = {n}" if ask == "output" else ask
    return Case(name, (SAID[ask], ask, n))


CASES = (_case(4), _case(3), _case(5), _case(1), _case(4, "true or false"))


def _row_by_row(probe: Probe) -> str | None:
    """Name the first entry that is wrong, in words."""
    got, want = probe.got, probe.want
    if probe.args[1] != "output" or got.kind != ARRAY:
        return None
    if got.array.shape != want.array.shape:
        return None
    wrong = np.argwhere(got.array != want.array)
    if not len(wrong):
        return None
    query, key = (int(i) + 1 for i in wrong[0])
    may = "may" if key <= query else "may not"
    return (
        f"The first thing that breaks: query {query} {may} look at key {key}, "
        f"and your mask says otherwise (row {query}, column {key})."
    )


EXERCISE = Exercise(
    name="causal_mask",
    inputs=("n",),
    asked="`causal_mask(n)` returns a mask (n, n): True where query i may look "
    "at key j, which is for j up to i, and False for all later keys.",
    praise="Your mask is right for every length: row i has i times True, and "
    "then False.",
    cases=CASES,
    draw=lambda seed: _case(6 + seed % 60),
    solve=Reference(causal_mask),
    properties=(shape, finite, _row_by_row),
    hints=(
        "Write the mask for n = 3 on paper, True and False, a row for each "
        "query. Row 1 has one True; how many has row 3?",
        "`torch.tril` and `torch.triu` keep one triangle of a matrix, with "
        "the diagonal or without. Or compare the numbers of the queries, as a "
        "column, with those of the keys, as a row.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: f"n = {args[2]}; {args[0]}",
    play=play,
    handed_over=("say", "ask", "n"),
)
