"""The residual connection: x plus what a sub-layer wants to change."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn

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

    Source: Vaswani et al. 2017, sections 3.1 and 5.4 (post-norm, dropout);
    Xiong et al. 2020 (pre-norm). Chapter 5.
    """

    def __init__(self, d_model: int, dropout: float, norm_first: bool):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def enter(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Return what the sub-layer reads."""
        return self.norm(x) if self.norm_first else x

    def leave(
        self, x: Float[Tensor, "*B D"], change: Float[Tensor, "*B D"]
    ) -> Float[Tensor, "*B D"]:
        """Return x with the sub-layer's change added."""
        x = x + self.dropout(change)
        return x if self.norm_first else self.norm(x)

    def forward(
        self, x: Float[Tensor, "*B D"], sublayer: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "*B D"]:
        return self.leave(x, sublayer(self.enter(x)))
