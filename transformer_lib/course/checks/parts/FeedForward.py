"""Part 6 of the reader's own Transformer: `class FeedForward`."""

from __future__ import annotations

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
from transformer_lib.course.checks.engine.reading import ARRAY, same
from transformer_lib.course.checks.parts.drive import (
    NUMPY,
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_lib.course.checks.parts.look import look_at_module, module_code

__all__ = ["EXERCISE", "FeedForward"]


class FeedForward(nn.Module):
    """Send each token through two layers, with a ReLU between them.

    x and the result are (B, n, d_model), the inner vectors (B, n, d_ff).
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        inner = F.relu(self.linear1(x))
        return self.linear2(inner)


def largest(z):
    """Zeros but for the largest number of each row."""
    return torch.where(z == z.amax(-1, keepdim=True), z, 0.0)


def _module(
    name: str,
    seed: int,
    ask: str,
    sizes: tuple[int, int],
    shape: tuple[int, int],
    times: float = 1.0,
    basic: bool = True,
) -> Case:
    """A case; sizes are d_model and d_ff, shape is (B, n)."""
    draw = np.random.default_rng(seed)
    x = times * draw.integers(-15, 16, size=(*shape, sizes[0])) / 10
    weights = weights_like(FeedForward, *sizes, seed=seed)
    say = (
        f"m = FeedForward{sizes}, with weights of one decimal; x {x.shape}; "
        + SAID[ask]
    )
    return Case(name, (say, ask, sizes, weights, x), basic)


_MORE = {"basic": False}
CASES = (
    _module("two tokens", 1, "output", (2, 3), (1, 2)),
    _module("wider", 2, "output", (2, 5), (2, 3)),
    _module("square", 3, "output", (3, 3), (2, 3)),
    _module("four times", 4, "output", (3, 12), (2, 4)),
    _module("large", 5, "output", (4, 7), (2, 3), times=10.0),
    _module("gradients", 6, "gradients", (3, 4), (1, 2)),
    _module("names", 7, "names", (3, 4), (1, 2)),
    _module("one token", 8, "output", (3, 4), (2, 1), **_MORE),
    _module("float32", 9, "float32", (3, 4), (1, 2), **_MORE),
    _module("digits", 13, "digits", (3, 4), (1, 2), **_MORE),
    _module("other device", 10, "other device", (3, 4), (1, 2), **_MORE),
    _module("training", 12, "training", (8, 16), (2, 3), **_MORE),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    _, ask, _, weights, _ = case.args
    facts = first_difference(want, got)
    facts |= {"shape": got.shape, "wanted_shape": want.shape}
    if ask == "names":
        names = zip(weights, got, strict=False)
        missing = [f"`{name}`" for name, found in names if found < 1]
        facts["missing"] = ", ".join(missing)
    return facts


def _each_for_itself(probe: Probe) -> str | None:
    """The first token does not notice what happens to the others."""
    *first, x = probe.args
    got = probe.got
    if first[1] != "output" or got.kind != ARRAY or got.array.shape != x.shape:
        return None
    other = x + 1.0
    other[0, 0] = x[0, 0]
    second = probe.call((*first, other))
    if second.kind != ARRAY or second.array.shape != x.shape:
        return None
    if same(second.array[0, 0], got.array[0, 0], 100 * got.tolerance):
        return None
    return (
        "The first thing that breaks: when the other tokens change, the "
        "result of the first token must stay as it is, and yours changes."
    )


# The first few are the commonest: pairs of mistakes are searched in this order.
MISTAKES = r"""
no_super_init
% AttributeError: cannot assign (module|parameters?) before Module.__init__
`__init__` gives the module a layer before the module itself has been set up,
and PyTorch refuses.
? What does the first line of `__init__` have to call?

self_forgotten
% NameError: name '(linear[12]|d_model|d_ff|relu)' is not defined
A method uses a name that it does not know. A name without `self.`, be it an
input of `__init__`, is forgotten when the method ends that it belongs to.
? Where does a module keep what its other methods need?

activation_not_called
% TypeError: linear\(\): argument .* not (?!torch.return).*(ReLU|type|func)
A layer gets an activation instead of its result: it is passed on, but not
called. (`nn.ReLU(x)` computes nothing either: its brackets take settings, and
the module that they make has to be called in turn.)
? Which kind of ReLU is a function of a tensor, and which is first made and
then called?

one_truth_for_many_numbers
% RuntimeError: Boolean value of Tensor with more than one value
Python's own `max` or an `if` asks whether a whole tensor is greater than 0,
and a tensor has many numbers. ReLU works entry by entry.
? Which function of PyTorch sets every negative entry to 0?

max_with_a_number
% TypeError: (max(imum)?\(\)|linear\(\).* not torch.return_types)
`torch.max` and `torch.maximum` compare two tensors, and 0 is a number, which
`torch.max` may take for the number of an axis. ReLU has a function of its
own.
? Look for a function of PyTorch with the name of the activation, or for one
that clamps.

no_gradient
% RuntimeError: element 0 of tensors does not require grad
The values are right, but nothing comes back from `backward`: the result does
not know how it was made. `no_grad`, `detach`, `.data`, or a new tensor made of
the numbers, does that.
? Which line of `forward` turns the gradients off?

changes_its_input
% RuntimeError: a leaf Variable that requires grad is being used in an in-place
`forward` changes x, the tensor that it is given. Whoever called it holds other
numbers afterwards, and the gradients cannot be computed.
? Look for `+=`, `-=`, `*=` and for methods whose name ends in `_`.

changed_in_place
% RuntimeError: one of the variables needed for gradient computation has been
The values are right, but the way back is broken: `forward` changes a tensor in
place (`*=`, an assignment to a part of it, a method whose name ends in `_`),
and its old numbers are needed for the gradients.
? Make a new tensor with the result, and leave the old one alone.

fixed_type
% RuntimeError: .*have the same dtype, but got:? [Ff]loat
Tensors of two types meet: `forward` turns something into one fixed type, or
makes a new tensor without saying which. The check works in 64 bits and in 32;
on a graphics card it may be 16.
? A new tensor takes its type from the input, as `x.new_zeros` does.

returns_several_things
% TypeError: forward returned \d+ things
`forward` returns several things, or a list. Asked is one tensor of the shape
of x.
? What stands behind `return`?

no_activation
- F.relu(self.linear1(x))
+ self.linear1(x)
Nothing happens between the two layers. Two linear maps in a row are one linear
map, so the inner vector buys nothing, however wide it is: {came} came
instead of {wanted}.
? What becomes of the negative numbers after the first layer?

first_bias_forgotten
- self.linear1(x)
+ F.linear(x, self.linear1.weight)
or
- nn.Linear(d_model, d_ff)
+ nn.Linear(d_model, d_ff, bias=False)
The bias of `linear1` is missing, or not used: all units then bend at zero.
{came} came instead of {wanted}.
? Two layers, two biases: what does `nn.Linear` make and add by itself?

second_bias_forgotten
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight)
or
- nn.Linear(d_ff, d_model)
+ nn.Linear(d_ff, d_model, bias=False)
The bias of `linear2` is missing, or not used: {came} came instead of
{wanted}.
? Two layers, two biases: what does `nn.Linear` make and add by itself?

both_biases_forgotten
- nn.Linear(d_model, d_ff)
+ nn.Linear(d_model, d_ff, bias=False)
- nn.Linear(d_ff, d_model)
+ nn.Linear(d_ff, d_model, bias=False)
or
- self.linear1(x)
+ F.linear(x, self.linear1.weight)
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight)
The layers have no biases, or do not use them: {came} came instead of
{wanted}. The formula has b1 and b2.
? What does `nn.Linear` make and add by itself?

other_names
-  self.linear1 = nn
+  self.fc1 = nn
-  self.linear2 = nn
+  self.fc2 = nn
- self.linear1(x)
+ self.fc1(x)
- self.linear2(inner)
+ self.fc2(inner)
or
-  self.linear1 = nn
+  self.fc1 = nn
- self.linear1(x)
+ self.fc1(x)
or
-  self.linear2 = nn
+  self.fc2 = nn
- self.linear2(inner)
+ self.fc2(inner)
or
- self.linear1 = nn.Linear(d_model, d_ff)
+ self.linear1 = nn.Parameter(torch.randn(d_model, d_ff))
- self.linear2 = nn.Linear(d_ff, d_model)
+ self.linear2 = nn.Parameter(torch.randn(d_ff, d_model))
- self.linear1(x)
+ x @ self.linear1
- self.linear2(inner)
+ inner @ self.linear2
or
- self.linear1 = nn.Linear(d_model, d_ff)
+ self.W1 = nn.Parameter(torch.randn(d_model, d_ff))
+     self.b1 = nn.Parameter(torch.randn(d_ff))
- self.linear2 = nn.Linear(d_ff, d_model)
+ self.W2 = nn.Parameter(torch.randn(d_ff, d_model))
+     self.b2 = nn.Parameter(torch.randn(d_model))
- self.linear1(x)
+ x @ self.W1 + self.b1
- self.linear2(inner)
+ inner @ self.W2 + self.b2
@ names
Your weights have other names than those that are asked for: {missing} cannot
be found. The check, and later the trained weights, find a weight by the name
of its layer in `self` (in `nn.Sequential` the layers have numbers), so the
values cannot be compared yet.
? Print the keys of your module's `state_dict()` next to the names in the task.

weights_not_registered
- nn.Linear(d_model, d_ff)
+ nn.Linear(d_model, d_ff).forward
- nn.Linear(d_ff, d_model)
+ nn.Linear(d_ff, d_model).forward
@ names
PyTorch finds no weights in your module: its `state_dict()` is empty. That
happens to layers that are made in `forward` (new ones at each call), and to
plain tensors; nothing of the kind is trained, moved or saved.
? Each layer is an attribute of its own, made in `__init__`.

extra_weights
- super().__init__()
+ super().__init__()
+     self.spare = nn.Parameter(torch.ones(1))
or
- super().__init__()
+ super().__init__()
+     self.norm = nn.LayerNorm(d_model)
@ names
The values are right, but the `state_dict()` holds more than the four weights
that are asked for. Trained weights are loaded only into a module with just the
same names.
? Which of your attributes does `forward` never use, or never learn?

sizes_of_their_own
- nn.Linear(d_model, d_ff)
+ nn.Linear(512, 2048)
- nn.Linear(d_ff, d_model)
+ nn.Linear(2048, 512)
@ names
Your layers have sizes of their own and cannot read the tokens that come: 512
and 2048 are those of the paper, for instance. Here the sizes are inputs of
`__init__`.
? Where do d_model and d_ff occur in `__init__`?

sizes_exchanged
- nn.Linear(d_model, d_ff)
+ nn.Linear(d_ff, d_model)
- nn.Linear(d_ff, d_model)
+ nn.Linear(d_model, d_ff)
@ names
The sizes of your layers are exchanged. `nn.Linear(a, b)` reads a numbers and
gives b; the first layer reads d_model and gives d_ff. It runs only where the
two are equal.
? How many numbers has a token before the first layer, and how many after it?

inner_width_not_used
- nn.Linear(d_model, d_ff)
+ nn.Linear(d_model, d_model)
- nn.Linear(d_ff, d_model)
+ nn.Linear(d_model, d_model)
or
- self.linear2(inner)
+ F.linear(inner[..., : x.shape[-1]],
+                     self.linear2.weight[:, : x.shape[-1]], self.linear2.bias)
Your inner vector has as many units as x has features, or only so many are
used. How many there are is said by d_ff alone.
? Where does d_ff occur in your code?

always_four_times
- nn.Linear(d_model, d_ff)
+ nn.Linear(d_model, 4 * d_model)
- nn.Linear(d_ff, d_model)
+ nn.Linear(4 * d_model, d_model)
@ names
Your inner vector has 4 times d_model units. That is the choice of the paper;
here d_ff says how many there are.
? Where does d_ff occur in your code?

weights_without_gradient
- self.linear2(inner)
+ self.linear2(inner.detach())
or
- self.linear1(x)
+ F.linear(x, self.linear1.weight.detach(), self.linear1.bias.detach())
or
- self.linear1(x)
+ F.linear(x, self.linear1.weight.detach(), self.linear1.bias.detach())
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight.detach(), self.linear2.bias.detach())
or
- self.linear1(x)
+ self.linear1(x.detach())
@ gradients
The values are right, but the way back is cut: `detach`, `.data`,
`torch.tensor(...)` or `no_grad` keeps gradients from some of the weights, or
from x and all that lies before it.
? Which lines leave the chain of PyTorch's own operations?

activation_before_the_first_map
- F.relu(self.linear1(x))
+ self.linear1(F.relu(x))
You applied ReLU to x, before the first layer, and not to the inner vector.
That throws away a part of the input and leaves the rest linear: {came} came
instead of {wanted}.
? First the first layer, then ReLU.

activation_at_the_end
- F.relu(self.linear1(x))
+ self.linear1(x)
- self.linear2(inner)
+ F.relu(self.linear2(inner))
You applied ReLU at the very end, after the second layer. Then
no feature can ever be lowered, and the two layers before are one: {came} came
instead of {wanted}.
? ReLU stands between the two layers.

activation_twice
- self.linear2(inner)
+ F.relu(self.linear2(inner))
You applied ReLU after *both* layers. The second has none:
the network must be able to lower a feature. {came} came instead of {wanted}.
? How many times does max stand in the formula?

activation_before_and_between
- self.linear1(x)
+ self.linear1(F.relu(x))
You also applied ReLU to x, before the first layer. Half of the
input is lost that way: {came} came instead of {wanted}.
? The first layer reads x as it is.

bias_after_the_cut
- F.relu(self.linear1(x))
+ F.relu(F.linear(x, self.linear1.weight)) + self.linear1.bias
You apply ReLU first and add the bias of `linear1` afterwards. Then every unit
bends at zero, and negative numbers come back: {came} came instead of {wanted}.
? b1 decides *where* a unit bends. So it belongs inside the brackets of max.

softmax_as_activation
- F.relu(
+ F.softmax(dim=-1, input=
or
- F.relu(
+ F.softmax(dim=-2, input=
or
- F.relu(
+ F.softmax(dim=0, input=
You took softmax as the activation. It makes numbers compete for a budget of 1;
here each unit decides for itself: {came} came instead of {wanted}.
? max(0, z) looks at one number at a time.

sigmoid_as_activation
- F.relu(
+ F.sigmoid(
Your activation is the sigmoid, which squeezes every number between 0 and 1.
Asked is max(0, z), which leaves positive numbers as they are: {came} came
instead of {wanted}.
? What should become of 3? And of -3?

tanh_as_activation
- F.relu(
+ F.tanh(
Your activation is tanh, which squeezes every number between -1 and 1. Asked is
max(0, z): {came} came instead of {wanted}.
? What should become of 3? And of -3?

gelu_as_activation
- F.relu(
+ F.gelu(
or
- F.relu(
+ F.gelu(approximate="tanh", input=
Your activation is GELU. Later models use it (chapter 20); the formula here has
max(0, z), and the two differ near zero: {came} came instead of {wanted}.
? Which of the two lets small negative numbers through?

another_smooth_activation
- F.relu(
+ F.silu(
or
- F.relu(
+ F.softplus(
or
- F.relu(
+ F.elu(
or
- F.relu(
+ F.mish(
or
- F.relu(
+ F.selu(
Your activation is a smooth relative of max(0, z), such as SiLU, softplus or
ELU. The formula has the one with the corner: {came} came instead of {wanted}.
? What shall come out for -1? Exactly 0.

leaky
- F.relu(
+ F.leaky_relu(
or
- F.relu(
+ F.leaky_relu(negative_slope=0.1, input=
or
- F.relu(
+ F.leaky_relu(negative_slope=0.2, input=
or
- F.relu(
+ F.leaky_relu(negative_slope=0.25, input=
Your activation lets a part of each negative number through. That exists, under
the name leaky ReLU; the formula here lets nothing through: {came} came
instead of {wanted}.
? Below zero means zero.

size_as_activation
- F.relu(
+ torch.abs(
Your activation turns -2 into 2. Negative numbers shall become 0, not positive:
{came} came instead of {wanted}.
? Which of the two numbers in max(0, -2) is the larger?

square_as_activation
- F.relu(
+ torch.square(
or
- F.relu(self.linear1(x))
+ F.relu(self.linear1(x)) ** 2
You square the numbers. The formula sets negative ones to 0 and leaves positive
ones as they are: {came} came instead of {wanted}.
? A positive number goes through unchanged.

keeps_the_negative_ones
- F.relu(
+ -F.relu(-
You keep the negative numbers and set the positive ones to zero, which is
min(0, z): {came} came instead of {wanted}.
? max(0, 3) is 3, and max(0, -3) is 0.

only_on_or_off
- F.relu(self.linear1(x))
+ (self.linear1(x) > 0).to(x)
Your inner vector consists of zeros and ones: it says *whether* a number is
positive and forgets how large it is. {came} came instead of {wanted}.
? A comparison gives True or False. What shall stand where it is True?

clipped_above
- F.relu(
+ F.relu6(
or
- F.relu(
+ F.hardtanh(min_val=0.0, max_val=1.0, input=
@ large
You cut off above as well as below. A unit may become as large as it likes:
{came} came instead of {wanted}.
? There is only one limit in max(0, z).

at_least_one
- F.relu(
+ torch.clamp(min=1.0, input=
Your inner vector has nothing below 1. The limit is 0: {came} came instead of
{wanted}.
? Which two numbers do you compare?

only_the_largest_unit
- F.relu(
+ largest(
or
- F.relu(
+ largest(F.relu(
- self.linear1(x))
+ self.linear1(x)))
Only the largest unit of each token survives. max(0, z) is taken for each unit
by itself, against zero, not among the units: {came} came instead of {wanted}.
? Several units may be positive at the same time.

first_bias_subtracted
- self.linear1(x)
+ F.linear(x, self.linear1.weight, -self.linear1.bias)
The bias of `linear1` is subtracted; it must be added: {came} came instead of
{wanted}.
? Look at the sign in front of it.

second_bias_subtracted
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight, -self.linear2.bias)
The bias of `linear2` is subtracted; it must be added: {came} came instead of
{wanted}.
? Look at the sign in front of it.

bias_added_twice
- self.linear1(x)
+ self.linear1(x) + self.linear1.bias
or
- self.linear2(inner)
+ self.linear2(inner) + self.linear2.bias
or
- self.linear1(x)
+ self.linear1(x) + self.linear1.bias
- self.linear2(inner)
+ self.linear2(inner) + self.linear2.bias
A bias is added twice: {came} came instead of {wanted}. A linear layer adds its
own already.
? Each bias has one plus.

one_number_of_a_bias
- self.linear1(x)
+ F.linear(x, self.linear1.weight) + self.linear1.bias[0]
or
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight) + self.linear2.bias[0]
@ wider
Only the first number of a bias is used, for all features alike. A bias has one
number for each: {came} came instead of {wanted}.
? A bias is laid along the features by itself; no index is needed.

biases_exchanged
- self.linear1(x)
+ F.linear(x, self.linear1.weight, self.linear2.bias)
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight, self.linear1.bias)
or
- self.linear1(x)
+ F.linear(x, self.linear1.weight, self.linear2.bias)
or
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight, self.linear1.bias)
@ square
A bias stands in the place of the other one, which runs only where d_ff equals
d_model. The first has a number for each unit, the second one for each feature
of the result. {came} came instead of {wanted}.
? Which bias stands inside the brackets of max?

second_bias_too_early
- self.linear2(inner)
+ F.linear(inner + self.linear2.bias, self.linear2.weight)
@ square
The bias of `linear2` is added before its weight, where it fits only if the
inner vector is as long as the outer one. {came} came instead of {wanted}.
? It has one number for each feature of the *result*.

bias_for_each_token
- self.linear2(inner)
+ F.linear(inner, self.linear2.weight) + self.linear2.bias[:, None]
@ square
You turned the bias of `linear2` into a column, one number for each token. It
holds one number for each *feature*, and is laid along the features by itself.
{came} came instead of {wanted}.
? A bias needs no reshaping.

stops_after_the_first_map
- self.linear2(inner)
+ inner
or
- self.linear2 = nn.Linear(d_ff, d_model)
+ pass
- self.linear2(inner)
+ inner
@ wider
You return the inner vector: the second layer is missing. Shape {shape} came,
{wanted_shape} is wanted.
? The result has the length d_model again, not d_ff.

first_matrix_turned
- self.linear1(x)
+ x @ self.linear1.weight + self.linear1.bias
or
- self.linear1(x)
+ x @ self.linear1.weight + self.linear1.bias
- self.linear2(inner)
+ inner @ self.linear2.weight + self.linear2.bias
@ square
The weight of `linear1` is transposed: `nn.Linear` keeps it as (out,
in), and multiplies by its transpose. It runs only where d_ff equals d_model.
{came} came instead of {wanted}.
? What does a linear layer do when it is called like a function?

second_matrix_turned
- self.linear2(inner)
+ inner @ self.linear2.weight + self.linear2.bias
@ square
The weight of `linear2` is transposed: `nn.Linear` keeps it as (out,
in), and multiplies by its transpose. It runs only where d_ff equals d_model.
{came} came instead of {wanted}.
? What does a linear layer do when it is called like a function?

matrix_on_the_left
- self.linear1(x)
+ self.linear1.weight @ x + self.linear1.bias
- self.linear2(inner)
+ self.linear2.weight @ inner + self.linear2.bias
@ square
The matrices stand on the left of x. In this book a token is a *row*, so the
matrix stands on the right; on the left it mixes the tokens, and runs only where
the sizes happen to fit. {came} came instead of {wanted}.
? Read the formula from left to right: x comes first.

along_the_tokens
- self.linear1(x)
+ self.linear1(x.mT)
- self.linear2(inner)
+ self.linear2(inner).mT
@ square
x is transposed before the first layer, so the layers mix tokens instead
of features. It runs only where a sentence has d_model tokens. {came} came
instead of {wanted}.
? A linear layer reads the last axis: what lies there?

matrices_exchanged
- self.linear1(x)
+ self.linear2(x)
- self.linear2(inner)
+ self.linear1(inner)
@ square
`linear1` and `linear2` have changed places, which runs only where d_ff equals
d_model. {came} came instead of {wanted}.
? The first layer reads x.

one_layer_for_both
- self.linear2(inner)
+ self.linear1(inner)
or
- self.linear1(x)
+ self.linear2(x)
@ square
The same layer is used twice, which runs only where d_ff equals d_model. {came}
came instead of {wanted}.
? Going out and coming back are learned apart: where does each of your two
layers occur in `forward`?

second_matrix_not_used
- self.linear2(inner)
+ F.linear(inner, self.linear1.weight.T, self.linear2.bias)
The weight of `linear2` is not used; you go back with that of `linear1`,
transposed. Going out and coming back are learned apart: {came} came
instead of {wanted}.
? Each of the four weights occurs once in the formula.

tokens_averaged_before
- self.linear1(x)
+ self.linear1(x.mean(1, keepdim=True).expand_as(x))
Every token gets the same result: you average over the tokens first. This
network looks at one token at a time; mixing is the task of attention. {came}
came instead of {wanted}.
? The last axis is the token's own. No other axis is touched.

first_token_for_all
- self.linear1(x)
+ self.linear1(x[:, :1].expand_as(x))
Every token gets the result of the first one: {came} came instead of {wanted}.
? Is there an index that never moves?

earlier_tokens_added
- self.linear1(x)
+ self.linear1(x.cumsum(1))
A token's result also depends on the tokens before it. This network looks at
one token at a time: {came} came instead of {wanted}.
? Does a loop add to a variable that it should set anew?

one_token_only
- self.linear2(inner)
+ self.linear2(inner)[:, 0]
or
- self.linear2(inner)
+ self.linear2(inner)[:, -1]
or
- self.linear2(inner)
+ self.linear2(inner)[0]
or
- self.linear2(inner)
+ self.linear2(inner)[-1]
@ wider
Only one token's result comes back (or only one sentence's): shape {shape} came,
{wanted_shape} is wanted.
? A `return` inside a loop ends the function in the first round. Collect the
results, and return after the loop.

one_long_list_of_tokens
- self.linear2(inner)
+ self.linear2(inner).flatten(0, 1)
@ wider
All tokens come back in one long list: shape {shape} came, {wanted_shape} is
wanted. The result has the axes of x.
? A linear layer needs no reshape before; if you use one, undo it.

one_vector_for_a_sentence
- self.linear2(inner)
+ self.linear2(inner).flatten(1)
@ wider
The numbers of all tokens of a sentence come back in one row: shape {shape}
came, {wanted_shape} is wanted. The result has the axes of x.
? Is there a `flatten` in your code?

summed_over_the_tokens
- self.linear2(inner)
+ self.linear2(inner).sum(1)
or
- self.linear2(inner)
+ self.linear2(inner).mean(1)
@ wider
You add up (or average) the tokens at the end. Each token keeps its own result:
shape {shape} came, {wanted_shape} is wanted.
? As many tokens come out as went in.

skip_added
- self.linear2(inner)
+ x + self.linear2(inner)
You add x at the end. The skip belongs to the layer *around* the network
(chapter 5); asked is the network alone: {came} came instead of {wanted}.
? x occurs once in the formula.

skip_and_norm_added
- self.linear2(inner)
+ F.layer_norm(x + self.linear2(inner), x.shape[-1:])
or
- self.linear2(inner)
+ F.layer_norm(self.linear2(inner), x.shape[-1:])
You add x and normalize, or one of the two. Both belong to the layer *around*
the network (chapters 5 and 6); asked is the network alone: {came} came
instead of {wanted}.
? Return what the second layer gives.

normalized_before
- self.linear1(x)
+ self.linear1(F.layer_norm(x, x.shape[-1:]))
You normalize the tokens before the first layer. In a pre-norm layer something
does, but it is not this network: {came} came instead of {wanted}.
? The first layer reads x as it is.

scaled
- self.linear2(inner)
+ self.linear2(inner) / x.shape[-1] ** 0.5
Your result is divided by the root of the width. That belongs to the scores of
attention; here nothing is scaled: {came} came instead of {wanted}.
? There is no root in the formula.

softmax_at_the_end
- self.linear2(inner)
+ self.linear2(inner).softmax(-1)
You turn the result into probabilities. Softmax belongs to attention and to the
choice of the next word, not here: {came} came instead of {wanted}.
? Return what the second layer gives.

rounded
- self.linear2(inner)
+ self.linear2(inner).round(decimals=2)
@ wider
Your result is rounded: {came} instead of {wanted}. Round when you print, not
when you compute.
? Is there a `round` on the way out?

transposed
- self.linear2(inner)
+ self.linear2(inner).mT
@ wider
Your result is transposed: tokens are rows, in the result as in x. Shape
{shape} came, {wanted_shape} is wanted.
? Leave out the transpose at the end.

dropout_in_eval
- F.relu(self.linear1(x))
+ F.dropout(F.relu(self.linear1(x)), 0.1)
or
- self.linear2(inner)
+ F.dropout(self.linear2(inner), 0.1)
Numbers are dropped at random although the module is in `eval()`: {came} came
instead of {wanted}. A function does not know the mode, and drops by default;
here no dropout is asked for.
? Search for `dropout`: a layer of dropout follows the mode, a function has to
be told.

one_token_lost
! one token
@ one token
A sentence of a single token comes out in another shape or value: an axis of
length 1 got lost, perhaps by a `squeeze`.
? Leave all axes where they are, also those of length 1.

always_64_bits
! float32
@ float32
In 64 bits all is right; with weights and inputs of 32 bits the result has
another type, or there is an error. Something in `forward` has a type of its
own.
? Look for `.double()` and `dtype=`. A new tensor takes its type from the input.

cut_to_32_bits
- inner = F.relu(self.linear1(x))
+ inner = F.relu(self.linear1(x)).float().to(x.dtype)
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
? In this book dropout stands in the layer around the network.
"""

EXERCISE = Exercise(
    name="FeedForward",
    inputs=("d_model", "d_ff"),
    written="class FeedForward(d_model, d_ff)",
    asked="`FeedForward(d_model, d_ff)` has two linear layers with biases, "
    "`linear1` from d_model to d_ff and `linear2` back. `forward(x)` sends "
    "each token of x (B, n, d_model) through the first, sets what is below "
    "zero to zero, and sends that through the second.",
    praise="Values and gradients are those of torch's layers, for narrow and "
    "wide inner vectors, in 32 and 64 bits, and each token goes its "
    "own way.",
    cases=CASES,
    solve=Reference(FeedForward),
    catalogue=NUMPY + MISTAKES,
    properties=(right_names, shape, finite, _each_for_itself),
    hints=(
        "Two layers in `__init__`, two lines in `forward`. The first line "
        "makes the inner vector, of length d_ff, with nothing below zero in "
        "it; the second makes a vector of length d_model again.",
        "A linear layer reads the last axis and leaves all others alone, so "
        "no loop and no reshape is needed.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x"),
    most_combined=300,
)
