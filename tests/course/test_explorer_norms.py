"""The explorers of normalization: their numbers are NumPy's and torch's."""

import itertools
import re

import numpy as np
import pytest
import torch
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import companions, influence
from transformer_lib import numpy_reference as reference

H = np.array(influence.MATRIX)


def norms(x):
    one, zero = np.ones(x.shape[1]), np.zeros(x.shape[1])
    return (
        reference.batch_norm(x, one, zero),
        reference.layer_norm(x, one, zero),
    )


def test_influence_equals_numpy():
    explorer = explorers.norm_influence()
    places = itertools.product(range(3), range(4))
    for (i, j), frame in zip(places, explorer.frames, strict=True):
        _, batch, layer = re.split(r"(?<=\.) With ", frame.readout)
        for said, which in ((batch, 0), (layer, 1)):
            result, *moves = re.split("; |: ", said)
            before = norms(H)[which][i, j]
            assert numbers(result)[-1] == pytest.approx(before, abs=0.0051)
            told = re.findall(r"\((\d), (\d)\) by \+?(−?[\d.]+)", said)
            seen = {}
            for row, column, change in told:
                seen[int(row) - 1, int(column) - 1] = numbers(change)[0]
            for place in np.ndindex(*H.shape):
                raised = H.copy()
                raised[place] += 1
                moved = norms(raised)[which][i, j] - before
                assert seen.get(place, 0) == pytest.approx(moved, abs=0.0051)


def test_influence_runs_along_a_column_and_along_a_row():
    explorer = explorers.norm_influence()
    for place, frame in enumerate(explorer.frames):
        row, column = place // 4 + 1, place % 4 + 1
        batch, layer = frame.readout.split("With layer norm")
        for part, which, where in ((batch, 2, column), (layer, 1, row)):
            for cell in re.findall(r"\((\d), (\d)\) by", part):
                assert int(cell[which - 1]) == where


def test_batch_companions_equal_torch():
    explorer = explorers.batch_companions()
    token = np.array(companions.TOKEN)
    places = itertools.product(companions.SIZES, range(companions.BATCHES))
    layer = torch.nn.functional.layer_norm(torch.tensor(token), (4,)).numpy()
    for (size, k), frame in zip(places, explorer.frames, strict=True):
        rows = [token, *companions.companions(size, k)]
        x = torch.tensor(np.array(rows))
        want = (x - x.mean(0)) / torch.sqrt(x.var(0, correction=0) + 1e-5)
        said = re.findall(r"\(([^)]*)\)", frame.readout)
        first, last = numbers(said[0]), numbers(said[-1])
        np.testing.assert_allclose(first, want[0].numpy(), atol=0.0051)
        np.testing.assert_allclose(last, layer, atol=0.0051)


def test_alone_gives_zero_and_two_give_plus_or_minus_one():
    token = np.array(companions.TOKEN)
    for k in range(companions.BATCHES):
        assert (companions.in_batch(token, 1, k) == 0).all()
        pair = companions.in_batch(token, 2, k)
        np.testing.assert_allclose(abs(pair), 1, atol=0.05)


def test_a_larger_batch_begins_as_a_smaller_one():
    small, large = companions.companions(4, 2), companions.companions(32, 2)
    np.testing.assert_array_equal(small, large[:3])


def test_live_inputs_are_recomputed_and_refused():
    first = explorers.norm_influence()
    page = first.view(["1, 5; 3, 1", 1, 1])
    assert "Token 2, feature 2 holds 1" in page and "becomes −1.00" in page
    assert "is no row" in first.view(["1, x", 0, 0])
    assert "give 2 to 4 rows" in first.view(["1, 2, 3", 0, 0])
    second = explorers.batch_companions()
    assert "the token alone" in second.view(["1, 1, -1, -1", 1, 3])
    assert "(1.00, 1.00, −1.00, −1.00)" in second.view(["1,1,-1,-1", 5, 1])
    assert "is no token" in second.view(["a", 5, 1])
    assert "from -2 to 2" in second.view(["1, 2, 9, 0", 5, 1])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: explorers.norm_influence(np.ones((5, 2))), "2 to 4 rows"),
        (lambda: explorers.norm_influence([1, 2]), "2 axes"),
        (lambda: explorers.batch_companions([1, 2]), "four numbers"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
