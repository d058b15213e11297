"""The loss: how surprised is the model by what was right?"""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array
from transformer_lib.numpy_reference.masks import PAD
from transformer_lib.numpy_reference.probability import log_softmax

__all__ = ["smooth_targets", "token_loss"]


def smooth_targets(
    targets: ArrayLike,
    n_classes: int,
    epsilon: float,
    spread: str = "all",
    pad: int = PAD,
) -> Array:
    r"""Move probability epsilon from the target to other classes.

    $$q(k) = (1 - \epsilon)\,[k = y] + \epsilon / V$$

    With ``spread="wrong"`` it goes to the V - 1 wrong classes, with
    ``spread="wrong_words"`` to the V - 2 that are not <pad> either.

    Args:
        targets: (...), whole numbers from 0 to V - 1; not ``pad`` if the
            spread is "wrong_words".
        n_classes: V.
        epsilon: the probability moved, 0 <= epsilon < 1.
        spread: the classes it goes to: "all", "wrong" or "wrong_words".
        pad: the class that "wrong_words" leaves out.

    Returns:
        (..., V), rows that sum to 1.

    Raises:
        ValueError: epsilon, a target or the spread is out of range, or
            there is nobody to share with.

    Source: Szegedy et al. 2016, section 7; the other two are found in
    public code.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(
            f"epsilon={epsilon}; give a share from 0 up to, but not, 1"
        )
    targets = np.asarray(targets)
    if targets.size and not 0 <= targets.min() <= targets.max() < n_classes:
        raise ValueError(
            f"targets run from {targets.min()} to {targets.max()}; with "
            f"n_classes={n_classes} give numbers from 0 to {n_classes - 1}"
        )
    shares = np.zeros((*targets.shape, n_classes))
    for place, right in np.ndenumerate(targets):
        takers = _takers(right, n_classes, spread, pad)
        shares[(*place, right)] = 1 - epsilon
        for k in takers:
            shares[(*place, k)] += epsilon / len(takers)
    return shares


def _takers(right: int, n_classes: int, spread: str, pad: int) -> list[int]:
    """Return the classes among which epsilon is shared out."""
    left_out = {"all": [], "wrong": [right], "wrong_words": [right, pad]}
    if spread not in left_out:
        raise ValueError(f"spread={spread!r}; choose from {list(left_out)}")
    takers = [k for k in range(n_classes) if k not in left_out[spread]]
    if not takers:
        raise ValueError(f"n_classes={n_classes} leaves nobody to share with")
    return takers


def token_loss(
    logits: ArrayLike,
    targets: ArrayLike,
    epsilon: float = 0.0,
    pad: int = PAD,
) -> tuple[float, int]:
    r"""Sum the cross-entropy over real tokens, and count them.

    $$-\sum_{i:\, y_i \ne pad} \sum_k q_i(k) \ln p_i(k)$$

    with q from `smooth_targets` and p the softmax of the logits.

    Args:
        logits: (..., V), scores.
        targets: (...), the right tokens; ``pad`` is not counted.
        epsilon: label smoothing.
        pad: the id that fills up.

    Returns:
        The total in nats and the number of tokens it sums over.

    Raises:
        ValueError: as for `smooth_targets`.

    Source: Vaswani et al. 2017, section 5.4.
    """
    log_p = log_softmax(logits)
    wanted = smooth_targets(targets, log_p.shape[-1], epsilon)
    total, count = 0.0, 0
    for place, right in np.ndenumerate(targets):
        if right != pad:
            total -= float((wanted[place] * log_p[place]).sum())
            count += 1
    return total, count
