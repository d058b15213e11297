"""Token embeddings: one matrix for reading words and for writing them."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.arguments import check_whole
from transformer_lib.shapes import check_ids, check_width


class TokenEmbedding(nn.Module):
    """A row of numbers for each token of the vocabulary.

    The rows start as N(0, 1/d_model), of length about 1: so the first loss
    of a model that writes with the same matrix is near ln V.

    Args:
        vocab_size: number of rows, V.
        d_model: length of a row.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: it is too small.

    Source: Vaswani et al. 2017, section 3.4; Press and Wolf 2017. Chapter 10.
    """

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        check_whole("vocab_size", vocab_size)
        check_whole("d_model", d_model)
        self.table = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(self.table, std=d_model**-0.5)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B D"]:
        """Look up each id's row, times the square root of d_model.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: an id is not a row of the table. (A GPU finds this
                later, and says it less well: a device-side assert.)
        """
        check_ids(ids)
        try:
            rows = F.embedding(ids, self.table)
        except IndexError:
            raise ValueError(
                f"ids run from {int(ids.min())} to {int(ids.max())}; this "
                f"table has rows 0 to {len(self.table) - 1}: encode with the "
                "tokenizer that the model was trained with"
            ) from None
        return rows * math.sqrt(self.table.shape[1])

    def logits(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Score each token of the vocabulary by its dot product with x.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        check_width(x, self.table.shape[1])
        return F.linear(x, self.table)
