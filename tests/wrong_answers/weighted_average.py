"""Answers to `weighted_average(weights, values)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

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
        sum(s * x for s, x in zip(shares, column, strict=True))
        for column in zip(*values, strict=True)
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


def plain_mean(weights, values):
    return values.mean(axis=0)


def plain_mean__loop(weights, values):
    total = np.zeros(len(values[0]))
    for row in values:
        total += row
    return total / len(values)


def sum_not_weighted(weights, values):
    return sum(values)


def sum_not_weighted__every_weight_on_every_row(weights, values):
    total = np.zeros(len(values[0]))
    for row in values:
        for w in weights:
            total += w * row
    return total / sum(weights)


def weights_only_below(weights, values):
    return values.sum(axis=0) / weights.sum()


def weights_backward(weights, values):
    return weights[::-1] @ values / weights.sum()


def weights_turned_round(weights, values):
    other = weights.sum() - weights
    return other @ values / other.sum()


def exponential_of_the_weights(weights, values):
    votes = np.exp(weights)
    return votes @ values / votes.sum()


def weights_squared(weights, values):
    return weights**2 @ values / (weights**2).sum()


def weights_squared__loop(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total += weights[j] * (weights[j] * values[j])
    return total / sum(weights)


def largest_only(weights, values):
    return values[np.argmax(weights)]


def weights_added_to_the_values(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total += weights[j] + values[j]
    return total / sum(weights)


def weights_added_to_the_values__mean(weights, values):
    return (weights[:, None] + values).mean(axis=0)


def not_divided(weights, values):
    return weights @ values


def not_divided__loop(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(len(values)):
        total += weights[j] * values[j]
    return total


def divided_by_the_count(weights, values):
    return weights @ values / len(weights)


def divided_by_the_count__mean(weights, values):
    return (weights[:, None] * values).mean(axis=0)


def divided_by_sum_and_count(weights, values):
    shares = weights / weights.sum()
    return (shares[:, None] * values).mean(axis=0)


def normalized_twice(weights, values):
    shares = weights / weights.sum()
    return shares @ values / weights.sum()


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


def divided_by_the_values(weights, values):
    return weights @ values / sum(values)


def divided_by_the_values__all(weights, values):
    return weights @ values / values.sum()


def divided_by_the_largest(weights, values):
    return weights / weights.max() @ values


def divided_by_the_width(weights, values):
    return weights @ values / len(values[0])


def divided_by_a_root(weights, values):
    return weights @ values / np.linalg.norm(weights)


def divided_by_a_root__sum(weights, values):
    return weights @ values / weights.sum() ** 0.5


def weights_meet_columns(weights, values):
    return (weights * values).sum(axis=0) / weights.sum()


def weights_meet_columns__matrix(weights, values):
    return values @ weights / weights.sum()


def weights_meet_columns__dot(weights, values):
    return np.dot(values, weights)


def weights_meet_columns__loop(weights, values):
    total = np.zeros(len(values[0]))
    for row in values:
        total += weights * row
    return total


def added_along_the_rows(weights, values):
    return (weights[:, None] * values).sum(axis=1) / weights.sum()


def added_along_the_rows__list(weights, values):
    return [
        w * sum(row) / sum(weights)
        for w, row in zip(weights, values, strict=True)
    ]


def one_number(weights, values):
    return (weights[:, None] * values).sum() / weights.sum()


def one_number__mean(weights, values):
    return np.mean(weights @ values / weights.sum())


def one_number__mean_of_all(weights, values):
    return np.mean(weights[:, None] * values)


def one_number__no_axis(weights, values):
    return np.mean(values)


def not_added_up(weights, values):
    return [
        w * row / sum(weights) for w, row in zip(weights, values, strict=True)
    ]


def running_sum(weights, values):
    total, steps = 0, []
    for w, row in zip(weights, values, strict=True):
        total = total + w * row
        steps.append(total / sum(weights))
    return steps


def only_the_last_row(weights, values):
    for j in range(len(values)):
        total = weights[j] * values[j]
    return total / sum(weights)


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


def one_row_missing__first(weights, values):
    total = np.zeros(len(values[0]))
    for j in range(1, len(values)):
        total += weights[j] * values[j]
    return total / sum(weights)


def returned_the_shares(weights, values):
    return weights / weights.sum()


def percent(weights, values):
    shares = 100 * weights / weights.sum()
    return shares @ values


def rounded(weights, values):
    return np.round(weights @ values / weights.sum(), 2)


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
