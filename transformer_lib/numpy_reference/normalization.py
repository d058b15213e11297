"""Normalization: mean 0 and variance 1, over a token or over a batch."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats

__all__ = ["batch_norm", "layer_norm"]


def layer_norm(
    x: ArrayLike, weight: ArrayLike, bias: ArrayLike, eps: float = 1e-5
) -> Array:
    r"""Give the last axis mean 0 and variance 1, then scale and shift it.

    $$\gamma (x - \mu) / \sqrt{\sigma^2 + \epsilon} + \beta$$

    with the variance that divides by the number of features.

    Args:
        x: (..., D).
        weight: (D,), gamma.
        bias: (D,), beta.
        eps: added to the variance, inside the root.

    Returns:
        (..., D).

    Source: Ba et al. 2016, equations 3 and 4.
    """
    x = floats(x)
    centered = x - x.sum(axis=-1, keepdims=True) / x.shape[-1]
    variance = (centered**2).sum(axis=-1, keepdims=True) / x.shape[-1]
    normal = centered / np.sqrt(variance + eps)
    return normal * floats(weight) + floats(bias)


def batch_norm(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike,
    eps: float = 1e-5,
    mean: ArrayLike | None = None,
    var: ArrayLike | None = None,
) -> Array:
    r"""Give each feature mean 0 and variance 1 over all tokens of the batch.

    $$\gamma_f (x_{nf} - \mu_f) / \sqrt{\sigma_f^2 + \epsilon} + \beta_f$$

    with the variance that divides by the number of tokens; or with the mean
    and the variance given, as after training.

    Args:
        x: (..., D), the tokens along all axes but the last.
        weight: (D,), gamma.
        bias: (D,), beta.
        eps: added to the variance, inside the root.
        mean: (D,), used instead of the batch's own.
        var: (D,), used instead of the batch's own.

    Returns:
        (..., D).

    Raises:
        ValueError: only one of mean and var is given, or there is no
            token to take them from.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2.
    """
    x, weight, bias = floats(x), floats(weight), floats(bias)
    if (mean is None) != (var is None):
        raise ValueError("give both mean and var, or neither")
    if mean is None or var is None:
        mean, var = _feature_statistics(x)
    mean, var = floats(mean), floats(var)
    normal = np.empty_like(x)
    for f in range(x.shape[-1]):
        deviation = np.sqrt(var[f] + eps)
        normal[..., f] = weight[f] * (x[..., f] - mean[f]) / deviation + bias[f]
    return normal


def _feature_statistics(x: Array) -> tuple[Array, Array]:
    """Return each feature's mean and biased variance over all tokens."""
    n = x[..., 0].size
    if n < 1:
        raise ValueError(
            f"x of shape {x.shape} holds {n} tokens; give 1 or more"
        )
    means, variances = [], []
    for f in range(x.shape[-1]):
        values = x[..., f].flatten()
        mean = sum(values) / n
        means.append(mean)
        variances.append(sum((values - mean) ** 2) / n)
    return np.array(means), np.array(variances)
