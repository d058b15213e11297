"""What is special to the checks of chapter 1: they keep the answers."""

import numpy as np
import pytest

from transformer_course import checks
from transformer_course.checks.code import weighted_average
from transformer_course.checks.paper import paper_of


def said(verdict):
    return repr(verdict) + verdict.hint(1) + verdict.hint(2)


def test_the_reference_agrees_with_numpy():
    draw = np.random.default_rng(0)
    for n, d in [(1, 4), (5, 1), (3, 3), (6, 2)]:
        weights, values = draw.random(n), draw.normal(size=(n, d))
        want = np.average(values, axis=0, weights=weights)
        got = weighted_average.EXERCISE.solve(weights, values)
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("value", [(2, 2), (2.5, 0), (9, 9), (0.1, 2), 5])
def test_the_average_on_paper_is_not_told(value):
    verdict = checks.average_by_hand(value)
    assert not verdict.ok
    text = said(verdict).replace(str(value)[1:-1], "")
    assert "(2.5, 2)" not in text and "[2.5, 2.0]" not in text


def test_the_code_check_uses_other_numbers_than_the_paper():
    for case in weighted_average.EXERCISE.cases:
        _, values = case.args
        assert values.shape != (3, 2) or not np.array_equal(
            values, paper_of("average_by_hand").givens["vectors"].value
        )


def test_the_table_of_the_book_is_the_one_that_the_rule_gives():
    table = paper_of("alignment_by_hand").answer
    assert table.shape == (4, 7)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    np.testing.assert_allclose(table.max(axis=1), [1, 1, 0.5, 0.5])
    english = "I am going on a trip tomorrow".split()
    main = [english[j] for j in table.argmax(axis=1)[:3]]
    assert main == ["I", "tomorrow", "trip"]


@pytest.mark.parametrize(
    ("row", "values", "says"),
    [
        (2, [0, 0, 0, 0.5, 0.25, 0.5, 0], "sums to 1.25"),
        (2, [0, 0, 0, 0.5, 0.25, 0.25, 0], "the weights are not"),
        (2, [0, 0, 0, 0, 0, 1, 0], "is missing in it"),
        (3, [0, 0, 1, 0, 0, 0, 0], "is missing in it"),
        (0, [0.5, 0.5, 0, 0, 0, 0, 0], "does not stand for"),
    ],
)
def test_the_alignment_says_which_row_to_look_at(row, values, says):
    table = paper_of("alignment_by_hand").answer.copy()
    table[row] = values
    verdict = checks.alignment_by_hand(table)
    assert says in verdict.message
    assert "나는 내일 여행을 간다".split()[row] in verdict.message


def test_a_table_that_is_half_empty_is_not_judged():
    table = [[1, 0, 0, 0, 0, 0, 0], [...] * 7, [...] * 7, [...] * 7]
    assert checks.alignment_by_hand(table).mistake == "half_filled"
    empty = [[...] * 7 for _ in range(4)]
    assert checks.alignment_by_hand(empty).status == "not attempted"
