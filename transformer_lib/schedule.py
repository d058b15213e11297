"""The learning rate as a pure function of the step."""

import math


def _check(step: int, warmup: int) -> None:
    if step < 1:
        raise ValueError(f"step={step}; the first update is step 1")
    if warmup < 1:
        raise ValueError(f"warmup={warmup}; choose 1 step or more")


def noam_rate(step: int, d_model: int, warmup: int) -> float:
    r"""Rise linearly for ``warmup`` steps, then fall with the root.

    $$d_{model}^{-1/2} \min(step^{-1/2}, step \cdot warmup^{-3/2})$$

    Args:
        step: the update, counted from 1.
        d_model: width of the model.
        warmup: steps until the peak, which is (d_model * warmup)^-0.5.

    Raises:
        ValueError: step or warmup below 1.

    Source: Vaswani et al. 2017, section 5.3, equation 3. Chapter 13.
    """
    _check(step, warmup)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine_rate(step: int, peak: float, warmup: int, total: int) -> float:
    """Rise linearly to ``peak``, then follow half a cosine down to 0.

    Args:
        step: the update, counted from 1.
        peak: the highest rate, reached at step ``warmup``.
        warmup: steps of the rise.
        total: the step at which the rate is 0.

    Raises:
        ValueError: step or warmup below 1.

    Source: Loshchilov and Hutter 2017, equation 5. Chapter 13.
    """
    _check(step, warmup)
    if step <= warmup:
        return peak * step / warmup
    done = min(1.0, (step - warmup) / max(1, total - warmup))
    return peak * (1 + math.cos(math.pi * done)) / 2
