"""The exercise `matmul(A, B)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import show_arrays
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import apart
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "matmul"]


def matmul(function: Any) -> Verdict:
    """Check a function `matmul(A, B)`: C_ij = sum_k A_ik B_kj.

    The chapter asks for loops, but the check looks at the answer only.

    Args:
        function: takes A of shape (n, k) and B of shape (k, m), and returns
            the product, shape (n, m). Lists and tensors are accepted as
            results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: any course of linear algebra. Chapter 0.
    """
    return judge(EXERCISE, function)


def solution(A, B):
    n, inner = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            total = 0
            for k in range(inner):
                total += A[i, k] * B[k, j]
            C[i, j] = total
    return C


def dots(rows, others):
    """Each row with each of the others; `zip` ends with the shorter one."""
    return [
        [
            sum(a * b for a, b in zip(row, other, strict=False))
            for other in others
        ]
        for row in rows
    ]


def _case(name, seed, n, inner, m):
    """Whole numbers from -3 to 4: easy to multiply in the head."""
    a, b = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    left, right = a.integers(-3, 5, (n, inner)), b.integers(-3, 5, (inner, m))
    return Case(name, (left * 1.0, right * 1.0))


CASES = (
    Case("small", (np.array([[1.0, 0, 2], [3, 1, 0]]),
                   np.array([[1.0, 2], [0, 1], [2, 0]]))),
    _case("square", 1, 3, 3, 3),
    _case("tall", 3, 4, 2, 3),
    _case("wide", 5, 2, 3, 4),
    _case("square on the right", 7, 2, 3, 3),
    _case("square on the left", 9, 3, 3, 2),
    _case("one entry", 11, 1, 4, 1),
    _case("inner size one", 13, 3, 1, 2),
    Case("whole numbers", (np.array([[1, 2], [3, 1]]),
                           np.array([[0.5, 1], [0.25, 1.5]])), basic=False),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: sizes, and the first wrong entry."""
    A, B = case.args
    facts = {"rows": len(A), "inner": len(B), "columns": B.shape[1]}
    if got.shape == want.shape:
        wrong = ~np.isclose(got, want, rtol=1e-5, atol=1e-6)
        i, j = np.argwhere(wrong)[0]
        came, wanted = apart(got[i, j], want[i, j])
        facts |= {"came": came, "wanted": wanted}
        facts["where"] = f"row {i + 1}, column {j + 1}"
    return facts


MISTAKES = r"""
cell_by_cell
- np.zeros((n, m))
+ A * B
- C[i, j] = total
+
or
- C[i, j] = total
+ C[i, j] = A[i, j] * B[i, j]
or
- return C
+ return [[a * b for a, b in zip(*rows)] for rows in zip(A, B)]
@ square
You multiply each cell of A with the cell of B at the same place. In {where}
that gives {came}; the matrix product wants a whole row times a whole column
there, {wanted}.
? How many products go into one entry of the result? In NumPy the star
multiplies cell by cell.

row_with_row
- B[k, j]
+ B[j, k]
or
- return C
+ return [[sum(row * other) for other in B] for row in A]
or
- return C
+ return dots(A, B)
@ square
Rows of A meet rows of B: in {where} that gives {came} instead of {wanted}. In
B you have to walk down a column.
? Which index of B changes while you walk down column j: the first or the
second?

column_with_column
- A[i, k]
+ A[k, i]
or
- return C
+ return dots(A.T, B.T)
@ square
Columns of A meet columns of B: in {where} that gives {came} instead of
{wanted}. In A you have to walk along a row.
? Which index of A changes while you walk along row i: the first or the second?

factors_exchanged
- n, inner = A.shape
+ A, B = B, A
+ n, inner = A.shape
or
- return C
+ return dots(B, A.T)
@ square
You compute B times A. The order matters: rows come from A, columns from B. In
{where} you get {came} instead of {wanted}.
? For A of shape (2, 3) and B of shape (3, 4) only one order is possible.
Which?

rows_and_columns_exchanged
- return C
+ return C.T
@ square
The numbers are right, but the table lies on its side: rows and columns of the
result are exchanged.
? Entry (i, j) belongs to row i of A and column j of B. Did you write it to (j,
i)?

columns_with_rows
- n, inner = A.shape
+ A, B = A.T, B.T
+ n, inner = A.shape
or
- return C
+ return dots(A.T, B)
@ square
Columns of A meet rows of B: in {where} that gives {came} instead of {wanted}.
It is the other way around.
? Along A you walk in a row, down B in a column.

inner_loop_too_short
- range(inner)
+ range(n)
or
- range(inner)
+ range(m)
or
- m = B.shape[1]
+ m = inner = n
The innermost loop does not walk along the whole row: it should make {inner}
products for each entry, and it makes fewer. It works for square matrices and
not for others.
? The row of A and the column of B have the same length. That is how far the
innermost loop goes, neither the number of rows of A nor that of the columns of
B.

not_added_up
- +=
+ =
Each entry holds only the last product of its row and column, because every new
product overwrites the one before: {came} instead of {wanted}.
? Inside the innermost loop, `=` replaces and `+=` adds.

first_product_only
- range(inner)
+ range(1)
Each entry holds only the first product of its row and column: {came} instead
of {wanted}. The innermost loop ends too early.
? Is there a `break`, or a line that should stand one step further to the left?

one_product_missing
- range(inner)
+ range(inner - 1)
or
- range(inner)
+ range(1, inner)
One product is missing in each sum: {came} instead of {wanted}. The innermost
loop starts too late or stops too early.
? `range(3)` counts 0, 1, 2. Nothing has to be subtracted.

length_overwritten
- for k in range(inner):
+ for k in range(inner):
+             inner = k
With each new entry your innermost loop becomes shorter by one product: {came}
instead of {wanted}. A name is used twice, once for a length and once for a
place, as in `for k in range(k)`.
? After the first round that name no longer holds the length. Give the length a
name of its own.

sum_never_reset
- for i in range(n):
+ total = 0
+ for i in range(n):
- total = 0
+
or
- for j in range(m):
+ total = 0
+     for j in range(m):
- total = 0
+
Your sum goes on from one entry to the next: {came} instead of {wanted}. The
first entry is right, the later ones carry the earlier ones along.
? Where is the sum set back to 0? It has to happen once for each entry, just
before the innermost loop.

sum_starts_at_one
- total = 0
+ total = 1
Every entry is too large by 1: {came} instead of {wanted}. A sum starts from
0.
? What stands in the table before the first product is added?

multiplied_up
- total = 0
+ total = 1
- +=
+ *=
You multiply the products with each other; they have to be added: {came} in
place of {wanted}.
? Dot product: multiply pair by pair, then add up.

added_in_pairs
- *
+ +
You add the entries of row and column pair by pair; they have to be multiplied:
{came} instead of {wanted}.
? Dot product: multiply pair by pair, then add up.

mean_in_place_of_sum
- C[i, j] = total
+ C[i, j] = total / inner
You divide by the number of products: {came} instead of {wanted}. The sum is
wanted, not the mean.
? Look for a `mean` or a division.

nothing_added
- C[i, j] = total
+
Your table has the right shape and holds only zeros. Either nothing is written
into it, or you multiply into a sum that starts from 0.
? Print the sum inside the innermost loop for a small example.

returned_too_early
- C[i, j] = total
+ return total
or
- return C
+ return C[0]
or
- C[i, j] = total
+ C[i, j] = total
+         return C
or
- C[i, j] = total
+ C[i, j] = total
+     return C
Your function returns after the first entry or the first row. The `return`
stands inside a loop, and a function ends at the first `return` it meets.
? Move `return` to the left, under the first `for`, so that it comes after all
loops.

only_the_last_kept
- return C
+ return C[-1, -1]
or
- return C
+ return C[-1]
or
- return C
+ return C[:, -1]
@ small
You return the last entry, the last row, or the last entry of each row; those
before it are lost. The result has {rows} rows and {columns} columns.
? Each new entry needs a place of its own: `row.append(...)`, or a table of
zeros that you fill.

written_after_the_loop
-     C[i, j] = total
+ C[i, j] = total
or
- return C
+ C[:-1] = 0
+ return C
@ small
Only the last place of each row (or the last row) is filled, the others stay 0.
The line that writes into the table stands after a loop and not inside it, so
it sees the last round only.
? How far is that line moved in? Each entry has to be written before the next
one begins.

row_or_column_left_out
- range(n)
+ range(1, n)
or
- range(n)
+ range(n - 1)
or
- range(m)
+ range(1, m)
or
- range(m)
+ range(m - 1)
@ small
One row or one column of your table is still 0: a loop over the rows or columns
starts too late or stops too early.
? `range(3)` counts 0, 1, 2: three places, the first of them 0.

one_number
- return C
+ return C.sum()
@ small
You add up everything into one number. The result is a table with {rows} rows
and {columns} columns.
? Each pair of a row and a column has its own sum.

one_long_list
- return C
+ return C.ravel()
@ small
The entries are right, but they stand in one long list. The result is a table
with {rows} rows and {columns} columns.
? Begin a new list for each row, and put the finished rows into a list.

diagonal_only
- return C
+ return C * np.eye(n, m)
or
- return C
+ return C.diagonal()
Only the diagonal is filled: row 1 with column 1, row 2 with column 2. Every
row has to meet every column.
? One loop for the rows and one for the columns, not one for both.

rows_are_one_list
- np.zeros((n, m))
+ [[0] * m] * n
- C[i, j] = total
+ C[i][j] = total
or
- np.zeros((n, m))
+ [[0] * m] * n
- C[i, j] = total
+ C[i][j] += total
All rows of your result are equal. `[[0] * m] * n` does not make n rows: it
makes one row and names it n times, so that a change in one is a change in all.
? Begin with NumPy's table of zeros, or make a new list for each row inside the
loop over the rows.

whole_numbers_cut
- np.zeros((n, m))
+ np.zeros((n, m), dtype=A.dtype)
or
- total += A[i, k] * B[k, j]
+ total = int(total + A[i, k] * B[k, j])
or
- return C
+ return C.round()
@ whole numbers
When A holds whole numbers, what follows the point gets lost: the table that
you write into has a type for whole numbers, or you round.
? A fresh table of zeros holds numbers with decimals, unless you give it the
type of A.

loop_over_a_number
% TypeError: 'int' object is not iterable
A number stands where something to walk through is wanted, most often in a loop
such as `for i in len(A)`. A number is no list.
? Which function makes 0, 1, 2, ... out of a number, for a loop to walk
through?
"""

EXERCISE = Exercise(
    name="matmul",
    inputs=("A", "B"),
    asked="`matmul(A, B)` returns the matrix product: in row i and column j "
    "stands the dot product of row i of A with column j of B. A has the "
    "shape (n, k), B the shape (k, m), the result (n, m).",
    praise="Your product agrees with the reference for square, tall and wide "
    "matrices, for a single row and for a single column.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        unmoved_by(
            lambda args: (2.0 * args[0], args[1]),
            lambda got, args: 2.0 * got,
            "The first thing that breaks: when every entry of A is doubled, "
            "every entry of the product must double, and yours do not.",
        ),
    ),
    hints=(
        "Start with one entry. Which row of A and which column of B belong "
        "to row 0, column 0 of the result? Work it out on paper, then write "
        "the loop that does just this.",
        "Three loops: one over the rows of A, one over the columns of B, and "
        "inside them one that walks along that row and down that column at "
        "the same time. Only the innermost adds up, and its sum starts from "
        "0 for each entry anew.",
    ),
    facts=_facts,
    show_inputs=show_arrays("A", "B"),
)
