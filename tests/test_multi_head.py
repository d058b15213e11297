"""Multi-head attention against torch.nn, the NumPy twin and its laws."""

import pytest
import torch
from torch import nn

from transformer_lib import numpy_reference as twin
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.multi_head import MultiHeadAttention, record_attention

B, LQ, LK, D, H = 2, 3, 5, 12, 4


@pytest.fixture
def ours():
    torch.manual_seed(0)
    module = MultiHeadAttention(D, H).double()
    for bias in (module.query.bias, module.key_value.bias):
        nn.init.normal_(bias)
    return module


@pytest.fixture
def theirs(ours):
    module = nn.MultiheadAttention(D, H, batch_first=True).double()
    with torch.no_grad():
        module.in_proj_weight.copy_(
            torch.cat([ours.query.weight, ours.key_value.weight])
        )
        module.in_proj_bias.copy_(
            torch.cat([ours.query.bias, ours.key_value.bias])
        )
        module.out_proj.load_state_dict(ours.output.state_dict())
    return module


def tokens(length):
    return torch.randn(B, length, D, dtype=torch.float64, requires_grad=True)


def test_cross_attention_equals_torch(ours, theirs):
    x, memory = tokens(LQ), tokens(LK)
    ids = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    mask = padding_mask(ids)
    mine = ours(x, ours.keys_values(memory), mask)
    other, weights = theirs(
        x,
        memory,
        memory,
        key_padding_mask=ids == 0,
        average_attn_weights=False,
    )
    torch.testing.assert_close(mine, other, rtol=0, atol=1e-10)
    torch.testing.assert_close(
        ours.weights(x, ours.keys_values(memory), mask),
        weights,
        rtol=0,
        atol=1e-10,
    )
    pull = torch.randn_like(mine)
    for one, two in zip(
        torch.autograd.grad(mine, (x, memory), pull),
        torch.autograd.grad(other, (x, memory), pull),
        strict=True,
    ):
        torch.testing.assert_close(one, two, rtol=0, atol=1e-10)


def test_masked_self_attention_equals_torch(ours, theirs):
    x = tokens(LK)
    mine = ours(x, ours.keys_values(x), causal_mask(LK))
    other, _ = theirs(x, x, x, attn_mask=~causal_mask(LK))
    torch.testing.assert_close(mine, other, rtol=0, atol=1e-10)


def test_equals_the_numpy_twin_which_loops_over_heads(ours):
    nn.init.zeros_(ours.query.bias)
    nn.init.zeros_(ours.key_value.bias)
    x, memory = tokens(LQ), tokens(LK)
    key, value = ours.key_value.weight.detach().chunk(2)
    weights = (ours.query.weight.detach(), key, value)
    expected = twin.multi_head_attention(
        x.detach().numpy(),
        memory.detach().numpy(),
        *[w.T.numpy() for w in weights],
        ours.output.weight.detach().T.numpy(),
        H,
    )
    mine = ours(x, ours.keys_values(memory)).detach().numpy()
    assert abs(mine - expected).max() < 1e-10


def test_permuted_tokens_give_permuted_results(ours):
    """The law that `view` without `transpose` breaks."""
    x = tokens(LK)
    order = torch.tensor([3, 0, 4, 1, 2])
    straight = ours(x, ours.keys_values(x))
    moved = x[:, order]
    torch.testing.assert_close(
        ours(moved, ours.keys_values(moved)), straight[:, order]
    )


def test_recording_shows_the_weights_that_were_used(ours):
    x, memory = tokens(LQ), tokens(LK)
    parent = nn.ModuleDict({"look": ours})
    with record_attention(parent) as maps:
        ours(x, ours.keys_values(memory))
    values = ours.keys_values(memory).values
    mixed = (maps["look"] @ values).transpose(1, 2).flatten(2)
    torch.testing.assert_close(
        ours.output(mixed), ours(x, ours.keys_values(memory))
    )
    assert not maps["look"].requires_grad


def test_recording_leaves_nothing_behind(ours):
    parent = nn.ModuleDict({"look": ours})
    with record_attention(parent) as maps:
        pass
    ours(tokens(LQ), ours.keys_values(tokens(LK)))
    assert maps == {}
    assert not ours._forward_hooks


def test_heads_are_consecutive_slices_of_each_token(ours):
    x = torch.arange(D, dtype=torch.float64).reshape(1, 1, D)
    assert ours.split(x)[0, :, 0].tolist() == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [9, 10, 11],
    ]
