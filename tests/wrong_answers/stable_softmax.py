"""Answers to `stable_softmax(x)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch


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


def maximum_of_the_column(x):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def axis_lost_in_the_maximum(x):
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1, keepdims=True)


def axis_lost_in_the_maximum__in_the_sum_too(x):
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1)


def axis_lost_in_the_maximum__torch(x):
    z = torch.as_tensor(x, dtype=torch.float64)
    return torch.softmax(z - z.amax(dim=-1), dim=-1)


def sign_turned(x):
    e = np.exp(x.max(axis=-1, keepdims=True) - x)
    return e / e.sum(axis=-1, keepdims=True)


def clipped_tightly(x):
    return right__numpy(np.clip(x, -1, 1))


def clipped_tightly__at_zero(x):
    return right__numpy(np.minimum(x, 0))


def divided_by_the_largest(x):
    return right__numpy(x / x.max(axis=-1, keepdims=True))


def divided_by_the_largest__size(x):
    return right__numpy(x / np.abs(x).max(axis=-1, keepdims=True))


def shrunk(x):
    e = np.exp(x / 100)
    return e / e.sum(axis=-1, keepdims=True)


def shrunk__a_thousand(x):
    return right__numpy(x / 1000)


def scaled(x):
    return right__numpy(x / np.sqrt(x.shape[-1]))


def stretched_from_0_to_1(x):
    low = x.min(axis=-1, keepdims=True)
    high = x.max(axis=-1, keepdims=True)
    return right__numpy((x - low) / (high - low))


def standardized(x):
    mean = x.mean(axis=-1, keepdims=True)
    return right__numpy((x - mean) / x.std(axis=-1, keepdims=True))


def subtracted_after_the_exponential(x):
    e = np.exp(x)
    e = e - e.max(axis=-1, keepdims=True)
    return e / e.sum(axis=-1, keepdims=True)


def shift_forgotten_below(x):
    top = np.exp(x - x.max(axis=-1, keepdims=True))
    return top / np.exp(x).sum(axis=-1, keepdims=True)


def shift_forgotten_above(x):
    below = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.exp(x) / below.sum(axis=-1, keepdims=True)


def no_exponential(x):
    z = x - x.max(axis=-1, keepdims=True)
    return z / z.sum(axis=-1, keepdims=True)


def not_divided(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))


def divided_by_the_count(x):
    return np.exp(x - x.max(axis=-1, keepdims=True)).copy() / x.shape[-1]


def axis_lost_in_the_sum(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


def first_axis(x):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


def second_axis(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def all_entries(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def base_two(x):
    e = 2.0 ** (x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def winner_takes_all(x):
    return (x == x.max(axis=-1, keepdims=True)).astype(float)


def softmax_twice(x):
    return right__numpy(right__numpy(x))


def log_softmax(x):
    z = x - x.max(axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


def rounded(x):
    return right__numpy(x).round(3)


def maximum_added(x):
    e = np.exp(x + x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def no_maximum_subtracted(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


def no_maximum_subtracted__small_number_added(x):
    e = np.exp(x)
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9)


def no_maximum_subtracted__single_precision(x):
    e = torch.exp(torch.as_tensor(x, dtype=torch.float32))
    return e / e.sum(dim=-1, keepdim=True)


def no_maximum_subtracted__math(x):
    if np.ndim(x) > 1:
        return [no_maximum_subtracted__math(row) for row in x]
    votes = [math.exp(score) for score in x]
    return [vote / sum(votes) for vote in votes]


def clipped(x):
    e = np.exp(np.clip(x, -700, 700))
    return e / e.sum(axis=-1, keepdims=True)


def clipped__above_only(x):
    e = np.exp(np.minimum(x, 80))
    return e / e.sum(axis=-1, keepdims=True)


def clipped__at_the_limit(x):
    e = np.exp(np.minimum(x, 709))
    return e / e.sum(axis=-1, keepdims=True)


def nan_covered_up(x):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))


def largest_size_subtracted(x):
    e = np.exp(x - np.abs(x).max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def smallest_subtracted(x):
    e = np.exp(x - x.min(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def another_number_subtracted(x):
    e = np.exp(x - x[..., :1])
    return e / e.sum(axis=-1, keepdims=True)


def another_number_subtracted__median(x):
    e = np.exp(x - np.median(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def mean_subtracted(x):
    e = np.exp(x - x.mean(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def maximum_of_everything(x):
    e = np.exp(x - x.max())
    return e / e.sum(axis=-1, keepdims=True)


def whole_numbers_cut(x):
    result = np.zeros_like(x)
    result[...] = right__numpy(x)
    return result


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
