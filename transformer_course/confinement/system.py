"""Calls of the Linux kernel that Python has no function for."""

from __future__ import annotations

import ctypes
import os
import signal

__all__ = ["Refused", "call", "end_with_parent", "prctl"]

_SIGNAL_AT_PARENTS_END = 1


class Refused(OSError):
    """The kernel does not do it, or not for this process."""


def call(number: int, *given: object) -> int:
    """Make a system call.

    Args:
        number: of the call.
        given: its arguments, as ctypes takes them.

    Returns:
        What the kernel answers.

    Raises:
        Refused: it answers with an error.
    """
    return _checked(ctypes.CDLL(None, use_errno=True).syscall(number, *given))


def prctl(what: int, *given: int) -> int:
    """Change a setting of this process.

    Args:
        what: one of linux/prctl.h.
        given: its arguments; the rest are 0.

    Returns:
        What the kernel answers.

    Raises:
        Refused: it answers with an error.
    """
    library = ctypes.CDLL(None, use_errno=True)
    four = (*given, *(4 - len(given)) * (0,))
    return _checked(library.prctl(what, *map(ctypes.c_ulong, four)))


def end_with_parent() -> None:
    """Ask to be ended as soon as the parent of this process has ended."""
    prctl(_SIGNAL_AT_PARENTS_END, signal.SIGKILL)


def _checked(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise Refused(number, os.strerror(number))
    return answer
