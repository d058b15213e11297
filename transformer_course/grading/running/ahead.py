"""A process that is started while another one computes.

To start takes longer than most answers, and there is mostly a second core. A
process that waits has run nothing foreign, and nothing foreign reaches it: none
is started ahead where the memory of processes can be had as a file in `/proc`.
"""

from __future__ import annotations

from collections.abc import Sequence

from transformer_course.confinement.start import FILES
from transformer_course.grading.running.process import Limits, Process

__all__ = ["Ahead"]

_EXERCISES = 20  # more than a chapter has


class Ahead:
    """The processes of a run, of which one waits.

    Args:
        limits: for each of them.
        first: modules that each imports before anything is asked.
    """

    def __init__(self, limits: Limits, first: Sequence[str] = ()):
        self._limits, self._first = limits, first
        self._waiting: Process | None = None
        self._is_safe = FILES in (limits.sandbox or ())

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *error: object) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.end()

    def next(self) -> Process:
        """Return a process that has run nothing yet.

        Raises:
            OSError: none can be started.
        """
        found = self._waiting or self._new()
        self._waiting = None
        if self._is_safe:
            self._waiting = self._new()
        return found

    def _new(self) -> Process:
        return Process(self._limits, _EXERCISES, self._first)
