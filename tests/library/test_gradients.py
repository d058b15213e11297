"""Gradients against finite differences (gradcheck, default tolerance).

Nothing here is compared with torch's formulas: the functions themselves are
nudged by a millionth. Inputs and every parameter, masked and not.
"""

import pytest
import torch
from torch import nn
from torch.autograd import gradcheck
from torch.func import functional_call

from transformer_lib.attention import (
    attention_weights,
    scaled_dot_product_attention,
)
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.feed_forward import FeedForward
from transformer_lib.label_smoothing import smooth_targets, token_loss
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.model_config import Architecture
from transformer_lib.multi_head import MultiHeadAttention
from transformer_lib.normalization import (
    BatchNorm,
    LayerNorm,
    batch_norm,
    layer_norm,
)
from transformer_lib.positional import PositionalEncoding

B, LQ, LK, D, H, D_FF = 2, 3, 4, 6, 2, 5
# A nudge for each parameter takes its time.
SMALL = {"d_model": 4, "n_heads": 2, "d_ff": 3, "dropout": 0.0}
IDS = torch.tensor([[5, 6, 7, 4], [4, 5, 0, 0]])
NOTHING = torch.tensor([[5, 6, 7, 4], [0, 0, 0, 0]])

MASKS = {
    "no mask": None,
    "padding": padding_mask(IDS),
    "a query without keys": padding_mask(NOTHING),
    "queries last": causal_mask(LQ, LK),
}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.fixture(params=MASKS)
def mask(request):
    return MASKS[request.param]


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def norm_first(request):
    return request.param


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def check(module: nn.Module, inputs, method="forward", rest=()):
    """Nudge the inputs and every parameter of a module."""
    module.double()
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    names, parameters = zip(*module.named_parameters(), strict=True)
    n = len(inputs)

    class Called(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = module

        def forward(self, *values):
            return getattr(self.inner, method)(*values, *rest)

    def function(*values):
        named = {
            f"inner.{name}": value
            for name, value in zip(names, values[n:], strict=True)
        }
        return functional_call(Called(), named, values[:n])

    assert gradcheck(function, (*inputs, *parameters))


def test_attention_weights(mask):
    query, key = random(B, LQ, D), random(B, LK, D)
    assert gradcheck(lambda q, k: attention_weights(q, k, mask), (query, key))


def test_scaled_dot_product_attention(mask):
    qkv = (random(B, LQ, D), random(B, LK, D), random(B, LK, 5))
    assert gradcheck(lambda *qkv: scaled_dot_product_attention(*qkv, mask), qkv)


@pytest.mark.parametrize("function", [layer_norm, batch_norm])
def test_norms(function):
    assert gradcheck(function, (random(B, LQ, D), random(D), random(D)))


def test_batch_norm_with_given_statistics():
    variance = random(D).detach().exp().requires_grad_()

    def function(x, gain, bias, mean, variance):
        return batch_norm(x, gain, bias, 1e-5, mean, variance)

    inputs = (random(B, D), random(D), random(D), random(D), variance)
    assert gradcheck(function, inputs)


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_token_loss(epsilon):
    logits, targets = random(B, LQ, 7), torch.tensor([[1, 6, 0], [4, 0, 0]])
    assert gradcheck(
        lambda logits: token_loss(logits, targets, epsilon)[0], (logits,)
    )


@pytest.mark.parametrize("spread", ["all", "wrong", "wrong_words"])
def test_the_loss_of_each_convention_of_smoothing(spread):
    logits = random(B, 7)
    targets = smooth_targets(torch.tensor([1, 6]), 7, 0.1, spread).double()
    assert gradcheck(
        lambda logits: -(targets * logits.log_softmax(-1)).sum(), (logits,)
    )


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("norm", [LayerNorm, BatchNorm])
def test_norm_modules(norm, train):
    check(norm(D).train(train), (random(B, LQ, D),))


@pytest.mark.parametrize("d_k", [None, 2])
def test_multi_head_attention(mask, d_k):
    module = MultiHeadAttention(D, H, d_k)

    class Attend(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = module

        def forward(self, x, memory):
            kv = self.attention.keys_values(memory)
            return self.attention(x, kv, mask)

    check(Attend(), (random(B, LQ, D), random(B, LK, D)))


def test_feed_forward():
    check(FeedForward(D, D_FF), (random(B, LQ, D),))


def test_input_and_output_embeddings():
    check(TokenEmbedding(9, D), (), rest=(IDS,))
    check(TokenEmbedding(9, D), (random(B, D),), method="logits")


def test_learned_positions():
    module = PositionalEncoding(D, 7, dropout=0.0, learned=True)
    check(module, (random(B, LQ, D),), rest=(2,))


def test_encoder_layer(norm_first):
    layer = EncoderLayer(Architecture(**SMALL, norm_first=norm_first))
    check(layer, (random(B, LK, SMALL["d_model"]),), rest=(padding_mask(IDS),))


def test_decoder_layer(norm_first):
    layer = DecoderLayer(Architecture(**SMALL, norm_first=norm_first))

    class Decode(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = layer

        def forward(self, x, memory, before):
            past = self.layer.self_attention.keys_values(before)
            kv = self.layer.cross_attention.keys_values(memory)
            mask = causal_mask(x.shape[1], x.shape[1] + before.shape[1])
            return self.layer(x, past, kv, mask, padding_mask(IDS))[0]

    check(Decode(), [random(B, n, SMALL["d_model"]) for n in (2, LK, 1)])


def test_the_whole_model():
    """In pre-norm, which has all that post-norm has and two norms more."""
    config = TransformerConfig(
        vocab_size=8,
        **SMALL,
        n_layers=1,
        norm_first=True,
        max_length=3,
        learned_positions=True,
    )
    check(Transformer(config), (), rest=(IDS[:, :3], IDS[:, 1:3]))
