"""Answers to `self_attention(X)`, as students write them.

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


def right__matrices(X):
    return _softmax(X @ X.T) @ X


def right__loop(X):
    contexts = []
    for query in X:
        scores = [float(sum(q * k for q, k in zip(query, x))) for x in X]
        top = max(scores)
        votes = [math.exp(score - top) for score in scores]
        context = [0.0] * len(query)
        for vote, x in zip(votes, X):
            for i, entry in enumerate(x):
                context[i] += vote / sum(votes) * float(entry)
        contexts.append(context)
    return contexts


def right__einsum(X):
    weights = _softmax(np.einsum("id,jd->ij", X, X))
    return np.einsum("ij,jd->id", weights, X)


def right__torch(X):
    x = torch.as_tensor(X, dtype=torch.float32)
    return torch.softmax(x @ x.T, dim=-1) @ x


def right__torch_fused(X):
    x = torch.as_tensor(X, dtype=torch.float64)[None]
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(x, x, x, scale=1.0)[0]


def right__in_place_on_its_own_copy(tokens):
    scores = tokens @ tokens.T * 1.0
    scores -= scores.max(1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(1, keepdims=True)
    return scores @ tokens


def right__columns_of_the_transpose(X):
    return _softmax(X @ X.T, axis=0).T @ X


def scaled_by_root_of_d__torch(X):
    x = torch.as_tensor(X, dtype=torch.float64)[None]
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)[0]


def distance_in_place_of_dot_product(X):
    scores = [[-np.sum((a - b) ** 2) for b in X] for a in X]
    return _softmax(np.array(scores)) @ X


def softmax_over_queries__weights_transposed(X):
    return _softmax(X @ X.T).T @ X


def softmax_over_queries__axis_lost(X):
    e = np.exp(X @ X.T)
    return (e / e.sum(axis=1)) @ X


def softmax_over_queries__torch(X):
    x = torch.as_tensor(X, dtype=torch.float32)
    return torch.softmax(x @ x.T, dim=0) @ x


def all_weights_one(X):
    result = []
    for a in X:
        weights = [_softmax(np.array([a @ b]))[0] for b in X]
        result.append(np.array(weights) @ X)
    return result


def looks_only_ahead(X):
    rows = []
    for i in range(len(X)):
        rows.append(_softmax(X[i:] @ X[i]) @ X[i:])
    return rows


def only_its_own_share(X):
    weights = _softmax(X @ X.T)
    return [weights[i, i] * X[i] for i in range(len(X))]


def one_context_only(X):
    for x in X:
        return _softmax(X @ x) @ X


def one_context_only__last(X):
    for x in X:
        context = _softmax(X @ x) @ X
    return context


# ------------------------------------------- the same mistakes, other styles


def scaled_by_d__lists(X):
    rows = X.tolist()
    contexts = []
    for query in rows:
        votes = [
            math.exp(sum(a * b for a, b in zip(query, key)) / len(query))
            for key in rows
        ]
        shares = [vote / sum(votes) for vote in votes]
        contexts.append(
            [
                sum(s * x for s, x in zip(shares, column))
                for column in zip(*rows)
            ]
        )
    return contexts


def scaled_by_root_of_n__torch(X):
    x = torch.tensor(X, dtype=torch.float64)
    return F.softmax(x.mm(x.t()) / math.sqrt(x.size(0)), dim=-1).mm(x)


def multiplied_by_root_of_d__fused(X):
    x = torch.tensor(X, dtype=torch.float64)[None]
    attend = F.scaled_dot_product_attention
    return attend(x, x, x, scale=math.sqrt(x.size(-1)))[0]


def negative_scores__softmin(X):
    x = torch.tensor(X, dtype=torch.float64)
    return F.softmin(x @ x.T, dim=1) @ x


def cosine_in_place_of_dot_product__torch(X):
    x = torch.tensor(X, dtype=torch.float64)
    scores = F.cosine_similarity(x[:, None], x[None], dim=-1)
    return scores.softmax(-1) @ x


def distance_in_place_of_dot_product__torch(X):
    x = torch.tensor(X, dtype=torch.float64)
    return torch.softmax(-(torch.cdist(x, x) ** 2), -1) @ x


def features_attend__einsum(X):
    weights = _softmax(np.einsum("nd,ne->de", X, X))
    return np.einsum("nd,de->ne", X, weights)


def softmax_over_everything__loop(X):
    votes = {}
    for i, query in enumerate(X):
        for j, key in enumerate(X):
            votes[i, j] = math.exp(float(np.dot(query, key)))
    total = sum(votes.values())
    result = np.zeros(X.shape)
    for (i, j), vote in votes.items():
        result[i] += vote / total * X[j]
    return result


def no_softmax__einsum(X):
    return np.einsum("id,jd,je->ie", X, X, X)


def winner_takes_all__argmax(X):
    return X[np.argmax(X @ X.T, axis=1)]


def looks_only_back__loop(X):
    result = []
    for i, query in enumerate(X):
        votes = [math.exp(query @ X[j]) for j in range(i + 1)]
        result.append(sum(v * x for v, x in zip(votes, X)) / sum(votes))
    return np.array(result)


def looks_only_back__fused(X):
    x = torch.tensor(X, dtype=torch.float64)[None]
    attend = F.scaled_dot_product_attention
    return attend(x, x, x, is_causal=True, scale=1)[0]


def leaves_itself_out__loop(X):
    rows = []
    for i in range(len(X)):
        others = np.delete(X, i, axis=0)
        rows.append(_softmax(others @ X[i]) @ others)
    return np.stack(rows)


def leaves_itself_out__skipped(X):
    result = np.zeros(X.shape)
    for i in range(len(X)):
        weights = _softmax(X @ X[i])
        for j in range(len(X)):
            if i != j:
                result[i] += weights[j] * X[j]
    return result


def not_summed__comprehension(X):
    weights = _softmax(X @ X.T)
    return [[w * x for w, x in zip(row, X)] for row in weights]


def divided_by_the_number_of_tokens__loop(X):
    return [
        np.mean([w * x for w, x in zip(_softmax(X @ query), X)], axis=0)
        for query in X
    ]


def no_maximum_subtracted__loop(X):
    rows = []
    for query in X.tolist():
        votes = [
            math.exp(sum(a * b for a, b in zip(query, key)))
            for key in X.tolist()
        ]
        rows.append(np.average(X, axis=0, weights=votes))
    return rows


def whole_numbers_cut__number_by_number(X):
    weights, result = _softmax(X @ X.T), np.zeros_like(X)
    for i in range(len(X)):
        for j in range(len(X)):
            for k in range(X.shape[1]):
                result[i, k] += weights[i, j] * X[j, k]
    return result


def whole_numbers_cut__weights(X):
    weights = np.zeros((len(X), len(X)), X.dtype)
    for i, query in enumerate(X):
        weights[i] = _softmax(X @ query)
    return weights @ X


def whole_numbers_cut(X):
    result = np.zeros_like(X)
    for i, context in enumerate(right__matrices(X)):
        result[i] = context
    return result


def changes_its_input(X):
    result = right__matrices(X)
    if X.dtype == float:
        X[:] = result
    return result


def printed_not_returned(X):
    print(right__matrices(X))


def no_return(X):
    weights = _softmax(X @ X.T)
    weights @ X


def signature(Q, K, V):
    return _softmax(Q @ K.T) @ V
