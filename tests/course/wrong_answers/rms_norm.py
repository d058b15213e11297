"""Answers to `rms_norm(x, gamma, eps)`, in other styles than the reference.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F


def _rows(x, function):
    """Treat each vector of x on its own, as a list."""
    x = np.asarray(x, dtype=float)
    rows = [function(row) for row in x.reshape(-1, x.shape[-1]).tolist()]
    return np.array(rows).reshape(x.shape)


def right__numpy(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)


def right__torch(x, gamma, eps):
    x, gamma = (torch.tensor(a, dtype=torch.float64) for a in (x, gamma))
    return F.rms_norm(x, x.shape[-1:], gamma, eps)


def right__lists(x, gamma, eps):
    def one(row):
        root = math.sqrt(sum(a * a for a in row) / len(row) + eps)
        return [g * a / root for g, a in zip(gamma, row, strict=True)]

    return _rows(x, one)


def right__einsum(x, gamma, eps):
    squares = np.einsum("...d,...d->...", x, x) / x.shape[-1]
    return x * gamma * (squares[..., None] + eps) ** -0.5


def layer_norm__torch(x, gamma, eps):
    x, gamma = (torch.tensor(a, dtype=torch.float64) for a in (x, gamma))
    return F.layer_norm(x, x.shape[-1:], gamma, None, eps)


def divided_by_the_deviation__std(x, gamma, eps):
    x = torch.tensor(x, dtype=torch.float64)
    variance = x.var(-1, unbiased=False, keepdim=True)
    return (x * torch.rsqrt(variance + eps) * torch.tensor(gamma)).numpy()


def mean_subtracted_above__lists(x, gamma, eps):
    def one(row):
        mean = sum(row) / len(row)
        root = math.sqrt(sum(a**2 for a in row) / len(row) + eps)
        return [g * (a - mean) / root for g, a in zip(gamma, row, strict=True)]

    return _rows(x, one)


def root_forgotten__einsum(x, gamma, eps):
    squares = np.einsum("...d,...d->...", x, x) / x.shape[-1]
    return gamma * x / (squares[..., None] + eps)


def sum_in_place_of_mean__norm(x, gamma, eps):
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return gamma * (x / np.sqrt(length**2 + eps))


def divided_by_d_minus_one__lists(x, gamma, eps):
    def one(row):
        square = math.fsum(a**2 for a in row) / (len(row) - 1)
        return [g * a / (square + eps) ** 0.5 for g, a in zip(gamma, row)]  # noqa: B905

    return _rows(x, one)


def over_all_entries__torch(x, gamma, eps):
    x = torch.tensor(x, dtype=torch.float64)
    return x.mul(torch.as_tensor(gamma)).div(x.pow(2).mean().add(eps).sqrt())


def over_the_tokens__sum_of_rows(x, gamma, eps):
    return gamma * x / np.sqrt(sum(row**2 for row in x) / len(x) + eps)


def no_eps__norm(x, gamma, eps):
    size = np.linalg.norm(x, axis=-1, keepdims=True) / x.shape[-1] ** 0.5
    return gamma * (x / size)


def eps_outside_the_root__norm(x, gamma, eps):
    size = np.linalg.norm(x, axis=-1, keepdims=True) / x.shape[-1] ** 0.5
    return gamma * (x / (size + eps))


def fixed_eps__torch_module(x, gamma, eps):
    norm = torch.nn.RMSNorm(x.shape[-1], eps=1e-6, dtype=torch.float64)
    x = torch.tensor(x, dtype=torch.float64)
    return norm(x).detach().numpy() * gamma


def no_gain__torch(x, gamma, eps):
    x = torch.tensor(x, dtype=torch.float64)
    return F.rms_norm(x, x.shape[-1:], eps=eps)


def gain_before_the_norm__torch(x, gamma, eps):
    x = torch.tensor(x * gamma, dtype=torch.float64)
    return F.rms_norm(x, x.shape[-1:], eps=eps)


def gain_added__torch(x, gamma, eps):
    x = torch.tensor(x, dtype=torch.float64)
    return F.rms_norm(x, x.shape[-1:], eps=eps) + torch.tensor(gamma)


def only_two_axes__loop(x, gamma, eps):
    if x.ndim == 1:
        return gamma * x / math.sqrt(x @ x / len(x) + eps)
    return np.array([gamma * r / math.sqrt(r @ r / len(r) + eps) for r in x])


def changes_its_input(x, gamma, eps):
    size = np.sqrt((x**2).mean(-1, keepdims=True) + eps)
    x /= size
    return gamma * x


def printed_not_returned(x, gamma, eps):
    print(gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + eps))


def no_return(x, gamma, eps):
    result = gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)
    result += 0


def signature(x):
    return x / np.sqrt((x**2).mean(-1, keepdims=True))


def square_of_the_mean__numpy(x, gamma, eps):
    mean = np.mean(x, axis=-1, keepdims=True)
    return gamma * x / np.sqrt(mean**2 + eps)


def divided_by_the_tokens__len(x, gamma, eps):
    squares = np.sum(x**2, axis=-1, keepdims=True)
    return gamma * x / np.sqrt(squares / len(x) + eps)


def gain_below_the_line__brackets(x, gamma, eps):
    return x / (gamma * np.sqrt(np.mean(x**2, -1, keepdims=True) + eps))
