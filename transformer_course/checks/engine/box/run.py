"""Run foreign code for a limited time, and put everything back afterwards."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from transformer_course.checks.engine.box import limits
from transformer_course.checks.engine.box.output import Output
from transformer_course.checks.engine.box.surroundings import (
    GENERATORS,
    SURROUNDINGS,
    save,
)

__all__ = ["Run", "contained", "one_check"]


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
        save(GENERATORS, after)
        _check.is_running = True
        try:
            yield
        finally:
            _check.is_running = False


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
        save(SURROUNDINGS, after)
        warnings.simplefilter("ignore")
        finished, used = limits.run(work, seconds)
    return Run(finished, used, output.shown())
