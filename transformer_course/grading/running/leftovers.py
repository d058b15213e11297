"""The folder of an answer, where it lies on the disk of the grader.

Folders may be nested deeper than a path can say, and deeper than Python calls
itself, so nothing here follows them down.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from transformer_course.confinement.disk import FILES_MOST

__all__ = ["remove", "size"]

_DEEPEST = 100 * FILES_MOST
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(
    os, "O_DIRECTORY", 0
)  # fmt: skip


def size(folder: Path, enough: int) -> float:
    """Say how much is in a folder.

    Args:
        folder: of an answer.
        enough: MiB, of which it does not matter how many more there are.

    Returns:
        MiB; more than enough also for many files, and for folders so deep
        that no path leads there.
    """
    found = count = 0
    deep: list[OSError] = []
    with contextlib.suppress(RecursionError):
        for here, folders, names in os.walk(folder, onerror=deep.append):
            count += len(folders) + len(names)
            if count > FILES_MOST or any(map(_is_too_long, deep)):
                break
            for name in names:
                with contextlib.suppress(OSError):
                    found += os.lstat(os.path.join(here, name)).st_size
        else:
            return found / 2**20
    return enough + 1


def _is_too_long(error: OSError) -> bool:
    return not isinstance(error, (FileNotFoundError, PermissionError))


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, as far as that can be done.

    What is in a folder of the folder is moved up before that one is removed,
    so that no path is longer than two names. No link is followed.

    Args:
        folder: of an answer whose processes have ended.
    """
    if os.rename not in os.supports_dir_fd:  # Windows
        shutil.rmtree(folder, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        top = os.open(folder, _OPEN)
        try:
            for _ in range(_DEEPEST):
                if not _lifted(top):
                    break
        finally:
            os.close(top)
        os.rmdir(folder)


def _lifted(top: int) -> bool:
    """Remove the files, and lift what is in the folders; False if none was."""
    is_any = False
    for name in os.listdir(top):
        try:
            os.unlink(name, dir_fd=top)
        except OSError:  # a folder
            with contextlib.suppress(OSError):
                _lift_out(top, name)
                is_any = True
    return is_any


def _lift_out(top: int, name: str) -> None:
    """Remove a folder, and leave what is in it in the one above."""
    try:
        below = os.open(name, _OPEN, dir_fd=top)
    except PermissionError:  # closed by who made it
        os.chmod(name, 0o700, dir_fd=top)
        below = os.open(name, _OPEN, dir_fd=top)
    try:
        os.fchmod(below, 0o700)
        for inner in os.listdir(below):
            new = os.urandom(8).hex()
            try:
                os.rename(inner, new, src_dir_fd=below, dst_dir_fd=top)
            except PermissionError:  # a closed folder cannot be moved
                os.chmod(inner, 0o700, dir_fd=below)
                os.rename(inner, new, src_dir_fd=below, dst_dir_fd=top)
    finally:
        os.close(below)
    os.rmdir(name, dir_fd=top)
