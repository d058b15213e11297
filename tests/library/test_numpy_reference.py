"""The NumPy reference against numbers worked out by hand: attention."""

import math
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from transformer_lib import numpy_reference as reference

E = math.e
LN2 = math.log(2)


def close(actual, wanted):
    assert_allclose(actual, wanted, rtol=0, atol=1e-12)


def test_imports_numpy_alone():
    code = (
        "import sys, transformer_lib.numpy_reference;"
        "print([m for m in ('torch', 'jaxtyping', 'matplotlib', 'ipywidgets')"
        " if m in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "[]"


def test_every_public_name_says_what_it_does_and_where_it_is_from():
    for name in reference.__all__:
        text = getattr(reference, name).__doc__
        needs_none = "Attributes" in text or name == "padding_mask"
        assert "Source: " in text or needs_none, name


# ----------------------------------------------------------------- softmax


def test_softmax_of_logarithms_gives_their_numbers_as_shares():
    close(reference.softmax(np.log([1, 2, 5])), [1 / 8, 2 / 8, 5 / 8])


def test_softmax_doubles_a_vote_for_each_ln_2():
    scores = LN2 * np.array([2, 0, 1])
    close(reference.softmax(scores), [4 / 7, 1 / 7, 2 / 7])


def test_softmax_shares_along_the_axis_asked_for():
    scores = LN2 * np.array([[0, 1, 2], [2, 1, 1]])
    rows = [[1 / 7, 2 / 7, 4 / 7], [2 / 4, 1 / 4, 1 / 4]]
    columns = [[1 / 5, 1 / 2, 2 / 3], [4 / 5, 1 / 2, 1 / 3]]
    close(reference.softmax(scores), rows)
    close(reference.softmax(scores, axis=1), rows)
    close(reference.softmax(scores, axis=0), columns)
    close(reference.softmax(scores, 0), columns)


def test_softmax_of_one_score_is_one():
    for score in (-3.0, 0.0, 7.0):
        assert reference.softmax([score]).tolist() == [1.0]


def test_softmax_survives_scores_far_beyond_the_exponential():
    base = [1, 1 / E, 1 / E**2]
    wanted = np.array(base) / sum(base)
    close(reference.softmax([1000, 999, 998]), wanted)
    # a row far below the largest score of another row
    both = reference.softmax([[1000, 999, 998], [-1000, -1001, -1002]])
    close(both, [wanted, wanted])
    assert reference.softmax([0, -800]).tolist() == [1.0, 0.0]


def test_softmax_gives_minus_infinity_no_share():
    shares = reference.softmax([0.0, -np.inf, LN2])
    close(shares, [1 / 3, 0, 2 / 3])
    assert shares[1] == 0.0


def test_softmax_leaves_its_input_alone_and_answers_in_float64():
    scores = np.array([1, 2], dtype=np.float32)
    assert reference.softmax(scores).dtype == np.float64
    assert scores.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("nothing", [[], np.array(3.0), [-np.inf] * 2])
def test_softmax_refuses_a_row_with_nothing_to_share(nothing):
    with pytest.raises(ValueError, match="needs"):
        reference.softmax(nothing)


def test_logarithms_of_shares_outlive_the_shares():
    close(reference.log_softmax(np.log([1, 2, 5])), np.log([1, 2, 5]) - 3 * LN2)
    close(
        reference.log_softmax([[0, -2000], [LN2, LN2]]),
        [[0, -2000], [-LN2, -LN2]],
    )


# --------------------------------------------------------------- attention

FOUR = np.array([[1, 0], [1, 1], [0, 1], [-1, 0]])


def test_self_attention_of_the_four_words_of_chapter_2():
    # Unscaled: the queries are multiplied with the root of d_k = 2 first.
    weights = reference.attention_weights(math.sqrt(2) * FOUR, FOUR)
    votes = np.array([E, E, 1, 1 / E])
    close(weights[0], votes / (2 * E + 1 + 1 / E))
    context = reference.scaled_dot_product_attention(
        math.sqrt(2) * FOUR, FOUR, FOUR
    )
    total = 2 * E + 1 + 1 / E
    close(context[0], [(2 * E - 1 / E) / total, (E + 1) / total])
    assert_allclose(context[0], [0.7449, 0.5464], atol=5e-5)
    votes_2 = np.array([E, E**2, E, 1 / E])
    close(weights[1], votes_2 / votes_2.sum())


QUERY = np.array([[1, 1, 0, 0], [0, 2, 0, 0], [1, 0, 1, 0]])
KEY = np.array([[2, 0, 0, 0], [0, 2, 0, 0], [2, 0, 2, 0]])
VALUE = np.array([[1, 0], [0, 1], [1, 1]])


def test_attention_with_width_four_divides_the_scores_by_two():
    # Scores [[2,2,2],[0,4,0],[2,0,4]], halved.
    votes = [
        np.array([1, 1, 1]),
        np.array([1, E**2, 1]),
        np.array([E, 1, E**2]),
    ]
    weights = np.array([v / v.sum() for v in votes])
    close(reference.attention_weights(QUERY, KEY), weights)
    attended = reference.scaled_dot_product_attention(QUERY, KEY, VALUE)
    rows = [[w[0] + w[2], w[1] + w[2]] for w in weights]
    close(attended, rows)
    assert_allclose(attended[2], [0.9100, 0.7553], atol=5e-5)


def test_causal_mask_hides_the_later_keys():
    mask = np.tril(np.ones((3, 3), dtype=bool))
    weights = reference.attention_weights(QUERY, KEY, mask)
    wanted = [
        [1, 0, 0],
        [1 / (1 + E**2), E**2 / (1 + E**2), 0],
        np.array([E, 1, E**2]) / (E + 1 + E**2),
    ]
    for row, expected in zip(weights, wanted, strict=True):
        close(row, expected)
    assert weights[0].tolist() == [1.0, 0.0, 0.0]
    attended = reference.scaled_dot_product_attention(QUERY, KEY, VALUE, mask)
    close(attended[:2], [[1, 0], [1 / (1 + E**2), E**2 / (1 + E**2)]])


def test_a_query_with_nothing_to_look_at_gets_zeros():
    mask = np.array([[True, False, False], [False] * 3, [False, True, True]])
    with np.errstate(all="raise"):  # no nan on the way
        weights = reference.attention_weights(QUERY, KEY, mask)
    assert weights[1].tolist() == [0.0, 0.0, 0.0]
    close(weights.sum(axis=-1), [1, 0, 1])
    attended = reference.scaled_dot_product_attention(
        QUERY, KEY, 1e9 * VALUE, mask
    )
    assert attended[1].tolist() == [0.0, 0.0]


def test_a_hidden_key_changes_nothing_not_even_in_size():
    mask = np.array([[True, True, False]] * 3)
    loud = KEY.astype(float)
    loud[2] *= 1e6
    close(
        reference.attention_weights(QUERY, loud, mask)[:, :2],
        reference.attention_weights(QUERY, KEY[:2]),
    )


def test_a_hidden_key_loses_against_any_score_however_low():
    # Allowed score -4e9, hidden score 0: "minus a billion" would not do.
    weights = reference.attention_weights(
        [[1.0]], [[-4e9], [0.0]], [[True, False]]
    )
    assert weights.tolist() == [[1.0, 0.0]]


def test_leading_axes_and_broadcast_masks():
    query = np.stack([QUERY, 2 * QUERY])[:, None, :2]  # (2, 1, 2, 4)
    key = np.stack([KEY, KEY[::-1], -KEY])  # (3, 3, 4)
    mask = np.array([True, True, False])
    weights = reference.attention_weights(query, key, mask)
    assert weights.shape == (2, 3, 2, 3)
    for b in range(2):
        for h in range(3):
            alone = reference.attention_weights(query[b, 0], key[h, :2])
            close(weights[b, h, :, :2], alone)


def test_attention_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="same d_k"):
        reference.attention_weights(np.ones((2, 3)), np.ones((2, 4)))
    with pytest.raises(ValueError, match="one value for each key"):
        reference.scaled_dot_product_attention(QUERY, KEY, VALUE[:2])
    with pytest.raises(TypeError, match="True where"):
        reference.attention_weights(QUERY, KEY, np.ones((3, 3)))


# -------------------------------------------------------------- multi-head


def test_two_heads_look_at_different_halves():
    # Identity projections, h = 2, so d_k = 2: head 1 scores (1,0)(1,0) = 1
    # and (1,0)(0,1) = 0, head 2 scores (2,0)(2,0) = 4 and 0, over sqrt(2).
    x = np.array([[1, 0, 2, 0], [0, 1, 0, 2]])
    one = np.eye(4)
    out = reference.multi_head_attention(x, x, one, one, one, one, 2)
    a = 1 / (1 + math.exp(-1 / math.sqrt(2)))
    b = 1 / (1 + math.exp(-4 / math.sqrt(2)))
    close(out[0], [a, 1 - a, 2 * b, 2 * (1 - b)])
    assert_allclose([a, b], [0.670, 0.944], atol=5e-4)
    single = reference.multi_head_attention(x, x, one, one, one, one, 1)
    c = 1 / (1 + math.exp(-5 / 2))
    close(single[0], [c, 1 - c, 2 * c, 2 * (1 - c)])


def test_each_projection_plays_its_own_role():
    # One key only: its weight is 1, so the output is x_k W^V W^O.
    rng = np.random.default_rng(0)
    w_q, w_k, w_v, w_o = rng.normal(size=(4, 6, 6))
    x_q, x_k = rng.normal(size=(2, 4, 6)), rng.normal(size=(2, 1, 6))
    out = reference.multi_head_attention(x_q, x_k, w_q, w_k, w_v, w_o, 3)
    close(out, np.repeat(x_k @ w_v @ w_o, 4, axis=1))
    # q = (1, 0) w_q = (0, ln 2 sqrt 2), so the scores are 0 and ln 2.
    w_q = LN2 * math.sqrt(2) * np.array([[0, 1], [0, 0]])
    one = np.eye(2)
    out = reference.multi_head_attention([[1, 0]], one, w_q, one, one, one, 1)
    close(out, [[1 / 3, 2 / 3]])


def test_multi_head_attention_hides_and_refuses():
    rng = np.random.default_rng(0)
    w_q, w_k, w_v, w_o = rng.normal(size=(4, 6, 6))
    x_q, x_k = rng.normal(size=(2, 4, 6)), rng.normal(size=(2, 1, 6))
    blind = np.zeros((4, 1), dtype=bool)
    out = reference.multi_head_attention(x_q, x_k, w_q, w_k, w_v, w_o, 3, blind)
    assert not out.any()
    with pytest.raises(ValueError, match="same number"):
        reference.multi_head_attention(x_q, x_k, w_q, w_k, w_v, w_o, 4)


def test_heads_are_blocks_of_columns_and_may_be_of_any_width():
    x = np.arange(12.0).reshape(2, 6)
    first, second = reference.split_heads(x, 2)
    assert first.tolist() == [[0, 1, 2], [6, 7, 8]]
    assert second.tolist() == [[3, 4, 5], [9, 10, 11]]
    # Two heads with keys of one number and values of two. The tokens are
    # unit vectors, so a projection's rows are what it gives each token.
    keys = LN2 * np.array([[0, 0], [1, 0], [0, 1]])
    asked = np.ones((3, 2))
    values = np.array([[3, 0, 0, 0], [0, 3, 4, 0], [0, 0, 0, 4]])
    out = reference.multi_head_attention(
        np.eye(3), np.eye(3), asked, keys, values, np.eye(4), 2
    )
    # Head 1 votes 1, 2, 1 and head 2 votes 1, 1, 2.
    close(out, [[3 / 4, 6 / 4, 1, 2]] * 3)


def test_each_bias_is_added_in_its_place():
    one, x = np.eye(2), np.zeros((1, 2))
    plain = (x, one, one, one, one, one, 1)
    asked = [0, LN2 * math.sqrt(2)]
    out = reference.multi_head_attention(*plain, b_q=asked)
    close(out, [[1 / 3, 2 / 3]])
    out = reference.multi_head_attention(*plain, b_v=[10, 20], b_o=[100, 0])
    close(out, [[110.5, 20.5]])
    # The same bias on every key moves all scores of a query alike: it can
    # never be seen.
    out = reference.multi_head_attention(*plain, b_q=asked, b_k=[5, -7])
    close(out, [[1 / 3, 2 / 3]])


def test_a_query_that_sees_nothing_gets_the_last_bias():
    one, blind = np.eye(2), np.zeros((2, 2), dtype=bool)
    out = reference.multi_head_attention(
        one, one, one, one, one, one, 1, blind, b_v=[3, 3], b_o=[7, 8]
    )
    close(out, [[7, 8], [7, 8]])


# ------------------------------------------------------------------- masks


def test_causal_mask_lets_the_last_positions_look_back():
    assert reference.causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert reference.causal_mask(2, 4).tolist() == [
        [True, True, True, False],
        [True, True, True, True],
    ]
    assert reference.causal_mask(0, 3).shape == (0, 3)
    for sizes in ((3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="0 <= n_queries <= n_keys"):
            reference.causal_mask(*sizes)


def test_padding_mask_hides_the_padding_as_keys():
    ids = [[5, 0, 0], [6, 7, 0]]
    mask = reference.padding_mask(ids)
    assert mask.tolist() == [[[True, False, False]], [[True, True, False]]]
    assert reference.padding_mask(ids, pad=7)[1].tolist() == [
        [True, False, True]
    ]
    assert mask.dtype == np.bool_
