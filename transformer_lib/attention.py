"""Scaled dot-product attention, the formula of the book."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def attention_weights(
    query: Float[Tensor, "*B Lq K"],
    key: Float[Tensor, "*B Lk K"],
    mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
) -> Float[Tensor, "*B Lq Lk"]:
    r"""Share each query's attention among the keys.

    $$\alpha_{ij} = \mathrm{softmax}_j
      \left(q_i \cdot k_j / \sqrt{d_k}\right)$$

    Args:
        query: (..., Lq, d_k), one row a query.
        key: (..., Lk, d_k), one row a key.
        mask: (..., Lq, Lk) or broadcastable to it, True where query i may
            look at key j. None hides nothing.

    Returns:
        (..., Lq, Lk), rows that sum to 1. A query that may look at nothing
        gets a row of zeros.

    Raises:
        ValueError: d_k of query and key differ.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.1, equation 1. Chapters 2-4, 8.
    """
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has d_k={query.shape[-1]} and key has "
            f"d_k={key.shape[-1]}; a dot product needs both equal"
        )
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1)
    check_mask(mask)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    # softmax of a row of -inf is nan; nothing to look at means no weight
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def scaled_dot_product_attention(
    query: Float[Tensor, "*B Lq K"],
    key: Float[Tensor, "*B Lk K"],
    value: Float[Tensor, "*B Lk Dv"],
    mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
) -> Float[Tensor, "*B Lq Dv"]:
    r"""Return for each query the weighted average of the values.

    $$\mathrm{Attention}(Q, K, V) =
      \mathrm{softmax}\left(Q K^\top / \sqrt{d_k}\right) V$$

    Args:
        query: (..., Lq, d_k).
        key: (..., Lk, d_k).
        value: (..., Lk, d_v), one row for each key.
        mask: as in `attention_weights`.

    Returns:
        (..., Lq, d_v). A query that may look at nothing gets zeros.

    Raises:
        ValueError: d_k differs, or keys and values differ in number.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.1, equation 1. Chapter 3.
    """
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"{key.shape[-2]} keys came with {value.shape[-2]} values; "
            "each key needs its own value"
        )
    return attention_weights(query, key, mask) @ value


def check_mask(mask: Tensor) -> None:
    """Refuse a mask that is not boolean: 0 and 1 would be *added*."""
    if mask.dtype != torch.bool:
        raise TypeError(
            f"the mask has dtype {mask.dtype}; give a boolean one, True "
            "where a key may be looked at (mask.bool())"
        )
