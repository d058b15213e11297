"""The loss: cross-entropy against smoothed targets."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.shapes import check_ids
from transformer_lib.special_tokens import PAD
from transformer_lib.validation import check_int, check_probability

__all__ = ["smooth_targets", "token_loss"]


def _check_targets(targets: Tensor, n_classes: int) -> None:
    if targets.numel() == 0:
        return
    low, high = int(targets.min()), int(targets.max())
    if low < 0 or high >= n_classes:
        raise ValueError(
            f"targets run from {low} to {high}; with {n_classes} classes "
            f"give numbers from 0 to {n_classes - 1}"
        )


def smooth_targets(
    targets: Int[Tensor, "*B"],
    n_classes: int,
    epsilon: float,
    spread: str = "all",
    pad: int = PAD,
) -> Float[Tensor, "*B {n_classes}"]:
    r"""Move probability epsilon from the target to other classes.

    $$q(k) = (1 - \epsilon)\,[k = y] + \epsilon / V$$

    This is ``spread="all"``, the original and the library's choice
    everywhere. Public code also spreads epsilon over the V - 1 "wrong"
    classes, or over the V - 2 "wrong_words", which leaves out <pad>.

    Args:
        targets: the right classes, from 0 to V - 1; none is ``pad`` if the
            spread is "wrong_words".
        n_classes: V.
        epsilon: the probability moved, 0 <= epsilon < 1.
        spread: the classes it goes to: "all", "wrong" or "wrong_words".
        pad: the class that "wrong_words" leaves out.

    Returns:
        A distribution over the V classes for each target.

    Raises:
        TypeError: the targets are not whole numbers.
        ValueError: epsilon outside [0, 1), an unknown spread, a target that
            is not one of the classes, or no class to spread to.

    Source: Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4.
    """
    check_probability("epsilon", epsilon)
    check_int("n_classes", n_classes)
    check_ids(targets)
    n_spread = _count_spread(spread, n_classes)
    _check_targets(targets, n_classes)
    right = F.one_hot(targets, n_classes).to(torch.get_default_dtype())
    if spread == "all":
        return (1 - epsilon) * right + epsilon / n_spread
    smooth = (1 - epsilon) * right + epsilon / n_spread * (1 - right)
    if spread == "wrong_words":
        smooth[..., pad] = 0.0
    return smooth


def _count_spread(spread: str, n_classes: int) -> int:
    """Return the number of classes that epsilon is spread over."""
    counts = {
        "all": n_classes,
        "wrong": n_classes - 1,
        "wrong_words": n_classes - 2,
    }
    if spread not in counts:
        raise ValueError(f"spread={spread!r}; choose from {', '.join(counts)}")
    if counts[spread] < 1:
        raise ValueError(
            f"n_classes={n_classes} leaves none for spread={spread!r}"
        )
    return counts[spread]


def token_loss(
    logits: Float[Tensor, "*B V"],
    targets: Int[Tensor, "*B"],
    epsilon: float = 0.0,
    pad: int = PAD,
) -> tuple[Float[Tensor, ""], Int[Tensor, ""]]:
    """Sum the cross-entropy over real tokens, and count them.

    Sums can be added over batches and processes; divide once, at the end.

    Args:
        logits: unnormalized scores of the V classes.
        targets: the right tokens; positions that hold ``pad`` do not count.
        epsilon: label smoothing as in `smooth_targets`.
        pad: the id that fills up.

    Returns:
        The total in nats, in float32 at least, and the number of tokens it
        sums over.

    Raises:
        TypeError: the targets are not whole numbers.
        ValueError: epsilon outside [0, 1), logits and targets of different
            shapes, or a target that is not one of the V classes.

    Source: Vaswani et al. 2017, section 5.4.
    """
    check_probability("epsilon", epsilon)
    check_ids(targets)
    if logits.shape[:-1] != targets.shape:
        raise ValueError(
            f"logits of shape {tuple(logits.shape)} came with targets of "
            f"shape {tuple(targets.shape)}; give (..., V) and (...)"
        )
    # A sum over many tokens needs float32 at least.
    exact = torch.promote_types(logits.dtype, torch.float32)
    try:
        total = F.cross_entropy(
            logits.flatten(0, -2).to(exact),
            targets.flatten(),
            ignore_index=pad,
            label_smoothing=epsilon,
            reduction="sum",
        )
    except IndexError:
        _check_targets(targets, logits.shape[-1])
        raise
    return total, (targets != pad).sum()
