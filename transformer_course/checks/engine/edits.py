"""A wrong answer is the right one with a small edit.

`catalogue` says how edits, and the sentences to them, are written.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

__all__ = ["Edits", "Overlap", "Reference"]

Edits = dict[str, str]  # old text -> new text


class Overlap(LookupError):
    """Two edits change the same place of the reference."""


class Reference:
    """The right answer, a function or a class; with edits, a wrong one.

    Args:
        thing: what the chapter asks for, written as plainly as it can be.
    """

    def __init__(self, thing: Callable):
        self.thing = thing
        self.names = vars(sys.modules[thing.__module__])
        head, body = inspect.getsource(thing).split(":\n", 1)
        self.head, self.body = head, textwrap.dedent(body)
        self._compiled = lru_cache(maxsize=1024)(self._compile)

    def __call__(self, *args: Any) -> Any:
        """Call the right answer."""
        return self.thing(*args)

    def edited(self, edits: Edits) -> Callable:
        """Return a fresh function or class with these edits.

        Args:
            edits: old text to new text.

        Raises:
            LookupError: an old text does not occur once.
            Overlap: two edits change the same place.
        """
        made: dict[str, Any] = {}  # the name itself means the right answer
        exec(self._compiled(tuple(edits.items())), self.names, made)
        return made.popitem()[1]

    def source(self, edits: Edits) -> str:
        """Return the text of the reference with these edits.

        Args and Raises: as for `edited`.
        """
        places = []
        for old, new in edits.items():
            if self.body.count(old) != 1:
                raise LookupError(f"{old!r} must occur once in {self.head}")
            start = self.body.index(old)
            places.append((start, start + len(old), new))
        body, end = self.body, len(self.body)
        for start, stop, new in sorted(places, reverse=True):
            if stop > end:
                raise Overlap("two edits change the same place")
            body, end = body[:start] + new + body[stop:], start
        return f"{self.head}:\n{textwrap.indent(body, '    ')}"

    def _compile(self, edits: tuple[tuple[str, str], ...]) -> CodeType:
        return compile(self.source(dict(edits)), self.head, "exec")
