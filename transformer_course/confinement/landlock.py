"""Files: what can be read, and the one folder that can be written to.

Landlock is described at https://docs.kernel.org/userspace-api/landlock.html.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from transformer_course.confinement.system import Refused, call

__all__ = ["restrict", "version"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on all processors
_VERSION, _BENEATH = 1, 1
_RUN, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE, _MAKE = 1 << 4 | 1 << 5, 1 << 7 | 1 << 8 | 1 << 12
_BASIC, _REFER, _TRUNCATE, _IOCTL = (1 << 13) - 1, 1 << 13, 1 << 14, 1 << 15
_FOR_FILES = _RUN | _WRITE | _READ | _TRUNCATE | _IOCTL
_TCP, _SCOPES = 0b11, 0b11  # bind, connect; abstract sockets, signals


def version() -> int:
    """Return what the kernel knows of Landlock, 0 if nothing."""
    try:
        return call(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    except (Refused, AttributeError):  # no Linux
        return 0


def restrict(read: Iterable[str], write: Iterable[str]) -> None:
    """Close all files to this process, for good, but for some.

    Where the kernel can, TCP and signals to processes outside are closed,
    too.

    Args:
        read: folders and files that may be read, and run; those that are
            not there do not count.
        write: folders and files that may be changed.

    Raises:
        Refused: the kernel does not do it.
    """
    known = version()
    handled = _BASIC
    for least, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        handled |= right if known >= least else 0
    tcp, scopes = _TCP * (known >= 4), _SCOPES * (known >= 6)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    about = struct.pack("=QQQ", handled, tcp, scopes)[:size]
    rules = call(_CREATE, about, ctypes.c_size_t(size), 0)
    try:
        for path in read:
            _allow(rules, path, handled & (_RUN | _READ | _LIST))
        free = _WRITE | _READ | _LIST | _REMOVE | _MAKE | _REFER | _TRUNCATE
        for path in write:
            _allow(rules, path, handled & free)
        call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _FOR_FILES
        call(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)
