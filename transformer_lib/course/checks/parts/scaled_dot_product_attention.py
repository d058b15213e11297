"""Part 1 of the reader's own Transformer."""

from __future__ import annotations

import math


def scaled_dot_product_attention(query, key, value, mask=None):
    """Average the values: softmax(query key^T / sqrt(d_k)) value.

    query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v); mask,
    True where a query may look at a key, broadcasts to (..., n_q, n_k).
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value
