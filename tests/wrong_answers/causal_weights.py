"""Answers to `causal_weights(scores)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch

from transformer_lib import numpy_reference as reference


def _softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _seen(scores, k=0):
    return np.tri(scores.shape[-1], k=k, dtype=bool)


def _hidden(scores, k=0):
    return np.where(_seen(scores, k), scores, -np.inf)


# ------------------------------------------------------------------- right


def right__where(scores):
    return _softmax(np.where(_seen(scores), scores, -np.inf))


def right__added(scores):
    n = scores.shape[-1]
    return _softmax(np.where(np.triu(np.ones((n, n)), 1) == 1, -np.inf, scores))


def right__reference(scores):
    n = scores.shape[-1]
    mask = reference.causal_mask(n)
    return reference.softmax(np.where(mask, scores, -np.inf))


def right__loop(scores):
    if scores.ndim > 2:
        return np.array([right__loop(table) for table in scores])
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        weights[i, : i + 1] = _softmax(1.0 * scores[i, : i + 1])
    return weights


def right__positions(scores):
    place = np.arange(scores.shape[-1])
    later = place[None, :] > place[:, None]
    votes = np.where(later, -np.inf, scores)
    votes = np.exp(votes - votes.max(axis=-1, keepdims=True))
    return votes / votes.sum(axis=-1, keepdims=True)


def right__torch(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    n = s.shape[-1]
    future = torch.ones(n, n, dtype=torch.bool).triu(1)
    return s.masked_fill(future, -math.inf).softmax(dim=-1)


def right__mask_that_is_added(scores):
    n = scores.shape[-1]
    return _softmax(scores + np.triu(np.full((n, n), -np.inf), 1))


def right__lowest_number(scores):
    lowest = np.finfo(float).min
    return _softmax(np.where(_seen(scores), scores, lowest))


def right__float32(scores):
    s = torch.as_tensor(np.array(scores), dtype=torch.float32)
    future = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1)
    return s.masked_fill(future, -math.inf).softmax(dim=-1)


def right__einsum(scores):
    hidden = _hidden(scores)
    votes = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return np.einsum("...ij,...i->...ij", votes, 1 / votes.sum(axis=-1))


def right__lists(scores):
    return _softmax(_hidden(scores)).tolist()


# --------------------------------------------------------------------- who


def mask_flipped(scores):
    return _softmax(np.where(np.triu(np.ones_like(scores)) == 1, scores, -1e9))


def mask_flipped__torch_polarity(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    future = torch.ones(s.shape[-2:], dtype=torch.bool).tril(-1)
    return s.masked_fill(future, -math.inf).softmax(dim=-1)


def only_the_future(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    past = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
    return s.masked_fill(past, -math.inf).softmax(dim=-1)


def only_the_future__very_low(scores):
    return _softmax(np.where(_seen(scores), -1e9, scores))


def diagonal_hidden(scores):
    return _softmax(_hidden(scores, k=-1))


def diagonal_hidden__very_low(scores):
    return _softmax(np.where(_seen(scores, -1), scores, -1e9))


def diagonal_hidden__added(scores):
    return _softmax(scores - 1e9 * ~_seen(scores, -1))


def diagonal_hidden__loop(scores):
    weights = np.zeros(scores.shape)
    for i in range(1, len(scores)):
        weights[i, :i] = _softmax(scores[i, :i])
    return weights


def one_key_too_many(scores):
    return _softmax(_hidden(scores, k=1))


def one_key_too_many__triu_2(scores):
    n = scores.shape[-1]
    return _softmax(np.where(np.triu(np.ones((n, n)), 2) == 1, -1e9, scores))


def no_mask(scores):
    return _softmax(scores)


def no_mask__not_stored(scores):
    np.where(_seen(scores), scores, -np.inf)
    return _softmax(scores)


def no_mask__masked_fill_not_stored(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    s.masked_fill(torch.from_numpy(~_seen(scores)), -math.inf)
    return s.softmax(dim=-1)


def only_itself(scores):
    n = scores.shape[-1]
    return _softmax(np.where(np.eye(n) == 1, scores, -np.inf))


def only_itself__softmax_of_single_scores(scores):
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            weights[i, j] = np.exp(scores[i, j]) / np.exp(scores[i, j])
    return weights * np.eye(n)


def only_itself_hidden(scores):
    n = scores.shape[-1]
    return _softmax(np.where(np.eye(n) == 1, -np.inf, scores))


def triangle_mirrored(scores):
    return _softmax(np.where(_seen(scores)[:, ::-1], scores, -np.inf))


def triangle_mirrored__fliplr(scores):
    return _softmax(np.where(np.fliplr(_seen(scores)), scores, -1e9))


def triangle_upside_down(scores):
    return _softmax(np.where(_seen(scores)[::-1], scores, -np.inf))


def scores_read_by_columns(scores):
    return _softmax(_hidden(np.swapaxes(scores, -1, -2)))


def scores_read_by_columns__loop(scores):
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        votes = [math.exp(scores[j, i]) for j in range(i + 1)]
        for j in range(i + 1):
            weights[i, j] = votes[j] / sum(votes)
    return weights


def only_one_back(scores):
    near = _seen(scores) & ~_seen(scores, -2)
    return _softmax(np.where(near, scores, -np.inf))


# --------------------------------------------------------------------- how


def zeroed_scores(scores):
    return _softmax(scores * _seen(scores))


def zeroed_scores__tril(scores):
    return _softmax(np.tril(scores))


def zeroed_scores__sign_of_the_exponent(scores):
    return _softmax(np.where(_seen(scores), scores, 1e-9))


def zeroed_scores__minus_a_tiny_number(scores):
    return _softmax(np.where(_seen(scores), scores, -1e-12))


def fill_too_small(scores):
    return _softmax(np.where(_seen(scores), scores, -math.e))


def fill_too_small__minus_one(scores):
    return _softmax(np.where(_seen(scores), scores, -1.0))


def fill_too_small__minus_ten(scores):
    return _softmax(np.where(_seen(scores), scores, -10.0))


def plus_in_place_of_minus(scores):
    return _softmax(np.where(_seen(scores), scores, 1e9))


def plus_in_place_of_minus__infinity(scores):
    return _softmax(np.where(_seen(scores), scores, np.inf))


def plus_in_place_of_minus__ten(scores):
    return _softmax(np.where(_seen(scores), scores, 10.0))


def zeroed_after_softmax(scores):
    return np.tril(_softmax(scores))


def zeroed_after_softmax__times(scores):
    return _softmax(scores) * _seen(scores)


def mask_times_infinity(scores):
    return _softmax(scores + ~_seen(scores) * -np.inf)


def mask_times_infinity__triu(scores):
    return _softmax(scores - np.inf * np.triu(np.ones(scores.shape), 1))


def mask_added(scores):
    return _softmax(scores + _seen(scores))


def mask_added__torch_function(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    mask = torch.ones(s.shape[-2:], dtype=torch.float64).tril()
    return (s + mask).softmax(dim=-1)


def score_times_minus_infinity(scores):
    return _softmax(scores * np.where(_seen(scores), 1, -np.inf))


def score_times_minus_infinity__very_low(scores):
    return _softmax(np.where(_seen(scores), scores, scores * -1e9))


def masked_between_two_softmaxes(scores):
    return _softmax(np.where(_seen(scores), _softmax(scores), -np.inf))


# ------------------------------------------------------------------ shares


def softmax_over_queries(scores):
    return _softmax(_hidden(scores), axis=-2)


def softmax_over_queries__axis_0(scores):
    return _softmax(_hidden(scores), axis=0)


def softmax_over_everything(scores):
    return _softmax(_hidden(scores), axis=None)


def softmax_over_everything__plain_sum(scores):
    votes = np.exp(_hidden(scores))
    return votes / votes.sum()


def returned_hidden_scores(scores):
    return _hidden(scores)


def no_exponential(scores):
    visible = scores * _seen(scores)
    return visible / visible.sum(axis=-1, keepdims=True)


def not_divided(scores):
    return np.exp(_hidden(scores))


def not_divided__from_the_top(scores):
    hidden = _hidden(scores)
    return np.exp(hidden - hidden.max(axis=-1, keepdims=True))


def sums_not_kept_as_column(scores):
    votes = np.exp(_hidden(scores))
    return votes / votes.sum(axis=-1)


def sums_not_kept_as_column__from_the_top(scores):
    hidden = _hidden(scores)
    votes = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return votes / votes.sum(axis=-1)


def sums_not_kept_as_column__twice(scores):
    hidden = _hidden(scores)
    votes = np.exp(hidden - hidden.max(axis=-1))
    return votes / votes.sum(axis=-1)


def sum_never_reset(scores):
    n, total = len(scores), 0
    weights = np.zeros((n, n))
    for i in range(n):
        votes = [math.exp(scores[i, j]) for j in range(i + 1)]
        total += sum(votes)
        weights[i, : i + 1] = [vote / total for vote in votes]
    return weights


def divided_by_the_count(scores):
    votes = np.exp(_hidden(scores))
    return votes / np.arange(1, scores.shape[-1] + 1)[:, None]


def base_two(scores):
    votes = 2.0 ** _hidden(scores)
    return votes / votes.sum(axis=-1, keepdims=True)


def sigmoid(scores):
    return 1 / (1 + np.exp(-_hidden(scores)))


def softmax_twice(scores):
    return _softmax(_softmax(_hidden(scores)))


def winner_takes_all(scores):
    hidden = _hidden(scores)
    best = (hidden == hidden.max(axis=-1, keepdims=True)) * 1.0
    return best / best.sum(axis=-1, keepdims=True)


def equal_shares(scores):
    n = scores.shape[-1]
    return np.tri(n) / np.arange(1, n + 1)[:, None] + 0 * scores


def equal_shares__softmax_of_the_mask(scores):
    zeros = np.zeros(scores.shape)
    return _softmax(np.where(_seen(scores), zeros, -np.inf))


def scaled_again(scores):
    return _softmax(_hidden(scores / np.sqrt(scores.shape[-1])))


def scaled_again__by_n(scores):
    return _softmax(_hidden(scores / len(scores)))


def negative_scores(scores):
    return _softmax(np.where(_seen(scores), -scores, -np.inf))


def returned_mask(scores):
    return _seen(scores) * np.ones(scores.shape)


def transposed(scores):
    return np.swapaxes(_softmax(_hidden(scores)), -1, -2)


def one_row_only(scores):
    n = len(scores)
    for i in range(n):
        row = np.zeros(n)
        row[: i + 1] = _softmax(1.0 * scores[i, : i + 1])
        return row


def one_row_only__the_last(scores):
    n = len(scores)
    for i in range(n):
        row = np.zeros(n)
        row[: i + 1] = _softmax(1.0 * scores[i, : i + 1])
    return row


def running_sums(scores):
    return _softmax(_hidden(scores)).cumsum(axis=-1)


def returned_row_sums(scores):
    return _softmax(_hidden(scores)).sum(axis=-1)


# ------------------------------------------------------------- refinements


def softmax_axis_from_the_front(scores):
    return _softmax(_hidden(scores), axis=1)


def first_of_the_batch_only(scores):
    if scores.ndim == 2:
        return _softmax(_hidden(scores))
    hidden = np.array(scores)
    hidden[0] = _hidden(hidden[0])
    return _softmax(hidden)


def only_two_axes(scores):
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        weights[i, : i + 1] = _softmax(1.0 * scores[i, : i + 1])
    return weights


def only_two_axes__size_from_the_front(scores):
    seen = np.tri(len(scores), dtype=bool)
    return _softmax(np.where(seen, scores, -np.inf))


def hidden_scores_still_count(scores):
    left = _softmax(scores) * _seen(scores)
    return left / left.sum(axis=-1, keepdims=True)


def hidden_scores_still_count__maximum_first(scores):
    votes = np.exp(scores - scores.max(axis=-1, keepdims=True))
    votes = votes * _seen(scores)
    return votes / votes.sum(axis=-1, keepdims=True)


def no_maximum_subtracted(scores):
    votes = np.exp(_hidden(scores))
    return votes / votes.sum(axis=-1, keepdims=True)


def finite_fill(scores):
    return _softmax(np.where(_seen(scores), scores, -1e9))


def finite_fill__ten_thousand(scores):
    return _softmax(np.where(_seen(scores), scores, -1e4))


def finite_fill__added(scores):
    return _softmax(scores - 1e9 * ~_seen(scores))


def finite_fill__ten_thousand_added(scores):
    return _softmax(scores + -1e4 * np.triu(np.ones(scores.shape), 1))


def whole_numbers_cut(scores):
    weights = np.zeros_like(scores)
    weights[...] = _softmax(_hidden(scores))
    return weights


# ----------------------------------------------------------------- general


def changes_its_input(scores):
    if scores.dtype == float:
        scores[..., ~_seen(scores)] = -np.inf
    return _softmax(_hidden(scores))


def printed_not_returned(scores):
    print(_softmax(_hidden(scores)))


def no_return(scores):
    _softmax(_hidden(scores))


def signature(Q, K):
    return _softmax(_hidden(Q @ K.T))
