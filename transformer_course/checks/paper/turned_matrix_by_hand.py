"""Numbers worked out on paper: layer norm of a transposed matrix."""

from __future__ import annotations

import numpy as np

__all__ = ["layer_norm"]


def layer_norm(x: np.ndarray) -> np.ndarray:
    """Each row less its mean, over its deviation; a row of equals is 0."""
    away = x - x.mean(axis=1, keepdims=True)
    deviation = x.std(axis=1, keepdims=True)
    return away / np.where(deviation > 0, deviation, 1.0)
