"""The feed-forward network that each position runs through by itself."""

from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.shapes import check_width
from transformer_lib.validation import check_int


class FeedForward(nn.Module):
    r"""Widen, apply ReLU, narrow again.

    $$\mathrm{FFN}(x) = \max(0, x W_1 + b_1) W_2 + b_2$$

    Args:
        d_model: length of the vectors that come and go.
        d_ff: length of the inner vector (4 d_model in the paper).

    Raises:
        TypeError: a size is not a whole number.
        ValueError: it is too small.

    Source: Vaswani et al. 2017, section 3.3, equation 2.
    """

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        check_int("d_model", d_model)
        check_int("d_ff", d_ff)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        for linear in (self.linear1, self.linear2):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transform each position by itself.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        check_width(x, self.linear1.in_features)
        return self.linear2(self.linear1(x).relu())
