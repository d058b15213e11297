"""Attention: the formula of the book, once and in several heads."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, boolean, floats
from transformer_lib.numpy_reference.probability import softmax

__all__ = [
    "attention_weights",
    "multi_head_attention",
    "scaled_dot_product_attention",
    "split_heads",
]


def attention_weights(
    query: ArrayLike, key: ArrayLike, mask: ArrayLike | None = None
) -> Array:
    r"""Distribute each query's attention over the keys.

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

    Source: Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    query, key = floats(query), floats(key)
    d_k = query.shape[-1]
    if key.shape[-1] != d_k:
        raise ValueError(
            f"queries have {d_k} numbers each and keys {key.shape[-1]}; "
            "give both the same d_k"
        )
    scores = np.einsum("...ik,...jk->...ij", query, key) / d_k**0.5
    if mask is None:
        return softmax(scores)
    mask = boolean(mask)
    seen = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, scores.shape))
    # A row with no key to look at gets weights as if nothing were hidden,
    # and they are then set to 0.
    row_sees = seen.any(axis=-1, keepdims=True)
    weights = softmax(np.where(seen, scores, np.where(row_sees, -np.inf, 0.0)))
    return np.where(seen, weights, 0.0)


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

    Source: Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    key, value = floats(key), floats(value)
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
    b_q: ArrayLike = 0.0,
    b_k: ArrayLike = 0.0,
    b_v: ArrayLike = 0.0,
    b_o: ArrayLike = 0.0,
) -> Array:
    r"""Attend once in each head, one head after the other, and mix them.

    $$\mathrm{head}_h = \mathrm{Attention}(X_q W^Q_h, X_k W^K_h, X_k W^V_h),
      \quad \mathrm{Concat}(\mathrm{head}_1, \ldots) W^O$$

    Head h owns the h-th block of columns of w_q, w_k and w_v. Values may be
    of another width than queries and keys. The library adds a bias to each
    of the four products; the paper's formula has none.

    Args:
        query_input: (..., Lq, D), the tokens that query.
        key_input: (..., Lk, D), the tokens they attend to; the same array
            as query_input in self-attention.
        w_q: (D, n_heads d_k), applied from the right: X W.
        w_k: (D, n_heads d_k).
        w_v: (D, n_heads d_v).
        w_o: (n_heads d_v, D).
        n_heads: number of heads.
        mask: as in `attention_weights`, the same for every head.
        b_q: (n_heads d_k,), added to X_q w_q; 0 adds nothing.
        b_k: (n_heads d_k,), added to X_k w_k.
        b_v: (n_heads d_v,), added to X_k w_v.
        b_o: (D,), added to the result.

    Returns:
        (..., Lq, D). A query that may look at nothing gets b_o alone.

    Raises:
        ValueError: the columns cannot be split into n_heads equal blocks.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.2.
    """
    query_input, key_input = floats(query_input), floats(key_input)
    queries = split_heads(query_input @ floats(w_q) + floats(b_q), n_heads)
    keys = split_heads(key_input @ floats(w_k) + floats(b_k), n_heads)
    values = split_heads(key_input @ floats(w_v) + floats(b_v), n_heads)
    heads = [
        scaled_dot_product_attention(query, key, value, mask)
        for query, key, value in zip(queries, keys, values, strict=True)
    ]
    return np.concatenate(heads, axis=-1) @ floats(w_o) + floats(b_o)


def split_heads(x: ArrayLike, n_heads: int) -> list[Array]:
    """Cut each token's numbers into one block of columns a head.

    Args:
        x: (..., L, n_heads d_k).
        n_heads: number of heads.

    Returns:
        n_heads arrays (..., L, d_k): the first d_k columns, the next, ...

    Raises:
        ValueError: the columns cannot be split into n_heads equal blocks.

    Source: Vaswani et al. 2017, section 3.2.2.
    """
    x = floats(x)
    n_columns = x.shape[-1]
    if n_heads < 1 or n_columns % n_heads:
        raise ValueError(
            f"{n_columns} columns cannot be split among "
            f"n_heads={n_heads}; give each head the same number"
        )
    width = n_columns // n_heads
    return [x[..., h * width : (h + 1) * width] for h in range(n_heads)]
