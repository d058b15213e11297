"""Numbers worked out on paper: layer norm of a transposed matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.reading import show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["MATRIX", "TURNED", "turned_matrix_by_hand"]

MATRIX = np.array([[1.0, 2, 3, 6], [2, 2, 4, 8], [3, 2, 5, 4]])


def turned_matrix_by_hand(value: Any) -> Verdict:
    """Check layer norm of the first and the last row of the transpose.

    G is the transpose of the matrix H of chapter 6: four tokens with three
    features each, (1, 2, 3), (2, 2, 2), (3, 4, 5), (6, 8, 4). No eps, no
    gain, no shift.

    Args:
        value: two rows of three numbers; each may differ by 0.002.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 6.
    """
    return judge_paper(TURNED, value)


def _both(mean: Any, below: Any) -> np.ndarray:
    """The first and the last row of G, less a mean, over something."""
    with np.errstate(all="ignore"):
        return ((_G - mean) / below)[[0, 3]]


_G = MATRIX.T
_MEAN = _G.mean(axis=1, keepdims=True)
_AWAY = _G - _MEAN
_VAR = (_AWAY**2).mean(axis=1, keepdims=True)


def _want() -> np.ndarray:
    return _both(_MEAN, np.sqrt(_VAR))


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    unbiased = _AWAY / np.sqrt(_VAR * 3 / 2 + (_VAR == 0))
    pick = [
        ("gave_batch_norm", _both(_G.mean(axis=0), _G.std(axis=0)),
         "That is batch norm of G: you took the mean and the standard "
         "deviation of each column. Layer norm goes along a row, three "
         "numbers at a time."),
        ("not_divided", _both(_MEAN, 1.0),
         "Those are the differences from the mean, and they are right. Now "
         "divide each row by its standard deviation."),
        ("divided_by_the_variance", _both(_MEAN, _VAR),
         "You divided by the variance. Take its square root first."),
        ("divided_by_n_minus_one", unbiased[[0, 3]],
         "You divided the sum of squares by 2, as statistics books often "
         "do. Layer norm divides by 3, the number of features."),
        ("squares_added_up", _both(_MEAN, np.sqrt(3 * _VAR)),
         "You took the root of the *sum* of squares. Divide that sum by 3 "
         "first: the variance is a mean."),
        ("mean_distance", _both(_MEAN, abs(_AWAY).mean(axis=1, keepdims=True)),
         "You divided by the mean distance from the mean. Square the "
         "differences, average, then take the root."),
        ("mean_not_subtracted", _both(0.0, np.sqrt(_VAR)),
         "You divided by the right numbers but did not subtract the means "
         "first."),
        ("signs_exchanged", _both(_MEAN, -np.sqrt(_VAR)),
         "The size is right, the signs are not: it is x minus the mean, so "
         "an entry below the mean comes out negative."),
        ("over_all_entries", _both(_G.mean(), _G.std()),
         "You used one mean and one standard deviation for all twelve "
         "numbers. Each row has its own."),
        ("gave_the_means", _MEAN[[0, 3], 0],
         "Those are the means of the two rows, and they are right. Subtract "
         "them, then divide by the standard deviations."),
        ("gave_the_variances", _VAR[[0, 3], 0],
         "Those are the variances of the two rows, and they are right. "
         "Their roots are what you divide by."),
        ("gave_the_deviations", np.sqrt(_VAR[[0, 3], 0]),
         "Those are the standard deviations of the two rows, and they are "
         "right. Divide the differences from the mean by them."),
        ("gave_all_four_rows", _rows(),
         "All four rows came, and they may well be right; asked are the "
         "first and the last one only."),
        ("rounded", np.round(_want(), 2),
         "Both rows are right as far as they go, but they are rounded to "
         "two decimals. Give three."),
        ("gave_columns", _want().T,
         "Both answers are right, but they stand as columns. Write two rows "
         "of three numbers: `[(..., ..., ...), (..., ..., ...)]`."),
        ("not_turned", _first_and_last_of_h(),
         "That is layer norm of H itself, first and last row. Transpose H "
         "first: a row of G has three numbers."),
        ("rows_exchanged", _want()[::-1],
         "Both rows are right but stand in the wrong order."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _first_and_last_of_h() -> np.ndarray:
    away = MATRIX - MATRIX.mean(axis=1, keepdims=True)
    return (away / MATRIX.std(axis=1, keepdims=True))[[0, 2]]


def _rows() -> np.ndarray:
    return _AWAY / np.sqrt(_VAR + (_VAR == 0))


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = (abs(got - want) <= 0.002).all(axis=1)
    if fits.any():
        good, bad = ("first", "last") if fits[0] else ("last", "first")
        return (
            f"Your {good} row is right. Look again at the {bad} one: mean, "
            "differences, their squares, the mean of these, its root."
        )
    if abs(got.mean(axis=1)).max() > 0.01:
        return (
            "After layer norm a row has the mean 0, so its three numbers "
            "add up to 0. Yours do not."
        )
    return (
        "Your rows have the mean 0, which is right. Check the standard "
        "deviations: the mean of the squares, then its root."
    )


TURNED = Paper(
    name="turned_matrix_by_hand(rows)",
    asked="Layer norm of the first and the last row of G, without eps, gain "
    "and shift: two rows of three numbers with three decimals, such as "
    "`[(0.1, 0.2, 0.3), (0.4, 0.5, 0.6)]`.",
    count="two rows of three numbers",
    given=show(_G, "G = "),
    expected="the first and the last row of G, each with mean 0 and standard "
    "deviation 1",
    want=_want,
    misconceptions=_misconceptions,
    praise="Both rows are right. Compare them with the columns of the batch "
    "norm table in the text.",
    hints=(
        "One row at a time. The first row is (1, 2, 3): its mean is in the "
        "middle, and the differences are whole numbers.",
        "Square the three differences, add them up, divide by 3, take the "
        "root, which is the standard deviation. Then divide the three "
        "differences by it. Each row has a standard deviation of its own.",
    ),
    look=_look,
)
