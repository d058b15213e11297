"""Numbers worked out on paper: follow one cell through split and merge."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["CELL", "cell_by_hand"]

# Four tokens with six components, three heads of two; the cell that holds 13.
_T, _H, _WIDTH, _NUMBER = 4, 3, 2, 13
PARTS = (
    "the right split",
    "the split by view alone",
    "the merge without transpose",
)


def cell_by_hand(value: Any) -> Verdict:
    """Check where cell 13 of a (1, 4, 6) array goes; everything from 0.

    Args:
        value: eight whole numbers. With three heads of width 2: head, row
            and column after the right split; head, row and column after a
            view alone; row and column in the result if the split is right
            and the merge is a reshape without transpose.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 7.
    """
    return judge_paper(CELL, value)


def _where(array: np.ndarray) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(array == _NUMBER)[0])


def _cells() -> np.ndarray:
    return np.arange(_T * _H * _WIDTH).reshape(_T, _H * _WIDTH)


def _want() -> tuple[int, ...]:
    x = _cells()
    split = x.reshape(_T, _H, _WIDTH).swapaxes(0, 1)
    viewed = x.reshape(_H, _T, _WIDTH)
    merged = split.reshape(_T, _H * _WIDTH)
    return (*_where(split), *_where(viewed), *_where(merged))


def _with(first=None, second=None, third=None) -> tuple[int, ...]:
    """The right numbers, one of the three parts replaced."""
    right = _want()
    return (
        *(first or right[:3]),
        *(second or right[3:6]),
        *(third or right[6:]),
    )


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _want()
    pick = [
        ("counted_from_one", tuple(n + 1 for n in right),
         "You count from 1. Python counts from 0: the first head is head 0."),
        ("both_the_same", _with(second=right[:3]),
         "You gave the same cell for both splits. The second one re-reads "
         "memory: 0 to 7 become head 0, whatever token they are from."),
        ("exchanged", (*right[3:6], *right[:3], *right[6:]),
         "The two splits are exchanged: after the *right* one row 2 still "
         "holds components of token 2."),
        ("round_trip", _with(third=(2, 1)),
         "The first six are right. But a merge without transpose does not "
         "undo the right split: write the three heads down one after the "
         "other, as they are read, then cut that line into sixes."),
        ("column_before_row", _with(third=(5, 0)),
         "The first six are right. In the merge you gave (column, row); the "
         "row is wanted first."),
        ("row_and_head", _with(first=(right[1], right[0], right[2])),
         "In the right split you gave (row, head, column), which is the "
         "order before the transpose. The task asks for head first."),
        ("every_third", _with(first=(1, 2, 0)),
         "In the right split you dealt the columns out like cards. A head "
         "owns neighbors: head 0 has columns 0 and 1."),
        ("column_of_the_token", _with(first=(0, 2, 13)),
         "In the right split the last number is the column inside the head, "
         "0 or 1."),
        ("heads_of_equal_tokens", _with(second=(1, 1, 1)),
         "In the split by view alone: head 1 begins with cell 8, and its rows "
         "have two cells each. Count again."),
        ("sixes", _with(second=(2, 0, 1)),
         "In the split by view alone you cut the line into sixes. A head now "
         "has four rows of two, eight cells."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    right = abs(got - want) < 0.002
    parts = [right[:3].all(), right[3:6].all(), right[6:].all()]
    first = int(np.argmin(parts))
    return (
        f"{int(right.sum())} of 8 numbers are right. Look again at "
        f"{PARTS[first]}: write the 24 numbers down in their new order and "
        "find the 13."
    )


CELL = Paper(
    name="cell_by_hand(places)",
    asked="Eight whole numbers, counted from 0: head, row, column after the "
    "right split; head, row, column after a view alone; row, column in the "
    "result after the right split and a merge without transpose.",
    count="eight numbers",
    given="cells 0 to 23: 4 tokens, 6 components; 3 heads of width 2; cell 13",
    expected="eight whole numbers: three, three and two",
    want=_want,
    misconceptions=_misconceptions,
    praise="All eight are right. The right split keeps cell 13 in row 2, the "
    "row of its token. The wrong merge puts it into the row of token 0, an "
    "earlier token, which should know nothing of token 2.",
    hints=(
        "Token 2 holds the cells 12 to 17, so 13 is its component 1. Head 0 "
        "owns the components 0 and 1 of every token.",
        "A view alone never changes the order 0, 1, 2 ... 23. Cut this "
        "line into three heads of 8 cells, and each head into four rows.",
    ),
    look=_look,
)
