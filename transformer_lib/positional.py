"""Positions: a fixed table of sines and cosines, added to the embeddings."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


def sinusoidal_encoding(
    length: int, d_model: int
) -> Float[Tensor, "{length} {d_model}"]:
    r"""Return one row of sines and cosines for each position.

    $$PE_{pos,2i} = \sin(pos / 10000^{2i/d}), \quad
      PE_{pos,2i+1} = \cos(pos / 10000^{2i/d})$$

    where i counts the *pairs* of columns, 0 <= i < d/2.

    Args:
        length: number of positions, from 0.
        d_model: number of columns, even.

    Returns:
        (length, d_model), float64 rounded to torch's default dtype.

    Raises:
        ValueError: d_model is odd or not positive, or length is negative.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    if d_model < 2 or d_model % 2:
        raise ValueError(
            f"d_model={d_model} cannot be cut into pairs of sine and "
            "cosine; choose an even number, 2 or more"
        )
    if length < 0:
        raise ValueError(f"length={length}; a table has 0 or more rows")
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even / d_model)  # (length, d_model / 2)
    pairs = torch.stack([angle.sin(), angle.cos()], dim=-1)
    return pairs.flatten(1).to(torch.get_default_dtype())


class PositionalEncoding(nn.Module):
    """Add `sinusoidal_encoding` to a batch of vectors, then dropout.

    Args:
        d_model: length of the vectors, even.
        max_length: number of rows of the table: the longest sequence.
        dropout: applied to the sum (Vaswani et al. 2017, section 5.4).
    """

    def __init__(self, d_model: int, max_length: int, dropout: float):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        table = sinusoidal_encoding(max_length, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(
        self, x: Float[Tensor, "B L D"], start: int = 0
    ) -> Float[Tensor, "B L D"]:
        """Encode positions ``start``, ``start + 1``, ... of each row.

        Raises:
            ValueError: the sequence is longer than the table.
        """
        end = start + x.shape[1]
        if end > len(self.table):
            raise ValueError(
                f"position {end - 1} lies past the table of "
                f"{len(self.table)} positions; shorten the sequence or "
                "build the model with a larger max_length"
            )
        return self.dropout(x + self.table[start:end])
