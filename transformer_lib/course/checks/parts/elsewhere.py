"""Call a function as if its inputs lay on another device.

A tensor that a function makes without naming a device lies on the processor;
where the inputs lie on a GPU, the two cannot be joined. This shows it on the
processor alone, with real numbers, so that a function may look at values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

__all__ = ["Elsewhere", "lies_here"]

_MAKERS = frozenset(
    getattr(torch, name)
    for name in (
        "arange", "as_tensor", "empty", "eye", "from_numpy", "full",
        "linspace", "ones", "rand", "randn", "tensor", "tril_indices",
        "triu_indices", "zeros",
    )
)  # fmt: skip
_INDEXING = (Tensor.__getitem__, Tensor.__setitem__)


class _Left(Tensor):
    """A tensor that was left on the processor."""

    @classmethod
    def __torch_function__(
        cls, func: Callable, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Join those that were left behind, and refuse the others."""
        kwargs = kwargs or {}
        found = list(_tensors((args, kwargs)))
        leaves = _moves(func, args, kwargs)
        leaves = leaves or not all(isinstance(t, _Left) for t in found)
        with torch._C.DisableTorchFunctionSubclass():
            large = {isinstance(t, _Left) for t in found if t.ndim}
            if len(large) > 1 and not _indexes(func, args):
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but "
                    "found at least two devices, one of them the cpu"
                )
            result = func(*args, **kwargs)
            if not isinstance(result, Tensor):
                return result
            return result.as_subclass(Tensor if leaves else _Left)


class Elsewhere(TorchFunctionMode):
    """What is made inside without a device is left on the processor.

    As on a GPU, single numbers may be joined, and indices, too.
    """

    def __torch_function__(
        self, func: Callable, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Mark the results of those that make tensors."""
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if func not in _MAKERS or kwargs.get("device") is not None:
            return result
        if args and isinstance(args[0], Tensor):  # as_tensor keeps the device
            return result
        return result.as_subclass(_Left)


def lies_here(value: Any) -> bool:
    """Say whether a result was left on the processor; one number may be."""
    with torch._C.DisableTorchFunctionSubclass():
        return any(isinstance(t, _Left) and t.ndim for t in _tensors(value))


def _indexes(func: Callable, args: tuple) -> bool:
    """True for indices from the processor into a tensor on the device."""
    return func in _INDEXING and not isinstance(args[0], _Left)


def _moves(func: Callable, args: tuple, kwargs: dict) -> bool:
    """True for a call that carries a tensor to a device."""
    if func is Tensor.type_as:
        return True
    where = (*args[1:], *kwargs.values())
    kinds = (torch.device, Tensor, str)
    return func is Tensor.to and any(isinstance(x, kinds) for x in where)


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
