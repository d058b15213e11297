"""One layer of each kind: against torch, and word for word."""

import pytest
import torch
from torch import nn
from torch_pairs import (
    DECODER_LAYER,
    ENCODER_LAYER,
    EXACT,
    TorchPair,
    random,
)

from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model_config import Architecture

B, S, T, D = 2, 5, 4, 12
SIZES = (D, 3, 20)  # d_model, heads, d_ff


def build(kind, dropout=0.0, **choices):
    """Return a layer of these sizes."""
    sizes = dict(zip(("d_model", "n_heads", "d_ff"), SIZES, strict=True))
    return kind(Architecture(**sizes, dropout=dropout, **choices))


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def norm_first(request):
    return request.param


@pytest.fixture(params=[False, True], ids=["eval", "train"])
def train(request):
    return request.param


@pytest.fixture
def source():
    return torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])


def test_an_encoder_layer_equals_torch(norm_first, train, source):
    torch.manual_seed(0)
    pair = TorchPair(
        build(EncoderLayer, norm_first=norm_first),
        nn.TransformerEncoderLayer(
            *SIZES, 0.0, batch_first=True, norm_first=norm_first
        ),
        ENCODER_LAYER,
    )
    pair.train(train)
    x = random(B, S, D)
    one = pair.ours(x, padding_mask(source))
    two = pair.theirs(x, src_key_padding_mask=source == 0)
    pair.compare(one, two, x)


def test_a_decoder_layer_equals_torch(norm_first, train, source):
    torch.manual_seed(0)
    pair = TorchPair(
        build(DecoderLayer, norm_first=norm_first),
        nn.TransformerDecoderLayer(
            *SIZES, 0.0, batch_first=True, norm_first=norm_first
        ),
        DECODER_LAYER,
    )
    pair.train(train)
    x, memory = random(B, T, D), random(B, S, D)
    nothing = pair.ours.self_attention.keys_values(x[:, :0])
    kv = pair.ours.cross_attention.keys_values(memory)
    one, _ = pair.ours(x, nothing, kv, causal_mask(T), padding_mask(source))
    two = pair.theirs(
        x,
        memory,
        tgt_mask=~causal_mask(T),
        memory_key_padding_mask=source == 0,
    )
    pair.compare(one, two, x, memory)


def decoder_layer(norm_first, d_k=None):
    torch.manual_seed(0)
    layer = build(DecoderLayer, norm_first=norm_first, d_k=d_k).double()
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.4)
    return layer


@pytest.mark.parametrize("d_k", [None, 7])
def test_a_decoder_layer_goes_on_from_the_past(norm_first, d_k):
    layer = decoder_layer(norm_first, d_k)
    x, memory = random(B, T, D), random(B, S, D)
    past = layer.self_attention.keys_values(x[:, :0])
    kv = layer.cross_attention.keys_values(memory)
    whole, all_at_once = layer(x, past, kv, causal_mask(T))
    parts = []
    for start, end in ((0, 1), (1, 3), (3, 4)):
        mask = causal_mask(end - start, end)
        part, past = layer(x[:, start:end], past, kv, mask)
        parts.append(part)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, **EXACT)
    for one, two in zip(past, all_at_once, strict=True):
        torch.testing.assert_close(one, two, **EXACT)


def test_without_a_mask_a_layer_looks_everywhere(norm_first):
    torch.manual_seed(0)
    layer = build(EncoderLayer, norm_first=norm_first)
    x, every = torch.randn(B, S, D), torch.ones(S, S, dtype=torch.bool)
    torch.testing.assert_close(layer(x), layer(x, every))
    memory, look = torch.randn(B, S, D), causal_mask(T)
    layer = build(DecoderLayer, norm_first=norm_first)
    x = torch.randn(B, T, D)
    past = layer.self_attention.keys_values(x[:, :0])
    kv = layer.cross_attention.keys_values(memory)
    open_mask = torch.ones(B, 1, S, dtype=torch.bool)
    torch.testing.assert_close(
        layer(x, past, kv, look)[0], layer(x, past, kv, look, open_mask)[0]
    )


def test_dropout_falls_once_on_each_sublayers_output_never_on_x(norm_first):
    """With everything dropped, x alone is left, and post-norm its norms."""
    x, calls = torch.randn(B, T, D), []
    encoder = build(EncoderLayer, 0.9, norm_first=norm_first)
    decoder = build(DecoderLayer, 0.9, norm_first=norm_first)
    for layer in (encoder, decoder):
        assert layer.dropout.p == 0.9
        layer.dropout.p = 1.0
        layer.dropout.register_forward_hook(lambda *_: calls.append(1))
        for parameter in layer.parameters():
            nn.init.normal_(parameter)
    past = decoder.self_attention.keys_values(x[:, :0])
    kv = decoder.cross_attention.keys_values(x)
    found = encoder(x), decoder(x, past, kv, causal_mask(T))[0]
    assert len(calls) == 2 + 3
    norms = [encoder.norm1, encoder.norm2]
    norms = norms, [decoder.norm1, decoder.norm2, decoder.norm3]
    for got, chain in zip(found, norms, strict=True):
        wanted = x
        for norm in () if norm_first else chain:
            wanted = norm(wanted)
        assert torch.equal(got, wanted)


def silence(layer):
    """Let every sub-layer give zeros."""
    for module in layer.modules():
        for name in ("out_proj", "linear2"):
            if hasattr(module, name):
                nn.init.zeros_(getattr(module, name).weight)


def test_silent_sublayers_leave_x_and_its_gradient_alone_in_pre_norm_only():
    x = random(B, S, D)
    pull = torch.randn_like(x)
    pre = build(EncoderLayer, norm_first=True).double()
    post = build(EncoderLayer, norm_first=False).double()
    silence(pre)
    silence(post)
    assert torch.equal(pre(x), x)
    assert torch.equal(torch.autograd.grad(pre(x), x, pull)[0], pull)
    assert not torch.allclose(post(x), x)
