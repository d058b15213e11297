"""Part 7 of the reader's own Transformer: `class EncoderLayer`."""

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

__all__ = ["EXERCISE", "EncoderLayer"]


class EncoderLayer(nn.Module):
    """Attend, then feed forward, each with a residual and a norm."""

    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        """x (B, n, d_model); mask (B, 1, n) or (n, n)."""
        if self.norm_first:
            h = self.norm1(x)
            x = x + self.dropout(self.self_attention(h, h, h, mask))
            h = self.norm2(x)
            return x + self.dropout(self.feed_forward(h))
        attended = self.self_attention(x, x, x, mask)
        z = self.norm1(x + self.dropout(attended))
        forwarded = self.feed_forward(z)
        y = self.norm2(z + self.dropout(forwarded))
        return y


def _layer(
    name: str, seed: int, ask: str, sizes: tuple, batch: int, n: int,
    mask=None, size: float = 1.0, basic: bool = False,
) -> Case:  # fmt: skip
    """A case; size makes everything but the norms' weights smaller."""
    draw = np.random.default_rng(seed)
    x = draw.integers(-15, 16, size=(batch, n, sizes[0])) / 10 * size
    weights = {
        key: value if "norm" in key else value * size
        for key, value in weights_like(EncoderLayer, *sizes, seed=seed).items()
    }
    say = (
        f"m = EncoderLayer{sizes}, with weights of one decimal; x {x.shape}; "
        f"{SAID[ask]}"
        + ("" if mask is None else f"; mask {mask.shape}")
        + ("" if size == 1 else f"; all but the norms times {size}")
    )
    return Case(name, (say, ask, sizes, weights, x, mask), basic)


_PADDING = np.array(
    [[[True, True, True, False]], [[True, False, False, False]]]
)
_CAUSAL = np.tri(3) > 0
_POST, _PRE = (4, 2, 6, 0.0, False), (4, 2, 6, 0.0, True)
CASES = (
    _layer("names", 1, "names", (4, 2, 6), 1, 2, basic=True),
    _layer("defaults", 2, "output", (4, 2, 6, 0.0), 2, 3, basic=True),
    _layer("three heads", 3, "output", (6, 3, 4, 0.0, False), 2, 4, basic=True),
    _layer("one token", 4, "output", _POST, 2, 1, basic=True),
    _layer("gradients", 5, "gradients", _POST, 1, 3, basic=True),
    _layer("padding", 6, "output", _POST, 2, 4, _PADDING),
    _layer("causal", 7, "output", _POST, 2, 3, _CAUSAL),
    _layer("small numbers", 8, "output", _POST, 1, 3, size=0.003),
    _layer("pre-norm", 9, "output", _PRE, 2, 3),
    _layer("pre-norm padding", 10, "output", _PRE, 2, 4, _PADDING),
    _layer("pre-norm gradients", 11, "gradients", _PRE, 1, 3),
    _layer("in eval", 12, "output", (4, 2, 6, 1.0), 1, 3),
    _layer("pre-norm in eval", 13, "output", (4, 2, 6, 1.0, True), 1, 3),
    _layer("dropout", 14, "dropped", (4, 2, 6, 1.0), 1, 3),
    _layer("pre-norm dropout", 15, "dropped", (4, 2, 6, 1.0, True), 1, 3),
    _layer("another time", 16, "training", (6, 2, 8, 0.5), 3, 4),
    _layer("inputs stay", 17, "inputs stay", _POST, 1, 2),
    _layer("pre-norm inputs stay", 18, "inputs stay", _PRE, 1, 2),
    _layer("float32", 19, "float32", _POST, 1, 2),
    _layer("digits", 22, "digits", (8, 2, 6, 0.0), 1, 2),
    _layer("other device", 20, "other device", _POST, 2, 4, _PADDING),
    _layer("twice", 21, "twice", (4, 2, 6, 0.5), 2, 3),
)


EXERCISE = Exercise(
    name="EncoderLayer",
    inputs=("d_model", "n_heads", "d_ff", "dropout", "norm_first"),
    written="class EncoderLayer(d_model, n_heads, d_ff, dropout=0.1, "
    "norm_first=False)",
    asked="`EncoderLayer(d_model, n_heads, d_ff, dropout=0.1, "
    "norm_first=False)` has `self_attention`, `feed_forward`, `norm1`, `norm2` "
    "and `dropout`. `forward(x, mask=None)` runs both sub-layers; what each "
    "makes goes through dropout and is added to what it read. Post-norm "
    "normalizes each sum, pre-norm (norm_first=True) what each sub-layer "
    "reads.",
    praise="Both sub-layers have their skip, their norm and their dropout; "
    "values and gradients are those of "
    "torch.nn.TransformerEncoderLayer, in both orders of the norms.",
    cases=CASES,
    draw=lambda seed: _layer("one more", seed, "output", _POST, 2, 3),
    solve=Reference(EncoderLayer),
    properties=(right_names, shape, finite),
    hints=(
        "Each branch has two halves that look alike, one for the attention "
        "and one for the feed-forward network. What does the second start "
        "from?",
        "Post-norm: norm(x + dropout(sublayer(x))). Pre-norm: x + "
        "dropout(sublayer(norm(x))). Compare each of your lines with these.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x", "mask"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x", "mask"),
    quick=("defaults",),
    most_combined=100,
    on_the_way={
        "attended": "what the attention makes of `x`",
        "self.dropout(attended)": "what the attention makes of `x`",
        "z": "the vectors between the two sub-layers",
        "forwarded": "the output of the feed-forward network",
        "self.dropout(forwarded)": "the output of the feed-forward network",
        "x + self.dropout(attended)": "the first sum, not normalized yet",
        "z + self.dropout(forwarded)": "the second sum, not normalized yet",
    },
)
