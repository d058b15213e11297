"""Answers to `matmul(A, B)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

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


def row_with_row(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[j, k]
    return C


def row_with_row__numpy(A, B):
    return A @ B.T


def row_with_row__sums(A, B):
    return [[sum(A[i] * B[j]) for j in range(len(B))] for i in range(len(A))]


def column_with_column(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[k, i] * B[k, j]
    return C


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


def inner_loop_too_short(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(A)):
                C[i, j] += A[i, k] * B[k, j]
    return C


def inner_loop_too_short__columns(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B[0])):
                C[i, j] += A[i, k] * B[k, j]
    return C


def inner_loop_too_short__square(A, B):
    n = len(A)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[i, j] += A[i, k] * B[k, j]
    return C


def not_added_up(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] = A[i, k] * B[k, j]
    return C


def first_product_only(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]
                break
    return C


def one_product_missing(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B) - 1):
                C[i, j] += A[i, k] * B[k, j]
    return C


def one_product_missing__from_one(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(1, len(B)):
                C[i, j] += A[i, k] * B[k, j]
    return C


def sum_never_reset(A, B):
    C = np.zeros((len(A), len(B[0])))
    total = 0
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                total += A[i, k] * B[k, j]
            C[i, j] = total
    return C


def sum_never_reset__in_a_row(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        total = 0
        for j in range(len(B[0])):
            for k in range(len(B)):
                total += A[i, k] * B[k, j]
            C[i, j] = total
    return C


def sum_starts_at_one(A, B):
    C = np.ones((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]
    return C


def multiplied_up(A, B):
    C = np.ones((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] *= A[i, k] * B[k, j]
    return C


def added_in_pairs(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] + B[k, j]
    return C


def mean_in_place_of_sum(A, B):
    return [[np.mean(row * column) for column in B.T] for row in A]


def nothing_added(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            total = 0
            for k in range(len(B)):
                total += A[i, k] * B[k, j]
    return C


def nothing_added__times(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] *= A[i, k] * B[k, j]
    return C


def returned_too_early(A, B):
    for i in range(len(A)):
        for j in range(len(B[0])):
            total = 0
            for k in range(len(B)):
                total += A[i, k] * B[k, j]
            return total


def returned_too_early__row(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]
        return C


def returned_too_early__entry(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]
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


def rows_are_one_list(A, B):
    C = [[0] * len(B[0])] * len(A)
    for i in range(len(A)):
        for j in range(len(B[0])):
            C[i][j] = sum(A[i, k] * B[k, j] for k in range(len(B)))
    return C


def rows_are_one_list__added(A, B):
    C = [[0] * len(B[0])] * len(A)
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i][j] += A[i, k] * B[k, j]
    return C


def whole_numbers_cut(A, B):
    C = np.zeros((len(A), len(B[0])), dtype=A.dtype)
    for i in range(len(A)):
        for j in range(len(B[0])):
            C[i, j] = sum(A[i, k] * B[k, j] for k in range(len(B)))
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


def written_after_the_loop(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            total = 0
            for k in range(len(B)):
                total += A[i, k] * B[k, j]
        C[i, j] = total
    return C


def written_after_the_loop__rows(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        row = [sum(A[i] * B[:, j]) for j in range(len(B[0]))]
    C[i] = row
    return C


def row_or_column_left_out(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(1, len(A)):
        for j in range(len(B[0])):
            C[i, j] = sum(A[i] * B[:, j])
    return C


def row_or_column_left_out__last(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A) - 1):
        for j in range(len(B[0])):
            C[i, j] = sum(A[i] * B[:, j])
    return C


def row_or_column_left_out__column(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(1, len(B[0])):
            C[i, j] = sum(A[i] * B[:, j])
    return C


def row_or_column_left_out__last_column(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0]) - 1):
            C[i, j] = sum(A[i] * B[:, j])
    return C


def whole_numbers_cut__rounded(A, B):
    return (A @ B).round()
