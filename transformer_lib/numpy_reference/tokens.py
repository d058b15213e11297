"""What happens to each token by itself: embedding, position, FFN, logits."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats

__all__ = ["feed_forward", "logits", "sinusoidal_encoding", "token_embedding"]


def token_embedding(ids: ArrayLike, weight: ArrayLike) -> Array:
    r"""Look up each id's row, times the square root of its length.

    $$e_i = \sqrt{d}\, E_{id_i}$$

    Args:
        ids: (...), whole numbers from 0 to V - 1.
        weight: (V, D), one row for each token of the vocabulary.

    Returns:
        (..., D).

    Raises:
        ValueError: an id is not in the vocabulary.

    Source: Vaswani et al. 2017, section 3.4.
    """
    ids, weight = np.asarray(ids), floats(weight)
    vocab_size, d_model = weight.shape
    vectors = np.empty((*ids.shape, d_model))
    for place, row in np.ndenumerate(ids):
        if not 0 <= row < vocab_size:
            raise ValueError(
                f"id {row} is not in the vocabulary; give ids from 0 to "
                f"{vocab_size - 1}"
            )
        vectors[place] = d_model**0.5 * weight[row]
    return vectors


def logits(x: ArrayLike, weight: ArrayLike) -> Array:
    r"""Score each token of the vocabulary by its dot product with x.

    $$z_k = x \cdot E_k$$

    Args:
        x: (..., D).
        weight: (V, D); the embedding's own if the two are tied.

    Returns:
        (..., V).

    Source: Vaswani et al. 2017, section 3.4; Press and Wolf 2017.
    """
    x, weight = floats(x), floats(weight)
    scores = [(x * row).sum(axis=-1) for row in weight]
    return np.stack(scores, axis=-1)


def sinusoidal_encoding(length: int, d_model: int) -> Array:
    r"""Return the sines and cosines that mark positions.

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

    Source: Vaswani et al. 2017, section 3.5.
    """
    if length < 0 or d_model < 2 or d_model % 2:
        raise ValueError(
            f"length={length}, d_model={d_model}; give a length of 0 or more "
            "and an even d_model, because columns come in pairs"
        )
    pe = np.empty((length, d_model))
    for pos in range(length):
        for pair in range(d_model // 2):
            angle = pos * 10000.0 ** (-2 * pair / d_model)
            pe[pos, 2 * pair] = np.sin(angle)
            pe[pos, 2 * pair + 1] = np.cos(angle)
    return pe


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

    Source: Vaswani et al. 2017, section 3.3, equation 2.
    """
    inner = floats(x) @ floats(w1) + floats(b1)
    return np.where(inner > 0, inner, 0.0) @ floats(w2) + floats(b2)
