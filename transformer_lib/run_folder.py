"""The folder of a run: whether one may start there, its lock, and its log.

The lock is an empty file, ``.lock``, which the system keeps for the process
that trains here; it is free again when that process has ended, in whatever
way. Nobody needs it to read a run.

A log is JSON, a line for each evaluation. It is written anew as a whole,
without the lines of steps that are made again because the run was killed.
"""

import contextlib
import errno
import json
import re
from collections.abc import Iterator
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from transformer_lib.files import atomic_write

LOCK = ".lock"  # its name in the folder of a run
_NOLOCKS = {errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP}


def is_free(folder: Path) -> bool:
    """Return whether a run may start here.

    It may in a new or empty folder, and where a start was killed before it
    wrote ``run.json``: then there is its checkpoint of step 0, and nothing
    that is not its own.

    Args:
        folder: where a run wants to live.

    Returns:
        True if a new run may start there.
    """
    if not folder.exists():
        return True
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()} - {LOCK}
    first = r"last-000000-[0-9a-f]{8}\.safetensors(\.part)?"
    rest = r"last\.json(\.part)?|tokenizer\.json(\.part)?|run\.json\.part"
    return not names or (
        all(re.fullmatch(f"{first}|{rest}", name) for name in names)
        and any(re.fullmatch(first, name) for name in names)
    )


def lock_of(folder: Path) -> BaseFileLock:
    """Return the lock of a run's folder, the same one in a whole process.

    Args:
        folder: of the run; it need not exist yet.

    Returns:
        The lock, which is not taken by this.
    """
    path = folder.resolve() / LOCK
    return FileLock(path, thread_local=False, is_singleton=True)


def take(lock: BaseFileLock, folder: Path) -> None:
    """Take the lock of a folder, at once or never.

    A process that has it already keeps it, so nothing waits for itself. Where
    the file system knows no locks, there is none to take.

    Args:
        lock: see `lock_of`.
        folder: for the message, as the user has named it.

    Raises:
        ValueError: another process has it.
        OSError: nothing can be written in the folder.
    """
    if lock.is_locked:
        return
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ValueError(
            f"another training is writing in {folder}; wait until it has "
            "ended, or end it"
        ) from None
    except NotImplementedError:
        return
    except OSError as error:
        if error.errno not in _NOLOCKS:
            raise OSError(error.errno, error.strerror, str(folder)) from None


@contextlib.contextmanager
def returned_on_failure(lock: BaseFileLock) -> Iterator[None]:
    """Give a lock back if what is done inside fails.

    Args:
        lock: see `lock_of`; it may be taken inside.

    Yields:
        Nothing.
    """
    try:
        yield
    except BaseException:
        lock.release(force=True)
        raise


def read_log(folder: Path, step: int) -> list[dict]:
    """Return the lines of a run's log, up to a step.

    Args:
        folder: of the run.
        step: the last step to return.

    Returns:
        The log's lines, oldest first.

    Raises:
        ValueError: it is damaged.
    """
    path = folder / "log.jsonl"
    if not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        lines = [json.loads(x) for x in text.splitlines()]
        return [x for x in lines if x["step"] <= step]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def add_to_log(folder: Path, step: int, entry: dict) -> None:
    """Write the log up to a step, and one more line.

    Args:
        folder: of the run.
        step: the last step whose lines are kept.
        entry: the new line.

    Raises:
        OSError: it cannot be written; the old one is whole.
    """
    write_log(folder, [*read_log(folder, step), entry])


def write_log(folder: Path, lines: list[dict]) -> None:
    """Write a log anew.

    Args:
        folder: of the run.
        lines: all that it shall hold.

    Raises:
        OSError: it cannot be written; the old one is whole.
    """
    text = "".join(json.dumps(line) + "\n" for line in lines)
    atomic_write(folder / "log.jsonl", text.encode())
