"""Numbers worked out on paper: the shapes of six products."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["SIX_PRODUCTS", "six_products_by_hand"]

N_Q, N_K, D_K, D_V = 2, 5, 4, 3
NAMES = ("Q K^T", "K Q^T", "Q V^T", "A V", "V A", "K^T V")
_RIGHT = ((N_Q, N_K), (N_K, N_Q), (0, 0), (N_Q, D_V), (0, 0), (D_K, D_V))


def six_products_by_hand(value: Any) -> Verdict:
    """Check the shapes of Q K^T, K Q^T, Q V^T, A V, V A and K^T V.

    Q is (2, 4), K is (5, 4), V is (5, 3) and A is (2, 5). A product that
    does not exist is written (0, 0).

    Args:
        value: six pairs of whole numbers, as tuples, lists or an array.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 3.
    """
    return judge_paper(SIX_PRODUCTS, value)


def _with(**changes: tuple[int, int]) -> list[tuple[int, int]]:
    """The right shapes, some of them replaced; `p2` is product 2."""
    return [changes.get(f"p{i + 1}", one) for i, one in enumerate(_RIGHT)]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    pick = [
        ("rows_and_columns_exchanged", [one[::-1] for one in _RIGHT],
         "In every shape rows and columns are exchanged. A product has the "
         "rows of its left factor and the columns of its right one."),
        ("inner_lengths_kept",
         [(D_K, D_K), (D_K, D_K), (0, 0), (N_K, N_K), (0, 0), (N_K, N_K)],
         "You gave the two inner lengths. They must agree, and then they "
         "vanish; the outer two are the shape of the product."),
        ("transpose_overlooked",
         [(0, 0), (0, 0), (0, 0), (N_Q, D_V), (0, 0), (0, 0)],
         "You multiplied without turning. The small T turns a matrix on its "
         "side: K is (5, 4), so K^T is (4, 5)."),
        ("all_exist",
         _with(p3=(N_Q, N_K), p5=(N_K, N_K)),
         "Four are right, but two of the six do not exist. Compare the inner "
         "two lengths of products 3 and 5."),
        ("query_meets_value", _with(p3=(N_Q, N_K)),
         "Product 3: a query has 4 numbers and a value 3, so there is no dot "
         "product of the two. The other five are right."),
        ("weights_on_the_right", _with(p5=(N_Q, D_V)),
         "Product 5: V A is not A V. The order counts: V is (5, 3), A is "
         "(2, 5), and 3 is not 2. The other five are right."),
        ("same_as_the_first", _with(p2=(N_Q, N_K)),
         "Product 2: K Q^T is Q K^T on its side. The other five are right."),
        ("scores_have_width", _with(p1=(N_Q, D_K)),
         "Product 1: the width d_k is summed up in each dot product and "
         "vanishes. What is left are queries and keys. The other five are "
         "right."),
        ("result_of_the_keys", _with(p4=(N_K, D_V)),
         "Product 4: the result has a row for each *query*, not for each "
         "value. The other five are right."),
        ("result_with_width_of_keys", _with(p4=(N_Q, D_K)),
         "Product 4: the result is a mixture of values, so it is as wide as "
         "a value. The other five are right."),
        ("meaningless_does_not_exist", _with(p6=(0, 0)),
         "Product 6 exists: K^T is (4, 5), V is (5, 3). It means nothing in "
         "attention, and that is the danger: no error would tell you. The "
         "other five are right."),
        ("keys_meet_values", _with(p6=(N_K, N_K)),
         "Product 6: the 5 of K^T meets the 5 of V, and both vanish. What "
         "are the outer two? The other five are right."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    right = (abs(got - want) < 0.002).all(axis=1)
    first = int(np.argmin(right))
    exists = "exists" if want[first].any() else "does not exist"
    known = (got[first] != 0).any() == want[first].any()
    start = f"{int(right.sum())} of 6 are right. "
    if not known:
        return start + f"Look again at {NAMES[first]}: this product {exists}."
    return start + (
        f"Look again at {NAMES[first]}: write the shape of each factor below "
        "it, with rows and columns exchanged where there is a T. The two "
        "inner numbers go, and the two outer ones are the shape."
    )


SIX_PRODUCTS = Paper(
    name="six_products_by_hand(shapes)",
    asked="The shapes of six products: six pairs in the order of the list, "
    "such as `[(2, 3), (0, 0), ...]`; `(0, 0)` if there is no such product.",
    count="six pairs of numbers",
    given="Q (2, 4), K (5, 4), V (5, 3), A (2, 5); " + ", ".join(NAMES),
    expected="six pairs of whole numbers: rows and columns of each product",
    want=lambda: _RIGHT,
    misconceptions=_misconceptions,
    praise="All six are right. Two of these products do not exist, which is "
    "lucky: the computer says so. The last one exists and means nothing "
    "here, which is worse.",
    hints=(
        "Write the two shapes side by side, such as (2, 4)(4, 5). The inner "
        "two numbers must agree; the outer two are the shape of the product.",
        "Turned on their sides, K is (4, 5), Q is (4, 2) and V is (3, 5). "
        "Two of the six products do not exist.",
    ),
    look=_look,
)
