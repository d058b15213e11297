"""Part 8 of the reader's own Transformer: the loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: F401 - a mistake uses it

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number, same
from transformer_lib.course.checks.parts.drive import NUMPY
from transformer_lib.course.checks.parts.elsewhere import Elsewhere, lies_here

__all__ = ["EXERCISE", "label_smoothing_loss"]

PAD = 0


def label_smoothing_loss(logits, labels, epsilon):
    """Sum the cross-entropy with smoothed labels, and count the tokens.

    logits (B, T, V), labels (B, T), PAD where there is no token; returns the
    total and the count, both ().
    """
    log_probs = logits.log_softmax(dim=-1)
    right = log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
    real = labels != PAD
    return losses[real].sum(), real.sum()


# ------------------------------------------------------------ what is asked

INPUTS = ("logits", "labels", "epsilon")


def play(function: Callable, say: str, ask: str, *inputs: Any) -> Any:
    """Answer one question about a loss: a key of `ASKED`.

    The tensors share the memory of the arrays, so that the judge sees an
    input that has been changed.
    """
    logits, labels, epsilon = inputs

    def loss(*given: Any) -> Any:
        return call_by_position_or_name(function, given, INPUTS)

    given = torch.from_numpy(logits), torch.from_numpy(labels)
    return ASKED[ask](loss, *given, epsilon)


def _output(function: Callable, *inputs: Any) -> Any:
    return _row(function(*inputs))


def _row(result: Any) -> Any:
    """All numbers of the result, one after another."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    try:
        rows = [torch.as_tensor(part).flatten().tolist() for part in parts]
    except Exception:  # no numbers: the check says what it is
        return result
    return np.array([float(x) for row in rows for x in row])


def _gradient(function: Callable, logits: Tensor, *inputs: Any) -> Any:
    """The gradient of the total, 0 where none comes back."""
    leaf = logits.clone().requires_grad_()
    result = function(leaf.clone(), *inputs)
    total = result[0] if isinstance(result, (tuple, list)) else result
    if total is None or total is Ellipsis:
        return total
    if not torch.is_tensor(total) or not total.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(total.sum(), leaf)[0]


def _types(function: Callable, logits: Tensor, *inputs: Any) -> Any:
    """The bits of the total, for logits with 32 and with 64."""
    bits = []
    for given in (logits.float(), logits):
        total = function(given, *inputs)[0]
        bits.append(8.0 * total.element_size())
    return bits


def _digits(function: Callable, *inputs: Any) -> Any:
    """The later digits of the total, as a sine; cut to 32 bits, others come.

    They are 0 in a total that has not 64 bits, which is another mistake.
    """
    total = function(*inputs)[0]
    return torch.sin(1e6 * total * (total.dtype == torch.float64))


def _other_device(function: Callable, *inputs: Any) -> Any:
    with Elsewhere():
        result = function(*inputs)
    if lies_here(result):
        raise RuntimeError("the result lies on the processor")
    return _row(result)


ASKED = {
    "output": _output,
    "gradient": _gradient,
    "types": _types,
    "digits": _digits,
    "other device": _other_device,
}
SAID = {
    "output": "asked are the total and the count",
    "gradient": "asked is the gradient of the total",
    "types": "asked are the bits of the total, for logits with 32 and with 64",
    "digits": "asked are the digits after the sixth decimal of the total, as "
    "a sine",
    "other device": "asked are the total and the count, with logits and "
    "labels on another device than the processor",
}


def _case(name: str, lengths: tuple, V: int, epsilon: float, ask="output",
          basic=True, size=1.0, seed=0) -> Case:  # fmt: skip
    """Logits with one decimal; a length for each sentence."""
    draw = np.random.default_rng([seed, V, *lengths])
    rows, columns = len(lengths), max(1, *lengths)
    logits = draw.integers(-20, 21, size=(rows, columns, V)) * size / 10
    labels = draw.integers(1, V, size=(rows, columns))
    labels[np.arange(columns) >= np.array(lengths)[:, None]] = PAD
    say = (
        f"logits of shape {logits.shape}, labels = {labels.tolist()}, "
        f"epsilon = {epsilon:g}; {SAID[ask]}"
    )
    return Case(name, (say, ask, logits, labels, epsilon), basic)


CASES = (
    _case("one sentence", (3,), 4, 0.3),
    _case("padding", (4, 2), 5, 0.1),
    _case("three lengths", (1, 5, 3), 7, 0.2),
    _case("square", (3, 1, 3), 3, 0.25),
    _case("epsilon 0", (2, 3), 4, 0.0),
    _case("one token", (1,), 6, 0.5),
    _case("gradient", (2, 3), 4, 0.3, "gradient"),
    _case("large logits", (3, 2), 4, 0.1, basic=False, size=1000.0),
    _case("padding only", (0, 0), 4, 0.1, basic=False),
    _case("types", (2, 3), 5, 0.1, "types", basic=False),
    _case("digits", (2, 3), 4, 0.25, "digits", basic=False),
    _case("other device", (2, 3), 5, 0.1, "other device", basic=False),
)

# --------------------------------------------------------- what goes wrong


def shared(log_probs, right, others, answer):
    """Cross-entropy with these weights of the other classes and the right."""
    return -answer * right - others * (log_probs.sum(dim=-1) - right)


def raised(log_probs, labels):
    """Sum over all classes that some label of the batch names."""
    return log_probs[..., labels.unique()].sum(dim=-1)


MISTAKES = r"""
spread_over_wrong_classes
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon / (logits.shape[-1] - 1), 1 - epsilon)
@ one sentence
You share epsilon among the V - 1 wrong classes. Public code does that too, but
this part wants the other convention: all {V} classes get epsilon / V, the right
one as well.
? Among how many classes is epsilon shared out, and is the right one one of
them?

axis_of_length_1_left
- .squeeze(-1)
+
or
- .squeeze(-1)
+
- losses[real].sum()
+ (losses * real).sum()
@ one sentence
The losses of the right classes keep an axis of length 1, (B, T, 1), and the
rest has the shape (B, T). Where the two are added, each token of one meets each
token of the other: the total is {came} in place of {wanted}.
? What is the shape of the result of `gather`, and which axis is left over?

indexed_by_all_labels
- log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
+ log_probs[:, :, labels]
- losses[real].sum()
+ (losses * real).sum()
or
- log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
+ log_probs[:, :, labels]
@ one sentence
Each place gets the logarithms of the labels of *all* places: an index of shape
(B, T) on the last axis of (B, T, V) gives (B, T, B, T). The total is {came} in
place of {wanted}.
? Each place has one label. Which function of PyTorch reads one entry of each
row?

shares_of_all_places
- log_probs.mean(dim=-1)
+ log_probs.sum() / logits.shape[-1]
or
- log_probs.mean(dim=-1)
+ log_probs.sum()
or
- log_probs.mean(dim=-1)
+ log_probs.mean()
@ one sentence
One number for the whole batch stands where each place needs its own: a `sum` or
a `mean` without `dim` runs over all places and all classes. The total is {came}
in place of {wanted}.
? Which axis holds the classes that share epsilon?

classes_on_the_wrong_axis
- return losses[real].sum()
+ total = F.cross_entropy(logits, labels, ignore_index=PAD,
+                         label_smoothing=epsilon, reduction="sum")
+ return total
@ square
`F.cross_entropy` takes axis 1 for the classes, and yours are on the last one.
It stops with an error, except where a sentence has as many tokens as there are
classes.
? The function also takes all tokens as one column: logits (N, V), labels (N,).

spread_over_wrong_words
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs[..., 1:], right, epsilon / max(logits.shape[-1] - 2, 1),
+        1 - epsilon)
@ padding
You share epsilon among V - 2 classes and leave out <pad>, as some public code
does. Here all {V} classes get epsilon / V, class 0 too.
? Class 0 is a class like any other when epsilon is shared out.

pad_without_its_share
- log_probs.mean(dim=-1)
+ log_probs[..., 1:].sum(dim=-1) / logits.shape[-1]
or
- log_probs.mean(dim=-1)
+ log_probs[..., 1:].mean(dim=-1)
@ padding
The class <pad> gets no share of epsilon. Places whose *label* is PAD do not
count, but class 0 is one of the {V} classes: it gets epsilon / V as well.
? Do you set a column of the smoothed labels to 0? Which rows should you set to
0 instead?

certainty_divided_too
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon / logits.shape[-1], 1 / logits.shape[-1])
@ one sentence
The certainty is divided by V as well, so the weights of the classes do not sum
to 1. Only epsilon is shared out.
? Look at your brackets: what stands above the line?

right_class_without_its_share
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon / logits.shape[-1], 1 - epsilon)
@ one sentence
The right class gets 1 - epsilon = {rest} and no share of what is spread. It is
one of the {V} classes: it gets epsilon / V as well.
? Add up the weights of all classes. How much is missing?

share_of_wrong_classes_for_all
- log_probs.mean(dim=-1)
+ log_probs.sum(dim=-1) / (logits.shape[-1] - 1)
@ one sentence
You divide epsilon by V - 1, but hand it to all V classes, so the weights sum to
more than 1.
? Count the classes that get a share, and divide by that.

one_class_too_many
- log_probs.mean(dim=-1)
+ log_probs.sum(dim=-1) / (logits.shape[-1] + 1)
You divide epsilon by V + 1, so the weights sum to less than 1. There are V
classes, numbered from 0 to V - 1.
? How many classes are there?

eps_for_each
- log_probs.mean(dim=-1)
+ log_probs.sum(dim=-1)
or
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon, 1 - epsilon)
@ padding
Each class gets the whole epsilon: a sum stands where a mean over the V classes
is wanted. All of them together get epsilon.
? All classes together get epsilon. What does one of them get?

two_fixed_numbers
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, 0.1, 0.9)
Your weights are 0.9 and 0.1 whatever V and epsilon are. That rule is for one
yes-or-no question, not for {V} classes.
? Which of your numbers change when V grows?

times_K
- log_probs.mean(dim=-1)
+ log_probs.sum(dim=-1) * logits.shape[-1]
You multiply epsilon by V where it is to be divided: the total is {came} in
place of {wanted}.
? More classes to share means less for each.

scaled_down
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon, 1 - epsilon)
+ losses = losses / (1 - epsilon + epsilon * (logits.shape[-1] - 1))
@ padding
You give every wrong class the weight epsilon and then divide the weights by
their sum. So the right class keeps less and less the more classes there are.
? How much certainty is given away in all? It should not depend on V.

one_sided
- - epsilon * log_probs.mean(dim=-1)
+
@ one sentence
You lower the weight of the right class to {rest} and leave the others at 0.
What is taken away has to go to all classes.
? Add up the weights of all classes.

right_class_stays_1
- (1 - epsilon) * right
+ right
or
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon / logits.shape[-1], 1)
or
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon / (logits.shape[-1] - 1), 1)
@ one sentence
The others get their share, but the right class gives nothing away for it, so
the weights sum to more than 1.
? What happens to the weight of the right class when epsilon grows?

not_smoothed
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -right
@ one sentence
That is the cross-entropy without smoothing: epsilon has no effect. The right
class should keep 1 - epsilon, and all classes share epsilon.
? Where does your code use epsilon?

eps_and_rest_exchanged
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -epsilon * right - (1 - epsilon) * log_probs.mean(dim=-1)
@ padding
Epsilon and 1 - epsilon have changed places: the right class keeps only the part
epsilon = {epsilon}, and the rest is spread.
? What should come out for epsilon 0?

took_one_share_only
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ shared(log_probs, right, epsilon / logits.shape[-1],
+        1 - epsilon / logits.shape[-1])
The right class gives away one share, and ends with 1 - epsilon / V, although V
shares are handed out.
? How much is handed out in all?

answer_overwritten
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -epsilon * log_probs.mean(dim=-1)
Every class has the weight epsilon / V, the right one too: its 1 - epsilon is
missing. If you build rows of weights, fill them first and raise the right class
after that.
? What does your function return for epsilon 0?

all_alike
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -log_probs.mean(dim=-1)
Every class has the weight 1 / V, so the loss does not depend on which one is
right. Only the part epsilon is shared out alike.
? What does your function return for epsilon 0?

subtracted
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -right + epsilon * log_probs.mean(dim=-1)
or
- - epsilon * log_probs.mean(dim=-1)
+ + epsilon * log_probs.mean(dim=-1)
The part that all classes share has the wrong sign: each of them gets minus
epsilon / V. Both parts of the loss have a minus, that of the cross-entropy.
? Print both parts for one token. Each of them should be positive.

counted_from_1
- labels.unsqueeze(-1)
+ (labels - 1).clamp(min=0).unsqueeze(-1)
You take the class one place before the label. Classes are counted from 0, so
the label is the place itself.
? Which column of the logits belongs to class 0?

one_place_too_far
- labels.unsqueeze(-1)
+ (labels + 1).clamp(max=logits.shape[-1] - 1).unsqueeze(-1)
You take the class one place behind the label. Classes are counted from 0, so
the label is the place itself.
? Which column of the logits belongs to class 0?

counted_from_the_end
- labels.unsqueeze(-1)
+ (logits.shape[-1] - 1 - labels).unsqueeze(-1)
You count the classes from the end of the row. Class 0 is the first column.
? Which column of the logits belongs to class 0?

same_class_in_every_row
- labels.unsqueeze(-1)
+ torch.zeros_like(labels).unsqueeze(-1)
or
- labels.unsqueeze(-1)
+ labels[:, :1].expand_as(labels).unsqueeze(-1)
or
- labels.unsqueeze(-1)
+ labels[:1, :1].expand_as(labels).unsqueeze(-1)
You take the same class for several tokens. Each token has its own right class,
its own number in `labels`.
? Does the index have one number for each token?

all_answers_in_every_row
- log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
+ raised(log_probs, labels)
Every token has all right classes of the batch raised, not only its own. In
`targets[..., labels]` the labels choose columns for all tokens at once.
? `gather`, `scatter` or `one_hot` gives each token its own class.

only_the_first_row
- losses[real].sum(), real.sum()
+ losses[:1][real[:1]].sum(), real[:1].sum()
or
- losses[real].sum(), real.sum()
+ losses[:1][real[:1]].sum(), real.sum()
@ padding
Only the first sentence is in your total. Does `return` stand inside a loop, or
is there an index 0 in your code?
? How many sentences has the example, and how many of them count?

own_eps
- losses = -(1 - epsilon)
+ epsilon = 0.1
+ losses = -(1 - epsilon)
@ one sentence
You use 0.1 whatever epsilon is. It comes with the call: here it is {epsilon}.
? Search your code for 0.1.

eps_as_percent
- losses = -(1 - epsilon)
+ epsilon = epsilon / 100
+ losses = -(1 - epsilon)
You divide epsilon by 100. It is a share already: 0.1 means a tenth.
? What is a tenth as a share, and what in percent?

half_of_eps
- losses = -(1 - epsilon)
+ epsilon = epsilon / 2
+ losses = -(1 - epsilon)
You use half of epsilon: the total is {came} instead of {wanted}.
? Is there a 2 that V should be?

eps_squared
- losses = -(1 - epsilon)
+ epsilon = epsilon**2
+ losses = -(1 - epsilon)
Epsilon goes in twice, multiplied by itself: the total is {came} instead of
{wanted}.
? Are the labels smoothed once, or is a share of a share taken?

softmax_of_targets
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -(smooth(log_probs, labels, epsilon).softmax(-1) * log_probs).sum(dim=-1)
You send the smoothed labels through softmax. They are probabilities already,
and softmax makes them nearly equal.
? Softmax belongs to the logits of the model.

logarithm
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -(smooth(log_probs, labels, epsilon).log() * log_probs.exp()).sum(dim=-1)
You take the logarithm of the smoothed labels and weigh it by the model's
probabilities. It is the other way round: the labels are the weights, and the
logarithm is that of the probabilities.
? Which of the two factors can hold a 0 when epsilon is 0?

whole_numbers
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ -float(epsilon == 0) * right
@ one sentence
Your weights are whole numbers, so each share is cut to 0. A tensor made like
`labels`, or by `one_hot`, holds whole numbers only.
? Print the dtype of the tensor that holds the smoothed labels.

rounded
- losses[real].sum()
+ losses[real].sum().round(decimals=2)
or
- losses[real].sum()
+ losses[real].sum().round(decimals=3)
or
- losses[real].sum()
+ losses[real].sum().round(decimals=4)
You round the total: {came} instead of {wanted}. Round when you print, not when
you compute.
? Look for a rounding on the way out.

detached
- losses[real].sum()
+ losses[real].sum().detach()
@ gradient
The numbers are right, but no gradient comes back to the logits: the total is
cut off from them. Return the tensor itself.
? Look for `.item()`, `.detach()`, `.data`, `torch.tensor(...)` or `no_grad`.

padding_in_both
- real = labels != PAD
+ real = labels >= PAD
@ padding
Padding counts like a word, in the total and in the count: {places} places came
instead of {tokens} tokens. Only labels that are not PAD count.
? How many labels of the example are real tokens?

padding_in_the_total
- losses[real].sum()
+ losses.sum()
@ padding
The count is right, but the total holds the losses of the padding as well:
{came} instead of {wanted}.
? What does the model have to say where the label is PAD?

padding_counted
- real.sum()
+ real.numel()
or
- real.sum()
+ real.shape[-1]
@ padding
The total is right. The count is {came}: it counts places or columns of the
rectangle, and {tokens} labels are real tokens.
? The mask that leaves padding out of the total can also be counted.

padding_smoothed
- losses[real].sum()
+ losses[real].sum() - epsilon * log_probs.mean(dim=-1)[~real].sum()
@ padding
The padding is left out of the part with the right class, but not out of the
part that all classes share. `ignore_index` works on the first alone.
? Is the mask applied to both parts of the loss?

mask_reversed
- real = labels != PAD
+ real = labels == PAD
@ padding
You keep the places of the padding and leave the real tokens out: the sign of
the comparison is reversed.
? Which places should count, those where the label is PAD or the others?

sentences_counted
- real.sum()
+ len(labels)
@ padding
The total is right. The count is that of the sentences, {came}; wanted are the
real tokens, {tokens}.
? What is counted, rows or labels?

mean_in_place_of_sum
- losses[real].sum()
+ losses[real].mean()
or
- losses[real].sum(), real.sum()
+ losses[real].mean()
@ padding
You return a mean. The task asks for the sum over the real tokens and their
count, so that several batches can be added and divided once, at the end.
? Which word stands after `losses`, or after `reduction=`?

mean_over_all_places
- losses[real].sum()
+ losses[real].sum() / real.numel()
or
- losses[real].sum(), real.sum()
+ losses[real].sum() / real.numel()
or
- losses[real].sum()
+ losses.mean()
or
- losses[real].sum(), real.sum()
+ losses.mean()
@ padding
You divide by all {places} places. The task asks for the sum over the real
tokens, not divided, and their count.
? How often does your function divide? It should not.

mean_of_sentences
- losses[real].sum()
+ losses[real].sum() / len(labels)
or
- losses[real].sum(), real.sum()
+ losses[real].sum() / len(labels)
@ padding
You divide the sum by the number of sentences. The task asks for the sum itself,
and the count of the real tokens.
? How often does your function divide? It should not.

not_summed
- losses[real].sum()
+ losses[real]
or
- losses[real].sum()
+ losses.masked_fill(~real, 0.0)
or
- losses[real].sum()
+ losses
or
- losses[real].sum()
+ losses.masked_fill(~real, 0.0).sum(dim=1)
or
- losses[real].sum()
+ losses.masked_fill(~real, 0.0).sum(dim=0)
@ padding
Your total is not one number. The losses of all sentences and all places are
added up.
? Over which axes do you sum? No axis at all means all of them.

only_the_total
- losses[real].sum(), real.sum()
+ losses[real].sum()
@ padding
The total is right, and the count is missing. Return both: `total, count`.
? What does the training step divide by?

order_exchanged
- losses[real].sum(), real.sum()
+ real.sum(), losses[real].sum()
You return the count first. The total comes first, then the count.
? Read the first line of the exercise once more: what does it return?

wrong_axis
- dim=-1)
- right
+ dim=1)
+ right
or
- dim=-1)
- right
+ dim=0)
+ right
@ padding
Your softmax runs over the tokens or over the sentences. Each token has a
softmax of its own, over the V classes, the last axis.
? For which axis do the probabilities have to sum to 1?

no_softmax
- logits.log_softmax(dim=-1)
+ logits
The logits are used as if they were logarithms of probabilities. First
`log_softmax` has to turn them into those.
? Do the exponentials of one row sum to 1?

no_logarithm
- logits.log_softmax(dim=-1)
+ logits.softmax(dim=-1)
You use the probabilities themselves; the cross-entropy takes their logarithms.
? Which loss has a token whose right class has the probability 1?

softmax_twice
- logits.log_softmax(dim=-1)
+ logits.softmax(dim=-1).log_softmax(dim=-1)
There is a softmax too many: the probabilities go through `log_softmax` or
`cross_entropy`, which takes a softmax of its own.
? What does `cross_entropy` want, logits or probabilities?

wrong_sign
- -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
+ (1 - epsilon) * right + epsilon * log_probs.mean(dim=-1)
The total is negative: {came} instead of {wanted}. Logarithms of probabilities
are negative, and the loss is minus their weighted sum.
? Which sign has the logarithm of a number between 0 and 1?

pad_column_left_out
- logits.log_softmax(dim=-1)
+ logits.index_fill(-1, torch.tensor(0), -1e9).log_softmax(dim=-1)
- log_probs.mean(dim=-1)
+ log_probs[..., 1:].sum(dim=-1) / logits.shape[-1]
or
- logits.log_softmax(dim=-1)
+ logits.index_fill(-1, torch.tensor(0), -1e9).log_softmax(dim=-1)
- log_probs.mean(dim=-1)
+ log_probs[..., 1:].mean(dim=-1)
You leave the column of <pad> out of the softmax. Places whose *label* is PAD do
not count; the class 0 stays a class that the model can choose.
? PAD is looked for in the labels, not among the columns of the logits.

kl_divergence
- losses[real].sum()
+ losses[real].sum() + real.sum() * information(log_probs, epsilon)
@ one sentence
That is the Kullback-Leibler divergence: smaller than the cross-entropy by the
entropy of the smoothed labels. The gradient is the same, the number is not:
{came} came instead of {wanted}.
? Which logarithm does `kl_div` subtract?

in_bits
- losses[real].sum()
+ losses[real].sum() / np.log(2)
Your total counts in bits, {came}. This book counts in nats, {wanted}: with the
natural logarithm.
? Which logarithm do you take?

log_of_softmax
- logits.log_softmax(dim=-1)
+ logits.softmax(dim=-1).log()
or
- logits.log_softmax(dim=-1)
+ logits - logits.exp().sum(dim=-1, keepdim=True).log()
@ large logits
With ordinary logits everything is right. With large ones a probability becomes
0, or an exponential infinite, before the logarithm is taken.
? `log_softmax` takes both steps at once.

nan_without_tokens
- losses[real].sum()
+ losses[real].mean() * real.sum()
@ padding only
A batch that holds nothing but padding gives no number: 0 divided by 0. Its
total is 0, and its count is 0.
? Which division happens in your function?

other_precision
- losses[real].sum()
+ losses[real].sum().float()
or
- losses[real].sum()
+ losses[real].sum().double()
@ types
The numbers are right, but the total has another type than the logits. Logits in
32 bits give a total in 32, logits in 64 bits one in 64.
? Look for `.float()`, `.double()` and a `dtype=`; `.to(logits.dtype)` follows
the input.

cut_to_32_bits
- logits.log_softmax(dim=-1)
+ logits.float().log_softmax(dim=-1).to(logits.dtype)
@ digits
The total has 64 bits, but only the digits of 32: on the way something is cut
to 32 bits and widened again, and the digits that were lost do not come back.
? Look for `.float()`, `float32`, and a `dtype=`. The type of the logits is the
right one for every step.

on_the_processor
! other device
On the processor everything is right. On a GPU it stops: a tensor that your
function makes lies on the processor, and the logits do not.
? Which lines of your function create a tensor, and which of them say on which
device?
"""


def smooth(log_probs, labels, epsilon):
    """The smoothed labels as rows of weights."""
    V = log_probs.shape[-1]
    hot = torch.eye(V, dtype=log_probs.dtype)[labels]
    return (1 - epsilon) * hot + epsilon / V


def information(log_probs, epsilon):
    """Minus the entropy of a smoothed label."""
    weights = smooth(log_probs, torch.tensor(0), epsilon)
    return torch.xlogy(weights, weights).sum()


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    _, _, logits, labels, epsilon = case.args
    return first_difference(want, got) | {
        "V": logits.shape[-1],
        "epsilon": f"{epsilon:g}",
        "rest": number(1 - epsilon),
        "tokens": int((labels != PAD).sum()),
        "places": labels.size,
    }


def _count(probe: Probe) -> str | None:
    """The count is that of the labels that are no padding."""
    got, want = probe.got, probe.want
    if probe.args[1] != "output" or got.kind != ARRAY:
        return None
    if got.array[1] == want.array[1]:
        return None
    return (
        "The second number is the count of the labels that are not PAD: "
        f"{number(want.array[1])} here, and {number(got.array[1])} came."
    )


def _other_padding(args: tuple) -> tuple:
    say, ask, logits, labels, epsilon = args
    away = np.where(labels[..., None] == PAD, logits[..., ::-1] + 1, logits)
    return say, ask, away, labels, epsilon


_UNMOVED = unmoved_by(
    _other_padding,
    lambda got, args: got,
    "The first thing that breaks: the logits at a place of padding must not "
    "matter, and they change your result.",
)


def _padding(probe: Probe) -> str | None:
    """Padding does not matter; asked of who is right where there is none."""
    say, ask, logits, labels, epsilon = probe.args
    filled = say, ask, logits, np.where(labels == PAD, 1, labels), epsilon
    got = probe.call(filled)
    want = np.asarray(play(label_smoothing_loss, *filled))
    if got.kind != ARRAY or not same(got.array, want, 100 * got.tolerance):
        return None
    return _UNMOVED(probe)


EXERCISE = Exercise(
    name="label_smoothing_loss",
    inputs=INPUTS,
    asked="`label_smoothing_loss(logits, labels, epsilon)` gets logits of "
    "shape (B, T, V) and labels of shape (B, T). The right class has the "
    "weight 1 - epsilon, and each of the V classes gets epsilon / V in "
    "addition. Returned are the sum of the cross-entropies over all labels "
    "that are not PAD (0), and the number of these labels.",
    praise="Total, count and gradient are those of "
    "torch.nn.functional.cross_entropy, with and without padding, for "
    "every epsilon, for large logits, in 32 and 64 bits.",
    cases=CASES,
    solve=Reference(label_smoothing_loss),
    catalogue=NUMPY + MISTAKES,
    properties=(
        shape,
        finite,
        _count,
        _padding,
    ),
    hints=(
        "Begin with one token and epsilon 0: the loss is minus the logarithm "
        "of the probability of its label. Then weigh it by 1 - epsilon; what "
        "do the other classes add?",
        "Four steps: logarithms of the probabilities, the loss of each place "
        "from two parts, a mask of the real tokens, two sums.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play,
    handed_over=("say", "ask", *INPUTS),
)
