"""Worked out on paper: what a decoder reads and what it should say."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["filled", "to_the_right"]


def filled(rows: Any, width: int, pad: int) -> np.ndarray:
    """Rows of ids, filled up on the right."""
    return np.array([[*row, *[pad] * (width - len(row))] for row in rows])


def to_the_right(rows: np.ndarray, pad: int) -> np.ndarray:
    """The same rows with their padding on the left."""
    return np.array([[*row[row == pad], *row[row != pad]] for row in rows])
