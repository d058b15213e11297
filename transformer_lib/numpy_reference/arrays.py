"""What every formula does first: read its input as float64 or as a mask."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "Mask", "boolean", "floats"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def floats(x: ArrayLike) -> Array:
    """Read numbers as a float64 array."""
    return np.asarray(x, dtype=np.float64)


def boolean(mask: ArrayLike) -> Mask:
    """Read a mask, and refuse one that holds numbers.

    Raises:
        TypeError: the mask is not boolean.
    """
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(
            f"the mask holds {mask.dtype}; give True where a key may be "
            "looked at and False elsewhere (mask == 1)"
        )
    return mask
