"""Masks worked out on paper: two Korean sentences in one batch."""

from __future__ import annotations

import numpy as np

__all__ = ["columns", "triangle"]


def columns(length: int, width: int) -> np.ndarray:
    """(width, width) 0 in the columns of the padding on the right, else 1."""
    return np.tile(1.0 * (np.arange(width) < length), (width, 1))


def triangle(width: int, more: int = 0) -> np.ndarray:
    """(width, width) 1 up to the diagonal, or so many places beyond."""
    return np.tri(width, k=more)
