"""What is special to the checks `stable_softmax` and spreads."""

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code import stable_softmax
from transformer_course.checks.engine.matching import combined
from transformer_course.checks.engine.reading import same
from transformer_course.checks.paper import spreads_by_hand as paper_spread


def test_stable_softmax_reference_agrees_with_torch():
    draw = np.random.default_rng(0)
    for shape in [(4,), (2, 5), (3, 3), (2, 3, 4)]:
        x = 300 * draw.normal(size=shape)
        want = torch.softmax(torch.from_numpy(x), dim=-1).numpy()
        got = stable_softmax.EXERCISE.solve(x)
        np.testing.assert_allclose(got, want, rtol=1e-10)


def test_two_mistakes_are_not_called_right():
    exercise, seen = stable_softmax.EXERCISE, 0
    draw = np.random.default_rng(99)
    for _, edits in list(combined(exercise, 2))[::9]:
        verdict = checks.stable_softmax(exercise.variant(edits))
        if not verdict.ok:
            seen += verdict.mistake is not None
            continue
        for shape in [(3, 5), (4, 4), (2, 3, 4)]:
            x = draw.normal(size=shape)
            got = exercise.variant(edits)(x)
            assert same(np.asarray(got), exercise.solve(x)), edits
    assert seen > 10


def test_two_mistakes_by_hand():
    def first_axis_base_two(x):
        return 2.0**x / (2.0**x).sum(axis=0)

    verdict = checks.stable_softmax(first_axis_base_two)
    assert verdict.mistake == "first_axis+base_two"


def test_the_size_of_scores_matters_only_when_the_values_are_right():
    def mean_and_wrong_axis(x):
        e = np.exp(x - x.mean())
        return e / e.sum(axis=0, keepdims=True)

    assert checks.stable_softmax(mean_and_wrong_axis).mistake == "first_axis"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((1, 2, 8, 8, 3), "after the division"),
        ((1, 2, 7, 8, 2), "doubled query"),
        ((1, 5, 8, 8, 2), "Right so far: variance for d = 1"),
        ((1, 2, 8), "3 numbers came"),
        ((1, 2, 8, ..., 2), "still missing"),
    ],
)
def test_spreads_say_where_to_look(value, says):
    assert says in checks.spreads_by_hand(value).message


def test_spreads_are_those_of_all_cases():
    for d in (1, 2, 5):
        sums = paper_spread.sums_of_products(d, 3.0)
        assert len(sums) == 2**d and sums.mean() == 0
        assert sums.var() == 9 * d


def test_spreads_never_tell_the_answer():
    for value in [None, (1, 1, 1, 1, 1), (0, 0, 0, 0, 0), "x", 5]:
        verdict = checks.spreads_by_hand(value)
        text = repr(verdict) + verdict.hint(1) + verdict.hint(2)
        assert "1, 2, 8" not in text and "[1, 2" not in text
