"""Part 3 of the reader's own Transformer: `class MultiHeadAttention`."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
)
from transformer_course.checks.engine.reading import ARRAY, Answer, same
from transformer_course.checks.parts.drive import (
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_course.checks.parts.look import look_at_module, module_code
from transformer_course.checks.parts.scaled_dot_product_attention import (
    scaled_dot_product_attention,
)

__all__ = ["EXERCISE", "MultiHeadAttention"]


class MultiHeadAttention(nn.Module):
    """Attend with n_heads heads side by side, and mix their results.

    query (B, n_q, d_model), key and value (B, n_k, d_model); mask, True where
    a query may look at a key, is (B, 1, n_k) or (n_q, n_k).
    """

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
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


# ------------------------------------- what the edits below are written with


edited = Reference(scaled_dot_product_attention).edited


def attend(q, k, v, divisor=None, share=None):
    """Attention with another divisor or other weights."""
    scores = q @ k.mT / (divisor or math.sqrt(q.shape[-1]))
    return (share or shares)(scores) @ v


def shares(s, *axes):
    """Softmax along several axes together; the last one by default."""
    votes = (s - s.amax(axes or -1, keepdim=True)).exp()
    return votes / votes.sum(axes or -1, keepdim=True)


def by_view(x, n_heads):
    return x.reshape(len(x), n_heads, x.shape[1], -1)


def only(heads, which):
    """One head in its place, zeros in those of the others."""
    kept = torch.zeros_like(heads)
    kept[:, which] = heads[:, which]
    return kept


def alone(s):
    """Scores in which no token sees itself."""
    eye = torch.eye(*s.shape[-2:], dtype=bool, device=s.device)
    return s.masked_fill(eye, -1e9)


def repeated(mask, n_heads):
    """The masks of all sentences in turn: 0, 1, 0, 1 for two of each."""
    if mask is None or mask.ndim < 3:
        return mask
    return mask.repeat(n_heads, 1, 1).unflatten(0, (-1, n_heads))


def turned_map(layer, x):
    return F.linear(x, layer.weight.T, layer.bias)


def _module(
    name: str,
    seed: int,
    ask: str,
    d_model: int,
    n_heads: int,
    *shape: int,
    mask: np.ndarray | None = None,
    basic: bool = True,
    times: float = 1.0,
) -> Case:
    """A case; shape is B, n_q and n_k, or B and n for self-attention."""
    draw = np.random.default_rng(seed)
    batch, n_q, n_k = (*shape, shape[-1])[:3]
    tokens = [
        times * draw.integers(-15, 16, size=(batch, n, d_model)) / 10
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


_PADDING = np.array([[[1, 1, 1, 0]], [[1, 0, 0, 0]]]) > 0
_THREE = np.array([[[1, 1, 0]], [[1, 0, 0]], [[1, 1, 1]]]) > 0
_CAUSAL = np.tri(3) > 0
_HIDDEN = np.array([[1, 1, 0], [0, 0, 0], [1, 0, 1]]) > 0
_MORE = {"basic": False}
CASES = (
    _module("self-attention", 2, "output", 4, 2, 2, 3),
    _module("one head", 3, "output", 4, 1, 1, 3),
    _module("three heads", 4, "output", 6, 3, 2, 5),
    _module("wide heads", 5, "output", 6, 2, 2, 4),
    _module("other tokens", 22, "output", 4, 2, 2, 3, 3),
    _module("more keys", 6, "output", 4, 2, 2, 3, 5),
    _module("as many as heads", 7, "output", 6, 3, 3, 3),
    _module("gradients", 8, "gradients", 4, 2, 1, 2, 3),
    _module("names", 1, "names", 4, 2, 2, 3),
    _module("one token", 9, "output", 4, 2, 2, 1, **_MORE),
    _module("long", 10, "output", 4, 2, 1, 3, times=1000.0, **_MORE),
    _module("padding", 11, "output", 4, 2, 2, 3, 4, mask=_PADDING, **_MORE),
    _module("three sentences", 12, "output", 4, 2, 3, 3, mask=_THREE, **_MORE),
    _module("causal", 13, "output", 4, 2, 2, 3, mask=_CAUSAL, **_MORE),
    _module("causal three heads", 14, "output", 6, 3, 2, 3, mask=_CAUSAL,
            **_MORE),
    _module("nothing to look at", 15, "output", 4, 2, 2, 3, mask=_HIDDEN,
            **_MORE),
    _module("gradients of nothing", 16, "gradients", 4, 2, 1, 3, mask=_HIDDEN,
            **_MORE),
    _module("float32", 17, "float32", 4, 2, 1, 3, mask=_CAUSAL, **_MORE),
    _module("digits", 23, "digits", 8, 2, 1, 3, **_MORE),
    _module("other device", 18, "other device", 4, 2, 1, 3, mask=_CAUSAL,
            **_MORE),
    _module("inputs stay", 19, "inputs stay", 4, 2, 2, 3, 4, mask=_PADDING,
            **_MORE),
    _module("training", 21, "training", 4, 2, 2, 3, **_MORE),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    _, ask, (d_model, n_heads), weights, query, key, *_ = case.args
    facts = first_difference(want, got)
    facts |= {"d_model": d_model, "n_heads": n_heads}
    facts |= {"n_q": query.shape[1], "n_k": key.shape[1]}
    facts["d_k"] = d_model // n_heads
    if ask == "names":
        names = zip(weights, got, strict=False)
        missing = [f"`{name}`" for name, found in names if found < 1]
        facts["missing"] = ", ".join(missing[:3]) + ", ..." * (len(missing) > 3)
    return facts


def _sentences_apart(probe: Probe) -> str | None:
    """A sentence gets the same result alone and in company."""
    say, ask, sizes, weights, *tokens, mask = probe.args
    if ask != "output" or mask is not None or len(tokens[0]) < 2:
        return None
    alone = probe.call(
        (say, ask, sizes, weights, *(x[:1] for x in tokens), None)
    )
    if _same_numbers(probe, alone, probe.got.array[:1]):
        return None
    return (
        "The first thing that breaks: the first sentence gets another result "
        "when it comes alone. Sentences of a batch must not look at each "
        "other."
    )


def _any_order_of_keys(probe: Probe) -> str | None:
    """Keys and values that change places together change nothing."""
    *first, query, key, value, mask = probe.args
    if first[1] != "output" or mask is not None:
        return None
    rolled = (np.roll(x, 1, axis=1) for x in (key, value))
    second = probe.call((*first, query, *rolled, None))
    if _same_numbers(probe, second, probe.got.array):
        return None
    return (
        "The first thing that breaks: when the keys change places, and the "
        "values with them, no result may change, and yours do. A reshape may "
        "have mixed numbers of different tokens."
    )


def _same_numbers(probe: Probe, second: Answer, wanted: np.ndarray) -> bool:
    """True also where there is nothing to compare."""
    if probe.got.kind != ARRAY or second.kind != ARRAY:
        return True
    return same(second.array, wanted, 100 * probe.got.tolerance)


EXERCISE = Exercise(
    name="MultiHeadAttention",
    inputs=("d_model", "n_heads"),
    written="class MultiHeadAttention(d_model, n_heads)",
    asked="`MultiHeadAttention(d_model, n_heads)` has four linear layers, "
    "`q_proj`, `k_proj`, `v_proj` and `out_proj`, all (d_model, d_model) with "
    "biases. `forward(query, key, value, mask=None)` projects, cuts into "
    "n_heads blocks of d_model / n_heads columns, attends in each, joins the "
    "results and projects once more. A mask, (B, 1, n_k) or (n_q, n_k), is "
    "True where a query may look; one that may look nowhere gets zeros.",
    praise="Values and gradients are those of torch.nn.MultiheadAttention, "
    "for self-attention and with other keys, with masks, in 32 and 64 "
    "bits.",
    cases=CASES,
    draw=lambda seed: _module("one more", seed, "output", 6, 2, 2, 4),
    solve=Reference(MultiHeadAttention),
    properties=(
        right_names,
        shape,
        finite,
        _sentences_apart,
        _any_order_of_keys,
    ),
    hints=(
        "Write the shape after every line as a comment. (B, n, d_model) "
        "becomes (B, n_heads, n, d_k) in two steps, and comes back in two.",
        "To `scaled_dot_product_attention` all axes before the last two are a "
        "pile of matrices. A mask with an axis of sentences needs one more "
        "for the heads.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=partial(play_module, again=True),
    words=names_in_words,
    look=look_at_module("query", "key", "value"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "query", "key", "value",
                 "mask"),
    most_combined=300,
    on_the_way={
        "q": "the queries, cut into heads",
        "k": "the keys, cut into heads",
        "v": "the values, cut into heads",
        "heads": "the results of the heads, not joined yet",
        "heads.transpose(1, 2)": "the results of the heads, not joined yet",
        "joined": "the joined heads",
        "self.q_proj(query)": "the projected queries",
        "self.k_proj(key)": "the projected keys",
        "self.v_proj(value)": "the projected values",
    },
)  # fmt: skip
