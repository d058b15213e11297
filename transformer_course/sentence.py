"""The sentence on the cover, followed through the trained translator.

Each lesson ends with what its part does for "The cat did not cross the river
because it was too deep", and takes one number from here:

    >>> from transformer_course import sentence
    >>> way = sentence.follow()
    >>> way.english[way.at("it")]
    'it'
    >>> way["encoder.layers.0.self_attention"].shape  # heads, queries, keys
    torch.Size([4, 13, 13])
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.model import Transformer
from transformer_lib.multi_head import record_attention
from transformer_lib.normalization import LayerNorm
from transformer_lib.special_tokens import BOS
from transformer_lib.translator import Translator

__all__ = ["ENGLISH", "Followed", "Trace", "follow", "intermediates"]

Trace = dict[str, Tensor]
ENGLISH = "the cat did not cross the river because it was too deep ."


@dataclass(frozen=True)
class Followed:
    """What the shipped translator computes for one sentence.

    Attributes:
        english: the S tokens that the encoder reads.
        korean: the T tokens that the decoder reads, the start mark first.
        trace: see `intermediates`; ``way[name]`` reads from it.
        translator: the translator that was asked.
    """

    english: list[str]
    korean: list[str]
    trace: Trace = field(repr=False)
    translator: Translator = field(repr=False)

    def __getitem__(self, name: str) -> Tensor:
        """Return one of the intermediates by its name in the model."""
        return self.trace[name]

    def at(self, token: str) -> int:
        """Return the position of a token, counted from 0.

        Args:
            token: an English or a Korean token; its first place counts.

        Raises:
            ValueError: neither sentence has it.
        """
        for tokens in (self.english, self.korean):
            if token in tokens:
                return tokens.index(token)
        raise ValueError(
            f"{token!r} is in neither sentence: {self.english}, {self.korean}"
        )

    def strongest(self, weights: Tensor, n: int = 3) -> str:
        """Name the n English tokens with the largest weights.

        Args:
            weights: a row of attention weights over the S English tokens.
            n: how many of them to name.

        Returns:
            such as ``"river 0.61, cat 0.12, deep 0.09"``.
        """
        largest, places = weights.topk(n)
        return ", ".join(
            f"{self.english[place]} {weight:.2f}"
            for weight, place in zip(largest, places.tolist(), strict=True)
        )


def follow(english: str = ENGLISH) -> Followed:
    """Translate a sentence and keep what the shipped model computes.

    Args:
        english: a sentence of the toy language, the cover's by default.

    Returns:
        Its tokens, the tokens of its translation, and the intermediates.
    """
    translator = Translator.shipped()
    tokenizer = translator.tokenizer
    (found,) = translator.hypotheses([english])
    korean = [BOS, *found.tokens]
    trace = intermediates(translator.model, tokenizer.encode(english), korean)
    return Followed(
        tokenizer.tokens(english),
        [tokenizer.token(token) for token in korean],
        trace,
        translator,
    )


def intermediates(
    model: Transformer, source: list[int], target: list[int]
) -> Trace:
    """Return what each part of the model gets and gives.

    The names are those of the trace that book/_static/live/model.js hands out,
    so the page, its still pictures and the lessons speak of the same numbers.

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
                hook = module.register_forward_hook(partial(_note, found, name))
                stack.callback(hook.remove)
        maps = stack.enter_context(record_attention(model))
        found["logits"] = model(*(torch.tensor([it]) for it in ids.values()))[0]
        for side, tokens in ids.items():
            words = _embedding(model, side)(torch.tensor([tokens]))
            found[f"{side}:embedding"] = words[0]
            found[f"{side}:position"] = model.positions(0 * words)[0]
            found[f"{side}:in"] = model.positions(words)[0]
    return found | {name: weights[0] for name, weights in maps.items()}


def _embedding(model: Transformer, side: str) -> TokenEmbedding:
    """Return the embedding of the encoder or of the decoder."""
    encodes = side == "encoder"
    return model.source_embedding if encodes else model.target_embedding


def _note(
    found: Trace, name: str, module: nn.Module, args: tuple, output: Tensor
) -> None:
    """Note what a module got and gave (a forward hook)."""
    found[f"{name}:in"], found[name] = args[0][0], output[0]
