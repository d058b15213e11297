"""Processes that a student's code has started and left behind.

On Linux a process can ask that orphans among its descendants become its own
children, whatever session they have moved to (`guarding` does). Then they can
be found and ended. Elsewhere only the process group of a student is ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection
from pathlib import Path

__all__ = ["Orphans"]

_TURNS = 200


class Orphans:
    """The children that this process will get from now on."""

    def __init__(self) -> None:
        self._known = _children()

    def end(self, spared: Collection[int] = ()) -> None:
        """End them all, and those that become orphans by that.

        Args:
            spared: those that are no orphans.
        """
        for _ in range(_TURNS):
            strays = _children() - self._known - {*spared}
            if not strays:
                return
            for stray in strays:
                with contextlib.suppress(OSError):
                    os.kill(stray, signal.SIGKILL)
                    os.waitpid(stray, 0)


def _children() -> set[int]:
    """The processes whose parent this one is; none where nobody can tell."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            after_name = path.read_bytes().rpartition(b")")[2]
            if int(after_name.split()[1]) == os.getpid():
                found.add(int(path.parent.name))
    return found
