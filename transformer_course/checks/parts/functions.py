"""Drive a function of tensors: arrays in, numbers out.

A case names what is asked (`ASKED`), as `drive` does it for modules. The
tensors share the memory of the arrays, so that the judge sees an input that
the function has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from transformer_course.checks.parts.elsewhere import call_elsewhere

__all__ = ["SAID", "play"]


def play(function: Callable, say: str, ask: str, *inputs: Any) -> Any:
    """Answer one question about a function.

    Args:
        function: of tensors and numbers.
        say: what is done, in words, for the example of a verdict.
        ask: a key of `ASKED`.
        inputs: of the function: arrays and numbers. A None at the end is
            left out, so that the function's own default holds.

    Returns:
        Numbers; None or `...` if that is what the function returns.

    Raises:
        TypeError: a tensor is needed, and something else came.
    """
    while inputs and inputs[-1] is None:
        inputs = inputs[:-1]
    return ASKED[ask](function, inputs)


def _tensor(value: Any) -> Any:
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def _tensor_or_nothing(result: Any) -> Any:
    """Return a tensor, or what an empty function returns."""
    if result is None or result is Ellipsis or torch.is_tensor(result):
        return result
    raise TypeError(f"a tensor is wanted, {type(result).__name__} came")


def _output(function: Callable, inputs: tuple) -> Any:
    return function(*map(_tensor, inputs))


def _gradients(function: Callable, inputs: tuple) -> Any:
    """Gradients of the inputs that are no whole numbers, in one row."""
    given = list(map(_tensor, inputs))
    leaves = []
    for place, x in enumerate(given):
        if torch.is_tensor(x) and x.is_floating_point():
            leaves.append(x.clone().requires_grad_())
            given[place] = leaves[-1].clone()
    result = _tensor_or_nothing(function(*given))
    if not torch.is_tensor(result):
        return result
    if result.requires_grad:
        ramp = torch.arange(1.0, result.numel() + 1, dtype=result.dtype)
        (result.flatten() * ramp / result.numel()).sum().backward()
    return torch.cat(
        [
            torch.zeros(leaf.numel()) if leaf.grad is None
            else leaf.grad.flatten()
            for leaf in leaves
        ]
    )  # fmt: skip


def _types(function: Callable, inputs: tuple) -> Any:
    """The bits of a number of the result, for inputs with 64, 32 and 16."""
    bits = []
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        given = [
            x.to(dtype) if torch.is_tensor(x) and x.is_floating_point() else x
            for x in map(_tensor, inputs)
        ]
        result = _tensor_or_nothing(function(*given))
        if not torch.is_tensor(result):
            return result
        bits.append(8.0 * result.element_size())
    return bits


def _digits(function: Callable, inputs: tuple) -> Any:
    """The later digits of the result, as a sine.

    A number that was cut to 32 bits on the way has other ones there; the
    order of a sum moves them by much less than the check accepts. All are 0
    in a result that has not 64 bits, which is another mistake.
    """
    result = _tensor_or_nothing(function(*map(_tensor, inputs)))
    if not torch.is_tensor(result):
        return result
    return torch.sin(1e6 * result * (result.dtype == torch.float64))


def _true_or_false(function: Callable, inputs: tuple) -> Any:
    """1 if the result is a tensor of True and False."""
    result = _tensor_or_nothing(function(*map(_tensor, inputs)))
    if not torch.is_tensor(result):
        return result
    return float(result.dtype == torch.bool)


def _other_device(function: Callable, inputs: tuple) -> Any:
    """The shape of the result where the inputs lie on another device."""
    result = call_elsewhere(function, *map(_tensor, inputs))
    if not torch.is_tensor(_tensor_or_nothing(result)):
        return result
    return list(result.shape)


SAID = {
    "output": "the result",
    "gradients": "gradients of the inputs, one after another",
    "types": "bits of a number of the result, for inputs with 64, 32 and 16",
    "digits": "the digits after the sixth decimal of the result, as a sine",
    "true or false": "1 if the result is a tensor of True and False",
    "other device": "shape of the result, where the inputs lie on another "
    "device than the processor",
}
ASKED = {
    "output": _output,
    "gradients": _gradients,
    "types": _types,
    "digits": _digits,
    "true or false": _true_or_false,
    "other device": _other_device,
}
