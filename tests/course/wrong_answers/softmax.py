"""Answers to `softmax(x, axis)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math
import statistics

import numpy as np
import torch
import torch.nn.functional as F


def right__numpy(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def right__loop(x, axis):
    if x.ndim == 2 and axis == 0:
        return np.array(right__loop(x.T, 1)).T
    if x.ndim == 2:
        return [right__loop(row, 0) for row in x]
    top = max(x)
    votes = [math.exp(score - top) for score in x]
    return [vote / sum(votes) for vote in votes]


def right__torch(x, axis):
    return torch.softmax(torch.as_tensor(x, dtype=torch.float32), dim=axis)


def right__in_place_on_its_own_copy(x, axis):
    shares = np.array(x, dtype=float)
    shares -= shares.max(axis=axis, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=axis, keepdims=True)
    return shares


def right__along_axis(scores, dim):
    def one(row):
        e = np.exp(row - np.max(row))
        return e / np.sum(e)

    return np.apply_along_axis(one, dim, scores.astype(float))


def right__by_logarithms(x, axis):
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))


def right__gradient_attached(x, axis):
    scores = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    return torch.nn.functional.softmax(scores, dim=axis)


def right__keyword_only(x, *, axis):
    return right__numpy(x, axis)


def all_entries(x, axis):
    e = np.exp(x - x.max())
    return e / e.sum()


def always_the_last_axis__loop(x, axis):
    if x.ndim == 1:
        return right__loop(x, 0)
    return [right__loop(row, 0) for row in x]


def wrong_axis(x, axis):
    return right__numpy(x, 1 - axis % x.ndim if x.ndim == 2 else axis)


def axis_lost_in_the_sum__torch(x, axis):
    e = torch.exp(torch.as_tensor(x, dtype=torch.float64))
    return e / e.sum(dim=axis)


def base_two(x, axis):
    e = 2**x
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(x, axis):
    return torch.log_softmax(torch.as_tensor(x, dtype=torch.float64), axis)


def no_maximum_subtracted__math(x, axis):
    if x.ndim == 2 and axis == 0:
        return np.array(no_maximum_subtracted__math(x.T, 1)).T
    if x.ndim == 2:
        return [no_maximum_subtracted__math(row, 0) for row in x]
    votes = [math.e**score for score in map(float, x)]
    return [vote / sum(votes) for vote in votes]


def exponential_of_one_number(x, axis):
    votes = math.exp(x)
    return votes / votes.sum(axis=axis, keepdims=True)


def exponential_of_one_number__of_a_tensor(x, axis):
    votes = math.exp(torch.tensor(x))
    return votes / votes.sum(dim=axis, keepdim=True)


def changes_its_input(x, axis):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def changes_its_input__loop(x, axis):
    shares = right__numpy(x, axis)
    if x.dtype == float:
        x[:] = shares
    return shares


def printed_not_returned(x, axis):
    print(right__numpy(x, axis))


def no_return(x, axis):
    e = np.exp(x)
    e = e / e.sum(axis=axis, keepdims=True)


def signature(x):
    return right__numpy(x, -1)


# -------------------------------------------------------- in other styles


def _each_line(one, x, axis):
    """Give each row, or each column, to a function of lists."""
    if x.ndim == 1:
        return one(x.tolist())
    if axis == 0:
        return np.transpose([one(column) for column in x.T.tolist()])
    return [one(row) for row in x.tolist()]


def _shares(line):
    votes = [math.exp(score - max(line)) for score in line]
    return [vote / sum(votes) for vote in votes]


def no_exponential__lists(x, axis):
    return _each_line(lambda line: [s / sum(line) for s in line], x, axis)


def no_exponential_below__math(x, axis):
    def one(line):
        return [math.exp(score) / sum(line) for score in line]

    return _each_line(one, x, axis)


def exponential_of_the_sum__product(x, axis):
    e = np.exp(x)
    return e / np.prod(e, axis=axis, keepdims=True)


def not_divided__power(x, axis):
    return math.e ** torch.tensor(x)


def divided_by_the_largest__torch(x, axis):
    e = torch.tensor(x).exp()
    return e / e.amax(dim=axis, keepdim=True)


def divided_by_the_length__normalize(x, axis):
    return F.normalize(torch.tensor(x).double().exp(), dim=axis)


def all_entries__flat(x, axis):
    return torch.softmax(torch.tensor(x).double().ravel(), 0).reshape(x.shape)


def always_the_first_axis__columns(x, axis):
    if x.ndim == 1:
        return _shares(x)
    columns = [_shares(column) for column in zip(*x, strict=True)]
    return list(map(list, zip(*columns, strict=True)))


def wrong_axis__torch(x, axis):
    return F.softmax(torch.tensor(x).double(), dim=(axis + 1) % x.ndim)


def axis_lost_in_the_sum__shifted(x, axis):
    e = np.exp(x - np.max(x, axis, keepdims=True))
    return np.divide(e, np.sum(e, axis))


def base_two__by_logarithms(x, axis):
    return np.exp2(x - np.logaddexp2.reduce(x, axis=axis, keepdims=True))


def squared__normalize(x, axis):
    return F.normalize(torch.tensor(x).double(), dim=axis) ** 2


def sigmoid__tanh(x, axis):
    return (1 + np.tanh(x / 2)) / 2


def negative_scores__softmin(x, axis):
    return F.softmin(torch.tensor(x).double(), dim=axis)


def standardized__statistics(x, axis):
    def one(line):
        mean, spread = statistics.fmean(line), statistics.pstdev(line)
        return [(score - mean) / spread for score in line]

    return _each_line(one, x, axis)


def min_to_max__interpolated(x, axis):
    def one(line):
        return np.interp(line, (min(line), max(line)), (0, 1))

    return np.apply_along_axis(one, axis, x)


def log_softmax__logaddexp(x, axis):
    return x - np.logaddexp.reduce(x, axis=axis, keepdims=True)


def shares_sorted__lists(x, axis):
    return _each_line(lambda line: sorted(_shares(line)), x, axis)


def winner_takes_all__put(x, axis):
    shares = np.zeros_like(x)
    place = np.expand_dims(np.argmax(x, axis), axis)
    np.put_along_axis(shares, place, 1, axis)
    return shares


def place_of_the_largest__torch(x, axis):
    return torch.tensor(x).max(dim=axis).indices


def softmax_twice__modules(x, axis):
    layer = torch.nn.Softmax(dim=axis)
    return torch.nn.Sequential(layer, layer)(torch.tensor(x).double())


def one_minus__all_others(x, axis):
    e = np.exp(x - x.max())
    total = e.sum(axis=axis, keepdims=True)
    return (total - e) / total


def transposed__columns_as_rows(x, axis):
    if x.ndim == 1:
        return _shares(x)
    return [_shares(line) for line in (x.T if axis == 0 else x)]


def rounded__text(x, axis):
    def one(line):
        return [float(f"{share:.3f}") for share in _shares(line)]

    return _each_line(one, x, axis)


def scaled__torch(x, axis):
    scores = torch.tensor(x).double()
    return torch.softmax(scores / math.sqrt(scores.shape[axis]), dim=axis)


def no_maximum_subtracted__single_precision(x, axis):
    e = torch.exp(torch.tensor(x, dtype=torch.float32))
    return e / e.sum(dim=axis, keepdim=True)


def another_number_subtracted__first(x, axis):
    e = np.exp(x - np.take(x, [0], axis))
    return e / e.sum(axis=axis, keepdims=True)


def maximum_of_everything__torch(x, axis):
    scores = torch.tensor(x).double()
    e = torch.exp(scores - scores.max())
    return e / e.sum(dim=axis, keepdim=True)


def whole_numbers_cut__votes(x, axis):
    votes = np.zeros_like(x)
    votes[:] = np.exp(x - x.max(axis=axis, keepdims=True))
    return votes / votes.sum(axis=axis, keepdims=True)
