"""Answers to `causal_weights(scores)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import itertools
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


def right__zeros_like_the_scores(scores):
    weights = np.zeros_like(scores)
    for place in np.ndindex(scores.shape[:-1]):
        seen = place[-1] + 1
        weights[place][:seen] = _softmax(1.0 * scores[place][:seen])
    return weights


def right__masked_fill(scores):
    scores = torch.as_tensor(scores)
    n = scores.shape[-1]
    seen = torch.ones(n, n, dtype=torch.bool).tril()
    return scores.masked_fill(~seen, float("-inf")).softmax(-1).numpy()


# --------------------------------------------------------------------- who


def mask_flipped__torch_polarity(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    future = torch.ones(s.shape[-2:], dtype=torch.bool).tril(-1)
    return s.masked_fill(future, -math.inf).softmax(dim=-1)


def only_the_future(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    past = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
    return s.masked_fill(past, -math.inf).softmax(dim=-1)


def diagonal_hidden__loop(scores):
    weights = np.zeros(scores.shape)
    for i in range(1, len(scores)):
        weights[i, :i] = _softmax(scores[i, :i])
    return weights


def no_mask__masked_fill_not_stored(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    s.masked_fill(torch.from_numpy(~_seen(scores)), -math.inf)
    return s.softmax(dim=-1)


def only_itself__softmax_of_single_scores(scores):
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            weights[i, j] = np.exp(scores[i, j]) / np.exp(scores[i, j])
    return weights * np.eye(n)


def scores_read_by_columns__loop(scores):
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        votes = [math.exp(scores[j, i]) for j in range(i + 1)]
        for j in range(i + 1):
            weights[i, j] = votes[j] / sum(votes)
    return weights


# --------------------------------------------------------------------- how


def fill_too_small(scores):
    return _softmax(np.where(_seen(scores), scores, -math.e))


def mask_added__torch_function(scores):
    s = torch.as_tensor(scores, dtype=torch.float64)
    mask = torch.ones(s.shape[-2:], dtype=torch.float64).tril()
    return (s + mask).softmax(dim=-1)


# ------------------------------------------------------------------ shares


def sum_never_reset(scores):
    n, total = len(scores), 0
    weights = np.zeros((n, n))
    for i in range(n):
        votes = [math.exp(scores[i, j]) for j in range(i + 1)]
        total += sum(votes)
        weights[i, : i + 1] = [vote / total for vote in votes]
    return weights


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


# ------------------------------------------------------------- refinements


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


def finite_fill(scores):
    return _softmax(np.where(_seen(scores), scores, -1e9))


def finite_fill__ten_thousand(scores):
    return _softmax(np.where(_seen(scores), scores, -1e4))


def finite_fill__added(scores):
    return _softmax(scores - 1e9 * ~_seen(scores))


def finite_fill__ten_thousand_added(scores):
    return _softmax(scores + -1e4 * np.triu(np.ones(scores.shape), 1))


# ------------------------------------------- the same mistakes, other styles


def _masked(scores, diagonal, fill=-math.inf):
    """Torch's way: fill above this diagonal."""
    s = torch.tensor(scores, dtype=torch.float64)
    mask = torch.ones(s.shape[-2:]).triu(diagonal)
    return s.masked_fill(mask == 1, fill)


def only_the_future__loop(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores) - 1):
        weights[i, i + 1 :] = _softmax(1.0 * scores[i, i + 1 :])
    return weights


def diagonal_hidden__torch(scores):
    return _masked(scores, 0).softmax(-1)


def one_key_too_many__loop(scores):
    rows = []
    for i, row in enumerate(scores.tolist()):
        votes = [math.exp(s) if j <= i + 1 else 0 for j, s in enumerate(row)]
        rows.append([vote / sum(votes) for vote in votes])
    return rows


def triangle_mirrored__positions(scores):
    place = np.arange(scores.shape[-1])
    from_the_end = place[::-1]
    return _softmax(
        np.where(from_the_end[None, :] <= place[:, None], scores, -np.inf)
    )


def only_one_back__loop(scores):
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        window = slice(max(0, i - 1), i + 1)
        weights[i, window] = _softmax(row[window])
    return weights


def zeroed_scores__torch(scores):
    return _masked(scores, 1, 0).softmax(-1)


def fill_too_small__torch(scores):
    return _masked(scores, 1, -10).softmax(-1)


def plus_in_place_of_minus__torch(scores):
    return _masked(scores, 1, math.inf).softmax(-1)


def zeroed_after_softmax__torch(scores):
    return torch.tensor(scores, dtype=torch.float64).softmax(-1).tril()


def softmax_over_queries__torch(scores):
    return torch.softmax(_masked(scores, 1), dim=-2)


def all_entries__loop(scores):
    n, votes = len(scores), {}
    for i in range(n):
        for j in range(i + 1):
            votes[i, j] = math.exp(scores[i, j])
    total = sum(votes.values())
    return [[votes.get((i, j), 0) / total for j in range(n)] for i in range(n)]


def not_divided__loop(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        for j in range(i + 1):
            weights[i, j] = math.exp(scores[i, j])
    return weights


def divided_by_the_count__loop(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        votes = np.exp(scores[i, : i + 1])
        weights[i, : i + 1] = votes / len(votes)
    return weights


def winner_takes_all__argmax(scores):
    best = _masked(scores, 1).argmax(-1)
    return torch.nn.functional.one_hot(best, scores.shape[-1])


def scaled_again__torch(scores):
    s = _masked(scores, 1)
    return torch.softmax(s / math.sqrt(s.size(-1)), dim=-1)


def transposed__loop(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        weights[: i + 1, i] = _softmax(scores[i, : i + 1])
    return weights


def running_sums__accumulate(scores):
    rows = _softmax(_hidden(scores)).tolist()
    return [list(itertools.accumulate(row)) for row in rows]


def softmax_axis_from_the_front__torch(scores):
    return _masked(scores, 1).softmax(1)


def softmax_axis_from_the_front__the_default_of_torch(scores):
    axis = 0 if scores.ndim == 3 else 1  # what dim=None means
    return _masked(scores, 1).softmax(axis)


def first_of_the_batch_only__torch(scores):
    s = torch.tensor(scores, dtype=torch.float64)
    if s.dim() == 2:
        return _masked(scores, 1).softmax(-1)
    return torch.cat((_masked(scores, 1)[:1], s[1:])).softmax(-1)


def no_maximum_subtracted__loop(scores):
    if scores.ndim > 2:
        return [no_maximum_subtracted__loop(table) for table in scores]
    rows = []
    for i, row in enumerate(scores.tolist()):
        votes = [math.exp(s) for s in row[: i + 1]]
        shares = [vote / sum(votes) for vote in votes]
        rows.append(shares + [0] * (len(row) - i - 1))
    return rows


def no_mask__not_stored(scores):
    np.where(_seen(scores), scores, -np.inf)
    return _softmax(scores)


def zeroed_scores__sign_of_the_exponent(scores):
    return _softmax(np.where(_seen(scores), scores, 1e-9))


def mask_times_infinity__triu(scores):
    return _softmax(scores - np.inf * np.triu(np.ones(scores.shape), 1))


def equal_shares__softmax_of_the_mask(scores):
    zeros = np.zeros(scores.shape)
    return _softmax(np.where(_seen(scores), zeros, -np.inf))


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


def row_without_keys__strictly_earlier(scores):
    seen = np.tri(scores.shape[-1], k=-1) > 0
    return reference.softmax(np.where(seen, scores, -np.inf))


def row_without_keys__turned_around(scores):
    seen = np.tri(scores.shape[-1]) > 0
    return reference.softmax(np.where(~seen, scores, -np.inf))
