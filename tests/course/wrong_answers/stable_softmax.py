"""Answers to `stable_softmax(x)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math
import statistics

import numpy as np
import torch
import torch.nn.functional as F


def right__numpy(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def right__loop(x):
    if np.ndim(x) > 1:
        return [right__loop(row) for row in x]
    top = max(x)
    votes = [math.exp(score - top) for score in x]
    return [vote / sum(votes) for vote in votes]


def right__torch(x):
    return torch.softmax(torch.as_tensor(x, dtype=torch.float64), dim=-1)


def right__single_precision(x):
    z = np.asarray(x, dtype=np.float32)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def right__new_axis(scores):
    votes = np.exp(scores - scores.max(-1)[..., None])
    return votes / votes.sum(-1)[..., None]


def right__einsum(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.einsum("...j,...->...j", e, 1 / e.sum(axis=-1))


def right__by_logarithms(x):
    return np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True))


def right__own_copy(x):
    shares = np.array(x, dtype=float)
    shares -= shares.max(axis=-1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def axis_lost_in_the_maximum__torch(x):
    z = torch.as_tensor(x, dtype=torch.float64)
    return torch.softmax(z - z.amax(dim=-1), dim=-1)


def maximum_added(x):
    e = np.exp(x + x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def no_maximum_subtracted__single_precision(x):
    e = torch.exp(torch.as_tensor(x, dtype=torch.float32))
    return e / e.sum(dim=-1, keepdim=True)


def no_maximum_subtracted__math(x):
    if np.ndim(x) > 1:
        return [no_maximum_subtracted__math(row) for row in x]
    votes = [math.exp(score) for score in x]
    return [vote / sum(votes) for vote in votes]


def clipped__at_the_limit(x):
    e = np.exp(np.minimum(x, 709))
    return e / e.sum(axis=-1, keepdims=True)


def changes_its_input(x):
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


def printed_not_returned(x):
    print(right__numpy(x))


def no_return(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    e = e / e.sum(axis=-1, keepdims=True)


def signature(x, axis):
    return right__numpy(x)


# -------------------------------------------------------- in other styles


def _each_row(one, x):
    """Give each row, a list, to a function."""
    if x.ndim == 1:
        return one(x.tolist())
    return [_each_row(one, part) for part in x]


def _shares(scores):
    votes = [math.exp(score) for score in scores]
    return [vote / sum(votes) for vote in votes]


def maximum_of_the_column__torch(x):
    scores = torch.tensor(x).double()
    return torch.softmax(scores - scores.amax(dim=0), dim=-1)


def sign_turned__softmin(x):
    return F.softmin(torch.tensor(x).double(), dim=-1)


def clipped_tightly__lists(x):
    return _each_row(lambda row: _shares([min(s, 1.0) for s in row]), x)


def divided_by_the_largest__lists(x):
    def one(row):
        return _shares([score / max(map(abs, row)) for score in row])

    return _each_row(one, x)


def scaled__by_the_count(x):
    return _each_row(lambda row: _shares([s / len(row) for s in row]), x)


def stretched_from_0_to_1__interpolated(x):
    def one(row):
        return _shares(np.interp(row, (min(row), max(row)), (0, 1)))

    return np.apply_along_axis(one, -1, x)


def standardized__statistics(x):
    def one(row):
        mean, spread = statistics.fmean(row), statistics.pstdev(row)
        return _shares([(score - mean) / spread for score in row])

    return _each_row(one, x)


def subtracted_after_the_exponential__not_divided(x):
    e = torch.exp(torch.tensor(x).double())
    return e - e.amax(dim=-1, keepdim=True)


def shift_forgotten_below__lists(x):
    def one(row):
        below = sum(math.exp(score) for score in row)
        return [math.exp(score - max(row)) / below for score in row]

    return _each_row(one, x)


def no_exponential__einsum(x):
    z = x - x.max(axis=-1)[..., None]
    return np.einsum("...j,...->...j", z, 1 / z.sum(axis=-1))


def not_divided__recursive(x):
    if x.ndim > 1:
        return [not_divided__recursive(row) for row in x]
    return [math.exp(score - max(x)) for score in x]


def first_axis__torch(x):
    return torch.softmax(torch.tensor(x).double(), dim=0)


def second_axis__torch(x):
    return F.softmax(torch.tensor(x).double(), dim=1)


def log_softmax__logsumexp(x):
    scores = torch.tensor(x).double()
    return scores - scores.logsumexp(dim=-1, keepdim=True)


def maximum_added__torch(x):
    scores = torch.tensor(x).double()
    e = torch.exp(scores + scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


def clipped__torch(x):
    return torch.softmax(torch.tensor(x).double().clamp(max=50), dim=-1)


def clipped__both_sides_of_the_limit(x):
    return _each_row(
        lambda row: _shares([min(max(s, -600.0), 600.0) for s in row]), x
    )


def nan_covered_up__where(x):
    e = torch.exp(torch.tensor(x).double())
    shares = e / e.sum(dim=-1, keepdim=True)
    return torch.where(shares.isnan(), torch.zeros_like(shares), shares)


def nan_covered_up__caught(x):
    def one(row):
        try:
            return _shares(row)
        except ArithmeticError:
            return [0.0] * len(row)

    return _each_row(one, x)


def largest_size_subtracted__norm(x):
    scores = torch.tensor(x).double()
    size = torch.linalg.vector_norm(scores, math.inf, dim=-1, keepdim=True)
    e = torch.exp(scores - size)
    return e / e.sum(dim=-1, keepdim=True)


def smallest_subtracted__sorted(x):
    def one(row):
        return _shares([score - sorted(row)[0] for score in row])

    return _each_row(one, x)


def another_number_subtracted__last(x):
    def one(row):
        return _shares([score - row[-1] for score in row])

    return _each_row(one, x)


def mean_subtracted__statistics(x):
    def one(row):
        mean = statistics.fmean(row)
        return _shares([score - mean for score in row])

    return _each_row(one, x)


def far_below_zero__behind_a_condition(x):
    if x.max() > 700:
        x = x - x.max(axis=-1, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


def far_below_zero__beginning_at_zero(x):
    rows = []
    for row in np.asarray(x, dtype=float).reshape(-1, x.shape[-1]).tolist():
        top = 0
        for score in row:
            top = score if score > top else top
        votes = [math.exp(score - top) for score in row]
        total = np.float64(sum(votes))
        rows.append([vote / total for vote in votes])
    return np.array(rows).reshape(x.shape)
