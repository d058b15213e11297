"""Why the process of a student is of no use any more."""

from __future__ import annotations

import signal

__all__ = ["Lost", "ended", "fills_the_disk", "garbled", "out_of_time"]


class Lost(Exception):
    """The process is gone or cannot be believed.

    Args:
        name: of the mistake, for tables.
        message: what to tell the student.
    """

    def __init__(self, name: str, message: str):
        super().__init__(message)
        self.name, self.message = name, message


def garbled() -> Lost:
    """Its replies make no sense."""
    return Lost(
        "garbled",
        "The process that ran your code has written something else than "
        "answers. Code that leaves files alone which it has not opened does "
        "not do that.",
    )


def out_of_time(seconds: float) -> Lost:
    """There is no reply.

    Args:
        seconds: how long the grader has waited.
    """
    return Lost(
        "never_ends",
        f"Your code has given no answer after {seconds:g} seconds, so the "
        "check stopped waiting. A loop may never reach its end.",
    )


def fills_the_disk(most: int) -> Lost:
    """It writes files and more files.

    Args:
        most: MiB that are allowed.
    """
    return Lost(
        "fills_the_disk",
        f"Your code has written more than {most} MiB of files. An answer "
        "returns its result and needs no file.",
    )


def ended(code: int | None) -> Lost:
    """It has ended, or cut the connection.

    Args:
        code: its exit code, None if it still runs.
    """
    how = f"exit code {code}"
    if code is None:
        how = "by closing its files"
    elif code < 0:
        how = signal.Signals(-code).name
    return Lost(
        "ends_the_process",
        f"Your code has ended the process that it ran in ({how}). A function "
        "hands its result back with the word `return`; nothing has to be "
        "quit.",
    )
