"""Part 7 of the reader's own Transformer: `class DecoderLayer`."""

from __future__ import annotations

import numpy as np
import torch  # noqa: F401 - mistakes use it
from torch import nn
from torch.nn import functional as F  # noqa: F401

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.parts.drive import (
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_course.checks.parts.FeedForward import FeedForward
from transformer_course.checks.parts.LayerNorm import LayerNorm
from transformer_course.checks.parts.look import look_at_module, module_code
from transformer_course.checks.parts.MultiHeadAttention import (
    MultiHeadAttention,
)

__all__ = ["EXERCISE", "DecoderLayer"]


class DecoderLayer(nn.Module):
    """Attend to the target, to the memory, then feed forward."""

    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, mask=None, memory_mask=None):
        """x (B, m, d_model), memory (B, n, d_model); masks for m and n keys."""
        if self.norm_first:
            h = self.norm1(x)
            x = x + self.dropout(self.self_attention(h, h, h, mask))
            h = self.norm2(x)
            h = self.cross_attention(h, memory, memory, memory_mask)
            x = x + self.dropout(h)
            h = self.norm3(x)
            return x + self.dropout(self.feed_forward(h))
        attended = self.self_attention(x, x, x, mask)
        z = self.norm1(x + self.dropout(attended))
        found = self.cross_attention(z, memory, memory, memory_mask)
        u = self.norm2(z + self.dropout(found))
        forwarded = self.feed_forward(u)
        y = self.norm3(u + self.dropout(forwarded))
        return y


def _layer(
    name: str, seed: int, ask: str, sizes: tuple, batch: int, m: int, n: int,
    mask=None, memory_mask=None, basic: bool = False,
) -> Case:  # fmt: skip
    """A case of m tokens of the target and n of the source."""
    draw = np.random.default_rng(seed)
    x, memory = (
        draw.integers(-15, 16, size=(batch, length, sizes[0])) / 10
        for length in (m, n)
    )
    weights = weights_like(DecoderLayer, *sizes, seed=seed)
    say = (
        f"m = DecoderLayer{sizes}, with weights of one decimal; x {x.shape}, "
        f"memory {memory.shape}; {SAID[ask]}"
        + ("" if mask is None else f"; mask {mask.shape}")
        + ("" if memory_mask is None else f"; memory_mask {memory_mask.shape}")
    )
    args = (say, ask, sizes, weights, x, memory, mask, memory_mask)
    return Case(name, args, basic)


_PADDING = np.array(
    [[[True, True, True, False]], [[True, False, False, False]]]
)
_THREE, _FOUR = np.tri(3) > 0, np.tri(4) > 0
_POST, _PRE = (4, 2, 6, 0.0, False), (4, 2, 6, 0.0, True)
_ALL, _ALL_PRE = (4, 2, 6, 1.0), (4, 2, 6, 1.0, True)
CASES = (
    _layer("names", 1, "names", (4, 2, 6), 1, 2, 2, basic=True),
    _layer("defaults", 2, "output", (4, 2, 6, 0.0), 2, 3, 4, basic=True),
    _layer("more to read", 3, "output", (6, 3, 4, 0.0, False), 2, 3, 5,
           basic=True),
    _layer("as long", 4, "output", _POST, 2, 3, 3, basic=True),
    _layer("one token", 5, "output", _POST, 2, 1, 3, basic=True),
    _layer("gradients", 6, "gradients", _POST, 1, 2, 3, basic=True),
    _layer("causal", 7, "output", _POST, 2, 3, 4, _THREE),
    _layer("padding", 8, "output", _POST, 2, 3, 4, None, _PADDING),
    _layer("both masks", 9, "output", _POST, 2, 4, 4, _FOUR, _PADDING),
    _layer("pre-norm", 10, "output", _PRE, 2, 3, 4),
    _layer("pre-norm masks", 11, "output", _PRE, 2, 4, 4, _FOUR, _PADDING),
    _layer("pre-norm gradients", 12, "gradients", _PRE, 1, 2, 3),
    _layer("in eval", 13, "output", _ALL, 1, 3, 2),
    _layer("pre-norm in eval", 14, "output", _ALL_PRE, 1, 3, 2),
    _layer("dropout", 15, "dropped", _ALL, 1, 3, 2),
    _layer("pre-norm dropout", 16, "dropped", _ALL_PRE, 1, 3, 2),
    _layer("another time", 17, "training", (6, 2, 8, 0.5), 3, 4, 4),
    _layer("inputs stay", 18, "inputs stay", _POST, 1, 2, 3),
    _layer("pre-norm inputs stay", 19, "inputs stay", _PRE, 1, 2, 3),
    _layer("float32", 20, "float32", _POST, 1, 2, 3),
    _layer("digits", 23, "digits", (8, 2, 6, 0.0), 1, 2, 3),
    _layer("other device", 21, "other device", _POST, 2, 3, 4, _THREE,
           _PADDING),
    _layer("twice", 22, "twice", (4, 2, 6, 0.5), 2, 3, 3),
)  # fmt: skip


EXERCISE = Exercise(
    name="DecoderLayer",
    inputs=("d_model", "n_heads", "d_ff", "dropout", "norm_first"),
    written="class DecoderLayer(d_model, n_heads, d_ff, dropout=0.1, "
    "norm_first=False)",
    asked="`DecoderLayer(d_model, n_heads, d_ff, dropout=0.1, "
    "norm_first=False)` has `self_attention`, `cross_attention`, "
    "`feed_forward`, `norm1`, `norm2`, `norm3` and `dropout`. `forward(x, "
    "memory, mask=None, memory_mask=None)` runs the three sub-layers in this "
    "order, each with dropout, residual and norm as in `EncoderLayer`; the "
    "cross-attention's keys and values are the memory.",
    praise="The three sub-layers come in the right order, each with its own "
    "input, mask, skip, norm and dropout; values and gradients are "
    "those of torch.nn.TransformerDecoderLayer, in both orders of the "
    "norms.",
    cases=CASES,
    draw=lambda seed: _layer("one more", seed, "output", _POST, 2, 3, 4),
    solve=Reference(DecoderLayer),
    properties=(right_names, shape, finite),
    hints=(
        "Begin with your EncoderLayer. What stands between its two halves in "
        "a decoder, and which norm does it need?",
        "In the cross-attention the target asks. What are the key and the "
        "value, and which mask belongs to them?",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x", "memory", "mask", "memory_mask"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x", "memory", "mask",
                 "memory_mask"),
    quick=("defaults",),
    most_combined=80,
    on_the_way={
        "attended": "what the first attention makes of `x`",
        "self.dropout(attended)": "what the first attention makes of `x`",
        "z": "the output of the first sub-layer",
        "found": "what the second attention finds",
        "u": "the output of the second sub-layer",
        "forwarded": "the output of the feed-forward network",
        "x + self.dropout(attended)": "the first sum, not normalized yet",
        "z + self.dropout(found)": "the second sum, not normalized yet",
        "u + self.dropout(forwarded)": "the third sum, not normalized yet",
    },
)  # fmt: skip
