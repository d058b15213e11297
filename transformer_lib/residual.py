"""The residual connection: x plus what a sub-layer wants to change."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.arguments import check_flag, check_share
from transformer_lib.normalization import LayerNorm


class ResidualConnection(nn.Module):
    """Add a sub-layer's output to its input, with dropout and one norm.

    Post-norm, as in the paper: ``norm(x + dropout(sublayer(x)))``.
    Pre-norm: ``x + dropout(sublayer(norm(x)))``, where x itself walks
    through the whole stack unchanged.

    Args:
        d_model: length of the vectors.
        dropout: probability with which a number of the change is dropped.
        norm_first: True for pre-norm, False for post-norm.

    Raises:
        TypeError: dropout is not a number, or norm_first not True or False.
        ValueError: dropout outside [0, 1).

    Source: Vaswani et al. 2017, sections 3.1 and 5.4 (post-norm, dropout);
    Xiong et al. 2020 (pre-norm). Chapter 5.
    """

    def __init__(self, d_model: int, dropout: float, norm_first: bool):
        super().__init__()
        check_share("dropout", dropout)
        check_flag("norm_first", norm_first)
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def enter(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Return what the sub-layer reads."""
        return self.norm(x) if self.norm_first else x

    def leave(
        self, x: Float[Tensor, "*B D"], change: Float[Tensor, "*B D"]
    ) -> Float[Tensor, "*B D"]:
        """Return x with the sub-layer's change added.

        Args:
            x: (..., d_model), what the sub-layer read, before any norm.
            change: (..., d_model), what it made of it.

        Returns:
            (..., d_model).

        Raises:
            ValueError: the change is not of the shape of x.
        """
        if change.shape != x.shape:
            raise ValueError(
                f"the sub-layer made shape {tuple(change.shape)} of "
                f"{tuple(x.shape)}; a sum needs both equal"
            )
        x = x + self.dropout(change)
        return x if self.norm_first else self.norm(x)

    def forward(
        self, x: Float[Tensor, "*B D"], sublayer: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "*B D"]:
        """Enter, run the sub-layer, leave.

        Args:
            x: (..., d_model).
            sublayer: a function from (..., d_model) to the same shape.

        Returns:
            (..., d_model).
        """
        return self.leave(x, sublayer(self.enter(x)))
