"""Part 9 of the reader's own Transformer: the learning rate of an update."""

from __future__ import annotations

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, apart, number

__all__ = ["EXERCISE", "learning_rate"]


def learning_rate(step, d_model, warmup):
    """Return the rate of an update, a float; step counts from 1.

    Up in a line for warmup steps, then down like one over a root.
    """
    falling = step**-0.5
    rising = step * warmup**-1.5
    return d_model**-0.5 * min(falling, rising)


_PLACES = (
    ("rising", 1, 4, 4),
    ("just before the top", 3, 4, 4),
    ("at the top", 4, 4, 4),
    ("falling", 5, 4, 4),
    ("far down", 16, 4, 4),
    ("early", 2, 16, 25),
    ("middle", 10, 16, 25),
    ("late", 64, 16, 25),
    ("no warm-up", 3, 9, 1),
    ("paper, first", 1, 512, 4000),
    ("paper, top", 4000, 512, 4000),
    ("paper, last", 100_000, 512, 4000),
)
CASES = tuple(Case(name, tuple(args)) for name, *args in _PLACES)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: what came and what is wanted."""
    if got.shape != want.shape:
        return {}
    step, d_model, warmup = case.args
    came, wanted = apart(float(got), float(want))
    return {
        "came": came,
        "wanted": wanted,
        "step": str(step),
        "d": str(d_model),
        "warmup": str(warmup),
        "peak": number((d_model * warmup) ** -0.5),
    }


def _positive(probe: Probe) -> str | None:
    """A learning rate is above 0."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != () or got.array > 0:
        return None
    return (
        "The first thing that breaks: a learning rate is above 0, and yours "
        f"at step {probe.args[0]} is {number(float(got.array))}."
    )


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    step, d_model, warmup = map(int, draw.integers(2, 200, size=3))
    return Case("one more", (step, d_model, warmup))


EXERCISE = Exercise(
    name="learning_rate",
    inputs=("step", "d_model", "warmup"),
    asked="`learning_rate(step, d_model, warmup)` returns the learning rate "
    "of a step, counted from 1: the root of d_model below the fraction bar, "
    "times the smaller of two numbers, 1 / root of step and "
    "step / (warmup * root of warmup).",
    praise="Your rates agree with the reference before, at and after the "
    "peak, from step 1 to step 100,000, for four pairs of width and warm-up.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(learning_rate),
    properties=(
        shape,
        finite,
        _positive,
        unmoved_by(
            lambda args: (args[0], 4 * args[1], args[2]),
            lambda got, args: got / 2,
            "The first thing that breaks: a model four times as wide gets "
            "half the rate, at every step, and yours does not.",
        ),
        unmoved_by(
            lambda args: (4 * max(args[0], args[2]), args[1], args[2]),
            lambda got, args: np.asarray(
                (4 * args[1] * max(args[0], args[2])) ** -0.5
            ),
            "The first thing that breaks: after the warm-up the rate falls "
            "with the root of the step, counted from the first step of all.",
        ),
    ),
    hints=(
        "Work out three rates by hand for a width of 4 and a warm-up of 4: "
        "at step 1, at step 4 and at step 16. They are 1/16, 1/4 and 1/8. "
        "Compare them with yours.",
        "Two curves, one rising in a straight line and one falling like 1 "
        "over a root. They cross at the step called warmup. The smaller of "
        "the two always counts, and the width of the model scales both.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"step = {args[0]}, d_model = {args[1]}, warmup = {args[2]}"
    ),
    on_the_way={
        "falling": "the falling branch",
        "rising": "the rising branch",
        "min(falling, rising)": "the smaller of the two branches",
        "d_model ** (-0.5)": "the factor of the width",
        "warmup ** (-1.5)": "the factor of the warm-up",
    },
)
