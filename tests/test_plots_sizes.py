"""The figure `head_sizes`: the sizes are those that the arithmetic has."""

import re

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from transformer_lib import numpy_reference as reference
from transformer_lib.course import plots


def sizes(ax):
    """{name: (rows, columns)} of the matrices, and of those on arrows."""
    texts = [t.get_text() for t in ax.texts]
    found = [re.fullmatch(r"(.*?) *\((\d+), (\d+)\)", text) for text in texts]
    return {m[1]: (int(m[2]), int(m[3])) for m in found if m and m[1]}


def cells(ax, color):
    return [
        patch.get_xy()
        for patch in ax.patches
        if patch.get_fill() and to_rgb(patch.get_facecolor()) == to_rgb(color)
    ]


def test_the_sizes_are_those_of_the_arrays():
    n_q, n_k, d, d_k, d_v = 3, 5, 8, 4, 2
    drawn = sizes(plots.head_sizes(n_q, n_k, d, d_k, d_v))
    draw = np.random.default_rng(0)
    queries, keys = draw.normal(size=(n_q, d)), draw.normal(size=(n_k, d))
    W_Q, W_O = np.ones(drawn["W$^Q_1$"]), np.ones(drawn["W$^O$"])
    assert (queries @ W_Q).shape == drawn["Q W$^Q_1$"]
    made = np.ones(drawn["K W$^K_1$"]), np.ones(drawn["V W$^V_1$"])
    head = reference.scaled_dot_product_attention(queries @ W_Q, *made)
    weights = reference.attention_weights(queries @ W_Q, made[0])
    assert weights.shape == drawn["weights"] == drawn["scores"]
    assert head.shape == drawn["head$_1$"] and keys.shape == drawn["K = V"]
    joined = np.concatenate([head, head], axis=1)
    assert joined.shape == drawn["head$_1$, head$_2$"]
    assert (joined @ W_O).shape == drawn["result"] == drawn["Q"]


def test_one_query_is_followed_and_one_head_is_marked():
    n_q, n_k, d, d_k, d_v = 3, 5, 8, 4, 2
    ax = plots.head_sizes(n_q, n_k, d, d_k, d_v, row=1)
    orange = d + d_k + n_k + n_k + d_v + 2 * d_v + d
    assert len(cells(ax, plots.PALETTE["orange"])) == orange
    rest = n_q - 1  # rows of the head in which the query is not
    blue = rest * (d_k + 2 * d_v) + n_k * (d_k + d_v)
    assert len(cells(ax, plots.PALETTE["blue"])) == blue


@pytest.mark.parametrize("sizes", [(3, 5, 8, 4, 3), (6, 2, 6, 2, 5)])
def test_no_two_matrices_overlap_and_all_are_in_view(sizes):
    ax = plots.head_sizes(*sizes)
    corners = [p.get_xy() for p in ax.patches if p.get_fill()]
    assert all(
        abs(a - x) >= 1 or abs(b - y) >= 1
        for k, (a, b) in enumerate(corners)
        for x, y in corners[:k]
    )
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for x, y in corners:
        assert left <= x and x + 1 <= right and high <= y and y + 1 <= low


@pytest.mark.parametrize("wrong", [{"n_k": 0}, {"row": 3}])
def test_what_cannot_be_drawn_is_refused(wrong):
    right = {"n_q": 3, "n_k": 5, "d": 8, "d_k": 4, "d_v": 3}
    with pytest.raises(ValueError, match="give sizes from 1"):
        plots.head_sizes(**right | wrong)
