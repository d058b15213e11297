"""A GPU of Apple's, played on the CPU: it has no float64.

Its tensors say that they are on "mps". What a real one computes otherwise, or
cannot do besides, this one doesn't tell.
"""

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map


class OnApple(Tensor):
    """A tensor of the CPU that says it is on the GPU."""

    device = property(lambda self: torch.device("mps"))

    def clone(self, **options):  # deepcopy calls it
        return super().clone(**options).as_subclass(OnApple)


def is_device(x: object, name: str) -> bool:
    """Return whether an argument names a device of this kind."""
    return isinstance(x, str | torch.device) and str(x).split(":")[0] == name


class AppleGpu(TorchFunctionMode):
    """Answer for "mps", and refuse to make a float64 there."""

    def __enter__(self):
        # PyTorch would leave a parameter its class.
        torch.__future__.set_overwrite_module_params_on_conversion(True)
        return super().__enter__()

    def __exit__(self, *error):
        torch.__future__.set_overwrite_module_params_on_conversion(False)
        return super().__exit__(*error)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function in (torch.device, torch._C._nn._parse_to):
            return function(*args, **kwargs)
        given = tree_leaves((args, kwargs))
        leaves = function is Tensor.cpu or any(
            is_device(x, "cpu") for x in given
        )
        stays = any(isinstance(x, OnApple) for x in given)
        comes = any(is_device(x, "mps") for x in given)
        args, kwargs = tree_map(
            lambda x: torch.device("cpu") if is_device(x, "mps") else x,
            (args, kwargs),
        )
        made = function(*args, **kwargs)
        if leaves and not comes:
            return tree_map(self.off, made)
        return tree_map(self.on, made) if stays or comes else made

    def off(self, x):
        return x.as_subclass(Tensor) if isinstance(x, OnApple) else x

    def on(self, x):
        if not isinstance(x, Tensor):
            return x
        if x.dtype == torch.float64:
            raise TypeError("mps has no float64; float32 is the finest")
        return x if isinstance(x, OnApple) else x.as_subclass(OnApple)
