"""The check `pe`: its reference, and what it says to unusual answers."""

import numpy as np
import pytest
import torch

from transformer_lib.course import checks
from transformer_lib.course.checks.about_pe import EXERCISE
from transformer_lib.course.checks.paper import (
    equal_products_by_hand as paper_positions,
)
from transformer_lib.course.checks.paper import (
    wavelengths_by_hand as paper_wavelengths,
)
from transformer_lib.course.checks.pe_variants import encoded
from transformer_lib.positional import sinusoidal_encoding


@pytest.mark.parametrize("n, d", [case.args for case in EXERCISE.cases])
def test_the_reference_is_the_library_s(n, d):
    want = sinusoidal_encoding(n, d)
    got = torch.tensor(encoded(n, d), dtype=want.dtype)
    torch.testing.assert_close(got, want)


def test_no_two_variants_give_the_same_tables():
    tables = {}
    for mistake in EXERCISE.mistakes:
        for edits in mistake.edits:
            made = [EXERCISE.expected(c, **edits).array for c in EXERCISE.cases]
            key = tuple(
                (table.shape, np.nan_to_num(table, nan=7).round(9).tobytes())
                for table in made
            )
            assert tables.setdefault(key, mistake.id) == mistake.id


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t, n, d: t[:, :-1], "shape"),
        (lambda t, n, d: np.where(t > 0.99, np.nan, t), "nan"),
        (lambda t, n, d: t + 0.01, "must read 0, 1, 0, 1"),
        (lambda t, n, d: np.where(t < 0, 0.9 * t, t), "sine and cosine of"),
        (lambda t, n, d: encoded(n, d, base="n") if n > 4 else t, "more pos"),
        (
            lambda t, n, d: encoded(n, d) if d < 8 else _base(n, d, 8000),
            "pair 1 of 4 turns by",
        ),
    ],
)
def test_the_first_broken_property_is_named(change, says):
    verdict = checks.pe(lambda n, d: change(encoded(n, d), n, d))
    assert verdict.status == "wrong" and verdict.mistake is None
    assert says in verdict.message, verdict.message


def _base(n, d, base):
    angle = np.arange(n)[:, None] / base ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d)


def test_two_mistakes_at_once_are_both_named():
    verdict = checks.pe(
        lambda n, d: encoded(n, d, base="1000", layout="halves")
    )
    assert verdict.mistake == "base_1000+sines_then_cosines"


def test_paper_answers_are_those_of_the_table():
    table = sinusoidal_encoding(102, 4).double().numpy()
    got = [table[a] @ table[b] for a, b in paper_positions.PAIRS]
    np.testing.assert_allclose(
        got, paper_positions.EQUAL_PRODUCTS.answer, atol=1e-5
    )
    table = sinusoidal_encoding(2, 8).double().numpy()
    speeds = np.arctan2(table[1, 0::2], table[1, 1::2])
    np.testing.assert_allclose(
        1 / speeds, paper_wavelengths.WAVELENGTHS.answer, rtol=1e-4
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
