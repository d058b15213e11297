"""`torch.nn.Transformer` with the library's embedding and positions.

The rival of the throughput benchmark: the same sizes, the same number of
parameters, the fused attention kernels, pre-norm, no dropout.
"""

import torch
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.positional import PositionalEncoding
from transformer_lib.special_tokens import PAD


class TorchTransformer(nn.Module):
    """nn.Transformer, ready for `transformer_lib.training.train_step`."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config.vocab_size, config.d_model)
        self.positions = PositionalEncoding(
            config.d_model, config.max_length, 0.0
        )
        sizes = (config.d_model, config.n_heads, config.d_ff, 0.0)
        choices = {"batch_first": True, "norm_first": True}
        encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(*sizes, **choices),
            config.n_layers,
            nn.LayerNorm(config.d_model),
            enable_nested_tensor=False,  # pre-norm cannot use it
        )
        self.core = nn.Transformer(
            config.d_model,
            config.n_heads,
            num_decoder_layers=config.n_layers,
            dim_feedforward=config.d_ff,
            dropout=0.0,
            custom_encoder=encoder,
            **choices,
        )

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        length = target.shape[1]
        ones = torch.ones(length, length, dtype=torch.bool)
        padding = source == PAD
        x = self.core(
            self.positions(self.embedding(source)),
            self.positions(self.embedding(target)),
            tgt_mask=ones.to(target.device).triu(1),  # True hides
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
            tgt_is_causal=True,
        )
        return self.embedding.logits(x)

    def copy(self, ours: Transformer) -> "TorchTransformer":
        """Take the weights of the library's model."""
        self.embedding.weight.data.copy_(ours.output_embedding.weight)
        for stack, own in (
            (self.core.encoder, ours.encoder),
            (self.core.decoder, ours.decoder),
        ):
            _copy_norm(stack.norm, own.norm)
            for layer, other in zip(stack.layers, own.layers, strict=True):
                _copy_layer(layer, other)
        return self


def _copy_layer(layer: nn.Module, ours: nn.Module) -> None:
    _copy_attention(layer.self_attn, ours.self_attention)
    _copy_norm(layer.norm1, ours.norm1)
    _copy_norm(layer.norm2, ours.norm2)
    if hasattr(ours, "cross_attention"):
        _copy_attention(layer.multihead_attn, ours.cross_attention)
        _copy_norm(layer.norm3, ours.norm3)
    layer.linear1.load_state_dict(ours.feed_forward.linear1.state_dict())
    layer.linear2.load_state_dict(ours.feed_forward.linear2.state_dict())


def _copy_norm(norm: nn.LayerNorm, ours: nn.Module) -> None:
    norm.weight.data.copy_(ours.weight)
    norm.bias.data.copy_(ours.bias)


def _copy_attention(theirs: nn.MultiheadAttention, ours: nn.Module) -> None:
    for name in ("weight", "bias"):
        parts = [
            getattr(linear, name)
            for linear in (ours.q_proj, ours.k_proj, ours.v_proj)
        ]
        getattr(theirs, f"in_proj_{name}").data.copy_(torch.cat(parts))
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
