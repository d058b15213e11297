"""Standard output and standard error, also where nobody reads them.

What a command has done is done, whether or not it can still be said: a reader
who has left, such as ``head``, or a terminal that is gone, is no failure.
Results that do not arrive for another reason (a full disk) are one.
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["counted", "patient", "tell"]


class _Stream:
    """A stream that falls silent when it is lost.

    Args:
        stream: standard output or standard error.
        losses: the errors that mean no more than that nobody reads.
    """

    def __init__(self, stream: Any, losses: type[OSError]):
        # Python has None where it was closed.
        self.stream = io.StringIO() if stream is None else stream
        self.losses, self.lost = losses, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, unless nobody reads."""
        self._do(self.stream.write, text)
        return len(text)

    def flush(self) -> None:
        """Let go of what was written, unless nobody reads."""
        self._do(self.stream.flush)

    def _do(self, what: Callable, *arguments: str) -> None:
        if not self.lost:
            try:
                what(*arguments)
            except self.losses:
                self.silence()

    def silence(self) -> None:
        """Write into nothing, also what Python writes when it ends."""
        self.lost = True
        with contextlib.suppress(OSError):  # not every stream is a file
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, self.stream.fileno())
            os.close(nothing)


@contextlib.contextmanager
def patient() -> Iterator[None]:
    """Let standard output lose its reader, and standard error everything.

    Yields:
        Nothing.
    """
    before = sys.stdout, sys.stderr
    ours = _Stream(sys.stdout, BrokenPipeError), _Stream(sys.stderr, OSError)
    sys.stdout, sys.stderr = ours
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in ours:
            try:
                stream.flush()
            except OSError:
                stream.silence()


def counted(n: int, thing: str) -> str:
    """Return a number and what it counts: "1 step", "2 steps".

    Args:
        n: the number.
        thing: its name, in the singular.
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def tell(text: str) -> None:
    """Print what is good to know of a work that is done already.

    Args:
        text: without the last newline.
    """
    try:
        print(text, flush=True)
    except (OSError, ValueError):
        if isinstance(sys.stdout, _Stream):
            sys.stdout.silence()
