"""The loss: cross-entropy against targets that are not quite certain."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.tokenizer import PAD


def _check(epsilon: float) -> None:
    if not 0 <= epsilon < 1:
        raise ValueError(
            f"smoothing epsilon={epsilon}; choose 0 <= epsilon < 1"
        )


def smooth_targets(
    targets: Int[Tensor, "*B"], n_classes: int, epsilon: float
) -> Float[Tensor, "*B {n_classes}"]:
    r"""Move a share epsilon of the certainty to all classes alike.

    $$q(k) = (1 - \epsilon)\,[k = y] + \epsilon / V$$

    Args:
        targets: (...), the right classes.
        n_classes: V.
        epsilon: the share, 0 <= epsilon < 1.

    Returns:
        (..., V), rows that sum to 1.

    Raises:
        ValueError: epsilon outside [0, 1).

    Source: Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4.
    Chapter 12.
    """
    _check(epsilon)
    one_hot = F.one_hot(targets, n_classes).to(torch.get_default_dtype())
    return (1 - epsilon) * one_hot + epsilon / n_classes


def token_loss(
    logits: Float[Tensor, "*B V"],
    targets: Int[Tensor, "*B"],
    epsilon: float = 0.0,
    pad: int = PAD,
) -> tuple[Float[Tensor, ""], Int[Tensor, ""]]:
    """Sum the cross-entropy over real tokens, and count them.

    Sums can be added over batches and processes; divide once, at the end.

    Args:
        logits: (..., V), unnormalized scores.
        targets: (...), the right tokens; positions that hold ``pad`` are
            not counted.
        epsilon: label smoothing as in `smooth_targets`.
        pad: the id that fills up.

    Returns:
        The total in nats and the number of tokens it sums over.

    Raises:
        ValueError: epsilon outside [0, 1).

    Chapter 12.
    """
    _check(epsilon)
    total = F.cross_entropy(
        logits.flatten(0, -2),
        targets.flatten(),
        ignore_index=pad,
        label_smoothing=epsilon,
        reduction="sum",
    )
    return total, (targets != pad).sum()
