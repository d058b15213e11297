"""Run a student's function so that nothing it does can hurt the notebook.

The function runs in a thread of its own, on copies of its inputs, with its
output swallowed, its warnings muted, and for a limited time. A thread is used
on every system, Windows included, and not an alarm signal: an alarm cannot
end a loop that catches every exception, and Windows has none. When the time
is up, the thread is sent `SystemExit` until it ends; if it swallows even
that, or waits inside C code, the check leaves it behind and goes on.

What no check can survive: code that ends the process (`os._exit`) or stays
inside one C call that never lets other threads run. Where threads cannot
start (Python inside a browser) the function runs directly, without a limit.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import inspect
import io
import linecache
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transformer_lib.course.checks.reading import (
    OUT_OF_TIME,
    RAISED,
    Answer,
    read,
    shorten,
)

__all__ = [
    "SECONDS",
    "call",
    "call_by_position_or_name",
    "clock",
    "keyword_only",
]

SECONDS = 5.0
clock = time.monotonic


class _Drain(io.TextIOBase):
    """A stream that forgets what is written, but knows that it was."""

    def __init__(self) -> None:
        self.used = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.used = self.used or bool(str(text).strip())
        return len(text)


class _Call:
    """One call of foreign code and, when it is over, its answer."""

    def __init__(self, function: Any, args: tuple, names: Sequence[str]):
        self.function, self.args, self.names = function, args, names
        self.answer: Answer | None = None

    def run(self) -> None:
        """Call, read the result, notice changed inputs; never raise."""
        try:
            self.answer = self._outcome()
        except BaseException as error:  # also exit and recursion
            with contextlib.suppress(BaseException):
                self.answer = _raised(error, self.function)

    def _outcome(self) -> Answer:
        own = copy.deepcopy(self.args)
        with np.errstate(all="ignore"):
            try:
                answer = read(
                    call_by_position_or_name(self.function, own, self.names)
                )
            except BaseException as error:
                answer = _raised(error, self.function)
        pairs = zip(self.names, self.args, own, strict=True)
        changed = tuple(n for n, old, new in pairs if not _equal(old, new))
        return dataclasses.replace(answer, changed=changed)


def call(
    function: Any,
    args: tuple,
    names: Sequence[str],
    seconds: float | None = None,
) -> Answer:
    """Call `function(*args)` under guard and return an `Answer`.

    Args:
        function: the student's function.
        args: the inputs; the function gets deep copies.
        names: the inputs' names, used for messages and keyword-only inputs.
        seconds: time limit of this call; SECONDS if None.

    Returns:
        The answer; kind OUT_OF_TIME if the limit passed.
    """
    limit = SECONDS if seconds is None else seconds
    one_call = _Call(function, args, names)
    drain = _Drain()
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(drain),
        contextlib.redirect_stderr(drain),
    ):
        warnings.simplefilter("ignore")
        finished = _run_limited(one_call.run, limit)
    answer = one_call.answer
    if not finished or answer is None:
        return Answer(OUT_OF_TIME, text=f"no answer after {limit:g} seconds")
    return dataclasses.replace(answer, printed=drain.used)


def _run_limited(work: Callable[[], None], seconds: float) -> bool:
    """Run in a thread; True if it ended in time."""
    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no threads here
        work()
        return True
    finished = False
    try:
        thread.join(seconds)
        finished = not thread.is_alive()
    finally:
        if not finished:
            _stop(thread)
    return finished


def _stop(thread: threading.Thread, attempts: int = 25) -> None:
    """Send `SystemExit` into a thread until it ends, or give up."""
    try:
        import ctypes

        send = ctypes.pythonapi.PyThreadState_SetAsyncExc
    except (ImportError, AttributeError):
        return
    for _ in range(attempts):
        if not thread.is_alive():
            return
        send(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
        thread.join(0.02)


def call_by_position_or_name(
    function: Any, args: tuple, names: Sequence[str]
) -> Any:
    """Call by position, or by name where an input is keyword-only."""
    by_name = keyword_only(function) & set(names)
    split = min((names.index(name) for name in by_name), default=len(args))
    rest = dict(zip(names[split:], args[split:], strict=True))
    return function(*args[:split], **rest)


def keyword_only(function: Any) -> set[str]:
    """Names of the keyword-only inputs; empty if they cannot be read."""
    try:
        found = inspect.signature(function).parameters.values()
    except Exception:  # built-in functions, and objects that refuse
        return set()
    return {p.name for p in found if p.kind is p.KEYWORD_ONLY}


def _raised(error: BaseException, function: Any) -> Answer:
    """Keep an exception as text, without its frames."""
    groups = tuple(base.__name__ for base in type(error).__mro__)
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    return Answer(
        RAISED,
        text=f"{name}: {shorten(text, 160)}" if text else name,
        error=name,
        groups=groups,
        place=_place(error, function),
    )


def _place(error: BaseException, function: Any) -> str:
    """The last line of the student's own file on the way to the error."""
    with contextlib.suppress(Exception):
        home = inspect.unwrap(function).__code__.co_filename
        found, step = "", error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == home:
                found = linecache.getline(home, step.tb_lineno).strip()
            step = step.tb_next
        return found
    return ""


def _equal(old: Any, new: Any) -> bool:
    """True if an input is what it was before the call."""
    try:
        if isinstance(old, list | tuple):
            return len(old) == len(new) and all(map(_equal, old, new))
        if isinstance(old, dict):
            return old.keys() == new.keys() and all(
                _equal(old[key], new[key]) for key in old
            )
        if hasattr(old, "shape"):  # an array, or a tensor
            return old.shape == new.shape and np.array_equal(
                old, new, equal_nan=True
            )
        return old is new or bool(old == new)
    except Exception:
        return False
