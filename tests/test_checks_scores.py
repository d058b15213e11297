"""What is special to the checks `stable_softmax`, `scaled_scores`, spreads."""

import numpy as np
import pytest
import torch

from transformer_lib.course import checks
from transformer_lib.course.checks import about_scaled_scores
from transformer_lib.course.checks.code import stable_softmax
from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.matching import combined
from transformer_lib.course.checks.engine.reading import same
from transformer_lib.course.checks.paper import spreads_by_hand as paper_spread


def test_stable_softmax_reference_agrees_with_torch():
    draw = np.random.default_rng(0)
    for shape in [(4,), (2, 5), (3, 3), (2, 3, 4)]:
        x = 300 * draw.normal(size=shape)
        want = torch.softmax(torch.from_numpy(x), dim=-1).numpy()
        got = stable_softmax.EXERCISE.solve(x)
        np.testing.assert_allclose(got, want, rtol=1e-10)


def test_scaled_scores_reference_agrees_with_torch():
    attend = torch.nn.functional.scaled_dot_product_attention
    draw = np.random.default_rng(1)
    for lead, n_q, n_k, d_k in [((), 2, 3, 4), ((2, 3), 5, 4, 7)]:
        q = draw.normal(size=(*lead, n_q, d_k))
        k = draw.normal(size=(*lead, n_k, d_k))
        got = about_scaled_scores.scores_of(q, k)
        values = np.broadcast_to(np.eye(n_k), (*lead, n_k, n_k))
        want = attend(*(torch.from_numpy(a.copy()) for a in (q, k, values)))
        shares = stable_softmax.EXERCISE.solve(got)
        np.testing.assert_allclose(shares, want.numpy(), rtol=1e-10)


def composed(exercise, edits):
    """A student's function that makes these edits."""
    if isinstance(exercise.solve, Reference):
        return exercise.variant(edits)
    return lambda Q, K: exercise.solve(Q, K, **edits)


FRESH = {
    "stable_softmax": [((3, 5),), ((4, 4),), ((2, 3, 4),)],
    "scaled_scores": [((2, 6), (5, 6)), ((4, 4), (4, 4))],
}


@pytest.mark.parametrize(
    "exercise", [stable_softmax.EXERCISE, about_scaled_scores.EXERCISE]
)
def test_two_mistakes_are_not_called_right(exercise):
    draw = np.random.default_rng(99)
    seen = 0
    for _, edits in list(combined(exercise, 2))[::9]:
        verdict = getattr(checks, exercise.name)(composed(exercise, edits))
        if not verdict.ok:
            seen += verdict.mistake is not None
            continue
        for shapes in FRESH[exercise.name]:
            args = [draw.normal(size=shape) for shape in shapes]
            got = exercise.variant(edits)(*args)
            assert same(np.asarray(got), exercise.solve(*args)), edits
    assert seen > 10


def test_two_mistakes_by_hand():
    verdict = checks.scaled_scores(
        lambda Q, K: np.exp(Q @ np.swapaxes(K, -1, -2))
    )
    assert verdict.mistake == "no_scale+exponential_too"

    def first_axis_base_two(x):
        return 2.0**x / (2.0**x).sum(axis=0)

    verdict = checks.stable_softmax(first_axis_base_two)
    assert verdict.mistake == "first_axis+base_two"


def test_a_scale_that_looks_at_the_values_breaks_a_law():
    def mixed(Q, K):
        scores = Q @ np.swapaxes(K, -1, -2)
        return scores / (np.sqrt(Q.shape[-1]) + abs(scores).mean())

    verdict = checks.scaled_scores(mixed)
    assert verdict.mistake is None
    assert "must double" in verdict.message


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
