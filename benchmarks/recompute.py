"""A decoder without a cache: it answers each step from the beginning."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from transformer_lib.model import Transformer


class Prefix(NamedTuple):
    """All that a decoder without a cache keeps: the ids."""

    source: Tensor
    tokens: Tensor

    def select(self, rows: Tensor) -> "Prefix":
        """Return some sentences, as `DecoderState.select` does."""
        return Prefix(self.source[rows], self.tokens[rows])


class Recompute(Transformer):
    """The same model, but it remembers nothing except the ids."""

    def __init__(self, model: Transformer):
        nn.Module.__init__(self)  # no weights of its own
        self.model, self.config = model, model.config

    def start(self, source: Tensor) -> Prefix:
        """Return what is known before the first token."""
        return Prefix(source, source[:, :0])

    def decode(self, tokens: Tensor, state: Prefix) -> tuple[Tensor, Prefix]:
        """Answer as model(source, prefix) does."""
        prefix = torch.cat([state.tokens, tokens], dim=1)
        logits = self.model(state.source, prefix)
        return logits[:, -1:], Prefix(state.source, prefix)
