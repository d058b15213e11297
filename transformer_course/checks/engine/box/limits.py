"""Run foreign code in a thread of its own, for a limited time.

What is counted is the time that the thread computes, so that a busy machine
makes no answer late, and the time that it sleeps. A thread that hardly
computes may also wait for its turn on a busy machine, which does not count:
where the system tells the one from the other (Linux does), it is asked; where
it does not, a look counts for no more than the pause before it, which a busy
machine draws out for both. Imports do not count: the first optimizer of torch,
for one, loads modules for seconds.

A thread is used on every system, Windows included, and not an alarm signal:
an alarm cannot end a loop that catches every exception, and Windows has none.
When the time is up, the thread is sent `SystemExit` until it ends, but never
in the middle of an import, which would leave half a module behind. If it
swallows even that, or waits inside C code, it is left behind.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
import time
import weakref
from collections.abc import Callable
from importlib import _bootstrap

__all__ = [
    "DEEPEST",
    "is_left_behind",
    "is_running_inside",
    "run",
]

DEEPEST = 20_000  # the highest recursion limit while foreign code runs
_IMPORTS = 60.0  # seconds that the imports of one call may take
_WORKING = 0.05  # a thread that computes for less of the time is waiting
_STACK = 64 * 2**20  # bytes; enough for DEEPEST calls through C
_left_behind = weakref.WeakSet()  # threads
_set_recursion_limit = sys.setrecursionlimit


class _Worker(threading.Thread):
    """A thread that runs foreign code."""


class _Meter:
    """The time that a thread has used."""

    def __init__(self) -> None:
        self.computed = self.asleep = self.importing = 0.0
        self._seen_at = time.monotonic()
        self._seen_computed = 0.0
        self._clock: Callable[[], float] = _process_clock()
        self._total: float | None = None

    def begin(self) -> None:
        """Find the clock of this thread; the thread itself calls this."""
        with contextlib.suppress(AttributeError, OSError):
            mine = time.pthread_getcpuclockid(threading.get_ident())
            self._clock = lambda: time.clock_gettime(mine)

    def end(self) -> None:
        """Read the clock of this thread for the last time, from within."""
        with contextlib.suppress(Exception):
            self._total = self._clock()

    def look(self, thread: threading.Thread, pause: float) -> None:
        """Count the time since the last look, unless it was an import.

        Args:
            thread: that is watched.
            pause: the seconds that the watcher wanted to wait.
        """
        now, computed = time.monotonic(), self._computed()
        passed, worked = now - self._seen_at, computed - self._seen_computed
        if _is_importing(thread):
            self.importing += passed
        else:
            self.computed += min(worked, passed)
            if worked <= _WORKING * passed and not _wants_to_run(thread):
                self.asleep += min(passed, pause)
        self._seen_at, self._seen_computed = now, computed

    def _computed(self) -> float:
        if self._total is not None:
            return self._total
        try:
            return self._clock()
        except OSError:  # the thread has just ended
            return self._seen_computed

    @property
    def used(self) -> float:
        """Seconds of computing and of sleep."""
        return self.computed + self.asleep


def _wants_to_run(thread: threading.Thread) -> bool:
    """True if a thread computes, or waits for its turn; False if unknown."""
    try:
        place = f"/proc/self/task/{thread.native_id}/stat"
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(") ")[2].startswith("R")
    except OSError:  # another system, or the thread has just ended
        return False


def _process_clock() -> Callable[[], float]:
    """The computing time of all threads, where one has no clock."""
    start = time.process_time()
    return lambda: time.process_time() - start


def run(work: Callable[[], None], seconds: float) -> tuple[bool, float]:
    """Run work in a thread.

    Args:
        work: what to do; it must not raise.
        seconds: the limit.

    Returns:
        Whether the work ended in time, and the seconds that it used: those
        of its imports where they were too long.
    """
    meter = _Meter()

    def timed() -> None:
        meter.begin()
        try:
            work()
        finally:
            meter.end()

    thread = _Worker(target=timed, daemon=True)
    collects = gc.isenabled()
    try:
        _start(thread)
    except RuntimeError:  # no threads here: Python inside a browser
        work()
        return True, 0.0
    try:
        finished = _wait(thread, meter, seconds)
    except BaseException:  # the user interrupts
        _stop(thread, patience=0.0)
        raise
    finally:
        if collects:
            gc.enable()
    if not finished:
        _stop(thread, patience=_IMPORTS - meter.importing)
    late = not finished and meter.importing > _IMPORTS
    return finished, meter.importing if late else meter.used


def _start(thread: threading.Thread) -> None:
    """Start with a stack that deep recursion through C does not overflow."""
    usual = threading.stack_size()
    with contextlib.suppress(RuntimeError, ValueError):
        threading.stack_size(_STACK)  # some systems know one size only
    try:
        thread.start()
    except RuntimeError:  # perhaps there is no room for so large a stack
        threading.stack_size(usual)
        thread.start()
    finally:
        threading.stack_size(usual)


def _wait(thread: threading.Thread, meter: _Meter, seconds: float) -> bool:
    """Wait until the thread ends, True, or has used its time, False."""
    pause = 0.001
    while True:
        this = min(pause, max(seconds - meter.used, 0.001))
        thread.join(this)
        meter.look(thread, this)
        if not thread.is_alive():
            return True
        if meter.used >= seconds or meter.importing > _IMPORTS:
            return False
        if sys.getrecursionlimit() > DEEPEST:  # memory would run out first
            gc.disable()  # a finalizer on so deep a stack ends the process
            _set_recursion_limit(DEEPEST)
        pause = min(2 * pause, 0.05)


def _stop(thread: threading.Thread, patience: float, tries: int = 25) -> None:
    """Send `SystemExit` into a thread until it ends, or leave it behind."""
    try:
        import ctypes

        send = ctypes.pythonapi.PyThreadState_SetAsyncExc
    except (ImportError, AttributeError):
        _left_behind.add(thread)
        return
    give_up = time.monotonic() + patience
    while tries and thread.is_alive():
        if not _is_importing(thread):
            send(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
            tries -= 1
        elif time.monotonic() > give_up:
            break
        thread.join(0.02)
    if thread.is_alive():
        _left_behind.add(thread)


def _is_importing(thread: threading.Thread) -> bool:
    """True while a thread loads a module.

    Then it owns the lock of that module. (Its frames would tell, too, but to
    walk them while it runs can crash the interpreter.)
    """
    locks = [lock() for lock in list(_bootstrap._module_locks.values())]
    return thread.is_alive() and any(
        lock is not None and lock.owner == thread.ident for lock in locks
    )


def is_running_inside() -> bool:
    """True in a thread that `run` has made and will end."""
    return isinstance(threading.current_thread(), _Worker)


def is_left_behind() -> bool:
    """True in a thread that did not end when its time was up."""
    return threading.current_thread() in _left_behind
