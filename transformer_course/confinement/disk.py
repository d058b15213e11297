"""Files: a disk in memory that is full at its quota, and gone at the end.

It lies over one folder, and is seen by this process and what it starts alone;
when the last of them has ended, the kernel frees it, however deep its folders.
"""

from __future__ import annotations

import os

from transformer_course.confinement.system import Refused, call

__all__ = ["FILES_MOST", "mount"]

FILES_MOST = 10_000  # and folders
_UNSHARE = {"x86_64": 272, "aarch64": 97}
_MOUNT = {"x86_64": 165, "aarch64": 40}
_NEW_MOUNTS = 0x20000
_NO_SET_USER, _NO_DEVICES, _ALL_BELOW, _PRIVATE = 2, 4, 0x4000, 1 << 18


def mount(folder: str, size: int, user: int | None) -> None:
    """Put an empty disk over a folder, for this process, which goes there.

    Args:
        folder: it stays empty for everybody else.
        size: MiB.
        user: whose it is; None for the user of this process.

    Raises:
        Refused: the kernel does not do it; `namespaces` may have to come first.
    """
    machine = os.uname().machine
    if machine not in _MOUNT:
        raise Refused(38, "no such call")
    call(_UNSHARE[machine], _NEW_MOUNTS)
    put, place = _MOUNT[machine], os.fsencode(folder)
    call(put, None, b"/", None, _ALL_BELOW | _PRIVATE, None)
    who = os.geteuid() if user is None else user
    about = f"size={size}m,nr_inodes={FILES_MOST},mode=700,uid={who},gid="
    group = os.getegid() if user is None else user
    flags = _NO_SET_USER | _NO_DEVICES
    call(put, b"tmpfs", place, b"tmpfs", flags, f"{about}{group}".encode())
    os.chdir(folder)
