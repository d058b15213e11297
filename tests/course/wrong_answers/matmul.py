"""Answers to `matmul(A, B)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import itertools
from functools import reduce

import numpy as np
import torch


def right__loop(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]
    return C


def right__lists(A, B):
    table = []
    for row in A:
        entries = []
        for column in zip(*B, strict=True):
            entries.append(sum(a * b for a, b in zip(row, column, strict=True)))
        table.append(entries)
    return table


def right__at(A, B):
    return A @ B


def right__einsum(A, B):
    return np.einsum("nk,km->nm", A, B)


def right__torch(A, B):
    return torch.as_tensor(A).double() @ torch.as_tensor(B)


def right__rows_added(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for k in range(A.shape[1]):
        C += A[:, [k]] * B[[k], :]
    return C


def cell_by_cell(A, B):
    return A * B


def cell_by_cell__loop(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            C[i, j] = A[i, j] * B[i, j]
    return C


def row_with_row__numpy(A, B):
    return A @ B.T


def row_with_row__sums(A, B):
    return [[sum(A[i] * B[j]) for j in range(len(B))] for i in range(len(A))]


def factors_exchanged(A, B):
    return B @ A


def factors_exchanged__loop(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += B[i, k] * A[k, j]
    return C


def rows_and_columns_exchanged(A, B):
    return [[sum(row * column) for row in A] for column in B.T]


def columns_with_rows(A, B):
    return A.T @ B.T


def mean_in_place_of_sum(A, B):
    return [[np.mean(row * column) for column in B.T] for row in A]


def nothing_added__times(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] *= A[i, k] * B[k, j]
    return C


def returned_too_early__list(A, B):
    for row in A:
        return [sum(row * column) for column in B.T]


def only_the_last_kept(A, B):
    for row in A:
        entries = [sum(row * column) for column in B.T]
    return entries


def only_the_last_kept__entry(A, B):
    for row in A:
        for column in B.T:
            total = sum(row * column)
    return total


def only_the_last_kept__of_each_row(A, B):
    entries = []
    for row in A:
        for column in B.T:
            total = sum(row * column)
        entries.append(total)
    return entries


def one_number(A, B):
    total = 0
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                total += A[i, k] * B[k, j]
    return total


def one_long_list(A, B):
    return [sum(row * column) for row in A for column in B.T]


def diagonal_only(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(min(C.shape)):
        for k in range(len(B)):
            C[i, i] += A[i, k] * B[k, i]
    return C


def loop_over_a_number(A, B):
    C = np.zeros((len(A), B.shape[1]))
    for i in len(A):
        for j in B.shape[1]:
            C[i, j] = A[i] @ B[:, j]
    return C


def changes_its_input(A, B):
    C = A @ B
    A[0, 0] = 0
    return C


def printed_not_returned(A, B):
    print(A @ B)


def no_return(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]


def signature(A):
    return A @ A


def length_overwritten(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for k in range(k):  # noqa: B020
                C[i, j] += A[i, k] * B[k, j]
    return C


def written_after_the_loop__rows(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        row = [sum(A[i] * B[:, j]) for j in range(len(B[0]))]
    C[i] = row
    return C


def whole_numbers_cut__rounded(A, B):
    return (A @ B).round()


# -------------------------------------------------------- in other styles


def _dot(numbers, others):
    return sum(a * b for a, b in zip(numbers, others))


def cell_by_cell__zip(A, B):
    return [[a * b for a, b in zip(row, other)] for row, other in zip(A, B)]


def row_with_row__zip(A, B):
    return [[_dot(row, other) for other in B] for row in A]


def row_with_row__einsum(A, B):
    return np.einsum("ik,jk->ij", A, B)


def column_with_column__torch(A, B):
    return torch.tensor(A).double().T @ torch.tensor(B)


def column_with_column__zip(A, B):
    return [[_dot(left, right) for right in zip(*B)] for left in zip(*A)]


def factors_exchanged__zip(A, B):
    return [[_dot(row, column) for column in zip(*A)] for row in B]


def rows_and_columns_exchanged__einsum(A, B):
    return np.einsum("ik,kj->ji", A, B)


def not_added_up__outer_products(A, B):
    for k in range(len(B)):
        C = np.outer(A[:, k], B[k])
    return C


def first_product_only__outer_product(A, B):
    return np.outer(A[:, 0], B[0])


def one_product_missing__slices(A, B):
    return A[:, 1:] @ B[1:]


def sum_never_reset__accumulate(A, B):
    entries = [_dot(row, column) for row in A for column in B.T]
    return np.reshape(list(itertools.accumulate(entries)), (len(A), -1))


def sum_starts_at_one__reduce(A, B):
    def entry(row, column):
        return reduce(lambda total, k: total + k[0] * k[1], zip(row, column), 1)

    return [[entry(row, column) for column in B.T] for row in A]


def multiplied_up__prod(A, B):
    return [[np.prod(row * column) for column in B.T] for row in A]


def added_in_pairs__broadcast(A, B):
    return (A[:, :, None] + B).sum(axis=1)


def mean_in_place_of_sum__matrices(A, B):
    return A @ B / len(B)


def nothing_added__torch(A, B):
    C = torch.zeros(len(A), B.shape[1])
    for i, j in itertools.product(range(len(A)), range(B.shape[1])):
        entry = C[i, j].clone()
        entry += A[i] @ B[:, j]
    return C


def one_long_list__itertools(A, B):
    return [_dot(*pair) for pair in itertools.product(A.tolist(), zip(*B))]


def diagonal_only__zip(A, B):
    return [row @ column for row, column in zip(A, B.T)]


def rows_are_one_list__plain(A, B):
    row = [0] * len(B[0])
    table = [row for _ in A]
    for i, j in itertools.product(range(len(A)), range(len(B[0]))):
        table[i][j] = A[i].dot(B[:, j])
    return table


def row_or_column_left_out__recursive(A, B):
    if len(A) == 1:
        return np.zeros((1, B.shape[1]))
    return np.vstack([A[0] @ B, row_or_column_left_out__recursive(A[1:], B)])


def whole_numbers_cut__tensor(A, B):
    C = torch.zeros(len(A), len(B[0]), dtype=torch.tensor(A).dtype)
    for k in range(len(B)):
        C += torch.tensor(np.outer(A[:, k], B[k])).to(C.dtype)
    return C


def columns_with_rows__zip(A, B):
    return [[_dot(column, row) for row in B] for column in A.T]
