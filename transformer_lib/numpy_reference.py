"""The witness: the book's formulas once more, in NumPy and float64 alone.

Same names and the same order of arguments as in the rest of the library, but
written independently of it and with nothing but NumPy, so that two answers
that agree are two answers. Clear before fast: use it to check, not to train.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    r"""Turn scores into positive shares that sum to 1 along one axis.

    $$\mathrm{softmax}_j(x) = e^{x_j} / \sum_k e^{x_k}$$

    The largest score is subtracted first. That changes no share and keeps
    the exponential from overflowing.

    Args:
        x: scores of any shape. A score of -inf gets the share 0.
        axis: the axis along which the shares sum to 1.

    Returns:
        Shares, same shape as x.

    Raises:
        ValueError: a row holds only -inf, so there is nothing to share, or
            the axis is empty.

    Source: Bridle 1990. Chapter 2; the subtraction, chapter 4.
    """
    x = _floats(x)
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


def attention_weights(
    query: ArrayLike, key: ArrayLike, mask: ArrayLike | None = None
) -> Array:
    r"""Share each query's attention among the keys.

    $$\alpha_{ij} = \mathrm{softmax}_j
      \left(q_i \cdot k_j / \sqrt{d_k}\right)$$

    Args:
        query: (..., Lq, d_k).
        key: (..., Lk, d_k).
        mask: boolean, (..., Lq, Lk) or broadcastable to it, True where query
            i may look at key j. None hides nothing.

    Returns:
        (..., Lq, Lk), rows that sum to 1; a query that may look at nothing
        gets a row of zeros.

    Raises:
        ValueError: d_k of query and key differ.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.1, equation 1. Chapters 2-4, 8.
    """
    query, key = _floats(query), _floats(key)
    d_k = query.shape[-1]
    if key.shape[-1] != d_k:
        raise ValueError(
            f"queries have {d_k} numbers each and keys {key.shape[-1]}; "
            "give both the same d_k"
        )
    scores = np.einsum("...ik,...jk->...ij", query, key) / d_k**0.5
    if mask is None:
        return softmax(scores)
    mask = _boolean(mask)
    seen = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, scores.shape))
    # A row with no key to look at is shared out as if nothing were hidden,
    # and its shares are then set to 0.
    row_sees = seen.any(axis=-1, keepdims=True)
    shares = softmax(np.where(seen, scores, np.where(row_sees, -np.inf, 0.0)))
    return np.where(seen, shares, 0.0)


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
) -> Array:
    r"""Return for each query the weighted average of the values.

    $$c_i = \sum_j \alpha_{ij} v_j$$

    Args:
        query: (..., Lq, d_k).
        key: (..., Lk, d_k).
        value: (..., Lk, d_v), one row for each key.
        mask: as in `attention_weights`.

    Returns:
        (..., Lq, d_v); zeros for a query that may look at nothing.

    Raises:
        ValueError: d_k differs, or keys and values differ in number.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.1, equation 1. Chapters 2-4.
    """
    key, value = _floats(key), _floats(value)
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"{key.shape[-2]} keys and {value.shape[-2]} values; give one "
            "value for each key"
        )
    weights = attention_weights(query, key, mask)
    return np.einsum("...ij,...jv->...iv", weights, value)


def multi_head_attention(
    query_input: ArrayLike,
    key_input: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike,
    n_heads: int,
    mask: ArrayLike | None = None,
) -> Array:
    r"""Attend once in each head, one head after the other, and mix them.

    $$\mathrm{head}_h = \mathrm{Attention}(X_q W^Q_h, X_k W^K_h, X_k W^V_h),
      \quad \mathrm{Concat}(\mathrm{head}_1, \ldots) W^O$$

    Head h owns the h-th block of columns of w_q, w_k and w_v.

    Args:
        query_input: (..., Lq, D), the tokens that ask.
        key_input: (..., Lk, D), the tokens that are read; the same array as
            query_input in self-attention.
        w_q: (D, n_heads d_k), applied from the right: X W.
        w_k: (D, n_heads d_k).
        w_v: (D, n_heads d_v).
        w_o: (n_heads d_v, D).
        n_heads: number of heads.
        mask: as in `attention_weights`, the same for every head.

    Returns:
        (..., Lq, D).

    Raises:
        ValueError: the columns cannot be split into n_heads equal blocks.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.2. Chapter 7.
    """
    query_input, key_input = _floats(query_input), _floats(key_input)
    blocks = [_blocks(w, n_heads) for w in (w_q, w_k, w_v)]
    heads = []
    for w_q_h, w_k_h, w_v_h in zip(*blocks, strict=True):
        head = scaled_dot_product_attention(
            query_input @ w_q_h, key_input @ w_k_h, key_input @ w_v_h, mask
        )
        heads.append(head)
    return np.concatenate(heads, axis=-1) @ _floats(w_o)


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
    x = _floats(x)
    centered = x - x.sum(axis=-1, keepdims=True) / x.shape[-1]
    variance = (centered**2).sum(axis=-1, keepdims=True) / x.shape[-1]
    normal = centered / np.sqrt(variance + eps)
    return normal * _floats(gain) + _floats(bias)


def sinusoidal_encoding(length: int, d_model: int) -> Array:
    r"""Return the table of sines and cosines that marks positions.

    $$PE_{pos,2i} = \sin(pos / 10000^{2i/d}), \quad
      PE_{pos,2i+1} = \cos(pos / 10000^{2i/d})$$

    where i counts pairs of columns.

    Args:
        length: number of positions, from 0.
        d_model: number of columns, even.

    Returns:
        (length, d_model).

    Raises:
        ValueError: d_model is odd or not positive, or length is negative.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    if length < 0 or d_model < 2 or d_model % 2:
        raise ValueError(
            f"length={length}, d_model={d_model}; give a length of 0 or more "
            "and an even d_model, because columns come in pairs"
        )
    table = np.empty((length, d_model))
    for pos in range(length):
        for pair in range(d_model // 2):
            angle = pos * 10000.0 ** (-2 * pair / d_model)
            table[pos, 2 * pair] = np.sin(angle)
            table[pos, 2 * pair + 1] = np.cos(angle)
    return table


def feed_forward(
    x: ArrayLike, w1: ArrayLike, b1: ArrayLike, w2: ArrayLike, b2: ArrayLike
) -> Array:
    r"""Send each position through two linear maps with a ReLU between.

    $$\mathrm{FFN}(x) = \max(0, x W_1 + b_1) W_2 + b_2$$

    Args:
        x: (..., D).
        w1: (D, d_ff), applied from the right: x @ w1.
        b1: (d_ff,).
        w2: (d_ff, D).
        b2: (D,).

    Returns:
        (..., D).

    Source: Vaswani et al. 2017, section 3.3, equation 2. Chapter 10.
    """
    inner = _floats(x) @ _floats(w1) + _floats(b1)
    return np.where(inner > 0, inner, 0.0) @ _floats(w2) + _floats(b2)


def smooth_targets(targets: ArrayLike, n_classes: int, epsilon: float) -> Array:
    r"""Spread a share epsilon of the certainty over all classes alike.

    $$q(k) = (1 - \epsilon)\,[k = y] + \epsilon / V$$

    Args:
        targets: (...), whole numbers from 0 to V - 1.
        n_classes: V.
        epsilon: the share, 0 <= epsilon < 1.

    Returns:
        (..., V), rows that sum to 1.

    Raises:
        ValueError: epsilon or a target is out of range.

    Source: Szegedy et al. 2016, section 7. Chapter 12.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(
            f"epsilon={epsilon}; give a share from 0 up to, but not, 1"
        )
    targets = np.asarray(targets)
    if targets.size and not 0 <= targets.min() <= targets.max() < n_classes:
        raise ValueError(
            f"targets run from {targets.min()} to {targets.max()}; with "
            f"n_classes={n_classes} give numbers from 0 to {n_classes - 1}"
        )
    right = targets[..., None] == np.arange(n_classes)
    return np.where(right, 1 - epsilon, 0.0) + epsilon / n_classes


def noam_rate(step: int, d_model: int, warmup: int) -> float:
    r"""Return the paper's learning rate: a line up, then a root down.

    $$d^{-1/2} \min(step^{-1/2}, step \cdot warmup^{-3/2})$$

    Args:
        step: the update, counted from 1.
        d_model: width of the model.
        warmup: the step of the peak.

    Raises:
        ValueError: step or warmup is below 1.

    Source: Vaswani et al. 2017, section 5.3, equation 3. Chapter 13.
    """
    if step < 1 or warmup < 1:
        raise ValueError(f"step={step}, warmup={warmup}; both count from 1")
    peak = 1 / (d_model * warmup) ** 0.5
    if step < warmup:
        return peak * step / warmup
    return peak * (warmup / step) ** 0.5


def _floats(x: ArrayLike) -> Array:
    return np.asarray(x, dtype=np.float64)


def _boolean(mask: ArrayLike) -> NDArray[np.bool_]:
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(
            f"the mask holds {mask.dtype}; give True where a key may be "
            "looked at and False elsewhere (mask == 1)"
        )
    return mask


def _blocks(weight: ArrayLike, n_heads: int) -> list[Array]:
    """Cut a matrix into one block of columns a head."""
    weight = _floats(weight)
    if n_heads < 1 or weight.shape[-1] % n_heads:
        raise ValueError(
            f"{weight.shape[-1]} columns cannot be split among "
            f"n_heads={n_heads}; give each head the same number"
        )
    return np.split(weight, n_heads, axis=-1)
