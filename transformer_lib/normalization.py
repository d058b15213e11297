"""Layer normalization: each token's vector gets mean 0 and variance 1."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


def layer_norm(
    x: Float[Tensor, "*B D"],
    gain: Float[Tensor, " D"],
    bias: Float[Tensor, " D"],
    eps: float = 1e-5,
) -> Float[Tensor, "*B D"]:
    r"""Normalize over the features of one token.

    $$\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$

    with the mean and the (biased, divided by D) variance of the last axis.

    Args:
        x: (..., D).
        gain: (D,), the scale gamma.
        bias: (D,), the shift beta.
        eps: keeps the root away from 0; added to the variance.

    Returns:
        (..., D).

    Source: Ba et al. 2016, equations 3 and 4. Chapter 6.
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    return gain * (x - mean) / torch.sqrt(variance + eps) + bias


class LayerNorm(nn.Module):
    """`layer_norm` with a learned gain and bias, computed by torch's kernel.

    Args:
        d_model: length of the last axis.
        eps: as in `layer_norm`.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        return F.layer_norm(x, self.gain.shape, self.gain, self.bias, self.eps)
