"""Multi-head attention against torch.nn, the NumPy reference and its laws."""

import pytest
import torch
from torch import nn
from torch_pairs import ATTENTION, EXACT, TorchPair, compare, random

from transformer_lib import numpy_reference as reference
from transformer_lib.attention import scaled_dot_product_attention
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.multi_head import MultiHeadAttention, record_attention

B, LQ, LK, D, H = 2, 3, 5, 12, 4
IDS = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])


@pytest.fixture
def pair():
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(D, H, batch_first=True)
    return TorchPair(MultiHeadAttention(D, H), theirs, ATTENTION)


@pytest.fixture
def ours(pair):
    return pair.ours


def tokens(length):
    return random(B, length, D)


# Our mask, and the same as torch wants it: True where it must NOT look.
MASKS = {
    "none": (None, {}),
    "causal": (causal_mask(LK), {"attn_mask": ~causal_mask(LK)}),
    "padding": (padding_mask(IDS), {"key_padding_mask": IDS == 0}),
    "both": (
        causal_mask(LK) & padding_mask(IDS),
        {"attn_mask": ~causal_mask(LK), "key_padding_mask": IDS == 0},
    ),
}


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("name", MASKS)
def test_self_attention_equals_torch(pair, name, train):
    mask, theirs = MASKS[name]
    pair.train(train)
    x = tokens(LK)
    one = pair.ours(x, pair.ours.keys_values(x), mask)
    two, _ = pair.theirs(x, x, x, **theirs)
    pair.compare(one, two, x)


@pytest.mark.parametrize("name", ["none", "padding"])
def test_cross_attention_equals_torch(pair, name):
    mask, theirs = MASKS[name]
    x, memory = tokens(LQ), tokens(LK)
    one = pair.ours(x, pair.ours.keys_values(memory), mask)
    two, _ = pair.theirs(x, memory, memory, **theirs)
    pair.compare(one, two, x, memory)


@pytest.mark.parametrize("name", MASKS)
def test_the_weights_that_are_recorded_equal_those_of_torch(pair, name):
    mask, theirs = MASKS[name]
    x = tokens(LK)
    with record_attention(nn.ModuleDict({"look": pair.ours})) as maps:
        pair.ours(x, pair.ours.keys_values(x), mask)
    _, each = pair.theirs(x, x, x, average_attn_weights=False, **theirs)
    assert each.shape == (B, H, LK, LK)
    torch.testing.assert_close(maps["look"], each.detach(), **EXACT)
    _, mean = pair.theirs(x, x, x, **theirs)
    torch.testing.assert_close(maps["look"].mean(1), mean.detach(), **EXACT)


def test_equals_the_numpy_reference_which_loops_over_heads(ours):
    x, memory = tokens(LQ), tokens(LK)
    linears = projections(ours)
    expected = reference.multi_head_attention(
        x.detach().numpy(),
        memory.detach().numpy(),
        *[linear.weight.detach().T.numpy() for linear in linears],
        H,
        None,
        *[linear.bias.detach().numpy() for linear in linears],
    )
    mine = ours(x, ours.keys_values(memory)).detach().numpy()
    assert abs(mine - expected).max() < 1e-10


def projections(module):
    return module.q_proj, module.k_proj, module.v_proj, module.out_proj


def by_definition(module, x, memory, d_k, mask):
    """Concat(head_1, ..., head_h) W^O, one head after the other."""
    query = module.q_proj(x).split(d_k, dim=-1)
    keys, values = module.k_proj(memory), module.v_proj(memory)
    heads = [
        scaled_dot_product_attention(query[h], key, value, mask)
        for h, (key, value) in enumerate(
            zip(
                keys.split(d_k, dim=-1),
                values.split(D // H, dim=-1),
                strict=True,
            )
        )
    ]
    return module.out_proj(torch.cat(heads, dim=-1))


@pytest.mark.parametrize("d_k", [1, 2, 5])
def test_narrow_and_wide_keys_equal_the_definition(d_k):
    """Table 3, rows B: queries and keys of another width than values."""
    torch.manual_seed(0)
    module = MultiHeadAttention(D, H, d_k).double()
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.4)
    x, memory, mask = tokens(LQ), tokens(LK), padding_mask(IDS)
    mine = module(x, module.keys_values(memory), mask)
    expected = by_definition(module, x, memory, d_k, mask)
    compare(mine, expected, x, memory, *module.parameters())
    weights = module.attention_weights(x, module.keys_values(memory))
    assert weights.shape == (B, H, LQ, LK)


def test_keys_of_the_usual_width_need_not_be_asked_for():
    torch.manual_seed(0)
    usual = MultiHeadAttention(D, H)
    torch.manual_seed(0)
    asked = MultiHeadAttention(D, H, d_k=D // H)
    x = torch.randn(B, LK, D)
    one, two = (m(x, m.keys_values(x)) for m in (usual, asked))
    assert torch.equal(one, two)


@pytest.mark.parametrize("d_k", [None, 10])
def test_the_first_weights_are_glorot_uniform(d_k):
    torch.manual_seed(0)
    module = MultiHeadAttention(120, 4, d_k)
    width = 120 if d_k is None else 4 * d_k
    sizes = (width, width, 120, 120)
    for linear, out in zip(projections(module), sizes, strict=True):
        assert linear.weight.shape == (out, 120)
        largest = linear.weight.abs().max().item()
        assert 0.98 < largest / (6 / (120 + out)) ** 0.5 <= 1
        assert not linear.bias.any()


def test_a_sentence_without_keys_gets_the_bias_alone(ours):
    """Every head gives zeros, finite and whatever the hidden tokens are."""
    mask = padding_mask(torch.tensor([[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]))
    x, memory = tokens(LQ), tokens(LK)
    out = ours(x, ours.keys_values(memory), mask)
    bias = ours.out_proj.bias.expand(LQ, D)
    torch.testing.assert_close(out[1], bias, **EXACT)
    gradients = torch.autograd.grad(out.sum(), (x, memory, *ours.parameters()))
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert not gradients[0][1].any()
    assert not gradients[1][1].any()
    weights = ours.attention_weights(x, ours.keys_values(memory), mask)
    assert not weights[1].any()


def test_a_query_without_keys_gets_the_bias_alone(ours):
    mask = torch.ones(LQ, LK, dtype=torch.bool)
    mask[1] = False  # the same in every sentence: a mask of two axes
    x, memory = tokens(LQ), tokens(LK)
    out = ours(x, ours.keys_values(memory), mask)
    bias = ours.out_proj.bias.expand(B, D)
    torch.testing.assert_close(out[:, 1], bias, **EXACT)
    whole = ours(x, ours.keys_values(memory))
    torch.testing.assert_close(out[:, 0::2], whole[:, 0::2], **EXACT)
    gradient = torch.autograd.grad(out.sum(), x)[0]
    assert not gradient[:, 1].any()
    assert gradient[:, 0::2].all()


def test_what_is_masked_changes_nothing(ours):
    x, memory = tokens(LQ), tokens(LK)
    changed = memory.detach().clone()
    changed[IDS == 0] = 1e6
    changed.requires_grad_()
    mask = padding_mask(IDS)
    before, after = (
        ours(x, ours.keys_values(m), mask) for m in (memory, changed)
    )
    torch.testing.assert_close(before, after, **EXACT)
    gradient = torch.autograd.grad(after.sum(), changed)[0]
    assert not gradient[IDS == 0].any()


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
        ours.out_proj(mixed), ours(x, ours.keys_values(memory))
    )
    assert not maps["look"].requires_grad


def test_every_attention_is_recorded_and_its_latest_pass_counts(ours):
    other = MultiHeadAttention(D, 3).double()
    parent = nn.ModuleDict({"look": ours, "again": other})
    with record_attention(parent) as maps:
        for length in (LQ, LK):
            x = tokens(length)
            for module in (other, ours):
                module(x, module.keys_values(x))
    shapes = {name: map.shape for name, map in maps.items()}
    assert shapes == {"look": (B, H, LK, LK), "again": (B, 3, LK, LK)}


def test_recording_leaves_nothing_behind(ours):
    parent = nn.ModuleDict({"look": ours})
    with record_attention(parent) as maps:
        pass
    ours(tokens(LQ), ours.keys_values(tokens(LK)))
    assert maps == {}
    assert not ours._forward_hooks


def test_recording_ends_when_the_block_fails(ours):
    parent = nn.ModuleDict({"look": ours})
    with pytest.raises(KeyError), record_attention(parent) as maps:
        maps["no such map"]
    assert not ours._forward_hooks


def test_heads_are_consecutive_slices_of_each_token(ours):
    x = torch.arange(D, dtype=torch.float64).reshape(1, 1, D)
    assert ours.split_heads(x)[0, :, 0].tolist() == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [9, 10, 11],
    ]


def test_tokens_can_be_read_bit_by_bit_and_by_rows(ours):
    memory = tokens(LK)
    whole = ours.keys_values(memory)
    first, rest = (ours.keys_values(m) for m in memory.split([2, 3], dim=1))
    for one, two in zip(first.append(rest), whole, strict=True):
        torch.testing.assert_close(one, two, **EXACT)
    none = ours.keys_values(memory[:, :0])
    for one, two in zip(none.append(whole), whole, strict=True):
        assert torch.equal(one, two)
    swapped = whole.select(torch.tensor([1, 0, 1]))
    assert torch.equal(swapped.keys, whole.keys[[1, 0, 1]])
    assert torch.equal(swapped.values, whole.values[[1, 0, 1]])
