"""Run foreign code so that nothing it does outlasts it.

Output is caught, warnings are muted, and afterwards these are as before: the
generators of random numbers (Python's, NumPy's, torch's), torch's default
type, NumPy's way with errors, the working folder, the recursion limit, the
filters of warnings, and the functions of the modules that a check uses.

What no check can survive: code that ends the process (`os._exit`) or stays
inside one C call that never lets other threads run.
"""

from __future__ import annotations

import builtins
import contextlib
import math
import operator
import os
import random
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from transformer_course.checks.engine import limits
from transformer_course.checks.engine.output import Output

__all__ = ["Run", "contained", "draw_from", "one_check"]

_MODULES = (builtins, math, random, np, np.linalg)
_all, _map, _is = all, map, operator.is_  # what an answer cannot replace


class _Check(threading.local):
    """Whether a check is running in this thread."""

    is_running = False


_check = _Check()


class Run(NamedTuple):
    """How a piece of work went.

    Attributes:
        finished: False if its time ran out.
        seconds: the time that it used.
        printed: what it printed, cut.
    """

    finished: bool
    seconds: float
    printed: str


@contextlib.contextmanager
def one_check() -> Iterator[None]:
    """Let each call of a check draw other random numbers than the last.

    The generators are put back after the check, and not after each call.
    """
    if _check.is_running:
        yield
        return
    with contextlib.ExitStack() as after:
        _save(_GENERATORS, after)
        _check.is_running = True
        try:
            yield
        finally:
            _check.is_running = False


def draw_from(seed: int) -> None:
    """Put all generators of random numbers into the state of a seed."""
    random.seed(seed)
    np.random.seed(seed)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.manual_seed(seed)  # of the processor only


def contained(work: Callable[[], None], seconds: float) -> Run:
    """Run work in a thread, and put everything back afterwards.

    Args:
        work: what to do; it must not raise.
        seconds: the limit.

    Returns:
        How it went.
    """
    output = Output()
    with (
        np.errstate(),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        one_check(),
        contextlib.ExitStack() as after,
    ):
        _save(_SURROUNDINGS, after)
        warnings.simplefilter("ignore")
        finished, used = limits.run(work, seconds)
    return Run(finished, used, output.shown())


def _save(savers: tuple[Callable, ...], after: contextlib.ExitStack) -> None:
    for save in savers:
        with contextlib.suppress(Exception):
            after.callback(_quietly, save())


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


_GENERATORS = (_python_numbers, _numpy_numbers, _torch_numbers)
_SURROUNDINGS = (_torch_type, _folder, _recursion, _functions)
