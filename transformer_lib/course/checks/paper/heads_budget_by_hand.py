"""Numbers worked out on paper: what sixteen heads cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["HEADS_BUDGET", "heads_budget_by_hand"]

_D, _H, _N = 512, 16, 100
NAMES = (
    "the width of a head",
    "the parameters in the four matrices",
    "the multiplications for all scores",
    "the attention weights",
    "the attention weights with one head",
)


def heads_budget_by_hand(value: Any) -> Verdict:
    """Check five counts for d = 512, h = 16 and 100 tokens.

    Args:
        value: five whole numbers: the width of one head; the parameters in
            W_Q, W_K, W_V and W_O together; the multiplications for the
            scores of all heads; the attention weights of all heads; the
            attention weights if there were one head of width 512.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 7.
    """
    return judge_paper(HEADS_BUDGET, value)


def _want() -> tuple[int, ...]:
    width = _D // _H
    return width, 4 * _D**2, _H * _N**2 * width, _H * _N**2, _N**2


def _with(**changes: int) -> tuple[int, ...]:
    """The right counts, some of them replaced; `p2` is count 2."""
    return tuple(changes.get(f"p{i + 1}", n) for i, n in enumerate(_want()))


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    pick = [
        ("full_width_for_each_head", _with(p1=_D),
         "Count 1: the heads divide the 512 components among them. The other "
         "four are right."),
        ("heads_multiply_the_matrices", _with(p2=4 * _D**2 * _H),
         "Count 2: sixteen matrices of 512 by 32 are one of 512 by 512. The "
         "number of heads cancels. The other four are right."),
        ("three_matrices", _with(p2=3 * _D**2),
         "Count 2: there is a fourth matrix, W_O. The other four are right."),
        ("matrices_of_one_head", _with(p2=4 * _D * _D // _H),
         "Count 2: this is one head's part. The other four are right."),
        ("one_matrix", _with(p2=_D**2),
         "Count 2: this is a single one of the four matrices. The other four "
         "are right."),
        ("biases_counted", _with(p2=4 * _D**2 + 4 * _D),
         "Count 2: you counted biases, which the exercise leaves out. The "
         "other four are right."),
        ("sixteen_times_everything",
         _with(p2=4 * _D**2 * _H, p3=_H * _N**2 * _D),
         "Counts 2 and 3: you took sixteen heads of full width. Each is 32 "
         "wide, so the number of heads cancels."),
        ("scores_and_mixing", _with(p3=2 * _N**2 * _D),
         "Count 3: this is scores and mixing together; the scores alone are "
         "asked for. The other four are right."),
        ("tables_exchanged", _with(p4=_N**2, p5=_H * _N**2),
         "Counts 4 and 5 are exchanged: more heads, more tables of weights."),
        ("scores_of_one_head", _with(p3=_N**2 * _D // _H),
         "Count 3: these are the scores of a single head. The other four "
         "are right."),
        ("scores_at_full_width", _with(p3=_H * _N**2 * _D),
         "Count 3: inside a head a score has only 32 products, not 512. The "
         "other four are right."),
        ("no_width_in_the_scores", _with(p3=_H * _N**2),
         "Count 3: each score is a sum of products, one for each component "
         "of a query. The other four are right."),
        ("table_of_one_head", _with(p4=_N**2),
         "Count 4: each head has a table of weights of its own. The other "
         "four are right."),
        ("one_head_has_as_many", _with(p5=_H * _N**2),
         "Count 5: one head has one table of 100 by 100, however wide it "
         "is. The other four are right."),
        ("one_row_of_the_table", _with(p4=_H * _N, p5=_N),
         "Counts 4 and 5: you counted one row. Each of the 100 tokens "
         "queries, so a table has 100 rows."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    right = abs(got - want) < 0.002
    return (
        f"{int(right.sum())} of 5 are right. Look again at "
        f"{NAMES[int(np.argmin(right))]}."
    )


HEADS_BUDGET = Paper(
    name="heads_budget_by_hand(counts)",
    asked="Five whole numbers for d = 512, h = 16 and 100 tokens: "
    + ", ".join(NAMES)
    + ".",
    count="five numbers",
    given="d = 512, h = 16, heads of equal width, 100 tokens, self-attention",
    expected="five whole numbers",
    want=_want,
    misconceptions=_misconceptions,
    praise="All five are right. Matrices and multiplications are those of a "
    "single head of full width; only the tables of weights are sixteen.",
    hints=(
        "Begin with the width of a head: 512 components for 16 heads.",
        "One head: 100 times 100 scores, each a sum of as many products as a "
        "query has components. Then times the number of heads.",
    ),
    look=_look,
)
