"""A wrong answer is the right one with a small edit, and a sentence.

A catalogue is plain text, one mistake a block, an empty line between two:

    no_scale
    -  / Q.shape[-1] ** 0.5
    +
    The scores are not scaled. Divide them by the root of d_k ...
    ? How many numbers has one query? The root of that is the divisor.

`- ` is text that occurs once in the reference, `+ ` what stands there instead
(several pairs may follow each other), and `or` begins another way to make the
same mistake. Then come the message and, after `? `, the hint; `@ ` names the
case to show. Two more ways to know a mistake: `! ` lists cases that it gets
wrong, with no edit needed, and `% ` gives a pattern of the error that ends
every wrong answer. `& ` alone stands for the mistake of that name that the
exercise's file makes in Python. `{words}` are facts of the example.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from transformer_lib.course.checks.engine.mistake import Mistake

__all__ = ["Edits", "Overlap", "Reference", "mistakes"]

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


def mistakes(
    text: str, made_here: tuple[Mistake, ...] = ()
) -> tuple[Mistake, ...]:
    """Read a catalogue.

    Args:
        text: blocks as above.
        made_here: mistakes that the text refers to by `& name`.
    """
    known = {mistake.id: mistake for mistake in made_here}
    blocks = re.split(r"\n\n+", textwrap.dedent(text).strip("\n"))
    return tuple(
        known[block[2:]] if block.startswith("& ") else _mistake(block)
        for block in blocks
    )


def _mistake(block: str) -> Mistake:
    """Read one block: a name, edits, the message, the hint."""
    name, *lines = block.split("\n")
    ways: list[Edits] = []
    while lines and re.match(r"[-+]( |$)|or$", lines[0]):
        lines, way = _edits(lines)
        ways.append(way)
    parts: dict[str, list[str]] = {"": [], "?": [], "@": [], "!": [], "%": []}
    sign = ""
    for line in lines:
        found = re.match(r"[?@!%](?= )", line)
        sign = found[0] if found else sign if sign == "?" else ""
        parts[sign].append(line.removeprefix(f"{sign} "))
    return Mistake(
        id=name,
        message=" ".join(parts[""]),
        hint=" ".join(parts["?"]),
        edits=tuple(ways),
        fails=tuple(", ".join(parts["!"]).split(", ")) if parts["!"] else (),
        raises=" ".join(parts["%"]),
        on=" ".join(parts["@"]),
    )


def _edits(lines: list[str]) -> tuple[list[str], Edits]:
    """Read one way to make a mistake; return the other lines, and the way."""
    if lines[0] == "or":
        lines = lines[1:]
    pairs: list[tuple[list[str], list[str]]] = []
    before = "+"
    while lines and re.match(r"[-+]( |$)", lines[0]):
        sign, text = lines[0][0], lines[0][2:]
        if sign == "-" and before == "+":
            pairs.append(([], []))
        pairs[-1][sign == "+"].append(text)
        before, lines = sign, lines[1:]
    return lines, {"\n".join(old): "\n".join(new) for old, new in pairs}
