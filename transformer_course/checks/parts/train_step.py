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

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_course.checks.engine.properties import Probe, finite
from transformer_course.checks.engine.reading import ARRAY, apart
from transformer_course.checks.parts.drill import (
    Batch,
    Optimizer,
    Pupil,
    sentences,
)
from transformer_course.checks.parts.label_smoothing_loss import (
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
    draw=lambda seed: _case(
        "one more", (sentences(seed, 4, 6, 2),), (0.25,), size=0.5
    ),
    solve=Reference(train_step),
    properties=(_one_number, finite, _still, _which),
    hints=(
        "Six lines change something that stays: the mode, the rate, the "
        "gradients (three times: emptied, filled, clipped) and the weights. "
        "Ask of each whether it happens before the line that needs it.",
        "Nine lines after the batch is unpacked: training mode, the rate into "
        "each group, empty gradients, logits, total and count, quotient, "
        "backward, clip, step. Look for each of them in your code.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play,
    handed_over=("say", "ask", "batch", "lr", "adam", "training", "size"),
    most_combined=250,
)
