"""Normalization: mean 0 and variance 1, over a token or over a batch."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats

__all__ = ["batch_norm", "layer_norm", "running_statistics"]


def layer_norm(
    x: ArrayLike, gain: ArrayLike, bias: ArrayLike, eps: float = 1e-5
) -> Array:
    r"""Give the last axis mean 0 and variance 1, then scale and shift it.

    $$\gamma (x - \mu) / \sqrt{\sigma^2 + \epsilon} + \beta$$

    with the variance that divides by the number of features.

    Args:
        x: (..., D).
        gain: (D,), gamma.
        bias: (D,), beta.
        eps: added to the variance, inside the root.

    Returns:
        (..., D).

    Source: Ba et al. 2016, equations 3 and 4. Chapter 6.
    """
    x = floats(x)
    centered = x - x.sum(axis=-1, keepdims=True) / x.shape[-1]
    variance = (centered**2).sum(axis=-1, keepdims=True) / x.shape[-1]
    normal = centered / np.sqrt(variance + eps)
    return normal * floats(gain) + floats(bias)


def batch_norm(
    x: ArrayLike,
    gain: ArrayLike,
    bias: ArrayLike,
    eps: float = 1e-5,
    mean: ArrayLike | None = None,
    variance: ArrayLike | None = None,
) -> Array:
    r"""Give each feature mean 0 and variance 1 over all tokens of the batch.

    $$\gamma_f (x_{nf} - \mu_f) / \sqrt{\sigma_f^2 + \epsilon} + \beta_f$$

    with the variance that divides by the number of tokens; or with the mean
    and the variance given, as after training.

    Args:
        x: (..., D), the tokens along all axes but the last.
        gain: (D,), gamma.
        bias: (D,), beta.
        eps: added to the variance, inside the root.
        mean: (D,), used in place of the batch's own.
        variance: (D,), used in place of the batch's own.

    Returns:
        (..., D).

    Raises:
        ValueError: only one of mean and variance is given, or there is no
            token to take them from.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2. Chapter 6.
    """
    x, gain, bias = floats(x), floats(gain), floats(bias)
    if (mean is None) != (variance is None):
        raise ValueError("give both mean and variance, or neither")
    if mean is None:
        mean, variance = _feature_statistics(x, at_least=1)
    mean, variance = floats(mean), floats(variance)
    normal = np.empty_like(x)
    for f in range(x.shape[-1]):
        deviation = np.sqrt(variance[f] + eps)
        normal[..., f] = gain[f] * (x[..., f] - mean[f]) / deviation + bias[f]
    return normal


def running_statistics(
    x: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    momentum: float = 0.1,
) -> tuple[Array, Array]:
    r"""Return the running mean and variance after one more batch.

    $$\bar\mu' = (1 - m)\,\bar\mu + m\,\mu, \quad
      \bar\sigma'^2 = (1 - m)\,\bar\sigma^2
      + m\,\frac{n}{n - 1}\,\sigma^2$$

    where the factor makes the variance of n tokens unbiased.

    Args:
        x: (..., D), the batch.
        mean: (D,), the running mean so far; zeros at first.
        variance: (D,), the running variance so far; ones at first.
        momentum: m, the share of the newest batch.

    Returns:
        The mean and the variance, each (D,).

    Raises:
        ValueError: fewer than two tokens.

    Source: Ioffe and Szegedy 2015, algorithm 2, line 10; the running form is
    torch's. Chapter 6.
    """
    x = floats(x)
    now, biased = _feature_statistics(x, at_least=2)
    n = x[..., 0].size
    old = 1 - momentum
    return (
        old * floats(mean) + momentum * now,
        old * floats(variance) + momentum * biased * n / (n - 1),
    )


def _feature_statistics(x: Array, at_least: int) -> tuple[Array, Array]:
    """Return each feature's mean and biased variance over all tokens."""
    n = x[..., 0].size
    if n < at_least:
        raise ValueError(
            f"x of shape {x.shape} holds {n} tokens; give {at_least} or more"
        )
    means, variances = [], []
    for f in range(x.shape[-1]):
        values = x[..., f].flatten()
        mean = sum(values) / n
        means.append(mean)
        variances.append(sum((values - mean) ** 2) / n)
    return np.array(means), np.array(variances)
