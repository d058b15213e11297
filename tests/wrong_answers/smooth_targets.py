"""Answers to `smooth_targets(y, K, eps)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import numpy as np
import torch


def _one_hot(y, K):
    return np.eye(K)[y]


# ------------------------------------------------------------------- right


def right__identity(y, K, eps):
    return (1 - eps) * np.eye(K)[y] + eps / K


def right__fill_and_raise(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[np.arange(len(y)), y] += 1 - eps
    return q


def right__lists(y, K, eps):
    rows = []
    for right in y:
        row = [eps / K] * K
        row[right] = 1 - eps + eps / K
        rows.append(row)
    return rows


def right__compare(y, K, eps):
    hit = y[:, None] == np.arange(K)
    return np.where(hit, 1 - eps + eps / K, eps / K)


def right__torch(y, K, eps):
    hot = torch.nn.functional.one_hot(torch.as_tensor(y), K).float()
    return torch.lerp(hot, torch.full_like(hot, 1 / K), eps)


def right__wrong_classes_first(y, K, eps):
    q = _one_hot(y, K)
    lost = eps * (K - 1) / K
    return q * (1 - lost) + (1 - q) * lost / (K - 1)


def right__scatter(y, K, eps):
    hot = torch.zeros(len(y), K).scatter_(1, torch.tensor(y)[:, None], 1.0)
    return hot * (1 - eps) + eps / K


# ------------------------------------------------------- who gets how much


def spread_over_wrong_classes(y, K, eps):
    q = np.full((len(y), K), eps / (K - 1))
    q[np.arange(len(y)), y] = 1 - eps
    return q


def spread_over_wrong_words(y, K, eps):
    q = np.full((len(y), K), eps / max(K - 2, 1))
    q[np.arange(len(y)), y] = 1 - eps
    q[:, 0] = 0
    return q


def right_class_without_its_share(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[np.arange(len(y)), y] = 1 - eps
    return q


def share_of_wrong_classes_for_all(y, K, eps):
    return (1 - eps) * _one_hot(y, K) + eps / (K - 1)


def one_class_too_many(y, K, eps):
    return (1 - eps) * _one_hot(y, K) + eps / (K + 1)


def eps_for_each(y, K, eps):
    return np.where(_one_hot(y, K) == 1, 1 - eps, eps)


def eps_for_each__right_stays(y, K, eps):
    return np.maximum(_one_hot(y, K), eps)


def two_fixed_numbers(y, K, eps):
    return np.where(_one_hot(y, K) == 1, 0.9, 0.1)


def times_K(y, K, eps):
    return (1 - eps) * _one_hot(y, K) + eps * K


def scaled_down(y, K, eps):
    q = np.where(_one_hot(y, K) == 1, 1 - eps, eps)
    return q / q.sum(axis=1, keepdims=True)


def one_sided(y, K, eps):
    return (1 - eps) * _one_hot(y, K)


def right_class_stays_1(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[np.arange(len(y)), y] = 1
    return q


def right_class_stays_1__added(y, K, eps):
    return _one_hot(y, K) + eps / K


def right_class_stays_1__wrong_share(y, K, eps):
    q = np.full((len(y), K), eps / (K - 1))
    q[np.arange(len(y)), y] = 1
    return q


def not_smoothed(y, K, eps):
    return _one_hot(y, K)


def eps_and_rest_exchanged(y, K, eps):
    return eps * _one_hot(y, K) + (1 - eps) / K


def took_one_share_only(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[np.arange(len(y)), y] = 1 - eps / K
    return q


def answer_overwritten(y, K, eps):
    q = np.zeros((len(y), K))
    q[np.arange(len(y)), y] = 1 - eps
    q.fill(eps / K)
    return q


def all_alike(y, K, eps):
    return np.ones((len(y), K)) / K


def subtracted(y, K, eps):
    return _one_hot(y, K) - eps / K


# --------------------------------------------------------- the wrong place


def counted_from_1(y, K, eps):
    q = np.full((len(y), K), eps / K)
    for i, right in enumerate(y):
        if right > 0:
            q[i, right - 1] += 1 - eps
    return q


def one_place_too_far(y, K, eps):
    hit = (y + 1)[:, None] == np.arange(K)
    return (1 - eps) * hit + eps / K


def counted_from_the_end(y, K, eps):
    return (1 - eps) * np.eye(K)[:, ::-1][y] + eps / K


def row_number_for_class(y, K, eps):
    q = np.full((len(y), K), eps / K)
    for i in range(min(len(y), K)):
        q[i, i] += 1 - eps
    return q


def same_class_in_every_row(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[:, 0] += 1 - eps
    return q


def same_class_in_every_row__first_answer(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[:, y[0]] += 1 - eps
    return q


def all_answers_in_every_row(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[:, y] += 1 - eps
    return q


def all_answers_in_every_row__one_list(y, K, eps):
    q = [[eps / K] * K] * len(y)
    for i, right in enumerate(y):
        q[i][right] = 1 - eps + eps / K
    return q


def only_the_first_row(y, K, eps):
    q = np.full((len(y), K), eps / K)
    for i, right in enumerate(y):
        q[i, right] += 1 - eps
        return q


def certainty_divided_too(y, K, eps):
    return ((1 - eps) * _one_hot(y, K) + eps) / K


# ---------------------------------------------------------------- the rest


def own_eps(y, K, eps):
    eps = 0.1
    return (1 - eps) * _one_hot(y, K) + eps / K


def eps_as_percent(y, K, eps):
    eps = eps / 100
    return (1 - eps) * _one_hot(y, K) + eps / K


def half_of_eps(y, K, eps):
    eps = eps / 2
    return (1 - eps) * _one_hot(y, K) + eps / K


def eps_squared(y, K, eps):
    return right__identity(y, K, eps * eps)


def rows_and_columns_exchanged(y, K, eps):
    q = np.full((K, len(y)), eps / K)
    q[y, np.arange(len(y))] += 1 - eps
    return q


def one_row_for_all(y, K, eps):
    return right__identity(y, K, eps)[0]


def one_row_for_all__sum(y, K, eps):
    return right__identity(y, K, eps).sum(axis=0)


def one_row_for_all__mean(y, K, eps):
    return right__identity(y, K, eps).mean(axis=0)


def flat_list(y, K, eps):
    flat = []
    for right in y:
        flat += [eps / K + (1 - eps) * (k == right) for k in range(K)]
    return flat


def only_the_right_entries(y, K, eps):
    return [1 - eps + eps / K for _ in y]


def numbers_of_classes(y, K, eps):
    return right__identity(y, K, eps).argmax(axis=1)


def softmax_of_targets(y, K, eps):
    votes = np.exp(right__identity(y, K, eps))
    return votes / votes.sum(axis=1, keepdims=True)


def logarithm(y, K, eps):
    return np.log(right__identity(y, K, eps))


def whole_numbers(y, K, eps):
    q = np.zeros((len(y), K), dtype=y.dtype)
    q[:] = right__identity(y, K, eps)
    return q


def rounded(y, K, eps):
    return np.round(right__identity(y, K, eps), 2)


def changes_its_input(y, K, eps):
    q = right__identity(y, K, eps)
    y += 1
    return q


def printed_not_returned(y, K, eps):
    print(right__identity(y, K, eps))


def no_return(y, K, eps):
    q = np.full((len(y), K), eps / K)
    q[np.arange(len(y)), y] += 1 - eps


def signature(y, K):
    return np.eye(K)[y]
