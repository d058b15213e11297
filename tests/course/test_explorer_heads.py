"""The explorers of multi-head attention: NumPy moves the same cells."""

import itertools
import re

import numpy as np
import pytest

from transformer_course import explorers
from transformer_course.explorers import matrices, opinions
from transformer_lib import numpy_reference as reference


def cells(frame):
    """The numbers that are drawn: the picture's, then those in memory."""
    found = [int(n) for n in re.findall(r'class="x-mid">(\d+)<', frame.drawing)]
    half = len(found) // 2
    return found[:half], found[half:]


def numpy_way(T, h, way, step):
    """The array of this step, made by NumPy's own reshape and swapaxes."""
    x = np.arange(8 * T).reshape(1, T, 8)
    if step in (0, 3):
        return x
    if way == 1:
        return x.reshape(1, h, T, 8 // h)
    cut = x.reshape(1, T, h, 8 // h)
    return cut if step == 1 else cut.swapaxes(1, 2)


@pytest.mark.parametrize("T", [2, 3, 4])
@pytest.mark.parametrize("h", [2, 4])
def test_cells_stand_where_numpy_puts_them(T, h):
    explorer = explorers.heads_in_memory(T, h)
    places = itertools.product(range(2), range(4))
    for (way, step), frame in zip(places, explorer.frames, strict=True):
        array = numpy_way(T, h, way, step)
        drawn, memory = cells(frame)
        assert memory == array.ravel().tolist()
        if array.ndim == 4 and array.shape[1] == h and (way or step == 2):
            assert drawn == array.ravel().tolist()
        else:  # drawn part by part, each from the first token to the last
            parts = array.reshape(T, h, 8 // h).swapaxes(0, 1)
            assert drawn == parts.ravel().tolist()
        shape = ", ".join(map(str, array.shape))
        assert f"shape ({shape})" in frame.readout


def test_a_color_is_a_token():
    explorer = explorers.heads_in_memory()
    for frame in explorer.frames:
        pattern = r'x-fill x-(\w+)" opacity="0.3" rx="3"/><text[^>]*>(\d+)<'
        found = re.findall(pattern, frame.drawing)
        assert len(found) == 48
        for color, number in found:
            assert color == ("blue", "orange", "green")[int(number) // 8]


def test_only_the_right_way_keeps_tokens_in_their_rows():
    right, wrong = (explorers.heads_in_memory().frames[i] for i in (2, 6))
    assert "row 1 is 8 to 11 (token 1)" in right.readout
    assert "row 1 is 4 to 7 (token 0)" in wrong.readout
    start = explorers.heads_in_memory().frames[0]
    for place in (3, 7):
        assert cells(explorers.heads_in_memory().frames[place]) == cells(start)


@pytest.mark.parametrize("heads", opinions.HEADS)
def test_weights_equal_the_reference(heads):
    X = opinions.vectors()
    blocks = reference.split_heads(X, heads)
    wanted = [reference.attention_weights(part, part) for part in blocks]
    which = opinions.HEADS.index(heads)
    explorer = explorers.head_opinions()
    for token in range(len(opinions.TOKENS)):
        want = np.array([rows[token] for rows in wanted])
        got = opinions.head_weights(X, token, heads)
        np.testing.assert_allclose(got, want, atol=1e-12)
        frame = explorer.frames[token * len(opinions.HEADS) + which]
        drawn = re.findall(r'class="x-mid">(\d\.\d\d)<', frame.drawing)
        np.testing.assert_allclose(
            np.array(drawn, dtype=float), want.ravel(), atol=0.0051
        )


def test_the_scores_of_one_head_are_the_sum_of_all_others():
    X = opinions.vectors()
    parts = [part @ part.T for part in reference.split_heads(X, 4)]
    np.testing.assert_allclose(sum(parts), X @ X.T, atol=1e-12)


def test_see_finds_the_plural_noun_only_with_a_head_for_number():
    explorer = explorers.head_opinions()
    one, _, four = explorer.frames[6:9]
    assert "number: dogs and see" in four.readout
    assert "dogs" not in one.readout


def test_live_inputs_are_recomputed_and_refused():
    first = explorers.heads_in_memory()
    page = first.view([4, 1, 1, 2])
    assert "shape (1, 4, 4, 2)" in page and "row 3 is 6 to 7" in page
    second = explorers.head_opinions()
    quiet = second.view([2, 2, 0.5])
    weights = opinions.head_weights(opinions.vectors(0.5), 2, 4)
    assert f">{weights[1, 1]:.2f}<" in quiet


@pytest.mark.parametrize(("T", "h"), [(1, 2), (5, 2), (3, 3), (3, 8)])
def test_other_sizes_are_refused(T, h):
    with pytest.raises(ValueError, match="2 to 4 tokens"):
        explorers.heads_in_memory(T, h)


@pytest.mark.parametrize("place", range(3))
def test_the_sizes_of_one_head_are_those_of_numpy(place):
    h, d_k, d_v = matrices.SIZES[place]
    Q, X = np.zeros((3, 8)), np.zeros((5, 8))
    q, k, v = (
        Q @ np.zeros((8, d_k)),
        X @ np.zeros((8, d_k)),
        X @ np.zeros((8, d_v)),
    )
    scores = q @ k.T
    head = scores @ v
    joined = np.hstack([head] * h)
    result = joined @ np.zeros((h * d_v, 8))
    arrays = (Q, X, X, q, k, v, scores, scores, head, result, joined)
    names = ("Q", "K", "V", "queries", "keys", "values", "scores", "weights",
             "head 1", "result", "all heads")  # fmt: skip
    explorer = explorers.head_matrices()
    for step in range(len(matrices.STEPS)):
        drawing = explorer.frames[len(matrices.SIZES) * step + place].drawing
        pattern = r">([A-Za-z1 ]+)</text><text[^>]*>(\([\d, ]+\))<"
        found = dict(re.findall(pattern, drawing))
        assert found == {
            name: str(array.shape)
            for name, array in zip(names, arrays, strict=True)
        }


def test_each_step_of_one_head_lights_the_matrices_that_it_needs():
    explorer = explorers.head_matrices()
    lit = [
        set(re.findall(r'class="x-mid x-strong">([^<]+)<', frame.drawing))
        for frame in explorer.frames[1 :: len(matrices.SIZES)]
    ]
    assert len(lit[0]) == 11
    assert lit[1:5] == [
        {"Q", "queries"},
        {"K", "keys"},
        {"V", "values"},
        {"queries", "keys", "scores"},
    ]
    assert lit[5:] == [
        {"scores", "weights"},
        {"weights", "values", "head 1"},
        {"head 1", "all heads"},
        {"all heads", "result"},
    ]


def test_a_step_that_one_head_does_not_have_is_named():
    with pytest.raises(ValueError, match="from 0 to 8"):
        explorers.head_matrices(9)
