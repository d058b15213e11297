"""The exercise `matmul(A, B)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import apart, show
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.matmul_mistakes import MISTAKES

__all__ = ["EXERCISE", "matmul", "product"]


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


def product(
    A: np.ndarray,
    B: np.ndarray,
    *,
    meet: str = "row, column",
    gather: str = "sum",
    start: int = 0,
    result: str = "table",
) -> Any:
    """The matrix product, or a wrong variant; the defaults are right."""
    A, B = (np.asarray(part, dtype=np.float64) for part in (A, B))
    table = _GATHER[gather](*_MEET[meet](A, B)) + start
    return _RESULT[result](table)


def _cells(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays whose product is A * B, cell by cell: k has length 1."""
    cells = A * B
    return cells[:, None, :], np.ones_like(cells)[:, None, :]


def _cells_in_loops(A: np.ndarray, B: np.ndarray) -> tuple:
    n, m = len(A), B.shape[1]
    if m > A.shape[1] or n > len(B):
        raise IndexError("index out of range")
    return _cells(A[:n, :m], B[:n, :m])


def _pairs(rows: np.ndarray, columns: np.ndarray) -> tuple:
    """For each entry (i, j) what meets, along the middle axis k."""
    if rows.shape[1] != len(columns):
        raise IndexError("index out of range")
    n, m = len(rows), columns.shape[1]
    left = np.repeat(rows[:, :, None], m, axis=2)
    return left, np.repeat(columns[None], n, axis=0)


def _rows_broadcast(A: np.ndarray, B: np.ndarray) -> tuple:
    """Row times row as NumPy does it: a row of one number is stretched."""
    table = np.array([[np.sum(a * b) for b in B] for a in A])
    return table[:, None, :], np.ones_like(table)[:, None, :]


def _up_to(A: np.ndarray, B: np.ndarray, count: int) -> tuple:
    if count > A.shape[1]:
        raise IndexError("index out of range")
    return _pairs(A[:, :count], B[:count])


def _square(A: np.ndarray, B: np.ndarray) -> tuple:
    n = len(A)
    if n > min(A.shape[1], B.shape[1]):
        raise IndexError("index out of range")
    return _pairs(A[:, :n], B[:n, :n])


_MEET = {
    "row, column": _pairs,
    "row, row": lambda A, B: _pairs(A, B.T),
    "row, row, stretched": _rows_broadcast,
    "column, column": lambda A, B: _pairs(A.T, B),
    "column, row": lambda A, B: _pairs(A.T, B.T),
    "exchanged": lambda A, B: _pairs(B, A),
    "cell, cell": _cells,
    "cell, cell in loops": _cells_in_loops,
    "as far as A has rows": lambda A, B: _up_to(A, B, len(A)),
    "as far as B has columns": lambda A, B: _up_to(A, B, B.shape[1]),
    "square": _square,
}


def _running(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    table = (left * right).sum(axis=1)
    return np.cumsum(table).reshape(table.shape)


def _shrinking(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """`for k in range(k)`: one product fewer with each new entry."""
    sums = np.cumsum(left * right, axis=1)
    n, inner, m = sums.shape
    table = np.zeros(n * m)
    for place in range(min(n * m, inner)):
        table[place] = sums[place // m, inner - 1 - place, place % m]
    return table.reshape(n, m)


_GATHER = {
    "sum": lambda a, b: (a * b).sum(axis=1),
    "last": lambda a, b: (a * b)[:, -1],
    "first": lambda a, b: (a * b)[:, 0],
    "all but the last": lambda a, b: (a * b)[:, :-1].sum(axis=1),
    "all but the first": lambda a, b: (a * b)[:, 1:].sum(axis=1),
    "mean": lambda a, b: (a * b).mean(axis=1),
    "product": lambda a, b: (a * b).prod(axis=1),
    "sum of sums": lambda a, b: (a + b).sum(axis=1),
    "shrinking": _shrinking,
    "running": _running,
    "running along rows": lambda a, b: np.cumsum((a * b).sum(axis=1), axis=1),
    "nothing": lambda a, b: 0.0 * a[:, 0] * b[:, 0],
}


def _only(table: np.ndarray, keep: np.ndarray) -> np.ndarray:
    return np.where(keep, table, 0.0)


def _corner(table: np.ndarray) -> np.ndarray:
    keep = np.zeros(table.shape, dtype=bool)
    keep[0, 0] = True
    return _only(table, keep)


def _top(table: np.ndarray) -> np.ndarray:
    return _only(table, np.arange(len(table))[:, None] == 0)


def _row(table: np.ndarray, place: int, keep: bool) -> np.ndarray:
    """Zeros in one row, or everywhere else."""
    rows = np.arange(len(table))[:, None] == place % len(table)
    return _only(table, rows == keep)


_RESULT = {
    "table": lambda c: c,
    "turned": lambda c: c.T,
    "first entry": lambda c: c[0, 0],
    "first row": lambda c: c[0],
    "last entry": lambda c: c[-1, -1],
    "last row": lambda c: c[-1],
    "last of each row": lambda c: c[:, -1],
    "first entry, then zeros": _corner,
    "first row, then zeros": _top,
    "last row, after zeros": lambda c: _row(c, -1, True),
    "last column, after zeros": lambda c: _row(c.T, -1, True).T,
    "no first row": lambda c: _row(c, 0, False),
    "no last row": lambda c: _row(c, -1, False),
    "no first column": lambda c: _row(c.T, 0, False).T,
    "no last column": lambda c: _row(c.T, -1, False).T,
    "total": lambda c: c.sum(),
    "flat": lambda c: c.ravel(),
    "diagonal": lambda c: _only(c, np.eye(*c.shape) > 0),
    "rows shared": lambda c: np.repeat(c[-1:], len(c), axis=0),
    "rows shared, added": lambda c: np.repeat(
        c.sum(axis=0, keepdims=True), len(c), axis=0
    ),
}


def _random(seed: int, *size: int) -> np.ndarray:
    """Whole numbers from -3 to 4: easy to multiply in the head."""
    return np.random.default_rng(seed).integers(-3, 5, size=size) * 1.0


_SMALL = (
    np.array([[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]]),
    np.array([[1.0, 2.0], [0.0, 1.0], [2.0, 0.0]]),
)
_CASES = (
    Case("small", _SMALL),
    Case("square", (_random(1, 3, 3), _random(2, 3, 3))),
    Case("tall", (_random(3, 4, 2), _random(4, 2, 3))),
    Case("wide", (_random(5, 2, 3), _random(6, 3, 4))),
    Case("square on the right", (_random(7, 2, 3), _random(8, 3, 3))),
    Case("square on the left", (_random(9, 3, 3), _random(10, 3, 2))),
    Case("one entry", (_random(11, 1, 4), _random(12, 4, 1))),
    Case("inner size one", (_random(13, 3, 1), _random(14, 1, 2))),
    Case(
        "whole numbers",
        (np.array([[1, 2], [3, 1]]), np.array([[0.5, 1.0], [0.25, 1.5]])),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: shapes, and the first wrong entry."""
    A, B = case.args
    facts = {"rows": len(A), "inner": len(B), "columns": B.shape[1]}
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        i, j = (int(place) for place in wrong[0])
        came, wanted = apart(got[i, j], want[i, j])
        facts |= {"came": came, "wanted": wanted}
        facts |= {"where": f"row {i + 1}, column {j + 1}"}
    return facts


EXERCISE = Exercise(
    name="matmul",
    inputs=("A", "B"),
    asked="`matmul(A, B)` returns the matrix product: in row i and column j "
    "stands the dot product of row i of A with column j of B. A has the "
    "shape (n, k), B the shape (k, m), the result (n, m).",
    praise="Your product agrees with the reference for square, tall and wide "
    "matrices, for a single row and for a single column.",
    cases=_CASES,
    solve=product,
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
    show_inputs=lambda args: (
        f"{show(args[0], 'A = ')}\n{show(args[1], 'B = ')}"
    ),
)
