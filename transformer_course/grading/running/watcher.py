"""Somebody outside who wakes the grader up.

Where nothing keeps a student's code from sending signals, it can stop the
grader, and with it the clock that would end the code. The watcher is a process
of its own, in a group of its own. It ends a student's process that has had too
much time, and lets a grader that was stopped go on.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

__all__ = ["Watcher"]

_WATCH = """
import os, select, signal, sys, time
grader, child, deadline, rest = os.getppid(), 0, 0.0, b""
while os.getppid() == grader:
    if select.select([0], [], [], 0.5)[0]:
        data = os.read(0, 4096)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\\n")
        for line in lines:
            child, seconds = map(int, line.split())
            deadline = time.monotonic() + seconds
    if child and time.monotonic() > deadline:
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            pass
        child = 0
    os.kill(grader, signal.SIGCONT)
"""


class Watcher:
    """A process that watches this one, as long as it is needed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WATCH],
            stdin=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.kill()
        self._process.wait()

    def expect(self, child: int, seconds: float) -> None:
        """Say which process group has to be ended, and when.

        Args:
            child: its number; 0 for none.
            seconds: from now.
        """
        with contextlib.suppress(OSError):
            self._process.stdin.write(f"{child} {int(seconds) + 1}\n".encode())
