"""Answers to `softmax(x, axis)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch


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


def no_exponential(x, axis):
    return x / x.sum(axis=axis, keepdims=True)


def no_exponential__einsum(x, axis):
    return x * (1 / np.sum(x, axis, keepdims=True))


def no_exponential_below(x, axis):
    return np.exp(x) / x.sum(axis=axis, keepdims=True)


def divides_before_exponential(x, axis):
    return np.exp(x / x.sum(axis=axis, keepdims=True))


def divided_twice(x, axis):
    return right__numpy(x / x.sum(axis=axis, keepdims=True), axis)


def exponential_of_the_sum(x, axis):
    return np.exp(x) / np.exp(x.sum(axis=axis, keepdims=True))


def not_divided(x, axis):
    return np.exp(x)


def divided_by_the_largest(x, axis):
    return np.exp(x - x.max(axis=axis, keepdims=True))


def divided_by_the_largest__again(x, axis):
    e = np.exp(x)
    return e / e.max(axis=axis, keepdims=True)


def divided_by_the_length(x, axis):
    e = np.exp(x)
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def divided_by_the_length__of_scores(x, axis):
    return x / np.sqrt((x**2).sum(axis=axis, keepdims=True))


def divided_by_the_count(x, axis):
    return np.exp(x) / x.shape[axis]


def all_entries(x, axis):
    e = np.exp(x - x.max())
    return e / e.sum()


def all_entries__unstable(x, axis):
    return np.exp(x) / np.exp(x).sum()


def always_the_last_axis(x, axis):
    return right__numpy(x, -1)


def always_the_last_axis__loop(x, axis):
    if x.ndim == 1:
        return right__loop(x, 0)
    return [right__loop(row, 0) for row in x]


def always_the_first_axis(x, axis):
    e = np.exp(x)
    return e / e.sum(0)


def wrong_axis(x, axis):
    return right__numpy(x, 1 - axis % x.ndim if x.ndim == 2 else axis)


def axis_lost_in_the_sum(x, axis):
    return np.exp(x) / np.exp(x).sum(axis=axis)


def axis_lost_in_the_sum__torch(x, axis):
    e = torch.exp(torch.as_tensor(x, dtype=torch.float64))
    return e / e.sum(dim=axis)


def axis_lost_in_the_maximum(x, axis):
    e = np.exp(x - x.max(axis=axis))
    return e / e.sum(axis=axis, keepdims=True)


def base_two(x, axis):
    e = 2**x
    return e / e.sum(axis=axis, keepdims=True)


def base_ten(x, axis):
    e = np.power(10.0, x)
    return e / e.sum(axis=axis, keepdims=True)


def squared(x, axis):
    return x**2 / (x**2).sum(axis=axis, keepdims=True)


def sigmoid(x, axis):
    return 1 / (1 + np.exp(-x))


def negative_scores(x, axis):
    return right__numpy(-x, axis)


def standardized(x, axis):
    mean = x.mean(axis=axis, keepdims=True)
    return (x - mean) / x.std(axis=axis, keepdims=True)


def min_to_max(x, axis):
    low = x.min(axis=axis, keepdims=True)
    high = x.max(axis=axis, keepdims=True)
    return (x - low) / (high - low)


def log_softmax(x, axis):
    return torch.log_softmax(torch.as_tensor(x, dtype=torch.float64), axis)


def shares_sorted(x, axis):
    return np.sort(right__numpy(x, axis), axis=axis)


def winner_takes_all(x, axis):
    return (x == x.max(axis=axis, keepdims=True)).astype(float)


def place_of_the_largest(x, axis):
    return np.argmax(x, axis=axis)


def softmax_twice(x, axis):
    return right__numpy(right__numpy(x, axis), axis)


def one_minus(x, axis):
    return 1 - right__numpy(x, axis)


def percent(x, axis):
    return 100 * right__numpy(x, axis)


def transposed(x, axis):
    return right__numpy(x, axis).T


def rounded(x, axis):
    return np.round(right__numpy(x, axis), 2)


def rounded__three(x, axis):
    return right__numpy(x, axis).round(3)


def scaled(x, axis):
    return right__numpy(x / np.sqrt(x.shape[-1]), axis)


def no_maximum_subtracted(x, axis):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def no_maximum_subtracted__math(x, axis):
    if x.ndim == 2 and axis == 0:
        return np.array(no_maximum_subtracted__math(x.T, 1)).T
    if x.ndim == 2:
        return [no_maximum_subtracted__math(row, 0) for row in x]
    votes = [math.e**score for score in map(float, x)]
    return [vote / sum(votes) for vote in votes]


def no_maximum_subtracted__small_number_added(x, axis):
    e = np.exp(x)
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


def another_number_subtracted(x, axis):
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def another_number_subtracted__mean(x, axis):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def maximum_of_everything(x, axis):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)


def whole_numbers_cut(x, axis):
    result = np.zeros_like(x)
    result[...] = right__numpy(x, axis)
    return result


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
