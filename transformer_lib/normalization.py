"""Normalization: mean 0 and variance 1, over a token or over a batch."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.arguments import check_share, check_whole
from transformer_lib.shapes import check_width


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

    Raises:
        ValueError: gain or bias is not of length D: it would be stretched.

    Source: Ba et al. 2016, equations 3 and 4. Chapter 6.
    """
    for feature in (gain, bias):
        check_width(x, len(feature))
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    return gain * (x - mean) / torch.sqrt(variance + eps) + bias


def batch_norm(
    x: Float[Tensor, "*B D"],
    gain: Float[Tensor, " D"],
    bias: Float[Tensor, " D"],
    eps: float = 1e-5,
    mean: Float[Tensor, " D"] | None = None,
    variance: Float[Tensor, " D"] | None = None,
) -> Float[Tensor, "*B D"]:
    r"""Normalize each feature over all tokens of the batch.

    $$\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$

    with one mean and one (biased, divided by N) variance a feature, over all
    axes but the last; or with the two given, as after training.

    Args:
        x: (..., D).
        gain: (D,), the scale gamma.
        bias: (D,), the shift beta.
        eps: keeps the root away from 0; added to the variance.
        mean: (D,), used instead of the batch's own.
        variance: (D,), used instead of the batch's own.

    Returns:
        (..., D).

    Raises:
        ValueError: an argument is not of length D, only one of mean and
            variance is given, or x holds no token to take them from.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2. Chapter 6.
    """
    if (mean is None) != (variance is None):
        raise ValueError("give both mean and variance, or neither")
    for feature in (gain, bias, mean, variance):
        if feature is not None:
            check_width(x, len(feature))
    if mean is None:
        tokens = _tokens(x, at_least=1)
        mean = tokens.mean(dim=0)
        variance = tokens.var(dim=0, correction=0)
    return gain * (x - mean) / torch.sqrt(variance + eps) + bias


class _Norm(nn.Module):
    """A learned gain and bias for each feature."""

    def __init__(self, d_model: int, eps: float):
        super().__init__()
        check_whole("d_model", d_model)
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))


class LayerNorm(_Norm):
    """`layer_norm` with a learned gain and bias, computed by torch's kernel.

    Args:
        d_model: length of the last axis.
        eps: as in `layer_norm`.

    Source: Ba et al. 2016, equations 3 and 4. Chapter 6.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__(d_model, eps)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize each token by itself.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        check_width(x, len(self.gain))
        return F.layer_norm(x, self.gain.shape, self.gain, self.bias, self.eps)


class BatchNorm(_Norm):
    """`batch_norm` with a learned gain and bias, computed by torch's kernel.

    In train() the batch's own statistics are used, and running averages of
    them kept; in eval() the running averages are used, so that a token no
    longer depends on its companions.

    Args:
        d_model: length of the last axis.
        eps: as in `batch_norm`.
        momentum: share of the newest batch in the running averages, below 1.

    Raises:
        ValueError: a number outside its range; the message says which.

    Source: Ioffe and Szegedy 2015, algorithms 1 and 2. Chapter 6.
    """

    def __init__(
        self, d_model: int, eps: float = 1e-5, momentum: float = 0.1
    ):
        super().__init__(d_model, eps)
        check_share("momentum", momentum)
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(d_model))
        self.register_buffer("running_variance", torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize each feature over the batch, or by what was learned.

        The running variance takes the unbiased (divided by N - 1) variance,
        the normalization itself the biased one.

        Raises:
            ValueError: the last axis of x is not of length d_model, or x
                holds fewer than two tokens in train().
        """
        check_width(x, len(self.gain))
        normal = F.batch_norm(
            _tokens(x, at_least=2 if self.training else 0),
            self.running_mean,
            self.running_variance,
            self.gain,
            self.bias,
            self.training,
            self.momentum,
            self.eps,
        )
        return normal.reshape(x.shape)


def _tokens(x: Tensor, at_least: int) -> Tensor:
    """Lay all tokens of a batch under each other: (N, D)."""
    tokens = x.reshape(-1, x.shape[-1])
    if len(tokens) < at_least:
        raise ValueError(
            f"x of shape {tuple(x.shape)} holds {len(tokens)} tokens; the "
            f"statistics of a batch need {at_least} or more (in eval() the "
            "running ones are used)"
        )
    return tokens
