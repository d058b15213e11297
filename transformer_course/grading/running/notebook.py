"""The student's side: find an answer in the cells, and make it.

This runs in the process of a student. It looks an answer up in this order:
what a cell that calls the check hands over, if the student's own cell is the
last above it to define that; the cells kept for the answer, as far as the
student has changed them; a cell in which the check is called with another
answer; another cell that defines a function or class of that name. Where that
finds nothing, or a name that no line defines, cells are run as a whole: what
they define shows by then.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import types
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from transformer_course.checks.engine.box import contained, cut
from transformer_course.checks.engine.reading import shorten
from transformer_course.grading.reading.exercises import handed_over
from transformer_course.grading.reading.program import (
    Statement,
    needed,
    statements_of,
    unknown,
)
from transformer_course.grading.running import beside

__all__ = ["Found", "Notebook"]

_IMPORTS = (ast.Import, ast.ImportFrom)
_MAIN = sys.modules["__main__"]  # which goes on to run


@dataclass(frozen=True)
class Found:
    """What a notebook holds for an exercise.

    Attributes:
        state: "ready", "missing", "broken", or "blank" where the cell kept
            for the answer is as it was, or holds comments only.
        value: the answer, if it is ready.
        error: why it is broken.
        lacks: a package that its cells import and that is not here, or "".
    """

    state: str
    value: Any = None
    error: str = ""
    lacks: str = ""


class Notebook:
    """The cells of a notebook, of which a few are run.

    Args:
        texts: of the cells with code; those of the book come first.
        own: places of the cells that the student wrote or changed.
        seconds: how long the cells for one answer may compute.
        first: place of the first cell that is not the book's.
        modules: texts of files beside the notebook, by name.
    """

    def __init__(
        self,
        texts: Sequence[str],
        own: Sequence[int],
        seconds: float,
        first: int = 0,
        modules: Mapping[str, str] = MappingProxyType({}),
    ):
        self.texts, self.own, self.seconds = list(texts), list(own), seconds
        self.first = first
        beside.lend({**beside.written(texts), **modules})
        self.cells: list[list[Statement]] = []
        self.faults: dict[int, str] = {}
        for place, text in enumerate(self.texts):
            try:
                self.cells.append(statements_of(text))
            except Exception as error:  # too deep, too long, no Python
                self.cells.append([])
                self.faults[place] = shorten(f"{type(error).__name__}: {error}")
            name = _file(place)
            lines = text.splitlines(keepends=True)
            linecache.cache[name] = (len(text), None, lines, name)

    def find(self, name: str, given: str, kept: Sequence[int]) -> Found:
        """Make the answer to an exercise.

        Args:
            name: of the exercise.
            given: what the chapter hands to its check.
            kept: places of the cells that are kept for the answer.
        """
        below = max(kept, default=0)
        kept = [place for place in kept if place in self.own]
        rest = [place for place in self.own if place not in kept]
        if (place := self._checked(name, given, below)) is not None:
            return self._made(place, given)
        for place in reversed(kept):
            if self._defines(place, given):
                return self._made(place, given)
        for place in (*reversed(kept), *reversed(rest)):
            said = self._handed_over(place, name)
            if said and (said != given or self._defines(place, given)):
                return self._made(place, said)
        for place in reversed(rest):
            if name == given and self._defines(place, name, imported=False):
                return self._made(place, given)
        begins = re.compile(rf"^(?:def|class) +{re.escape(name)}\b", re.M)
        for place in (*kept, *rest):
            meant = place in kept or begins.search(self.texts[place])
            if place in self.faults and meant:
                return Found("broken", error=self.faults[place])
        named = re.compile(rf"\b{re.escape(given)}\b")
        others = reversed(rest) if name == given else ()
        for place in (*reversed(kept), *others):
            if named.search(self.texts[place]):
                found = self._whole(place, given)
                if found is not None:
                    return found
        if not any(self.cells[place] for place in kept):
            return Found("blank")
        return Found("missing")

    def _checked(self, name: str, given: str, below: int) -> int | None:
        """The cell that asks the check, if its answer is the student's.

        In class such a cell sees what stands last above it, in whichever cell
        that is. Later calls may be about something else.
        """
        places = range(max(self.first, below), len(self.texts))
        calls = (n for n in places if self._handed_over(n, name) == given)
        for call in calls:
            above = range(self.first, call + 1)
            made = [n for n in above if self._defines(n, given)]
            return call if made and made[-1] in self.own else None
        return None

    def _defines(self, place: int, given: str, imported: bool = True) -> bool:
        wanted = _names(given)
        return any(
            wanted & line.bound
            for line in self.cells[place]
            if imported or not isinstance(line.node, _IMPORTS)
        )

    def _handed_over(self, place: int, name: str) -> str:
        """What a cell hands to the check of an exercise, as Python."""
        if place in self.faults:
            return ""
        calls = handed_over(self.texts[place])
        return next((given for known, given in calls if known == name), "")

    def _made(self, place: int, said: str) -> Found:
        lines = needed(self.cells, place, _names(said))
        found, _ = self._tried(lines, said, self.seconds)
        if found is None:
            text = f"no end after {self.seconds:g} seconds"
            return Found("broken", error=text)
        lacking = unknown(lines) - {*beside.KERNEL}
        return (lacking and self._whole(place, said, lacking)) or found

    def _whole(
        self, place: int, said: str, lacking: Collection[str] = ()
    ) -> Found | None:
        """What the student's cells up to one make, run as they are.

        A call may define what no line names: with `exec`, `globals()`, or
        the word `global`.

        Args:
            place: of the last cell.
            said: the answer, as Python.
            lacking: names of which the run has to define one.

        Returns:
            The answer, None if there is none, or no end.
        """
        above = range(place + 1)
        whole = [place] if not lacking else [n for n in self.own if n <= place]
        ran = [(n, line) for n in whole for line in self.cells[n]]
        names = {name for _, line in ran for name in line.used | line.later}
        chosen = {*ran, *needed(self.cells, place, names)}
        lines = [
            (n, line)
            for n in above
            for line in self.cells[n]
            if (n, line) in chosen or isinstance(line.node, _IMPORTS)
        ]
        found, scope = self._tried(lines, said, self.seconds / 2)
        if found is None or found.state != "ready":
            return None
        if lacking and scope.keys().isdisjoint(lacking):
            return None
        return found

    def _tried(
        self, lines: Sequence[tuple[int, Statement]], said: str, seconds: float
    ) -> tuple[Found | None, dict[str, Any]]:
        """Run lines in a module of their own; None if that has no end."""
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        scope = vars(module)
        scope |= beside.KERNEL
        found: list[Found] = []

        def work() -> None:
            found.append(_run(lines, said, scope))

        run = contained(work, seconds)
        return (found[0] if run.finished else None), scope


def _names(text: str) -> frozenset[str]:
    (line,) = statements_of(text)
    return line.used


def _file(place: int) -> str:
    return f"<cell {place}>"


def _run(
    lines: Sequence[tuple[int, Statement]], said: str, scope: dict
) -> Found:
    """Run some statements, then say what the answer is.

    In a notebook a cell that fails does not stop the next one; so it is here.
    """
    error = lacks = ""
    for place, line in lines:
        code = ast.Module([line.node], [])
        try:
            exec(compile(code, _file(place), "exec"), scope)
        except BaseException as raised:
            error = error or _in_words(raised)
            if isinstance(raised, ModuleNotFoundError):
                lacks = lacks or str(raised.name).partition(".")[0]
    try:
        return Found("ready", value=eval(said, scope), lacks=lacks)
    except BaseException as raised:
        return Found("broken", error=error or _in_words(raised), lacks=lacks)


def _in_words(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    name = cut(type(error).__name__, 80)
    return f"{name}: {shorten(text, 160)}" if text else name
