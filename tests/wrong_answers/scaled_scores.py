"""Answers to `scaled_scores(Q, K)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import numpy as np
import torch


def _dots(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


def _unit(a):
    return a / np.linalg.norm(a, axis=-1, keepdims=True)


def right__numpy(Q, K):
    return _dots(Q, K) / np.sqrt(Q.shape[-1])


def right__loop(Q, K):
    if Q.ndim > 2:
        return [right__loop(q, k) for q, k in zip(Q, K, strict=True)]
    root = len(Q[0]) ** 0.5
    table = []
    for q in Q:
        table.append([float(sum(q * k)) / root for k in K])
    return table


def right__einsum(Q, K):
    return np.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5


def right__torch(Q, K):
    q, k = (torch.as_tensor(a, dtype=torch.float32) for a in (Q, K))
    return q @ k.mT / k.shape[-1] ** 0.5


def right__fourth_root_on_both(Q, K):
    root = Q.shape[-1] ** 0.25
    return _dots(Q / root, K / root)


def right__queries_scaled_first(Q, K):
    return _dots(Q / np.sqrt(Q.shape[-1]), K)


def no_scale(Q, K):
    return _dots(Q, K)


def divided_by_d_k(Q, K):
    return _dots(Q, K) / Q.shape[-1]


def divided_by_d_k__both_by_the_root(Q, K):
    root = np.sqrt(Q.shape[-1])
    return _dots(Q / root, K / root)


def divided_by_the_square(Q, K):
    return _dots(Q, K) / Q.shape[-1] ** 2


def half_of_d_k(Q, K):
    return _dots(Q, K) / (Q.shape[-1] / 2)


def root_of_the_score(Q, K):
    with np.errstate(invalid="ignore"):
        return np.sqrt(_dots(Q, K) / Q.shape[-1])


def root_of_the_score__no_width(Q, K):
    with np.errstate(invalid="ignore"):
        return np.sqrt(_dots(Q, K))


def fourth_root(Q, K):
    return _dots(Q / Q.shape[-1] ** 0.25, K)


def logarithm_of_d_k(Q, K):
    return _dots(Q, K) / np.log(Q.shape[-1])


def root_of_the_number_of_keys(Q, K):
    return _dots(Q, K) / np.sqrt(K.shape[-2])


def root_of_the_number_of_keys__columns_of_the_scores(Q, K):
    scores = _dots(Q, K)
    return scores / scores.shape[-1] ** 0.5


def root_of_the_number_of_queries(Q, K):
    return _dots(Q, K) / np.sqrt(Q.shape[-2])


def root_of_all_entries(Q, K):
    return _dots(Q, K) / np.sqrt(K.shape[-1] * K.shape[-2])


def multiplied_by_the_root(Q, K):
    return _dots(Q, K) * np.sqrt(Q.shape[-1])


def only_the_first_column(Q, K):
    q = np.array(Q, dtype=float)
    q[..., 0] = q[..., 0] / np.sqrt(Q.shape[-1])
    return _dots(q, K)


def always_two(Q, K):
    return _dots(Q, K) / 2


def always_eight(Q, K):
    return _dots(Q, K) / np.sqrt(64)


def root_of_d_model(Q, K):
    return _dots(Q, K) / np.sqrt(512)


def own_spread(Q, K):
    scores = _dots(Q, K)
    return scores / scores.std()


def own_spread__row_by_row(Q, K):
    scores = _dots(Q, K)
    return scores / scores.std(axis=-1, keepdims=True)


def own_largest(Q, K):
    scores = _dots(Q, K)
    return scores / np.abs(scores).max()


def whole_part(Q, K):
    return _dots(Q, K) // np.sqrt(Q.shape[-1])


def cosine(Q, K):
    return _dots(_unit(Q), _unit(K))


def cosine__by_lengths(Q, K):
    lengths = np.linalg.norm(Q, axis=-1)[..., :, None]
    return _dots(Q, K) / lengths / np.linalg.norm(K, axis=-1)[..., None, :]


def unit_queries(Q, K):
    return _dots(_unit(Q), K)


def unit_keys(Q, K):
    return _dots(Q, _unit(K))


def keys_ask(Q, K):
    return _dots(K, Q) / np.sqrt(Q.shape[-1])


def star_in_place_of_at(Q, K):
    return Q * K / np.sqrt(Q.shape[-1])


def not_transposed(Q, K):
    return Q @ K / np.sqrt(Q.shape[-1])


def features_compared(Q, K):
    return np.swapaxes(Q, -1, -2) @ K / np.sqrt(Q.shape[-1])


def each_query_with_its_own_key(Q, K):
    return (Q * K).sum(axis=-1) / np.sqrt(Q.shape[-1])


def distance(Q, K):
    gaps = Q[..., :, None, :] - K[..., None, :, :]
    return -(gaps**2).sum(axis=-1) / np.sqrt(Q.shape[-1])


def softmax_too(Q, K):
    s = right__numpy(Q, K)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def exponential_too(Q, K):
    return np.exp(right__numpy(Q, K))


def maximum_subtracted_too(Q, K):
    s = right__numpy(Q, K)
    return s - s.max(axis=-1, keepdims=True)


def minus_sign(Q, K):
    return -right__numpy(Q, K)


def rounded(Q, K):
    return right__numpy(Q, K).round(2)


def whole_numbers_cut(Q, K):
    result = np.zeros((*Q.shape[:-1], K.shape[-2]), dtype=Q.dtype)
    result[...] = right__numpy(Q, K)
    return result


def one_sentence_only(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def one_sentence_only__loop(Q, K):
    n_q, d_k = Q.shape
    return [[Q[i] @ k / d_k**0.5 for k in K] for i in range(n_q)]


def axes_counted_from_the_front(Q, K):
    return _dots(Q, K) / np.sqrt(Q.shape[1])


def changes_its_input(Q, K):
    if Q.dtype == float:
        Q /= np.sqrt(Q.shape[-1])
        return _dots(Q, K)
    return right__numpy(Q, K)


def printed_not_returned(Q, K):
    print(right__numpy(Q, K))


def no_return(Q, K):
    right__numpy(Q, K) + 0


def signature(Q, K, d_k):
    return _dots(Q, K) / np.sqrt(d_k)
