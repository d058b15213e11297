"""Which chapter a notebook is of: what its cells say, never what it is called.

What says most is asked first: the tags of the cells for answers, the title,
cells that stand in one chapter only, the checks that are called, the names
that are defined. The name of the file comes last.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from transformer_course.checks import parts
from transformer_course.grading.reading.exercises import (
    TAG,
    Chapter,
    chapter_files,
    handed_over,
    read_chapter,
)
from transformer_course.grading.reading.old_names import renewed
from transformer_course.grading.reading.submissions import Code, cells_of

__all__ = ["Book", "defines"]

_NUMBER = r"(?:^|[^\d])(\d\d)_[a-z]"  # as in 04_why_the_square_root.ipynb


class Book:
    """The chapters, as far as a notebook can be known by them.

    Attributes:
        chapters: by their numbers.
    """

    def __init__(self) -> None:
        self.chapters: dict[int, Chapter] = {}
        self._titles: dict[str, int] = {}
        for number in range(100):
            try:
                files = chapter_files(number)
            except ValueError:
                break
            self.chapters[number] = read_chapter(number)
            for path in files:
                title = _title(cells_of(path.read_bytes()))
                self._titles[title] = number

    def chapter_of(self, name: str, cells: Sequence[Any], code: Code) -> int:
        """Tell the number of the chapter of a notebook; -1 if unknown.

        Args:
            name: of the file.
            cells: of the notebook.
            code: of the notebook.
        """
        tags = [k for _, keys in code for k in keys if k.startswith(TAG)]
        if (found := _winner(self._by_tag, tags)) >= 0:
            return found
        if (found := self._titles.get(_title(cells), -1)) >= 0:
            return found
        texts = {renewed(text).strip() for text, _ in code}
        calls = {said for text in texts for said in _calls(text)}
        names = {said for text in texts for said in _defined(text)}
        for known, said in (
            (self._by_text, texts),
            (self._by_name, calls),
            (self._by_name, names),
        ):
            if (found := _winner(known, said)) >= 0:
                return found
        number = re.search(_NUMBER, Path(name).name)
        known = number is not None and int(number[1]) in self.chapters
        return int(number[1]) if number and known else -1

    @cached_property
    def _by_name(self) -> dict[str, set[int]]:
        return _gathered(
            (asked.name, number)
            for number, chapter in self.chapters.items()
            for asked in chapter.asked
        )

    @cached_property
    def _by_tag(self) -> dict[str, set[int]]:
        return {TAG + name: found for name, found in self._by_name.items()}

    @cached_property
    def _by_text(self) -> dict[str, set[int]]:
        return _gathered(
            (cell.text.strip(), number)
            for number, chapter in self.chapters.items()
            for cell in chapter.cells
        )

    def defined(self, text: str) -> set[str]:
        """Return the names that a text seems to define.

        Args:
            text: of a cell or a file, which may be no Python.
        """
        return _defined(text)

    def parts_in(self, text: str) -> set[int]:
        """Tell the chapters of the parts that a Python file defines.

        Args:
            text: of the file.
        """
        names = _defined(text)
        return {where for n, (_, where) in parts.PARTS.items() if n in names}


def defines(text: str, name: str) -> bool:
    """Tell whether a text seems to define a function or a class.

    Args:
        text: of a cell or a file, which may be no Python.
        name: of the function or class.
    """
    return name in _defined(text)


def _defined(text: str) -> set[str]:
    begin = r"^(?:async +def|def|class) +(\w+)|^(\w+)[^\S\n]*=(?!=)"
    found = re.findall(begin, text, re.M)
    return {name for names in found for name in names if name}


def _calls(text: str) -> list[str]:
    try:
        return [name for name, _ in handed_over(text)]
    except Exception:  # too deep, too long, no Python
        return []


def _gathered(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for key, number in pairs:
        found[key].add(number)
    return found


def _winner(known: dict[str, set[int]], said: Iterable[str]) -> int:
    """The chapter that most of what is said belongs to alone; -1 if none."""
    votes = Counter(
        number
        for key in said
        if len(known.get(key, ())) == 1
        for number in known[key]
    )
    return min(votes, key=lambda n: (-votes[n], n)) if votes else -1


def _title(cells: Sequence[Any]) -> str:
    """The first line of a notebook."""
    first = cells[0] if cells else None
    source = first.get("source") if isinstance(first, dict) else None
    text = source[0] if isinstance(source, list) and source else source
    return text.partition("\n")[0] if isinstance(text, str) else ""
