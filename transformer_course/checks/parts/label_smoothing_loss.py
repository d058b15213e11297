"""Part 8 of the reader's own Transformer: the loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: F401 - a mistake uses it

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number, same
from transformer_course.checks.parts.elsewhere import call_elsewhere

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
    return _row(call_elsewhere(function, *inputs))


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
    draw=lambda seed: _case("one more", (2, 4), 5, 0.1, seed=seed),
    solve=Reference(label_smoothing_loss),
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
    on_the_way={
        "log_probs": "the logarithms of all probabilities",
        "right": "the logarithms of the probabilities of the labels",
        "losses": "the loss of each token",
        "losses[real]": "the losses of the real tokens",
        "losses[real].sum()": "the total",
        "real.sum()": "the number of real tokens",
        "log_probs.mean(dim=-1)": "the mean of all logarithms",
    },
)
