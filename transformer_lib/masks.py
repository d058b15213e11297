"""Masks: which keys a query may look at. True means *may be looked at*."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from transformer_lib.shapes import check_id_rows
from transformer_lib.special_tokens import PAD
from transformer_lib.validation import check_int

__all__ = ["causal_mask", "padding_mask"]


def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "Lq Lk"]:
    """Let each position look at itself and at what came before it.

    With more keys than queries the queries are the *last* positions, which
    is what a decoder with a cache needs: query i stands at position
    ``n_keys - n_queries + i``.

    Args:
        n_queries: number of queries, 0 or more.
        n_keys: number of keys, at least ``n_queries``; equal when omitted.
        device: where to make the mask.

    Returns:
        True where query i may look at key j.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a negative size, or fewer keys than queries.

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    n_keys = n_queries if n_keys is None else n_keys
    check_int("n_queries", n_queries, least=0)
    check_int("n_keys", n_keys, least=0)
    if n_queries > n_keys:
        raise ValueError(
            f"causal_mask got {n_queries} queries and {n_keys} keys; the "
            "queries are the last keys, so give 0 <= n_queries <= n_keys"
        )
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return ones.tril(n_keys - n_queries)


def padding_mask(
    ids: Int[Tensor, "B L"], pad: int = PAD
) -> Bool[Tensor, "B 1 L"]:
    """Hide the padding of a batch from every query.

    Args:
        ids: token ids, one sentence a row, filled up with ``pad``.
        pad: the id that fills up.

    Returns:
        True at real tokens. The middle axis broadcasts over the queries: the
        padded *keys* are hidden from all of them.

    Raises:
        TypeError: ids are not whole numbers.
        ValueError: ids are not of shape (B, L).
    """
    check_id_rows(ids)
    return (ids != pad).unsqueeze(1)
