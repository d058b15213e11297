"""Numbers worked out on paper: how widely sums of products scatter."""

from __future__ import annotations

from itertools import product

import numpy as np

__all__ = ["sums_of_products"]


def sums_of_products(d: int, size: float = 1.0) -> np.ndarray:
    """All 2^d sums of d products that are +size or -size each."""
    return np.array([sum(s) for s in product((size, -size), repeat=d)])
