"""The learning rate as a pure function of the step."""

import math

from transformer_lib.arguments import check_positive, check_whole


def noam_rate(step: int, d_model: int, warmup: int) -> float:
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

    Source: Vaswani et al. 2017, section 5.3, equation 3. Chapter 13.
    """
    check_whole("step", step)
    check_whole("d_model", d_model)
    check_whole("warmup", warmup)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine_rate(step: int, peak: float, warmup: int, total: int) -> float:
    """Rise linearly to ``peak``, then follow half a cosine down to 0.

    Args:
        step: the update, counted from 1.
        peak: the highest rate, reached at step ``warmup``.
        warmup: steps of the rise.
        total: the step at which the rate is 0.

    Returns:
        The learning rate of that update.

    Raises:
        TypeError: step, warmup or total is not a whole number.
        ValueError: one of them is below 1, or the peak not above 0.

    Source: Loshchilov and Hutter 2017, equation 5. Chapter 13.
    """
    check_whole("step", step)
    check_whole("warmup", warmup)
    check_whole("total", total)
    check_positive("peak", peak)
    if step <= warmup:
        return peak * step / warmup
    done = min(1.0, (step - warmup) / max(1, total - warmup))
    return peak * (1 + math.cos(math.pi * done)) / 2
