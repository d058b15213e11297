"""The exercise `matmul(A, B)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import show_arrays
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import apart
from transformer_course.checks.engine.verdict import Verdict

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


EXERCISE = Exercise(
    name="matmul",
    inputs=("A", "B"),
    asked="`matmul(A, B)` returns the matrix product: in row i and column j "
    "is the dot product of row i of A with column j of B. A has the shape "
    "(n, k), B the shape (k, m), the result (n, m).",
    praise="Your product agrees with the reference for square, tall and wide "
    "matrices, for a single row and for a single column.",
    cases=CASES,
    draw=lambda seed: _case("one more", seed, 3, 4, 2),
    solve=Reference(solution),
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
