"""What ablations.py and multi30k.py change, one thing at a time.

`VARIANTS` has them by name; `reference` changes nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.model import Transformer
from transformer_lib.multi_head import KeyValues, MultiHeadAttention


def parts(model: nn.Module, kind: type[nn.Module]) -> list:
    """Return all modules of one kind."""
    return [part for part in model.modules() if isinstance(part, kind)]


def scramble_merge(model: Transformer) -> None:
    """Merge the heads by `view`, without bringing them back first."""
    for attention in parts(model, MultiHeadAttention):
        split = attention.split_heads  # undoes the right merge

        def wrong(_, args, split=split):
            return (split(args[0]).reshape(args[0].shape),)

        attention.out_proj.register_forward_pre_hook(wrong)


def scramble_both(model: Transformer) -> None:
    """Split and merge the heads by `view`, without a transpose."""
    scramble_merge(model)
    for attention in parts(model, MultiHeadAttention):

        def wrong(x: Tensor, heads: int = attention.n_heads) -> Tensor:
            return x.reshape(len(x), heads, x.shape[1], -1)

        attention.split_heads = wrong


def no_positions(model: Transformer) -> None:
    model.positions.pe.zero_()


def base_1000(model: Transformer) -> None:
    """Sines and cosines with 1000 where the paper has 10000."""
    length, d_model = model.positions.pe.shape
    position = torch.arange(length).unsqueeze(1)
    angle = position / 1000 ** (torch.arange(0, d_model, 2) / d_model)
    pairs = torch.stack([angle.sin(), angle.cos()], dim=-1)
    model.positions.pe.copy_(pairs.flatten(1))


def small_rows(model: Transformer) -> None:
    """Look rows up without the factor sqrt(d_model)."""
    factor = math.sqrt(model.config.d_model)
    for embedding in parts(model, TokenEmbedding):
        embedding.register_forward_hook(lambda _, args, rows: rows / factor)


def unscaled(model: Transformer) -> None:
    """Undo the division of the scores by sqrt(d_k)."""
    for attention in parts(model, MultiHeadAttention):
        factor = math.sqrt(attention.q_proj.out_features / attention.n_heads)

        def longer(_, args, query, factor=factor):
            return query * factor

        attention.q_proj.register_forward_hook(longer)


def no_residual(model: Transformer) -> None:
    """Pass on each sub-layer's output without adding its input."""
    for layer in model.encoder.layers:
        layer.forward = partial(bare_encoder_layer, layer)
    for layer in model.decoder.layers:
        layer.forward = partial(bare_decoder_layer, layer)


def bare_encoder_layer(
    layer: EncoderLayer, x: Tensor, mask: Tensor | None = None
) -> Tensor:
    """`EncoderLayer.forward` in pre-norm, without its two pluses."""
    h = layer.norm1(x)
    h = layer.self_attention(h, layer.self_attention.keys_values(h), mask)
    return layer.feed_forward(layer.norm2(h))


def bare_decoder_layer(
    layer: DecoderLayer,
    x: Tensor,
    past: KeyValues,
    memory: KeyValues,
    mask: Tensor,
    memory_mask: Tensor | None = None,
) -> tuple[Tensor, KeyValues]:
    """`DecoderLayer.forward` in pre-norm, without its three pluses."""
    h = layer.norm1(x)
    present = past.append(layer.self_attention.keys_values(h))
    h = layer.self_attention(h, present, mask)
    h = layer.cross_attention(layer.norm2(h), memory, memory_mask)
    return layer.feed_forward(layer.norm3(h)), present


def no_norm(model: Transformer) -> None:
    for stack in (model.encoder, model.decoder):
        stack.norm = nn.Identity()
        for layer in stack.layers:
            layer.norm1 = layer.norm2 = layer.norm3 = nn.Identity()


def see_all(n_queries: int, n_keys: int, device: torch.device) -> Tensor:
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)


def see_padding(ids: Tensor) -> Tensor:
    return torch.ones_like(ids, dtype=torch.bool).unsqueeze(1)


@dataclass(frozen=True)
class Variant:
    """One difference from the reference.

    Attributes:
        text: what differs, in words.
        model, training: fields of the configurations that differ.
        change: what is done to the new model.
        masks: functions that take the place of the library's.
        cached: False where a token's vector depends on the sentence's
            length, so that a cache would hold something else.
    """

    text: str
    model: dict = field(default_factory=dict)
    training: dict = field(default_factory=dict)
    change: Callable[[Transformer], None] = lambda model: None
    masks: dict = field(default_factory=dict)
    cached: bool = True


POST = {"norm_first": False}
COLD = {"warmup": 1}
VARIANTS = {
    "reference": Variant("nothing"),
    "heads_1": Variant("1 head", {"n_heads": 1}),
    "heads_2": Variant("2 heads", {"n_heads": 2}),
    "heads_8": Variant("8 heads", {"n_heads": 8}),
    "layers_1": Variant("1 layer", {"n_layers": 1}),
    "scrambled_merge": Variant(
        "heads merged by `view` without `transpose`",
        change=scramble_merge,
        cached=False,
    ),
    "scrambled_both": Variant(
        "heads split and merged by `view` without `transpose`",
        change=scramble_both,
        cached=False,
    ),
    "no_causal_mask": Variant(
        "no causal mask in training", masks={"causal_mask": see_all}
    ),
    "no_padding_mask": Variant(
        "no padding mask", masks={"padding_mask": see_padding}
    ),
    "no_positions": Variant("no positions", change=no_positions),
    "learned_positions": Variant(
        "learned positions", {"learned_positions": True}
    ),
    "base_1000": Variant("sinusoids of base 1000", change=base_1000),
    "untied": Variant("three embedding matrices", {"tie_embeddings": False}),
    "small_rows": Variant("no factor $\\sqrt{d_{model}}$", change=small_rows),
    "pre_norm_cold": Variant("no warm-up", training=COLD),
    "post_norm": Variant("post-norm", POST),
    "post_norm_cold": Variant("post-norm, no warm-up", POST, COLD),
    "unscaled": Variant("no $1/\\sqrt{d_k}$", change=unscaled),
    "no_residual": Variant("no residual connections", change=no_residual),
    "no_norm": Variant("no layer norm", change=no_norm),
    "unsmoothed": Variant(
        "no label smoothing", training={"label_smoothing": 0.0}
    ),
}
