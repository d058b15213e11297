"""Files that are whole at any moment, whenever the process is killed.

What is new is written aside, synced and renamed.
"""

import contextlib
import errno
import json
import os
from pathlib import Path


def atomic_write(path: Path, data: bytes) -> None:
    """Write a file so that at any moment it is the old or the new one.

    Args:
        path: the file to write.
        data: all of its bytes.

    Raises:
        OSError: the file could not be written; the message names it, and
            the old one is still there.
    """
    aside = path.with_name(path.name + ".part")
    try:
        with open(aside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException as error:  # Ctrl-C, too, leaves nothing behind
        with contextlib.suppress(OSError):  # a read-only system refuses that
            aside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def is_full(error: OSError) -> bool:
    """Return whether an error is a disk without room.

    Args:
        error: of the system.

    Returns:
        True if the disk is full, or the user's share of it.
    """
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def write_json(path: Path, content: dict) -> None:
    """Write JSON with `atomic_write`.

    Args:
        path: the file to write.
        content: what JSON can hold.

    Raises:
        OSError: as for `atomic_write`.
    """
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    # In a file's name may be bytes that are no text: JSON can escape them.
    atomic_write(path, text.encode(errors="backslashreplace"))


def read_json(path: Path) -> dict:
    """Read a JSON object.

    Args:
        path: the file.

    Returns:
        The object as a dict.

    Raises:
        OSError: there is no such file.
        ValueError: the file is damaged.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # JSON, UTF-8, depth
        raise ValueError(f"{path} is damaged: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} is damaged: it holds no JSON object")
    return content
