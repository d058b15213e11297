"""The exercise `rms_norm(x, gamma, eps)` and the wrong answers it knows."""

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
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "rms_norm"]


def rms_norm(function: Any) -> Verdict:
    r"""Check a function `rms_norm(x, gamma, eps)`.

    $$\gamma \odot \frac{x}{\sqrt{\frac{1}{d} \sum_j x_j^2 + \epsilon}}$$

    Args:
        function: takes x (..., d), gamma (d,) and a number eps, returns
            (..., d). Lists and tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Zhang and Sennrich 2019, equation 4; eps as in torch. Chapter 20.
    """
    return judge(EXERCISE, function)


def solution(x, gamma, eps):
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    root = np.sqrt(mean_square + eps)
    normal = x / root
    return gamma * normal


def centered(x: np.ndarray) -> np.ndarray:
    """Subtract from each vector its mean, as layer norm does."""
    return x - x.mean(axis=-1, keepdims=True)


def _case(name: str, seed: int, *sizes: int, basic: bool = True) -> Case:
    """Random numbers with one decimal."""
    draw = np.random.default_rng(seed)
    x = draw.integers(-30, 51, sizes) / 10
    return Case(name, (x, draw.integers(2, 30, sizes[-1]) / 10, 0.01), basic)


_TINY = np.array([[1e-4, 2e-4], [3e-4, -1e-4], [0.0, 4e-4]])
CASES = (
    Case("one token", (np.array([1.0, 2.0, 6.0]), np.ones(3), 1e-5)),
    _case("tokens", 1, 2, 4),
    _case("square", 2, 3, 3),
    Case("small numbers", (_TINY, np.array([1.0, 2.0]), 1e-3)),
    _case("batch", 4, 2, 3, 4, basic=False),
    _case("square batch", 5, 3, 3, 3, basic=False),
    Case("a zero vector", (np.eye(2, 3), np.ones(3), 1e-5), basic=False),
    Case("whole numbers", (np.array([[1, 2]]), np.array([1, 2]), 0.5), False),
)


EXERCISE = Exercise(
    name="rms_norm",
    inputs=("x", "gamma", "eps"),
    asked="`rms_norm(x, gamma, eps)` divides each vector of x, along the last "
    "axis, by the root of its mean square plus eps, and multiplies the result "
    "by gamma.",
    praise="Your results agree with the reference for one vector, for a table "
    "and for a batch, with gain and with large and small eps.",
    cases=CASES,
    draw=lambda seed: _case("one more", seed, 3, 4),
    solve=Reference(solution),
    properties=(shape, finite),
    hints=(
        "Three steps: the mean of the squares of each vector, its root with "
        "eps under the root, and a division. gamma comes last.",
        "Take the mean along the last axis and keep that axis, with length 1: "
        "then one division serves any number of axes.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=show_arrays("x", "gamma", "eps"),
    on_the_way={
        "mean_square": "the means of the squares",
        "root": "the divisors",
        "normal": "the normalized vectors",
        "x ** 2": "the squares of x",
        "mean_square + eps": "the means of the squares plus eps",
    },
)
