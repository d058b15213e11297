"""A table filled on paper: which Korean word takes from which English one."""

from __future__ import annotations

import numpy as np

__all__ = ["row"]


def row(english: list[str], main: str, *helpers: str) -> np.ndarray:
    """Half of the weight for the main word, half for its helpers together."""
    weights = np.zeros(len(english))
    weights[english.index(main)] = 0.5 if helpers else 1.0
    for word in helpers:
        weights[english.index(word)] = 0.5 / len(helpers)
    return weights
