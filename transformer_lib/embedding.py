"""Token embeddings: one matrix for reading words and for writing them."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F


class TokenEmbedding(nn.Module):
    """A row of numbers for each token of the vocabulary.

    The rows start as N(0, 1/d_model), of length about 1: so the first loss
    of a model that writes with the same matrix is near ln V.

    Args:
        vocab_size: number of rows, V.
        d_model: length of a row.

    Source: Vaswani et al. 2017, section 3.4; Press and Wolf 2017. Chapter 10.
    """

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        self.table = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(self.table, std=d_model**-0.5)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B D"]:
        """Look up each id's row, times the square root of d_model.

        Raises:
            IndexError: an id is not a row of the table (from torch).
        """
        scale = math.sqrt(self.table.shape[1])
        return F.embedding(ids, self.table) * scale

    def logits(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Score each token of the vocabulary by its dot product with x."""
        return F.linear(x, self.table)
