"""All that the translator's model computes for one sentence, by name.

The names are those of the trace that book/_static/live/model.js hands out, so
that the page, its still pictures and its tests speak of the same numbers.
"""

from __future__ import annotations

from contextlib import ExitStack
from copy import deepcopy
from functools import partial

import torch
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.model import Transformer
from transformer_lib.multi_head import record_attention
from transformer_lib.normalization import LayerNorm

__all__ = ["intermediates", "rounded"]

Trace = dict[str, Tensor]


def rounded(model: Transformer) -> Transformer:
    """Return a copy with the parameters that the page has: float16."""
    copy = deepcopy(model)
    with torch.no_grad():
        for parameter in copy.parameters():
            parameter.copy_(parameter.half().float())
    return copy


def intermediates(
    model: Transformer, source: list[int], target: list[int]
) -> Trace:
    """Return what each part of the model gets and gives.

    Args:
        model: a Transformer; it computes without dropout.
        source: token ids of the sentence, S of them.
        target: token ids that the decoder reads, T of them, from BOS on.

    Returns:
        For each linear map and norm, by its name in the model, the output of
        shape (S or T, features), and the input as ``name:in``; the weights
        of each attention by its name, (heads, queries, keys);
        ``encoder:embedding``, ``encoder:position``, ``encoder:in``, the same
        of the decoder; ``logits``, (T, V).
    """
    found: Trace = {}
    ids = {"encoder": source, "decoder": target}
    with ExitStack() as stack, torch.no_grad():
        for name, module in model.named_modules():
            if isinstance(module, nn.Linear | LayerNorm):
                hook = module.register_forward_hook(partial(note, found, name))
                stack.callback(hook.remove)
        maps = stack.enter_context(record_attention(model))
        found["logits"] = model(*(torch.tensor([it]) for it in ids.values()))[0]
        for side, tokens in ids.items():
            words = embedding(model, side)(torch.tensor([tokens]))
            found[f"{side}:embedding"] = words[0]
            found[f"{side}:position"] = model.positions(0 * words)[0]
            found[f"{side}:in"] = model.positions(words)[0]
    return found | {name: weights[0] for name, weights in maps.items()}


def embedding(model: Transformer, side: str) -> TokenEmbedding:
    """Return the embedding of the encoder or of the decoder."""
    encodes = side == "encoder"
    return model.source_embedding if encodes else model.target_embedding


def note(
    found: Trace, name: str, module: nn.Module, args: tuple, output: Tensor
) -> None:
    """Note what a module got and gave (a forward hook)."""
    found[f"{name}:in"], found[name] = args[0][0], output[0]
