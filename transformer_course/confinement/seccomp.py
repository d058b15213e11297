"""System calls that an answer to an exercise does not need.

The filter is a program for the kernel's classic BPF, as in
https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import NamedTuple

from transformer_course.confinement.system import Refused, prctl

__all__ = ["restrict"]

_SECCOMP, _FILTER = 22, 2
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE, _FIRST, _WIDE = 0, 4, 16, 8  # offsets in seccomp_data
_X32 = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # of clone
_SHARED_MEMORY = 0x21  # MAP_SHARED and MAP_ANONYMOUS
_OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals again

# name: number on x86-64, on AArch64; None where there is none
_DENIED = {
    # sockets, also those of services that run for the user
    "socket": (41, 198),
    "socketpair": (53, 199),
    "io_uring_setup": (425, 425),
    # memory that no limit counts
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "setpriority": (141, 140),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    # modes, owners, times and attributes of files
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "file_setattr": (469, 469),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    # parts of the kernel that have nothing to do with numbers
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_by_handle_at": (304, 265),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class _Numbers(NamedTuple):
    """Of the calls of which only some uses are denied."""

    clone: int
    clone3: int
    mmap: int
    fcntl: int
    kill: int
    tgkill: int
    prlimit: int


_PARTLY = (
    _Numbers(56, 435, 9, 72, 62, 234, 302),
    _Numbers(220, 435, 222, 25, 129, 131, 261),
)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def restrict() -> None:
    """Deny this process, and all that it starts, some system calls.

    Signals reach itself and its group; sockets, shared memory, and the modes
    and times of files are out of reach. `rights.give_up` comes before.

    Raises:
        Refused: the kernel does not do it, or the processor is another one.
    """
    kind = _MACHINES.get(platform.machine())
    if kind is None or sys.platform != "linux" or ctypes.sizeof(_Program) != 16:
        raise Refused(errno.ENOSYS, os.strerror(errno.ENOSYS))
    lines = _lines(*kind, os.getpid())
    code = b"".join(struct.pack("=HBBI", *line) for line in lines)
    program = _Program(len(lines), code)
    prctl(_SECCOMP, _FILTER, ctypes.addressof(program))


def _lines(
    column: int, machine: int, own: int
) -> list[tuple[int, int, int, int]]:
    """The program: a call that no line denies is allowed."""
    no = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    lines = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if column == 0:
        lines += [(_AT_LEAST, 0, 1, _X32), no]
    for numbers in _DENIED.values():
        if (number := numbers[column]) is not None:
            lines += [(_EQUAL, 0, 1, number), no]
    some = _PARTLY[column]
    missing = (_RETURN, 0, 0, _ERROR | errno.ENOSYS)  # clone does instead
    lines += [(_EQUAL, 0, 1, some.clone3), missing]
    lines += _if(some.clone, 0, [(_ANY_BIT, 0, 1, _NEW_NAMESPACES), no])
    shared = [(_AND, 0, 0, _SHARED_MEMORY), (_EQUAL, 0, 1, _SHARED_MEMORY), no]
    lines += _if(some.mmap, 3, shared)
    each = [line for n in _OWNERS for line in ((_EQUAL, 0, 1, n), no)]
    lines += _if(some.fcntl, 1, each)
    for number in (some.kill, some.tgkill, some.prlimit):
        lines += _if(number, 0, [(_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, own), no])
    return [*lines, (_RETURN, 0, 0, _ALLOW)]


def _if(
    number: int, argument: int, then: list[tuple[int, int, int, int]]
) -> list[tuple[int, int, int, int]]:
    """Lines for one call, of which an argument is looked at."""
    load = (_LOAD, 0, 0, _FIRST + _WIDE * argument)
    body = [load, *then, (_RETURN, 0, 0, _ALLOW)]
    return [(_EQUAL, 0, len(body), number), *body]
