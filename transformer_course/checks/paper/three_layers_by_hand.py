"""Numbers worked out on paper: three layers, without and with the skip."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

__all__ = [
    "below_zero",
    "straight",
    "with_changes_added",
    "with_input_added",
    "with_product",
    "with_skip",
    "without_skip",
]


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
