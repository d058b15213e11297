"""Answers to `scaled_dot_product_attention`, in other styles than the part.

A function is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_lib.numpy_reference import softmax


def _scores(query, key):
    return query @ key.mT / query.size(-1) ** 0.5


# ------------------------------------------------------------------- right


def right__fused(query, key, value, mask=None):
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def right__einsum(q, k, v, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", q, k).div(k.shape[-1] ** 0.5)
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    scores = torch.where(mask, scores, float("-inf"))
    shares = torch.where(mask, F.softmax(scores, dim=-1), 0)
    return torch.einsum("...qk,...kv->...qv", shares, v)


def right__nan_to_num(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ value


def right__in_place_mask(query, key, value, mask=None):
    scores = torch.matmul(query / math.sqrt(query.size(-1)), key.mT)
    if mask is not None:
        mask = mask.expand_as(scores)
        scores[~mask] = -torch.inf
    weights = nn.Softmax(dim=-1)(scores)
    if mask is not None and not mask.any(-1).all():
        weights = weights * mask.any(-1, keepdim=True).nan_to_num()
        weights = weights.masked_fill(weights.isnan(), 0)
    return weights.matmul(value)


def right__very_low_number(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is None:
        return scores.softmax(-1) @ value
    hidden = scores.masked_fill(
        mask.logical_not(), torch.finfo(query.dtype).min
    )
    return (hidden.softmax(-1) * mask) @ value


def right__by_hand(query, key, value, mask=None):
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    seen = torch.ones_like(scores).bool() if mask is None else mask
    top = scores.masked_fill(~seen, -1e30).amax(-1, keepdim=True)
    votes = (scores - top).masked_fill(~seen, -torch.inf).exp()
    return votes / votes.sum(-1, keepdim=True).clamp(min=1e-9) @ value


def right__loop_over_queries(query, key, value, mask=None):
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.shape[-2])
    rows = []
    for i in range(query.shape[-2]):
        scores = (query[..., i, None, :] * key).sum(-1)
        scores = scores / torch.tensor(query.shape[-1]).sqrt()
        if mask is not None:
            scores = scores.masked_fill(~mask[..., i, :], -math.inf)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights.where(mask[..., i, :], torch.zeros_like(weights))
        rows.append((weights[..., None] * value).sum(-2))
    return torch.stack(rows, dim=-2)


def right__baddbmm(query, key, value, mask=None):
    """Three axes inside, whatever comes."""
    lead = query.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (query, key, value))
    scores = torch.bmm(q, k.permute(0, 2, 1)) * q.shape[-1] ** -0.5
    scores = scores.view(*lead, *scores.shape[-2:])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    weights = weights.reshape(-1, *weights.shape[-2:])
    return torch.bmm(weights, v).view(*lead, -1, v.shape[-1])


_right = right__nan_to_num


# ------------------------------------------- the scores, in other styles


def divided_by_d_k__twice(query, key, value, mask=None):
    root = math.sqrt(query.shape[-1])
    scores = (query / root) @ (key / root).mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num() @ value


def root_without_brackets__only_the_scale(query, key, value, mask=None):
    scale = 1 / (query.size(-1) ** 1 / 2)
    return F.scaled_dot_product_attention(query, key, value, mask, scale=scale)


def root_without_brackets(query, key, value, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    return (scores / query.shape[-1] ** 1 / 2).softmax(-1) @ value


def fourth_root__only_the_query(query, key, value, mask=None):
    query = query / query.shape[-1] ** 0.25
    return (query @ key.mT).softmax(-1) @ value


def root_of_the_number_of_queries__len(query, key, value, mask=None):
    return (query @ key.mT / math.sqrt(query.size(-2))).softmax(-1) @ value


def cosine_in_place_of_dot_product__module(query, key, value, mask=None):
    compare = nn.CosineSimilarity(dim=-1)
    scores = compare(query[..., :, None, :], key[..., None, :, :])
    return scores.softmax(-1) @ value


def distance_in_place_of_dot_product__cdist(query, key, value, mask=None):
    return (-(torch.cdist(query, key) ** 2)).softmax(-1) @ value


def each_query_with_its_own_key__vecdot(query, key, value, mask=None):
    scores = torch.linalg.vecdot(query, key) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value


# ------------------------------------------------------------- PyTorch's own


def no_gradient__no_grad(query, key, value, mask=None):
    with torch.no_grad():
        return _right(query, key, value, mask)


def no_gradient__rebuilt(query, key, value, mask=None):
    rows = _right(query, key, value, mask)
    return torch.tensor(rows.tolist())


def weights_without_gradient__data(query, key, value, mask=None):
    return _scores(query, key).softmax(-1).data @ value


def leaves_torch__the_softmax(query, key, value, mask=None):
    q, k, v = (x.numpy() for x in (query, key, value))
    votes = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return torch.from_numpy(votes / votes.sum(-1, keepdims=True) @ v)


def not_a_tensor(query, key, value, mask=None):
    return list(_right(query, key, value, mask))


def not_a_tensor__numpy(query, key, value, mask=None):
    return _right(query, key, value, mask).detach().numpy()


def in_place_breaks_gradients(query, key, value, mask=None):
    weights = _scores(query, key).softmax(-1)
    if mask is not None:
        weights = _scores(query, key).masked_fill(~mask, -math.inf).softmax(-1)
        weights[~mask.expand_as(weights)] = 0.0
    return weights @ value


def in_place_breaks_gradients__basic(query, key, value, mask=None):
    votes = _scores(query, key).exp()
    votes /= votes.sum(-1, keepdim=True)
    return votes @ value


def types_differ(query, key, value, mask=None):
    weights = _scores(query.float(), key.float()).softmax(-1)
    return weights @ value


def types_differ__half_way(query, key, value, mask=None):
    weights = F.softmax(_scores(query, key), dim=-1, dtype=torch.float32)
    return torch.einsum("...qk,...kv->...qv", weights, value)


def root_of_the_shape(query, key, value, mask=None):
    return (query @ key.mT / math.sqrt(query.shape)).softmax(-1) @ value


def root_of_a_number(query, key, value, mask=None):
    return (query @ key.mT / torch.sqrt(query.shape[-1])).softmax(-1) @ value


def softmax_without_an_axis(query, key, value, mask=None):
    return _scores(query, key).softmax() @ value


def transpose_without_axes(query, key, value, mask=None):
    scores = query @ key.transpose() / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value


def three_axes_taken_for_granted(query, key, value, mask=None):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value


def three_axes_taken_for_granted__bmm(query, key, value, mask=None):
    return torch.bmm(_scores(query, key).softmax(-1), value)


def three_axes_taken_for_granted__permute(query, key, value, mask=None):
    scores = query @ key.permute(0, 2, 1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value


def three_axes_taken_for_granted__unpacked(query, key, value, mask=None):
    _, _, d_k = query.shape
    return (query @ key.mT / d_k**0.5).softmax(-1) @ value


# ------------------------------------------------------------ leading axes


def turned_all_axes__T(query, key, value, mask=None):
    turned = key.permute(*torch.arange(key.ndim - 1, -1, -1))
    return (query @ turned / math.sqrt(query.shape[-1])).softmax(-1) @ value


def only_two_axes__t(query, key, value, mask=None):
    scores = query @ key.t() / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ value


def one_leading_axis_only(query, key, value, mask=None):
    if query.ndim == 2:
        return _right(query, key, value, mask)
    scores = torch.bmm(query, key.transpose(1, 2)) / query.shape[-1] ** 0.5
    return torch.bmm(scores.softmax(-1), value)


def softmax_axis_from_the_front__module(query, key, value, mask=None):
    return nn.Softmax(dim=1)(_scores(query, key)) @ value


def no_maximum_subtracted__by_hand(query, key, value, mask=None):
    votes = torch.exp(_scores(query, key))
    if mask is not None:
        votes = votes * mask
    return votes / votes.sum(dim=-1, keepdim=True).clamp(1e-9) @ value


# -------------------------------------------------------------------- masks


def no_mask_input(query, key, value):
    return F.scaled_dot_product_attention(query, key, value)


def no_mask_input__by_name_only(query, key, value, *, mask=None):
    return F.scaled_dot_product_attention(query, key, value, mask)


def no_mask__ignored(query, key, value, mask=None):
    return F.scaled_dot_product_attention(query, key, value)


def no_mask__not_stored(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        torch.where(mask, scores, -math.inf)
    return torch.softmax(scores, dim=-1) @ value


def mask_subtracted(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores + (1 - mask) * -1e9
    return scores.softmax(-1) @ value


def mask_asked_for_truth(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num() @ value


def mask_not_stretched(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores[mask == 0] = -math.inf
    return scores.softmax(-1).nan_to_num() @ value


def mask_of_numbers_wanted(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask.float(), -math.inf)
    return scores.softmax(-1).nan_to_num() @ value


def _masked(query, key, value, mask, fill=-math.inf):
    scores = _scores(query, key)
    if mask is not None:
        scores = torch.where(mask, scores, fill)
    return scores.softmax(-1).nan_to_num() @ value


def mask_flipped__fused(query, key, value, mask=None):
    mask = None if mask is None else ~mask
    return F.scaled_dot_product_attention(query, key, value, mask)


def mask_flipped__nan(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -math.inf)
    return scores.softmax(-1) @ value


def mask_of_the_first_sentence__index(query, key, value, mask=None):
    if mask is not None and mask.ndim > 2:
        mask = mask[0]
    return _masked(query, key, value, mask)


def queries_masked__where(query, key, value, mask=None):
    mask = None if mask is None else mask.swapaxes(-1, -2)
    return _masked(query, key, value, mask)


def queries_masked_too__nan(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        both = mask.logical_and(mask.mT)
        scores = scores.masked_fill(both.logical_not(), -math.inf)
    return scores.softmax(-1) @ value


def sentences_taken_for_queries__index(query, key, value, mask=None):
    if mask is not None and mask.ndim > 2:
        mask = mask[:, 0]
    return _masked(query, key, value, mask)


def an_axis_added_to_the_mask__index(query, key, value, mask=None):
    mask = None if mask is None else mask[:, None]
    return _masked(query, key, value, mask)


def zeroed_scores__zero_keys(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = torch.where(mask, scores, 0)
    return F.softmax(scores, dim=-1) @ value


def zero_values_are_no_mask__after(query, key, value, mask=None):
    weights = _scores(query, key).softmax(-1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return weights @ value


def fill_too_small__subtracted(query, key, value, mask=None):
    extra = 0 if mask is None else mask.logical_not().double() * -10
    return torch.softmax(_scores(query, key) + extra, dim=-1) @ value


def mask_times_infinity__float(query, key, value, mask=None):
    extra = 0 if mask is None else (~mask).to(query) * float("-inf")
    return torch.softmax(_scores(query, key) + extra, dim=-1) @ value


def mask_times_infinity__plus(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("inf"))
    return scores.softmax(dim=-1) @ value


def mask_added__fused(query, key, value, mask=None):
    mask = None if mask is None else mask.to(query.dtype)
    return F.scaled_dot_product_attention(query, key, value, mask)


def hidden_scores_still_count(query, key, value, mask=None):
    weights = _scores(query, key).softmax(-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-300)
    return weights @ value


def nothing_to_look_at_gives_nan__added(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        extra = torch.zeros_like(mask, dtype=scores.dtype)
        scores = scores + extra.masked_fill(mask == 0, float("-inf"))
    return scores.softmax(-1) @ value


def nothing_to_look_at_gives_an_average__finfo(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.where(mask, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1) @ value


def nan_in_the_gradients__added(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        extra = torch.zeros_like(mask, dtype=scores.dtype)
        scores = scores + extra.masked_fill(mask == 0, float("-inf"))
    return scores.softmax(-1).nan_to_num() @ value


# --------------------------------------------------------- types and devices


def always_32_bits__inside(query, key, value, mask=None):
    return _right(query.float(), key.float(), value.float(), mask)


def always_64_bits__inside(query, key, value, mask=None):
    return _right(query.double(), key.double(), value.double(), mask)


def fixed_to_one_type(query, key, value, mask=None):
    keep = query.dtype
    if keep == torch.bfloat16:
        keep = torch.float32
    return _right(query, key, value, mask).to(keep)


def fixed_to_the_processor(query, key, value, mask=None):
    scores = _scores(query, key)
    everything = torch.ones(scores.shape[-2:], dtype=torch.bool)
    mask = everything if mask is None else mask & everything
    return _masked(query, key, value, mask)


def fixed_to_the_processor__numbers_seen(query, key, value, mask=None):
    result = torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype)
    if mask is None or mask.any():
        result[...] = _right(query, key, value, mask)
    return result


# ----------------------------------------------------------------- general


def changes_its_input(query, key, value, mask=None):
    query /= math.sqrt(query.shape[-1])
    scores = query @ key.mT
    if mask is not None:
        scores.masked_fill_(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num() @ value


def printed_not_returned(query, key, value, mask=None):
    print(_right(query, key, value, mask))


def no_return(query, key, value, mask=None):
    _right(query, key, value, mask)


def signature(query, key, value, mask):
    return _right(query, key, value, mask)


def cut_to_32_bits__all(query, key, value, mask=None):
    q, k, v = query.float(), key.float(), value.float()
    return F.scaled_dot_product_attention(q, k, v, mask).to(query.dtype)


def leaves_torch__the_softmax_of_chapter_3(query, key, value, mask=None):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    return softmax(scores) @ value


def mask_asked_for_truth__not(query, key, value, mask=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(not mask, -torch.inf)
    return scores.softmax(dim=-1) @ value


def both_axes_from_the_front__T(query, key, value, mask=None):
    scores = query @ key.T / np.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=1) @ value


def hidden_by_a_finite_number__then_zero(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores * mask + ~mask * -1e4
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ value


def nan_turned_into_0__mask_times_infinity(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores += (1 - mask.float()) * float("-inf")
    return scores.softmax(-1).nan_to_num(0) @ value


def plus_infinity_turned_into_0__a_sign(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, math.inf)
    return scores.softmax(-1).nan_to_num() @ value


def nan_mended_in_the_result__by_index(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    result = scores.softmax(-1) @ value
    result[result.isnan()] = 0
    return result


def nothing_to_look_at_gives_nan__times_mask(query, key, value, mask=None):
    scores = _scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return (weights if mask is None else weights * mask) @ value


def rounded__weights_to_four_decimals(query, key, value, mask=None):
    return torch.round(_scores(query, key).softmax(-1), decimals=4) @ value
