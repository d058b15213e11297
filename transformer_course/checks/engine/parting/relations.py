"""What two arrays have in common, and where they differ."""

from __future__ import annotations

import numpy as np

from transformer_course.checks.engine.reading import apart, number, same

__all__ = [
    "agree",
    "compared",
    "factor_of",
    "piled_like",
    "relation_of",
    "rows",
    "same_for_each_row",
    "varied",
]


def agree(one: object, other: object) -> bool:
    """True for the same vectors, in whatever axes they are piled up."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return same(one, piled_like(one, other))
    return one is other


def piled_like(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The other array in the axes of the one, if the vectors are as many."""
    may_be = one.size == other.size and one.shape[-1:] == other.shape[-1:]
    return other.reshape(one.shape) if may_be else other


def varied(array: np.ndarray) -> bool:
    """True for numbers that are no mask, no constant and no count."""
    different = np.unique(np.round(array[np.isfinite(array)], 6))
    whole = np.equal(different, np.round(different)).all()
    if array.size == 1:  # such as 0.1 may be written anywhere
        return bool(len(different)) and not same(array, array.round(3))
    return len(different) > (2 if whole else 1)


def rows(array: np.ndarray) -> int:
    """How many vectors an array holds."""
    return array.size // array.shape[-1] if array.size and array.ndim else 0


def same_for_each_row(wanted: np.ndarray, came: np.ndarray) -> bool:
    """True for one shift, or one factor, of each row of two or more."""
    if wanted.ndim == 0 or wanted.shape[-1] < 2:
        return False
    usual = np.isfinite(wanted) & np.isfinite(came) & (wanted != 0)
    with np.errstate(all="ignore"):
        for change in (came - wanted, came / wanted):
            top = change.max(-1, initial=-np.inf, where=usual)
            low = change.min(-1, initial=np.inf, where=usual)
            if (top - low).max(initial=0) < 1e-6:
                return True
    return False


def factor_of(wanted: np.ndarray, came: np.ndarray) -> float | None:
    """What one array is multiplied by to give another one."""
    large = np.isfinite(wanted) & (np.abs(wanted) > 1e-3)
    if wanted.shape != came.shape or large.sum() < 2:
        return None
    factor = float((came[large] / wanted[large]).flat[0])
    fits = abs(factor) > 1e-6 and same(came, factor * wanted)
    return factor if fits else None


def compared(wanted: np.ndarray, came: np.ndarray) -> str:
    """Say how two arrays differ: in one relation, or where first."""
    relation = relation_of(wanted, came)
    if relation:
        return relation
    wrong = ~np.isclose(came, wanted, rtol=1e-5, atol=1e-6, equal_nan=True)
    if not wrong.any():
        return "they differ."
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    one, two = apart(came[place], wanted[place])
    if not place:
        return f"it is {one} instead of {two}."
    return f"the first difference, at {list(place)}, is {one} instead of {two}."


def relation_of(wanted: np.ndarray, came: np.ndarray) -> str:
    """Say what was done to the wanted numbers; "" where it is not one thing."""
    if wanted.size < 3 or not np.isfinite(wanted).all():
        return ""
    if not varied(wanted):
        return ""
    if same(came, -wanted):
        return "each number has the other sign."
    factor = factor_of(wanted, came)
    if factor is not None:
        return f"each number is {number(factor)} times the wanted one."
    shift = (came - wanted).flat[0]
    if same(came, wanted + shift):
        less, more = ("less", -shift) if shift < 0 else ("more", shift)
        return f"each number is {number(more)} {less} than the wanted one."
    if same(came, np.abs(wanted)):
        return "what should be negative has lost its sign."
    if same(came, np.maximum(wanted, 0)):
        return "what should be negative is 0."
    if wanted.ndim > 1 and same(came, np.swapaxes(wanted, -1, -2)):
        return "rows and columns have changed places."
    for axis in range(wanted.ndim):
        if wanted.shape[axis] > 1 and same(came, np.flip(wanted, axis)):
            return f"axis {axis} runs the other way round."
    several = len(np.unique(wanted.round(6))) > 4
    if several and same(np.sort(came, None), np.sort(wanted, None)):
        return "the numbers are the wanted ones, in another order."
    return ""
