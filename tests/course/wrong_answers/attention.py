"""Answers to `attention(Q, K, V)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import math

import numpy as np
import torch
import torch.nn.functional as F


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


def no_scale__torch(Q, K, V):
    q, k, v = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V))
    fused = torch.nn.functional.scaled_dot_product_attention
    return fused(q, k, v, scale=1.0)


def softmax_over_queries__torch(Q, K, V):
    scores = torch.as_tensor(_scores(Q, K))
    return torch.softmax(scores, dim=-2) @ torch.as_tensor(V).double()


def all_weights_one(Q, K, V):
    rows = []
    for q in Q:
        row = 0
        for k, value in zip(K, V):
            row = row + _softmax(np.array([q @ k])) * value
        rows.append(row)
    return rows


# ----------------------------------------------------------------- results


def one_query_only(Q, K, V):
    for q in Q:
        return _softmax(K @ q / np.sqrt(len(q))) @ V


def one_query_only__the_last(Q, K, V):
    for q in Q:
        result = _softmax(K @ q / np.sqrt(len(q))) @ V
    return result


# ------------------------------------------- the same mistakes, other styles


def no_scale__einsum(Q, K, V):
    weights = _softmax(np.einsum("...qd,...kd->...qk", Q, K))
    return np.einsum("...qk,...kd->...qd", weights, V)


def divided_by_d_k__fused(Q, K, V):
    q, k, v = map(torch.from_numpy, (Q, K, V))
    return F.scaled_dot_product_attention(q, k, v, scale=1 / q.size(-1))


def multiplied_by_the_root__baddbmm(Q, K, V):
    q, k, v = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V))
    scores = torch.matmul(q, k.transpose(-2, -1)).mul(q.size(-1) ** 0.5)
    return scores.softmax(-1).matmul(v)


def query_and_key_exchanged__einsum(Q, K, V):
    scores = np.einsum("...qd,...kd->...kq", Q, K) / math.sqrt(Q.shape[-1])
    return _softmax(scores) @ V


def scaled_after_the_softmax__einsum(Q, K, V):
    shares = _softmax(np.einsum("...qd,...kd->...qk", Q, K))
    return np.einsum("...qk,...kd->...qd", shares, V) / math.sqrt(K.shape[-1])


def softmax_over_queries__transposed_scores(Q, K, V):
    k, q, v = map(torch.from_numpy, (K, Q, V))
    scores = k @ q.mT / math.sqrt(q.size(-1))  # (n_k, n_q)
    return scores.softmax(-1).mT @ v


def keys_as_values__torch_module(Q, K, V):
    q, k = map(torch.from_numpy, (Q, K))
    scores = q.matmul(k.mT).div(k.size(-1) ** 0.5)
    return torch.nn.Softmax(dim=-1)(scores).matmul(k).numpy()


def returned_weights__python(Q, K, V):
    if Q.ndim > 2:
        return [returned_weights__python(*m) for m in zip(Q, K, V)]
    rows = []
    for q in Q.tolist():
        row = [sum(a * b for a, b in zip(q, k)) for k in K.tolist()]
        votes = [math.exp(score / len(q) ** 0.5) for score in row]
        rows.append([vote / sum(votes) for vote in votes])
    return rows


# ------------------------------------------------------------ leading axes


def flattened_leading_axes(Q, K, V):
    q, k, v = (x.reshape(-1, x.shape[-1]) for x in (Q, K, V))
    return right__matmul(q, k, v).reshape(*Q.shape[:-1], V.shape[-1])


def flattened_leading_axes__not_brought_back(Q, K, V):
    q, k, v = (x.reshape(-1, x.shape[-1]) for x in (Q, K, V))
    return right__matmul(q, k, v)


def first_of_the_batch_only(Q, K, V):
    while Q.ndim > 3:
        return right__matmul(Q, K, V)[0]
    return right__matmul(Q, K, V)[0] if Q.ndim == 3 else right__matmul(Q, K, V)


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
