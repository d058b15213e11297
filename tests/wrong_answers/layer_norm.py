"""Answers to `layer_norm(x, gamma, beta, eps)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch


def _mean(x):
    return x.mean(axis=-1, keepdims=True)


def _var(x):
    return x.var(axis=-1, keepdims=True)


def right__numpy(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(_var(x) + eps) + beta


def right__loop(x, gamma, beta, eps):
    if x.ndim > 1:
        return [right__loop(token, gamma, beta, eps) for token in x]
    n = len(x)
    mean = sum(x) / n
    variance = sum((entry - mean) ** 2 for entry in x) / n
    root = math.sqrt(variance + eps)
    return [gamma[i] * (x[i] - mean) / root + beta[i] for i in range(n)]


def right__torch(x, gamma, beta, eps):
    x, gamma, beta = (torch.tensor(a).double() for a in (x, gamma, beta))
    return torch.nn.functional.layer_norm(x, gamma.shape, gamma, beta, eps)


def right__single_precision(x, gamma, beta, eps):
    x, gamma, beta = (torch.tensor(a).float() for a in (x, gamma, beta))
    normal = x - x.mean(-1, keepdim=True)
    variance = (normal**2).mean(-1, keepdim=True)
    return normal * torch.rsqrt(variance + eps) * gamma + beta


def right__einsum(x, gamma, beta, eps):
    away = x - np.einsum("...d->...", x)[..., None] / x.shape[-1]
    variance = np.einsum("...d,...d->...", away, away)[..., None] / x.shape[-1]
    return np.einsum("...d,d->...d", away / (variance + eps) ** 0.5, gamma) + (
        beta
    )


def right__difference_of_squares(x, gamma, beta, eps):
    variance = (x**2).mean(-1, keepdims=True) - _mean(x) ** 2
    return (x - _mean(x)) / np.sqrt(variance + eps) * gamma + beta


def right__turned_around(x, gamma, beta, eps):
    turned = x.T
    normal = (turned - turned.mean(0)) / np.sqrt(turned.var(0) + eps)
    return normal.T * gamma + beta


def right__keyword_only(x, *, gamma, beta, eps):
    return right__numpy(x, gamma, beta, eps)


def over_the_batch(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + eps) + beta


def over_the_batch__all_tokens(x, gamma, beta, eps):
    tokens = tuple(range(x.ndim - 1))
    mean, variance = x.mean(axis=tokens), x.var(axis=tokens)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


def over_all_entries(x, gamma, beta, eps):
    return gamma * (x - np.mean(x)) / np.sqrt(np.var(x) + eps) + beta


def over_the_sentence(x, gamma, beta, eps):
    axes = (-2, -1) if x.ndim > 1 else -1
    mean = x.mean(axis=axes, keepdims=True)
    variance = x.var(axis=axes, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


def always_axis_one(x, gamma, beta, eps):
    mean = x.mean(axis=1, keepdims=True)
    variance = x.var(axis=1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


def one_spread_for_all(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var() + eps) + beta


def axis_lost(x, gamma, beta, eps):
    return gamma * (x - x.mean(-1)) / np.sqrt(x.var(-1) + eps) + beta


def axis_lost__mean(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=-1)) / np.sqrt(_var(x) + eps) + beta


def axis_lost__spread(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var(axis=-1) + eps) + beta


def divided_by_n_minus_one(x, gamma, beta, eps):
    variance = x.var(axis=-1, ddof=1, keepdims=True)
    return gamma * (x - _mean(x)) / np.sqrt(variance + eps) + beta


def divided_by_n_minus_one__torch(x, gamma, beta, eps):
    x = torch.tensor(x).double()
    root = torch.sqrt(x.var(-1, keepdim=True) + eps)
    normal = (x - x.mean(-1, keepdim=True)) / root
    return torch.tensor(gamma) * normal + torch.tensor(beta)


def eps_outside_the_root(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (np.sqrt(_var(x)) + eps) + beta


def eps_outside_the_root__std(x, gamma, beta, eps):
    deviation = x.std(axis=-1, keepdims=True)
    return gamma * (x - _mean(x)) / (deviation + eps) + beta


def no_eps(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(_var(x)) + beta


def no_eps__loop(x, gamma, beta, eps):
    if x.ndim > 1:
        return [no_eps__loop(token, gamma, beta, eps) for token in x]
    return gamma * (x - x.mean()) / x.std() + beta


def an_eps_of_its_own(x, gamma, beta, eps=1e-5):
    return gamma * (x - _mean(x)) / np.sqrt(_var(x) + 1e-5) + beta


def an_eps_of_its_own__bert(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(_var(x) + 1e-12) + beta


def eps_squared(x, gamma, beta, eps):
    deviation = np.hypot(np.sqrt(_var(x)), eps)
    return gamma * (x - _mean(x)) / deviation + beta


def eps_as_a_floor(x, gamma, beta, eps):
    deviation = np.maximum(np.sqrt(_var(x)), eps)
    return gamma * (x - _mean(x)) / deviation + beta


def root_forgotten(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (_var(x) + eps) + beta


def squared_in_place_of_the_root(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (_var(x) + eps) ** 2 + beta


def multiplied_by_the_root(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) * np.sqrt(_var(x) + eps) + beta


def not_divided(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) + beta


def divided_by_the_range(x, gamma, beta, eps):
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    return gamma * (x - _mean(x)) / (high - low + eps) + beta


def squares_added_up(x, gamma, beta, eps):
    squares = ((x - _mean(x)) ** 2).sum(-1, keepdims=True)
    return gamma * (x - _mean(x)) / np.sqrt(squares + eps) + beta


def eps_after_the_division(x, gamma, beta, eps):
    with np.errstate(all="ignore"):
        normal = (x - _mean(x)) / np.sqrt(_var(x)) + eps
    return gamma * normal + beta


def divided_by_the_length(x, gamma, beta, eps):
    length = np.sqrt((x**2).sum(-1, keepdims=True) + eps)
    return gamma * (x - _mean(x)) / length + beta


def mean_distance(x, gamma, beta, eps):
    away = x - _mean(x)
    return gamma * away / (abs(away).mean(-1, keepdims=True) + eps) + beta


def mean_not_subtracted(x, gamma, beta, eps):
    return gamma * x / np.sqrt(_var(x) + eps) + beta


def root_mean_square(x, gamma, beta, eps):
    square = (x**2).mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt(square + eps) + beta


def spread_around_zero(x, gamma, beta, eps):
    square = (x**2).mean(axis=-1, keepdims=True)
    return gamma * (x - _mean(x)) / np.sqrt(square + eps) + beta


def median(x, gamma, beta, eps):
    middle = np.median(x, axis=-1, keepdims=True)
    return gamma * (x - middle) / np.sqrt(_var(x) + eps) + beta


def brackets_missing(x, gamma, beta, eps):
    return gamma * (x - _mean(x) / np.sqrt(_var(x) + eps)) + beta


def gain_and_shift_exchanged(x, gamma, beta, eps):
    return right__numpy(x, beta, gamma, eps)


def gain_and_shift_forgotten(x, gamma, beta, eps):
    return (x - _mean(x)) / np.sqrt(_var(x) + eps)


def shift_forgotten(x, gamma, beta, eps):
    return right__numpy(x, gamma, 0 * beta, eps)


def gain_forgotten(x, gamma, beta, eps):
    return gain_and_shift_forgotten(x, gamma, beta, eps) + beta


def shift_before_the_gain(x, gamma, beta, eps):
    return gamma * gain_forgotten(x, gamma, beta, eps)


def gain_before_the_norm(x, gamma, beta, eps):
    return gain_forgotten(gamma * x, gamma, beta, eps)


def gain_before_the_mean_is_subtracted(x, gamma, beta, eps):
    return (gamma * x - _mean(x)) / np.sqrt(_var(x) + eps) + beta


def shift_before_the_norm(x, gamma, beta, eps):
    return shift_forgotten(x + beta, gamma, beta, eps)


def shift_before_the_norm__with_gain(x, gamma, beta, eps):
    return gain_and_shift_forgotten(gamma * x + beta, gamma, beta, eps)


def shift_subtracted(x, gamma, beta, eps):
    return right__numpy(x, gamma, -beta, eps)


def divided_by_the_gain(x, gamma, beta, eps):
    return right__numpy(x, 1 / gamma, beta, eps)


def one_gain_for_each_token(x, gamma, beta, eps):
    normal = gain_and_shift_forgotten(x, gamma, beta, eps)
    return gamma[:, None] * normal + beta[:, None]


def rounded(x, gamma, beta, eps):
    return np.round(right__numpy(x, gamma, beta, eps), 2)


def rounded__three(x, gamma, beta, eps):
    return right__numpy(x, gamma, beta, eps).round(3)


def transposed(x, gamma, beta, eps):
    return right__numpy(x, gamma, beta, eps).T


def whole_numbers_cut(x, gamma, beta, eps):
    result = np.zeros_like(x)
    result[...] = right__numpy(x, gamma, beta, eps)
    return result


def whole_numbers_cut__empty(x, gamma, beta, eps):
    y = x.copy()
    y[...] = right__numpy(x, gamma, beta, eps)
    return y


def changes_its_input(x, gamma, beta, eps):
    deviation = np.sqrt(_var(x) + eps)
    if x.dtype == float:
        x -= _mean(x)
        return gamma * x / deviation + beta
    return right__numpy(x, gamma, beta, eps)


def changes_its_input__gain(x, gamma, beta, eps):
    result = right__numpy(x, gamma, beta, eps)
    gamma *= 2
    return result


def printed_not_returned(x, gamma, beta, eps):
    print(right__numpy(x, gamma, beta, eps))


def no_return(x, gamma, beta, eps):
    normal = (x - _mean(x)) / np.sqrt(_var(x) + eps)
    normal = gamma * normal + beta


def signature(x, gamma, beta):
    return right__numpy(x, gamma, beta, 1e-5)
