"""Part 7 of the reader's own Transformer: `class DecoderLayer`."""

from __future__ import annotations

import numpy as np
import torch  # noqa: F401 - mistakes use it
from torch import nn
from torch.nn import functional as F  # noqa: F401

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.parts.drive import (
    NUMPY,
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_lib.course.checks.parts.FeedForward import FeedForward
from transformer_lib.course.checks.parts.LayerNorm import LayerNorm
from transformer_lib.course.checks.parts.look import look_at_module, module_code
from transformer_lib.course.checks.parts.MultiHeadAttention import (
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
            x = x + self.dropout(self.feed_forward(self.norm3(x)))
        else:
            h = self.self_attention(x, x, x, mask)
            x = self.norm1(x + self.dropout(h))
            h = self.cross_attention(x, memory, memory, memory_mask)
            x = self.norm2(x + self.dropout(h))
            x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x


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


MISTAKES = r"""
no_super
% AttributeError: cannot assign module before Module
`super().__init__()` is missing: a module of PyTorch must be set up before it
can keep other modules.
? What is the first line of `__init__` in your EncoderLayer?

no_defaults
- dropout=0.1, norm_first=False
+ dropout, norm_first
% TypeError: .*__init__\(\) missing .*'(dropout|norm_first)'
@ names
`DecoderLayer(4, 2, 6)` must work: `dropout` and `norm_first` have default
values, 0.1 and False.
? Where in the first line of `__init__` does a default value stand?

too_few_inputs
% TypeError: .*forward\(\) missing \d+ required positional argument
A module inside your layer is called with too few inputs. Both attentions take
a query, a key and a value, even where two or three of them are the same.
? How many inputs does the `forward` of your MultiHeadAttention have before the
mask?

too_many_inputs
% TypeError: .*forward\(\) takes 2 positional arguments but [34] were given
A module that takes one tensor gets more: a norm and the feed-forward network
take x alone. Masks go to the attentions, and a sum is added up before it is
normalized.
? Which of your calls of a norm or of `feed_forward` has a comma in it?

numbers_of_two_types
% RuntimeError: (?!.*[Bb]ool)(mat1 and mat2 must have the same dtype|expected
% .* dtype)
Numbers of 32 bits meet numbers of 64 bits. A module takes the type of what it
is given: no `.float()` inside, and no weights that are hidden from
`module.double()`.
? Does `forward` change the type of a tensor? Is there a module that is not an
attribute of `self`?

changes_its_input
- x = self.norm1(x + self.dropout(h))
+ x += self.dropout(h)
+         x = self.norm1(x)
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x += self.dropout(self.self_attention(h, h, h, mask))
% RuntimeError: a leaf Variable that requires grad is being used in an in-place
@ inputs stay
Your layer writes into one of its inputs: whoever called it now holds other
numbers, and PyTorch refuses to take gradients of it.
? `x += h` and `x.add_(h)` write into x; what makes a new tensor?

another_name_in_self
- self.norm1 =
+ self.norm_1 =
- self.norm2 =
+ self.norm_2 =
- self.norm3 =
+ self.norm_3 =
- h = self.norm1(x)
+ h = self.norm_1(x)
- h = self.norm2(x)
+ h = self.norm_2(x)
- self.feed_forward(self.norm3(x))
+ self.feed_forward(self.norm_3(x))
- self.norm1(x +
+ self.norm_1(x +
- self.norm2(x +
+ self.norm_2(x +
- self.norm3(x +
+ self.norm_3(x +
@ names
Your norms have names of your own. The weights of the book, and those that you
save, are found by the names `norm1`, `norm2` and `norm3`.
? Which three names stand behind `self.` in `__init__`?

norm_of_the_inner_width
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_ff)
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_ff)
- self.norm3 = LayerNorm(d_model)
+ self.norm3 = LayerNorm(d_ff)
or
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_ff)
or
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_ff)
or
- self.norm3 = LayerNorm(d_model)
+ self.norm3 = LayerNorm(d_ff)
@ names
A norm of yours is made for d_ff numbers. It stands behind a sum, or before a
sub-layer, and there a token has d_model numbers; d_ff are inside the
feed-forward network only.
? What do you pass to each `LayerNorm`?

norms_without_weights
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_model).forward
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_model).forward
- self.norm3 = LayerNorm(d_model)
+ self.norm3 = LayerNorm(d_model).forward
@ names
Your norms have no weights that the layer knows of, and work with gain 1 and
bias 0. So it is with norms that `forward` makes, or that are only a function:
nothing of them is trained, saved or moved.
? Make each norm in `__init__`, as an attribute of its own. What do you call
them?

sub_layers_without_weights
- self.self_attention = MultiHeadAttention(d_model, n_heads)
+ self.self_attention = MultiHeadAttention(d_model, n_heads).forward
- self.cross_attention = MultiHeadAttention(d_model, n_heads)
+ self.cross_attention = MultiHeadAttention(d_model, n_heads).forward
@ names
The layer knows of no weights in `self_attention` and `cross_attention`. So
it is with modules that `forward` makes: nothing of them is trained, saved or
moved.
? Make each of the two in `__init__`, as an attribute of its own. What do you
call them?

memory_asks
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(memory, memory, x, memory_mask)
@ as long
In the cross-attention the memory asks, and the target stands in the place of
the values. It is the target that asks: it goes in first, as the query. Keys
and values are the memory. That runs only where both are equally long.
? In which order does your attention take query, key and value?

one_attention_for_both
- self.cross_attention = MultiHeadAttention(d_model, n_heads)
+ self.cross_attention = self.self_attention
or
- h = self.cross_attention(x
+ h = self.self_attention(x
or
- h = self.self_attention(x
+ h = self.cross_attention(x
One attention serves twice. The decoder's layer has two, with weights of their
own: `self_attention` looks at the target, `cross_attention` at the memory.
? Which of the two modules do you call in each of the first two thirds?

attentions_exchanged
- h = self.self_attention(x
+ h = self.cross_attention(x
- h = self.cross_attention(x
+ h = self.self_attention(x
The two attentions are exchanged: `self_attention` gets the memory, and
`cross_attention` the target. All shapes fit, so only the numbers show it.
? What does each of the two look at?

another_d_ff
- FeedForward(d_model, d_ff)
+ FeedForward(d_model, 4 * d_model)
or
- FeedForward(d_model, d_ff)
+ FeedForward(d_model, d_model)
@ names
The feed-forward network has another inner width than `d_ff`.
? What do you pass to `FeedForward`?

n_heads_ignored
- self.self_attention = MultiHeadAttention(d_model, n_heads)
+ self.self_attention = MultiHeadAttention(d_model, 1)
- self.cross_attention = MultiHeadAttention(d_model, n_heads)
+ self.cross_attention = MultiHeadAttention(d_model, 1)
or
- self.cross_attention = MultiHeadAttention(d_model, n_heads)
+ self.cross_attention = MultiHeadAttention(d_model, 1)
or
- self.self_attention = MultiHeadAttention(d_model, n_heads)
+ self.self_attention = MultiHeadAttention(d_model, 1)
An attention has one head, whatever `n_heads` says. All shapes fit, so only the
numbers show it.
? What do you pass to `MultiHeadAttention`?

one_norm_for_all
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = self.norm1
- self.norm3 = LayerNorm(d_model)
+ self.norm3 = self.norm1
or
- self.norm2(x +
+ self.norm1(x +
- self.norm3(x +
+ self.norm1(x +
or
- self.norm2(x +
+ self.norm1(x +
or
- self.norm3(x +
+ self.norm2(x +
or
- self.norm3(x +
+ self.norm1(x +
One norm serves more than one sub-layer. Each of the three has a norm of its
own, with a gain and a bias of its own.
? Which norm do you call after each of the three sub-layers?

norms_exchanged
- self.norm1(x +
+ self.norm2(x +
- self.norm2(x +
+ self.norm1(x +
or
- self.norm2(x +
+ self.norm3(x +
- self.norm3(x +
+ self.norm2(x +
or
- self.norm1(x +
+ self.norm3(x +
- self.norm3(x +
+ self.norm1(x +
Two norms are exchanged: `norm1` belongs to the self-attention, `norm2` to the
cross-attention, `norm3` to the feed-forward network.
? Which sub-layer comes first, which second?

cross_attention_reads_the_target
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, x, x, mask)
The cross-attention looks at the target: the memory has no effect. It would
write without ever looking at the source.
? Which of your names holds what the encoder has made, and where does it go?

query_from_the_memory
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(memory, x, x, mask)
@ as long
In the cross-attention query and key are exchanged: the memory asks, and the
target answers. With a target as long as the source no error tells you.
? Who looks for something in this step, and where?

key_or_value_from_the_target
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, x, memory)
or
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, x)
@ as long
In the cross-attention key and value come from two different sentences. Both
come from the memory; only the query is the target's.
? Which three tensors does `cross_attention` get?

query_before_the_first_norm
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(first, memory, memory, memory_mask)
The query of the cross-attention is the input of the layer. It should be what
the self-attention has made of it, with its residual and its norm.
? Which name does the result of the first sub-layer have?

memory_normalized
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, *2 * [self.norm2(memory)], memory_mask)
or
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, *2 * [self.norm1(memory)], memory_mask)
You normalize the memory before it is looked at. It comes from the
encoder finished, the same for all layers.
? What is done to the memory in your layer?

memory_added
- h = self.cross_attention(x
+ x = x + memory.mean(1, keepdim=True)
+         h = self.cross_attention(x
or
- h = self.cross_attention(x
+ x = x + memory
+         h = self.cross_attention(x
@ as long
You add the memory to the target. Nothing is added there: each token of the
target chooses with its attention what it reads.
? In which of your sums does the memory stand?

cross_attention_before_self_attention
- h = self.self_attention(x, x, x, mask)
+ h = self.cross_attention(x, memory, memory, memory_mask)
- h = self.cross_attention(x, memory, memory, memory_mask)
+ h = self.self_attention(x, x, x, mask)
or
- h = self.self_attention(x, x, x, mask)
+ h = self.cross_attention(x, memory, memory, memory_mask)
- x = self.norm1(x +
+ x = self.norm2(x +
- h = self.cross_attention(x, memory, memory, memory_mask)
+ h = self.self_attention(x, x, x, mask)
- x = self.norm2(x +
+ x = self.norm1(x +
The cross-attention comes first and the self-attention second. In the paper a
token first looks at what has been written, then at the source.
? In which order does your `forward` call the two?

feed_forward_before_cross_attention
- h = self.cross_attention(x, memory, memory, memory_mask)
+ h = self.feed_forward(x)
- x = self.norm3(x + self.dropout(self.feed_forward(x)))
+ h = self.cross_attention(x, memory, memory, memory_mask)
+         x = self.norm3(x + self.dropout(h))
or
- h = self.cross_attention(x, memory, memory, memory_mask)
+ x = self.norm3(x + self.dropout(self.feed_forward(x)))
+         h = self.cross_attention(x, memory, memory, memory_mask)
- x = self.norm3(x + self.dropout(self.feed_forward(x)))
+ pass
The feed-forward network comes before the cross-attention. In the paper it is
the last of the three.
? In which order does your `forward` call the three sub-layers?

self_attention_skipped
- x = self.norm1(x +
+ _ = self.norm1(x +
The self-attention has no effect: the tokens of the target know nothing of each
other.
? What happens to the result of the first sub-layer?

cross_attention_skipped
- x = self.norm2(x +
+ _ = self.norm2(x +
The cross-attention has no effect: this is an encoder's layer, which never
looks at the memory.
? What happens to the result of the second sub-layer?

feed_forward_skipped
- x = self.norm3(x +
+ _ = self.norm3(x +
Your layer ends after the cross-attention: the feed-forward network has no
effect.
? Do you return the result of the last sub-layer or of the second?

feed_forward_reads_something_else
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.dropout(self.feed_forward(x))
+ self.dropout(self.feed_forward(first))
or
- h = self.cross_attention(x
+ first, h = x, self.cross_attention(x
- self.dropout(self.feed_forward(x))
+ self.dropout(self.feed_forward(first))
The feed-forward network reads what came before the cross-attention. It should
read what the second sub-layer has made.
? Which name does the result of the second sub-layer have, and which one does
`feed_forward` get?

skip_from_the_layer_input
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.norm2(x +
+ self.norm2(first +
- self.norm3(x +
+ self.norm3(first +
or
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.norm2(x +
+ self.norm2(first +
or
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.norm3(x +
+ self.norm3(first +
A skip starts in the wrong place: you add the input of the layer to what a
later sub-layer made. So the changes before it get lost on the straight way.
? A skip adds what the sub-layer read. What did each of the three read?

first_sentence_only
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x, mask)[0]
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, memory, memory_mask)[0]
or
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x, mask)[0]
or
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, memory, memory_mask)[0]
You take element 0 of what an attention returns. Your MultiHeadAttention
returns one tensor, and its element 0 is the first sentence, which is then
added to all of them. (`nn.MultiheadAttention` returns a pair.)
? What is the shape of `self.self_attention(x, x, x, mask)`?

no_skip_at_all
- self.norm1(x + self.dropout(h))
+ self.norm1(self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(self.dropout(self.feed_forward(x)))
Nothing is added: each sub-layer replaces what it reads, so its output has to
hold the whole sentence again and not only what should change.
? Where is the vector that the sub-layer read? It has to be added to what the
sub-layer made of it.

one_skip_missing
- self.norm1(x + self.dropout(h))
+ self.norm1(self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(self.dropout(self.feed_forward(x)))
One sub-layer has no skip: its output replaces what it read and should be added
to it.
? Compare your three sums. In which of them does the vector come back that the
sub-layer read?

one_skip_around_everything
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.norm1(x + self.dropout(h))
+ self.dropout(h)
- self.norm2(x + self.dropout(h))
+ self.dropout(h)
- self.norm3(x +
+ self.norm3(first +
or
- h = self.self_attention(x
+ first, h = x, self.self_attention(x
- self.norm1(x + self.dropout(h))
+ self.norm1(self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(self.dropout(h))
- self.norm3(x +
+ self.norm3(first +
There is one skip, from the beginning of the layer to its end. The paper has
three, one around each sub-layer.
? What is added to the result of the self-attention, before the next sub-layer
sees anything?

input_added_twice
- self.norm1(x + self.dropout(h))
+ self.norm1(2 * x + self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(2 * x + self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(2 * x + self.dropout(self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(2 * x + self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(2 * x + self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(2 * x + self.dropout(self.feed_forward(x)))
The vector that a sub-layer read is added twice: {came} came instead of
{wanted}. Perhaps you add it and then call something that adds it too.
? The sub-layers give the change alone; where is it added?

change_added_twice
- self.norm1(x + self.dropout(h))
+ self.norm1(x + 2 * self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + 2 * self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x + 2 * self.dropout(self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + 2 * self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + 2 * self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x + 2 * self.dropout(self.feed_forward(x)))
The change is added twice: {came} came instead of {wanted}.
? Count how often the result of the sub-layer stands in your sum.

multiplied
- self.norm1(x + self.dropout(h))
+ self.norm1(x * self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(x * self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x * self.dropout(self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x * self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x * self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x * self.dropout(self.feed_forward(x)))
You multiply where you should add. A sub-layer with nothing to say gives zeros:
added, they leave x as it is; multiplied, they wipe it out.
? Which calculation with 0 changes nothing?

subtracted
- self.norm1(x + self.dropout(h))
+ self.norm1(x - self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(x - self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x - self.dropout(self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x - self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x - self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x - self.dropout(self.feed_forward(x)))
You subtract where you should add: {came} came instead of {wanted}. F(x) =
H(x) - x is what a sub-layer has to learn; the layer itself adds x again.
? A sub-layer gives the change. What do you do with a change to have it made?

pre_norm
- if self.norm_first:
+ if True:
With norm_first=False your layer is pre-norm: the norm comes before each
sub-layer, and the sum is not normalized. This order belongs to
norm_first=True; the other one is post-norm, first the sum, then the norm.
? Which branch of your `if` runs when norm_first is False?

norm_first_by_default
- norm_first=False
+ norm_first=True
@ defaults
Where norm_first is not given, your layer is pre-norm. The default is False, as
in the paper.
? Which value does `norm_first` have in the first line of `__init__`?

two_orders_mixed
- self.self_attention(x, x, x, mask)
+ self.self_attention(*3 * [self.norm1(x)], mask)
- x = self.norm1(x + self.dropout(h))
+ x = x + self.dropout(h)
or
- self.cross_attention(x, memory
+ self.cross_attention(self.norm2(x), memory
- x = self.norm2(x + self.dropout(h))
+ x = x + self.dropout(h)
or
- x = self.norm3(x + self.dropout(self.feed_forward(x)))
+ x = x + self.dropout(self.feed_forward(self.norm3(x)))
One sub-layer is pre-norm and the others are post-norm. With norm_first=False
all three are post-norm: first the sum, then the norm.
? Compare the places of the norms in your three sub-layers.

norm_before_the_addition
- self.norm1(x + self.dropout(h))
+ x + self.norm1(self.dropout(h))
- self.norm2(x + self.dropout(h))
+ x + self.norm2(self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ x + self.norm3(self.dropout(self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ x + self.norm1(self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ x + self.norm2(self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ x + self.norm3(self.dropout(self.feed_forward(x)))
You normalize the change and then add x. In post-norm the norm belongs around
the sum: here the sum itself is never normalized, so its size grows from layer
to layer.
? Is the plus sign inside the brackets of the norm?

sum_of_two_norms
- self.norm1(x + self.dropout(h))
+ self.norm1(x) + self.norm1(self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(x) + self.norm2(self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x) + self.norm3(self.dropout(self.feed_forward(x)))
You normalize x and the change each for itself and add them afterwards. The
norm of a sum is not the sum of the norms: {came} came instead of {wanted}.
? What comes first in post-norm, the sum or the norm?

change_normalized_too
- self.norm1(x + self.dropout(h))
+ self.norm1(x + self.norm1(self.dropout(h)))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + self.norm2(self.dropout(h)))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x + self.norm3(self.dropout(self.feed_forward(x))))
You normalize the change, add it, and normalize the sum as well. The paper adds
the change as the sub-layer made it, so that a small change stays small.
? One norm for each sub-layer, after the sum. Which one is too many?

sub_layers_read_the_norm
- self.self_attention(x, x, x, mask)
+ self.self_attention(*3 * [self.norm1(x)], mask)
- self.cross_attention(x, memory
+ self.cross_attention(self.norm2(x), memory
- self.dropout(self.feed_forward(x))
+ self.dropout(self.feed_forward(self.norm3(x)))
There is a norm before a sub-layer as well as after its sum. In post-norm each
sub-layer reads its input as it is.
? One norm for each sub-layer, after the sum. Which one is too many?

norm_applied_twice
- self.norm1(x + self.dropout(h))
+ self.norm1(self.norm1(x + self.dropout(h)))
- self.norm2(x + self.dropout(h))
+ self.norm2(self.norm2(x + self.dropout(h)))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(self.norm3(x + self.dropout(self.feed_forward(x))))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(self.norm1(x + self.dropout(h)))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(self.norm2(x + self.dropout(h)))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(self.norm3(x + self.dropout(self.feed_forward(x))))
A sum is normalized twice. With a learned gain and bias the second norm changes
the numbers again: {came} instead of {wanted}.
? How many norms does each sum need?

no_norm
- self.norm1(x + self.dropout(h))
+ (x + self.dropout(h))
- self.norm2(x + self.dropout(h))
+ (x + self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ (x + self.dropout(self.feed_forward(x)))
With norm_first=False all skips are there, but no norm has an effect. Without it
the vectors grow from layer to layer.
? Through which module does each of the three sums go?

one_norm_missing
- self.norm1(x + self.dropout(h))
+ (x + self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ (x + self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ (x + self.dropout(self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ (x + self.dropout(h))
- self.norm2(x + self.dropout(h))
+ (x + self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ (x + self.dropout(h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ (x + self.dropout(self.feed_forward(x)))
With norm_first=False a sum is not normalized. A decoder's layer has three
sub-layers and three norms.
? What happens to each of your three sums?

change_only
- return x
+ return h if not self.norm_first else x
or
- x = self.norm3(x + self.dropout(self.feed_forward(x)))
+ x = self.feed_forward(x)
You return what one sub-layer made, without the skip and without the norm. That
is the change, not the output of the layer.
? What is still to be done with the result of the last sub-layer?

memory_returned
- return x
+ return memory
Your layer returns the memory. The decoder's own vectors are wanted, one for
each token of the target.
? Which name do you return in the last line?

input_returned
- if self.norm_first:
+ first = x
+     if self.norm_first:
- return x
+ return first
@ defaults
Your layer returns x as it came. All three sub-layers should have changed it.
? Which name do you return in the last line?

gradient_cut
- self.norm1(x + self.dropout(h))
+ self.norm1(x + self.dropout(h).detach())
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + self.dropout(h).detach())
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x + self.dropout(self.feed_forward(x)).detach())
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + self.dropout(h).detach())
- self.norm2(x + self.dropout(h))
+ self.norm2(x + self.dropout(h).detach())
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x + self.dropout(self.feed_forward(x)).detach())
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x.detach() + self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x.detach() + self.dropout(h))
or
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(x.detach() + self.dropout(self.feed_forward(x)))
or
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, *2 * [memory.detach()], memory_mask)
@ gradients
The numbers are right, but a gradient does not find its way through the layer:
something was cut off with `detach`, `data`, `item`, or `no_grad`, so that a
part of it cannot learn.
? Which of these words stands in your class?

masks_ignored
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x)
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, h)
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, memory)
- self.cross_attention(h, memory, memory, memory_mask)
+ self.cross_attention(h, memory, memory)
or
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x)
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, memory)
@ both masks
The masks have no effect: tokens see those that come after them, and padding is
read.
? Where do the two masks go that `forward` gets?

mask_ignored
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x)
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, h)
or
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x)
@ causal
The self-attention gets no mask, so each token sees the tokens that come after
it. In training the model then copies its answers.
? Where does the `mask` go that `forward` gets?

memory_mask_ignored
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, memory)
- self.cross_attention(h, memory, memory, memory_mask)
+ self.cross_attention(h, memory, memory)
or
- self.cross_attention(x, memory, memory, memory_mask)
+ self.cross_attention(x, memory, memory)
@ padding
The cross-attention gets no mask: padding of the source is read as if it were
language.
? Where does the `memory_mask` go that `forward` gets?

masks_exchanged
- if self.norm_first:
+ mask, memory_mask = memory_mask, mask
+     if self.norm_first:
@ both masks
The two masks are exchanged: `mask` hides tokens of the target from the
self-attention, `memory_mask` those of the source from the cross-attention.
With sentences of one length no error tells you.
? Which of the two does each of your attentions get?

mask_for_the_memory
- if self.norm_first:
+ memory_mask = mask
+     if self.norm_first:
@ both masks
The mask of the target is used where the memory is looked at. The first token
of the target may look at all tokens of the source, not at the first alone.
? When a token of the target looks at the source, is there a future to hide?

memory_mask_for_all
- if self.norm_first:
+ mask = memory_mask
+     if self.norm_first:
@ both masks
The mask of the memory is used for the self-attention too. So no token of the
target is kept from looking at those that come after it.
? Which mask hides the future?

mask_reversed
- if self.norm_first:
+ mask = None if mask is None else ~mask
+     memory_mask = None if memory_mask is None else ~memory_mask
+     if self.norm_first:
or
- if self.norm_first:
+ mask = None if mask is None else ~mask
+     if self.norm_first:
or
- if self.norm_first:
+ memory_mask = None if memory_mask is None else ~memory_mask
+     if self.norm_first:
@ both masks
A mask is turned around: what may be looked at is hidden, and the rest is read.
In this book True means may be looked at.
? Does your layer have to change the masks at all?

mask_on_its_side
- if self.norm_first:
+ mask = None if mask is None else mask.mT
+     if self.norm_first:
@ causal
The mask of the target is turned on its side: each token sees itself and those
*after* it. Rows belong to those who look.
? Does your layer have to change the masks at all?

own_causal_mask
- if self.norm_first:
+ m = x.shape[1]
+     mask = (torch.ones(m, m, device=x.device) > 0).tril()
+     if self.norm_first:
@ more to read
Your layer hides later tokens without having been told to. Which tokens are
hidden says `mask`, and where it is None, none.
? Where does the layer make a mask of its own?

norm_first_ignored
- if self.norm_first:
+ if False:
@ pre-norm
With norm_first=True your layer is the same as with False. Then each norm
comes before its sub-layer, and the sum is not normalized.
? Where does your `forward` ask for `self.norm_first`?

pre_norm_skip_after_the_norm
- h = self.norm1(x)
+ h = x = self.norm1(x)
- h = self.norm2(x)
+ h = x = self.norm2(x)
- x = x + self.dropout(self.feed_forward(self.norm3(x)))
+ x = self.norm3(x)
+         x = x + self.dropout(self.feed_forward(x))
or
- h = self.norm1(x)
+ h = x = self.norm1(x)
or
- h = self.norm2(x)
+ h = x = self.norm2(x)
or
- x = x + self.dropout(self.feed_forward(self.norm3(x)))
+ x = self.norm3(x)
+         x = x + self.dropout(self.feed_forward(x))
@ pre-norm
With norm_first=True the skip carries the normalized vector on. It must carry x
itself; only the sub-layer reads the normalized one.
? Does the normalized vector have a name of its own?

pre_norm_memory_normalized
- self.cross_attention(h, memory, memory, memory_mask)
+ self.cross_attention(h, *2 * [self.norm2(memory)], memory_mask)
@ pre-norm
With norm_first=True you normalize the memory, too. It comes from the
encoder finished; in pre-norm a norm stands at the end of its stack.
? What does `norm2` have to normalize?

pre_norm_without_a_norm
- h = self.norm1(x)
+ h = x
- h = self.norm2(x)
+ h = x
- self.feed_forward(self.norm3(x))
+ self.feed_forward(x)
or
- h = self.norm1(x)
+ h = x
or
- h = self.norm2(x)
+ h = x
or
- self.feed_forward(self.norm3(x))
+ self.feed_forward(x)
@ pre-norm
With norm_first=True a sub-layer reads a vector that no norm has seen. Each of
the three has a norm in front of it.
? What does each of the three sub-layers read?

pre_norm_no_skip
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.dropout(self.self_attention(h, h, h, mask))
- x = x + self.dropout(h)
+ x = self.dropout(h)
- x = x + self.dropout(self.feed_forward(self.norm3(x)))
+ x = self.dropout(self.feed_forward(self.norm3(x)))
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.dropout(self.self_attention(h, h, h, mask))
or
- x = x + self.dropout(h)
+ x = self.dropout(h)
or
- x = x + self.dropout(self.feed_forward(self.norm3(x)))
+ x = self.dropout(self.feed_forward(self.norm3(x)))
@ pre-norm
With norm_first=True a skip is missing: the change of a sub-layer is not added
to what came in.
? Compare with your other branch: what does each half add?

pre_norm_one_norm_for_all
- h = self.norm2(x)
+ h = self.norm1(x)
- self.feed_forward(self.norm3(x))
+ self.feed_forward(self.norm1(x))
or
- h = self.norm2(x)
+ h = self.norm1(x)
or
- self.feed_forward(self.norm3(x))
+ self.feed_forward(self.norm2(x))
or
- h = self.norm2(x)
+ h = self.norm3(x)
- self.feed_forward(self.norm3(x))
+ self.feed_forward(self.norm2(x))
@ pre-norm
With norm_first=True a sub-layer has the wrong norm in front of it: `norm1`
belongs to the self-attention, `norm2` to the cross-attention, `norm3` to the
feed-forward network.
? Which norm do you call in each of the three?

pre_norm_third_as_post_norm
- x = x + self.dropout(self.feed_forward(self.norm3(x)))
+ x = self.norm3(x + self.dropout(self.feed_forward(x)))
or
- h = self.norm2(x)
-         h = self.cross_attention(h, memory, memory, memory_mask)
-         x = x + self.dropout(h)
+ h = self.cross_attention(x, memory, memory, memory_mask)
+         x = self.norm2(x + self.dropout(h))
or
- h = self.norm1(x)
-         x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.norm1(x + self.dropout(self.self_attention(x, x, x, mask)))
@ pre-norm
With norm_first=True one of the three parts is that of post-norm: its sub-layer
reads x without a norm, and its norm comes after the sum. In pre-norm each norm
comes before its sub-layer, and the sum stays as it is.
? Which of your three parts differs from the others in the place of its norm?

pre_norm_one_more_norm
- x = x + self.dropout(self.feed_forward(self.norm3(x)))
+ x = self.norm3(x + self.dropout(self.feed_forward(self.norm3(x))))
or
- x = x + self.dropout(h)
+ x = self.norm2(x + self.dropout(h))
@ pre-norm
With norm_first=True a sum is normalized as well. In pre-norm the sums stay as
they are, so that x passes unchanged through the whole stack; the one norm at
its end belongs to the Transformer.
? Which of your norms comes after a plus sign?

pre_norm_masks_ignored
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, h)
- self.cross_attention(h, memory, memory, memory_mask)
+ self.cross_attention(h, memory, memory)
or
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, h)
or
- self.cross_attention(h, memory, memory, memory_mask)
+ self.cross_attention(h, memory, memory)
@ pre-norm masks
With norm_first=True a mask has no effect: tokens look at what is hidden from
them.
? Compare the calls of the attentions in your two branches.

pre_norm_gradient_cut
- self.dropout(self.self_attention(h, h, h, mask))
+ self.dropout(self.self_attention(h, h, h, mask)).detach()
or
- x = x + self.dropout(h)
+ x = x + self.dropout(h).detach()
or
- self.feed_forward(self.norm3(x))
+ self.feed_forward(self.norm3(x)).detach()
@ pre-norm gradients
With norm_first=True a gradient does not find its way through the layer:
something was cut off with `detach`, `data`, `item`, or `no_grad`, so that a
part of it cannot learn.
? Which of these words stands in this branch?

no_dropout
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
- self.dropout(self.feed_forward(x))
+ self.feed_forward(x)
- self.dropout(self.self_attention(h, h, h, mask))
+ self.self_attention(h, h, h, mask)
- x = x + self.dropout(h)
+ x = x + h
- self.dropout(self.feed_forward(self.norm3(x)))
+ self.feed_forward(self.norm3(x))
@ dropout
In train() nothing is dropped. What each sub-layer made goes through dropout
before it is added.
? Where does `forward` call `self.dropout`?

post_norm_no_dropout
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
- self.dropout(self.feed_forward(x))
+ self.feed_forward(x)
@ dropout
With norm_first=False nothing is dropped in train(). What each sub-layer made
goes through dropout before it is added, in this order of the norms too.
? Where does this branch call `self.dropout`?

pre_norm_no_dropout
- self.dropout(self.self_attention(h, h, h, mask))
+ self.self_attention(h, h, h, mask)
- x = x + self.dropout(h)
+ x = x + h
- self.dropout(self.feed_forward(self.norm3(x)))
+ self.feed_forward(self.norm3(x))
@ pre-norm dropout
With norm_first=True nothing is dropped in train(). What each sub-layer made
goes through dropout before it is added, in this order of the norms too.
? Where does this branch call `self.dropout`?

one_dropout_missing
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
- self.dropout(self.self_attention(h, h, h, mask))
+ self.self_attention(h, h, h, mask)
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
- x = x + self.dropout(h)
+ x = x + h
or
- self.dropout(self.feed_forward(x))
+ self.feed_forward(x)
- self.dropout(self.feed_forward(self.norm3(x)))
+ self.feed_forward(self.norm3(x))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
or
- self.dropout(self.feed_forward(x))
+ self.feed_forward(x)
or
- self.dropout(self.self_attention(h, h, h, mask))
+ self.self_attention(h, h, h, mask)
or
- x = x + self.dropout(h)
+ x = x + h
or
- self.dropout(self.feed_forward(self.norm3(x)))
+ self.feed_forward(self.norm3(x))
In train() a sub-layer's result is added without dropout. All three go through
it, in both orders of the norms.
? How often does each of your branches call `self.dropout`?

dropout_of_the_sum
- self.norm1(x + self.dropout(h))
+ self.norm1(self.dropout(x + h))
- self.norm2(x + self.dropout(h))
+ self.norm2(self.dropout(x + h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.norm3(self.dropout(x + self.feed_forward(x)))
or
- self.norm1(x + self.dropout(h))
+ self.dropout(self.norm1(x + h))
- self.norm2(x + self.dropout(h))
+ self.dropout(self.norm2(x + h))
- self.norm3(x + self.dropout(self.feed_forward(x)))
+ self.dropout(self.norm3(x + self.feed_forward(x)))
@ dropout
In train() the skip is dropped, too: dropout stands around the sum or the norm.
It belongs to the change alone, so that x itself always passes.
? What stands inside the brackets of `self.dropout`?

dropout_in_eval
- self.norm1(x + self.dropout(h))
+ self.norm1(x + F.dropout(h, self.dropout.p))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + F.dropout(h, self.dropout.p))
- self.dropout(self.feed_forward(x))
+ F.dropout(self.feed_forward(x), self.dropout.p)
- self.dropout(self.self_attention(h, h, h, mask))
+ F.dropout(self.self_attention(h, h, h, mask), self.dropout.p)
- x = x + self.dropout(h)
+ x = x + F.dropout(h, self.dropout.p)
- self.dropout(self.feed_forward(self.norm3(x)))
+ F.dropout(self.feed_forward(self.norm3(x)), self.dropout.p)
@ in eval
Your layer drops numbers in eval() as well. `F.dropout(h, p)` does so always,
unless it is told `training=self.training`; `nn.Dropout` knows by itself.
? Who tells your dropout whether the layer is being trained?

pre_norm_wrong
! pre-norm
With norm_first=False your layer is right, with norm_first=True it is not. Then
each third is x + sublayer(norm(x)).
? Write the three thirds one below the other: which norm, which sub-layer, and
what is added?

another_dropout
! dropout
In train() your dropout is not what it should be: with dropout=1.0 all that the
three sub-layers made must vanish before it is added, and the rest must stay.
? Which number does `nn.Dropout` get, and what goes through it?

pre_norm_another_dropout
! pre-norm dropout
With norm_first=True your dropout is not what it should be in train(): with
dropout=1.0 all that the sub-layers made must vanish, and x comes out as it
went in.
? What goes through `self.dropout` in this branch?

mask_changed
! both masks
Without masks your layer is right, with both of them it is not. Each mask goes
to its attention as it came.
? What happens to the masks in your `forward`?

other_type
! float32
For inputs and weights of 32 bits your layer does not give 32 bits. It must
take the type of what it is given.
? Does `forward` make a tensor, or change the type of one?

cut_to_32_bits
- return x
+ return x.float().to(x.dtype)
! digits
@ digits
The result has 64 bits, but only the digits of 32: on the way something is cut
to 32 bits and widened again, and the digits that were lost do not come back.
? Look for `.float()`, `float32`, and a softmax with a `dtype=`. The type of the
inputs is the right one for every step.

other_device
! other device
Your layer works on the processor only: a tensor that it makes or keeps does
not move to the device where x is.
? Which tensor in your class is neither a parameter nor made from x?
"""

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
    solve=Reference(DecoderLayer),
    catalogue=NUMPY + MISTAKES,
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
    most_combined=200,
)  # fmt: skip
