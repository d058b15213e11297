"""A second device with numbers of its own, on every machine.

Where a model lies on a GPU, a tensor that a function makes without naming a
device lies on the processor, and the two cannot be joined. torch's device
`meta` has shapes only, and loads hundreds of modules to compute them. Inside
`Elsewhere` it has numbers: they are worked out on the processor, so that a
function may look at values, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

__all__ = ["THERE", "Elsewhere", "call_elsewhere"]

THERE = "meta"
_MAY_MIX = {  # copies, and indices that stayed on the processor
    torch.ops.aten.copy_,
    torch.ops.aten.index,
    torch.ops.aten.index_put,
    torch.ops.aten.index_put_,
}


def call_elsewhere(function: Callable, *inputs: Any) -> Any:
    """Call a function with its tensors on the other device.

    Args:
        function: to call.
        inputs: tensors, which move, and whatever else it takes.

    Returns:
        The result, on the processor.

    Raises:
        RuntimeError: tensors of both devices meet, or the result lies on the
            processor.
    """
    with Elsewhere():
        result = function(*_moved(inputs, THERE))
        if any(not _is_there(x) for x in tree_leaves(result) if _is_large(x)):
            raise RuntimeError("the result lies on the processor")
        return _moved(result, "cpu")


class Elsewhere(TorchFunctionMode):
    """Inside, `meta` is a device with numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = _Numbers()

    def __enter__(self) -> Elsewhere:
        self._numbers.__enter__()
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self._numbers.__exit__(*error)

    def __torch_function__(
        self, func: Callable, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Bring numbers of Python there; torch alone would drop them."""
        kwargs = dict(kwargs or {})
        if func in (Tensor.__getitem__, Tensor.__setitem__):
            x, index, *value = args
            return func(x, _without_lists(index), *value)
        if func is Tensor.new_tensor:
            like, *args = args
            kwargs = {"dtype": like.dtype, "device": like.device} | kwargs
            func = torch.tensor
        if func not in (torch.tensor, torch.as_tensor, torch.asarray):
            return func(*args, **kwargs)
        device = kwargs.pop("device", None)
        made = func(*args, **kwargs)
        return made if device is None else made.to(device)


class _Numbers(TorchDispatchMode):
    """Work out on the processor what is asked of tensors on `meta`.

    Memory there has memory here, so views see what is written to each other.
    """

    def __init__(self) -> None:
        super().__init__()
        self._memory: dict[int, tuple] = {}  # by address: there, here

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Do not load the compiler at the first call: it takes seconds."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        with self:  # in inference mode what is made of others comes whole
            result = func.decompose(*args, **kwargs)
        if result is not NotImplemented:
            return result
        tensors = [x for x in tree_leaves((args, kwargs)) if _is_tensor(x)]
        if len({_is_there(x) for x in tensors if _is_large(x)}) > 1 and not (
            func.overloadpacket in _MAY_MIX and _is_there(tensors[0])
        ):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at "
                f"least two devices, cpu and {THERE}"
            )
        if _is_view(func):
            return func(*args, **kwargs)
        there = any(map(_is_there, tensors))
        if kwargs.get("device") is not None:
            there = kwargs["device"].type == THERE
            kwargs["device"] = torch.device("cpu")
        given: list[tuple[Tensor, Tensor]] = []

        def here(x: Any) -> Any:
            if not _is_tensor(x) or not _is_there(x):
                return x
            given.append((x, self._here(x)))
            return given[-1][1]

        def back(x: Any) -> Any:
            for theirs, ours in given:
                if x is ours:  # written to, and returned
                    return theirs
            return self._there(x) if there and _is_tensor(x) else x

        result = func(*tree_map(here, args), **tree_map(here, kwargs))
        return tree_map(back, result)

    def _here(self, x: Tensor) -> Tensor:
        """The numbers of a tensor there, in the memory that it has here."""
        theirs = x.untyped_storage()
        if theirs._cdata not in self._memory:  # made unseen: zeros must do
            ours = torch.zeros(theirs.nbytes(), dtype=torch.uint8)
            self._memory[theirs._cdata] = theirs, ours.untyped_storage()
        _, memory = self._memory[theirs._cdata]
        place = x.storage_offset(), x.size(), x.stride()
        return torch.empty(0, dtype=x.dtype).set_(memory, *place)

    def _there(self, x: Tensor) -> Tensor:
        """A tensor there that has the numbers of one here."""
        if x.storage_offset():  # a part of a whole that has no name there
            x = x.clone()
        made = torch.empty_strided(
            x.size(), x.stride(), dtype=x.dtype, device=THERE
        )
        theirs, ours = made.untyped_storage(), x.untyped_storage()
        self._memory[theirs._cdata] = theirs, ours
        return made


def _moved(value: Any, device: str) -> Any:
    return tree_map(lambda x: x.to(device) if _is_tensor(x) else x, value)


def _without_lists(index: Any) -> Any:
    """An index with tensors on the processor in place of lists and arrays."""
    if isinstance(index, tuple):
        return tuple(map(_without_lists, index))
    if isinstance(index, np.ndarray) or (
        isinstance(index, (list, range))
        and {type(place) for place in index} in ({int}, {bool})
    ):
        return torch.as_tensor(index)
    return index


def _is_view(func: Any) -> bool:
    """True for an operation that looks at the memory of its input anew."""
    if torch.Tag.inplace_view in func.tags:
        return True
    shared = (x.alias_info for x in func._schema.arguments)
    return any(x is not None and not x.is_write for x in shared)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def _is_large(value: Any) -> bool:
    """True for a tensor with axes: a single number may be joined to all."""
    return _is_tensor(value) and value.dim() > 0


def _is_there(value: Tensor) -> bool:
    return value.device.type == THERE
