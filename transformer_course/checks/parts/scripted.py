"""What the check of `greedy_decode` asks: a translator by a fixed rule.

What follows depends on the source that is visible, on the whole prefix and on
the mode, so that a search that forgets one of them writes other tokens.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

__all__ = ["Scripted"]

PAD, BOS, EOS = 0, 1, 2
VOCABULARY = 11


class Scripted(nn.Module):
    """A sentence of n visible words becomes n tokens, the last one <eos>.

    Whoever asks on after <eos> hears other tokens.

    Attributes:
        recorded: how many calls have recorded what gradients need.
    """

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(VOCABULARY, 1).double())
        self.recorded = 0

    def encode(self, source: Tensor, mask: Tensor | None) -> Tensor:
        """Return (B, n, 3): the ids, how many are visible, and the mode."""
        ids = self._embed(source).squeeze(-1) * source
        visible = self._visible(mask, source).sum(dim=1, keepdim=True)
        mode = torch.full_like(ids, float(self.training))
        return torch.stack([ids, visible.expand_as(ids), mode], dim=-1)

    def decode(
        self, target: Tensor, memory: Tensor, memory_mask: Tensor | None
    ) -> Tensor:
        """Return the logits (B, T, vocabulary)."""
        scale = self._embed(target)
        if memory.ndim != 3:
            raise RuntimeError(
                f"memory of shape {tuple(memory.shape)}; what `encode` "
                "returns is wanted"
            )
        if len(memory) != len(target):
            raise RuntimeError(
                f"{len(memory)} source sentences and {len(target)} targets "
                "came; one row for each is wanted"
            )
        visible = self._visible(memory_mask, memory[..., 0])
        rows = []
        for words, seen, prefix in zip(
            memory.int().tolist(),
            visible.tolist(),
            target.tolist(),
            strict=True,
        ):
            read = tuple(map(tuple, np.array(words)[seen].tolist()))
            ends = range(1, len(prefix) + 1)
            mode = self.training
            rows.append([_scores(read, tuple(prefix[:n]), mode) for n in ends])
        shape = (*target.shape, VOCABULARY)
        logits = np.array(rows).reshape(shape)
        return torch.tensor(logits, device=target.device) * scale

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Encode and decode at once."""
        mask = (source != PAD).unsqueeze(1)
        return self.decode(target, self.encode(source, mask), mask)

    def _embed(self, ids: Tensor) -> Tensor:
        found = F.embedding(ids, self.weight)
        self.recorded += found.requires_grad
        return found

    def _visible(self, mask: Tensor | None, like: Tensor) -> Tensor:
        """The mask as (B, n), all True where there is none."""
        if mask is None:
            return torch.ones_like(like, dtype=torch.bool)
        if mask.dtype != torch.bool:
            raise TypeError(f"mask of {mask.dtype}; True and False are wanted")
        if mask.shape != (like.shape[0], 1, like.shape[1]):
            raise RuntimeError(
                f"mask of shape {tuple(mask.shape)}; "
                f"{(like.shape[0], 1, like.shape[1])} is wanted"
            )
        return mask.squeeze(1)


@lru_cache(maxsize=100_000)
def _scores(read: tuple, prefix: tuple, training: bool) -> np.ndarray:
    """What follows a prefix, for the words of a memory that are read."""
    words = [number for word in read for number in word]
    draw = np.random.default_rng([int(training), *words, 99, *prefix])
    scores = draw.normal(size=VOCABULARY)
    scores[[PAD, BOS]] -= 9
    over = EOS in prefix[1:] or len(prefix) != len(read)
    scores[EOS] += -9 if over else 9
    return scores
