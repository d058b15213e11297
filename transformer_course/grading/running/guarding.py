"""How the grader protects itself from the code that it runs.

The layers of `confinement` are tried out once, and what worked then has to
work for each student. As root, the code runs as a user without rights.
"""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import replace

from transformer_course.confinement.start import (
    FILES,
    SPACES,
    SYSTEM_CALLS,
)
from transformer_course.grading.running.process import Limits, Process
from transformer_course.grading.running.reasons import Lost

__all__ = ["protect", "told"]

_SET_DUMPABLE, _SET_CHILD_SUBREAPER = 4, 36  # of prctl, linux/prctl.h
_NOBODY = 65534
_ROOT = """\
the students' code would run as root, because neither Landlock is here nor \
another user who may run {python}. Mark as an ordinary user, or in a \
container; or add --as-root if you trust every file"""


def protect(as_root: bool = False) -> Limits:
    """Close this process to others, and see how foreign code is confined.

    On Linux, orphans that foreign code leaves behind become children of this
    process, and no process of the same user can read its memory or its
    environment.

    Args:
        as_root: whether root's code may be the students'.

    Returns:
        The usual limits, with the sandbox that works here, as root with a user
        without rights.

    Raises:
        OSError: no process can be started.
        ValueError: the code would run as root, and nobody said so.
    """
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        library.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        library.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    own = Limits(sandbox=_sandbox(Limits()))
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return own
    other = replace(own, user=_NOBODY)
    try:
        _sandbox(other)
    except (Lost, PermissionError):
        if FILES not in own.sandbox and not as_root:
            raise ValueError(_ROOT.format(python=sys.executable)) from None
        return own
    return other


def _sandbox(limits: Limits) -> tuple[str, ...]:
    """What a process under these limits is confined by."""
    with Process(limits) as process:
        return tuple(process.ask("start", exercises=[]))


def told(limits: Limits) -> str:
    """Say in a few lines what is closed to the students' code.

    Args:
        limits: of `protect`.
    """
    sandbox = limits.sandbox or ()
    closed = [
        ("your files", limits.closes_files),
        ("this process", limits.closes_signals),
        ("the network", SPACES in sandbox or SYSTEM_CALLS in sandbox),
        ("shared memory", SYSTEM_CALLS in sandbox),
    ]
    by = [*sandbox, *(["another user"] if limits.user is not None else [])]
    lines = [f"Students' code is confined by: {', '.join(by) or 'nothing'}."]
    is_open = ", ".join(name for name, is_closed in closed if not is_closed)
    if is_open:
        lines.append(
            f"Open to it: {is_open}. Nothing of an earlier run is believed; "
            "for a class that you do not trust, take a container."
        )
    return "\n".join(lines)
