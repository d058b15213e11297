"""Answers to `weighted_average(weights, values)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import itertools
import math
import statistics
from functools import reduce

import numpy as np
import torch


def right__loop(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total += weights[j] * values[j]
    return total / sum(weights)


def right__lists(weights, values):
    shares = [w / sum(weights) for w in weights]
    return [
        sum(s * x for s, x in zip(shares, column)) for column in zip(*values)
    ]


def right__matrix(weights, values):
    return weights @ values / weights.sum()


def right__column(weights, values):
    return (weights[:, None] * values).sum(axis=0) / weights.sum()


def right__numpy(weights, values):
    return np.average(values, axis=0, weights=weights)


def right__einsum(weights, values):
    return np.einsum("n,nd->d", weights / weights.sum(), values)


def right__torch(weights, values):
    w = torch.tensor(weights).double()
    return (w / w.sum()) @ torch.tensor(values).double()


def right__single_precision(weights, values):
    w = weights.astype(np.float32)
    return w @ values.astype(np.float32) / w.sum()


def sum_not_weighted__every_weight_on_every_row(weights, values):
    total = np.zeros(len(values[0]))
    for row in values:
        for w in weights:
            total += w * row
    return total / sum(weights)


def weights_squared__loop(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total += weights[j] * (weights[j] * values[j])
    return total / sum(weights)


def weights_added_to_the_values(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total += weights[j] + values[j]
    return total / sum(weights)


def divided_inside_the_loop(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total = total + weights[j] * values[j]
        total = total / sum(weights)
    return total


def divided_inside_the_loop__count(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total = (total + weights[j] * values[j]) / len(values)
    return total


def weights_meet_columns__loop(weights, values):
    total = np.zeros(len(values[0]))
    for row in values:
        total += weights * row
    return total


def not_added_up(weights, values):
    return [w * row / sum(weights) for w, row in zip(weights, values)]


def running_sum(weights, values):
    total, steps = 0, []
    for w, row in zip(weights, values):
        total = total + w * row
        steps.append(total / sum(weights))
    return steps


def only_the_first_row(weights, values):
    total = 0
    for j in range(len(values)):
        total = total + weights[j] * values[j]
        return total / sum(weights)


def one_row_missing(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values) - 1):
        total += weights[j] * values[j]
    return total / sum(weights)


def rounded__whole(weights, values):
    return [round(x) for x in weights @ values / weights.sum()]


def whole_numbers_cut(weights, values):
    total = np.zeros(len(values[0]), dtype=values.dtype)
    for j in range(len(values)):
        total += weights[j] * values[j]
    if values.dtype.kind == "i":
        return total // sum(weights)
    return total / sum(weights)


def changes_its_input(weights, values):
    weights /= weights.sum()
    return weights @ values


def printed_not_returned(weights, values):
    print(weights @ values / weights.sum())


def no_return(weights, values):
    total = weights @ values / weights.sum()  # noqa: F841


def signature(values):
    return values.mean(axis=0)


# -------------------------------------------------------- in other styles


def plain_mean__weights_not_handed_over(weights, values):
    return np.average(values, axis=0)


def plain_mean__statistics(weights, values):
    return [statistics.fmean(column) for column in zip(*values)]


def sum_not_weighted__einsum(weights, values):
    return np.einsum("nd->d", values)


def weights_only_below__fsum(weights, values):
    return [math.fsum(column) / math.fsum(weights) for column in zip(*values)]


def weights_backward__pop(weights, values):
    left, total = list(weights), 0
    for row in values:
        total = total + left.pop() * row
    return total / sum(weights)


def weights_turned_round__torch(weights, values):
    w = torch.tensor(weights).double()
    other = (w.sum() - w) / (w.sum() - w).sum()
    return other @ torch.tensor(values).double()


def exponential_of_the_weights__softmax(weights, values):
    shares = torch.softmax(torch.tensor(weights).double(), dim=0)
    return shares @ torch.tensor(values).double()


def weights_squared__average_of_the_weighted(weights, values):
    return np.average(weights[:, None] * values, axis=0, weights=weights)


def largest_only__sorted(weights, values):
    _, place = max((w, j) for j, w in enumerate(weights))
    return values.tolist()[place]


def not_divided__einsum(weights, values):
    return np.einsum("n,nd->d", weights, values)


def not_divided__recursive(weights, values):
    first = weights[0] * values[0]
    if len(weights) == 1:
        return first
    return first + not_divided__recursive(weights[1:], values[1:])


def divided_only_far_from_one__isclose(weights, values):
    total = weights @ values
    if np.isclose(weights.sum(), 1, atol=0.1):
        return total
    return total / weights.sum()


def divided_by_the_count__statistics(weights, values):
    return [
        statistics.fmean(w * x for w, x in zip(weights, column))
        for column in zip(*values)
    ]


def divided_by_sum_and_count__average(weights, values):
    return np.average(values, axis=0, weights=weights) / len(values)


def normalized_twice__average(weights, values):
    return np.average(values, axis=0, weights=weights) / weights.sum()


def divided_inside_the_loop__reduce(weights, values):
    def add(total, pair):
        return (total + pair[0] * pair[1]) / sum(weights)

    return reduce(add, zip(weights, values), 0)


def divided_by_the_values__lists(weights, values):
    return [
        sum(w * x for w, x in zip(weights, column)) / sum(column)
        for column in zip(*values)
    ]


def divided_by_a_root__norm(weights, values):
    w = torch.nn.functional.normalize(torch.tensor(weights).double(), dim=0)
    return w @ torch.tensor(values).double()


def added_along_the_rows__einsum(weights, values):
    return np.einsum("n,nd->n", weights / weights.sum(), values)


def one_number__fsum(weights, values):
    return math.fsum(weights @ values) / math.fsum(weights)


def running_sum__accumulate(weights, values):
    steps = itertools.accumulate(w * row for w, row in zip(weights, values))
    return [step / sum(weights) for step in steps]


def only_the_last_row__dict(weights, values):
    weighted = {}
    for w, row in zip(weights, values):
        weighted["row"] = w * row / sum(weights)
    return weighted["row"]


def one_row_missing__islice(weights, values):
    rows = itertools.islice(zip(weights, values), 1, None)
    start = np.zeros(values.shape[1])
    return sum((w * row for w, row in rows), start) / sum(weights)


def returned_the_shares__list(weights, values):
    shares = [w / sum(weights) for w in weights]
    for share, row in zip(shares, values):
        row = share * row
    return shares


def percent__average(weights, values):
    return 100 * np.average(values, axis=0, weights=weights)


def rounded__text(weights, values):
    return [float(f"{x:.1f}") for x in np.average(values, 0, weights)]


def whole_numbers_cut__shares(weights, values):
    shares = np.zeros_like(weights)
    for j, w in enumerate(weights):
        shares[j] = w / sum(weights)
    return shares @ values


def whole_numbers_cut__rows(weights, values):
    total = np.zeros_like(values[0])
    for w, row in zip(weights, values):
        total[:] = total + w * row / sum(weights)
    return total
