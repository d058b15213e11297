"""Slow, plain answers that the tests compare the library's with."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats
from transformer_lib.numpy_reference.decoding import (
    Hypothesis,
    NextScores,
    _longer,
    _ranked,
)


def finite_difference(
    f: Callable[[Array], float], x: ArrayLike, step: float = 1e-5
) -> Array:
    """Return how f changes with each element of x: central differences.

    The error shrinks with the square of the step, until rounding takes over:
    about 1e-10 for smooth f of size 1.
    """
    x = floats(x)
    slopes = np.empty_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += step
        down[place] -= step
        slopes[place] = (f(up) - f(down)) / (2 * step)
    return slopes


def running_statistics(
    x: ArrayLike, mean: ArrayLike, var: ArrayLike, momentum: float = 0.1
) -> tuple[Array, Array]:
    """Return the running mean and variance after one more batch.

    The normalization takes the biased variance of a batch, the running
    average the unbiased one (torch's form of Ioffe and Szegedy 2015,
    algorithm 2).
    """
    rows = floats(x).reshape(-1, np.shape(x)[-1])
    return (
        (1 - momentum) * floats(mean) + momentum * rows.mean(axis=0),
        (1 - momentum) * floats(var) + momentum * rows.var(axis=0, ddof=1),
    )


def exhaustive_search(
    next_scores: NextScores, alpha: float, max_length: int
) -> list[Hypothesis]:
    """Return everything that can be generated, the best one first.

    There are about V**max_length sequences: for a V of 4 or 5 only. A beam
    that is wide enough for all of them must return the same list.
    """

    def all_from(beginning: Hypothesis, more: int) -> list[Hypothesis]:
        if more == 0 or beginning.finished:
            return [beginning]
        found = []
        for longer in _longer(beginning, next_scores):
            found += all_from(longer, more - 1)
        return found

    return _ranked(all_from(Hypothesis([], 0.0, False), max_length), alpha)
