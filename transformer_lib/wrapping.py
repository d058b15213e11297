"""A model inside a wrapper of torch, and its parameters' own names."""

from typing import Any

from torch import nn

# What torch.compile and DataParallel with its kin call the module they hold.
WRAPPERS = ("_orig_mod", "module")


def own_name(name: str) -> str:
    """Return the name of a parameter as it is without any wrapper.

    Args:
        name: with the wrappers of the model and of its layers, such as
            "_orig_mod.encoder.norm.weight".

    Returns:
        The name in the plain model, such as "encoder.norm.weight".
    """
    return ".".join(part for part in name.split(".") if part not in WRAPPERS)


def unwrapped(model: nn.Module) -> Any:
    """Return the model that a wrapper holds.

    Args:
        model: in any number of wrappers, or in none.

    Returns:
        The model itself; its layers keep their wrappers.
    """
    for name in WRAPPERS:
        if name in model._modules:
            return unwrapped(model.get_submodule(name))
    return model
