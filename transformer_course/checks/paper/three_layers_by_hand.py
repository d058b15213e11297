"""Numbers worked out on paper: three layers, without and with the skip."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "three_layers_by_hand"]


def three_layers_by_hand(value: Any) -> Verdict:
    """Check a net of three layers, worked out without and with the skip.

    Each layer computes F(x) = max(0, x W). Without the skip the next layer
    reads F(x), with it x + F(x). The input is (2, 1).

    Args:
        value: two pairs, the output without and the output with the skip;
            as tuples, lists, an array or a tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 5.
    """
    return judge_paper(PAPER, value)


Layers = Iterable[np.ndarray]
Bend = Callable[[np.ndarray], np.ndarray]


def relu(z: np.ndarray) -> np.ndarray:
    """max(0, z)."""
    return np.maximum(0.0, z)


def straight(z: np.ndarray) -> np.ndarray:
    """z as it is."""
    return z


def below_zero(z: np.ndarray) -> np.ndarray:
    """min(0, z), the opposite of ReLU."""
    return np.minimum(0.0, z)


def without_skip(
    x: np.ndarray, layers: Layers, bend: Bend = relu
) -> np.ndarray:
    """The next layer reads F(x)."""
    for W in layers:
        x = bend(x @ W)
    return x


def with_skip(x: np.ndarray, layers: Layers, bend: Bend = relu) -> np.ndarray:
    """The next layer reads x + F(x)."""
    for W in layers:
        x = x + bend(x @ W)
    return x


def with_input_added(x: np.ndarray, layers: Layers) -> np.ndarray:
    """Each layer adds the input of the whole net."""
    start = x
    for W in layers:
        x = start + relu(x @ W)
    return x


def with_product(x: np.ndarray, layers: Layers) -> np.ndarray:
    """Each layer multiplies x by F(x)."""
    for W in layers:
        x = x * relu(x @ W)
    return x


def with_changes_added(x: np.ndarray, layers: Layers) -> np.ndarray:
    """x and the outputs of the plain net, added up."""
    total = x
    for W in layers:
        x = relu(x @ W)
        total = total + x
    return total


PAPER = Paper.read(
    __file__,
    straight, below_zero, without_skip, with_skip, with_input_added,
    with_product, with_changes_added,
)  # fmt: skip
