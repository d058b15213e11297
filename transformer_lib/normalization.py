"""Normalization: mean 0 and variance 1, over a token or over a batch."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.shapes import check_width
from transformer_lib.validation import check_int, check_probability


def layer_norm(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"],
    bias: Float[Tensor, " D"],
    eps: float = 1e-5,
) -> Float[Tensor, "*B D"]:
    r"""Normalize over the features of one token.

    $$\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$

    with the mean and the (biased, divided by D) variance of the last axis.

    Args:
        x: vectors of length D.
        weight: the scale gamma.
        bias: the shift beta.
        eps: keeps the root away from 0; added to the variance.

    Returns:
        x, normalized, scaled and shifted.

    Raises:
        ValueError: weight or bias is not of length D: it would be broadcast.

    Source: Ba et al. 2016, equations 3 and 4.
    """
    check_width(x, len(weight), len(bias))
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, correction=0, keepdim=True)
    return weight * (x - mean) / torch.sqrt(var + eps) + bias


def batch_norm(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"],
    bias: Float[Tensor, " D"],
    eps: float = 1e-5,
    mean: Float[Tensor, " D"] | None = None,
    var: Float[Tensor, " D"] | None = None,
) -> Float[Tensor, "*B D"]:
    r"""Normalize each feature over all tokens of the batch.

    $$\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$

    with one mean and one (biased, divided by N) variance a feature, over all
    axes but the last; or with the two given, as after training.

    Args:
        x: vectors of length D.
        weight: the scale gamma.
        bias: the shift beta.
        eps: keeps the root away from 0; added to the variance.
        mean: used instead of the batch's own.
        var: used instead of the batch's own.

    Returns:
        x, normalized, scaled and shifted.

    Raises:
        ValueError: an argument is not of length D, only one of mean and var
            is given, or x holds no token to take them from.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2.
    """
    if (mean is None) != (var is None):
        raise ValueError("give both mean and var, or neither")
    if mean is None or var is None:
        tokens = _tokens(x, at_least=1)
        mean, var = tokens.mean(dim=0), tokens.var(dim=0, correction=0)
    check_width(x, len(weight), len(bias), len(mean), len(var))
    return weight * (x - mean) / torch.sqrt(var + eps) + bias


class _Norm(nn.Module):
    """A learned weight and bias for each feature."""

    def __init__(self, d_model: int, eps: float):
        super().__init__()
        check_int("d_model", d_model)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))


class LayerNorm(_Norm):
    """`layer_norm` with a learned weight and bias, computed by torch's kernel.

    Args:
        d_model: length of the last axis.
        eps: as in `layer_norm`.

    Source: Ba et al. 2016, equations 3 and 4.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__(d_model, eps)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize each token by itself.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        check_width(x, len(self.weight))
        shape = self.weight.shape
        return F.layer_norm(x, shape, self.weight, self.bias, self.eps)


class BatchNorm(_Norm):
    """`batch_norm` with a learned weight and bias, computed by torch's kernel.

    In train() the batch's own statistics are used, and running averages of
    them kept; in eval() the running averages are used, so that a token no
    longer depends on its companions.

    Args:
        d_model: length of the last axis.
        eps: as in `batch_norm`.
        momentum: weight of the newest batch in the running averages, below 1.

    Raises:
        ValueError: a number outside its range; the message says which.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2.
    """

    running_mean: Tensor
    running_var: Tensor

    def __init__(self, d_model: int, eps: float = 1e-5, momentum: float = 0.1):
        super().__init__(d_model, eps)
        check_probability("momentum", momentum)
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(d_model))
        self.register_buffer("running_var", torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize each feature over the batch, or by what was learned.

        The running variance takes the unbiased (divided by N - 1) variance,
        the normalization itself the biased one.

        Raises:
            ValueError: the last axis of x is not of length d_model, or x
                holds fewer than two tokens in train().
        """
        check_width(x, len(self.weight))
        normal = F.batch_norm(
            _tokens(x, at_least=2 if self.training else 0),
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training,
            self.momentum,
            self.eps,
        )
        return normal.reshape(x.shape)


def _tokens(x: Tensor, at_least: int) -> Tensor:
    """Lay all tokens of a batch under each other: (N, D)."""
    tokens = x.reshape(-1, x.shape[-1])
    if tokens.shape[0] < at_least:
        raise ValueError(
            f"x of shape {tuple(x.shape)} holds {tokens.shape[0]} tokens; the "
            f"statistics of a batch need {at_least} or more (in eval() the "
            "running ones are used)"
        )
    return tokens
