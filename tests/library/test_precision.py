"""Sixteen bits: no NaN and no infinity where the formula has none.

float16 ends at 65,504; bfloat16 reaches as far as float32 with three digits.
What overflows all the same is said by the tests at the end.
"""

import math
from dataclasses import replace

import pytest
import torch
from test_model import TINY
from torch import nn

from transformer_lib.attention import (
    attention_weights,
    scaled_dot_product_attention,
)
from transformer_lib.label_smoothing import token_loss
from transformer_lib.layers import EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model import Transformer
from transformer_lib.model_config import Architecture
from transformer_lib.multi_head import MultiHeadAttention, record_attention
from transformer_lib.normalization import (
    BatchNorm,
    LayerNorm,
    batch_norm,
    layer_norm,
)

LOW = [torch.float16, torch.bfloat16]
ALL = [torch.float32, *LOW]
SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0], [0] * 5])
TARGET = torch.tensor([[1, 12, 13, 14], [1, 15, 16, 0], [1, 17, 18, 19]])


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.fixture(params=ALL, ids=lambda d: str(d).split(".")[-1])
def dtype(request):
    return request.param


@pytest.fixture(params=LOW, ids=lambda d: str(d).split(".")[-1])
def low(request):
    return request.param


def leaf(x, dtype):
    return x.to(dtype).requires_grad_()


def assert_finite(out, *inputs):
    """Nothing overflows, neither forward nor backward."""
    assert out.isfinite().all()
    pull = torch.randn_like(out)
    for gradient in torch.autograd.grad(out, inputs, pull):
        assert gradient.isfinite().all()


MASKS = {
    "no": None,
    "causal": causal_mask(7),
    "padding": padding_mask(torch.tensor([[1] * 7, [1, 1, 0, 0, 0, 0, 0]])),
    "empty rows": causal_mask(7) & ~causal_mask(7, 9)[:, 2:].roll(1, 0),
}


@pytest.mark.parametrize("scale", [1, 30, 60])
@pytest.mark.parametrize("name", MASKS)
def test_attention_stands_scores_of_thousands(dtype, name, scale):
    qkv = [leaf(scale * torch.randn(2, 7, 16), dtype) for _ in range(3)]
    scores = qkv[0].double() @ qkv[1].double().mT / 4
    assert scale == 1 or scores.abs().max() > 1000
    assert_finite(scaled_dot_product_attention(*qkv, MASKS[name]), *qkv)


def test_the_masks_above_include_a_query_without_keys():
    assert not MASKS["empty rows"].any(dim=-1).all()
    assert MASKS["empty rows"].any(dim=-1).any()


@pytest.mark.parametrize("name", MASKS)
def test_attention_weights_sum_to_one_or_to_nothing(dtype, name):
    query, key = (20 * torch.randn(2, 7, 16).to(dtype) for _ in range(2))
    sums = attention_weights(query, key, MASKS[name]).sum(-1).float()
    some = torch.ones_like(sums)
    if MASKS[name] is not None:
        some = some * MASKS[name].any(-1)
    torch.testing.assert_close(sums, some, rtol=0, atol=0.02)


@pytest.mark.parametrize("name", MASKS)
def test_multi_head_attention_is_finite_and_near_float32(low, name):
    module = MultiHeadAttention(16, 4)
    x = torch.randn(2, 7, 16)
    wanted = module(x, module.keys_values(x), MASKS[name])
    module.to(low)
    x = leaf(x, low)
    out = module(x, module.keys_values(x), MASKS[name])
    assert_finite(out, x, *module.parameters())
    torch.testing.assert_close(out.float(), wanted, rtol=0, atol=0.05)


@pytest.mark.parametrize("row", [0.0, 5.0, -300.0, 30_000.0])
def test_a_constant_row_stays_finite(dtype, row):
    x = leaf(torch.full((3, 6), row), dtype)
    gain, bias = leaf(torch.ones(6), dtype), leaf(torch.zeros(6), dtype)
    for function in (layer_norm, batch_norm):
        assert_finite(function(x, gain, bias), x, gain, bias)
    for module in (LayerNorm(6), BatchNorm(6)):
        assert_finite(module.to(dtype)(x), x, *module.parameters())


def test_a_large_row_is_normalized(dtype):
    x = leaf(100 * torch.randn(5, 6) + 3000, dtype)
    gain, bias = leaf(torch.ones(6), dtype), leaf(torch.zeros(6), dtype)
    exact = layer_norm(x.double(), gain.double(), bias.double())
    for out in (layer_norm(x, gain, bias), LayerNorm(6).to(dtype)(x)):
        assert_finite(out, x)
        # bfloat16 rounds a mean of 3000 to a multiple of 16
        torch.testing.assert_close(out.double(), exact, rtol=0, atol=0.2)


@pytest.mark.parametrize("scale", [1, 1000, 30_000])
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_the_loss_stands_scores_of_any_size(dtype, epsilon, scale):
    scores = (scale * torch.randn(2, 3, 9)).clamp(-65_000, 65_000)
    logits = leaf(scores, dtype)
    targets = torch.tensor([[1, 8, 0], [4, 0, 0]])
    total, _ = token_loss(logits, targets, epsilon)
    assert_finite(total, logits)
    exact, _ = token_loss(logits.double(), targets, epsilon)
    torch.testing.assert_close(total.double(), exact, rtol=0.01, atol=0)


def test_the_loss_of_a_large_batch_is_summed_in_float32_at_least(dtype):
    """18,000 tokens of ln 50 nats each are more than float16 can count."""
    logits = torch.zeros(18_000, 50, dtype=dtype)
    total, count = token_loss(logits, torch.ones(18_000, dtype=torch.long))
    assert (total / count).item() == pytest.approx(math.log(50), rel=1e-4)


def loss_of(model):
    logits = model(SOURCE, TARGET[:, :-1])
    assert logits.isfinite().all()
    total, count = token_loss(logits.float(), TARGET[:, 1:], 0.1)
    return total / count


def gradients(model):
    loss = loss_of(model)
    grads = torch.autograd.grad(loss, list(model.parameters()))
    assert loss.isfinite()
    assert all(g.isfinite().all() for g in grads)
    return loss.item(), torch.cat([g.float().flatten() for g in grads])


def transformer(norm_first, learned=False):
    config = replace(TINY, norm_first=norm_first, learned_positions=learned)
    return Transformer(config)


def assert_near(low, exact):
    """The loss to 2 %, and the gradients within about 8 degrees."""
    assert low[0] == pytest.approx(exact[0], rel=0.02)
    cosine = nn.functional.cosine_similarity(low[1], exact[1], dim=0)
    assert cosine > 0.99


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("learned", [False, True])
def test_the_whole_model_in_sixteen_bits(low, norm_first, learned):
    """A sentence of padding only is among them."""
    model = transformer(norm_first, learned)
    exact = gradients(model)
    model.to(low)
    assert model(SOURCE, TARGET).dtype == low
    assert_near(gradients(model), exact)


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_whole_model_under_autocast(low, norm_first):
    """Weights and gradients stay float32, products become shorter."""
    model = transformer(norm_first)
    exact = gradients(model)
    with torch.autocast("cpu", dtype=low):
        assert model(SOURCE, TARGET).dtype == low
        assert_near(gradients(model), exact)


def test_recording_under_autocast_shows_weights_that_sum_to_one(low):
    model = transformer(False)
    with torch.autocast("cpu", dtype=low), record_attention(model) as maps:
        model(SOURCE[:2], TARGET[:2])
    for weights in maps.values():
        sums = weights.float().sum(-1)
        torch.testing.assert_close(
            sums, torch.ones_like(sums), rtol=0, atol=0.01
        )


@pytest.mark.parametrize("norm_first", [False, True])
def test_one_token_at_a_time_in_sixteen_bits(low, norm_first):
    model = transformer(norm_first).to(low)
    state, parts = model.start(SOURCE), []
    for token in TARGET.split(1, dim=1):
        logits, state = model.decode(token, state)
        parts.append(logits)
    torch.testing.assert_close(
        torch.cat(parts, dim=1), model(SOURCE, TARGET), rtol=0, atol=0.1
    )


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_layer_stands_vectors_of_length_20_000(low, norm_first):
    architecture = Architecture(
        d_model=12, n_heads=3, d_ff=20, dropout=0.0, norm_first=norm_first
    )
    layer = EncoderLayer(architecture).to(low)
    x = leaf(6000 * torch.randn(2, 5, 12), low)
    assert x.norm(dim=-1).mean() > 15_000
    assert_finite(layer(x), x, *layer.parameters())


LOOK = torch.tensor([[1, 0, 0, 1], [0, 1, 1, 1], [0, 0, 0, 0]]).bool()


@pytest.mark.parametrize("mask", [None, LOOK], ids=["all", "masked"])
@pytest.mark.parametrize("size", [1, 70, 6000])
def test_weights_are_those_of_the_fused_kernel(low, mask, size):
    """Dot products reach 6e8 here, and float16 ends at 65,504."""
    query = (size * torch.randn(2, 3, 16)).to(low)
    key = (size * torch.randn(2, 4, 16)).to(low)
    weights = attention_weights(query, key, mask)
    identity = torch.eye(4, dtype=low).expand(2, 4, 4)
    fused = nn.functional.scaled_dot_product_attention(
        query, key, identity, mask
    )
    torch.testing.assert_close(weights, fused, rtol=0, atol=0.01)
    assert torch.equal(
        scaled_dot_product_attention(query, key, identity, mask), weights
    )


@pytest.mark.parametrize("autocast", [False, True], ids=["cast", "autocast"])
def test_recorded_weights_are_those_of_the_pass(low, autocast):
    attend = MultiHeadAttention(12, 3)
    with torch.no_grad():
        attend.q_proj.weight *= 200
        attend.k_proj.weight *= 200
    x = torch.randn(2, 5, 12)
    if not autocast:
        attend, x = attend.to(low), x.to(low)
    net = nn.ModuleDict({"look": attend})
    usual = torch.autocast("cpu", dtype=low, enabled=autocast)
    with torch.no_grad(), usual, record_attention(net) as maps:
        kv = attend.keys_values(x)
        out = attend(x, kv, causal_mask(5))
        mixed = (maps["look"] @ kv.values).transpose(1, 2).flatten(2)
        assert attend.q_proj(x).abs().max() > 256  # the square is 65,536
        torch.testing.assert_close(
            attend.out_proj(mixed), out, rtol=0, atol=0.03
        )
    assert maps["look"].dtype == low


# What does overflow, by the formula


def test_layer_norm_by_hand_loses_float16_rows_that_vary_by_hundreds():
    """A variance above 65,504 is infinite, so the row becomes 0, not NaN.

    The fused kernel, which the model uses, computes it in float32.
    """
    x = torch.tensor([[-300.0, 300.0]]).half()
    gain, bias = torch.ones(2).half(), torch.zeros(2).half()
    assert torch.equal(layer_norm(x, gain, bias), torch.zeros(1, 2).half())
    expected = torch.tensor([[-1.0, 1.0]]).half()
    assert torch.equal(LayerNorm(2).half()(x), expected)
