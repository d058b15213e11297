"""Answers to `attention(Q, K, V)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import math

import numpy as np
import torch


def _softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _scores(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


# ------------------------------------------------------------------- right


def right__matmul(Q, K, V):
    return _softmax(Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5) @ V


def right__mT(Q, K, V):
    return _softmax(Q @ K.mT / math.sqrt(K.shape[-1])) @ V


def right__scale_the_queries_first(Q, K, V):
    return _softmax((Q / Q.shape[-1] ** 0.5) @ K.mT) @ V


def right__einsum(Q, K, V):
    scores = np.einsum("...ik,...jk->...ij", Q, K) / Q.shape[-1] ** 0.5
    return np.einsum("...ij,...jv->...iv", _softmax(scores), V)


def right__loop(Q, K, V):
    if np.ndim(Q) > 2:
        return [right__loop(*matrices) for matrices in zip(Q, K, V)]
    rows = []
    for q in Q:
        scores = [float(sum(a * b for a, b in zip(q, k))) for k in K]
        scores = [score / math.sqrt(len(q)) for score in scores]
        top = max(scores)
        votes = [math.exp(score - top) for score in scores]
        row = [0.0] * V.shape[-1]
        for vote, value in zip(votes, V):
            for c, entry in enumerate(value):
                row[c] += vote / sum(votes) * float(entry)
        rows.append(row)
    return rows


def right__torch(Q, K, V):
    q, k, v = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V))
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v


def right__torch_single_precision(Q, K, V):
    q, k, v = (torch.as_tensor(x, dtype=torch.float32) for x in (Q, K, V))
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v


def right__torch_fused(Q, K, V):
    q, k, v = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def right__flattened_and_back(Q, K, V):
    lead = Q.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V))
    rows = [_softmax(_scores(*qk)) @ one for *qk, one in zip(q, k, v)]
    return np.reshape(rows, (*lead, Q.shape[-2], V.shape[-1]))


def right__other_names(query, key, value):
    return right__matmul(query, key, value)


# ------------------------------------------------------------------- scale


def no_scale(Q, K, V):
    return _softmax(Q @ K.mT) @ V


def no_scale__torch(Q, K, V):
    q, k, v = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V))
    fused = torch.nn.functional.scaled_dot_product_attention
    return fused(q, k, v, scale=1.0)


def divided_by_d_k(Q, K, V):
    return _softmax(Q @ K.mT / Q.shape[-1]) @ V


def divided_by_d_k__root_twice(Q, K, V):
    return _softmax(_scores(Q, K) / np.sqrt(K.shape[-1])) @ V


def root_of_d_v(Q, K, V):
    return _softmax(Q @ K.mT / np.sqrt(V.shape[-1])) @ V


def root_of_the_number_of_keys(Q, K, V):
    return _softmax(Q @ K.mT / np.sqrt(K.shape[-2])) @ V


def root_of_the_number_of_queries(Q, K, V):
    return _softmax(Q @ K.mT / np.sqrt(len(Q))) @ V


def multiplied_by_the_root(Q, K, V):
    return _softmax(Q @ K.mT * np.sqrt(Q.shape[-1])) @ V


def scaled_after_the_softmax(Q, K, V):
    return _softmax(Q @ K.mT) / np.sqrt(Q.shape[-1]) @ V


def scaled_after_the_softmax__at_the_very_end(Q, K, V):
    return _softmax(Q @ K.mT) @ V / np.sqrt(Q.shape[-1])


# ------------------------------------------------------------------ scores


def query_and_key_exchanged(Q, K, V):
    return _softmax(K @ Q.mT / np.sqrt(Q.shape[-1])) @ V


def scores_with_values(Q, K, V):
    return _softmax(Q @ V.mT / np.sqrt(Q.shape[-1])) @ V


def keys_not_used(Q, K, V):
    return _softmax(Q @ Q.mT / np.sqrt(Q.shape[-1])) @ V


def queries_not_used(Q, K, V):
    return _softmax(K @ K.mT / np.sqrt(K.shape[-1])) @ V


def not_transposed(Q, K, V):
    return _softmax(Q @ K / np.sqrt(Q.shape[-1])) @ V


def star_in_the_scores(Q, K, V):
    return _softmax(Q * K / np.sqrt(Q.shape[-1])) @ V


def features_attend(Q, K, V):
    return V @ _softmax(Q.mT @ K / np.sqrt(Q.shape[-1]))


def cosine_in_place_of_dot_product(Q, K, V):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return _softmax(q @ k.mT / np.sqrt(Q.shape[-1])) @ V


def cosine_in_place_of_dot_product__not_scaled(Q, K, V):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return _softmax(q @ k.mT) @ V


def distance_in_place_of_dot_product(Q, K, V):
    away = Q[..., :, None, :] - K[..., None, :, :]
    return _softmax(-(away**2).sum(-1) / np.sqrt(Q.shape[-1])) @ V


def negative_scores(Q, K, V):
    return _softmax(-Q @ K.mT / np.sqrt(Q.shape[-1])) @ V


# ----------------------------------------------------------------- weights


def softmax_over_queries(Q, K, V):
    return _softmax(_scores(Q, K), axis=-2) @ V


def softmax_over_queries__first_axis(Q, K, V):
    return _softmax(_scores(Q, K), axis=0) @ V


def softmax_over_queries__torch(Q, K, V):
    scores = torch.as_tensor(_scores(Q, K))
    return torch.softmax(scores, dim=-2) @ torch.as_tensor(V).double()


def softmax_over_everything(Q, K, V):
    return _softmax(_scores(Q, K), axis=None) @ V


def softmax_over_features(Q, K, V):
    return _softmax(_scores(Q, K) @ V)


def softmax_over_features__once_more(Q, K, V):
    return _softmax(right__matmul(Q, K, V))


def no_softmax(Q, K, V):
    return _scores(Q, K) @ V


def no_softmax__no_scale(Q, K, V):
    return Q @ K.mT @ V


def no_exponential(Q, K, V):
    scores = _scores(Q, K)
    return scores / scores.sum(axis=-1, keepdims=True) @ V


def not_divided(Q, K, V):
    return np.exp(_scores(Q, K)) @ V


def not_divided__from_the_top(Q, K, V):
    scores = _scores(Q, K)
    return np.exp(scores - scores.max(axis=-1, keepdims=True)) @ V


def base_two(Q, K, V):
    votes = 2 ** _scores(Q, K)
    return votes / votes.sum(axis=-1, keepdims=True) @ V


def sigmoid(Q, K, V):
    return 1 / (1 + np.exp(-_scores(Q, K))) @ V


def winner_takes_all(Q, K, V):
    scores = _scores(Q, K)
    best = (scores == scores.max(axis=-1, keepdims=True)) * 1.0
    return best / best.sum(axis=-1, keepdims=True) @ V


def equal_weights(Q, K, V):
    mean = V.mean(axis=-2, keepdims=True)
    return np.repeat(mean, Q.shape[-2], axis=-2)


def values_not_weighted(Q, K, V):
    rows = []
    for q in Q:
        row = 0
        for k, value in zip(K, V):
            row = row + _softmax(np.array([q @ k])) * value
        rows.append(row)
    return rows


def values_not_weighted__plain_sum(Q, K, V):
    total = V.sum(axis=-2, keepdims=True)
    return np.repeat(total, Q.shape[-2], axis=-2)


def softmax_twice(Q, K, V):
    return _softmax(_softmax(_scores(Q, K))) @ V


def looks_only_back(Q, K, V):
    scores = _scores(Q, K)
    seen = np.tril(np.ones(scores.shape[-2:], dtype=bool))
    return _softmax(np.where(seen, scores, -np.inf)) @ V


# ----------------------------------------------------------------- results


def keys_as_values(Q, K, V):
    return _softmax(_scores(Q, K)) @ K


def queries_as_values(Q, K, V):
    return _softmax(_scores(Q, K)) @ Q


def values_transposed(Q, K, V):
    return _softmax(_scores(Q, K)) @ V.mT


def weights_transposed(Q, K, V):
    return _softmax(_scores(Q, K)).mT @ V


def returned_weights(Q, K, V):
    return _softmax(_scores(Q, K))


def returned_scores(Q, K, V):
    return _scores(Q, K)


def star_in_the_average(Q, K, V):
    return _softmax(_scores(Q, K)) * V


def not_summed(Q, K, V):
    return _softmax(_scores(Q, K))[..., None] * V[..., None, :, :]


def divided_by_the_number_of_keys(Q, K, V):
    weights = _softmax(_scores(Q, K))
    return (weights[..., None] * V[..., None, :, :]).mean(axis=-2)


def transposed(Q, K, V):
    return right__matmul(Q, K, V).mT


def one_query_only(Q, K, V):
    for q in Q:
        return _softmax(K @ q / np.sqrt(len(q))) @ V


def one_query_only__the_last(Q, K, V):
    for q in Q:
        result = _softmax(K @ q / np.sqrt(len(q))) @ V
    return result


def queries_added_up(Q, K, V):
    return right__matmul(Q, K, V).sum(axis=-2)


def queries_added_up__mean(Q, K, V):
    return right__matmul(Q, K, V).mean(axis=-2)


# ------------------------------------------------------------ leading axes


def turned_all_axes(Q, K, V):
    return _softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V


def flattened_leading_axes(Q, K, V):
    q, k, v = (x.reshape(-1, x.shape[-1]) for x in (Q, K, V))
    return right__matmul(q, k, v).reshape(*Q.shape[:-1], V.shape[-1])


def flattened_leading_axes__not_brought_back(Q, K, V):
    q, k, v = (x.reshape(-1, x.shape[-1]) for x in (Q, K, V))
    return right__matmul(q, k, v)


def softmax_axis_from_the_front(Q, K, V):
    return _softmax(_scores(Q, K), axis=1) @ V


def width_from_the_front(Q, K, V):
    return _softmax(Q @ K.mT / np.sqrt(Q.shape[1])) @ V


def width_from_the_front__of_the_keys(Q, K, V):
    return _softmax(Q @ K.mT / np.sqrt(K.shape[1])) @ V


def first_of_the_batch_only(Q, K, V):
    while Q.ndim > 3:
        return right__matmul(Q, K, V)[0]
    return right__matmul(Q, K, V)[0] if Q.ndim == 3 else right__matmul(Q, K, V)


def leading_axes_lost(Q, K, V):
    return right__matmul(Q, K, V).reshape(-1, V.shape[-1])


def one_leading_axis_only(Q, K, V):
    if Q.ndim == 2:
        return right__matmul(Q, K, V)
    return _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) @ V


def one_leading_axis_only__loop(Q, K, V):
    if Q.ndim == 2:
        return right__matmul(Q, K, V)
    return [
        _softmax(q @ k.T / len(q[0]) ** 0.5) @ v for q, k, v in zip(Q, K, V)
    ]


def only_two_axes(Q, K, V):
    scores = np.einsum("ik,jk->ij", Q, K) / np.sqrt(Q.shape[-1])
    return np.einsum("ij,jv->iv", _softmax(scores), V)


def only_two_axes__loop(Q, K, V):
    result = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        scores = [float(Q[i] @ K[j]) / len(Q[i]) ** 0.5 for j in range(len(K))]
        weights = _softmax(np.array(scores))
        for j in range(len(K)):
            result[i] += weights[j] * V[j]
    return result


# ------------------------------------------------------------- refinements


def no_maximum_subtracted(Q, K, V):
    votes = np.exp(_scores(Q, K))
    return votes / votes.sum(axis=-1, keepdims=True) @ V


def maximum_of_everything(Q, K, V):
    scores = _scores(Q, K)
    votes = np.exp(scores - scores.max())
    return votes / votes.sum(axis=-1, keepdims=True) @ V


def whole_numbers_cut(Q, K, V):
    result = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=V.dtype)
    result[...] = right__matmul(Q, K, V)
    return result


# ----------------------------------------------------------------- general


def changes_its_input(Q, K, V):
    if Q.dtype == float:
        Q /= np.sqrt(Q.shape[-1])
    else:
        Q = Q / np.sqrt(Q.shape[-1])
    return _softmax(Q @ K.mT) @ V


def printed_not_returned(Q, K, V):
    print(right__matmul(Q, K, V))


def no_return(Q, K, V):
    weights = _softmax(_scores(Q, K))
    weights @ V


def signature(X):
    return _softmax(X @ X.mT / np.sqrt(X.shape[-1])) @ X


# ------------------------------------------------- slips of loops and roots


def fixed_divisor(Q, K, V):
    return _softmax(Q @ K.mT / np.sqrt(4)) @ V


def fixed_divisor__of_the_paper(Q, K, V):
    return _softmax(Q @ K.mT / 8) @ V


def root_without_brackets(Q, K, V):
    return _softmax(Q @ K.mT / Q.shape[-1] ** 1 / 2) @ V


def root_without_brackets__half(Q, K, V):
    root = Q.shape[-1] ** 1 / 2
    return _softmax(Q @ K.mT / root) @ V


def votes_never_reset(Q, K, V):
    votes, results = [], []
    for q in Q:
        for k in K:
            votes.append(np.exp(sum(q * k) / len(q) ** 0.5))
        result = np.zeros(len(V[0]))
        for j in range(len(V)):
            result += votes[j] / sum(votes) * V[j]
        results.append(result)
    return np.array(results)


def sum_not_kept_as_a_column(Q, K, V):
    votes = np.exp(_scores(Q, K))
    return votes / votes.sum(axis=-1) @ V


def sum_not_kept_as_a_column__from_the_top(Q, K, V):
    scores = _scores(Q, K)
    votes = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return votes / votes.sum(axis=-1) @ V


def result_never_reset(Q, K, V):
    results, result = [], np.zeros(len(V[0]))
    for weights in _softmax(_scores(Q, K)):
        result = result + weights @ V
        results.append(result)
    return np.array(results)


def result_never_reset__one_array(Q, K, V):
    results, result = [], np.zeros(len(V[0]))
    for weights in _softmax(_scores(Q, K)):
        result += weights @ V
        results.append(result)
    return np.array(results)


def values_on_the_left(Q, K, V):
    return V @ _softmax(_scores(Q, K))
