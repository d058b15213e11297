"""Answers to `pad_attention(Q, K, V, ids, pad)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import math

import numpy as np
import torch

from transformer_lib import numpy_reference as reference


def _softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _scores(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


def _masked(Q, K, V, mask, fill=-np.inf):
    """Share over the keys that the mask allows, zeros where there are none."""
    scores = _scores(Q, K)
    mask = np.broadcast_to(mask, scores.shape)
    weights = _softmax(np.where(mask, scores, fill))
    return np.where(mask.any(-1, keepdims=True), weights, 0.0) @ V


# ------------------------------------------------------------------- right


def right__where(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids != pad)[:, None, :])


def right__nan_to_num(Q, K, V, ids, pad):
    hidden = np.where((ids == pad)[:, None, :], -np.inf, _scores(Q, K))
    return np.nan_to_num(_softmax(hidden)) @ V


def right__reference(Q, K, V, ids, pad):
    mask = reference.padding_mask(ids, pad)
    return reference.scaled_dot_product_attention(Q, K, V, mask)


def right__only_the_words(Q, K, V, ids, pad):
    result = np.zeros((*Q.shape[:2], V.shape[-1]))
    for b in range(len(Q)):
        words = ids[b] != pad
        if words.any():
            weights = _softmax(_scores(Q[b], K[b][words]))
            result[b] = weights @ V[b][words]
    return result


def right__loops(Q, K, V, ids, pad):
    result = np.zeros((*Q.shape[:2], V.shape[-1]))
    for b in range(len(Q)):
        words = [j for j in range(len(K[b])) if ids[b][j] != pad]
        for i in range(len(Q[b])):
            scores = [Q[b][i] @ K[b][j] / len(Q[b][i]) ** 0.5 for j in words]
            votes = [math.exp(s - max(scores)) for s in scores]
            for j, vote in zip(words, votes):
                result[b][i] += vote / sum(votes) * V[b][j]
    return result


def right__torch(Q, K, V, ids, pad):
    q, k, v = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V))
    seen = (torch.as_tensor(np.array(ids)) != pad)[:, None, :]
    fused = torch.nn.functional.scaled_dot_product_attention
    return fused(q, k, v, attn_mask=seen.expand(-1, q.shape[1], -1))


def right__mask_that_is_added(Q, K, V, ids, pad):
    extra = np.where(ids == pad, -np.inf, 0.0)[:, None, :]
    return np.nan_to_num(_softmax(_scores(Q, K) + extra)) @ V


def right__einsum(Q, K, V, ids, pad):
    scores = np.einsum("bid,bjd->bij", Q, K) / math.sqrt(Q.shape[-1])
    hidden = np.where((ids != pad)[:, None], scores, -np.inf)
    return np.einsum("bij,bjd->bid", np.nan_to_num(_softmax(hidden)), V)


def right__float32_tensor(Q, K, V, ids, pad):
    q, k, v = (torch.as_tensor(np.array(x)).float() for x in (Q, K, V))
    seen = (torch.as_tensor(np.array(ids)) != pad).unsqueeze(1)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~seen, -math.inf)
    return scores.softmax(dim=-1).nan_to_num() @ v


def right__list_of_sentences(Q, K, V, ids, pad):
    result = []
    for q, k, v, row in zip(Q, K, V, ids):
        result.append(_masked(q, k, v, row != pad).tolist())
    return result


# -------------------------------------------------------------- which tokens


def mask_flipped(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids == pad)[:, None, :])


def mask_flipped__nan(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], -np.inf, _scores(Q, K))
    return _softmax(hidden) @ V


def mask_flipped__very_low(Q, K, V, ids, pad):
    hidden = np.where((ids == pad)[:, None, :], _scores(Q, K), -1e9)
    return _softmax(hidden) @ V


def pad_taken_as_0(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids != 0)[:, None, :])


def pad_taken_as_0__truth(Q, K, V, ids, pad):
    return _masked(Q, K, V, ids.astype(bool)[:, None, :])


def pad_taken_as_1(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids != 1)[:, None, :])


def greater_in_place_of_unequal(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids > pad)[:, None, :])


def mask_of_the_first_sentence(Q, K, V, ids, pad):
    return _masked(Q, K, V, ids[0] != pad)


def mask_of_the_first_sentence__very_low(Q, K, V, ids, pad):
    hidden = np.where(ids[0] != pad, _scores(Q, K), -1e9)
    return _softmax(hidden) @ V


def first_sentence_only(Q, K, V, ids, pad):
    mask = np.ones((len(ids), 1, ids.shape[1]), dtype=bool)
    mask[0] = ids[0] != pad
    return _masked(Q, K, V, mask)


def hidden_wherever_any_is_padded(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids != pad).all(axis=0))


def only_the_last_place(Q, K, V, ids, pad):
    mask = np.ones(ids.shape, dtype=bool)
    mask[:, -1] = False
    return _masked(Q, K, V, mask[:, None, :])


def counted_one_wrong__padding_shown(Q, K, V, ids, pad):
    lengths = (ids != pad).sum(axis=1)
    real = np.arange(ids.shape[1]) <= lengths[:, None]
    return _masked(Q, K, V, real[:, None, :])


def counted_one_wrong__word_hidden(Q, K, V, ids, pad):
    lengths = (ids != pad).sum(axis=1)
    real = np.arange(1, ids.shape[1] + 1) < lengths[:, None]
    return _masked(Q, K, V, real[:, None, :])


def counted_one_wrong__word_hidden_very_low(Q, K, V, ids, pad):
    lengths = (ids != pad).sum(axis=1)
    real = np.arange(ids.shape[1]) < lengths[:, None] - 1
    return _softmax(np.where(real[:, None], _scores(Q, K), -1e9)) @ V


# ------------------------------------------------------------------ which axis


def queries_masked(Q, K, V, ids, pad):
    return _masked(Q, K, V, (ids != pad)[:, :, None])


def queries_masked__nan(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, :, None], _scores(Q, K), -np.inf)
    return _softmax(hidden) @ V


def queries_masked__very_low(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, :, None], _scores(Q, K), -1e9)
    return _softmax(hidden) @ V


def queries_masked_too(Q, K, V, ids, pad):
    real = ids != pad
    return _masked(Q, K, V, real[:, None, :] & real[:, :, None])


def queries_masked_too__nan(Q, K, V, ids, pad):
    real = ids != pad
    both = real[:, None, :] & real[:, :, None]
    return _softmax(np.where(both, _scores(Q, K), -np.inf)) @ V


def queries_masked_too__very_low(Q, K, V, ids, pad):
    real = ids != pad
    both = real[:, None, :] & real[:, :, None]
    return _softmax(np.where(both, _scores(Q, K), -1e9)) @ V


def queries_masked_too__afterwards(Q, K, V, ids, pad):
    result = right__where(Q, K, V, ids, pad)
    result[ids == pad] = 0
    return result


def or_in_place_of_and(Q, K, V, ids, pad):
    real = ids != pad
    return _masked(Q, K, V, real[:, None, :] | real[:, :, None])


def sentences_taken_for_queries(Q, K, V, ids, pad):
    return _masked(Q, K, V, ids != pad)


def sentences_taken_for_queries__very_low(Q, K, V, ids, pad):
    hidden = np.where(ids != pad, _scores(Q, K), -1e9)
    return _softmax(hidden) @ V


def no_mask(Q, K, V, ids, pad):
    return _softmax(_scores(Q, K)) @ V


def no_mask__not_stored(Q, K, V, ids, pad):
    scores = _scores(Q, K)
    np.where((ids != pad)[:, None, :], scores, -np.inf)
    return _softmax(scores) @ V


def causal_in_place_of_padding(Q, K, V, ids, pad):
    seen = np.tri(Q.shape[1], K.shape[1], dtype=bool)
    return _masked(Q, K, V, seen)


def causal_too(Q, K, V, ids, pad):
    seen = np.tri(Q.shape[1], K.shape[1], dtype=bool)
    return _masked(Q, K, V, seen & (ids != pad)[:, None, :])


# --------------------------------------------------------------------- how


def zeroed_scores(Q, K, V, ids, pad):
    return _softmax(_scores(Q, K) * (ids != pad)[:, None, :]) @ V


def zeroed_scores__zero_keys(Q, K, V, ids, pad):
    return _softmax(_scores(Q, K * (ids != pad)[:, :, None])) @ V


def zero_vectors_are_no_mask(Q, K, V, ids, pad):
    real = (ids != pad)[:, :, None]
    return _softmax(_scores(Q, K * real)) @ (V * real)


def zero_values_are_no_mask(Q, K, V, ids, pad):
    return _softmax(_scores(Q, K)) @ (V * (ids != pad)[:, :, None])


def zero_values_are_no_mask__after_softmax(Q, K, V, ids, pad):
    return (_softmax(_scores(Q, K)) * (ids != pad)[:, None, :]) @ V


def fill_too_small(Q, K, V, ids, pad):
    real = (ids != pad)[:, None, :]
    return _softmax(np.where(real, _scores(Q, K), -math.e)) @ V


def fill_too_small__minus_one(Q, K, V, ids, pad):
    real = (ids != pad)[:, None, :]
    return _softmax(np.where(real, _scores(Q, K), -1.0)) @ V


def fill_too_small__minus_ten(Q, K, V, ids, pad):
    real = (ids != pad)[:, None, :]
    return _softmax(np.where(real, _scores(Q, K), -10.0)) @ V


def plus_in_place_of_minus(Q, K, V, ids, pad):
    real = (ids != pad)[:, None, :]
    return _softmax(np.where(real, _scores(Q, K), 1e9)) @ V


def mask_times_infinity(Q, K, V, ids, pad):
    return _softmax(_scores(Q, K) + (ids == pad)[:, None, :] * -np.inf) @ V


def mask_added(Q, K, V, ids, pad):
    return _softmax(_scores(Q, K) + (ids != pad)[:, None, :]) @ V


# -------------------------------------------------------------------- rest


def no_scale(Q, K, V, ids, pad):
    return _masked(Q * Q.shape[-1] ** 0.5, K, V, (ids != pad)[:, None, :])


def divided_by_d_k(Q, K, V, ids, pad):
    return _masked(Q / Q.shape[-1] ** 0.5, K, V, (ids != pad)[:, None, :])


def root_of_d_v(Q, K, V, ids, pad):
    scores = Q @ K.mT / np.sqrt(V.shape[-1])
    hidden = np.where((ids != pad)[:, None, :], scores, -np.inf)
    return np.nan_to_num(_softmax(hidden)) @ V


def root_of_the_number_of_keys__queries(Q, K, V, ids, pad):
    scores = Q @ K.mT / np.sqrt(Q.shape[1])
    hidden = np.where((ids != pad)[:, None, :], scores, -np.inf)
    return np.nan_to_num(_softmax(hidden)) @ V


def root_of_the_number_of_keys(Q, K, V, ids, pad):
    scores = Q @ K.mT / np.sqrt(K.shape[1])
    hidden = np.where((ids != pad)[:, None, :], scores, -np.inf)
    return np.nan_to_num(_softmax(hidden)) @ V


def softmax_over_queries(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return np.nan_to_num(_softmax(hidden, axis=1)) @ V


def softmax_over_queries__nan(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return _softmax(hidden, axis=1) @ V


def softmax_over_the_batch(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return np.nan_to_num(_softmax(hidden, axis=0)) @ V


def softmax_over_everything(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return _softmax(hidden, axis=None) @ V


def not_divided(Q, K, V, ids, pad):
    real = (ids != pad)[:, None, :]
    return np.where(real, np.exp(_scores(Q, K)), 0.0) @ V


def mean_of_the_words(Q, K, V, ids, pad):
    real = (ids != pad)[:, None, :] * np.ones((1, Q.shape[1], 1))
    return real @ V / real.sum(axis=-1, keepdims=True)


def divided_by_the_number_of_words(Q, K, V, ids, pad):
    words = (ids != pad).sum(axis=1)[:, None, None]
    return right__where(Q, K, V, ids, pad) / words


def returned_weights(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return _softmax(hidden)


def one_sentence_only(Q, K, V, ids, pad):
    for q, k, v, row in zip(Q, K, V, ids):
        weights = _softmax(np.where(row != pad, _scores(q, k), -np.inf))
        return weights @ v


def queries_added_up(Q, K, V, ids, pad):
    return right__where(Q, K, V, ids, pad).sum(axis=1)


# ------------------------------------------------------------- refinements


def padding_only_on_the_right(Q, K, V, ids, pad):
    lengths = (ids != pad).sum(axis=1)
    real = np.arange(ids.shape[1]) < lengths[:, None]
    return _masked(Q, K, V, real[:, None, :])


def hidden_scores_still_count(Q, K, V, ids, pad):
    left = _softmax(_scores(Q, K)) * (ids != pad)[:, None, :]
    return left / left.sum(axis=-1, keepdims=True) @ V


def nothing_to_look_at_gives_nan(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return _softmax(hidden) @ V


def nothing_to_look_at_gives_nan__an_error(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -np.inf)
    return reference.softmax(hidden) @ V


def nothing_to_look_at_gives_nan__no_words(Q, K, V, ids, pad):
    rows = []
    for q, k, v, row in zip(Q, K, V, ids):
        words = row != pad
        votes = np.exp(_scores(q, k[words]))
        rows.append(votes / votes.sum(axis=-1, keepdims=True) @ v[words])
        if not words.any():
            rows[-1] = rows[-1] / 0.0
    return np.array(rows)


def nothing_to_look_at_gives_an_average(Q, K, V, ids, pad):
    hidden = np.where((ids != pad)[:, None, :], _scores(Q, K), -1e9)
    return _softmax(hidden) @ V


def nothing_to_look_at_gives_an_average__added(Q, K, V, ids, pad):
    hidden = _scores(Q, K) - 1e9 * (ids == pad)[:, None, :]
    return _softmax(hidden) @ V


# ----------------------------------------------------------------- general


def changes_its_input(Q, K, V, ids, pad):
    V[ids == pad] = 0
    return right__where(Q, K, V, ids, pad)


def printed_not_returned(Q, K, V, ids, pad):
    print(right__where(Q, K, V, ids, pad))


def no_return(Q, K, V, ids, pad):
    right__where(Q, K, V, ids, pad)


def signature(Q, K, V, mask):
    return _masked(Q, K, V, mask)
