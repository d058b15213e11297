"""A Transformer as a textbook writes it: one line of code for each formula.

It is the slow but plain rival of the library: separate projections for
queries, keys and values, a softmax that is written out, masks that add minus
infinity, no fused kernel and no cache. Embedding and positions are the
library's own, so that what is compared is the stack of layers.
"""

import math

import torch
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.positional import PositionalEncoding
from transformer_lib.special_tokens import PAD


class Attention(nn.Module):
    """Scaled dot-product attention with h heads (section 3.2)."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads, self.d_k = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def split(self, x: Tensor) -> Tensor:
        """(B, L, D) to (B, H, L, d_k)."""
        return x.view(len(x), -1, self.n_heads, self.d_k).transpose(1, 2)

    def forward(self, x: Tensor, kv: Tensor, mask: Tensor) -> Tensor:
        """The mask is added to the scores: 0 or minus infinity."""
        query = self.split(self.q_proj(x))
        key = self.split(self.k_proj(kv))
        value = self.split(self.v_proj(kv))
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_k) + mask
        heads = torch.softmax(scores, dim=-1) @ value
        joined = heads.transpose(1, 2).reshape(len(x), -1, self.width)
        return self.out_proj(joined)

    @property
    def width(self) -> int:
        return self.n_heads * self.d_k


class Layer(nn.Module):
    """An encoder layer, or with ``crosses`` a decoder layer; pre-norm."""

    def __init__(self, config: TransformerConfig, crosses: bool):
        super().__init__()
        d_model = config.d_model
        self.crosses = crosses
        self.self_attention = Attention(d_model, config.n_heads)
        self.norm1 = nn.LayerNorm(d_model)
        if crosses:
            self.cross_attention = Attention(d_model, config.n_heads)
            self.norm2 = nn.LayerNorm(d_model)
        self.linear1 = nn.Linear(d_model, config.d_ff)
        self.linear2 = nn.Linear(config.d_ff, d_model)
        self.norm3 = nn.LayerNorm(d_model)

    def forward(self, x, mask, memory=None, memory_mask=None):
        h = self.norm1(x)
        x = x + self.self_attention(h, h, mask)
        if self.crosses:
            h = self.norm2(x)
            x = x + self.cross_attention(h, memory, memory_mask)
        h = self.norm3(x)
        return x + self.linear2(torch.relu(self.linear1(h)))


class TextbookTransformer(nn.Module):
    """The library's Transformer (pre-norm, tied, without dropout), plainly."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config.vocab_size, config.d_model)
        self.positions = PositionalEncoding(
            config.d_model, config.max_length, 0.0
        )
        n = config.n_layers
        self.encoder = nn.ModuleList(Layer(config, False) for _ in range(n))
        self.encoder_norm = nn.LayerNorm(config.d_model)
        self.decoder = nn.ModuleList(Layer(config, True) for _ in range(n))
        self.decoder_norm = nn.LayerNorm(config.d_model)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        memory_mask = minus_infinity((source == PAD)[:, None, None, :])
        length = target.shape[1]
        later = torch.ones(length, length, device=target.device).triu(1)
        mask = minus_infinity(later.bool())
        memory = self.positions(self.embedding(source))
        for layer in self.encoder:
            memory = layer(memory, memory_mask)
        memory = self.encoder_norm(memory)
        x = self.positions(self.embedding(target))
        for layer in self.decoder:
            x = layer(x, mask, memory, memory_mask)
        return self.embedding.logits(self.decoder_norm(x))

    def copy(self, ours: Transformer) -> "TextbookTransformer":
        """Take the weights of the library's model."""
        self.embedding.weight.data.copy_(ours.output_embedding.weight)
        for plain, layer in zip(self.encoder, ours.encoder.layers, strict=True):
            _copy_layer(plain, layer, [plain.norm1, plain.norm3])
        for plain, layer in zip(self.decoder, ours.decoder.layers, strict=True):
            norms = [plain.norm1, plain.norm2, plain.norm3]
            _copy_layer(plain, layer, norms)
            _copy_attention(plain.cross_attention, layer.cross_attention)
        _copy_norm(self.encoder_norm, ours.encoder.norm)
        _copy_norm(self.decoder_norm, ours.decoder.norm)
        return self


def minus_infinity(hidden: Tensor) -> Tensor:
    """Return 0 where a key may be looked at and minus infinity elsewhere."""
    zeros = torch.zeros(hidden.shape, device=hidden.device)
    return zeros.masked_fill(hidden, -math.inf)


def _copy_layer(plain: Layer, layer: nn.Module, norms: list) -> None:
    _copy_attention(plain.self_attention, layer.self_attention)
    plain.linear1.load_state_dict(layer.feed_forward.linear1.state_dict())
    plain.linear2.load_state_dict(layer.feed_forward.linear2.state_dict())
    for number, norm in enumerate(norms, start=1):
        _copy_norm(norm, getattr(layer, f"norm{number}"))


def _copy_norm(norm: nn.LayerNorm, ours: nn.Module) -> None:
    norm.weight.data.copy_(ours.weight)
    norm.bias.data.copy_(ours.bias)


def _copy_attention(plain: Attention, ours: nn.Module) -> None:
    plain.load_state_dict(ours.state_dict())
