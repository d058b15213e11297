"""What the checks of exercises on paper accept, name and say."""

import dataclasses

import numpy as np
import pytest

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)

KNOWN = [
    Misconception("nearly_right", (0.5, 2.001), "Nearly."),
    Misconception("swapped", (2.0, 0.5), "Swapped."),
    Misconception("also_swapped", (2.0, 0.5), "Swapped again."),
    Misconception("squared", ((0.25, 4.0), (1.0, 1.0)), "Squared."),
]
PAIR = Paper(
    name="pair_by_hand((..., ...))",
    asked="Give two numbers.",
    count="two numbers",
    given="x = 1",
    expected="two numbers",
    want=lambda: (0.5, 2.0),
    misconceptions=lambda: KNOWN,
    praise="Well done.",
    hints=("First.", "Second."),
)
MATRIX = dataclasses.replace(PAIR, want=lambda: [[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    "value",
    [
        (0.5, 2.0),
        [0.502, 1.998],
        np.array([[0.5, 2.0]]),
        [[0.5], [2.0]],
        (0.5, np.float32(2.0)),
    ],
)
def test_right_numbers_are_right_in_any_brackets(value):
    assert judge_paper(PAIR, value).ok


@pytest.mark.parametrize(
    ("value", "mistake", "says"),
    [
        ((2.0, 0.5), "swapped", "Swapped."),
        (((0.25, 4.0), (1.0, 1.0)), "squared", "Squared."),
        ((0.504, 2.0), None, "1 of 2 numbers is right; the first wrong one"),
        ((0.5, 1.0), None, "is number 2."),
        ((0.4, 2.001), None, "1 of 2 numbers is right"),
        ((0.0, -1e9), None, "0 of 2 numbers are right"),
        (0.5, None, "Two numbers are wanted, and 1 number came"),
        ((0.5, 2.0, 1.0), None, "3 numbers came"),
        ([[0.5, 2.0]] * 2, None, "shape (2, 2) came"),
        ((0.5, np.nan), None, "not a finite number"),
        ((0.5, ...), "half_filled", "Some are still missing"),
        ([[1.0, None]], "half_filled", "Some are still missing"),
        ("0.5, 2", "not_numbers", "Write plain numbers"),
        (len, "a_function", "not a function"),
    ],
)
def test_other_values_are_told_apart(value, mistake, says):
    verdict = judge_paper(PAIR, value)
    assert verdict.status == "wrong" and verdict.mistake == mistake
    assert says in verdict.message
    assert verdict.example.given == "x = 1" and verdict.hint(2) == "Second."


@pytest.mark.parametrize(
    ("value", "mistake"),
    [
        ((0.06, 2.35), "rounded"),
        ((0.06, 2.3456), "rounded"),
        ((2.35, 0.06), "turned"),
        ((0.063, 2.0), None),
        ((0.07, 2.35), None),
    ],
)
def test_numbers_with_two_decimals_are_recognized(value, mistake):
    fine = dataclasses.replace(
        PAIR,
        want=lambda: (0.0625, 2.3456),
        misconceptions=lambda: [
            Misconception("turned", (2.3456, 0.0625), "Turned.")
        ],
    )
    assert judge_paper(fine, value).mistake == mistake
    assert not judge_paper(fine, value).ok


@pytest.mark.parametrize("value", [None, ..., (), (..., None), [[...], [...]]])
def test_a_form_that_is_not_filled_in_is_no_attempt(value):
    assert judge_paper(PAIR, value).status == "not attempted"


def test_a_matrix_has_rows_and_columns():
    assert judge_paper(MATRIX, [[1, 2], [3, 4]]).ok
    verdict = judge_paper(MATRIX, [[1, 2], [9, 4]])
    assert "3 of 4" in verdict.message
    assert "is row 2, column 1." in verdict.message
    assert "and 4 numbers came" in judge_paper(MATRIX, [1, 2, 3, 4]).message


def test_an_exercise_may_say_itself_where_to_look():
    own = dataclasses.replace(PAIR, look=lambda got, want: f"{got} for {want}")
    assert judge_paper(own, (1, 1)).message == "[1. 1.] for [0.5 2. ]"
    broken = dataclasses.replace(PAIR, look=lambda got, want: got[5])
    verdict = judge_paper(broken, (1, 1))
    assert verdict.mistake == "not_checkable" and "IndexE" in verdict.message
