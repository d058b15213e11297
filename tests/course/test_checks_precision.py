"""Numbers of 16 bits: what is right is accepted, and no slip hides there."""

import dataclasses

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code.softmax import EXERCISE
from transformer_course.checks.engine.reading import read
from transformer_course.checks.paper import paper_of
from transformer_course.checks.parts import part
from transformer_course.grading.running.handed_in import HandedIn


def numpys_half(x):
    return x.astype(np.float16)


def torchs_half(x):
    return torch.tensor(x).half()


def brain(x):
    return torch.tensor(x).bfloat16()


def weights(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def average(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    return weights(scores) @ value


HALF = [numpys_half, torchs_half, brain]


@pytest.mark.parametrize("as_half", HALF)
def test_a_right_result_is_accepted_in_half_precision(as_half):
    def softmax(x, axis):
        return as_half(weights(x, axis))

    def attention(query, key, value):
        return as_half(average(query, key, value))

    assert checks.softmax(softmax).ok
    assert checks.attention(attention).ok


def test_a_right_way_is_accepted_in_half_precision():
    def softmax(x, axis):
        return weights(x.astype(np.float16), axis)

    def attention(query, key, value):
        return average(*map(numpys_half, (query, key, value)))

    assert checks.softmax(softmax).ok
    assert checks.attention(attention).ok


@pytest.mark.parametrize("as_half", HALF[:2])
def test_half_precision_on_the_way_is_named(as_half):
    def self_attention(X):
        return np.array(as_half(weights(X @ X.T))).astype(float) @ X

    def almost(X):
        return self_attention(1.003 * X)

    verdict = checks.self_attention(self_attention)
    assert verdict.mistake == "half_on_the_way"
    assert checks.self_attention(almost).mistake != "half_on_the_way"


@pytest.mark.parametrize("factor", [1.009, 0.991])
@pytest.mark.parametrize("as_half", HALF)
def test_half_precision_hides_no_slip_of_a_hundredth(as_half, factor):
    def softmax(x, axis):
        return as_half(factor * weights(x, axis))

    def attention(query, key, value):
        return as_half(factor * average(query, key, value))

    def matmul(A, B):
        return [*as_half(factor * (A @ B))]

    for verdict in (checks.softmax(softmax), checks.attention(attention)):
        assert verdict.mistake == "half_precision"
        assert "Compute with 32 or 64 bits" in verdict.message
    assert checks.matmul(matmul).mistake == "half_precision"
    seen = part("scaled_dot_product_attention")

    def scaled_dot_product_attention(query, key, value, mask=None):
        right = seen.scaled_dot_product_attention(query, key, value, mask)
        return as_half(factor * right.detach().numpy())

    assert not checks.build(scaled_dot_product_attention).ok


@pytest.mark.parametrize("name", ["average_by_hand", "masking_by_hand"])
def test_half_precision_hides_nothing_on_paper(name):
    right = paper_of(name).answer
    check = getattr(checks, name)
    assert check(right).ok
    assert not check(numpys_half(1.009 * right)).ok


def test_what_rounding_leaves_of_large_scores_is_no_named_mistake():
    def causal_weights(scores):
        seen = np.tri(scores.shape[-1]) > 0
        hidden = np.where(seen, scores.astype(np.float16), np.float16(-np.inf))
        return weights(hidden)

    verdict = checks.causal_weights(causal_weights)
    assert verdict.mistake == "half_precision", repr(verdict)


def test_where_gradients_are_rough_the_16_bits_are_told():
    class FeedForward(part("FeedForward").FeedForward):
        def forward(self, x):
            return super().forward(x).bfloat16()

    verdict = checks.build(FeedForward)
    assert verdict.mistake == "half_precision", repr(verdict)


@pytest.mark.parametrize(
    ("claimed", "kept"), [(2e-3, 2e-3), (4e-3, 4e-3), (0.5, 1e-5), (1e-5, 1e-5)]
)
def test_another_process_can_claim_no_tolerance_of_its_own(claimed, kept):
    class Process:
        def ask(self, what, **given):
            return dataclasses.asdict(read(1.0)) | {"tolerance": claimed}

    answer = HandedIn(EXERCISE, Process()).run((), 1.0)
    assert answer.kind == "array" and answer.tolerance == kept
