"""Training: learning rates, clipping, Adam, averaged weights."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats

__all__ = [
    "adam_update",
    "average",
    "clip_gradients",
    "cosine_lr",
    "noam_lr",
]


def noam_lr(step: int, d_model: int, warmup: int) -> float:
    r"""Return the paper's learning rate: a line up, then a root down.

    $$d^{-1/2} \min(step^{-1/2}, step \cdot warmup^{-3/2})$$

    Args:
        step: the update, counted from 1.
        d_model: width of the model.
        warmup: the step of the peak.

    Returns:
        The learning rate, above 0.

    Raises:
        ValueError: step or warmup is below 1.

    Source: Vaswani et al. 2017, section 5.3, equation 3.
    """
    if step < 1 or warmup < 1:
        raise ValueError(f"step={step}, warmup={warmup}; both count from 1")
    peak = 1 / (d_model * warmup) ** 0.5
    if step < warmup:
        return peak * step / warmup
    return peak * (warmup / step) ** 0.5


def cosine_lr(step: int, max_lr: float, warmup: int, total: int) -> float:
    r"""Return a learning rate: a line up, then half a cosine down.

    $$lr_{max} \cdot \frac{step}{warmup}, \quad\text{then}\quad
      \frac{lr_{max}}{2}
      \left(1 + \cos \pi \frac{step - warmup}{total - warmup}\right)$$

    Args:
        step: the update, counted from 1.
        max_lr: the highest learning rate, reached at step ``warmup``.
        warmup: steps of the rise.
        total: the step from which on the learning rate is 0.

    Returns:
        The learning rate, from 0 to ``max_lr``.

    Raises:
        ValueError: step or warmup is below 1.

    Source: Loshchilov and Hutter 2017, equation 5.
    """
    if step < 1 or warmup < 1:
        raise ValueError(f"step={step}, warmup={warmup}; both count from 1")
    if step <= warmup:
        return step * max_lr / warmup
    if step >= total:
        return 0.0
    # 1 + cos(2 a) = 2 cos(a)^2
    half_angle = np.pi / 2 * (step - warmup) / (total - warmup)
    return float(max_lr * np.cos(half_angle) ** 2)


def clip_gradients(
    gradients: Sequence[ArrayLike], max_norm: float, eps: float = 1e-6
) -> tuple[list[Array], float]:
    r"""Rescale all gradients together if their norm is above ``max_norm``.

    $$g \leftarrow g \cdot \min\left(1,
      \frac{norm_{max}}{\lVert g \rVert + \epsilon}\right)$$

    Args:
        gradients: one array for each parameter.
        max_norm: the largest norm allowed, of all elements together.
        eps: keeps the quotient finite, as torch does it.

    Returns:
        The gradients, and their norm before.

    Source: Pascanu et al. 2013, algorithm 1.
    """
    arrays = [floats(gradient) for gradient in gradients]
    norm = float(sum((g**2).sum() for g in arrays) ** 0.5)
    factor = min(1.0, max_norm / (norm + eps))
    return [factor * g for g in arrays], norm


def adam_update(
    parameter: ArrayLike,
    gradient: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    step: int,
    lr: float,
    betas: tuple[float, float] = (0.9, 0.98),
    eps: float = 1e-9,
) -> tuple[Array, Array, Array]:
    r"""Take one step of Adam; nothing is changed in place.

    $$m_t = \beta_1 m_{t-1} + (1 - \beta_1) g, \quad
      v_t = \beta_2 v_{t-1} + (1 - \beta_2) g^2$$
    $$\theta_t = \theta_{t-1} - \eta \,
      \frac{m_t / (1 - \beta_1^t)}
      {\sqrt{v_t / (1 - \beta_2^t)} + \epsilon}$$

    Args:
        parameter: theta, of any shape.
        gradient: g, of the same shape.
        first: m, the running mean of gradients; zeros before step 1.
        second: v, the running mean of their squares; zeros before step 1.
        step: t, counted from 1.
        lr: eta, the learning rate of this step.
        betas: how much of m and of v is kept.
        eps: keeps the quotient finite; outside the root.

    Returns:
        theta, m and v after the step.

    Raises:
        ValueError: the step is below 1.

    Source: Kingma and Ba 2015, algorithm 1; the numbers are those of
    Vaswani et al. 2017, section 5.3.
    """
    if step < 1:
        raise ValueError(f"step={step}; the first update is step 1")
    gradient = floats(gradient)
    keep_m, keep_v = betas
    m = keep_m * floats(first) + (1 - keep_m) * gradient
    v = keep_v * floats(second) + (1 - keep_v) * gradient**2
    direction = (m / (1 - keep_m**step)) / (
        np.sqrt(v / (1 - keep_v**step)) + eps
    )
    return floats(parameter) - lr * direction, m, v


def average(
    weights: Sequence[Mapping[str, ArrayLike]],
) -> dict[str, Array]:
    r"""Average several versions of the same weights, name by name.

    $$\bar\theta = \frac{1}{n} \sum_i \theta_i$$

    Args:
        weights: mappings from names to arrays of equal shapes.

    Returns:
        One mapping, in float64.

    Raises:
        ValueError: there is none, or their names or shapes differ.

    Source: Vaswani et al. 2017, section 6.1.
    """
    if not weights:
        raise ValueError("give one set of weights or more")
    shapes = [{k: np.shape(v) for k, v in w.items()} for w in weights]
    if any(one != shapes[0] for one in shapes):
        raise ValueError("the weights differ in their names or shapes")
    return {
        name: np.sum([floats(w[name]) for w in weights], axis=0) / len(weights)
        for name in weights[0]
    }
