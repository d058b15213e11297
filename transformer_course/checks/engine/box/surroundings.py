"""What foreign code may change around it, and how that is put back.

The generators of random numbers (Python's, NumPy's, torch's), torch's default
type, the working folder, the recursion limit, and the functions of the modules
that a check uses.
"""

from __future__ import annotations

import builtins
import contextlib
import math
import operator
import os
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine.box import limits

__all__ = ["GENERATORS", "SURROUNDINGS", "draw_from", "save"]

_MODULES = (builtins, math, random, np, np.linalg)
_all, _map, _is = all, map, operator.is_  # what an answer cannot replace


def draw_from(seed: int) -> None:
    """Put all generators of random numbers into the state of a seed."""
    random.seed(seed)
    np.random.seed(seed)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.manual_seed(seed)  # of the processor only


def save(savers: tuple[Callable, ...], after: contextlib.ExitStack) -> None:
    """Note how things are.

    Args:
        savers: GENERATORS or SURROUNDINGS.
        after: puts everything back when it ends.
    """
    for note in savers:
        with contextlib.suppress(Exception):
            after.callback(_quietly, note())


def _quietly(undo: Callable[[], Any]) -> None:
    with contextlib.suppress(Exception):
        undo()


# Each of these returns a function that puts something back.


def _python_numbers() -> Callable[[], Any]:
    state = random.getstate()
    return lambda: random.setstate(state)


def _numpy_numbers() -> Callable[[], Any]:
    state = np.random.get_state()
    return lambda: np.random.set_state(state)


def _torch_numbers() -> Callable[[], Any]:
    torch = sys.modules["torch"]
    state = torch.get_rng_state()
    return lambda: torch.set_rng_state(state)


def _torch_type() -> Callable[[], Any]:
    torch = sys.modules.get("torch")
    usual = torch.get_default_dtype() if torch else None

    def undo() -> None:
        if "torch" in sys.modules:  # perhaps only since the call
            torch = sys.modules["torch"]
            torch.set_default_dtype(usual or torch.float32)

    return undo


def _folder() -> Callable[[], Any]:
    folder = os.getcwd()
    return lambda: os.chdir(folder)


def _recursion() -> Callable[[], Any]:
    """Deeper than DEEPEST eats the memory; less is too little for a check."""
    limit, setter = sys.getrecursionlimit(), sys.setrecursionlimit
    least = min(limit, limits.DEEPEST)
    setter(least)
    sys.setrecursionlimit = lambda n: setter(min(max(n, least), limits.DEEPEST))

    def undo() -> None:
        sys.setrecursionlimit = setter
        setter(limit)

    return undo


def _functions() -> Callable[[], Any]:
    """Functions that a student's code may put others in place of."""
    saved = [(vars(module), dict(vars(module))) for module in _MODULES]

    def undo() -> None:
        for now, old in saved:
            if not _all(_map(_is, _map(now.get, old), old.values())):
                for name, value in old.items():
                    if name[0] != "_":
                        now[name] = value

    return undo


GENERATORS = (_python_numbers, _numpy_numbers, _torch_numbers)
SURROUNDINGS = (_torch_type, _folder, _recursion, _functions)
