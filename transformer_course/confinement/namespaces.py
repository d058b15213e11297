"""Processes and the network: a process that is alone in its world.

Two processes stay outside or above and know nothing: one that waits where
the grader can see it, and the first of the new world, with whose end the
kernel ends everything in it.
"""

from __future__ import annotations

import contextlib
import os
import signal

from transformer_course.confinement.system import (
    Refused,
    call,
    end_with_parent,
    prctl,
)

__all__ = ["enter"]

_DUMPABLE = 4  # of prctl
_UNSHARE = {"x86_64": 272, "aarch64": 97}
_BY_SIGNAL = 128  # and its number: an exit code, as shells have it
_USER, _PID, _NET, _IPC = 0x10000000, 0x20000000, 0x40000000, 0x08000000


def enter() -> None:
    """Go on in namespaces for users, processes, the network and memory.

    It returns in a grandchild of this process. This one waits for it, and
    ends as it does.

    Raises:
        Refused: the kernel does not do it; nothing has changed.
    """
    number = _UNSHARE.get(os.uname().machine)
    if number is None:
        raise Refused(38, "no such call")
    trial = os.fork()
    if not trial:
        try:
            _unshare(number)
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(trial, 0)[1]:
        raise Refused(1, "no namespaces for this user")
    _unshare(number)
    first = os.fork()
    if first:
        _wait_for(first)
    end_with_parent()
    second = os.fork()
    if second:
        prctl(_DUMPABLE, 0)
        _wait_for(second)
    prctl(_DUMPABLE, 1)


def _unshare(number: int) -> None:
    user, group = os.geteuid(), os.getegid()
    new = _PID | _NET | _IPC
    call(number, new if user == 0 else new | _USER)
    if user != 0:
        _same(user, group)


def _same(user: int, group: int) -> None:
    """Be the same user in the new namespace; nobody else is in it."""
    for name, text in (
        ("uid_map", f"{user} {user} 1"),
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _wait_for(child: int) -> None:
    """End as a child does; its orphans are waited for, too."""
    for place in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.close(place)
    while True:
        try:
            found, status = os.wait()
        except ChildProcessError:
            os._exit(1)
        if found == child:
            break
    code = os.waitstatus_to_exitcode(status)
    if os.getpid() == 1:  # whom no signal of its own can end
        os._exit(_BY_SIGNAL - code if code < 0 else code)
    if code - _BY_SIGNAL in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(code - _BY_SIGNAL, signal.SIG_DFL)
        os.kill(os.getpid(), code - _BY_SIGNAL)
    os._exit(code)
