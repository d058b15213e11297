"""The learning rate as a pure function of the step."""

import math

from transformer_lib.validation import check_int, check_positive


def noam_lr(step: int, d_model: int, warmup: int) -> float:
    r"""Rise linearly for ``warmup`` steps, then fall with the root.

    $$d_{model}^{-1/2} \min(step^{-1/2}, step \cdot warmup^{-3/2})$$

    Args:
        step: the update, counted from 1.
        d_model: width of the model.
        warmup: steps until the peak, which is (d_model * warmup)^-0.5.

    Returns:
        The learning rate of that update.

    Raises:
        TypeError: an argument is not a whole number.
        ValueError: step, warmup or d_model below 1.

    Source: Vaswani et al. 2017, section 5.3, equation 3.
    """
    check_int("step", step)
    check_int("d_model", d_model)
    check_int("warmup", warmup)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine_lr(step: int, max_lr: float, warmup: int, total: int) -> float:
    """Rise linearly to ``max_lr``, then follow half a cosine down to 0.

    Args:
        step: the update, counted from 1.
        max_lr: the highest learning rate, reached at step ``warmup``.
        warmup: steps of the rise.
        total: the step at which the learning rate is 0.

    Returns:
        The learning rate of that update.

    Raises:
        TypeError: step, warmup or total is not a whole number.
        ValueError: one of them is below 1, or max_lr not above 0.

    Source: Loshchilov and Hutter 2017, equation 5.
    """
    check_int("step", step)
    check_int("warmup", warmup)
    check_int("total", total)
    check_positive("max_lr", max_lr)
    if step <= warmup:
        return max_lr * step / warmup
    done = min(1.0, (step - warmup) / max(1, total - warmup))
    return max_lr * (1 + math.cos(math.pi * done)) / 2
