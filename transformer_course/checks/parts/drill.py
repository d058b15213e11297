"""What the check of `train_step` trains: a tiny model, an optimizer, batches.

All of it is made from plain data, so that two runs are alike to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

__all__ = ["Batch", "Optimizer", "Pupil", "sentences"]

PAD, BOS, EOS = 0, 1, 2
WORDS, WIDTH = 6, 2


class Batch(NamedTuple):
    """Three rectangles of ids, named as the library names them."""

    source: Tensor
    target_in: Tensor
    target_out: Tensor


def sentences(
    seed: int, source: int, *lengths: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays of a batch of random words.

    Args:
        seed: of the words.
        source: length of the source sentences.
        lengths: of the target sentences, <eos> counted.
    """
    draw = np.random.default_rng(seed)
    rows = len(lengths)
    target_in = np.full((rows, max(lengths)), PAD)
    target_out = np.full((rows, max(lengths)), PAD)
    for row, length in enumerate(lengths):
        words = draw.integers(3, WORDS, size=length - 1)
        target_in[row, :length] = [BOS, *words]
        target_out[row, :length] = [*words, EOS]
    return draw.integers(3, WORDS, size=(rows, source)), target_in, target_out


class _Drop(nn.Module):
    """Dropout that always drops the same numbers."""

    def forward(self, x: Tensor) -> Tensor:
        """Return x (..., 4), with the second number dropped in training."""
        if not self.training:
            return x
        return x * torch.tensor([1.0, 0.0, 1.0, 1.0]) / 0.75


class Pupil(nn.Module):
    """A tiny translator: the mean of the source, the word before, its place.

    While training, one number in four is dropped, always the same one, so
    that the mode shows and every run is alike.

    Args:
        size: a factor of the first weights; large ones have long gradients.
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
    """SGD or Adam, with the three parts that a step of training needs.

    It behaves as those of torch.optim do, whose first use takes seconds.

    Args:
        groups: the parameters of each group.
        lr: the rate of all groups.
        adam: Adam in place of plain steps downhill.

    Attributes:
        param_groups: for each group its parameters and its rate, "lr".
        norm: length of the gradient that the last step went along.
    """

    def __init__(
        self, groups: list[list[nn.Parameter]], lr: float, adam: bool
    ) -> None:
        self.param_groups = [{"params": g, "lr": lr} for g in groups]
        self.norm = 0.0
        self._adam = adam
        self._averages: dict[nn.Parameter, tuple[int, Tensor, Tensor]] = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Empty the gradients."""
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none or p.grad is None:
                    p.grad = None
                else:
                    p.grad.zero_()

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        """Move each parameter that has a gradient.

        Args:
            closure: is called first, as torch's optimizers do.
        """
        if closure is not None:
            with torch.enable_grad():
                closure()
        squares = 0.0
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    squares += float((p.grad**2).sum())
                    p -= group["lr"] * self._direction(p)
        self.norm = squares**0.5

    def _direction(self, p: nn.Parameter) -> Tensor:
        if not self._adam:
            return p.grad
        t, m, v = self._averages.get(p, (0, 0 * p.grad, 0 * p.grad))
        m, v = 0.9 * m + 0.1 * p.grad, 0.98 * v + 0.02 * p.grad**2
        self._averages[p] = (t + 1, m, v)
        up, below = m / (1 - 0.9 ** (t + 1)), v / (1 - 0.98 ** (t + 1))
        return up / (below.sqrt() + 1e-9)
