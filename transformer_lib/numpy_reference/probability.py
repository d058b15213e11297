"""From scores to weights, and to the logarithms of weights."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats

__all__ = ["log_softmax", "softmax"]


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    r"""Turn scores into positive weights that sum to 1 along one axis.

    $$\mathrm{softmax}_j(x) = e^{x_j} / \sum_k e^{x_k}$$

    The largest score is subtracted first. That changes no weight and keeps
    the exponential from overflowing.

    Args:
        x: scores of any shape. A score of -inf gets the weight 0.
        axis: the axis along which the weights sum to 1.

    Returns:
        Weights, same shape as x.

    Raises:
        ValueError: a row holds only -inf, so there is nothing to weigh, or
            the axis is empty.

    Source: Bridle 1990.
    """
    x = floats(x)
    if x.ndim == 0 or x.shape[axis] == 0:
        raise ValueError(
            f"softmax got shape {x.shape}; it needs one score or more "
            "along the axis"
        )
    largest = x.max(axis=axis, keepdims=True)
    if np.isneginf(largest).any():
        raise ValueError(
            "every score of a row is -inf; softmax needs a finite one "
            "(attention_weights gives such a row zeros)"
        )
    votes = np.exp(x - largest)
    return votes / votes.sum(axis=axis, keepdims=True)


def log_softmax(x: ArrayLike) -> Array:
    r"""Return the logarithms of the weights along the last axis.

    $$\ln \mathrm{softmax}_j(x) = x_j - \ln \sum_k e^{x_k}$$

    A weight too small for a float64 still has its logarithm.

    Args:
        x: (..., V), scores.

    Returns:
        (..., V), nats; 0 or less.

    Source: the logarithm of `softmax`.
    """
    x = floats(x)
    largest = x.max(axis=-1, keepdims=True)
    votes = np.exp(x - largest).sum(axis=-1, keepdims=True)
    return x - largest - np.log(votes)
