"""Part 3 of the reader's own Transformer: `class MultiHeadAttention`."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
)
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same
from transformer_lib.course.checks.parts.drive import (
    KEPT,
    NUMPY,
    SAID,
    names_in_words,
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


def attend(q, k, v, mask=None, divisor=None, share=None, hide=None):
    """Attention with another divisor, other weights, another way to hide."""
    scores = q @ k.mT / (divisor or math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = hide(scores, mask)
    return (share or shares)(scores) @ v


def shares(s, *axes):
    """Softmax along several axes together; the last one by default."""
    votes = (s - s.amax(axes or -1, keepdim=True)).exp()
    return votes / votes.sum(axes or -1, keepdim=True)


def minus_infinity(s, mask):
    return s.masked_fill(~mask, -math.inf)


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


def flipped(mask):
    return None if mask is None else ~mask


def turned(mask):
    return None if mask is None else mask.mT


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
    _module("loud", 10, "output", 4, 2, 1, 3, times=1000.0, **_MORE),
    _module("padding", 11, "output", 4, 2, 2, 3, 4, mask=_PADDING, **_MORE),
    _module("three sentences", 12, "output", 4, 2, 3, 3, mask=_THREE, **_MORE),
    _module("causal", 13, "output", 4, 2, 2, 3, mask=_CAUSAL, **_MORE),
    _module("causal three heads", 14, "output", 6, 3, 2, 3, mask=_CAUSAL,
            **_MORE),
    _module("hidden row", 15, "output", 4, 2, 2, 3, mask=_HIDDEN, **_MORE),
    _module("hidden row gradients", 16, "gradients", 4, 2, 1, 3, mask=_HIDDEN,
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


# The first few are the commonest: pairs of mistakes are searched in this order.
MISTAKES = r"""
no_scale
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=1)
The scores are not divided by the root of d_k, the width of one head, here
{d_k}.
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
or
- self.out_proj = nn.Linear(d_model, d_model)
+ self.out_proj = nn.Linear(d_model, d_model, bias=False)
@ names
A projection of yours has no bias: {missing} cannot be found. The formula of
the paper has none, but PyTorch's module and the trained weights of this book
have them.
? What does `nn.Linear` make if you do not say anything about a bias?

merge_by_view
- heads.transpose(1, 2).flatten(2)
+ heads.reshape(query.shape)
or
- heads.transpose(1, 2).flatten(2)
+ heads.transpose(0, 1).reshape(query.shape)
The heads are right; on the way back you reshape them straight to (B, n_q,
d_model). Each row then holds results of several tokens from one head, instead
of one token's from all heads.
? Before the numbers of a token can be read in a row, the axis of the tokens
must stand before that of the heads again.

split_and_merge_by_view
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ by_view(x, self.n_heads)
- heads.transpose(1, 2).flatten(2)
+ heads.reshape(query.shape)
You reshape straight to (B, n_heads, n, d_k) and straight back. A reshape
re-reads memory in order, so a "head" holds a *piece of the sentence*, not a
block of columns, and far tokens never meet. The shapes are all right, which is
why this mistake is so common.
? First cut the last axis in two, then let two axes change places. The same
holds on the way back.

wo_forgotten
- self.out_proj(joined)
+ joined
or
- self.out_proj = nn.Linear(d_model, d_model)
+ pass
- self.out_proj(joined)
+ joined
`out_proj` is not used. Without it each head writes into its own fixed block of
the result, and the heads are never mixed.
? The joined heads go through one more layer.

root_of_the_full_width
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=math.sqrt(query.shape[-1]))
You divide by the root of d_model. Inside a head a score is a sum of only {d_k}
products; the full width makes the weights too equal, by an extra root of
n_heads.
? How many numbers has a query *inside one head*?

softmax_over_queries
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.softmax(-2))
Softmax runs over the queries. Each query has a budget of 1 in each head: it
runs over the keys, the last axis of the scores.
? Sum your weights along the last axis. Are all sums 1?

value_not_used
- self.v_proj(value)
+ self.v_proj(key)
@ more keys
The values are made from `key`, and the input `value` is never used. In the
check the two hold different numbers.
? Where does each of the three inputs occur in `forward`?

no_super_init
% AttributeError: cannot assign (module|parameters?) before Module.__init__
`__init__` gives the module a layer before the module itself has been set up,
and PyTorch refuses.
? What does the first line of `__init__` have to call?

self_forgotten
% NameError: name '(n_heads|d_model|d_k|head_dim|[qkv]_proj|out_proj)' is not
A method uses a name that it does not know. A name without `self.`, be it an
input of `__init__`, is forgotten when the method ends that it belongs to.
? Where does a module keep what its other methods need?

other_names
-  self.q_proj = nn
+  self.w_q = nn
-  self.k_proj = nn
+  self.w_k = nn
-  self.v_proj = nn
+  self.w_v = nn
-  self.out_proj = nn
+  self.w_o = nn
- self.q_proj(query)
+ self.w_q(query)
- self.k_proj(key)
+ self.w_k(key)
- self.v_proj(value)
+ self.w_v(value)
- self.out_proj(joined)
+ self.w_o(joined)
or
-  self.out_proj = nn
+  self.w_o = nn
- self.out_proj(joined)
+ self.w_o(joined)
or
-  self.q_proj = nn
+  self.w_q = nn
-  self.k_proj = nn
+  self.w_k = nn
-  self.v_proj = nn
+  self.w_v = nn
- self.q_proj(query)
+ self.w_q(query)
- self.k_proj(key)
+ self.w_k(key)
- self.v_proj(value)
+ self.w_v(value)
or
- self.q_proj = nn.Linear(d_model, d_model)
+ self.q_proj = nn.Parameter(torch.randn(d_model, d_model))
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = nn.Parameter(torch.randn(d_model, d_model))
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = nn.Parameter(torch.randn(d_model, d_model))
- self.out_proj = nn.Linear(d_model, d_model)
+ self.out_proj = nn.Parameter(torch.randn(d_model, d_model))
- self.q_proj(query)
+ query @ self.q_proj
- self.k_proj(key)
+ key @ self.k_proj
- self.v_proj(value)
+ value @ self.v_proj
- self.out_proj(joined)
+ joined @ self.out_proj
@ names
Your weights have other names than those that are asked for: {missing} cannot
be found. The check, and later the trained weights, find a weight by the name
of its layer in `self`, so the values cannot be compared yet.
? Print the keys of your module's `state_dict()` next to the names in the task.

one_layer_for_all_three
- self.q_proj = nn.Linear(d_model, d_model)
+ self.qkv_proj = nn.Linear(d_model, 3 * d_model)
- self.k_proj = nn.Linear(d_model, d_model)
+ pass
- self.v_proj = nn.Linear(d_model, d_model)
+ pass
- self.q_proj(query)
+ self.qkv_proj(query).chunk(3, -1)[0]
- self.k_proj(key)
+ self.qkv_proj(key).chunk(3, -1)[1]
- self.v_proj(value)
+ self.qkv_proj(value).chunk(3, -1)[2]
@ names
One layer makes queries, keys and values together. That is a usual way to save
time, but here `q_proj`, `k_proj` and `v_proj` are layers of their own, so that
the trained weights find their places.
? Which of the eight names does your `state_dict()` lack?

weights_not_registered
- self.q_proj = nn.Linear(d_model, d_model)
+ self.q_proj = nn.Linear(d_model, d_model).forward
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = nn.Linear(d_model, d_model).forward
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = nn.Linear(d_model, d_model).forward
- self.out_proj = nn.Linear(d_model, d_model)
+ self.out_proj = nn.Linear(d_model, d_model).forward
@ names
PyTorch finds no weights in your module: its `state_dict()` is empty. That
happens to layers that are made in `forward` (new ones at each call), and to
plain tensors; nothing of the kind is trained, moved or saved.
? Each layer is an attribute of its own, made in `__init__`.

extra_weights
- self.n_heads = n_heads
+ self.n_heads = n_heads
+     self.register_buffer("scale", torch.ones(1))
or
- self.n_heads = n_heads
+ self.n_heads, self.spare = n_heads, nn.Linear(1, 1)
The values are right, but the `state_dict()` holds more than the eight weights
that are asked for. Trained weights are loaded only into a module with just the
same names.
? A number that follows from d_model and n_heads need not be saved.

one_layer_under_several_names
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = self.q_proj
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = self.q_proj
or
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = self.q_proj
or
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = self.q_proj
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = self.q_proj
- self.out_proj = nn.Linear(d_model, d_model)
+ self.out_proj = self.q_proj
or
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = self.k_proj
Several of your names stand for one and the same layer, so it holds the weights
that were loaded last. `a = b = layer` and `[layer] * 4` make no copies.
? How many times does your `__init__` call `nn.Linear`?

biases_not_added
- self.q_proj(query)
+ query @ self.q_proj.weight.T
- self.k_proj(key)
+ key @ self.k_proj.weight.T
- self.v_proj(value)
+ value @ self.v_proj.weight.T
- self.out_proj(joined)
+ joined @ self.out_proj.weight.T
or
- self.q_proj(query)
+ query @ self.q_proj.weight.T
- self.k_proj(key)
+ key @ self.k_proj.weight.T
- self.v_proj(value)
+ value @ self.v_proj.weight.T
or
- self.out_proj(joined)
+ joined @ self.out_proj.weight.T
The layers have biases, but `forward` does not add them: it multiplies by the
weight alone.
? What does a linear layer do when it is called like a function?

weights_without_gradient
- self.q_proj(query)
+ F.linear(query, self.q_proj.weight.detach(), self.q_proj.bias.detach())
- self.k_proj(key)
+ F.linear(key, self.k_proj.weight.detach(), self.k_proj.bias.detach())
- self.v_proj(value)
+ F.linear(value, self.v_proj.weight.detach(), self.v_proj.bias.detach())
or
- attention(q, k, v,
+ attention(q.detach(), k.detach(), v.detach(),
or
- attention(q, k, v,
+ attention(q.detach(), k.detach(), v,
or
- self.out_proj(joined)
+ self.out_proj(joined.detach())
The values are right, but a part of the weights gets no gradient: `detach`,
`.data`, `torch.tensor(...)` or `no_grad` cuts the way back. Those weights would
never learn.
? Which lines leave the chain of PyTorch's own operations?

no_gradient
% RuntimeError: element 0 of tensors does not require grad
The values are right, but nothing comes back from `backward`: the result does
not know how it was made. `no_grad`, `detach`, `.data`, or a new tensor made of
the numbers, does that.
? Which line of `forward` turns the gradients off?

changes_its_input
% RuntimeError: a leaf Variable that requires grad is being used in an in-place
`forward` changes one of the tensors that it is given. Whoever called it holds
other numbers afterwards, and the gradients cannot be computed.
? Look for `+=`, `-=`, `*=` and for methods whose name ends in `_`.

changed_in_place
% RuntimeError: one of the variables needed for gradient computation has been
The values are right, but the way back is broken: `forward` changes a tensor in
place (`*=`, an assignment to a part of it, a method whose name ends in `_`),
and its old numbers are needed for the gradients.
? Make a new tensor with the result, and leave the old one alone.

fixed_type
% RuntimeError: .*have the same dtype, but got:? (query.dtype: )?[Ff]loat
Tensors of two types meet: `forward` turns something into one fixed type, or
makes a new tensor without saying which. The check works in 64 bits and in 32;
on a graphics card it may be 16.
? A new tensor takes its type from the input, as `x.new_zeros` does.

mask_not_optional
% .*(unary ~: 'NoneType'|'NoneType' object has no attribute '(unsqueeze|n?dim)')
@ self-attention
Without a mask `forward` stops with an error: it uses `mask` although it is
None. Then every query may look at every key.
? What has to be asked before the first line that touches `mask`?

mask_not_accepted
% TypeError: .*forward\(\) takes 4 positional arguments but 5
`forward` takes no fourth input. A layer passes the mask after query, key
and value, by its place.
? Compare the first line of your `forward` with the one in the task.

mask_asked_for_its_truth
% RuntimeError: Boolean value of Tensor with more than one value
Where a mask comes, an `if` asks whether it is true. A tensor of many numbers
has no single answer.
? What you want to know is whether there is a mask: how does one ask that of
None?

returns_the_weights_too
% TypeError: forward returned \d+ things
`forward` returns several things, or a list. PyTorch's own module returns the
weights, too; here one tensor is asked for, the result of `out_proj`.
? What stands behind `return`, or what does a function return that you call?

view_after_the_axes_changed
% RuntimeError: view size is not compatible
`view` cannot join the heads here: the axes have changed places, so the numbers
of one token no longer lie side by side in memory, and `view` moves no number.
? Tensors have another method that gives the same shape and copies the numbers
where it has to.

another_count_of_numbers
% RuntimeError: shape '.*' is invalid for input of size
A `view` or `reshape` asks for more or fewer numbers than there are. A token
has d_model numbers, n_heads times d_k; and there may be more keys than
queries.
? From which tensor do you read each length in the shape?

width_is_no_whole_number
% TypeError: (view|reshape|unflatten|chunk|split_with_sizes|empty)\(\): .*float
A width must be a whole number, and yours is one with a decimal point: in
Python `/` gives 2.0 where 2 is wanted.
? Which operator divides whole numbers without a remainder?

split_by_view
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ by_view(x, self.n_heads)
On the way in you reshape straight to (B, n_heads, n, d_k). That re-reads
memory in order, so each row of a "head" holds numbers of the wrong token. Your
way back is right.
? First cut the last axis in two, then let two axes change places.

one_of_three_by_view
- self.split(self.q_proj(query))
+ by_view(self.q_proj(query), self.n_heads)
or
- self.split(self.k_proj(key))
+ by_view(self.k_proj(key), self.n_heads)
or
- self.split(self.v_proj(value))
+ by_view(self.v_proj(value), self.n_heads)
Two of queries, keys and values are split right; the third is reshaped straight
to (B, n_heads, n, d_k), so its rows hold numbers of other tokens.
? Compare the three lines that split: all three need both steps.

keys_reshaped_not_turned
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k.reshape(*k.shape[:2], k.shape[3], -1).mT, v)
You reshape the keys to (..., d_k, n_k). That is the shape of the turned keys
with the numbers in the wrong order: a reshape does not turn a matrix on its
side.
? Two axes of the keys must *change places* before the product.

wrong_axes_change_places
- heads.transpose(1, 2).flatten(2)
+ heads.mT.reshape(query.shape)
or
- heads.transpose(1, 2).flatten(2)
+ heads.transpose(1, 3).reshape(query.shape)
The heads are right; on the way back the wrong two axes change places before
you join.
? (B, n_heads, n_q, d_k) has to become (B, n_q, n_heads, d_k): which two axes
move?

heads_look_at_heads
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(-1, (self.n_heads, -1))
- heads.transpose(1, 2).flatten(2)
+ heads.flatten(2)
You cut the vectors into heads but leave the axis of the tokens in front. The
attention then runs over the {n_heads} heads *inside* each token, and no token
looks at another.
? Print the shape of your scores: it must end in (n_q, n_k).

heads_not_joined
- heads.transpose(1, 2).flatten(2)
+ heads
or
- heads.transpose(1, 2).flatten(2)
+ heads.transpose(1, 2)
The heads are not joined: the result has an axis for them, or `out_proj` stops
because it gets vectors of d_k numbers. It takes d_model numbers from each
token, those of all heads.
? Which shape has the tensor that you hand to `out_proj`?

every_hth_column
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(-1, (-1, self.n_heads)).movedim(-1, 1)
or
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(-1, (-1, self.n_heads)).movedim(-1, 1)
- heads.transpose(1, 2).flatten(2)
+ heads.movedim(1, -1).flatten(2)
Your head g takes the columns g, g + n_heads, g + 2 n_heads ... A head owns a
*block* of neighboring columns. (A model trained from the start would not care,
but weights of others would fit no more.)
? When you cut the last axis in two: which of the two lengths has to come
first, n_heads or d_k?

merged_in_another_order
- heads.transpose(1, 2).flatten(2)
+ heads.movedim(1, -1).flatten(2)
The heads are right, but you mesh their numbers: first the first number of
every head, then the second of every head. `out_proj` expects all numbers of
head 1, then all of head 2.
? Which of the two axes stands last before you reshape?

blocks_overlap
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unfold(-1, x.shape[-1] // self.n_heads, 1)[
+             :, :, : self.n_heads].transpose(1, 2)
The blocks of your heads overlap: head 1 begins one column after head 0, and
not d_k columns after it.
? Where does the block of head g begin if each is d_k wide?

each_head_sees_a_part_of_x
- self.q_proj = nn.Linear(d_model, d_model)
+ self.q_proj = nn.Linear(d_model // n_heads, d_model // n_heads)
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = nn.Linear(d_model // n_heads, d_model // n_heads)
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = nn.Linear(d_model // n_heads, d_model // n_heads)
- self.split(self.q_proj(query))
+ self.q_proj(self.split(query))
- self.split(self.k_proj(key))
+ self.k_proj(self.split(key))
- self.split(self.v_proj(value))
+ self.v_proj(self.split(value))
or
- self.q_proj = nn.Linear(d_model, d_model)
+ self.q_proj = nn.Linear(d_model // n_heads, d_model // n_heads, bias=False)
- self.k_proj = nn.Linear(d_model, d_model)
+ self.k_proj = nn.Linear(d_model // n_heads, d_model // n_heads, bias=False)
- self.v_proj = nn.Linear(d_model, d_model)
+ self.v_proj = nn.Linear(d_model // n_heads, d_model // n_heads, bias=False)
- self.split(self.q_proj(query))
+ self.q_proj(self.split(query))
- self.split(self.k_proj(key))
+ self.k_proj(self.split(key))
- self.split(self.v_proj(value))
+ self.v_proj(self.split(value))
@ names
You cut the vectors before the projections, and all heads share one small layer
of d_k by d_k numbers. Every head reads the *whole* vector of a token; its
block of columns makes it narrow.
? Which is cut, the vector of a token or the result of its projection?

always_two_heads
- self.n_heads = n_heads
+ self.n_heads = 2
You make two heads, whatever n_heads is. Here {n_heads} are asked for.
? Is there a 2 in your code where n_heads should stand?

h_taken_for_the_width
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(-1, (-1, self.n_heads)).transpose(1, 2)
You made heads as wide as n_heads, here {n_heads}. n_heads is *how many* heads
there are; each is {d_k} wide.
? Exchange two of the four lengths in your reshape.

tokens_split_among_heads
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(1, (self.n_heads, -1))
- heads.transpose(1, 2).flatten(2)
+ heads.flatten(1, 2)
or
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(1, (self.n_heads, -1))
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=math.sqrt(q.shape[-1] / self.n_heads))
- heads.transpose(1, 2).flatten(2)
+ heads.flatten(1, 2)
You gave each head some of the *tokens*. A head sees all tokens, and of each a
part of its numbers.
? Which axis do you cut: the one of the tokens or the last?

sentences_look_at_each_other
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.unflatten(-1, (self.n_heads, -1)).permute(1, 2, 0, 3)
- heads.transpose(1, 2).flatten(2)
+ heads.permute(2, 0, 1, 3).flatten(2)
or
- x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
+ x.flatten(0, 1)[None].unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
- heads.transpose(1, 2).flatten(2)
+ heads.transpose(1, 2).reshape(query.shape)
The first axis counts the sentences. In your program tokens of *different
sentences* look at each other. (Some modules of PyTorch take the tokens first,
unless `batch_first=True` is said.)
? Print the shape of your scores: (B, n_heads, n_q, n_k) is wanted, and nothing
is summed over B.

not_split
- self.n_heads = n_heads
+ self.n_heads = 1
The vectors are never split: one head of full width does all the work, whatever
n_heads is.
? Where does n_heads occur in your code?

root_of_h
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=math.sqrt(self.n_heads))
You divide by the root of n_heads, the number of heads. A score is a sum of d_k
= {d_k} products inside one head.
? Read the width from the last axis of a query, after the split.

divided_by_d_k
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=q.shape[-1])
You divide the scores by d_k and not by its root (or twice by the root).
? A root is missing, or a division stands there twice.

root_of_the_number_of_tokens
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=math.sqrt(q.shape[-2]))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=math.sqrt(k.shape[-2]))
You divide by the root of the number of tokens. A score does not grow with the
length of the sentence.
? Which axis of your query counts its numbers? It is the last one.

multiplied_by_the_root
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=q.shape[-1] ** -0.5)
You multiply the scores by the root of d_k instead of dividing.
? The root stands below the fraction bar.

fixed_divisor
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=8)
You divide by 8, whatever comes. That is right for the 64 numbers of the
paper's heads; here a head is {d_k} wide.
? Read the width from the last axis of a query, after the split.

scaled_after_the_softmax
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, divisor=1) / math.sqrt(q.shape[-1])
You divide after the softmax, so the weights of a query no longer sum to 1. The
division belongs to the scores.
? In which order do the four stages of chapter 3 come?

softmax_over_heads
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.softmax(1))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: shares(s, 1, 3))
Softmax runs over the axis of the heads, so the heads compete. Each head shares
out a whole of its own, over the keys.
? The axes of the scores are sentence, head, query, key. Which of them is
summed to 1?

softmax_over_a_whole_head
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: shares(s, 2, 3))
One softmax runs over all scores of a head, so its queries share a single 1.
Each row needs a softmax of its own.
? Along how many axes does your softmax run?

softmax_over_sentences
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.softmax(0))
Softmax runs over the first axis of the scores, so the sentences compete. Each
query shares out a whole of its own, over the keys.
? Which `dim` do you hand to softmax? (Some forms choose one by themselves.)

no_softmax
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s)
The softmax is missing: you mix the values with the raw scores.
? Between scores and mixture one stage is missing.

votes_not_divided
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=torch.exp)
Your weights are the exponentials alone; they are not divided by their sum, so
the weights of a query do not sum to 1.
? Sum your weights along the last axis. Are all sums 1?

softmax_twice
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.softmax(-1).softmax(-1))
The softmax is applied twice, which makes the weights nearly equal.
? Does the function that you call for the weights end with a softmax already?

all_alike
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: (0 * s).softmax(-1))
Every token gets the plain mean of the values: your scores do not reach the
weights.
? Print the scores of one head. Do they differ?

the_largest_takes_all
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: (1e9 * s).softmax(-1))
Each query takes the one value with the largest score. Softmax shares: the
others get something, too.
? Between scores and mixture stands a softmax.

weights_averaged_over_heads
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.softmax(-1).mean(1, keepdim=True))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.sum(1, keepdim=True).softmax(-1))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.mean(1, keepdim=True).softmax(-1))
You average the weights (or add the scores) over the heads, so all heads look
at the same places. Then the heads are of no use.
? Is there a mean or a sum over the axis of the heads?

weights_turned
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.softmax(-1).mT)
The weights are turned on their side before they mix the values, so token i
gets what others give to it. It runs only if there are as many keys as queries.
? Row i of the weights belongs to query i.

looks_only_back
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, torch.ones(query.shape[1], key.shape[1]).tril() > 0,
+                        hide=minus_infinity)
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, torch.ones(query.shape[1], query.shape[1]).tril() > 0,
+                        hide=minus_infinity)
Token i sees only the tokens up to itself, whether a mask comes or not. Which
places are hidden is said by `mask` alone; without one every token is seen.
? Is there a triangle in your code, or `is_causal`?

looks_at_others_only
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: alone(s).softmax(-1))
No token looks at itself. Here every token sees every token, itself among them.
? What do you do to the diagonal of the scores?

same_head_again
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(*(x[:, :1].expand_as(x) for x in (q, k, v)))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(*(x[:, -1:].expand_as(x) for x in (q, k, v)))
All your heads are copies of one and the same head. Each head has its own block
of columns.
? Does the number of the head occur inside your loop, or in your slices?

one_head_only
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ only(attend(q, k, v), 0)
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ only(attend(q, k, v), -1)
Only one head reaches the result; the places of the others are empty.
? Is a tensor overwritten in the loop, or does `return` stand inside?

heads_pile_up
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v).cumsum(1)
The heads pile up: each one still holds what the heads before it found.
? The tensor you add to must begin with zeros for *each head*.

heads_averaged
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v).mean(1, keepdim=True).expand_as(q)
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v).sum(1, keepdim=True).expand_as(q)
You average (or add up) the heads. They stand side by side, so that `out_proj`
can treat them differently.
? The joined vector of a token has d_model numbers, d_k from each head.

one_block_of_wo_for_all
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ only(attend(q, k, v).sum(1, keepdim=True).expand_as(q), 0)
All heads are multiplied by the same block of `out_proj`, its first columns.
Each head has a block of d_k columns of its own.
? Does the number of the head occur where you take a part of the weight?

divided_by_h
- self.out_proj(joined)
+ self.out_proj(joined) / self.n_heads
or
- self.out_proj(joined)
+ self.out_proj(joined / self.n_heads)
You divide the result by the number of heads. The heads are no average; they
stand side by side, and `out_proj` does the rest.
? Look for a division that has no place among the four stages.

heads_backwards
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v).flip(1)
The heads stand in the wrong order: the first block of columns of `out_proj`
meets the last head.
? In which order are your heads put into the list?

nobody_looks
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ v
Each token gets its own value back: scores and weights are never used.
? What do you multiply by the values?

wo_twice
- self.out_proj(joined)
+ self.out_proj(self.out_proj(joined))
The joined heads go through `out_proj` twice. It is square, so no shape
complains.
? Once is enough, after the heads are joined.

one_head_for_a_full_layer
% (RuntimeError: mat1 .* \(\d+x[1-4] and (4x4|6x6)\)|.*non-empty list of T)
One of your layers gets vectors as wide as one head, d_k numbers, and takes
d_model. Either `out_proj` is called before all heads are joined, or the inputs
are cut into heads before they are projected.
? Which layer is it? Does your loop run through all heads, and does what follows
it stand behind the loop?

wo_turned
- self.out_proj(joined)
+ turned_map(self.out_proj, joined)
or
- self.out_proj(joined)
+ joined @ self.out_proj.weight
The weight of `out_proj` is turned on its side: `nn.Linear` keeps it as (out,
in), and multiplies by its transpose. It runs only because it is a square.
? What does a linear layer do when it is called like a function?

maps_turned_without_bias
- self.q_proj(query)
+ query @ self.q_proj.weight
- self.k_proj(key)
+ key @ self.k_proj.weight
- self.v_proj(value)
+ value @ self.v_proj.weight
The weights of the three projections are turned on their sides, and their
biases are not added. `nn.Linear` keeps a weight as (out, in), multiplies by its
transpose, and adds the bias.
? What does a linear layer do when it is called like a function?

maps_turned
- self.q_proj(query)
+ turned_map(self.q_proj, query)
- self.k_proj(key)
+ turned_map(self.k_proj, key)
- self.v_proj(value)
+ turned_map(self.v_proj, value)
or
- self.q_proj(query)
+ turned_map(self.q_proj, query)
- self.k_proj(key)
+ turned_map(self.k_proj, key)
- self.v_proj(value)
+ turned_map(self.v_proj, value)
- self.out_proj(joined)
+ turned_map(self.out_proj, joined)
or
- self.q_proj(query)
+ query @ self.q_proj.weight
- self.k_proj(key)
+ key @ self.k_proj.weight
- self.v_proj(value)
+ value @ self.v_proj.weight
- self.out_proj(joined)
+ joined @ self.out_proj.weight
The weights of the projections are turned on their sides: `nn.Linear` keeps
them as (out, in), and multiplies by the transpose. It runs only because they
are squares.
? What does a linear layer do when it is called like a function?

query_and_key_exchanged
- self.q_proj(query)
+ self.k_proj(query)
- self.k_proj(key)
+ self.q_proj(key)
Queries are made with `k_proj` and keys with `q_proj`.
? Each of the three layers has the first letter of what it makes.

one_map_for_queries_and_keys
- self.k_proj(key)
+ self.q_proj(key)
or
- self.q_proj(query)
+ self.k_proj(query)
Queries and keys are made by the same layer, so where a sentence looks at
itself the products of queries and keys are their own mirror image.
? Three layers, three lines: which name stands there twice?

values_by_the_wrong_map
- self.v_proj(value)
+ self.k_proj(value)
or
- self.v_proj(value)
+ self.q_proj(value)
or
- self.k_proj(key)
+ self.v_proj(key)
Keys or values are made by the wrong layer. `k_proj` makes the keys, `v_proj`
makes the values.
? Three layers, three lines: which name stands there twice?

keys_as_values
- attention(q, k, v,
+ attention(q, k, k,
You mix the keys. They only decide on the weights; what is averaged are the
values.
? k is needed for the scores and never again.

query_and_key_exchanged_in_the_call
- attention(q, k, v,
+ attention(k, q, v,
Queries and keys have changed places in the call of your attention. It runs only
if there are as many queries as keys.
? In which order does your `scaled_dot_product_attention` take its inputs?

scores_with_values
- attention(q, k, v,
+ attention(q, v, v,
The queries are compared with the values. Scores are made with the keys.
? v takes part in the last step only.

values_are_the_tokens
- self.v_proj(value)
+ value
The values are the tokens themselves; `v_proj` is never used.
? Where does `v_proj` occur in `forward`?

not_projected
- self.q_proj(query)
+ query
- self.k_proj(key)
+ key
- self.v_proj(value)
+ value
Queries, keys and values are the tokens themselves; the three projections are
never used.
? Where do `q_proj`, `k_proj` and `v_proj` occur in `forward`?

maps_in_a_chain
- self.k_proj(key)
+ self.k_proj(self.q_proj(query))
- self.v_proj(value)
+ self.v_proj(self.k_proj(self.q_proj(query)))
or
- self.k_proj(key)
+ self.k_proj(self.q_proj(query))
or
- self.v_proj(value)
+ self.v_proj(self.k_proj(key))
You make the keys out of the projected queries, or the values out of the
projected keys. Each of the three layers reads an input of `forward`.
? A name is overwritten: what does it hold in the next line?

self_attention_only
- self.k_proj(key)
+ self.k_proj(query)
- self.v_proj(value)
+ self.v_proj(query)
or
- self.k_proj(key)
+ self.k_proj(query)
or
- self.v_proj(value)
+ self.v_proj(query)
@ more keys
Keys or values are made from `query`. Where a sentence looks at itself that is
the same; a decoder looks at other tokens, which come as `key` and `value`.
? Where does each of the three inputs occur in `forward`?

key_not_used
- self.k_proj(key)
+ self.k_proj(value)
@ more keys
The keys are made from `value`, and the input `key` is never used. In the check
the two hold different numbers.
? Where does each of the three inputs occur in `forward`?

inputs_exchanged
- self.k_proj(key)
+ self.k_proj(value)
- self.v_proj(value)
+ self.v_proj(key)
or
- self.q_proj(query)
+ self.q_proj(key)
- self.k_proj(key)
+ self.k_proj(query)
- self.v_proj(value)
+ self.v_proj(query)
or
- self.q_proj(query)
+ self.q_proj(key)
- self.k_proj(key)
+ self.k_proj(value)
- self.v_proj(value)
+ self.v_proj(query)
@ more keys
The inputs have changed places: the order is query, key, value.
? Compare the first line of `forward` with the three lines that project.

query_not_used
- self.q_proj(query)
+ self.q_proj(key)
@ more keys
The queries are made from `key`, and the input `query` is never used. The
result has a row for each key then; one for each query is wanted.
? Where does each of the three inputs occur in `forward`?

activation_in_the_projections
- self.q_proj(query)
+ self.q_proj(query).relu()
- self.k_proj(key)
+ self.k_proj(key).relu()
- self.v_proj(value)
+ self.v_proj(value).relu()
or
- self.out_proj(joined)
+ self.out_proj(joined).relu()
You cut off the negative numbers behind a projection. The four projections are
linear, with nothing behind them.
? Where does `relu` occur in your code?

input_added
- self.out_proj(joined)
+ query + self.out_proj(joined)
You add `query` to the result. That is the residual connection of chapter 5,
which stands outside of attention.
? Take the plus sign away.

normalized
- self.out_proj(joined)
+ F.layer_norm(self.out_proj(joined), query.shape[-1:])
or
- self.out_proj(joined)
+ F.layer_norm(query + self.out_proj(joined), query.shape[-1:])
The result is normalized. That belongs to the layer around attention, as the
residual connection does.
? `forward` ends with `out_proj`.

first_sentence_only
- self.out_proj(joined)
+ self.out_proj(joined)[0]
You return the result of the first sentence and lose the others.
? Is there an index 0, or a `return` inside the loop over the batch?

one_vector_for_a_sentence
- self.out_proj(joined)
+ self.out_proj(joined).mean(1)
or
- self.out_proj(joined)
+ self.out_proj(joined)[:, -1]
or
- self.out_proj(joined)
+ self.out_proj(joined)[:, 0]
You return one vector for each sentence. Each *token* gets one.
? The axis of the tokens must still be there at the end.

dropout_in_eval
- self.out_proj(joined)
+ F.dropout(self.out_proj(joined), 0.1)
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: F.dropout(s.softmax(-1), 0.1))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ F.scaled_dot_product_attention(q, k, v, dropout_p=0.1)
@ self-attention
Numbers are dropped at random although the module is in `eval()`. A function
does not know the mode, and drops by default, and so does a layer that `forward`
makes; here no dropout is asked for.
? Search for `dropout`: a layer of dropout follows the mode, a function has to
be told.

no_maximum_subtracted
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, share=lambda s: s.exp() / s.exp().sum(-1, keepdim=True))
@ loud
Your results are right for moderate scores. Here the scores are so large that
the exponential overflows. Subtract each row's largest score first; it changes
no weight.
? Use the softmax of PyTorch, or yours of chapter 2.

one_token_lost
! one token
@ one token
A sentence of a single token comes out in another shape or value: an axis of
length 1 got lost, perhaps by a `squeeze`.
? Leave all axes where they are, also those of length 1.

mask_ignored
- self.for_heads(mask))
+ None)
@ causal
The mask changes nothing: hidden tokens are still looked at. Either `forward`
does not pass it on, or the attention that it calls does not use it.
? Where is `mask` passed on in `forward`? What does `checks.build` say of your
`scaled_dot_product_attention`, with `chapter=8`?

mask_reversed
- self.for_heads(mask))
+ flipped(self.for_heads(mask)))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, flipped(self.for_heads(mask)), hide=minus_infinity)
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask),
+                        hide=lambda s, m: s.masked_fill(m, -1e9))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask), hide=lambda s, m: s - 1e9 * m)
@ causal
The mask is read the wrong way around: what it allows is hidden, and the rest
is looked at. Here, as in PyTorch's `scaled_dot_product_attention`, True means
*may be looked at*; `nn.MultiheadAttention` means the opposite.
? `masked_fill` fills the places that are True. Which places are to be filled?

mask_added_as_a_number
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask), hide=lambda s, m: s + m.to(s))
@ causal
The mask is added to the scores as it is: True adds 1, False adds 0. A hidden
key must get the weight 0, however large its score.
? What must a score become so that its exponential is 0?

hidden_scores_are_zero
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask), hide=lambda s, m: s * m)
@ causal
A hidden score becomes 0, by a product or a fill, and 0 is a score like any
other: its exponential is 1. A hidden key must get the weight 0.
? What must a score become so that its exponential is 0?

hidden_after_the_softmax
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask)) if mask is None else (
+             shares(q @ k.mT / math.sqrt(q.shape[-1]))
+             * self.for_heads(mask)) @ v
@ causal
The hidden keys get the weight 0 after the softmax, so the weights that are
left no longer sum to 1.
? Hidden keys must not take part in the sum that softmax divides by.

mask_turned
- self.for_heads(mask))
+ turned(self.for_heads(mask)))
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, turned(self.for_heads(mask)), hide=minus_infinity)
or
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, turned(self.for_heads(mask)),
+                        hide=lambda s, m: s.masked_fill(~m, -1e9))
@ causal
The mask is turned on its side, so it hides queries instead of keys. It runs
only if there are as many keys as queries.
? Row i of a mask says where query i may look.

mask_without_an_axis_for_heads
- mask.unsqueeze(1) if mask is not None and mask.ndim > 2 else mask
+ mask
@ padding
A mask (B, 1, n_k) meets scores (B, n_heads, n_q, n_k), and PyTorch lines up
axes from the right: its sentences are taken for *heads*. That runs if there are
as many, and stops with an error otherwise.
? Which axis is missing, and at which place? (`unsqueeze` returns a new tensor
and leaves the mask as it is.)

mask_repeated_in_another_order
- mask.unsqueeze(1) if mask is not None and mask.ndim > 2 else mask
+ repeated(mask, self.n_heads)
@ padding
Your heads get the masks of other sentences: repeated as a whole, the masks
stand in the order 0, 1, 0, 1, and the heads of a sentence follow each other.
? `repeat` and `repeat_interleave` differ. Better still: an axis of length 1
fits all heads.

first_mask_for_all
- mask.unsqueeze(1) if mask is not None and mask.ndim > 2 else mask
+ mask[:1, None] if mask is not None and mask.ndim > 2 else mask
@ padding
All sentences get the mask of the first one.
? Is there an index 0 at the mask?

mask_of_places_gets_an_axis
- mask.unsqueeze(1) if mask is not None and mask.ndim > 2
+ mask.unsqueeze(1) if mask is not None
@ causal three heads
Your masks of sentences are right. A mask (n_q, n_k) gets the axis for the
heads, too, and then its rows are taken for *heads*; it fits as it is.
? How many axes has the mask? Only with three of them one is missing.

hidden_row_averaged
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask),
+                        hide=lambda s, m: s.masked_fill(~m, -1e9))
@ hidden row
A query that may look nowhere gets the mean of all values, hidden ones, too: if
all its scores are -1e9, they are equal, and softmax shares evenly. The task
asks for zeros for its heads.
? What do you get from your `scaled_dot_product_attention` for such a row?

hidden_row_nan
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask), hide=minus_infinity)
@ hidden row
A query that may look nowhere gets nan: all its scores are minus infinity, and
softmax divides 0 by 0. The task asks for zeros for its heads.
? After the softmax, what should the weights of hidden keys be?

hidden_row_without_gradient
- scaled_dot_product_attention(q, k, v, self.for_heads(mask))
+ attend(q, k, v, self.for_heads(mask),
+                        hide=lambda s, m: s + m.to(s).log(),
+                        share=lambda s: s.softmax(-1).nan_to_num())
@ hidden row gradients
The values are right, but the gradients hold nan where a query may look
nowhere: replacing nan in the result does not mend the way back.
? Fill the hidden scores rather than adding minus infinity to them.

masks_of_sentences
! padding, three sentences
@ padding
Without a mask everything is right, but with a mask (B, 1, n_k), which differs
from sentence to sentence, it is not. The scores are (B, n_heads, n_q, n_k).
? Print the shape of the mask next to that of the scores: which of their axes
meet, counted from the right?

masks_of_places
! causal, causal three heads
@ causal
Without a mask everything is right, but with a mask (n_q, n_k), the same for
all sentences and heads, it is not. The scores are (B, n_heads, n_q, n_k).
? Does it need an axis more to fit the scores?

changes_a_given_tensor
! inputs stay
@ inputs stay
`forward` changes a tensor that it is given. Whoever called it holds another
one afterwards.
? Look for `&=` and for methods whose name ends in `_`.

always_64_bits
! float32
@ float32
In 64 bits all is right; with weights and inputs of 32 bits the result has
another type, or there is an error. Something in `forward` has a type of its
own.
? Look for `.double()` and `dtype=`. A new tensor takes its type from the input.

cut_to_32_bits
- self.out_proj(joined)
+ self.out_proj(joined.float().to(query.dtype))
! digits
@ digits
The result has 64 bits, but only the digits of 32: on the way something is cut
to 32 bits and widened again, and the digits that were lost do not come back.
? Look for `.float()`, `float32`, and a softmax with a `dtype=`. The type of the
inputs is the right one for every step.

tied_to_the_processor
! other device
@ other device
On the processor all is right. After `module.to(device)` it is not: a tensor
that `forward` makes, or that `__init__` keeps as a plain attribute, stays on
the processor.
? A new tensor takes its device from the input.

dropout_added
! training
@ training
In `eval()` everything is right. In `train()` two calls differ: numbers are
dropped at random, and no dropout is asked for here.
? In this book dropout stands in the layer around attention.
"""

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
    solve=Reference(MultiHeadAttention),
    catalogue=NUMPY + KEPT + MISTAKES,
    properties=(
        right_names,
        shape,
        finite,
        _sentences_apart,
        _any_order_of_keys,
    ),
    hints=(
        "Write the shape behind every line as a comment. (B, n, d_model) "
        "becomes (B, n_heads, n, d_k) in two steps, and comes back in two.",
        "Your `scaled_dot_product_attention` treats all axes before the last "
        "two as a pile of matrices. A mask with an axis of sentences needs "
        "one more for the heads.",
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
)  # fmt: skip
