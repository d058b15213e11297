"""Part 7 of the reader's own Transformer: `class Transformer`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: F401 - mistakes use it

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import (
    Probe,
    Property,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.parts.causal_mask import causal_mask
from transformer_course.checks.parts.DecoderLayer import DecoderLayer
from transformer_course.checks.parts.drive import (
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_course.checks.parts.EncoderLayer import EncoderLayer
from transformer_course.checks.parts.LayerNorm import LayerNorm
from transformer_course.checks.parts.look import look_at_module, module_code
from transformer_course.checks.parts.padding_mask import padding_mask
from transformer_course.checks.parts.PositionalEncoding import (
    PositionalEncoding,
)
from transformer_course.checks.parts.TokenEmbedding import TokenEmbedding

__all__ = ["EXERCISE", "Transformer"]


class Transformer(nn.Module):
    """Read one sentence, and score each next word of another."""

    def __init__(
        self, vocab_size, d_model, n_heads, d_ff, n_layers,
        dropout=0.1, norm_first=False,
    ):  # fmt: skip
        super().__init__()
        sizes = d_model, n_heads, d_ff, dropout, norm_first
        layers = range(n_layers)
        self.embedding = TokenEmbedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in layers)
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in layers)
        self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
        self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def encode(self, source, mask):
        """source (B, n), mask (B, 1, n) to the memory (B, n, d_model)."""
        x = self.positions(self.embedding(source))
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoder_norm(x)

    def decode(self, target, memory, memory_mask):
        """target (B, m), memory and its mask to logits (B, m, vocab_size)."""
        mask = causal_mask(target.shape[1]).to(target.device)
        x = self.positions(self.embedding(target))
        for layer in self.decoder:
            x = layer(x, memory, mask, memory_mask)
        return self.embedding.logits(self.decoder_norm(x))

    def forward(self, source, target):
        """source (B, n) and target (B, m) to logits (B, m, vocab_size)."""
        mask = padding_mask(source)
        memory = self.encode(source, mask)
        return self.decode(target, memory, mask)


def seen(model: nn.Module, source: torch.Tensor, mask: torch.Tensor) -> list:
    """What goes into the encoder, and what each layer makes of it."""
    values = [model.positions(model.embedding(source))]
    for layer in model.encoder:
        values.append(layer(values[-1], mask))
    return values


def _model(
    name: str, seed: int, ask: str, sizes: tuple, source: tuple, m: int,
    basic: bool = False,
) -> Case:  # fmt: skip
    """A case with sources of these lengths, padded, and targets of m ids."""
    draw = np.random.default_rng(seed)
    shape = len(source), max(source)
    ids = draw.integers(3, sizes[0], size=shape)
    ids *= np.arange(shape[1]) < np.array(source)[:, None]
    target = draw.integers(3, sizes[0], size=(len(source), m))
    target[:, 0] = 1
    memory = draw.integers(-15, 16, size=(*shape, sizes[1])) / 10
    mask = draw.random((len(source), 1, shape[1])) < 0.6
    mask[..., 0] = True
    inputs = {"encode": (ids, mask), "decode": (target, memory, mask)}
    weights = weights_like(Transformer, *sizes, seed=seed)
    say = (
        f"m = Transformer{sizes}, with weights of one decimal; {SAID[ask]}; "
        f"source {ids.tolist()}, target {target.tolist()}"
    )
    given = *inputs.get(ask, (ids, target)), None
    return Case(name, (say, ask, sizes, weights, *given[:3]), basic)


def _play(make: Callable, *args: Any) -> Any:
    """Leave out the third input where there are two."""
    args = args[:-1] if args[-1] is None else args
    return play_module(lambda *sizes: _watched(make(*sizes)), *args)


def _watched(model: Any) -> Any:
    """Let `decode` say it when vectors come in the place of the ids."""
    decode = getattr(model, "decode", None)
    if not isinstance(model, nn.Module) or not inspect.ismethod(decode):
        return model

    def watched(*args: Any, **more: Any) -> Any:
        if args and torch.is_tensor(args[0]) and args[0].is_floating_point():
            raise TypeError("decode got vectors in the place of the ids")
        return decode(*args, **more)

    model.decode = watched
    return model


_POST, _PRE = (9, 4, 2, 6, 2, 0.0), (9, 4, 2, 6, 2, 0.0, True)
_ONE = (9, 4, 2, 6, 1, 0.0)
_ALL, _ALL_PRE = (9, 4, 2, 6, 2, 1.0), (9, 4, 2, 6, 2, 1.0, True)
CASES = (
    _model("names", 1, "names", (9, 4, 2, 6, 2), (2,), 2, basic=True),
    _model("defaults", 2, "output", _POST, (4, 4, 4), 3, basic=True),
    _model("padding", 3, "output", _POST, (3, 5), 4, basic=True),
    _model("as long", 4, "output", _POST, (4, 2), 4, basic=True),
    _model("three layers", 5, "output", (8, 6, 3, 4, 3, 0.0, False), (2, 3), 4,
           basic=True),
    _model("one layer", 6, "output", _ONE, (3,), 2, basic=True),
    _model("gradients", 7, "gradients", _POST, (2, 3), 3, basic=True),
    _model("encode", 8, "encode", _POST, (4, 3), 3),
    _model("decode", 9, "decode", _POST, (4, 3), 3),
    _model("pre-norm names", 10, "names", _PRE, (2,), 2),
    _model("pre-norm", 11, "output", _PRE, (3, 4), 3),
    _model("pre-norm gradients", 12, "gradients", _PRE, (2, 3), 2),
    _model("in eval", 13, "output", _ALL, (3,), 3),
    _model("dropout", 14, "dropped", _ALL, (3, 2), 3),
    _model("pre-norm dropout", 15, "dropped", _ALL_PRE, (3, 2), 3),
    _model("another time", 16, "training", (9, 6, 2, 8, 2, 0.5), (4, 4), 4),
    _model("sixty tokens", 21, "output", (9, 4, 2, 6, 1, 0.0), (60,), 60),
    _model("inputs stay", 17, "inputs stay", _POST, (3, 2), 3),
    _model("float32", 18, "float32", _POST, (3, 2), 3),
    _model("other device", 19, "other device", _ONE, (3, 2), 3),
    _model("twice", 20, "twice", (9, 4, 2, 6, 2, 0.5), (3, 2), 3),
)  # fmt: skip


def _of_outputs(law: Property) -> Property:
    """A property that says something of results only."""

    def asked(probe: Probe) -> str | None:
        return law(probe) if probe.args[1] == "output" else None

    return asked


def _one_token_less(args: tuple) -> tuple:
    *others, target, none = args
    less = target[:, :-1] if target.shape[1] > 1 else target
    return (*others, less, none)


def _one_more_pad(args: tuple) -> tuple:
    *others, source, target, none = args
    return (*others, np.pad(source, ((0, 0), (0, 1))), target, none)


_CAUSAL = unmoved_by(
    _one_token_less,
    lambda logits, args: logits[:, : max(args[-2].shape[1] - 1, 1)],
    "The first thing that breaks: without the last token of the target the "
    "logits of the tokens before it are others. No token may know of those "
    "that come after it.",
)
_PADDED = unmoved_by(
    _one_more_pad,
    lambda logits, args: logits,
    "The first thing that breaks: one more <pad> after the source changes "
    "the logits. Padding must be hidden from the encoder and from the decoder.",
)


EXERCISE = Exercise(
    name="Transformer",
    inputs=("vocab_size", "d_model", "n_heads", "d_ff", "n_layers", "dropout",
            "norm_first"),
    written="class Transformer(vocab_size, d_model, n_heads, d_ff, n_layers, "
    "dropout=0.1, norm_first=False)",
    asked="`Transformer(vocab_size, d_model, n_heads, d_ff, n_layers, "
    "dropout=0.1, norm_first=False)` has `embedding`, `positions`, the lists "
    "`encoder` and `decoder`, `encoder_norm` and `decoder_norm`. "
    "`encode(source, mask)` gives the memory, `decode(target, memory, "
    "memory_mask)` the logits, `forward(source, target)` does both.",
    praise="All layers run, in order, each decoder layer reads what the "
    "encoder made, every mask is where it belongs; values and "
    "gradients are those of torch.nn.Transformer, in both orders of "
    "the norms.",
    cases=CASES,
    draw=lambda seed: _model("one more", seed, "output", _POST, (3, 5), 4),
    solve=Reference(Transformer),
    properties=(right_names, shape, finite, _of_outputs(_CAUSAL),
                _of_outputs(_PADDED)),
    hints=(
        "Two loops, one in `encode` and one in `decode`. What is x before the "
        "first round, and what is it after the last?",
        "Every decoder layer gets the same memory and the same two masks. "
        "Which mask is made of the source, and which of the target's length?",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=_play,
    words=names_in_words,
    look=look_at_module("source", "target"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "first", "second",
                 "third"),
    quick=("one layer", "padding"),
    most_combined=40,
    on_the_way={
        "memory": "the memory",
        "self.embedding(source)": "the vectors of the source tokens",
        "self.embedding(target)": "the vectors of the target tokens",
        "self.decoder_norm(x)": "the vectors of the decoder",
    },
)  # fmt: skip
