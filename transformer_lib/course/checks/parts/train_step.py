"""Part 9 of the reader's own Transformer: one update.

A step of training changes a model, so its answer is not what it returns but
what it leaves behind. A case lets it train a tiny model (`drill`) for a few
steps and compares, after each, the loss, the weights, the rates and the length
of the gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_lib.course.checks.engine.properties import Probe, finite
from transformer_lib.course.checks.engine.reading import ARRAY, apart
from transformer_lib.course.checks.parts.drill import (
    Batch,
    Optimizer,
    Pupil,
    sentences,
)
from transformer_lib.course.checks.parts.drive import NUMPY
from transformer_lib.course.checks.parts.label_smoothing_loss import (
    label_smoothing_loss,
)

__all__ = ["EXERCISE", "train_step"]


def train_step(model, batch, optimizer, lr):
    """Make one update of the model; return the loss of one token, a float.

    batch: source (B, n), target_in and target_out (B, T), all of ids.
    """
    source, target_in, target_out = batch
    model.train()
    for group in optimizer.param_groups:
        group["lr"] = lr
    optimizer.zero_grad()
    logits = model(source, target_in)
    total, count = label_smoothing_loss(logits, target_out, 0.1)
    loss = total / count
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


# ------------------------------------------------------------ what is asked

INPUTS = ("model", "batch", "optimizer", "lr")
SAID = {
    "steps": "A row for each step: the loss that is returned; a number for "
    "each of the three\nparameters, in which all of its weights take part; the "
    "rates of the two groups; the\nlength of the gradient that the optimizer "
    "went along",
    "memory": "Asked is 1 if what is returned holds no graph of the model",
}


def play(
    function: Callable,
    say: str,
    ask: str,
    batches: tuple,
    rates: tuple,
    adam: bool,
    training: bool,
    size: float,
) -> Any:
    """Train a new model by the function, step after step.

    Args:
        function: one update.
        say: what is done, in words, for the example of a verdict.
        ask: a key of `SAID`.
        batches: for each step the arrays of source, target_in, target_out.
        rates: for each step the learning rate.
        adam: an Adam optimizer, in place of plain steps downhill.
        training: whether the model comes in training mode.
        size: factor of the first weights.

    Returns:
        Numbers, as `SAID` has them, or what came back, if it is no number.
    """
    model, rows = Pupil(size), []
    groups = [[model.table], [model.out, model.bias]]
    optimizer = Optimizer(groups, 0.75, adam)
    for arrays, rate in zip(batches, rates, strict=True):
        model.train(training)
        optimizer.norm = 0.0
        batch = Batch(*map(torch.from_numpy, arrays))
        args = (model, batch, optimizer, rate)
        answer = call_by_position_or_name(function, args, INPUTS)
        loss = _number(answer)
        if loss is None:
            return answer
        if ask == "memory":
            return float(not getattr(answer, "requires_grad", False))
        weights = map(_fingerprint, model.parameters())
        lrs = [group["lr"] for group in optimizer.param_groups]
        rows.append([loss, *weights, *lrs, optimizer.norm])
    return np.array(rows)


def _fingerprint(parameter: Tensor) -> float:
    """One number that changes with every weight of a parameter."""
    weights = parameter.detach().numpy().ravel()
    return float(weights @ np.sqrt(1 + np.arange(len(weights))) / 3)


def _number(answer: Any) -> float | None:
    """The answer as one number; None if it is none."""
    if answer is None or answer is Ellipsis or isinstance(answer, (str, bool)):
        return None
    if isinstance(answer, (list, tuple, dict)):
        return None
    try:
        return float(answer.detach() if torch.is_tensor(answer) else answer)
    except Exception:  # whatever a reader may hand back
        return None


def _case(name: str, batches: tuple, rates: tuple, *, ask="steps", adam=False,
          training=True, size=1.0, basic=True) -> Case:  # fmt: skip
    kind, mode = ("SGD", "Adam")[adam], ("eval()", "train()")[training]
    _, target_in, target_out = batches[0]
    say = (
        f"{len(rates)} step{'s' * (len(rates) > 1)} with {kind}, "
        f"lr {', '.join(map(str, rates))} (before: 0.75); the model comes in "
        f"{mode}\ntarget_in  {target_in.tolist()}\n"
        f"target_out {target_out.tolist()}\n{SAID[ask]}."
    )
    args = (say, ask, batches, rates, adam, training, size)
    return Case(name, args, basic)


_A = sentences(1, 4, 4, 4, 4)
_B = sentences(2, 2, 3, 5, 2)
_C = sentences(3, 4, 6, 2)
CASES = (
    _case("one step", (_A,), (0.5,), size=0.1),
    _case("one token", (sentences(4, 2, 1),), (0.25,), size=0.1),
    _case("padding", (_B,), (0.25,), size=0.5),
    _case("two steps", (_A, _C), (0.5, 0.5), size=0.5),
    _case("one token twice", (sentences(4, 2, 1),) * 2, (2.0, 2.0), size=0.1),
    _case("clipped", (_A, _B), (0.5, 0.25), size=8.0),
    _case("clipped a little", (_C, _A), (0.25, 0.5), size=2.0),
    _case("after an evaluation", (_A, _B), (0.5, 0.25), training=False),
    _case("new rates", (_B, _C, _A), (0.125, 0.5, 0.25)),
    _case("Adam", (_A, _B, _C), (0.0625, 0.125, 0.25), adam=True, size=2.0),
    _case("memory", (_A,), (0.5,), ask="memory", basic=False),
)

# --------------------------------------------------------- what goes wrong

MISTAKES = r"""
classes_on_the_wrong_axis
% RuntimeError: Expected target size \[
PyTorch's cross-entropy takes axis 1 for the classes, and the logits of the
model, (B, T, V), have them on the last one. (Your `label_smoothing_loss` takes
both as they are.)
? It also takes all tokens as one column: logits (N, V), labels (N,).

gradients_never_emptied
- optimizer.zero_grad()
+
@ two steps
The gradients of all steps pile up: `backward` adds to what is there. The first
step is right, and from the second on each step walks along a sum of old
directions too.
? Which call sets the gradients back before a new batch?

weights_never_move
- loss.backward()
+ loss.backward()
+ optimizer.zero_grad()
or
- loss.backward()
+
or
- optimizer.step()
+
The weights never move, and no error says so. Either `backward` is missing, or
the gradient is emptied between `backward` and the step, or the step is missing.
? Two calls make a model learn: one finds the direction, one walks. Are both
there, and what stands between them?

step_before_backward
- model.train()
+ model.train()
+ optimizer.step()
- (model.parameters(), 1.0)
- optimizer.step()
+ (model.parameters(), 1.0)
or
- optimizer.zero_grad()
+ optimizer.step()
+ optimizer.zero_grad()
- (model.parameters(), 1.0)
- optimizer.step()
+ (model.parameters(), 1.0)
or
- optimizer.zero_grad()
+ optimizer.step()
- (model.parameters(), 1.0)
- optimizer.step()
+ (model.parameters(), 1.0)
@ two steps
The step is made before this batch has been looked at, with the gradient of the
batch before; the first step does nothing at all.
? Where does the step find its direction? That line has to come first.

two_steps
- optimizer.step()
+ optimizer.step()
+ optimizer.step()
The optimizer walks twice along one gradient.
? How often is the step called in your function?

backward_twice
- loss.backward()
+ loss.backward(retain_graph=True)
+ loss.backward()
The gradient is twice as long as it should be. Most often `backward` runs twice,
and it adds; or a factor of 2 has come in.
? How often is `backward` called in your function, and on what?

uphill
- loss.backward()
+ (-loss).backward()
or
- total / count
+ -total / count
The weights go uphill: a minus stands where none belongs. The optimizer
subtracts by itself.
? Which sign has the number whose `backward` you call?

not_clipped
- nn.utils.clip_grad_norm_(model.parameters(), 1.0)
+
@ clipped
The gradient is not clipped. In this example it is longer than 1, so all of its
numbers have to be made smaller together. (Or it is clipped before `backward`,
or after the step: then it is too early or too late.)
? Which call shortens the gradient, and where does it have to stand between
`backward` and the step?

each_parameter_clipped_by_itself
- nn.utils.clip_grad_norm_(model.parameters(), 1.0)
+ for p in model.parameters():
+     nn.utils.clip_grad_norm_([p], 1.0)
or
- nn.utils.clip_grad_norm_(model.parameters(), 1.0)
+ for group in optimizer.param_groups:
+     nn.utils.clip_grad_norm_(group["params"], 1.0)
@ clipped
You clip the gradient of each parameter, or of each group, by itself. They are
parts of one long vector: clipped one by one they change their proportions, and
so the direction.
? The length is taken of all gradients together.

each_number_clipped
- clip_grad_norm_(
+ clip_grad_value_(
@ clipped
You cut each number of the gradient at 1. Clipping by length keeps the
direction: all numbers shrink by the same factor.
? Two functions that clip are at hand. One speaks of values and one of a norm.

another_length
- (model.parameters(), 1.0)
+ (model.parameters(), 1.0, norm_type=1.0)
or
- (model.parameters(), 1.0)
+ (model.parameters(), 1.0, norm_type=torch.inf)
@ clipped
You measure the gradient in another way: by the sum of the sizes of its numbers,
or by the largest of them. Its length is the root of the sum of the squares, as
for (3, 4): the length is 5.
? Which norm does the clipping function take if you do not say?

both_losses_backward
- loss.backward()
+ total.backward(retain_graph=True)
+ loss.backward()
or
- loss.backward()
+ loss.backward(retain_graph=True)
+ total.backward()
The gradient is longer than that of the loss: `backward` runs for the total as
well, and it adds the gradients of both.
? Of which number is the step to make less, and on what else do you call
`backward`?

short_gradients_stretched
- nn.utils.clip_grad_norm_(model.parameters(), 1.0)
+ stretch(model)
You bring every gradient to the length 1, also one that is shorter. Clipping
only shortens.
? What should happen to a gradient that is short enough?

another_clip
- (model.parameters(), 1.0)
+ (model.parameters(), 0.1)
or
- (model.parameters(), 1.0)
+ (model.parameters(), 0.25)
or
- (model.parameters(), 1.0)
+ (model.parameters(), 0.5)
or
- (model.parameters(), 1.0)
+ (model.parameters(), 2.0)
or
- (model.parameters(), 1.0)
+ (model.parameters(), 5.0)
or
- (model.parameters(), 1.0)
+ (model.parameters(), 10.0)
@ clipped
You clip, but at another length than 1: the gradient that the optimizer goes
along has the wrong length, the last number of the row.
? Which number do you hand to the clipping function?

not_divided
- total / count
+ total
or
- loss.backward()
+ total.backward()
@ padding
You learn from the total loss of the batch. Divided by the number of real
tokens, a long batch does not count for more than a short one.
? The loss gives two numbers. Where is the second one used?

upside_down
- total / count
+ count / total
@ padding
You divide the number of tokens by the loss: {came} instead of {wanted}. The
total loss comes first, then the count.
? In which order do the two numbers come?

softmax_before_the_loss
- label_smoothing_loss(logits,
+ label_smoothing_loss(logits.softmax(dim=-1),
or
- label_smoothing_loss(logits,
+ label_smoothing_loss(logits.log_softmax(dim=-1).exp(),
You take the softmax before the loss, and the loss takes it again: {came} in
place of {wanted}. It wants the logits as they are.
? What does the model return, and what is done to it before the loss?

padding_counted
- total / count
+ total / target_out.numel()
@ padding
You divide by the number of cells, filled up with padding or not: {came} in
place of {wanted}. Only real tokens count.
? `label_smoothing_loss` has counted the real tokens for you.

divided_by_sentences
- total / count
+ total / len(target_out)
or
- total / count
+ total / target_out.shape[1]
@ padding
You divide by the number of sentences, or by their length: {came} instead of
{wanted}. The loss is one of a *token*.
? `label_smoothing_loss` has counted the real tokens for you.

divided_twice
- total / count
+ total / count**2
or
- total / count
+ total / count / len(target_out)
@ padding
You divide twice, so the gradients become too small: {came} instead of
{wanted}.
? Sum, count, divide once.

mean_of_the_sentence_means
- total / count
+ mean_of_means(logits, target_out)
@ padding
You average the losses of the sentences, so a word of a short sentence weighs
more: {came} instead of {wanted}. Each real token counts alike.
? One sum over all tokens, one division.

answer_shown
- model(source, target_in)
+ model(source, target_out)
The decoder reads target_out, the very words that it should say. It will learn
to copy them, and the loss will look wonderful.
? What the decoder reads begins with <bos>.

asked_for_the_input
- (logits, target_out, 0.1)
+ (logits, target_in, 0.1)
The loss compares with target_in, the words that the decoder has just read.
The task asks for the next word of each.
? Which of the two ends with <eos>?

targets_exchanged
- model(source, target_in)
+ model(source, target_out)
- (logits, target_out, 0.1)
+ (logits, target_in, 0.1)
target_in and target_out have changed places: the decoder reads what it should
say, and is asked for what came before.
? Which of the two begins with <bos>?

not_in_training_mode
- model.train()
+
or
- model.train()
+ model.eval()
@ after an evaluation
The model comes in eval() mode, as an evaluation may leave it, and your function
trains it so: dropout is off.
? Which call puts a model into training mode, and when does it have to come?

not_with_this_optimizer
- model.train()
+ model.train()
+ optimizer = Optimizer([list(model.parameters())], lr, True)
or
- model.train()
+ model.train()
+ optimizer = Optimizer([list(model.parameters())], lr, False)
or
- optimizer.zero_grad()
+ optimizer.zero_grad()
+ optimizer = Optimizer([list(model.parameters())], lr, True)
or
- optimizer.zero_grad()
+ optimizer.zero_grad()
+ optimizer = Optimizer([list(model.parameters())], lr, False)
@ Adam
The step is not made by the optimizer that came in: you make a new one in each
call, or move the weights yourself. Adam's averages are in the old one; a new
one begins again at step 1 each time.
? The input optimizer remembers what came before. Whose step do you call?

rate_never_set
- group["lr"] = lr
+ pass
The input lr is not used: the optimizer walks with the rate that it was made
with.
? An optimizer keeps its rate under the name "lr" in each of its param_groups.

rate_one_step_late
- group["lr"] = lr
+ pass
- (model.parameters(), 1.0)
- optimizer.step()
+ (model.parameters(), 1.0)
+ optimizer.step()
+ for group in optimizer.param_groups:
+     group["lr"] = lr
The rate is written into the optimizer after the step, so each step walks with
the rate of the one before.
? The rate is that of *this* step. Which line has to see it?

one_group_only
- optimizer.param_groups:
+ optimizer.param_groups[:1]:
or
- optimizer.param_groups:
+ optimizer.param_groups[-1:]:
An optimizer may hold several groups of parameters, each with a rate of its own,
and you set one of them.
? param_groups is a list. Go through all of it.

rate_multiplied_into_the_old_one
- group["lr"] = lr
+ group["lr"] *= lr
or
- group["lr"] = lr
+ group["lr"] += lr
You multiply the rate into the one that is there, or add it, so the rates of all
steps pile up.
? Assign the rate; what was there before does not matter.

rate_put_back
- for group in optimizer.param_groups:
-     group["lr"] = lr
+ old = [group["lr"] for group in optimizer.param_groups]
+ for group in optimizer.param_groups:
+     group["lr"] = lr
- (model.parameters(), 1.0)
- optimizer.step()
+ (model.parameters(), 1.0)
+ optimizer.step()
+ for group, rate in zip(optimizer.param_groups, old):
+     group["lr"] = rate
The weights are right, but after the step the old rate is put back into the
optimizer. Whoever looks there should find the rate of the last step.
? What does your function do after the step?

rate_in_another_unit
- group["lr"] = lr
+ group["lr"] = lr / len(target_out)
or
- group["lr"] = lr
+ group["lr"] = lr * len(target_out)
or
- group["lr"] = lr
+ group["lr"] = lr / len(optimizer.param_groups)
or
- group["lr"] = lr
+ group["lr"] = lr / (target_out > 0).sum().item()
You multiply or divide the rate before it is set, by the number of sentences, of
tokens or of groups. The rate comes finished: `lr` itself belongs into each
group.
? Which number stands under "lr" after your function?

returned_the_total
- return loss.item()
+ return total.item()
@ padding
The weights are right. You return the total loss of the batch, {came}; wanted is
the loss of one token, {wanted}.
? Return the number whose `backward` you called.

returned_the_loss_after_the_step
- return loss.item()
+ total, count = label_smoothing_loss(model(source, target_in), target_out, 0.1)
+ return (total / count).item()
The weights are right. You return the loss after the step, {came}. The task asks
for the loss of this batch before the model has learned from it, {wanted}.
? A second forward pass is not needed.

returned_something_else
- return loss.item()
+ return count
or
- nn.utils.clip_grad_norm_(
+ loss = nn.utils.clip_grad_norm_(
or
- return loss.item()
+ return lr
or
- return loss.item()
+ return loss.exp().item()
The weights are right, but {came} comes back where the loss of one token,
{wanted}, is wanted: the number of tokens, the length of the gradient, the rate
or the perplexity.
? Return the number whose `backward` you called.

returned_the_plain_loss
- return loss.item()
+ total, count = label_smoothing_loss(logits, target_out, 0.0)
+ return (total / count).item()
The weights are right. You return the loss without smoothing, {came}. The task
asks for the one that the model learns from, {wanted}.
? How often do you compute a loss, and with which epsilon?

not_smoothed
- target_out, 0.1)
+ target_out, 0.0)
You learn from the loss without smoothing: {came} instead of {wanted}. In
training epsilon is 0.1.
? What is the third input of `label_smoothing_loss`?

another_epsilon
- target_out, 0.1)
+ target_out, 0.9)
or
- target_out, 0.1)
+ target_out, 0.2)
or
- target_out, 0.1)
+ target_out, 0.05)
or
- target_out, 0.1)
+ target_out, 0.01)
or
- target_out, 0.1)
+ target_out, 1.0)
or
- target_out, 0.1)
+ target_out, lr)
You smooth with another epsilon than 0.1: {came} instead of {wanted}.
? What is the third input of `label_smoothing_loss`?

source_and_target_exchanged
- model(source, target_in)
+ model(target_in, source)
Source and target have changed places: it is `model(source, target_in)`. Both
are rows of ids, so where they have the same length no error says so.
? Read the call of the model once more.

shifted_again
- (logits, target_out, 0.1)
+ (logits[:, :-1], target_out[:, 1:], 0.1)
or
- model(source, target_in)
+ model(source, target_in[:, :-1])
- (logits, target_out, 0.1)
+ (logits, target_out[:, 1:], 0.1)
or
- model(source, target_in)
+ model(source, target_in[:, :-1])
- (logits, target_out, 0.1)
+ (logits, target_out[:, :-1], 0.1)
@ one step
You cut a column off the targets. The shift by one is done already when the
batch comes: at each place target_out holds the word after that of target_in.
? Look for a cut such as `1:` or `:-1`.

only_the_first_sentence
- model.train()
+ source, target_in, target_out = (ids[:1] for ids in batch)
+ model.train()
@ one step
You learn from the first sentence of the batch alone. All of its sentences take
part in one update.
? Look for an index 0 or a cut such as `:1`.

rate_given_to_step
- (model.parameters(), 1.0)
- optimizer.step()
+ (model.parameters(), 1.0)
+ optimizer.step(lr)
% TypeError: '(float|int)' object is not callable
A number is called like a function. `optimizer.step(lr)` leads to it: what
`step` is given is a function that computes the loss, and it calls it.
? Which inputs does `step` need when the rate stands in the param_groups?

graph_kept
- return loss.item()
+ return loss
@ memory
Everything is right, but the loss that you return is a tensor that still holds
on to all that the model computed. Whoever collects losses in a list collects
that too: return a plain number.
? Which method turns a tensor of one number into a float?

total_and_count_taken_for_the_loss
% AttributeError: '(tuple|list)' object has no attribute 'backward'
`label_smoothing_loss` returns two values, the total and the count. You put the
pair into one name and use it as the loss.
? Give the two values two names. The loss of one token is made from both.

number_before_backward
% AttributeError: '(float|int)' object has no attribute 'backward'
You call `backward` on a plain number, which does not know where it came from.
Call it on the tensor, and turn that into a number afterwards.
? In which order come `.item()` (or `float`) and `backward`?

cut_off_from_the_model
% RuntimeError: element 0 of tensors does not require grad
The loss is cut off from the weights, so `backward` finds nothing to follow.
? Look for `no_grad`, `.detach()`, `.data`, or a new tensor made from a number.

inputs_exchanged
% .*'Batch'.*'(zero|step|par)|.*'Optimizer'.*'(sou|tar)|.*non-iterable Opt
The batch and the optimizer have changed places. The inputs come as model,
batch, optimizer, lr.
? In which order does the first line of your function name them?

model_called_with_more
% TypeError: Pupil\.forward\(\) takes 3 positional arguments but \d+ were
The model is called with too many inputs. It takes the source and target_in, and
makes its masks itself.
? Read the first line of your Transformer's `forward`.
"""


def stretch(model):
    """Bring the gradient to the length 1, whatever it was."""
    squares = sum((p.grad**2).sum() for p in model.parameters())
    for p in model.parameters():
        p.grad /= squares.sqrt() + 1e-6


def mean_of_means(logits, target_out):
    """The mean of the losses per token of the sentences."""
    pairs = [
        label_smoothing_loss(one[None], words[None], 0.1)
        for one, words in zip(logits, target_out, strict=True)
    ]
    return sum(total / count for total, count in pairs) / len(pairs)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the first that is wrong."""
    return first_difference(want, got)


def _one_number(probe: Probe) -> str | None:
    """One number comes back."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape == want.array.shape:
        return None
    return (
        "One number is wanted, the loss of one token. Your function returns "
        f"an array or a list of the shape {got.array.shape}."
    )


def _still(probe: Probe) -> str | None:
    """The weights move."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.ndim != 2 or len(got.array) < 2:
        return None
    if got.array.shape != want.array.shape:
        return None
    if np.ptp(got.array[:, 1:4], axis=0).max() > 0:
        return None
    return (
        "The first thing that breaks: the weights are the same after the "
        "first and after the last step, so nothing is learned."
    )


def _which(probe: Probe) -> str | None:
    """Say what is wrong first, and in which step."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.ndim != 2:
        return None
    wrong = ~np.isclose(got.array, want.array, rtol=1e-5, atol=1e-6)
    if not wrong.any():
        return None
    row = int(np.argmax(wrong.any(axis=1)))
    come, need = got.array[row], want.array[row]
    where = f"The first thing that breaks: in step {row + 1} "
    if wrong[row, 0]:
        came, wanted = apart(come[0], need[0])
        return (
            f"{where}your function returns {came}, and the loss of one token "
            f"is {wanted}."
        )
    for group in (0, 1):
        if wrong[row, 4 + group]:
            came, wanted = apart(come[4 + group], need[4 + group])
            return (
                f"{where}the loss is right, but the rate of group {group} is "
                f"{came} afterwards, and {wanted} is wanted."
            )
    if wrong[row, 6]:
        came, wanted = apart(come[6], need[6])
        return (
            f"{where}the loss is right, but the gradient that the optimizer "
            f"goes along has the length {came}, and {wanted} is wanted."
        )
    return (
        f"{where}the loss and the length of the gradient are right, but the "
        "weights after it are not. Look at the step itself."
    )


torch.tensor(0.0)  # the first tensor is slow; do not let an answer wait

EXERCISE = Exercise(
    name="train_step",
    inputs=INPUTS,
    asked="`train_step(model, batch, optimizer, lr)` makes one update. batch "
    "is source, target_in, target_out. Training mode; lr into all "
    "param_groups; empty gradients; logits from `model(source, target_in)`; "
    "`label_smoothing_loss(logits, target_out, 0.1)`, total by count, is the "
    "loss; backward; a gradient longer than 1.0 shortened to it, all "
    "parameters together; step. It returns the loss as a number.",
    praise="Losses, weights, rates and gradients agree with the reference to "
    "the last step: with padding, with long and short gradients, after an "
    "evaluation, with new rates, with SGD and with Adam.",
    cases=CASES,
    solve=Reference(train_step),
    catalogue=NUMPY + MISTAKES,
    properties=(_one_number, finite, _still, _which),
    hints=(
        "Six lines change something that stays: the mode, the rate, the "
        "gradients (three times: emptied, filled, clipped) and the weights. "
        "Ask of each whether it happens before the line that needs it.",
        "Nine lines after the batch is unpacked: training mode, the rate into "
        "each group, empty gradients, logits, total and count, quotient, "
        "backward, clip, step. Which one is missing?",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play,
    handed_over=("say", "ask", "batch", "lr", "adam", "training", "size"),
    most_combined=250,
)
