"""What a device can compute with."""

import torch

__all__ = ["finest"]


def finest(device: torch.device | str) -> torch.dtype:
    """Return the numbers of a device that have the most digits.

    The device is asked; nothing is computed there, and nothing is waited for.

    Args:
        device: any.

    Returns:
        float64; float32 where the device has none, as Apple's GPUs ("mps").
    """
    try:
        return torch.empty(0, dtype=torch.float64, device=device).dtype
    except TypeError:
        return torch.float32
