"""Scaled dot-product attention, the formula of the book."""

import math
from contextlib import AbstractContextManager, nullcontext

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from transformer_lib.shapes import check_attention, check_keys_values

HALF = (torch.float16, torch.bfloat16)


def attention_weights(
    query: Float[Tensor, "*B Lq K"],
    key: Float[Tensor, "*B Lk K"],
    mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
) -> Float[Tensor, "*B Lq Lk"]:
    r"""Return how much each query attends to each key.

    $$\alpha_{ij} = \mathrm{softmax}_j
      \left(q_i \cdot k_j / \sqrt{d_k}\right)$$

    Args:
        query: Lq vectors of length K = d_k.
        key: Lk vectors of the same length.
        mask: True where query i may look at key j; None hides nothing.

    Returns:
        The attention weights; each row sums to 1. A query that may look at
        nothing gets a row of zeros.

    Raises:
        ValueError: query and key differ in d_k or in the axes before the
            last two, or the mask does not fit.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    check_attention(query, key, mask)
    if query.dtype in HALF:
        return _in_float32(query, key, mask)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1)
    scores = scores.masked_fill(~mask, -math.inf)
    # The softmax of a row of -inf is nan: nothing to look at, no weight.
    nothing = ~mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(nothing, 0.0).softmax(dim=-1)
    return weights.masked_fill(nothing, 0.0)


def _in_float32(query: Tensor, key: Tensor, mask: Tensor | None) -> Tensor:
    """Compute the weights as a fused kernel does, and round them at the end.

    A dot product soon leaves float16, which ends at 65,504.
    """
    device = query.device.type
    usual: AbstractContextManager = nullcontext()
    if torch.amp.is_autocast_available(device):  # it goes back to 16 bits
        usual = torch.autocast(device, enabled=False)
    with usual:
        weights = attention_weights(query.float(), key.float(), mask)
    return weights.to(query.dtype)


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
        query: Lq vectors of length K = d_k.
        key: Lk vectors of the same length.
        value: one vector for each key.
        mask: as in `attention_weights`.

    Returns:
        One context vector for each query; zeros for a query that may look
        at nothing.

    Raises:
        ValueError: as for `attention_weights`, or keys and values differ in
            number.
        TypeError: the mask is not boolean.

    Source: Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    check_keys_values(key, value)
    weights = attention_weights(query, key, mask)
    return weights @ value
