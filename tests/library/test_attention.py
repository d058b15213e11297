"""Attention against torch's fused kernel, the NumPy reference and its laws."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch_pairs import compare

from transformer_lib import numpy_reference as reference
from transformer_lib.attention import (
    attention_weights,
    scaled_dot_product_attention,
)
from transformer_lib.multi_head import MultiHeadAttention

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
    compare(ours, theirs, *qkv)


@pytest.mark.parametrize(
    "shape", [(LQ, LK), (1, LK), (B, 1, LK), (1, LQ, LK)], ids=str
)
def test_a_mask_may_stretch_over_sentences_and_queries(qkv, mask, shape):
    small = mask[:1, :1] if shape[-2] == 1 else mask[:1]
    small = small.expand(B if shape[0] == B else 1, -1, -1).reshape(shape)
    whole = small.expand(B, LQ, LK)
    ours = scaled_dot_product_attention(*qkv, small)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=whole)
    compare(ours, theirs, *qkv)


def test_more_axes_in_front_are_more_attentions_side_by_side(qkv):
    many = [x.detach().unsqueeze(0).repeat(3, 1, 1, 1) for x in qkv]
    many[0] *= torch.tensor([1.0, 2, 3]).reshape(3, 1, 1, 1)
    out = scaled_dot_product_attention(*many)
    assert out.shape == (3, B, LQ, DV)
    alone = scaled_dot_product_attention(*(x[2, 1] for x in many))
    torch.testing.assert_close(out[2, 1], alone)


@pytest.mark.parametrize("masked", [False, True])
def test_equals_the_numpy_reference(qkv, mask, masked):
    arrays = [x.detach().numpy() for x in qkv]
    ours = scaled_dot_product_attention(*qkv, mask if masked else None)
    theirs = reference.scaled_dot_product_attention(
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


def test_a_query_without_keys_gets_zeros_and_teaches_nothing(qkv, mask):
    out = scaled_dot_product_attention(*qkv, mask)
    assert (out[1, 2] == 0).all()
    whole = torch.autograd.grad(out.sum(), qkv, retain_graph=True)
    assert all(gradient.isfinite().all() for gradient in whole)
    alone = torch.autograd.grad(out[1, 2].sum(), qkv)
    assert not any(gradient.any() for gradient in alone)


def test_what_is_masked_changes_no_value_and_gets_no_gradient(qkv, mask):
    hidden = ~mask.any(dim=1)  # keys that no query may look at
    hidden[0, 3] = True
    mask = mask & ~hidden.unsqueeze(1)
    query, *others = qkv
    changed = [x.detach().clone() for x in others]
    for x in changed:
        x[hidden] = 1e30
        x.requires_grad_()
    before = scaled_dot_product_attention(query, *others, mask)
    after = scaled_dot_product_attention(query, *changed, mask)
    assert torch.equal(before, after)
    pull = torch.randn_like(before)
    before = torch.autograd.grad(before, (query, *others), pull)
    after = torch.autograd.grad(after, (query, *changed), pull)
    assert torch.equal(before[0], after[0])
    for one, two in zip(before[1:], after[1:], strict=True):
        assert torch.equal(one, two)
        assert not two[hidden].any()


def test_the_scores_are_divided_by_the_root_of_the_key_width():
    """Four times the width, twice the scores: divided, the same weights."""
    narrow = torch.eye(2, 3, dtype=torch.float64)
    wide = torch.cat([narrow] * 4, dim=-1)
    weights = attention_weights(narrow * 2, narrow)
    torch.testing.assert_close(weights, attention_weights(wide, wide))


def test_a_fault_in_a_query_is_not_hidden():
    """Zeros are for a query that may look at nothing, and for no other."""
    torch.manual_seed(0)
    query, key = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    query[1, 2, 0] = math.nan
    mask = torch.ones(2, 3, 5, dtype=torch.bool)
    mask[0, 1] = False
    weights = attention_weights(query, key, mask)
    assert weights[1, 2].isnan().all()
    assert (weights[0, 1] == 0).all()
    assert weights.isnan().sum() == 5


class NoNan(TorchDispatchMode):
    """Refuse every operation that makes a nan, forward and backward."""

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        made = operation(*args, **(kwargs or {}))
        if "empty" in operation.name():  # whatever stood there
            return made
        for x in made if isinstance(made, tuple | list) else [made]:
            floating = isinstance(x, torch.Tensor) and x.is_floating_point()
            assert not (floating and x.isnan().any()), operation
        return made


def multi_head_weights(query, key, mask):
    attend = MultiHeadAttention(K, 2).to(query.dtype)
    return attend.attention_weights(query, attend.keys_values(key), mask)


@pytest.mark.parametrize(
    "attend",
    [
        attention_weights,
        lambda query, key, mask: scaled_dot_product_attention(
            query, key, key, mask
        ),
        multi_head_weights,
    ],
    ids=["weights", "context", "heads"],
)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_no_nan_comes_up_on_the_way_to_zeros(qkv, mask, attend, dtype):
    """`torch.autograd.set_detect_anomaly` would stop at it."""
    query, key = (x.detach().to(dtype).requires_grad_() for x in qkv[:2])
    with NoNan():
        out = attend(query, key, mask)
        out.square().sum().backward()
    assert not out[1, ..., 2, :].any()
    assert out[0].any()
