"""Attention against torch's fused kernel, the NumPy twin and its laws."""

import math

import pytest
import torch
from torch.nn import functional as F

from transformer_lib import numpy_reference as twin
from transformer_lib.attention import (
    attention_weights,
    scaled_dot_product_attention,
)

B, LQ, LK, K, DV = 2, 3, 5, 4, 7


@pytest.fixture
def qkv():
    torch.manual_seed(0)
    shapes = [(B, LQ, K), (B, LK, K), (B, LK, DV)]
    return [
        torch.randn(s, dtype=torch.float64, requires_grad=True) for s in shapes
    ]


@pytest.fixture
def mask():
    torch.manual_seed(1)
    mask = torch.rand(B, LQ, LK) < 0.6
    mask[1, 2] = False  # a query that may look at nothing
    mask[0, 0] = True
    return mask


@pytest.mark.parametrize("masked", [False, True])
def test_equals_torch_in_value_and_gradient(qkv, mask, masked):
    mask = mask if masked else None
    ours = scaled_dot_product_attention(*qkv, mask)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=mask)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)
    pull = torch.randn_like(ours)
    for one, other in zip(
        torch.autograd.grad(ours, qkv, pull),
        torch.autograd.grad(theirs, qkv, pull),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-10)


@pytest.mark.parametrize("masked", [False, True])
def test_equals_the_numpy_twin(qkv, mask, masked):
    arrays = [x.detach().numpy() for x in qkv]
    ours = scaled_dot_product_attention(*qkv, mask if masked else None)
    theirs = twin.scaled_dot_product_attention(
        *arrays, mask.numpy() if masked else None
    )
    assert abs(ours.detach().numpy() - theirs).max() < 1e-10


def test_the_example_of_chapter_3():
    query = torch.tensor([[1.0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 1, 0]])
    key = torch.tensor([[2.0, 0, 0, 0], [0, 2, 0, 0], [2, 0, 2, 0]])
    value = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
    e1, e2 = math.e, math.e**2
    expected = torch.tensor(
        [
            [2 / 3, 2 / 3],
            [2 / (2 + e2), (e2 + 1) / (2 + e2)],
            [(e1 + e2) / (1 + e1 + e2), (1 + e2) / (1 + e1 + e2)],
        ]
    )
    ours = scaled_dot_product_attention(query, key, value)
    torch.testing.assert_close(ours, expected)


def test_rows_sum_to_one_and_masked_keys_get_nothing(qkv, mask):
    weights = attention_weights(qkv[0], qkv[1], mask)
    sums = weights.sum(-1)
    expected = mask.any(-1).to(sums.dtype)
    torch.testing.assert_close(sums, expected)
    assert (weights[~mask] == 0).all()


def test_a_query_without_keys_gets_zeros_and_no_gradient(qkv, mask):
    out = scaled_dot_product_attention(*qkv, mask)
    assert (out[1, 2] == 0).all()
    query_gradient = torch.autograd.grad(out.sum(), qkv[0])[0]
    assert query_gradient.isfinite().all()
    assert (query_gradient[1, 2] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_low_precision_stays_finite(qkv, mask, dtype):
    low = [(100 * x).to(dtype) for x in qkv]
    assert scaled_dot_product_attention(*low, mask).isfinite().all()
