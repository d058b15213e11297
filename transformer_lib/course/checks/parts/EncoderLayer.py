"""Part 7 of the reader's own Transformer: `class EncoderLayer`."""

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
            x = x + self.dropout(self.feed_forward(h))
        else:
            h = self.self_attention(x, x, x, mask)
            x = self.norm1(x + self.dropout(h))
            h = self.feed_forward(x)
            x = self.norm2(x + self.dropout(h))
        return x


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


MISTAKES = r"""
no_super
% AttributeError: cannot assign module before Module
`super().__init__()` is missing: a module of PyTorch must be set up before it
can keep other modules.
? What is the first line of `__init__` in your MultiHeadAttention?

no_defaults
- dropout=0.1, norm_first=False
+ dropout, norm_first
% TypeError: .*__init__\(\) missing .*'(dropout|norm_first)'
@ names
`EncoderLayer(4, 2, 6)` must work: `dropout` and `norm_first` have default
values, 0.1 and False.
? Where in the first line of `__init__` does a default value stand?

too_few_inputs
% TypeError: .*forward\(\) missing \d+ required positional argument
A module inside your layer is called with too few inputs. `self_attention`
takes a query, a key and a value; where a sentence looks at itself, all three
are the same.
? How many inputs does the `forward` of your MultiHeadAttention have before the
mask?

too_many_inputs
% TypeError: .*forward\(\) takes 2 positional arguments but [34] were given
A module that takes one tensor gets more: a norm and the feed-forward network
take x alone. The mask goes to the attention, and a sum is added up before it
is normalized.
? Which of your calls of `norm1`, `norm2` and `feed_forward` has a comma in it?

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
Your layer writes into x, its input: whoever called it now holds other numbers,
and PyTorch refuses to take gradients of it.
? `x += h` and `x.add_(h)` write into x; what makes a new tensor?

another_name_in_self
- self.norm1 =
+ self.norm_1 =
- self.norm2 =
+ self.norm_2 =
- h = self.norm1(x)
+ h = self.norm_1(x)
- h = self.norm2(x)
+ h = self.norm_2(x)
- self.norm1(x +
+ self.norm_1(x +
- self.norm2(x +
+ self.norm_2(x +
@ names
Your norms have names of your own. The weights of the book, and those that you
save, are found by the names `norm1` and `norm2`.
? Which two names stand behind `self.` in `__init__`?

norm_of_the_inner_width
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_ff)
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_ff)
or
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_ff)
or
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_ff)
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
@ names
Your norms have no weights that the layer knows of, and work with gain 1 and
bias 0. So it is with norms that `forward` makes, or that are only a function:
nothing of them is trained, saved or moved.
? Make each norm in `__init__`, as an attribute of its own. What do you call
them?

sub_layers_without_weights
- self.self_attention = MultiHeadAttention(d_model, n_heads)
+ self.self_attention = MultiHeadAttention(d_model, n_heads).forward
- self.feed_forward = FeedForward(d_model, d_ff)
+ self.feed_forward = FeedForward(d_model, d_ff).forward
@ names
The layer knows of no weights in `self_attention` and `feed_forward`. So
it is with modules that `forward` makes: nothing of them is trained, saved or
moved.
? Make each of the two in `__init__`, as an attribute of its own. What do you
call them?

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
- MultiHeadAttention(d_model, n_heads)
+ MultiHeadAttention(d_model, 1)
The attention has one head, whatever `n_heads` says. All shapes fit, so only
the numbers show it.
? What do you pass to `MultiHeadAttention`?

one_norm_for_both
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = self.norm1
or
- self.norm2(x +
+ self.norm1(x +
or
- self.norm1(x +
+ self.norm2(x +
One norm serves both sub-layers. Each sub-layer has a norm of its own, with a
gain and a bias of its own.
? Which norm do you call after the attention, and which after the feed-forward
network?

norms_exchanged
- self.norm1(x +
+ self.norm2(x +
- self.norm2(x +
+ self.norm1(x +
The two norms are exchanged: `norm1` belongs to the attention, `norm2` to the
feed-forward network.
? Which sub-layer comes first?

first_sentence_only
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x, mask)[0]
You take element 0 of what the attention returns. Your MultiHeadAttention
returns one tensor, and its element 0 is the first sentence, which is then
added to all of them. (`nn.MultiheadAttention` returns a pair.)
? What is the shape of `self.self_attention(x, x, x, mask)`?

no_skip_at_all
- self.norm1(x +
+ self.norm1(
- self.norm2(x +
+ self.norm2(
Nothing is added: each sub-layer replaces what it reads, so its output has to
hold the whole sentence again and not only what should change.
? Where is the vector that the sub-layer read? It has to be added to what the
sub-layer made of it.

no_skip_around_attention
- self.norm1(x +
+ self.norm1(
The feed-forward network has its skip, the attention has none: after it the
tokens know their neighbors but no longer themselves.
? Compare the two halves. In which of them does the vector come back that the
sub-layer read?

no_skip_around_feed_forward
- self.norm2(x +
+ self.norm2(
The attention has its skip, the feed-forward network has none: its output
replaces what it read and should be added to it.
? Compare the two halves. In which of them does the vector come back that the
sub-layer read?

one_skip_around_everything
- x = self.norm1(x + self.dropout(h))
+ first, x = x, self.dropout(h)
- self.norm2(x +
+ self.norm2(first +
or
- x = self.norm1(x + self.dropout(h))
+ first, x = x, self.norm1(self.dropout(h))
- self.norm2(x +
+ self.norm2(first +
There is one skip, from the beginning of the layer to its end. The paper has
two, one around each sub-layer.
? After the attention its change is added at once, before the feed-forward
network sees anything.

layer_input_added_after_feed_forward
- x = self.norm1(x +
+ first = x
+         x = self.norm1(x +
- self.norm2(x +
+ self.norm2(first +
The second skip starts in the wrong place: you add the input of the layer to
what the feed-forward network made. So the change that the attention made gets
lost on the straight way.
? A skip adds what the sub-layer read. What did the feed-forward network read?

feed_forward_reads_the_layer_input
- x = self.norm1(x +
+ first = x
+         x = self.norm1(x +
- self.feed_forward(x)
+ self.feed_forward(first)
The feed-forward network reads the input of the layer. It should read what the
first half of the layer made of it.
? Which name does the result of the first half have, and which one does
`feed_forward` get?

attention_result_lost
- x = self.norm1(x +
+ _ = self.norm1(x +
Both halves start from the input of the layer, so the second one forgets the
first: the attention has no effect.
? The second half must start from the result of the first.

attention_skipped
- h = self.self_attention(x, x, x, mask)
+ h = self.feed_forward(x)
- x = self.norm2(x +
+ _ = self.norm2(x +
Your layer has only the feed-forward half: the attention has no effect, and no
token hears anything of the others.
? Which sub-layer comes first in a layer?

side_by_side
- x = self.norm1(x + self.dropout(h))
+ both = x + self.dropout(h)
- self.norm2(x +
+ self.norm2(both +
or
- x = self.norm1(x + self.dropout(h))
+ both = x + self.dropout(h)
- self.norm2(x +
+ self.norm1(both +
or
- x = self.norm1(x +
+ first = x
+         x = self.norm1(x +
- self.feed_forward(x)
+ self.feed_forward(first)
- self.norm2(x + self.dropout(h))
+ self.norm2(x + first + self.dropout(h))
The two sub-layers stand side by side and both read the input of the layer.
There are models built like that, but in the paper one follows the other: the
feed-forward network reads what the attention has mixed.
? Finish the first half, with its norm, and give it a name. Then begin the
second half with it.

input_added_twice
- self.norm1(x +
+ self.norm1(2 * x +
- self.norm2(x +
+ self.norm2(2 * x +
or
- self.norm1(x +
+ self.norm1(2 * x +
or
- self.norm2(x +
+ self.norm2(2 * x +
The vector that a sub-layer read is added twice: {came} came instead of
{wanted}. Perhaps you add it and then call something that adds it too.
? `self_attention` and `feed_forward` give the change alone; where is it added?

change_added_twice
- self.norm1(x + self.dropout(h))
+ self.norm1(x + 2 * self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + 2 * self.dropout(h))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + 2 * self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + 2 * self.dropout(h))
The change is added twice: {came} came instead of {wanted}.
? Count how often the result of the sub-layer stands in your sum.

multiplied
- self.norm1(x +
+ self.norm1(x *
- self.norm2(x +
+ self.norm2(x *
or
- self.norm1(x +
+ self.norm1(x *
or
- self.norm2(x +
+ self.norm2(x *
You multiply where you should add. A sub-layer with nothing to say gives zeros:
added, they leave x as it is; multiplied, they wipe it out.
? Which calculation with 0 changes nothing?

subtracted
- self.norm1(x +
+ self.norm1(x -
- self.norm2(x +
+ self.norm2(x -
or
- self.norm1(x +
+ self.norm1(-x +
- self.norm2(x +
+ self.norm2(-x +
or
- self.norm1(x +
+ self.norm1(x -
or
- self.norm2(x +
+ self.norm2(x -
or
- self.norm1(x +
+ self.norm1(-x +
or
- self.norm2(x +
+ self.norm2(-x +
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
- h = self.self_attention(x, x, x, mask)
+ h = self.norm1(x)
+         h = self.self_attention(h, h, h, mask)
- x = self.norm1(x + self.dropout(h))
+ x = x + self.dropout(h)
or
- h = self.feed_forward(x)
+ h = self.feed_forward(self.norm2(x))
- x = self.norm2(x + self.dropout(h))
+ x = x + self.dropout(h)
One half of your layer is post-norm and the other pre-norm. With
norm_first=False both halves are post-norm: first the sum, then the norm.
? Compare the places of `norm1` and `norm2` in the two halves.

pre_norm_and_one_at_the_end
- h = self.self_attention(x, x, x, mask)
+ h = self.norm1(x)
+         h = self.self_attention(h, h, h, mask)
- x = self.norm1(x + self.dropout(h))
+ x = x + self.dropout(h)
- h = self.feed_forward(x)
+ h = self.feed_forward(self.norm2(x))
With norm_first=False each sub-layer reads a normalized vector, and the end of
the layer is normalized once more. In post-norm the sub-layers read what they
get, and each of the two sums is normalized.
? Post-norm means that the last thing that happens to each sum is the norm.

norm_before_the_addition
- self.norm1(x + self.dropout(h))
+ x + self.norm1(self.dropout(h))
- self.norm2(x + self.dropout(h))
+ x + self.norm2(self.dropout(h))
or
- self.norm1(x + self.dropout(h))
+ x + self.norm1(self.dropout(h))
or
- self.norm2(x + self.dropout(h))
+ x + self.norm2(self.dropout(h))
You normalize the change and then add x. In post-norm the norm belongs around
the sum: here the sum itself is never normalized, so its size grows from layer
to layer.
? Is the plus sign inside the brackets of the norm?

change_normalized_too
- self.norm1(x + self.dropout(h))
+ self.norm1(x + self.norm1(self.dropout(h)))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + self.norm2(self.dropout(h)))
You normalize the change, add it, and normalize the sum as well. The paper adds
the change as the sub-layer made it, so that a small change stays small.
? One norm for each sub-layer, after the sum. Which one is too many?

sum_of_two_norms
- self.norm1(x + self.dropout(h))
+ self.norm1(x) + self.norm1(self.dropout(h))
- self.norm2(x + self.dropout(h))
+ self.norm2(x) + self.norm2(self.dropout(h))
You normalize x and the change each for itself and add them afterwards. The
norm of a sum is not the sum of the norms: {came} came instead of {wanted}.
? What comes first in post-norm, the sum or the norm?

skip_starts_after_the_norm
- h = self.self_attention(x, x, x, mask)
+ x = self.norm1(x)
+         h = self.self_attention(x, x, x, mask)
- x = self.norm1(x + self.dropout(h))
+ x = self.norm2(x + self.dropout(h))
- x = self.norm2(x + self.dropout(h))
+ x = x + self.dropout(h)
With norm_first=False you normalize first and then use the normalized vector
twice, for the sub-layer and for the skip. So x itself is never carried on, and
the last sum leaves without a norm.
? The skip takes what came in. In post-norm nothing is normalized before the
sum.

sub_layers_read_the_norm
- h = self.self_attention(x, x, x, mask)
+ h = self.norm1(x)
+         h = self.self_attention(h, h, h, mask)
- h = self.feed_forward(x)
+ h = self.feed_forward(self.norm2(x))
or
- h = self.self_attention(x, x, x, mask)
+ h = self.norm1(x)
+         h = self.self_attention(h, h, h, mask)
or
- h = self.feed_forward(x)
+ h = self.feed_forward(self.norm2(x))
There is a norm before a sub-layer as well as after its sum. In post-norm each
sub-layer reads its input as it is.
? One norm for each sub-layer, after the sum. Which one is too many?

norm_applied_twice
- self.norm1(x + self.dropout(h))
+ self.norm1(self.norm1(x + self.dropout(h)))
- self.norm2(x + self.dropout(h))
+ self.norm2(self.norm2(x + self.dropout(h)))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(self.norm1(x + self.dropout(h)))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(self.norm2(x + self.dropout(h)))
A sum is normalized twice. With a learned gain and bias the second norm changes
the numbers again: {came} instead of {wanted}.
? How many norms does each sum need?

no_norm
- self.norm1(x +
+ (x +
- self.norm2(x +
+ (x +
With norm_first=False both skips are there, but no norm has an effect. Without
it the vectors grow from layer to layer.
? Through which module does each of the two sums go?

norm_after_attention_only
- self.norm2(x +
+ (x +
With norm_first=False the first sum is normalized, the second is not. A layer
has two sub-layers and two norms.
? What happens to the second sum?

norm_at_the_end_only
- self.norm1(x +
+ (x +
With norm_first=False there is one norm, at the end of the layer. Post-norm
means a norm after each sub-layer, so the feed-forward network should read
normalized vectors.
? What happens to the first sum?

order_exchanged
- h = self.self_attention(x, x, x, mask)
+ h = self.feed_forward(x)
- h = self.feed_forward(x)
+ h = self.self_attention(x, x, x, mask)
or
- h = self.self_attention(x, x, x, mask)
+ h = self.feed_forward(x)
- x = self.norm1(x +
+ x = self.norm2(x +
- h = self.feed_forward(x)
+ h = self.self_attention(x, x, x, mask)
- x = self.norm2(x +
+ x = self.norm1(x +
The feed-forward network comes first and the attention second. In the paper the
tokens first look around, then each thinks for itself.
? Which sub-layer does your `forward` call first?

feed_forward_skipped
- x = self.norm2(x +
+ _ = self.norm2(x +
Your layer ends after the attention: the feed-forward network has no effect.
? Do you return the result of the second half or of the first?

attention_twice
- h = self.feed_forward(x)
+ h = self.self_attention(x, x, x, mask)
Both halves use the attention, and `feed_forward` has no effect: the tokens look
around twice and never think.
? Look at the second half, which was perhaps copied from the first.

feed_forward_twice
- h = self.self_attention(x, x, x, mask)
+ h = self.feed_forward(x)
Both halves use the feed-forward network, and the attention has no effect: no
token hears anything of the others.
? Look at the first half: which sub-layer comes first in a layer?

change_only
- return x
+ return h if not self.norm_first else x
You return what the feed-forward network made, without the skip and without the
norm. That is the change, not the output of the layer.
? What is still to be done with the result of the feed-forward network?

input_returned
- if self.norm_first:
+ first = x
+     if self.norm_first:
- return x
+ return first
@ defaults
Your layer returns x as it came. Both sub-layers should have changed it.
? Which name do you return in the last line?

token_by_token
- h = self.self_attention(x, x, x, mask)
+ h = torch.cat([self.self_attention(t, t, t) for t in x.split(1, 1)], 1)
The attention sees one token at a time, so no token looks at another. It wants
the whole x.
? Which shape does the key have that you pass?

across_the_sentences
- h = self.self_attention(x, x, x, mask)
+ t = x.transpose(0, 1)
+         h = self.self_attention(t, t, t).transpose(0, 1)
The attention looks along the axis of the sentences: token i of one sentence
sees token i of the others, not its neighbors. Everything here has the batch
first.
? What is the shape of what your attention gets?

gradient_cut
- self.norm1(x + self.dropout(h))
+ self.norm1(x + self.dropout(h.detach()))
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + self.dropout(h.detach()))
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + self.dropout(h.detach()))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + self.dropout(h.detach()))
or
- self.norm1(x +
+ self.norm1(x.detach() +
or
- self.norm2(x +
+ self.norm2(x.detach() +
@ gradients
The numbers are right, but a gradient does not find its way through the layer:
something was cut off with `detach`, `data`, `item`, or `no_grad`, so that a
part of it cannot learn.
? Which of these words stands in your class?

mask_ignored
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x)
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, h)
or
- self.self_attention(x, x, x, mask)
+ self.self_attention(x, x, x)
@ padding
The mask has no effect: tokens look at padding as if it were language.
? Where does the mask that `forward` gets go?

mask_reversed
- if self.norm_first:
+ mask = None if mask is None else ~mask
+     if self.norm_first:
@ padding
The mask is turned around: what may be looked at is hidden, and the rest is
read. In this book True means may be looked at.
? Does your layer have to change the mask at all?

causal_mask_everywhere
- if self.norm_first:
+ n = x.shape[1]
+     mask = None if mask is None else mask & (torch.ones(n, n) > 0).tril()
+     if self.norm_first:
@ padding
Where there is a mask, your layer also hides later tokens. The mask that came
says all there is to say; an encoder reads to both sides.
? What does your layer do with the mask before it hands it on?

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
or
- h = self.norm1(x)
+ h = x = self.norm1(x)
or
- h = self.norm2(x)
+ h = x = self.norm2(x)
@ pre-norm
With norm_first=True the skip carries the normalized vector on. It must carry x
itself; only the sub-layer reads the normalized one.
? Does the normalized vector have a name of its own?

pre_norm_keys_without_norm
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, x, x, mask)
or
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, x, mask)
@ pre-norm
With norm_first=True not all of query, key and value are normalized. The
attention reads one normalized sentence three times.
? Which three tensors does your attention get?

pre_norm_without_a_norm
- h = self.norm1(x)
+ h = x
- h = self.norm2(x)
+ h = x
or
- h = self.norm1(x)
+ h = x
or
- h = self.norm2(x)
+ h = x
@ pre-norm
With norm_first=True a sub-layer reads a vector that no norm has seen. Each of
the two has a norm in front of it.
? What does `self_attention` read, and what does `feed_forward` read?

pre_norm_no_skip
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.dropout(self.self_attention(h, h, h, mask))
- x = x + self.dropout(self.feed_forward(h))
+ x = self.dropout(self.feed_forward(h))
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.dropout(self.self_attention(h, h, h, mask))
or
- x = x + self.dropout(self.feed_forward(h))
+ x = self.dropout(self.feed_forward(h))
@ pre-norm
With norm_first=True a skip is missing: the change of a sub-layer is not added
to what came in.
? Compare with your other branch: what does each half add?

pre_norm_feed_forward_reads_the_first_norm
- self.feed_forward(h)
+ self.feed_forward(self.norm2(h))
or
- h = self.norm2(x)
+ h = h
@ pre-norm
With norm_first=True the feed-forward network starts from the vector that the
attention read, and not from the sum after the attention.
? The second half begins with x as the first half left it. Which vector do you
normalize there?

pre_norm_one_more_norm
- x = x + self.dropout(self.feed_forward(h))
+ x = self.norm2(x + self.dropout(self.feed_forward(h)))
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.norm1(x + self.dropout(self.self_attention(h, h, h, mask)))
- x = x + self.dropout(self.feed_forward(h))
+ x = self.norm2(x + self.dropout(self.feed_forward(h)))
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.norm1(x + self.dropout(self.self_attention(h, h, h, mask)))
@ pre-norm
With norm_first=True a sum is normalized as well. In pre-norm the sums stay as
they are, so that x passes unchanged through the whole stack; the one norm at
its end belongs to the Transformer.
? Which of your norms comes after a plus sign?

pre_norm_half_as_post_norm
- h = self.norm2(x)
-         x = x + self.dropout(self.feed_forward(h))
+ x = self.norm2(x + self.dropout(self.feed_forward(x)))
or
- h = self.norm1(x)
-         x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = self.norm1(x + self.dropout(self.self_attention(x, x, x, mask)))
@ pre-norm
With norm_first=True one of the two halves is that of post-norm: its sub-layer
reads x without a norm, and its norm comes after the sum. In pre-norm each norm
comes before its sub-layer, and the sum stays as it is.
? Which of your two halves differs from the other in the place of its norm?

pre_norm_one_norm_for_both
- h = self.norm2(x)
+ h = self.norm1(x)
or
- h = self.norm1(x)
+ h = self.norm2(x)
or
- h = self.norm1(x)
+ h = self.norm2(x)
- h = self.norm2(x)
+ h = self.norm1(x)
@ pre-norm
With norm_first=True a sub-layer has the wrong norm in front of it: `norm1`
belongs to the attention, `norm2` to the feed-forward network.
? Which norm do you call in each of the two halves?

pre_norm_mask_ignored
- self.self_attention(h, h, h, mask)
+ self.self_attention(h, h, h)
@ pre-norm padding
With norm_first=True the mask has no effect: tokens look at padding as if it
were language.
? Compare the two calls of `self_attention` in your two branches.

pre_norm_gradient_cut
- self.dropout(self.self_attention(h, h, h, mask))
+ self.dropout(self.self_attention(h, h, h, mask)).detach()
or
- self.dropout(self.feed_forward(h))
+ self.dropout(self.feed_forward(h)).detach()
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = x.detach() + self.dropout(self.self_attention(h, h, h, mask))
@ pre-norm gradients
With norm_first=True a gradient does not find its way through the layer:
something was cut off with `detach`, `data`, `item`, or `no_grad`, so that a
part of it cannot learn.
? Which of these words stands in this branch?

another_eps
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_model, eps=1e-6)
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_model, eps=1e-6)
or
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_model, eps=1e-12)
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_model, eps=1e-12)
or
- self.norm1 = LayerNorm(d_model)
+ self.norm1 = LayerNorm(d_model, eps=1e-8)
- self.norm2 = LayerNorm(d_model)
+ self.norm2 = LayerNorm(d_model, eps=1e-8)
@ small numbers
Where all numbers are small, the norms give other values: {came} came instead
of {wanted}. Their eps is not 1e-5, the default of LayerNorm.
? Do you pass an eps?

averaged
- self.norm1(x + self.dropout(h))
+ self.norm1((x + self.dropout(h)) / 2)
- self.norm2(x + self.dropout(h))
+ self.norm2((x + self.dropout(h)) / 2)
or
- self.norm1(x + self.dropout(h))
+ self.norm1((x + self.dropout(h)) / 2)
or
- self.norm2(x + self.dropout(h))
+ self.norm2((x + self.dropout(h)) / 2)
@ small numbers
Where all numbers are small, the norms give other values: {came} came instead
of {wanted}. That is what comes of half a sum: a norm hides a factor of its
input, except for eps.
? Do you divide a sum by 2 before it is normalized, or change eps?

no_dropout
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = x + self.self_attention(h, h, h, mask)
- x = x + self.dropout(self.feed_forward(h))
+ x = x + self.feed_forward(h)
@ dropout
In train() nothing is dropped. What each sub-layer made goes through dropout
before it is added.
? Where does `forward` call `self.dropout`?

post_norm_no_dropout
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
@ dropout
With norm_first=False nothing is dropped in train(). What each sub-layer made
goes through dropout before it is added, in this order of the norms too.
? Where does this branch call `self.dropout`?

pre_norm_no_dropout
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = x + self.self_attention(h, h, h, mask)
- x = x + self.dropout(self.feed_forward(h))
+ x = x + self.feed_forward(h)
@ pre-norm dropout
With norm_first=True nothing is dropped in train(). What each sub-layer made
goes through dropout before it is added, in this order of the norms too.
? Where does this branch call `self.dropout`?

one_dropout_missing
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = x + self.self_attention(h, h, h, mask)
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
- x = x + self.dropout(self.feed_forward(h))
+ x = x + self.feed_forward(h)
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + h)
or
- self.norm2(x + self.dropout(h))
+ self.norm2(x + h)
or
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = x + self.self_attention(h, h, h, mask)
or
- x = x + self.dropout(self.feed_forward(h))
+ x = x + self.feed_forward(h)
In train() one sub-layer's result is added without dropout. Both go through it,
in both orders of the norms.
? How often does each of your branches call `self.dropout`?

dropout_of_the_sum
- self.norm1(x + self.dropout(h))
+ self.norm1(self.dropout(x + h))
- self.norm2(x + self.dropout(h))
+ self.norm2(self.dropout(x + h))
or
- self.norm1(x + self.dropout(h))
+ self.dropout(self.norm1(x + h))
- self.norm2(x + self.dropout(h))
+ self.dropout(self.norm2(x + h))
@ dropout
In train() the skip is dropped, too: dropout stands around the sum or the norm.
It belongs to the change alone, so that x itself always passes.
? What stands inside the brackets of `self.dropout`?

dropout_in_eval
- self.norm1(x + self.dropout(h))
+ self.norm1(x + F.dropout(h, self.dropout.p))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + F.dropout(h, self.dropout.p))
- x = x + self.dropout(self.self_attention(h, h, h, mask))
+ x = x + F.dropout(self.self_attention(h, h, h, mask), self.dropout.p)
- x = x + self.dropout(self.feed_forward(h))
+ x = x + F.dropout(self.feed_forward(h), self.dropout.p)
or
- self.norm1(x + self.dropout(h))
+ self.norm1(x + F.dropout(h, self.dropout.p))
- self.norm2(x + self.dropout(h))
+ self.norm2(x + F.dropout(h, self.dropout.p))
@ in eval
Your layer drops numbers in eval() as well. `F.dropout(h, p)` does so always,
unless it is told `training=self.training`; `nn.Dropout` knows by itself.
? Who tells your dropout whether the layer is being trained?

pre_norm_wrong
! pre-norm
With norm_first=False your layer is right, with norm_first=True it is not. Then
each half is x + sublayer(norm(x)).
? Write the two halves one below the other: which norm, which sub-layer, and
what is added?

another_dropout
! dropout
In train() your dropout is not what it should be: with dropout=1.0 all that the
two sub-layers made must vanish before it is added, and the rest must stay.
? Which number does `nn.Dropout` get, and what goes through it?

pre_norm_another_dropout
! pre-norm dropout
With norm_first=True your dropout is not what it should be in train(): with
dropout=1.0 all that the two sub-layers made must vanish, and x comes out as it
went in.
? What goes through `self.dropout` in this branch?

mask_changed
! padding
Without a mask your layer is right, with one it is not. The mask goes to the
attention as it came.
? What happens to the mask in your `forward`?

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
    solve=Reference(EncoderLayer),
    catalogue=NUMPY + MISTAKES,
    properties=(right_names, shape, finite),
    hints=(
        "Each branch has two halves that look alike, one for the attention "
        "and one for the feed-forward network. What does the second start "
        "from?",
        "Post-norm: norm(x + dropout(sublayer(x))). Pre-norm: x + "
        "dropout(sublayer(norm(x))). Which of your lines says something else?",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x", "mask"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x", "mask"),
    most_combined=250,
)
