"""The explorers `one_query` and `attention_shapes`: what they say is true."""

import itertools
import re

import numpy as np
import pytest
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import products, query
from transformer_lib import numpy_reference as reference

Q = np.array(query.QUERIES, dtype=float)
K = np.array(query.KEYS, dtype=float)
V = np.array(query.VALUES, dtype=float)


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_one_query_readouts_equal_numpy(seed):
    q, k, v = Q, K, V
    if seed is not None:
        draw = np.random.default_rng(seed)
        q, k, v = (
            draw.integers(-20, 21, size=size) / 10
            for size in ((2, 3), (5, 3), (5, 2))
        )
    explorer = explorers.one_query(q, k, v)
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1])
    shares = reference.attention_weights(q, k)
    result = reference.scaled_dot_product_attention(q, k, v)
    for i in range(len(q)):
        frames = explorer.frames[4 * i : 4 * i + 4]
        said = [frame.readout.split(": ", 1)[-1] for frame in frames[:3]]
        np.testing.assert_allclose(numbers(said[0]), scores[i], atol=1e-4)
        np.testing.assert_allclose(
            numbers(said[1].split(": ")[-1]), scaled[i], atol=5.1e-3
        )
        np.testing.assert_allclose(
            numbers(said[2])[:-1], shares[i], atol=5.1e-5
        )
        end = frames[3].readout.split("= ")[-1]
        np.testing.assert_allclose(numbers(end), result[i], atol=5.1e-5)


def test_the_start_is_the_example_of_the_chapter():
    explorer = explorers.one_query()
    readout = explorer.frames[explorer.start].readout
    assert readout.endswith("c₃ = (0.9100, 0.7553).")


def test_bars_are_as_long_as_the_shares():
    explorer = explorers.one_query()
    drawing = explorer.frames[explorer.start].drawing
    bars = re.findall(r'width="([\d.]+)" height="7" class="x-fill', drawing)
    shares = reference.attention_weights(Q, K)[-1]
    np.testing.assert_allclose(
        [float(bar) for bar in bars], 46 * shares, atol=0.06
    )


def test_live_takes_other_matrices_and_says_what_does_not_fit():
    explorer = explorers.one_query()
    page = explorer.view(["1, 0; 0, 2", "1, 1; 2, 0", "3, 0; 0, 3", 2, 3])
    want = reference.scaled_dot_product_attention(
        [[1, 0], [0, 2]], [[1, 1], [2, 0]], [[3, 0], [0, 3]]
    )[1]
    assert f"c₂ = ({want[0]:.4f}, {want[1]:.4f})" in page
    start = [entry.start for entry in explorer.inputs]
    for place, text, says in [
        (0, "1, 0", "2 numbers each and keys 4"),
        (2, "1, 0; 0, 1", "3 keys and 2 values"),
        (1, "1, 0; x", "is no matrix"),
        (1, "1, 0; 1", "is no matrix"),
    ]:
        values = list(start)
        values[place] = text
        assert says in explorer.view(values)


def test_too_much_for_the_picture_is_refused():
    with pytest.raises(ValueError, match="the picture holds"):
        explorers.one_query(np.ones((1, 5)), np.ones((3, 5)), V)


def actual(name, sizes):
    """The matrix of that name, filled with ones."""
    n_q, n_k, d_k, d_v = sizes
    whole = {
        "Q": np.ones((n_q, d_k)),
        "K": np.ones((n_k, d_k)),
        "V": np.ones((n_k, d_v)),
        "A": np.ones((n_q, n_k)),
    }[name[0]]
    return whole.T if name.endswith("ᵀ") else whole


def test_every_product_exists_exactly_when_numpy_says_so():
    explorer = explorers.attention_shapes()
    places = itertools.product(products.SIZES.values(), products.NAMES)
    seen = set()
    for (sizes, name), frame in zip(places, explorer.frames, strict=True):
        left, right = (actual(part, sizes) for part in name.split())
        assert f"has the shape {left.shape}" in frame.readout
        assert f"the shape {right.shape}" in frame.readout
        try:
            shape = (left @ right).shape
        except ValueError:
            assert "there is no product" in frame.readout
            assert "no product" in frame.drawing
            seen.add("none")
        else:
            assert f"The product has the shape {shape}" in frame.readout
            assert "no product" not in frame.drawing
            seen.add("accident" if "accident" in frame.readout else "one")
    assert seen == {"none", "accident", "one"}


def test_no_length_is_named_by_a_raw_symbol():
    explorer = explorers.attention_shapes()
    for frame in explorer.frames:
        words = re.sub("<[^>]*>", "", frame.drawing) + frame.readout
        assert "_" not in words
    assert "_" not in "".join(products.SIZES)


def test_with_all_sizes_different_no_product_exists_by_accident():
    explorer = explorers.attention_shapes()
    assert len(set(products.SIZES["all differ"])) == 4
    for frame in explorer.frames[: len(products.NAMES)]:
        assert "accident" not in frame.readout
    for frame in explorer.frames[-len(products.NAMES) :]:
        assert "there is no product" not in frame.readout


def test_live_sizes_are_whole_numbers_from_one_to_six():
    explorer = explorers.attention_shapes()
    assert "(2, 6)" in explorer.view([2.0, 6.0, 3.0, 1.0, 0])
    assert "give numbers from 1 to 6" in explorer.view([0, 5, 3, 1, 0])
