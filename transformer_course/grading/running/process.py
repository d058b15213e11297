"""A process for one student's code: asked over a pipe, and ended for sure.

The grader waits no longer and reads no more than it has decided to, and takes
nothing from the process but plain data.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any, BinaryIO

from transformer_course.confinement.start import (
    FILES,
    SPACES,
    SYSTEM_CALLS,
)
from transformer_course.grading.running import leftovers, reasons
from transformer_course.grading.running.orphans import Orphans
from transformer_course.grading.running.reasons import Lost
from transformer_course.grading.running.wire import (
    LONGEST,
    Garbled,
    from_line,
    to_line,
)

__all__ = ["Limits", "Process"]

_ROOT = Path(__file__).parents[3]
_FLAGS = ("-I", "-B", "-X", "utf8", "-c")
_BEGIN = """
import json, sys
sys.path[:], first, *given = json.loads(sys.argv[1])
from transformer_course.confinement.start import put_up
sandbox = put_up(*given)
from transformer_course.grading.running.child import main
main(sandbox, first)
"""
_KEPT = ("SYSTEMROOT", "LD_LIBRARY_PATH")
_alive: set[int] = set()  # the processes of students that shall go on
_GLANCE = 0.2  # seconds between two looks at the folder


@dataclass(frozen=True)
class Limits:
    """What the code of one student may take.

    Attributes:
        start: seconds until the process is there, before any foreign code.
        seconds: of waiting for the answers to one exercise.
        cell: seconds of computing of the cells that one answer needs.
        student: seconds for all that came in one folder, ZIP or file; what
            was begun by then is judged.
        memory: MiB.
        file: MiB of one file.
        folder: MiB of all files in the working folder.
        user: number of a user without rights, who shall run it; None for
            the user of the grader.
        sandbox: layers of `confinement` that have to work; None for as many
            as can.
    """

    start: float = 180.0
    seconds: float = 60.0
    cell: float = 20.0
    student: float = 900.0
    memory: int = 4096
    file: int = 64
    folder: int = 256
    user: int | None = None
    sandbox: tuple[str, ...] | None = None

    @property
    def becomes(self) -> int | None:
        """The user that a process becomes by itself, in its sandbox.

        It starts as the grader's user then, who can read where Python lies.
        """
        return self.user if FILES in (self.sandbox or ()) else None

    @property
    def closes_files(self) -> bool:
        """Whether the grader's files are out of reach."""
        return self.user is not None or FILES in (self.sandbox or ())

    @property
    def closes_signals(self) -> bool:
        """Whether the grader cannot be stopped or ended."""
        close = {SPACES, SYSTEM_CALLS}
        return self.user is not None or not close.isdisjoint(self.sandbox or ())


class Process:
    """A process in a group and a folder of its own.

    Args:
        limits: what it may take.
        exercises: how many it is for.
        first: modules that it imports before anything is asked.
    """

    def __init__(
        self, limits: Limits, exercises: int = 1, first: Sequence[str] = ()
    ):
        self.limits, self.left = limits, limits.start
        self.folder = Path(tempfile.mkdtemp(prefix="answers-")).resolve()
        self._number = 0
        self._replies: queue.Queue[bytes | None] = queue.Queue(2)
        self._orphans = Orphans()
        if limits.user is not None:
            os.chown(self.folder, limits.user, limits.user)
        try:
            self._child = self._started(exercises, first)
            _alive.add(self._child.pid)
        except BaseException:
            leftovers.remove(self.folder)
            raise
        _in_background(_pass_on, self._child.stdout, self._replies)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def ask(self, what: str, **given: Any) -> Any:
        """Ask for something and wait for the reply.

        Args:
            what: a method of `child.Student`.
            given: its arguments, plain data.

        Returns:
            The reply, plain data.

        Raises:
            Lost: there is none, or none that makes sense.
        """
        self._number += 1
        line = to_line((self._number, what, given))
        _in_background(_write, self._child.stdin, line)
        began = time.monotonic()
        try:
            match from_line(self._next_line()):
                case (self._number, reply):
                    return reply
            raise Garbled
        except Garbled:
            raise reasons.garbled() from None
        finally:
            self.left -= time.monotonic() - began

    def begin(self) -> None:
        """Let the time for an exercise run."""
        self.left = self.limits.seconds

    def end(self) -> None:
        """End the process and whatever it has started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.kill()
        self._child.wait()
        _alive.discard(self._child.pid)
        self._orphans.end(_alive)
        self._child.stdin.close()
        leftovers.remove(self.folder)

    def _started(
        self, exercises: int, first: Sequence[str]
    ) -> subprocess.Popen[bytes]:
        limits = self.limits
        cpu = int(limits.start + exercises * limits.seconds)
        numbers = (limits.memory, limits.file, cpu)
        given = _packages(), first, str(self.folder), numbers, limits.folder
        who = (*given, limits.becomes, limits.sandbox)
        start_as = limits.user if limits.becomes is None else None
        return subprocess.Popen(
            [sys.executable, *_FLAGS, _BEGIN, dumps(who)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=_environment(self.folder),
            bufsize=0,
            **_apart(start_as),
        )

    def _next_line(self) -> bytes:
        deadline, most = time.monotonic() + self.left, self.limits.folder
        while True:
            left = deadline - time.monotonic()
            try:
                line = self._replies.get(timeout=max(min(left, _GLANCE), 0))
            except queue.Empty:
                if leftovers.size(self.folder, most) > most:
                    raise reasons.fills_the_disk(most) from None
                if left > 0:
                    continue
                raise reasons.out_of_time(self.limits.seconds) from None
            if line is None:
                raise self._ended()
            return line

    def _ended(self) -> Lost:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(1)
        return reasons.ended(self._child.poll())


def _packages() -> list[str]:
    """Where Python finds packages: as here, but not in the current folder."""
    here = (path for path in sys.path if path not in ("", os.getcwd()))
    return [str(_ROOT), *here]


def _environment(folder: Path) -> dict[str, str]:
    """What a process needs, and nothing that is secret."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    kept["PATH"] = os.environ.get("PATH", "") if os.name == "nt" else os.defpath
    homes = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "MPLCONFIGDIR")
    home = dict.fromkeys(homes, str(folder))
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    threads |= {"OPENBLAS_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    own = {"TRANSFORMER_WORKBOOK": str(folder / "my_transformer.py")}
    return {**kept, **home, **threads, **own, "MPLBACKEND": "Agg"}


def _apart(user: int | None) -> dict[str, Any]:
    """Arguments for a process in a group of its own, as another user."""
    if os.name == "nt":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    if user is None:
        return {"start_new_session": True}
    who = {"user": user, "group": user, "extra_groups": []}
    return {"start_new_session": True, "umask": 0o077, **who}


def _in_background(work: Any, *args: Any) -> None:
    """In a thread of its own: a pipe may block for ever."""
    threading.Thread(target=work, args=args, daemon=True).start()


def _write(pipe: BinaryIO, data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        while data:
            data = data[pipe.write(data) :]


def _pass_on(pipe: BinaryIO, lines: queue.Queue[bytes | None]) -> None:
    """Cut what comes into lines, up to the first that is too long.

    A process speaks when it is asked. One that says more is not listened to.
    """
    rest = b""
    with contextlib.suppress(OSError, ValueError, queue.Full):
        while len(rest) <= LONGEST and (data := pipe.read(2**16)):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                lines.put_nowait(line)
        lines.put_nowait(rest if len(rest) > LONGEST else None)
    pipe.close()
