"""What a process does before it loads the code of others."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Callable, Collection
from pathlib import Path

from transformer_course import PACKAGES
from transformer_course.confinement import (
    disk,
    fences,
    landlock,
    namespaces,
    rights,
    seccomp,
)
from transformer_course.confinement.system import end_with_parent

__all__ = ["DISK", "FILES", "SPACES", "SYSTEM_CALLS", "put_up"]

SPACES, FILES, SYSTEM_CALLS = "namespaces", "Landlock", "seccomp"
DISK = "a disk in memory"
_BOOK = Path(__file__).parents[2]
_OURS = [str(_BOOK / name) for name in PACKAGES]
_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
    *("/etc/localtime", "/etc/passwd", "/etc/nsswitch.conf", "/etc/fonts"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat"),
    *("/dev/null", "/dev/urandom", "/dev/random"),
)


def put_up(
    folder: str,
    limits: Collection[int],
    size: int,
    user: int | None,
    wanted: Collection[str] | None,
) -> list[str]:
    """Confine this process, as far as the system helps.

    Args:
        folder: the only one that can be written to.
        limits: MiB of memory, MiB of a file, seconds of computing.
        size: MiB that the folder may hold.
        user: whom to become, as root; it needs `FILES`.
        wanted: the layers that have to be there; None for those that can.

    Returns:
        The layers that are there.

    Raises:
        OSError: one that has to be there is not.
    """
    stands: list[str] = []

    def layer(name: str, build: Callable[[], None]) -> None:
        if wanted is not None and name not in wanted:
            return
        try:
            build()
        except (OSError, AttributeError):
            if wanted is not None:
                raise
        else:
            stands.append(name)

    if sys.platform != "linux":
        fences.put_up(*limits)
        return stands
    end_with_parent()
    layer(SPACES, namespaces.enter)
    layer(DISK, lambda: disk.mount(folder, size, user))
    fences.go_first()
    rights.give_up(user)
    fences.put_up(*limits)
    layer(FILES, lambda: landlock.restrict(_readable(), [folder, os.devnull]))
    layer(SYSTEM_CALLS, seccomp.restrict)
    return stands


def _readable() -> list[str]:
    """Where Python and its packages lie; of the book's folder, its packages."""
    packages = [
        path
        for path in (*sys.path, *site.getsitepackages())
        if os.path.basename(path) in ("site-packages", "dist-packages")
        or path.startswith((sys.prefix, sys.base_prefix))
    ]
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    homes = (sys.prefix, sys.base_prefix, sys.exec_prefix)
    found = (*_SYSTEM, *homes, *packages, *libraries, *_OURS)
    return [path for path in found if os.path.isabs(path) and path != "/"]
