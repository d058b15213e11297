"""The checks on paper of the chapter on positions."""

import numpy as np
import pytest

from transformer_course import checks
from transformer_course.checks.paper import paper_of
from transformer_lib.positional import sinusoidal_encoding


def test_paper_answers_are_those_of_the_table():
    pairs = paper_of("equal_products_by_hand").givens["pairs"].value.astype(int)
    table = sinusoidal_encoding(102, 4).double().numpy()
    got = [table[a] @ table[b] for a, b in pairs]
    right = paper_of("equal_products_by_hand").answer
    np.testing.assert_allclose(got, right, atol=1e-5)
    table = sinusoidal_encoding(2, 8).double().numpy()
    speeds = np.arctan2(table[1, 0::2], table[1, 1::2])
    np.testing.assert_allclose(
        1 / speeds, paper_of("wavelengths_by_hand").answer, rtol=1e-4
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((0.5, 0.7, 1.54, 2), "your first two numbers differ"),
        ((0.01, 0.01, 1.3, 2), "PE(100)·PE(101)"),
    ],
)
def test_products_by_hand_says_where_to_look(value, says):
    message = checks.equal_products_by_hand(value).message
    assert says.lower() in message.lower()


def test_wavelengths_by_hand_says_where_to_look():
    message = checks.wavelengths_by_hand((1, 10, 50, 1000)).message
    assert "that of pair 2" in message
