"""Part 2 of the reader's own Transformer: `class LayerNorm`."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number, show
from transformer_lib.course.checks.parts.drive import (
    NUMPY,
    SAID,
    names_in_words,
    play_module,
    right_names,
)
from transformer_lib.course.checks.parts.look import look_at_module, module_code

__all__ = ["EXERCISE", "LayerNorm"]


class LayerNorm(nn.Module):
    """Bring each token to mean 0 and variance 1; then scale and shift it.

    weight and bias: (d_model,), one gain and one shift for each feature.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        """Normalize x (..., d_model); the result has the same shape."""
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        normal = (x - mean) / torch.sqrt(variance + self.eps)
        return self.weight * normal + self.bias


def _numbers(seed: int, *size: int) -> np.ndarray:
    """Numbers from -3 to 5 with one decimal: easy to read in a message."""
    return np.random.default_rng(seed).integers(-30, 51, size=size) / 10


def _module(name: str, ask: str, x, weight=None, bias=None, *eps: float,
            basic: bool = True) -> Case:  # fmt: skip
    """A case; where no weights come, the module keeps its own."""
    x = np.array(x, dtype=np.float64)
    weights = {"weight": weight, "bias": bias}
    weights = {k: np.array(v) for k, v in weights.items() if v is not None}
    sizes = (x.shape[-1], *eps)
    lines = [f"m = LayerNorm({', '.join(map(str, sizes))})"]
    lines += [show(v, f"m.{k} = ") for k, v in weights.items()]
    lines.append(show(x, "x = "))
    lines.append(f"asked: {SAID[ask]}" if ask != "output" else "m(x)")
    return Case(name, ("\n".join(lines), ask, sizes, weights, x), basic)


_ONES, _ZEROS = np.ones(4), np.zeros(4)
_GAIN, _SHIFT = np.array([1.0, 2.0, 0.5, 3.0]), np.array([0.0, 1.0, -1.0, 0.5])
_EASY = np.array([[4.0, 0.0, 0.0, 4.0], [2.0, 4.0, 6.0, 8.0]])
_SMALL = (_numbers(5, 2, 3, 4), _GAIN, _SHIFT)
CASES = (
    _module("names", "names", *_SMALL),
    _module("easy", "output", _EASY, _ONES, _ZEROS),
    _module("gain", "output", _numbers(1, 3, 4), _GAIN, _SHIFT, 0.5),
    _module("square", "output", _numbers(2, 3, 3), _GAIN[:3], _SHIFT[1:], 0.1),
    _module("vector", "output", _numbers(3, 5), np.arange(1.0, 6), np.ones(5),
            9.0),
    _module("batch", "output", _numbers(4, 2, 3, 4), _GAIN, _SHIFT),
    _module("constant", "output", [[5, 5, 5, 5], [1, 2, 3, 6]], _ONES, _ZEROS),
    _module("tiny", "output", _EASY / 2000, _ONES, _ZEROS),
    _module("new", "output", _EASY, basic=False),
    _module("far from 0", "output", 1000 + _EASY[:, :3] / 10, _GAIN[:3],
            _SHIFT[:3], basic=False),
    _module("gradients", "gradients", *_SMALL, basic=False),
    _module("float32", "float32", *_SMALL, basic=False),
    _module("float64", "float64", *_SMALL, basic=False),
    _module("other device", "other device", *_SMALL, basic=False),
    _module("inputs stay", "inputs stay", *_SMALL, basic=False),
    _module("twice", "twice", *_SMALL, basic=False),
)  # fmt: skip


def _mean_zero(probe: Probe) -> str | None:
    """Without gain and shift each token has mean 0."""
    _, ask, _, weights, x = probe.args
    if ask != "output" or probe.got.kind != ARRAY:
        return None
    if probe.got.array.shape != x.shape or not weights:
        return None
    if not (np.all(weights["weight"] == 1) and np.all(weights["bias"] == 0)):
        return None
    means = np.atleast_1d(probe.got.array.mean(axis=-1)).ravel()
    worst = int(np.argmax(abs(means)))
    if abs(means[worst]) < 100 * probe.got.tolerance:
        return None
    return (
        "The first thing that breaks: where `weight` is 1 and `bias` is 0, "
        f"each token must come out with the mean 0, and token {worst} of "
        f"yours has the mean {number(means[worst])}."
    )


def _lifted(args: tuple) -> tuple:
    return (*args[:-1], args[-1] + 1.0)


def _rolled(args: tuple) -> tuple:
    x = args[-1]
    rolls = args[1] == "output" and x.ndim > 1
    return (*args[:-1], np.roll(x, 1, axis=0) if rolls else x)


def _follows(got: np.ndarray, args: tuple) -> np.ndarray:
    return np.roll(got, 1, axis=0) if _rolled(args)[-1] is not args[-1] else got


MISTAKES = r"""
super_forgotten
- super().__init__()
+ pass
% AttributeError: cannot assign (parameters|module) before Module.__init__
PyTorch's own `__init__` has not run when your class sets its first weight:
without it a module cannot keep weights.
? What is the first line of `__init__` in every module of the book?

numpys_word_for_the_divisor
% TypeError: (var|std)\(\) (?!.*out=).*ddof
`ddof` is the word of NumPy. In PyTorch the input of `x.var` and `x.std` with
this meaning is `correction`: how much is taken from n before the division.
? Which correction divides by n itself?

eps_not_an_input
- , eps=1e-5
+
- self.eps = eps
+ self.eps = 1e-5
% TypeError: .*__init__\(\) takes 2 positional arguments but 3 were given
`LayerNorm(d_model, eps)` must run, too, and yours takes d_model alone. An eps
that may be left out has its default value in the first line of `__init__`.
? How does Python write an input that may be left out?

statistics_with_n_minus_one_and_eps_outside
- , correction=0
+
- torch.sqrt(variance + self.eps)
+ (torch.sqrt(variance) + self.eps)
@ gain
You divide by `std + eps`, with a standard deviation that counts n - 1. Much
older code does so; the formula counts n, and adds eps to the variance, before
the root: {came} came instead of {wanted}.
? Two things are to be changed: the `correction`, and the place of eps.

over_the_batch
- x.mean(dim=-1
+ x.mean(dim=0
- x.var(dim=-1
+ x.var(dim=0
or
- x.mean(dim=-1
+ x.mean(dim=tuple(range(x.ndim - 1))
- x.var(dim=-1
+ x.var(dim=tuple(range(x.ndim - 1))
@ gain
You average over the tokens: one mean for each feature. That is batch norm.
Here {came} came instead of {wanted}; layer norm takes the mean and the spread
of one token, along the last axis.
? How many means do you get for a table of 3 tokens with 4 features? Layer norm
has 3.

over_all_entries
- x.mean(dim=-1, keepdim=True)
+ x.mean()
- x.var(dim=-1, keepdim=True, correction=0)
+ x.var(correction=0)
@ easy
One mean and one spread for the whole tensor: the tokens are mixed, so that
changing one token changes all others. Here {came} came instead of {wanted}.
? Which axis do you name in `mean`? None at all means every entry.

over_the_sentence
- x.mean(dim=-1
+ x.mean(dim=tuple(range(x.ndim))[-2:]
- x.var(dim=-1
+ x.var(dim=tuple(range(x.ndim))[-2:]
or
- x.mean(dim=-1
+ x.mean(dim=tuple(range(1, x.ndim))
- x.var(dim=-1
+ x.var(dim=tuple(range(1, x.ndim))
@ batch
For a batch of sentences you take one mean for each sentence, over its tokens
and features together. Layer norm takes one for each token, so that no token
knows of the others.
? Along which axis do the features of one token lie?

always_axis_one
- x.mean(dim=-1
+ x.mean(dim=1
- x.var(dim=-1
+ x.var(dim=1
@ batch
You average along axis 1. That is the last axis of a table, but not of a single
token (which has axis 0 only) and not of a batch of sentences (where it is axis
2).
? The last axis has a name that fits every tensor. Which one?

one_spread_for_all
- x.var(dim=-1, keepdim=True, correction=0)
+ x.var(correction=0)
The mean is that of each token, but the variance is taken over all tokens
together. Here {came} came instead of {wanted}.
? Compare the axes that you name in the two lines.

axis_lost
- x.mean(dim=-1, keepdim=True)
+ x.mean(dim=-1)
- x.var(dim=-1, keepdim=True, correction=0)
+ x.var(dim=-1, correction=0)
or
- x.mean(dim=-1, keepdim=True)
+ x.mean(dim=-1)
or
- x.var(dim=-1, keepdim=True, correction=0)
+ x.var(dim=-1, correction=0)
@ square
The axis gets lost: `x.mean(dim=-1)` is a row of numbers, one for each token,
and PyTorch lays it along the *features*. For 3 tokens with 4 features that is
an error. For a square it is silent: {came} comes out instead of {wanted}.
? What does `keepdim=True` do to the shape of the means?

divided_by_n_minus_one
- , correction=0
+
Your variance divides by n - 1, where layer norm divides by n: {came} came in
place of {wanted}. (`x.var` and `x.std` do that unless you say `correction=0`.)
? There are n features, and their mean square is wanted.

eps_outside_the_root
- torch.sqrt(variance + self.eps)
+ (torch.sqrt(variance) + self.eps)
@ gain
You add eps to the standard deviation, after the root. The formula adds it to
the variance, before the root: {came} came instead of {wanted}.
? Below the line: in which order come the sum and the root?

no_eps
-  + self.eps
+
@ constant
You do not use eps. A token whose features are all equal has the variance 0,
and 0 divided by 0 is not a number (nan).
? Which number below the line must never be 0?

eps_after_the_division
- torch.sqrt(variance + self.eps)
+ torch.sqrt(variance) + self.eps
@ constant
eps is added after the division: Python reads `x / root + eps` as `(x / root) +
eps`. So a token whose features are all equal is still divided by 0, which is
not a number (nan).
? Which brackets bring eps under the root, beside the variance?

an_eps_of_its_own
- variance + self.eps
+ variance + 1e-5
or
- variance + self.eps
+ variance + 1e-6
or
- variance + self.eps
+ variance + 1e-8
or
- variance + self.eps
+ variance + 1e-12
@ gain
Your module has an eps of its own and does not look at the input `eps` of
`LayerNorm(d_model, eps)`: {came} came instead of {wanted}.
? Follow `eps` from the first line of `__init__` to `forward`. Where does it
get lost?

another_default_eps
- eps=1e-5
+ eps=1e-6
or
- eps=1e-5
+ eps=1e-12
or
- eps=1e-5
+ eps=1e-8
or
- eps=1e-5
+ eps=1e-3
@ tiny
The default of your eps is not 1e-5, or not used. Where the spread is small it
shows: {came} came instead of {wanted}.
? Compare the number behind `eps=` with the one that is asked.

eps_squared
- variance + self.eps
+ variance + self.eps**2
@ gain
You add the square of eps to the variance; the formula adds eps itself: {came}
came instead of {wanted}.
? What stands beside the variance under the root?

eps_as_a_floor
- torch.sqrt(variance + self.eps)
+ torch.sqrt(variance).clamp(min=self.eps)
or
- variance + self.eps
+ variance.clamp(min=self.eps)
@ gain
You use eps as the smallest value allowed below the line. The formula adds it
to every variance: {came} came instead of {wanted}.
? Is a comparison needed at all?

eps_above_the_line
- (x - mean) / torch.sqrt(variance + self.eps)
+ (x - mean + self.eps) / torch.sqrt(variance + self.eps)
@ gain
eps is added above the line, too: {came} came instead of {wanted}. It belongs
to the variance alone.
? How often does eps stand in the formula?

root_forgotten
- torch.sqrt(variance + self.eps)
+ (variance + self.eps)
You divide by the variance itself; its root is wanted, the standard deviation.
Here {came} came instead of {wanted}.
? Numbers twice as far apart must come out the same. Do yours?

squared_in_place_of_the_root
- torch.sqrt(variance + self.eps)
+ (variance + self.eps) ** 2
You square the variance instead of taking its root: {came} came instead of
{wanted}. Is there a `** 2` where `** 0.5` was meant?
? Which power is the square root?

multiplied_by_the_root
- / torch.sqrt
+ * torch.sqrt
You multiply by the standard deviation; divide by it. Here {came} came instead
of {wanted}.
? Must a token with a large spread grow or shrink?

not_divided
-  / torch.sqrt(variance + self.eps)
+
You subtract the mean and stop there: {came} came instead of {wanted}. Divide
by the root of the variance.
? What makes the spread of every token the same?

divided_by_the_range
- torch.sqrt(variance + self.eps)
+ (x.amax(-1, True) - x.amin(-1, True) + self.eps)
You divide by the distance from the smallest to the largest entry. Layer norm
divides by the root of the variance, in which every entry counts: {came} came
instead of {wanted}.
? How is a variance made of the differences from the mean?

squares_added_up
- torch.sqrt(variance + self.eps)
+ torch.sqrt((x - mean).square().sum(-1, keepdim=True) + self.eps)
You divide by the root of the *sum* of the squared differences. The variance is
their *mean*: {came} came instead of {wanted}.
? By which number must the sum of squares be divided?

divided_by_the_length
- torch.sqrt(variance + self.eps)
+ torch.sqrt(x.square().sum(-1, keepdim=True) + self.eps)
You divide by the length of the vector, the root of the *sum* of squares. The
variance is the *mean* of the squares of the differences: {came} came instead
of {wanted}.
? What is squared in your code, and is it added up or averaged?

mean_distance
- torch.sqrt(variance + self.eps)
+ ((x - mean).abs().mean(-1, keepdim=True) + self.eps)
You divide by the mean distance from the mean, without squares. The root of the
mean square is wanted: {came} came instead of {wanted}.
? What stands where you wrote `abs`?

root_mean_square
- mean = x.mean(dim=-1, keepdim=True)
+ mean = 0
- x.var(dim=-1, keepdim=True, correction=0)
+ x.square().mean(dim=-1, keepdim=True)
You divide by the root of the mean square and subtract no mean. That is a norm
of its own (RMSNorm, Zhang and Sennrich 2019), used in many later models; layer
norm subtracts the mean first. {came} came instead of {wanted}.
? Where does the mean stand in the formula? It stands there twice.

gain_by_a_matrix_product
- self.weight * normal
+ normal @ self.weight
You multiply by `weight` with `@`: a matrix product adds up the features of a
token, and one number is left of it. Each feature has a gain of its own.
? Which operator multiplies entry by entry?

mean_not_subtracted
- (x - mean)
+ x
You divide by the spread but never subtract the mean: {came} came instead of
{wanted}. The features of a token must be moved first, so that their mean is 0.
? What stands above the line?

spread_around_zero
- x.var(dim=-1, keepdim=True, correction=0)
+ x.square().mean(dim=-1, keepdim=True)
Above the line the mean is subtracted, below the line it is not: your variance
is the mean of x squared. {came} came instead of {wanted}.
? Which differences are squared in a variance?

median
- x.mean(dim=-1, keepdim=True)
+ x.median(dim=-1, keepdim=True).values
or
- x.mean(dim=-1, keepdim=True)
+ x.quantile(0.5, dim=-1, keepdim=True)
You subtract the median; layer norm subtracts the mean. {came} came instead of
{wanted}.
? Is the mean the middle number, or the sum divided by n?

brackets_missing
- (x - mean) / torch
+ x - mean / torch
Only the mean is divided: Python reads `x - mean / root` as `x - (mean /
root)`. So {came} comes out instead of {wanted}.
? What has to stand in brackets above the line?

gain_and_shift_exchanged
- self.weight * normal + self.bias
+ self.bias * normal + self.weight
`weight` and `bias` have changed places: `weight` multiplies (the gain), `bias`
is added (the shift). {came} came instead of {wanted}.
? A gain of 1 and a shift of 0 must change nothing.

gain_and_shift_forgotten
- self.weight * normal + self.bias
+ normal
@ gain
`weight` and `bias` are not used. Without them every token would have to keep
mean 0 and spread 1, even where the next layer could use something else. {came}
came instead of {wanted}.
? What is the last step of the formula?

shift_forgotten
-  + self.bias
+
@ gain
`bias` is not used: {came} came instead of {wanted}.
? What is the last step of the formula?

gain_forgotten
- self.weight * normal
+ normal
@ gain
`weight` is not used: {came} came instead of {wanted}.
? What is the last step of the formula?

shift_before_the_gain
- self.weight * normal + self.bias
+ self.weight * (normal + self.bias)
@ gain
You add `bias` first and multiply afterwards, so it is multiplied as well:
{came} came instead of {wanted}.
? In which order come the gain and the shift?

gain_before_the_norm
- mean = x.mean
+ x = self.weight * x
+     mean = x.mean
- self.weight * normal
+ normal
@ gain
You multiply by `weight` *before* the mean and the spread are taken out.
Normalizing then undoes part of it: {came} came instead of {wanted}.
? Which of the two comes last, normalizing or the gain?

gain_before_the_mean_is_subtracted
- (x - mean)
+ (self.weight * x - mean)
- self.weight * normal
+ normal
@ gain
`weight` multiplies x before the mean is subtracted: Python reads `weight * x -
mean` as `(weight * x) - mean`. So {came} comes out instead of {wanted}.
? What has to stand in brackets?

shift_before_the_norm
- mean = x.mean
+ x = x + self.bias
+     mean = x.mean
-  + self.bias
+
or
- mean = x.mean
+ x = self.weight * x + self.bias
+     mean = x.mean
- self.weight * normal + self.bias
+ normal
@ gain
You add `bias` before you normalize, and the subtraction of the mean takes most
of it away again: {came} came instead of {wanted}.
? Which of the two comes last, normalizing or the shift?

shift_subtracted
- + self.bias
+ - self.bias
@ gain
`bias` is subtracted; it must be added. {came} came instead of {wanted}.
? Which sign stands between the two terms?

divided_by_the_gain
- self.weight * normal
+ normal / self.weight
@ gain
You divide by `weight`; multiply by it. {came} came instead of {wanted}.
? What must a gain of 2 do to a feature?

gain_around_one
- self.weight * normal
+ (1 + self.weight) * normal
@ gain
You multiply by 1 + `weight`. Some later models do that and start `weight` at
0; here `weight` is the gain itself: {came} came instead of {wanted}.
? What must a gain of 1 do to a feature?

one_gain_for_each_token
- self.weight * normal + self.bias
+ self.weight[:, None] * normal + self.bias[:, None]
@ square
You turned `weight` and `bias` into columns, one number for each token. They
hold one number for each *feature*, and PyTorch lays a row along the features
by itself. {came} came instead of {wanted}.
? Is a reshaping needed before the product?

one_number_for_all_features
- torch.ones(d_model)
+ torch.ones(1)
- torch.zeros(d_model)
+ torch.zeros(1)
@ names
`weight` and `bias` hold a single number each. Every feature has a gain and a
shift of its own: d_model numbers in each of them.
? What is `weight.shape`, and what should it be?

an_axis_too_many
- torch.ones(d_model)
+ torch.ones(1, d_model)
- torch.zeros(d_model)
+ torch.zeros(1, d_model)
or
- torch.ones(d_model)
+ torch.ones(1, 1, d_model)
- torch.zeros(d_model)
+ torch.zeros(1, 1, d_model)
`weight` and `bias` have an axis too many. They are vectors of shape
(d_model,): PyTorch lays them along the last axis of any tensor by itself.
? What is `weight.shape`, and what should it be?

other_names
- self.weight = nn
+ self.gamma = nn
- self.bias = nn
+ self.beta = nn
- self.weight * normal + self.bias
+ self.gamma * normal + self.beta
@ names
Your module keeps two weights, but not under the names `weight` and `bias`.
Trained weights are found by their names, so these two are asked for.
? What do `list(LayerNorm(4).state_dict())` and the attributes of `self` say?

no_shift_parameter
- self.bias = nn.Parameter(torch.zeros(d_model))
+ pass
-  + self.bias
+
or
- nn.Parameter(torch.zeros(d_model))
+ torch.zeros(d_model)
@ names
Your module has a parameter `weight` and none of the name `bias`. The shift is
learned as well.
? Which two numbers does each feature have of its own?

not_parameters
- nn.Parameter(torch.ones(d_model))
+ torch.ones(d_model)
- nn.Parameter(torch.zeros(d_model))
+ torch.zeros(d_model)
@ names
Your module has no parameters: `state_dict()` has neither `weight` nor `bias`.
Make both in `__init__`, as parameters, and store them in `self`: `self.weight =
...`. A plain tensor in `self` is neither trained nor saved, and a parameter
that is not in `self` is lost when `__init__` ends.
? Which class of `nn` turns a tensor into a parameter?

weights_kept_twice
- self.eps = eps
+ self.eps, self.norm = eps, nn.LayerNorm(d_model)
@ names
Beside `weight` and `bias` your module keeps two more weights. A module inside
of yours brings its own along.
? What does `list(LayerNorm(4).state_dict())` say?

one_more_in_the_state_dict
- self.eps = eps
+ self.register_buffer("eps", torch.tensor(eps))
@ names
Beside `weight` and `bias` your module keeps something else: a third entry in
its `state_dict()`. eps, for one, is a plain number and no weight.
? What does `list(LayerNorm(4).state_dict())` say?

rounded
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).round(decimals=2)
or
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).round(decimals=3)
or
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).round(decimals=4)
Your result is rounded: {came} instead of {wanted}. Round when you print, not
when you compute.
? Is there a `round` on the way out?

transposed
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).mT
or
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).permute(*range(x.ndim)[::-1])
Your result is turned on its side: tokens are rows, in the result as in x.
? What happens to the axes in the last line?

changes_its_input
- (x - mean) /
+ x.sub_(mean) /
! inputs stay
Your `forward` writes into x: whoever called it now holds other numbers than
before. In a Transformer x is still needed, for the sum behind the layer.
? Look for `-=`, `/=`, `*=`, or a method that ends in `_`.

starts_otherwise
- torch.ones(d_model)
+ torch.zeros(d_model)
or
- torch.ones(d_model)
+ torch.randn(d_model)
or
- torch.zeros(d_model)
+ torch.randn(d_model)
or
- torch.zeros(d_model)
+ torch.ones(d_model)
! new
The formula is right, but a new module does not start with `weight` 1 and
`bias` 0: it gives {came} instead of {wanted}.
? Which gain and which shift change nothing?

not_trained
- nn.Parameter(torch.ones(d_model))
+ nn.Parameter(torch.ones(d_model), requires_grad=False)
- nn.Parameter(torch.zeros(d_model))
+ nn.Parameter(torch.zeros(d_model), requires_grad=False)
or
- self.weight = nn.Parameter(torch.ones(d_model))
+ self.register_buffer("weight", torch.ones(d_model))
or
- self.bias = nn.Parameter(torch.zeros(d_model))
+ self.register_buffer("bias", torch.zeros(d_model))
@ gradients
The values are right, but no gradient reaches `weight`, or `bias`, or both, so
training cannot change them. A buffer gets none, nor does `requires_grad=False`,
`.detach()` or `.data`.
? Are both of them an `nn.Parameter`, and used as they are?

statistics_without_gradient
- x.mean(dim=-1, keepdim=True)
+ x.mean(dim=-1, keepdim=True).detach()
- x.var(dim=-1, keepdim=True, correction=0)
+ x.var(dim=-1, keepdim=True, correction=0).detach()
or
- x.mean(dim=-1, keepdim=True)
+ x.mean(dim=-1, keepdim=True).detach()
or
- x.var(dim=-1, keepdim=True, correction=0)
+ x.var(dim=-1, keepdim=True, correction=0).detach()
@ gradients
The values are right, the gradients are not: the mean, or the variance, or both
of them are treated as fixed numbers. They depend on x, so they take part in
the backward pass.
? Look for `detach`, `.data`, `.item()` or `no_grad` around the statistics.

input_without_gradient
- mean = x.mean
+ x = x.detach()
+     mean = x.mean
@ gradients
The values are right, but no gradient comes back to x, so no layer before this
one can learn.
? Look for `detach`, `.data`, `no_grad`, or a new tensor made from x.

always_64_bits
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).double()
! float32
For 32-bit inputs your module does not give a 32-bit result. A tensor of 64 bits
that comes in anywhere makes all that follows 64 bits wide, or stops with an
error.
? Look for `double`, `float64`, or an array of NumPy.

always_32_bits
- return self.weight * normal + self.bias
+ return (self.weight * normal + self.bias).float()
! float64
For 64-bit inputs your module does not give a 64-bit result. The type of the
result is that of x.
? Look for `float()`, `float32`, or a tensor that is made without a type.

too_few_digits
- mean = x.mean
+ x = x.float()
+     mean = x.mean
! far from 0
Where the mean is large and the spread small, your result is inexact: {came} in
place of {wanted}. Either x is cut to fewer bits, or two large numbers are
subtracted whose last digits are lost.
? Look for `float()`, `half()`, or a variance that is a difference of two means.

tied_to_the_processor
- variance + self.eps
+ variance + torch.full((1,), self.eps)
! other device
The values are right, but only on the processor: on another device something of
your module stays behind. Parameters move along with the module; a tensor that
`forward` makes lies on the processor unless it is told otherwise.
? Which tensors does `forward` make for itself?

remembers_the_last_call
- return self.weight * normal + self.bias
+ self.weight.data *= 2
+     return self.weight / 2 * normal + self.bias
! twice
Two calls with the same x give different results. Layer norm keeps nothing from
one call to the next, and draws no random numbers.
? What does `forward` write into `self`?
"""

EXERCISE = Exercise(
    name="LayerNorm",
    inputs=("d_model",),
    written="class LayerNorm(d_model, eps=1e-5)",
    asked="`LayerNorm(d_model, eps=1e-5)` has two parameters of shape "
    "(d_model,): `weight`, at first ones, and `bias`, at first zeros. "
    "`forward(x)` takes from each token (the last axis of x) its own mean "
    "and divides by the root of its own variance plus eps; then it multiplies "
    "with `weight` and adds `bias`. x may have one, two or three axes.",
    praise="Values and gradients are those of torch.nn.LayerNorm for single "
    "tokens, sentences and batches, for a constant token and for a "
    "tiny one, in 32 and 64 bits.",
    cases=CASES,
    solve=Reference(LayerNorm),
    catalogue=NUMPY + MISTAKES,
    properties=(
        right_names,
        shape,
        finite,
        _mean_zero,
        unmoved_by(
            _lifted,
            lambda got, args: got,
            "The first thing that breaks: a token whose features all rise by "
            "1 must come out as before, and yours changes.",
        ),
        unmoved_by(
            _rolled,
            _follows,
            "The first thing that breaks: when the tokens change places, the "
            "results must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Do it on paper for the token (4, 0, 0, 4): mean 2, differences "
        "2, -2, -2, 2, variance 4, root 2, result (1, -1, -1, 1). Your code "
        "takes the same steps.",
        "Two things cost most people time. The mean and the variance run "
        "along the last axis and must keep it, so that each token meets its "
        "own numbers (look up `keepdim`). And eps is added to the variance, "
        "before the root.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x"),
)
