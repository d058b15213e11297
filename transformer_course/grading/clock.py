"""How long the files that came together may take.

Whoever hands in a hundred copies, or texts that take minutes to read, shall
wait for that alone: the rest of the class has its own time.
"""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

__all__ = ["Clock"]


class Clock:
    """The seconds of each folder, ZIP or file of a class.

    Args:
        names: of all files, below the folder of submissions.
        seconds: that each of them has.
    """

    def __init__(self, names: Sequence[str], seconds: float):
        self.seconds = seconds
        tops = {PurePosixPath(name).parts[0] for name in names}
        self._depth = 2 if len(tops) == 1 else 1  # within what holds them all
        self._spent: dict[tuple[str, ...], float] = defaultdict(float)

    @contextlib.contextmanager
    def of(self, name: str) -> Iterator[bool]:
        """Let the time of a file run.

        Args:
            name: of the file.

        Yields:
            Whether it has any left.
        """
        key = PurePosixPath(name).parts[: self._depth]
        began = time.monotonic()
        try:
            yield self._spent[key] < self.seconds
        finally:
            self._spent[key] += time.monotonic() - began
