"""Token embeddings: one matrix for the input and for the output."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.shapes import check_ids, check_width
from transformer_lib.validation import check_int


class TokenEmbedding(nn.Module):
    """A vector for each token of the vocabulary, as a row of one matrix.

    The rows start as N(0, 1/d_model), of length about 1: so the logits of a
    normalized vector start with variance 1, and the first loss is near
    ln V + 1/2. A model that shares the matrix with its output starts higher
    if it is wide and shallow, since it favors the token it has just read.

    Args:
        vocab_size: number of rows, V.
        d_model: length of a row.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: it is too small.

    Source: Vaswani et al. 2017, section 3.4; Press and Wolf 2017.
    """

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        check_int("vocab_size", vocab_size)
        check_int("d_model", d_model)
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B D"]:
        """Look up each id's row, times the square root of d_model.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: an id is not in the vocabulary. (A GPU finds this
                later, and says it less well: a device-side assert.)
        """
        check_ids(ids)
        try:
            rows = F.embedding(ids, self.weight)
        except IndexError:
            raise ValueError(
                f"ids run from {int(ids.min())} to {int(ids.max())}; this "
                f"embedding has rows 0 to {len(self.weight) - 1}: encode with "
                "the tokenizer that the model was trained with"
            ) from None
        return rows * math.sqrt(self.weight.shape[1])

    def logits(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Score each token of the vocabulary: its dot product with x.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        check_width(x, self.weight.shape[1])
        return F.linear(x, self.weight)
