"""What a device can compute with."""

import torch

__all__ = ["finest"]


def finest(device: torch.device | str) -> torch.dtype:
    """Return the numbers of a device that have the most digits.

    Args:
        device: any.

    Returns:
        float64; float32 for "mps", since Apple's GPUs have no float64.
    """
    apple = torch.device(device).type == "mps"
    return torch.float32 if apple else torch.float64
