"""Part 7 of the reader's own Transformer: `class Transformer`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: F401 - mistakes use it

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import (
    Probe,
    Property,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.parts.causal_mask import causal_mask
from transformer_lib.course.checks.parts.DecoderLayer import DecoderLayer
from transformer_lib.course.checks.parts.drive import (
    NUMPY,
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_lib.course.checks.parts.EncoderLayer import EncoderLayer
from transformer_lib.course.checks.parts.LayerNorm import LayerNorm
from transformer_lib.course.checks.parts.look import look_at_module, module_code
from transformer_lib.course.checks.parts.padding_mask import padding_mask
from transformer_lib.course.checks.parts.PositionalEncoding import (
    PositionalEncoding,
)
from transformer_lib.course.checks.parts.TokenEmbedding import TokenEmbedding

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
_ALL, _ALL_PRE = (9, 4, 2, 6, 2, 1.0), (9, 4, 2, 6, 2, 1.0, True)
CASES = (
    _model("names", 1, "names", (9, 4, 2, 6, 2), (2,), 2, basic=True),
    _model("defaults", 2, "output", _POST, (4, 4, 4), 3, basic=True),
    _model("padding", 3, "output", _POST, (3, 5), 4, basic=True),
    _model("as long", 4, "output", _POST, (4, 2), 4, basic=True),
    _model("three layers", 5, "output", (8, 6, 3, 4, 3, 0.0, False), (2, 3), 4,
           basic=True),
    _model("one layer", 6, "output", (9, 4, 2, 6, 1, 0.0), (3,), 2, basic=True),
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
    _model("other device", 19, "other device", _POST, (3, 2), 3),
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
    "The first thing that breaks: one more <pad> behind the source changes "
    "the logits. Padding must be hidden from the encoder and from the decoder.",
)

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
`Transformer(7, 4, 2, 6, 2)` must work: `dropout` and `norm_first` have default
values, 0.1 and False.
? Where in the first line of `__init__` does a default value stand?

too_few_inputs
% TypeError: .*(forward|logits)\(\) missing \d+ required
Something inside your model is called with too few inputs. An encoder's layer
takes x and a mask, a decoder's layer x, the memory and two masks.
? Compare each call with the first line of what it calls.

mask_not_handed_over
% TypeError: .*(encode|decode)\(\) missing \d+ required
`encode` or `decode` is called with too few inputs. `encode(source, mask)` takes
the mask of the source, and `decode(target, memory, memory_mask)` takes it once
more, after the memory.
? Which of the two calls in `forward` has no mask at its end?

too_many_inputs
% TypeError: .*(forward|encode|decode|logits)\(\) takes .*positional
Something inside your model is called with too many inputs. An encoder's layer
takes x and a mask, a decoder's layer x, the memory and two masks.
? Compare each call with the first line of what it calls.

list_called
% TypeError: '(ModuleList|list)' object is not|NotImplementedError: Module \[Mod
A list of layers cannot be called; its layers can, one after the other.
? Which loop sends x through the stack?

numbers_of_two_types
% RuntimeError: (?!.*[Bb]ool)(mat1 and mat2 must have the same dtype|expected
% .* dtype)
Numbers of 32 bits meet numbers of 64 bits. A module takes the type of what it
is given: no `.float()` inside, and no weights that are hidden from
`module.double()`.
? Does `forward` change the type of a tensor? Is there a module that is not an
attribute of `self`?

dropout_taken_for_the_length
% RuntimeError: The size of tensor a \(\d+\) must match the size of tensor b
% \(0\)
The vectors of the tokens meet a table of positions without a single row. The
inputs of `PositionalEncoding` are d_model, max_length and dropout, in this
order. A dropout of 0.0 in the second place makes no row.
? How does Python pass an input by its name?

memory_and_target_exchanged
% TypeError: decode got vectors in the place of the ids
The decoder gets the memory in the place of the ids. It is `decode(target,
memory, memory_mask)`, the target first.
? Read the first line of your `decode`, and then the call in `forward`.

positions_too_few
- PositionalEncoding(d_model, dropout=dropout)
+ PositionalEncoding(d_model, 12, dropout)
or
- PositionalEncoding(d_model, dropout=dropout)
+ PositionalEncoding(d_model, 50, dropout)
% RuntimeError: The size of tensor a \(60\) must match the size of tensor b
% \([1-9]\d*\)
@ sixty tokens
Your table of positions is too short: with short sentences all is right, with 60
tokens there are not enough rows. `PositionalEncoding` makes 512 if it is told
no other number.
? Which input of `PositionalEncoding` says how many rows its table has?

vectors_looked_up
% (IndexError: tensors used as indices must|RuntimeError: Expected tensor for
% argument #1 'indices')
A table is asked for rows by numbers that are no ids. `embedding(ids)` looks up
ids; the decoder's vectors become scores by the other method of your
TokenEmbedding, `logits`.
? Which method is called in the last line of `decode`?

layers_in_another_name
- self.encoder =
+ self.encoder_layers =
- self.decoder =
+ self.decoder_layers =
- in self.encoder:
+ in self.encoder_layers:
- in self.decoder:
+ in self.decoder_layers:
@ names
Your stacks have names of your own. The weights of the book, and those that you
save, are found by the names `encoder` and `decoder`.
? Which two names of lists stand behind `self.` in `__init__`?

norms_in_every_case
- self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.encoder_norm = LayerNorm(d_model)
- self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.decoder_norm = LayerNorm(d_model)
or
- self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.encoder_norm = LayerNorm(d_model)
or
- self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.decoder_norm = LayerNorm(d_model)
@ names
With norm_first=False a stack of yours ends with one more norm. There each
layer ends with its own; only pre-norm needs one at the end of a stack.
? What do `encoder_norm` and `decoder_norm` do where norm_first is False?

untied_output
- self.encoder_norm =
+ self.output = nn.Linear(d_model, vocab_size)
+     self.encoder_norm =
- self.embedding.logits(self.decoder_norm(x))
+ self.output(self.decoder_norm(x))
or
- self.encoder_norm =
+ self.output = nn.Linear(d_model, vocab_size, bias=False)
+     self.encoder_norm =
- self.embedding.logits(self.decoder_norm(x))
+ self.output(self.decoder_norm(x))
@ names
The scores come from a layer of their own, with weights that nobody asked for.
They come from the table of the embedding: that is what its `logits` is for.
? Which of your modules turns a vector into a score for each word?

two_tables
- self.embedding =
+ self.target_embedding = TokenEmbedding(vocab_size, d_model)
+     self.embedding =
- self.embedding(target)
+ self.target_embedding(target)
- self.embedding.logits
+ self.target_embedding.logits
or
- self.embedding =
+ self.target_embedding = TokenEmbedding(vocab_size, d_model)
+     self.embedding =
- self.embedding(target)
+ self.target_embedding(target)
@ names
Source and target have a table of tokens each. There is one vocabulary for both
languages here, and one table, `embedding`.
? How many times does `TokenEmbedding` stand in `__init__`?

n_layers_ignored
- range(n_layers)
+ range(6)
@ names
Your stacks have six layers, whatever `n_layers` says.
? What does `range` get?

one_layer_too_few
- range(n_layers)
+ range(1, n_layers)
@ names
Your stacks have one layer less than `n_layers` says.
? Which numbers does your `range` give for `n_layers` = 2?

one_layer_many_times
- nn.ModuleList(EncoderLayer(*sizes) for _ in layers)
+ nn.ModuleList([EncoderLayer(*sizes)] * n_layers)
- nn.ModuleList(DecoderLayer(*sizes) for _ in layers)
+ nn.ModuleList([DecoderLayer(*sizes)] * n_layers)
or
- nn.ModuleList(EncoderLayer(*sizes) for _ in layers)
+ nn.ModuleList([EncoderLayer(*sizes)] * n_layers)
or
- nn.ModuleList(DecoderLayer(*sizes) for _ in layers)
+ nn.ModuleList([DecoderLayer(*sizes)] * n_layers)
@ defaults
All layers of a stack are one layer, with one set of weights: `[layer] * n`
repeats the same object. The names look right, the numbers do not.
? How often is `EncoderLayer(...)` called when your model is made?

decoder_layer_reads_encoder_layer_of_its_number
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- for layer in self.decoder:
+ for i, layer in enumerate(self.decoder):
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory[1:][i], mask, memory_mask)
Decoder layer i reads what encoder layer i made. Every decoder layer reads the
same thing, the output of the last encoder layer. All shapes fit, so only the
values show it.
? How many different tensors do your decoder layers get as memory?

decoder_reads_the_encoder_upside_down
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- for layer in self.decoder:
+ for i, layer in enumerate(self.decoder):
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory[-1 - i], mask, memory_mask)
The first decoder layer reads the last encoder layer, the second the last but
one, and so on. All of them read the last one.
? How many different tensors do your decoder layers get as memory?

memory_one_layer_too_low
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- for layer in self.decoder:
+ for i, layer in enumerate(self.decoder):
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory[i], mask, memory_mask)
or
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)[-2]
The memory comes from one layer too low: what goes into an encoder layer in
place of what comes out, or the last layer but one.
? Where in your first loop do you store the result, before or after the layer
has been called?

memory_of_the_first_layer
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)[1]
Every decoder layer reads what the first encoder layer made. The other encoder
layers work for nothing.
? Which value does x have when the whole first loop is over?

decoder_reads_the_embeddings
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)[0]
The decoder reads the source as it was before any encoder layer: the encoder
has no effect. The tokens it sees know nothing of each other.
? Does the loop over the encoder's layers give its result back to x, and does
`encode` return that?

memory_in_the_first_layer_only
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- for layer in self.decoder:
+ for i, layer in enumerate(self.decoder):
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory[0 if i else -1], mask, memory_mask)
or
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- for layer in self.decoder:
+ for i, layer in enumerate(self.decoder):
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, x if i else memory[-1], mask, memory_mask)
Only the first decoder layer reads the encoder's output; the others read
something else in its place. The memory stays the same for all of them.
? Does your second loop give a new value to the name of the memory?

memory_in_the_last_layer_only
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- x = layer(x, memory, mask, memory_mask)
+ last = layer is self.decoder[-1]
+         x = layer(x, memory[-1 if last else 0], mask, memory_mask)
Only the last decoder layer reads the encoder's output; those below it read the
embedded source. Every decoder layer has a cross-attention, and all of them
read the same memory.
? How many different tensors do your decoder layers get as memory?

one_loop_inside_the_other
- memory = self.encode(source, mask)
+ memory = seen(self, source, mask)
- for layer in self.decoder:
+ for layer, memory in [(a, b) for b in memory[1:] for a in self.decoder]:
The decoder's loop stands inside the encoder's, so all decoder layers run again
after each encoder layer. Writing begins when the reading is over.
? How far to the right does your second `for` stand?

memory_not_passed
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, x, mask)
or
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, given, mask)
- x = self.positions(self.embedding(target))
+ x = given = self.positions(self.embedding(target))
or
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, x, mask, memory_mask)
@ as long
The decoder reads itself: where the memory belongs you pass the target. It
would write without ever looking at the source.
? Which of your variables holds what the encoder has made? It is the second
thing that a decoder layer wants.

all_encoder_layers_added
- memory = self.encode(source, mask)
+ memory = sum(seen(self, source, mask)[1:])
or
- memory = self.encode(source, mask)
+ memory = torch.stack(seen(self, source, mask)[1:]).mean(0)
The memory is made of the outputs of all encoder layers, added or averaged.
Some later models do that; in the paper it is the last output alone.
? Which value does x have when the loop over the encoder's layers is over?

embeddings_added_to_the_memory
- memory = self.encode(source, mask)
+ memory = sum(seen(self, source, mask)[::len(self.encoder)])
You add the embedded source to the encoder's output. Each layer has its skips
inside already; around the whole stack there is none.
? What is added after the loop over the encoder's layers?

memory_squeezed_into_one_vector
- memory = self.encode(source, mask)
+ memory = self.encode(source, mask)
+     memory = memory.mean(1, keepdim=True).expand_as(memory)
or
- memory = self.encode(source, mask)
+ memory = self.encode(source, mask)
+     memory = memory[:, -1:].expand_as(memory)
All rows of the memory are the same vector, so the decoder cannot look at one
source word rather than at another. This is the bottleneck of chapter 1.
? The memory has a row for each source token. What does your code do to the
axis of the tokens?

decoder_starts_from_the_memory
- x = self.positions(self.embedding(target))
+ x = memory
@ as long
The encoder's output goes into the decoder from below, where the target belongs;
with sentences of unequal length not even the masks fit. The memory enters each
decoder layer from the side.
? What does the first decoder layer get as its first input?

decoder_starts_from_the_source
- self.decode(target, memory, mask)
+ self.decode(source, memory, mask)
The source goes into the decoder from below, where the target belongs.
? What does the first decoder layer get as its first input?

source_and_target_exchanged
- mask = padding_mask(source)
+ source, target = target, source
+     mask = padding_mask(source)
The encoder reads the target, and the decoder writes on from the source. In
`forward(source, target)` the source comes first.
? Which sentence does `encode` get?

target_sent_through_the_encoder
- x = self.positions(self.embedding(target))
+ x = self.positions(self.embedding(target))
+     for layer in self.encoder:
+         x = layer(x, mask)
The target goes through the encoder's layers before the decoder gets it. The
encoder reads the source alone.
? What does the first decoder layer get as its first input?

memory_added_to_the_decoder_input
- x = self.positions(self.embedding(target))
+ x = self.positions(self.embedding(target)) + memory
or
- x = self.positions(self.embedding(target))
+ x = self.positions(self.embedding(target)) + memory.mean(1, keepdim=True)
@ as long
You add the encoder's output to the decoder's input. Nothing is added there:
each decoder layer reads the memory by itself, with its cross-attention.
? What happens to x between the embedding and the first decoder layer?

no_positions
- self.positions(self.embedding(source))
+ self.embedding(source)
- self.positions(self.embedding(target))
+ self.embedding(target)
or
- self.positions(self.embedding(source))
+ self.embedding(source)
or
- self.positions(self.embedding(target))
+ self.embedding(target)
A sentence goes into its stack without positions: attention by itself does not
see the order of the words. Source and target both need it.
? What happens to the vectors between `embedding` and the first layer?

positions_twice
- x = self.positions(self.embedding(source))
+ x = self.positions(self.positions(self.embedding(source)))
- x = self.positions(self.embedding(target))
+ x = self.positions(self.positions(self.embedding(target)))
or
- x = self.positions(self.embedding(target))
+ x = self.positions(self.positions(self.embedding(target)))
or
- x = self.positions(self.embedding(source))
+ x = self.positions(self.positions(self.embedding(source)))
The positions are added twice. `PositionalEncoding` gives the sum of what it
reads and the positions.
? What does your PositionalEncoding return: the positions, or the sum?

input_doubled
- x = self.positions(self.embedding(source))
+ x = self.embedding(source)
+     x = x + self.positions(x)
- x = self.positions(self.embedding(target))
+ x = self.embedding(target)
+     x = x + self.positions(x)
or
- x = self.positions(self.embedding(source))
+ x = self.embedding(source)
+     x = x + self.positions(x)
or
- x = self.positions(self.embedding(target))
+ x = self.embedding(target)
+     x = x + self.positions(x)
The vectors of the tokens are added twice. `PositionalEncoding` gives the sum of
what it reads and the positions, so nothing is left to add.
? What does your PositionalEncoding return: the positions, or the sum?

rows_without_the_root
- self.embedding(source)
+ self.embedding.weight[source]
- self.embedding(target)
+ self.embedding.weight[target]
or
- self.embedding(source)
+ self.embedding.weight[source]
or
- self.embedding(target)
+ self.embedding.weight[target]
The rows of the table are not multiplied by the root of d_model. `embedding`,
called like a function, does that.
? Do you call `self.embedding`, or look up its `weight` by yourself?

root_of_d_model_twice
- self.embedding(source)
+ self.embedding(source) * self.embedding.weight.shape[1] ** 0.5
- self.embedding(target)
+ self.embedding(target) * self.embedding.weight.shape[1] ** 0.5
The vectors of the tokens are multiplied by the root of d_model twice. Your
TokenEmbedding has done it already.
? Is there a factor in your `encode` and `decode`?

only_the_last_layer_applied
- for layer in self.encoder:
+ for layer in self.encoder[-1:]:
- for layer in self.decoder:
+ for layer in self.decoder[-1:]:
or
- for layer in self.encoder:
+ for layer in self.encoder[-1:]:
or
- for layer in self.decoder:
+ for layer in self.decoder[-1:]:
Only the last layer of a stack has an effect: {came} came instead of {wanted}.
Perhaps each layer reads the input of the stack, so that the last one overwrites
what the others made.
? Inside the loop, what does the second layer read?

only_the_first_layer_applied
- for layer in self.encoder:
+ for layer in self.encoder[:1]:
- for layer in self.decoder:
+ for layer in self.decoder[:1]:
or
- for layer in self.decoder:
+ for layer in self.decoder[:1]:
Only the first layer of a stack has an effect: {came} came instead of {wanted}.
Perhaps a `return` stands inside the loop.
? How often does the body of each loop run before your function returns?

layers_shared
- for layer in self.encoder:
+ for layer in [self.encoder[0]] * len(self.encoder):
- for layer in self.decoder:
+ for layer in [self.decoder[0]] * len(self.decoder):
or
- for layer in self.encoder:
+ for layer in [self.encoder[0]] * len(self.encoder):
or
- for layer in self.decoder:
+ for layer in [self.decoder[0]] * len(self.decoder):
or
- for layer in self.encoder:
+ for layer in [self.encoder[-1]] * len(self.encoder):
- for layer in self.decoder:
+ for layer in [self.decoder[-1]] * len(self.decoder):
or
- for layer in self.encoder:
+ for layer in [self.encoder[-1]] * len(self.encoder):
or
- for layer in self.decoder:
+ for layer in [self.decoder[-1]] * len(self.decoder):
One layer is used again and again: the layers have the same structure, but each
has weights of its own.
? Which element of the list do you call in round i of the loop?

first_layer_skipped
- for layer in self.encoder:
+ for layer in self.encoder[1:]:
- for layer in self.decoder:
+ for layer in self.decoder[1:]:
or
- for layer in self.encoder:
+ for layer in self.encoder[1:]:
or
- for layer in self.decoder:
+ for layer in self.decoder[1:]:
The first layer of a stack never runs. Perhaps your loop counts from 1; Python
counts from 0.
? Count how often a layer is called, and compare with the length of the list.

last_layer_skipped
- for layer in self.encoder:
+ for layer in self.encoder[:-1]:
- for layer in self.decoder:
+ for layer in self.decoder[:-1]:
or
- for layer in self.decoder:
+ for layer in self.decoder[:-1]:
The last layer of a stack never runs: {came} came instead of {wanted}.
? Count how often a layer is called, and compare with the length of the list.

from_the_top
- for layer in self.encoder:
+ for layer in self.encoder[::-1]:
- for layer in self.decoder:
+ for layer in self.decoder[::-1]:
or
- for layer in self.encoder:
+ for layer in self.encoder[::-1]:
or
- for layer in self.decoder:
+ for layer in self.decoder[::-1]:
A stack runs from its last layer to its first. The first layer of the list
stands at the bottom and reads the embeddings.
? In which order does your loop take the layers?

layers_side_by_side
- for layer in self.encoder:
-         x = layer(x, mask)
+ x = sum(layer(x, mask) for layer in self.encoder)
- for layer in self.decoder:
-         x = layer(x, memory, mask, memory_mask)
+ x = sum(layer(x, memory, mask, memory_mask) for layer in self.decoder)
or
- for layer in self.encoder:
-         x = layer(x, mask)
+ x = sum(layer(x, mask) for layer in self.encoder)
or
- for layer in self.decoder:
-         x = layer(x, memory, mask, memory_mask)
+ x = sum(layer(x, memory, mask, memory_mask) for layer in self.decoder)
or
- for layer in self.encoder:
-         x = layer(x, mask)
+ x = sum(layer(x, mask) for layer in self.encoder) / len(self.encoder)
- for layer in self.decoder:
-         x = layer(x, memory, mask, memory_mask)
+ x = sum(layer(x, memory, mask, memory_mask) for layer in self.decoder)
+     x = x / len(self.decoder)
or
- for layer in self.encoder:
-         x = layer(x, mask)
+ x = sum(layer(x, mask) for layer in self.encoder) / len(self.encoder)
or
- for layer in self.decoder:
-         x = layer(x, memory, mask, memory_mask)
+ x = sum(layer(x, memory, mask, memory_mask) for layer in self.decoder)
+     x = x / len(self.decoder)
All layers of a stack read the same input, and you add or average what they
make. They stand on top of each other: each reads what the one below it has
made.
? Which name does the result of a layer have, and which one does the next layer
read?

skip_around_the_layer
- x = layer(x, mask)
+ x = x + layer(x, mask)
- x = layer(x, memory, mask, memory_mask)
+ x = x + layer(x, memory, mask, memory_mask)
or
- x = layer(x, mask)
+ x = x + layer(x, mask)
or
- x = layer(x, memory, mask, memory_mask)
+ x = x + layer(x, memory, mask, memory_mask)
You add a layer's input to its output. The skips are inside the layers already,
one around each sub-layer.
? A layer gives its new vectors, not a change. What is left to add?

layers_run_twice
- for layer in self.encoder:
+ for layer in [*self.encoder, *self.encoder]:
- for layer in self.decoder:
+ for layer in [*self.decoder, *self.decoder]:
or
- for layer in self.encoder:
+ for layer in [*self.encoder, *self.encoder]:
or
- for layer in self.decoder:
+ for layer in [*self.decoder, *self.decoder]:
A stack runs twice: {came} came instead of {wanted}.
? Is one loop inside another, so that the inner one starts again?

decoder_left_out
- x = layer(x, memory, mask, memory_mask)
+ _ = layer(x, memory, mask, memory_mask)
No decoder layer has an effect: the logits are those of the embedded target.
? Does the second loop give its result back to x?

masks_exchanged
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, memory_mask, mask)
@ as long
The two masks of the decoder are exchanged. A decoder layer wants the mask over
its own tokens first, (m, m), and the one over the source tokens second,
(B, 1, n). With m = n no error tells you.
? Which mask belongs to which sentence? Look at the order in the call of a
decoder layer.

target_mask_in_the_encoder
- memory = self.encode(source, mask)
+ memory = self.encode(source, mask & causal_mask(source.shape[1]))
or
- memory = self.encode(source, mask)
+ memory = self.encode(source, causal_mask(source.shape[1]))
The encoder hides the future. The source is there as a whole, so each of its
words may look at all others, the later ones too. Only padding is hidden.
? Which mask does `encode` get?

target_mask_for_everything
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask, mask)
@ as long
The causal mask of the target is used where the source is looked at. Word 1 of
the target may look at all source words, not at the first alone.
? When a target word looks at the source, is there a future to hide?

source_mask_for_everything
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, memory_mask, memory_mask)
@ as long
The mask of the source is used for the target too. So no target word is kept
from looking at the words that come after it, which it is to predict.
? Which mask hides the future?

causal_mask_of_the_sentences
- causal_mask(target.shape[1])
+ causal_mask(target.shape[0])
@ one layer
Your causal mask has a row for each sentence of the batch; it needs one for each
word of the target. With a single sentence it hides nothing, and otherwise it
fits only where there are as many sentences as words.
? What do the two axes of `target` count?

no_masks
- memory = self.encode(source, mask)
+ memory = self.encode(source, None)
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory)
@ padding
None of the layers gets a mask: padding is read as language, and target words
see those that come after them.
? Each layer takes its masks after the vectors. Where are they made?

decoder_without_masks
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory)
@ padding
The decoder layers get no masks: target words see those that come after them,
and padding is read.
? What does a decoder layer take after the memory?

future_not_hidden
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, None, memory_mask)
The decoder's self-attention gets no mask, so each target word sees the words
that come after it. In training the model then copies its answers.
? What does a decoder layer get as its third input?

mask_in_the_first_layer_only
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask, memory_mask)
+         mask = None
or
- x = layer(x, mask)
+ x = layer(x, mask)
+         mask = None
Only the first layer of a stack gets its mask; the layers above it look
everywhere. What one layer hides, the next would find.
? Which mask does the second layer of each stack get?

past_hidden_in_place_of_the_future
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask.mT, memory_mask)
The mask of the target is turned on its side: each target word sees itself and
those *after* it.
? Rows belong to those who look. What happens to the causal mask?

no_own_token
- causal_mask(target.shape[1])
+ causal_mask(target.shape[1]).tril(-1)
No target word sees itself: the diagonal of the causal mask is hidden. Row i of
the decoder predicts word i + 1, and may look at word i.
? Is the diagonal of your mask True?

padding_not_hidden
- memory = self.encode(source, mask)
+ memory = self.encode(source, None)
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask)
or
- memory = self.encode(source, mask)
+ memory = self.encode(source, None)
or
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask)
@ padding
Padding of the source is not hidden everywhere: the encoder or the decoder
reads it as if it were language.
? The source is looked at in two places, in the encoder and from the decoder.
Which mask does each of them get?

masks_turned
- mask = padding_mask(source)
+ mask = ~padding_mask(source)
- causal_mask(target.shape[1])
+ (~causal_mask(target.shape[1]))
or
- mask = padding_mask(source)
+ mask = ~padding_mask(source)
or
- causal_mask(target.shape[1])
+ (~causal_mask(target.shape[1]))
@ padding
A mask is turned around: what may be looked at is hidden, and the rest is read.
In this book True means may be looked at.
? What do `padding_mask` and `causal_mask` say with True?

memory_returned
- return self.decode(target, memory, mask)
+ return memory
You return the memory, a vector for each source token. The logits are wanted,
which `decode` gives.
? Which name do you return in the last line of `forward`?

no_logits
- return self.embedding.logits(self.decoder_norm(x))
+ return self.decoder_norm(x)
Your model returns the vectors of the decoder, of length d_model. A score for
each word of the vocabulary is wanted in their place.
? Which method of your TokenEmbedding turns vectors into scores?

all_layers_returned
- x = self.positions(self.embedding(target))
+ every = []
+     x = self.positions(self.embedding(target))
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask, memory_mask)
+         every.append(self.embedding.logits(x))
- return self.embedding.logits(self.decoder_norm(x))
+ return torch.stack(every)
You return the logits of all decoder layers. Those of the last one alone are
wanted.
? A list grows in your loop; which element of it is the answer?

layer_outputs_added
- x = self.positions(self.embedding(target))
+ every = []
+     x = self.positions(self.embedding(target))
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask, memory_mask)
+         every.append(x)
- return self.embedding.logits(self.decoder_norm(x))
+ x = sum(every)
+     return self.embedding.logits(self.decoder_norm(x))
or
- x = self.positions(self.embedding(target))
+ every = []
+     x = self.positions(self.embedding(target))
- x = layer(x, memory, mask, memory_mask)
+ x = layer(x, memory, mask, memory_mask)
+         every.append(x)
- return self.embedding.logits(self.decoder_norm(x))
+ x = sum(every) / len(every)
+     return self.embedding.logits(self.decoder_norm(x))
You add or average the outputs of all decoder layers. The last one alone is
wanted.
? Which value does x have when the loop over the decoder's layers is over?

input_added_at_the_end
- x = self.positions(self.embedding(target))
+ x = first = self.positions(self.embedding(target))
- return self.embedding.logits(self.decoder_norm(x))
+ x = x + first
+     return self.embedding.logits(self.decoder_norm(x))
or
- return self.embedding.logits(self.decoder_norm(x))
+ x = x + memory
+     return self.embedding.logits(self.decoder_norm(x))
@ as long
You add the decoder's input, or the memory, to its output. The skips are inside
the layers.
? What happens to x between the last layer and the logits?

softmax_at_the_end
- return self.embedding.logits(self.decoder_norm(x))
+ return self.embedding.logits(self.decoder_norm(x)).softmax(-1)
or
- return self.embedding.logits(self.decoder_norm(x))
+ return self.embedding.logits(self.decoder_norm(x)).log_softmax(-1)
You apply a softmax to the logits, or take its logarithm. The logits are wanted
as they are: the loss and the decoding apply what they need.
? What happens to the scores in the last line of `decode`?

one_more_norm
- return self.embedding.logits(self.decoder_norm(x))
+ x = F.layer_norm(x, x.shape[-1:])
+     return self.embedding.logits(self.decoder_norm(x))
You normalize the decoder's output once more. With norm_first=False each layer
ends with a norm.
? What happens to x between the last layer and the logits?

last_token_only
- return self.embedding.logits(self.decoder_norm(x))
+ return self.embedding.logits(self.decoder_norm(x))[:, -1]
or
- return self.embedding.logits(self.decoder_norm(x))
+ return self.embedding.logits(self.decoder_norm(x))[:, -1:]
You return the logits of the last target token. In training all tokens predict
at once, so all rows are wanted.
? How many rows does your result have?

target_shortened
- self.decode(target, memory, mask)
+ self.decode(target[:, :-1], memory, mask)
or
- self.decode(target, memory, mask)
+ self.decode(target[:, 1:], memory, mask)
You cut a token off the target. What comes to `forward` is the decoder's input
already; the training loop has moved it by one.
? How many rows do the logits have, and how many tokens the target?

gradient_cut
- self.decode(target, memory, mask)
+ self.decode(target, memory.detach(), mask)
or
- x = self.positions(self.embedding(source))
+ x = self.positions(self.embedding(source)).detach()
or
- x = self.positions(self.embedding(target))
+ x = self.positions(self.embedding(target)).detach()
or
- return self.encoder_norm(x)
+ return self.encoder_norm(x).detach()
- x = self.positions(self.embedding(target))
+ x = self.positions(self.embedding(target)).detach()
@ gradients
The logits are right, but a gradient does not find its way through the model:
something was cut off with `detach`, `data`, `item`, or `no_grad`, so that a
part of it cannot learn.
? Which of these words stands in your class?

norm_first_by_default
- norm_first=False
+ norm_first=True
@ names
Where norm_first is not given, your model is pre-norm. The default is False, as
in the paper.
? Which value does `norm_first` have in the first line of `__init__`?

norm_first_not_handed_on
- sizes = d_model, n_heads, d_ff, dropout, norm_first
+ sizes = d_model, n_heads, d_ff, dropout
@ pre-norm
With norm_first=True the layers are still post-norm. They have to be told, each
of them.
? What do you pass to `EncoderLayer` and `DecoderLayer`?

no_norm_at_the_end
- self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.encoder_norm = nn.Identity()
- self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.decoder_norm = nn.Identity()
or
- self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.encoder_norm = nn.Identity()
or
- self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.decoder_norm = nn.Identity()
@ pre-norm names
With norm_first=True a stack ends without a norm. In pre-norm the sums are never
normalized, so one norm stands at the end of each stack: `encoder_norm` and
`decoder_norm`.
? What is `encoder_norm`, and what is `decoder_norm`, where norm_first is True?

norm_at_the_end_not_called
- return self.encoder_norm(x)
+ return x
- self.embedding.logits(self.decoder_norm(x))
+ self.embedding.logits(x)
or
- return self.encoder_norm(x)
+ return x
or
- self.embedding.logits(self.decoder_norm(x))
+ self.embedding.logits(x)
@ pre-norm
With norm_first=True a norm at the end of a stack is made, but has no effect on
the result.
? Where do `encode` and `decode` call their norms?

one_norm_for_both_stacks
- self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
+ self.decoder_norm = self.encoder_norm
or
- return self.encoder_norm(x)
+ return self.decoder_norm(x)
or
- self.embedding.logits(self.decoder_norm(x))
+ self.embedding.logits(self.encoder_norm(x))
or
- return self.encoder_norm(x)
+ return self.decoder_norm(x)
- self.embedding.logits(self.decoder_norm(x))
+ self.embedding.logits(self.encoder_norm(x))
@ pre-norm
With norm_first=True a stack ends with the wrong norm. Each has its own, with a
gain and a bias of its own.
? Which norm do `encode` and `decode` call?

pre_norm_wrong
! pre-norm
With norm_first=False your model is right, with norm_first=True it is not. Then
the layers are pre-norm, and each stack ends with a norm.
? What does your model do where norm_first is True?

no_dropout
- sizes = d_model, n_heads, d_ff, dropout, norm_first
+ sizes = d_model, n_heads, d_ff, 0.0, norm_first
- PositionalEncoding(d_model, dropout=dropout)
+ PositionalEncoding(d_model, dropout=0.0)
@ dropout
In train() nothing is dropped. The positions and the layers take the dropout
that your model is given.
? Where does `dropout` go in `__init__`?

no_dropout_after_the_positions
- PositionalEncoding(d_model, dropout=dropout)
+ PositionalEncoding(d_model, dropout=0.0)
@ dropout
In train() the sums of embeddings and positions are not dropped. Your
PositionalEncoding takes a dropout.
? What do you pass to `PositionalEncoding`?

no_dropout_in_the_layers
- sizes = d_model, n_heads, d_ff, dropout, norm_first
+ sizes = d_model, n_heads, d_ff, 0.0, norm_first
@ dropout
In train() the layers drop nothing. Each layer takes the dropout that your model
is given.
? What do you pass to `EncoderLayer` and `DecoderLayer`?

another_dropout
! dropout
In train() the dropout of your model is not what it should be. The same
`dropout` goes to the positions and to all layers; where it is 1, all their sums
lose what is dropped.
? Where does `dropout` go in `__init__`? A part with a default value takes 0.1
if it is told nothing.

dropout_in_eval
! in eval
In eval() your model drops numbers as well.
? Do all your dropouts know whether the model is being trained?

encode_wrong
! encode
`forward` is right, but `encode(source, mask)` by itself is not. It gives the
memory, (B, n, d_model), and takes the mask that it is given: decoding calls it
without `forward`.
? What does your `encode` need that it is not given, or leave to `forward`?

decode_wrong
! decode
`forward` is right, but `decode(target, memory, memory_mask)` by itself is not.
It gives the logits for any memory and mask, and makes the causal mask itself:
decoding calls it without `forward`.
? What does your `decode` need that it is not given, or leave to `forward`?

input_changed
! inputs stay
% RuntimeError: one of the variables .* inplace operation: .torch.LongTensor
Your model writes into the ids that it is given: whoever called it now holds
other sentences.
? Which line assigns to a part of `source` or `target`?

other_type
! float32
For weights of 32 bits your model does not give 32 bits. It must take the type
of its weights.
? Does your class make a tensor, or change the type of one?

other_device
! other device
Your model works on the processor only: a tensor that it makes or keeps does not
move to the device where the ids are.
? On which device is the causal mask?
"""

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
    solve=Reference(Transformer),
    catalogue=NUMPY + MISTAKES,
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
    most_combined=100,
)  # fmt: skip
