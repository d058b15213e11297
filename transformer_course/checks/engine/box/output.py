"""What a student's code prints: caught, and cut to what a verdict can show."""

from __future__ import annotations

import io
import re

from transformer_course.checks.engine.box.limits import is_left_behind

__all__ = ["Output", "cut", "without_addresses"]

_FIRST, _LAST = 8, 3  # lines that are shown, with a line of dots between
_WIDTH = 80
_KEPT = 4000  # characters kept from the beginning, and from the end


class Output(io.TextIOBase):
    """A stream in place of stdout and stderr; it keeps a little of both ends.

    Threads that another call has left behind write nothing here.
    """

    def __init__(self) -> None:
        self._head = self._tail = ""
        self._is_cut = False

    def writable(self) -> bool:
        """Say that one may write."""
        return True

    def write(self, text: str) -> int:
        """Keep the text, or its ends."""
        text = str(text)
        if is_left_behind():
            return len(text)
        room = _KEPT - len(self._head)
        self._head += text[:room]
        tail = self._tail + text[room:]
        self._is_cut = self._is_cut or len(tail) > _KEPT
        self._tail = tail[-_KEPT:]
        return len(text)

    def shown(self) -> str:
        """Return at most twelve lines of 80 characters; empty if none."""
        if self._is_cut:
            first = self._head.splitlines()[:_FIRST]
            last = self._tail.splitlines()[-_LAST:]
            lines = [*first, "...", *last]
        else:
            lines = (self._head + self._tail).splitlines()
            if len(lines) > _FIRST + 1 + _LAST:
                lines = [*lines[:_FIRST], "...", *lines[-_LAST:]]
        return "\n".join(map(_harmless, lines)).strip("\n").rstrip()


def _harmless(line: str) -> str:
    """Cut a line, and write control characters as Python writes them."""
    line = without_addresses(line[: 2 * _WIDTH].expandtabs(4))
    text = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode()
        for c in line
    )
    return cut(text, _WIDTH)


def without_addresses(text: str) -> str:
    """A text without the places of objects in memory, new in each run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def cut(text: str, limit: int) -> str:
    """A text of limit characters at the most."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
