"""What most exercises say of their example: the difference, the inputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transformer_course.checks.engine.reading import apart, show

__all__ = ["first_difference", "show_arrays"]


def first_difference(want: np.ndarray, got: np.ndarray) -> dict:
    """Return the facts of the first wrong number.

    Args:
        want: the right answer.
        got: the student's.

    Returns:
        `shape`, that of `got`, and where it is the right one, `came` and
        `wanted`, the two numbers, and `row`, where the number stands.
    """
    facts: dict = {"shape": got.shape}
    if got.shape == want.shape:
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            facts["came"], facts["wanted"] = apart(got[place], want[place])
            facts["row"] = place[-2] if len(place) > 1 else 0
    return facts


def show_arrays(*names: str) -> Callable[[tuple], str]:
    """Return what shows inputs of these names: matrices, or their shapes."""

    def shown(args: tuple) -> str:
        pairs = list(zip(names, map(np.asarray, args), strict=True))
        if all(array.ndim < 3 for _, array in pairs):
            return "\n".join(show(array, f"{name} = ") for name, array in pairs)
        return ", ".join(f"{n} of shape {array.shape}" for n, array in pairs)

    return shown
