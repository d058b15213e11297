"""Gradients written out: by the rules of calculus, and by trying.

Each function takes ``pull``, the slope of the loss with respect to what its
formula gives, and returns the slopes with respect to what it takes.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats
from transformer_lib.numpy_reference.attention import attention_weights
from transformer_lib.numpy_reference.loss import smooth_targets
from transformer_lib.numpy_reference.masks import PAD
from transformer_lib.numpy_reference.probability import softmax

__all__ = [
    "attention_gradient",
    "finite_difference",
    "layer_norm_gradient",
    "token_loss_gradient",
]


def finite_difference(
    f: Callable[[Array], float], x: ArrayLike, step: float = 1e-5
) -> Array:
    r"""Try how f changes when one number of x moves, for each number.

    $$\frac{\partial f}{\partial x_i} \approx
      \frac{f(x + h e_i) - f(x - h e_i)}{2h}$$

    The error shrinks with the square of h, until rounding takes over: about
    1e-10 for smooth f of size 1 and h = 1e-5.

    Args:
        f: from an array like x to one number.
        x: of any shape.
        step: h.

    Returns:
        Slopes, same shape as x.

    Source: the central difference. Chapter 13.
    """
    x = floats(x)
    slopes = np.empty_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += step
        down[place] -= step
        slopes[place] = (f(up) - f(down)) / (2 * step)
    return slopes


def attention_gradient(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    pull: ArrayLike,
    mask: ArrayLike | None = None,
) -> tuple[Array, Array, Array]:
    r"""Return the slopes of `scaled_dot_product_attention`.

    $$\frac{\partial}{\partial s_{ij}} = \alpha_{ij}
      \left(p_i \cdot v_j - \sum_l \alpha_{il}\, p_i \cdot v_l\right)$$

    for the score s of query i and key j and the pull p.

    Args:
        query: (..., Lq, d_k).
        key: (..., Lk, d_k), with the same leading axes.
        value: (..., Lk, d_v), with the same leading axes.
        pull: (..., Lq, d_v).
        mask: as in `attention_weights`.

    Returns:
        Slopes of query, key and value, each of its shape.

    Source: the chain rule. Chapters 3 and 4.
    """
    query, key, value = floats(query), floats(key), floats(value)
    pull = floats(pull)
    shares = attention_weights(query, key, mask)
    wish = np.einsum("...iv,...jv->...ij", pull, value)
    usual = (shares * wish).sum(axis=-1, keepdims=True)
    scores = shares * (wish - usual) / query.shape[-1] ** 0.5
    return (
        np.einsum("...ij,...jk->...ik", scores, key),
        np.einsum("...ij,...ik->...jk", scores, query),
        np.einsum("...ij,...iv->...jv", shares, pull),
    )


def layer_norm_gradient(
    x: ArrayLike, gain: ArrayLike, pull: ArrayLike, eps: float = 1e-5
) -> tuple[Array, Array, Array]:
    r"""Return the slopes of `layer_norm`.

    $$\frac{\partial}{\partial x} =
      \frac{g - \overline{g} - z\,\overline{g z}}{\sqrt{\sigma^2 + \epsilon}}$$

    with g the pull times the gain, z the normalized x, and a bar for the
    mean over the features.

    Args:
        x: (..., D).
        gain: (D,).
        pull: (..., D).
        eps: as in `layer_norm`.

    Returns:
        Slopes of x (..., D), of the gain (D,) and of the bias (D,).

    Source: the chain rule. Chapter 6.
    """
    x, gain, pull = floats(x), floats(gain), floats(pull)
    centered = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centered**2).mean(axis=-1, keepdims=True) + eps)
    z = centered / deviation
    g = pull * gain
    g_mean = g.mean(axis=-1, keepdims=True)
    gz_mean = (g * z).mean(axis=-1, keepdims=True)
    tokens = tuple(range(x.ndim - 1))
    return (
        (g - g_mean - z * gz_mean) / deviation,
        (pull * z).sum(axis=tokens),
        pull.sum(axis=tokens),
    )


def token_loss_gradient(
    logits: ArrayLike,
    targets: ArrayLike,
    epsilon: float = 0.0,
    pad: int = PAD,
) -> Array:
    r"""Return the slopes of the total of `token_loss`.

    $$\partial / \partial z_k = p(k) - q(k)$$

    What the model says minus what is wanted; 0 at padding.

    Args:
        logits: (..., V).
        targets: (...).
        epsilon: label smoothing.
        pad: the id that fills up.

    Returns:
        (..., V).

    Source: the chain rule. Chapter 12.
    """
    shares = softmax(logits)
    slopes = shares - smooth_targets(targets, shares.shape[-1], epsilon)
    slopes[np.asarray(targets) == pad] = 0.0
    return slopes
