"""Part 3 of the reader's own Transformer: `class MultiHeadAttention`."""

from __future__ import annotations

import numpy as np
from torch import nn
from torch.nn import functional as F

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.parts.drive import (
    SAID,
    play_module,
    right_names,
    weights_like,
)
from transformer_lib.course.checks.parts.look import look_at_module, module_code
from transformer_lib.course.checks.parts.scaled_dot_product_attention import (
    scaled_dot_product_attention,
)

__all__ = ["EXERCISE", "MultiHeadAttention"]


class MultiHeadAttention(nn.Module):
    """Attend with n_heads heads side by side, and mix their results."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        """query (B, n_q, d_model), key and value (B, n_k, d_model)."""
        q = self.split(self.q_proj(query))
        k = self.split(self.k_proj(key))
        v = self.split(self.v_proj(value))
        heads = scaled_dot_product_attention(q, k, v, self.for_heads(mask))
        joined = heads.transpose(1, 2).flatten(2)
        return self.out_proj(joined)

    def split(self, x):
        """Cut each vector into heads: (B, n_heads, n, d_k)."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def for_heads(self, mask):
        """Give a mask of each sentence an axis for the heads."""
        return mask.unsqueeze(1) if mask is not None and mask.ndim > 2 else mask


def _module(name: str, seed: int, ask: str, d_model: int, n_heads: int, *shape,
            mask=None, basic: bool = True) -> Case:  # fmt: skip
    """A case; shape is B, n_q and n_k, or B and n for self-attention."""
    draw = np.random.default_rng(seed)
    batch, n_q, n_k = (*shape, shape[-1])[:3]
    tokens = [
        draw.integers(-15, 16, size=(batch, n, d_model)) / 10
        for n in (n_q, n_k, n_k)
    ]
    if len(shape) == 2:
        tokens[1] = tokens[2] = tokens[0]
    weights = weights_like(MultiHeadAttention, d_model, n_heads, seed=seed)
    say = (
        f"m = MultiHeadAttention({d_model}, {n_heads}), with weights of one "
        f"decimal; query {tokens[0].shape}, key and value {tokens[1].shape}"
        + f"; {SAID[ask]}"
        + ("" if mask is None else f"; mask {mask.shape}")
    )
    args = (say, ask, (d_model, n_heads), weights, *tokens)
    return Case(name, (*args, mask), basic)


_PADDING = np.array(
    [[[True, True, True, False]], [[True, False, False, False]]]
)
_CAUSAL = np.tri(3) > 0
CASES = (
    _module("names", 1, "names", 4, 2, 2, 3),
    _module("self-attention", 2, "output", 4, 2, 2, 3),
    _module("one head", 3, "output", 4, 1, 1, 3),
    _module("three heads", 4, "output", 6, 3, 2, 4),
    _module("more keys", 5, "output", 4, 2, 2, 3, 5),
    _module("one token", 6, "output", 4, 2, 2, 1),
    _module("as many as heads", 7, "output", 6, 3, 3, 3),
    _module("gradients", 8, "gradients", 4, 2, 1, 2, 3),
    _module("padding", 9, "output", 4, 2, 2, 3, 4, mask=_PADDING, basic=False),
    _module("causal", 10, "output", 4, 2, 2, 3, mask=_CAUSAL, basic=False),
    _module("float32", 11, "float32", 4, 2, 1, 2, basic=False),
    _module("other device", 12, "other device", 4, 2, 1, 2, basic=False),
    _module("inputs stay", 13, "inputs stay", 4, 2, 1, 2, basic=False),
    _module("twice", 14, "twice", 4, 2, 1, 2, basic=False),
)

MISTAKES = r"""
no_scale
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, scale=1.0)
The scores are not divided by the root of d_k, the width of one head.
? Chapter 4: each score is a sum of d_k products.

no_bias
- self.q_proj = nn.Linear(d_model, d_model)
+ self.q_proj = nn.Linear(d_model, d_model, bias=False)
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = nn.Linear(d_model, d_model, bias=False)
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = nn.Linear(d_model, d_model, bias=False)
- self.out_proj = nn.Linear(d_model, d_model)
+ self.out_proj = nn.Linear(d_model, d_model, bias=False)
or
- self.q_proj = nn.Linear(d_model, d_model)
+ self.q_proj = nn.Linear(d_model, d_model, bias=False)
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = nn.Linear(d_model, d_model, bias=False)
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = nn.Linear(d_model, d_model, bias=False)
@ names
Your projections have no bias. The original has none in the formula, PyTorch's
module and the trained weights of this book have them: leave `bias=False` out.
? Which weights does your module have, and which are wanted?
"""


def attend(q, k, v, mask=None, scale=None):
    """Attention with another scale."""
    return F.scaled_dot_product_attention(q, k, v, mask, scale=scale)


EXERCISE = Exercise(
    name="MultiHeadAttention",
    inputs=("d_model", "n_heads"),
    written="class MultiHeadAttention(d_model, n_heads)",
    asked="`MultiHeadAttention(d_model, n_heads)` has four linear layers, "
    "`q_proj`, `k_proj`, `v_proj` and `out_proj`, all (d_model, d_model) with "
    "biases. `forward(query, key, value, mask=None)` projects, cuts into "
    "n_heads blocks of d_model / n_heads columns, attends in each, joins the "
    "results and projects once more. A mask, (B, 1, n_k) or (n_q, n_k), is "
    "True where a query may look.",
    praise="Values and gradients agree with the reference, for self-attention "
    "and with other keys, with masks, in 32 and 64 bits.",
    cases=CASES,
    solve=Reference(MultiHeadAttention),
    catalogue=MISTAKES,
    properties=(right_names, shape, finite),
    hints=(
        "Write the shape behind every line as a comment. (B, n, d_model) "
        "becomes (B, n_heads, n, d_k) in two steps, and comes back in two.",
        "Your `scaled_dot_product_attention` treats all axes before the last "
        "two as a pile of matrices. A mask with an axis of sentences needs "
        "one more for the heads.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=play_module,
    look=look_at_module("query", "key", "value"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "query", "key", "value",
                 "mask"),
)  # fmt: skip
