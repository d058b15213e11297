"""What a process may do beyond its user's rights: nothing, for good."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from transformer_course.confinement.system import call, prctl

__all__ = ["give_up"]

_KEEP_CAPABILITIES, _NO_NEW_PRIVILEGES = 8, 38
_CAPSET = {"x86_64": 126, "aarch64": 91}
_VERSION = 0x20080522
_READ_ALL = 1 << 2  # CAP_DAC_READ_SEARCH


def give_up(user: int | None) -> None:
    """Give up all capabilities, and the chance to get new ones.

    Args:
        user: number of the user to become, as root; None to stay who one
            is. Whoever becomes another keeps the right to read what root can
            read, if there is one: Python may lie there. Landlock has to bound
            it.

    Raises:
        OSError: the user cannot be changed.
    """
    kept = 0
    if user is not None:
        kept = _permitted() & _READ_ALL
        prctl(_KEEP_CAPABILITIES, 1)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        os.umask(0o077)
    prctl(_NO_NEW_PRIVILEGES, 1)
    number = _CAPSET.get(os.uname().machine)
    if number is not None:
        rights = struct.pack("=6I", kept, kept, 0, 0, 0, 0)
        call(number, struct.pack("=Ii", _VERSION, 0), rights)


def _permitted() -> int:
    """The capabilities of this process, as bits."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(x for x in text.splitlines() if x.startswith("CapPrm:"))
    return int(line.split()[1], 16)
