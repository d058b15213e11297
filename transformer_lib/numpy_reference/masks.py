"""Masks: which keys a query may look at. True means *may be looked at*."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Mask

__all__ = ["PAD", "causal_mask", "padding_mask"]

PAD = 0


def causal_mask(n_queries: int, n_keys: int | None = None) -> Mask:
    """Let each position look at itself and at what came before it.

    The queries are the last of the keys: query i stands at position
    ``n_keys - n_queries + i``.

    Args:
        n_queries: number of queries, 0 or more.
        n_keys: number of keys, at least ``n_queries``; equal when omitted.

    Returns:
        (n_queries, n_keys), True where query i may look at key j.

    Raises:
        ValueError: a negative size, or fewer keys than queries.

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    n_keys = n_queries if n_keys is None else n_keys
    if not 0 <= n_queries <= n_keys:
        raise ValueError(
            f"{n_queries} queries and {n_keys} keys; the queries are the "
            "last keys, so give 0 <= n_queries <= n_keys"
        )
    mask = np.zeros((n_queries, n_keys), dtype=bool)
    for query in range(n_queries):
        here = n_keys - n_queries + query
        for key in range(n_keys):
            mask[query, key] = key <= here
    return mask


def padding_mask(ids: ArrayLike, pad: int = PAD) -> Mask:
    """Hide the padding of a batch from every query.

    Args:
        ids: (B, L), token ids, filled up with ``pad``.
        pad: the id that fills up.

    Returns:
        (B, 1, L), True at real tokens.
    """
    rows = np.asarray(ids)
    return np.array([[[token != pad for token in row]] for row in rows])
