"""What is special to the checks of the chapter on query, key and value."""

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code.attention import EXERCISE
from transformer_course.checks.engine.matching import combined
from transformer_course.checks.engine.reading import same
from transformer_course.checks.paper import paper_of
from transformer_lib import numpy_reference as reference


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def right(Q, K, V):
    return softmax(Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5) @ V


# ------------------------------------------------------------ the reference


@pytest.mark.parametrize(
    ("leading", "sizes"),
    [((), (3, 5, 4, 2)), ((2,), (1, 6, 3, 5)), ((2, 3), (4, 2, 7, 1))],
)
def test_the_answer_agrees_with_torch_and_numpy(leading, sizes):
    n_q, n_k, d_k, d_v = sizes
    draw = np.random.default_rng(1)
    arrays = [
        draw.normal(size=(*leading, rows, width))
        for rows, width in ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    ]
    got = EXERCISE.solve(*arrays)
    fused = torch.nn.functional.scaled_dot_product_attention
    want = fused(*(torch.from_numpy(x) for x in arrays)).numpy()
    np.testing.assert_allclose(got, want, rtol=1e-10)
    want = reference.scaled_dot_product_attention(*arrays)
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_the_cases_tell_all_four_sizes_apart():
    """In some case any two of n_q, n_k, d_k, d_v differ."""
    sizes = [
        (*case.args[0].shape[-2:], *case.args[2].shape[-2:])
        for case in EXERCISE.cases
        if case.basic
    ]
    for first in range(4):
        for second in range(first):
            if (second, first) != (0, 0):
                assert any(s[first] != s[second] for s in sizes)
    assert any(len(set(s)) == 4 for s in sizes)
    leading = [c.args[0].ndim for c in EXERCISE.cases if not c.basic]
    assert 3 in leading and 4 in leading


# -------------------------------------------------------- two things at once


def test_two_mistakes_are_not_called_right():
    seen = 0
    draw = np.random.default_rng(99)
    fresh = [draw.normal(size=size) for size in ((6, 3), (4, 3), (4, 5))]
    for _, edits in list(combined(EXERCISE, 2))[::13]:
        verdict = checks.attention(EXERCISE.variant(edits))
        if not verdict.ok:
            seen += verdict.mistake is not None
            continue
        got, want = EXERCISE.variant(edits)(*fresh), EXERCISE.solve(*fresh)
        assert same(np.asarray(got), want), edits
    assert seen > 10


def test_two_mistakes_by_hand():
    def no_scale_and_columns(Q, K, V):
        return softmax(Q @ np.swapaxes(K, -1, -2), axis=-2) @ V

    verdict = checks.attention(no_scale_and_columns)
    assert verdict.mistake == "no_scale+softmax_over_queries"
    assert "Two things at once" in verdict.message


def test_the_formula_comes_before_the_leading_axes():
    def unscaled_and_two_axes_only(Q, K, V):
        scores = np.einsum("ik,jk->ij", Q, K)
        return softmax(scores) @ V

    assert checks.attention(unscaled_and_two_axes_only).mistake == "no_scale"


# --------------------------------------------------------- the leading axes


def test_two_axes_right_and_more_axes_wrong_is_said_so():
    def strange(Q, K, V):
        result = right(Q, K, V)
        return result if result.ndim == 2 else 2 * result

    verdict = checks.attention(strange)
    assert verdict.mistake == "only_two_axes"
    assert verdict.message.startswith("With two axes everything is right")


def test_a_transpose_by_name_for_three_axes_is_told_from_other_mistakes():
    def transposes(Q, K, V):
        if Q.ndim == 2:
            return right(Q, K, V)
        return softmax(Q @ K.transpose(0, 2, 1) / Q.shape[-1] ** 0.5) @ V

    verdict = checks.attention(transposes)
    assert verdict.mistake == "one_leading_axis_only"


# ------------------------------------------------- no mistake that is known


def test_the_first_broken_property_is_named():
    def by_place(Q, K, V):
        scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5
        return softmax(scores + 0.1 * np.arange(K.shape[-2])) @ V

    message = checks.attention(by_place).message
    assert "change places together" in message

    def outside(Q, K, V):
        return 1.5 * right(Q, K, V)

    assert "an average of the values" in checks.attention(outside).message

    def one_column(Q, K, V):
        return right(Q, K, V)[..., :1]

    assert "shape" in checks.attention(one_column).message


# ------------------------------------------------------------------ on paper


def test_the_matrices_on_paper_are_those_of_the_chapter():
    givens = paper_of("fourth_query_by_hand").givens
    q, K, V = (givens[name].value for name in "qKV")
    Q = np.array([[1.0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 1, 0]])
    got = reference.scaled_dot_product_attention(Q, K, V)
    want = [[0.6667, 0.6667], [0.213, 0.8935], [0.91, 0.7553]]
    np.testing.assert_allclose(got, want, atol=5e-5)
    fourth = reference.scaled_dot_product_attention(q[None], K, V)[0]
    np.testing.assert_allclose(paper_of("fourth_query_by_hand").answer, fourth)


def test_the_fourth_query_is_never_told():
    shown = [f"{x:.3f}" for x in paper_of("fourth_query_by_hand").answer]
    for value in [None, (1, 1), 5, "x", (0.788, 0.1), (0.1, 0.424), (9, 9)]:
        verdict = checks.fourth_query_by_hand(value)
        text = repr(verdict) + verdict.hint(1) + verdict.hint(2)
        came = repr(value)
        for number in shown:
            assert number not in text or number in came


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((0.788, 0.1), "first number is right"),
        ((0.1, 0.424), "second number is right"),
        ((3.0, 0.5), "An average stays"),
        ((0.3, 0.9), "scores first"),
        ((0.788, ...), "still missing"),
    ],
)
def test_the_fourth_query_says_where_to_look(value, says):
    assert says in checks.fourth_query_by_hand(value).message


def test_the_six_shapes_are_those_of_numpy():
    sizes = {"Q": (2, 4), "K": (5, 4), "V": (5, 3), "A": (2, 5)}
    paper = paper_of("six_products_by_hand")
    for part, want in zip(paper.parts, paper.answer, strict=True):
        left, right = (
            np.ones(sizes[factor[0]]).T
            if factor.endswith("^T")
            else np.ones(sizes[factor])
            for factor in part.label.split()
        )
        try:
            shape = (left @ right).shape
        except ValueError:
            shape = (0, 0)
        assert tuple(want) == shape


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (2, (2, 2), "Look again at Q V^T: this product does not exist"),
        (0, (0, 0), "Look again at Q K^T: this product exists"),
        (3, (3, 3), "A V: write the shape of each factor"),
    ],
)
def test_the_six_products_say_where_to_look(place, value, says):
    shapes = [
        tuple(map(int, s)) for s in paper_of("six_products_by_hand").answer
    ]
    shapes[place] = value
    verdict = checks.six_products_by_hand(shapes)
    assert says in verdict.message
    assert "5 of 6 are right" in verdict.message
