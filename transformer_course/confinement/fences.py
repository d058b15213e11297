"""Limits for the process of a student, set from within before it begins.

Memory, the size of a file and the number of processes have a limit where the
system knows such limits, and a limit once set cannot be raised again. Time is
the grader's to measure.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

__all__ = ["go_first", "put_up"]

_MORE_TASKS = 32  # processes and threads beside those that there are


def go_first() -> None:
    """Be the first to go where memory runs out, if any must."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_bytes(b"1000")


def put_up(memory: int, file: int, seconds: int) -> None:
    """Set the limits of this process and of all that it starts.

    Args:
        memory: MiB that may be taken.
        file: MiB that a file may have.
        seconds: of computing, over all answers.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = [
        ("RLIMIT_CORE", 0),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_FSIZE", file * 2**20),
        ("RLIMIT_DATA", memory * 2**20),
    ]
    if sys.platform == "linux":
        limits.append(("RLIMIT_NPROC", _tasks() + _MORE_TASKS))
    for name, limit in limits:
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (limit, limit))


def _tasks() -> int:
    """How many processes and threads this user has."""
    count = 0
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if path.stat().st_uid == os.getuid():
                count += len(os.listdir(path / "task"))
    return count
