"""Tensors of the wrong shape or type, refused with a sentence.

Some of them torch would not refuse at all: it broadcasts an axis of length 1
over any other, and the wrong answer has the right shape.

No check takes ``len(x)``: it would fix a length that `torch.export` leaves
open, as a comparison of one length with another would.
"""

import torch
from torch import Tensor


def check_width(x: Tensor, *widths: int) -> None:
    """Refuse vectors of another length than the weights were made for.

    Args:
        x: (..., width) is wanted.
        widths: the lengths of the weights; all must be that of x.

    Raises:
        ValueError: the last axis of x has another length.
    """
    for width in widths:
        if x.ndim == 0 or x.shape[-1] != width:
            raise ValueError(
                f"x has shape {tuple(x.shape)}; these weights were made for "
                f"vectors of length {width}, so give (..., {width})"
            )


def check_batch(x: Tensor, width: int) -> None:
    """Refuse all but a batch of sentences: (B, L, width).

    Args:
        x: (B, L, width) is wanted.
        width: the length of a vector.

    Raises:
        ValueError: x has another number of axes, or vectors of another
            length.
    """
    if x.ndim != 3 or x.shape[-1] != width:
        raise ValueError(
            f"x has shape {tuple(x.shape)}; give a batch of sentences, "
            f"(B, L, {width}): one sentence is x.unsqueeze(0)"
        )


def check_ids(ids: Tensor) -> None:
    """Refuse numbers that cannot name a token.

    Args:
        ids: what came.

    Raises:
        TypeError: ids are not whole numbers in a tensor.
    """
    if not isinstance(ids, Tensor):
        raise TypeError(
            f"ids are a {type(ids).__name__}; give a tensor (torch.tensor(ids))"
        )
    if ids.dtype not in (torch.int64, torch.int32):
        raise TypeError(
            f"ids have dtype {ids.dtype}; give whole numbers, torch.long "
            "(ids.long())"
        )


def check_id_rows(ids: Tensor, at_least: int = 0) -> None:
    """Refuse all but one row of ids a sentence: (B, L).

    Args:
        ids: (B, L) is wanted.
        at_least: fewest sentences, and fewest tokens of a sentence.

    Raises:
        TypeError: ids are not whole numbers in a tensor.
        ValueError: another number of axes, or too few sentences or tokens.
    """
    check_ids(ids)
    if ids.ndim != 2:
        raise ValueError(
            f"ids have shape {tuple(ids.shape)}; give (B, L), one sentence a "
            "row: one sentence is ids.unsqueeze(0)"
        )
    if any(length < at_least for length in ids.shape):
        raise ValueError(
            f"the batch of ids has shape {tuple(ids.shape)}; give at least "
            "one sentence of one token"
        )


def check_same_batch(tokens: Tensor, memory_mask: Tensor) -> None:
    """Refuse target tokens for another number of sentences than encoded.

    Args:
        tokens: (B, T).
        memory_mask: (B, 1, S), of the encoded sentences.

    Raises:
        ValueError: the numbers of sentences differ.
    """
    if tokens.shape[0] != memory_mask.shape[0]:
        raise ValueError(
            f"the state is of {memory_mask.shape[0]} sentences and "
            f"{tokens.shape[0]} came; give one row for each"
        )


def check_attention(
    query: Tensor, key: Tensor, mask: Tensor | None = None
) -> None:
    """Refuse queries, keys or a mask that do not fit each other.

    Args:
        query: (..., Lq, d_k) is wanted.
        key: (..., Lk, d_k), the first axes as those of query.
        mask: boolean, (..., Lq, Lk) or with axes of length 1; None for none.

    Raises:
        TypeError: the mask is not boolean: 0 and 1 would be *added*.
        ValueError: the shapes do not fit; the message says which.
    """
    shapes = f"query has shape {tuple(query.shape)}, key {tuple(key.shape)}"
    if min(query.ndim, key.ndim) < 2:
        raise ValueError(f"{shapes}; give (..., L, d_k), one vector a token")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has d_k={query.shape[-1]} and key has "
            f"d_k={key.shape[-1]}; a dot product needs both equal"
        )
    if query.shape[:-2] != key.shape[:-2]:
        raise ValueError(
            f"{shapes}; all axes before the last two must be equal"
        )
    if mask is not None:
        check_mask(mask, (*query.shape[:-1], key.shape[-2]))


def check_keys_values(key: Tensor, value: Tensor) -> None:
    """Refuse values that are not one for each key.

    Args:
        key: (..., Lk, d_k) is wanted.
        value: (..., Lk, d_v) is wanted.

    Raises:
        ValueError: one has no axis of tokens, or other axes differ.
    """
    for name, x, width in (("key", key, "d_k"), ("value", value, "d_v")):
        if x.ndim < 2:
            raise ValueError(
                f"{name} has shape {tuple(x.shape)}; give (..., L, {width})"
            )
    if key.shape[:-2] != value.shape[:-2]:
        raise ValueError(
            f"key has shape {tuple(key.shape)}, value {tuple(value.shape)}; "
            "all axes before the last two must be equal"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"{key.shape[-2]} keys came with {value.shape[-2]} values; each "
            "key needs its own value"
        )


def check_mask(mask: Tensor, scores: tuple[int, ...]) -> None:
    """Refuse a mask that would be added, or that fits no score.

    Args:
        mask: boolean, of the scores' shape or with axes of length 1.
        scores: the scores' shape, (..., Lq, Lk).

    Raises:
        TypeError: the mask is not boolean: 0 and 1 would be *added*.
        ValueError: it cannot be broadcast over the scores.
    """
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        kind = getattr(mask, "dtype", type(mask).__name__)
        raise TypeError(
            f"the mask is {kind}; give a boolean tensor, True where a key "
            "may be looked at (mask.bool())"
        )
    sizes = zip(reversed(mask.shape), reversed(scores), strict=False)
    if mask.ndim > len(scores) or any(m not in (1, n) for m, n in sizes):
        raise ValueError(
            f"the mask has shape {tuple(mask.shape)} and the scores "
            f"{tuple(scores)}; give (..., queries, keys), 1 where it is the "
            "same for all (padding_mask gives (B, 1, keys))"
        )
