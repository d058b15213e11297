"""Positional encodings: one vector a position, added to the embeddings."""

from contextlib import nullcontext

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.precision import finest
from transformer_lib.shapes import check_batch
from transformer_lib.validation import check_bool, check_int, check_probability


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
        The encodings, computed in float64 and rounded to the default dtype.

    Raises:
        TypeError: length or d_model is not a whole number.
        ValueError: d_model is odd or not positive, or length is negative.

    Source: Vaswani et al. 2017, section 3.5.
    """
    check_int("d_model", d_model)
    check_int("length", length, least=0)
    if d_model % 2:
        raise ValueError(
            f"d_model={d_model} cannot be cut into pairs of sine and "
            "cosine; choose an even number, 2 or more"
        )
    device = torch.empty(0).device  # the default
    exact = finest(device) == torch.float64
    with nullcontext() if exact else torch.device("cpu"):
        sines = _exact(length, d_model).to(torch.get_default_dtype())
    return sines.to(device)


def _exact(length: int, d_model: int) -> Tensor:
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even / d_model)  # (length, d_model / 2)
    pairs = torch.stack([angle.sin(), angle.cos()], dim=-1)
    return pairs.flatten(1)


class PositionalEncoding(nn.Module):
    """Add `sinusoidal_encoding` to a batch of vectors, then dropout.

    Args:
        d_model: length of the vectors, even.
        max_length: number of positions: the longest sequence.
        dropout: applied to the sum (Vaswani et al. 2017, section 5.4).
        learned: start from N(0, 1) and train (Table 3, row E).

    Raises:
        ValueError: d_model is odd, max_length below 1, or dropout outside
            [0, 1).
        TypeError: a size is not a whole number.

    Source: Vaswani et al. 2017, section 3.5.
    """

    def __init__(
        self,
        d_model: int,
        max_length: int,
        dropout: float,
        learned: bool = False,
    ):
        super().__init__()
        check_int("max_length", max_length)
        check_probability("dropout", dropout)
        check_bool("learned", learned)
        self.dropout = nn.Dropout(dropout)
        if learned:
            self.pe = nn.Parameter(torch.empty(max_length, d_model))
            nn.init.normal_(self.pe)
        else:
            pe = sinusoidal_encoding(max_length, d_model)
            self.rounded_to = pe.dtype
            self.register_buffer("pe", pe, persistent=False)
            self.register_load_state_dict_post_hook(_sines_again)

    def forward(
        self, x: Float[Tensor, "B L D"], start: int = 0
    ) -> Float[Tensor, "B L D"]:
        """Encode positions ``start``, ``start + 1``, ... of each row.

        Args:
            x: a batch of vectors.
            start: position of the first column.

        Raises:
            ValueError: the sequence is longer than max_length, x is not of
                shape (B, L, d_model), or start is negative.
            TypeError: start is not a whole number.
        """
        self._check(x, start)
        return self.dropout(x + self.pe[start : start + x.shape[1]])

    def _check(self, x: Tensor, start: int) -> None:
        check_batch(x, self.pe.shape[1])
        check_int("start", start, least=0)
        end = start + x.shape[1]
        if end > len(self.pe):
            raise ValueError(
                f"position {end - 1} comes after the last of {len(self.pe)} "
                "positions; shorten the sequence or build the model with a "
                "larger max_length"
            )


def _sines_again(module: nn.Module, _found: object) -> None:
    """Compute the sines anew whenever weights are loaded.

    No checkpoint has them, and a model that was built on the meta device holds
    arbitrary numbers in their place after `to_empty`, and nothing at all after
    `load_state_dict(..., assign=True)`: there they come to the CPU, from where
    `.to(device)` moves them with the rest. They are rounded as when the module
    was built. A table that somebody has made part of the checkpoint stays.
    """
    assert isinstance(module, PositionalEncoding)
    if "pe" in module.state_dict():
        return
    with torch.device("cpu"):  # also inside somebody's `torch.device("meta")`
        sines = _exact(*module.pe.shape).to(module.rounded_to)
    if module.pe.is_meta:
        sines = sines.to(module.pe.dtype)
        module.register_buffer("pe", sines, persistent=False)
    else:
        module.pe.data.copy_(sines)
