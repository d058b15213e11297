"""Answers to `causal_mask(n)`, in other styles than the part.

A function is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import numpy as np
import torch
from torch import nn

# ------------------------------------------------------------------- right


def right__tril(n):
    return torch.tril(torch.ones(n, n)).bool()


def right__compared(n):
    places = torch.arange(n)
    return places[None, :] <= places[:, None]


def right__not_later(n):
    return ~torch.triu(torch.ones((n, n), dtype=torch.bool), diagonal=1)


def right__loop(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask


def right__list(size):
    return torch.tensor([[j <= i for j in range(size)] for i in range(size)])


def right__torchs_own(n):
    return nn.Transformer.generate_square_subsequent_mask(n) == 0


def right__numpy(n):
    return torch.from_numpy(np.tri(n, dtype=bool))


def right__in_place(n):
    mask = torch.full((n, n), True)
    rows, columns = torch.triu_indices(n, n, offset=1)
    mask[rows, columns] = False
    return mask


def right__cumulated(n):
    return torch.eye(n).cumsum(0) > 0


# ------------------------------------------------------------------- wrong


def no_mask__not_stored(n):
    mask = torch.ones(n, n).bool()
    torch.tril(mask)
    return mask


def mask_flipped__compared(n):
    places = torch.arange(n)
    return places[:, None] <= places


def mask_flipped__transposed(n):
    return torch.tril(torch.ones(n, n)).bool().T


def only_the_future__torchs_sense(n):
    return nn.Transformer.generate_square_subsequent_mask(n) < 0


def triangle_upside_down__loop(n):
    return torch.tensor([[j < n - i for j in range(n)] for i in range(n)])


def nothing_may_be_seen__empty(n):
    return torch.zeros(n, n).tril().bool()


def one_row_only__return_in_the_loop(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, : i + 1] = True
        return mask[i]


def an_axis_too_many__unsqueezed(n):
    return torch.tril(torch.ones(1, n, n)) > 0


def one_too_small__shifted(n):
    places = torch.arange(n - 1)
    return places[None] <= places[:, None]


def always_the_same_size__five(n):
    return torch.ones(5, 5).tril() > 0


def returned_indices__where(n):
    return torch.stack(torch.where(torch.ones(n, n).tril() > 0), dim=1)


def returned_counts__sums(n):
    return torch.ones(n, n).tril().sum(1)


def added_mask__torchs_own(n):
    return nn.Transformer.generate_square_subsequent_mask(n)


def mask_times_infinity__one_minus(n):
    return (1 - torch.ones(n, n).tril()) * -torch.inf


def not_boolean__forgotten(n):
    return torch.ones(n, n).tril()


def not_boolean__int(n):
    return (torch.arange(n) <= torch.arange(n)[:, None]).int()


def not_a_tensor(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def not_a_tensor__numpy(n):
    return np.tril(np.ones((n, n), dtype=bool))


def size_expected_as_tensor(n):
    length = n.shape[-1]
    return torch.ones(length, length).tril().bool()


def size_expected_as_tensor__size(ids):
    return torch.ones(ids.size(1), ids.size(1)).tril() == 1


def triangle_of_a_number(n):
    return torch.tril(n, n)


def not_of_numbers(n):
    return ~torch.triu(torch.ones(n, n), diagonal=1)


def mask_subtracted(n):
    return 1 - torch.ones(n, n, dtype=torch.bool).triu(1)


# ----------------------------------------------------------------- general


def printed_not_returned(n):
    print(torch.ones(n, n).tril())


def no_return(n):
    torch.ones(n, n).tril()


def signature(n_queries, n_keys):
    return torch.ones(n_queries, n_keys).tril().bool()
