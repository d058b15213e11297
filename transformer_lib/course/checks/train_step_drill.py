"""What the check of `train_step` plays with: a small model and its batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.course.checks.engine import guard

__all__ = [
    "NAMES",
    "Drill",
    "Ids",
    "Optimizer",
    "Pupil",
    "play",
    "token_loss",
]

NAMES = ("model", "optimizer", "batch", "loss_fn", "clip", "rate")
PAD, WORDS, WIDTH = 0, 5, 2


class Ids(NamedTuple):
    """A batch: three rectangles of ids, named as the library names them."""

    source: Tensor
    target_in: Tensor
    target_out: Tensor


@dataclass(eq=False)
class Drill:
    """A few steps of training with what they are given.

    Attributes:
        batches: for each step the source, target_in and target_out.
        rates: for each step the learning rate.
        clip: the longest gradient allowed.
        adam: an Adam optimizer, in place of plain steps downhill.
        training: whether the model comes in training mode.
        old_rate: the rate that the optimizer was made with.
        size: factor of the first weights.
    """

    batches: tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]
    rates: tuple[float, ...]
    clip: float = 100.0
    adam: bool = False
    training: bool = True
    old_rate: float = 0.75
    size: float = 1.0

    def handed_over(self) -> list[tuple[str, tuple]]:
        """What the function gets of it, under the names of its inputs."""
        return [("batch", arrays) for arrays in self.batches]

    def __str__(self) -> str:
        kind = "Adam" if self.adam else "SGD"
        mode = "train()" if self.training else "eval()"
        first = self.batches[0]
        return (
            f"{len(self.rates)} step{'s' * (len(self.rates) > 1)} with {kind},"
            f" clip {self.clip:g}, rates {', '.join(map(str, self.rates))}; "
            f"the model comes in {mode}\n"
            f"target_in  {first[1].tolist()}\ntarget_out {first[2].tolist()}\n"
            "A row for each step: the loss that is returned, and a number "
            "for each of the three parameters after it."
        )


class _Drop(nn.Module):
    """Dropout that always drops the same numbers; the mode reaches it."""

    def forward(self, x: Tensor) -> Tensor:
        """Return x (..., 4), with the second number dropped in training."""
        if not self.training:
            return x
        return x * torch.tensor([1.0, 0.0, 1.0, 1.0]) / 0.75


class Pupil(nn.Module):
    """A tiny translator: the mean of the source, the word before, its place.

    While training, one number in four is dropped, always the same ones, so
    that the mode shows and every run is alike.
    """

    def __init__(self, size: float = 1.0) -> None:
        super().__init__()
        draw = np.random.default_rng(13)

        def numbers(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.tensor(size * draw.normal(size=shape)))

        self.table = numbers(WORDS, WIDTH)
        self.out = numbers(2 * WIDTH, WORDS)
        self.drop = _Drop()
        self.bias = numbers(WORDS)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return the logits (B, T, words)."""
        mean = self.table[source].mean(dim=1, keepdim=True)
        place = 1 + 0.25 * torch.arange(target_in.shape[1])[:, None]
        word = place * self.table[target_in]
        both = torch.cat([mean.expand_as(word), word], dim=-1)
        return self.drop(both) @ self.out + self.bias


class Optimizer:
    """SGD or Adam with the three parts that the exercise needs.

    It behaves as those of torch.optim do, whose first use takes seconds.

    Attributes:
        param_groups: for each group its parameters and its rate, "lr".
    """

    def __init__(
        self, groups: list[list[nn.Parameter]], lr: float, adam: bool
    ) -> None:
        self.param_groups = [{"params": g, "lr": lr} for g in groups]
        self.adam = adam
        self.state: dict[nn.Parameter, tuple[int, Tensor, Tensor]] = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Empty the gradients."""
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none or p.grad is None:
                    p.grad = None
                else:
                    p.grad.zero_()

    @torch.no_grad()
    def step(self) -> None:
        """Move each parameter that has a gradient."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p -= group["lr"] * self._direction(p)

    def _direction(self, p: nn.Parameter) -> Tensor:
        if not self.adam:
            return p.grad
        t, m, v = self.state.get(p, (0, 0 * p.grad, 0 * p.grad))
        m, v = 0.9 * m + 0.1 * p.grad, 0.98 * v + 0.02 * p.grad**2
        self.state[p] = (t + 1, m, v)
        up, below = m / (1 - 0.9 ** (t + 1)), v / (1 - 0.98 ** (t + 1))
        return up / (below.sqrt() + 1e-9)


def token_loss(logits: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Return the summed cross-entropy and the number of real tokens."""
    if targets.is_floating_point():
        raise TypeError(
            "loss_fn(logits, targets): the logits come first, then the ids"
        )
    total = F.cross_entropy(
        logits.flatten(0, -2),
        targets.flatten(),
        ignore_index=PAD,
        reduction="sum",
    )
    return total, (targets != PAD).sum()


def play(function: Callable, drill: Drill) -> Any:
    """Train a new model by the function, step after step.

    Args:
        function: called as function(model, optimizer, batch, loss_fn, clip,
            rate).
        drill: what to give it.

    Returns:
        An array with a row for each step: what came back, then a number for
        each of the three parameters, in which all of its weights take part;
        or what came back, if it is no number.
    """
    model, rows = Pupil(drill.size), []
    optimizer = _optimizer(model, drill)
    for arrays, rate in zip(drill.batches, drill.rates, strict=True):
        model.train(drill.training)
        batch = Ids(*map(torch.from_numpy, arrays))
        args = (model, optimizer, batch, token_loss, drill.clip, rate)
        answer = guard.call_by_position_or_name(function, args, NAMES)
        number = _number(answer)
        if number is None:
            return answer
        rows.append([number, *map(_fingerprint, model.parameters())])
    return np.array(rows)


def _fingerprint(parameter: Tensor) -> float:
    """One number that changes with every weight of a parameter."""
    weights = parameter.detach().numpy().ravel()
    return float(weights @ np.sqrt(1 + np.arange(len(weights))) / 3)


def _optimizer(model: Pupil, drill: Drill) -> Optimizer:
    """Two groups of parameters, as many programs have them."""
    groups = [[model.table], [model.out, model.bias]]
    return Optimizer(groups, drill.old_rate, drill.adam)


def _number(answer: Any) -> float | None:
    """The answer as one number; None if it is none."""
    if answer is None or answer is Ellipsis or isinstance(answer, (str, bool)):
        return None
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    if isinstance(answer, (list, tuple, dict, np.ndarray)):
        return None
    try:
        detached = getattr(answer, "detach", None)
        return float(detached() if detached else answer)
    except Exception:  # whatever a student may hand back
        return None
