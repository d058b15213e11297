"""What students hand in: notebooks, and files of their own Transformer.

A file is read as JSON or as text and nothing more; whether it is Python is
found out in the student's process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transformer_course.checks import parts
from transformer_course.checks.parts.source_file import MARK
from transformer_course.grading.reading.collecting import PYTHON, File, file_at
from transformer_course.grading.reading.exercises import (
    ROOMS,
    TAG,
    Asked,
    Chapter,
)
from transformer_course.grading.reading.no_notebook import why_no_notebook
from transformer_course.grading.reading.old_names import renewed
from transformer_course.workbook import HEADER

__all__ = [
    "Code",
    "Copy",
    "Unreadable",
    "Work",
    "cells_of",
    "code_of",
    "copy_of",
    "own_file",
    "read_copy",
    "read_work",
    "rooms_of",
    "text_of",
]

_MOST = 250_000  # characters of code; no chapter has 12,000
Code = list[tuple[str, frozenset[str]]]  # text and keys of each cell


@dataclass(frozen=True)
class Copy:
    """A student's copy of a notebook, cell by cell.

    Attributes:
        texts: of the book's helper cells, then of the student's cells.
        own: places of the cells that are not as they were handed out.
        kept: by the key of an answer, the places of the cells for it.
        taken: parts of which the file has the book's version.
        first: place of the first cell of the student's.
        modules: texts of the files that the cells can import, by name.
    """

    texts: tuple[str, ...]
    own: tuple[int, ...]
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    first: int = 0
    modules: Mapping[str, str] = field(default_factory=dict)

    def cells_for(self, asked: Asked) -> list[int]:
        """Places of the cells that are kept for an answer.

        The ids of cells count where the tags are gone.
        """
        tagged = any(key.startswith(TAG) for key in self.kept)
        keys = {k for k in asked.keys if k.startswith(TAG) or not tagged}
        return sorted({n for key in keys for n in self.kept.get(key, ())})

    def is_touched(self, asked: Asked) -> bool:
        """Whether a cell for this answer has been changed."""
        return not set(self.own).isdisjoint(self.cells_for(asked))


@dataclass(frozen=True)
class Work:
    """What one student has handed in for a chapter.

    Attributes:
        copies: by the room, where answers to its exercises are looked for; a
            room that is missing was not handed in.
    """

    copies: Mapping[str, Copy]


class Unreadable(ValueError):
    """What was handed in cannot be read.

    Args:
        why: in a few words, without the name of the file.
    """

    def __init__(self, why: str):
        super().__init__(f"unreadable: {why}")


def cells_of(data: bytes) -> list[Any]:
    """Read the cells of a notebook.

    Args:
        data: the bytes of the file.

    Returns:
        Its cells; what is in them may be anything. Those of the third version
        of the format are in today's form.

    Raises:
        Unreadable: it is no notebook.
    """
    try:
        content = json.loads(data)
        if "cells" in content:
            return list(content["cells"])
        sheets = content["worksheets"]
        return [_renewed(c) for sheet in sheets for c in sheet["cells"]]
    except (
        *(ValueError, TypeError, KeyError, AttributeError),
        *(RecursionError, MemoryError),
    ):
        raise Unreadable(why_no_notebook(data)) from None


def _renewed(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell of the third version of the format, from before 2015."""
    if cell.get("cell_type") == "heading":
        text = "".join(cell.get("source", ""))
        marks = "#" * min(max(int(cell.get("level", 1)), 1), 6)
        return {"cell_type": "markdown", "source": f"{marks} {text}"}
    return {"source": cell.get("input", ""), **cell}


def code_of(cells: Sequence[Any]) -> Code:
    """Take the code out of the cells of a notebook.

    Args:
        cells: as `cells_of` gives them.

    Returns:
        Text, and tags and ids, of each cell with code.

    Raises:
        Unreadable: they are no cells.
    """
    try:
        code = list(_code(cells))
    except (TypeError, KeyError, AttributeError):
        raise Unreadable("this is no notebook: its cells are damaged") from None
    if (size := sum(len(text) for text, _ in code)) > _MOST:
        raise Unreadable(
            f"its cells have {size:,} characters of code; {_MOST:,} at the "
            "most are read"
        )
    return code


def _code(cells: Sequence[Any]) -> Iterator[tuple[str, frozenset[str]]]:
    """Those with code; Colab keeps ids elsewhere."""
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        about = cell.get("metadata", {})
        tags = [tag for tag in about.get("tags", []) if tag.startswith(TAG)]
        ids = [cell.get("id"), about.get("id")]
        text = "".join(cell["source"])
        yield text, frozenset([*tags, *(i for i in ids if isinstance(i, str))])


def read_work(paths: Sequence[Path], chapter: Chapter) -> Work:
    """Read notebooks of a chapter, or a Python file.

    Args:
        paths: of a notebook or a Python file, or of the notebooks of both
            rooms.
        chapter: what was handed out.

    Returns:
        Its cells. A notebook that is neither of the chapter's and a Python
        file may hold answers to any exercise.

    Raises:
        Unreadable: one cannot be read, is too large, or is no notebook.
    """
    copies: dict[str, Copy] = {}
    for path in paths:
        file = _readable(path)
        if file.kind == PYTHON:
            copies |= dict.fromkeys(ROOMS, own_file(file.data))
            continue
        code = code_of(cells_of(file.data))
        rooms = rooms_of(code, chapter) or ROOMS
        copies |= {room: copy_of(code, chapter, room) for room in rooms}
    return Work(copies)


def read_copy(path: Path, chapter: Chapter, room: str) -> Copy:
    """Read a notebook of which the room is known.

    Args:
        path: of the notebook.
        chapter: what was handed out.
        room: of the notebook.

    Returns:
        Its cells.

    Raises:
        Unreadable: it cannot be read, is too large, or is no notebook.
    """
    return copy_of(code_of(cells_of(_readable(path).data)), chapter, room)


def _readable(path: Path) -> File:
    file = file_at(path)
    if file.why:
        raise Unreadable(file.why)
    return file


def rooms_of(code: Code, chapter: Chapter) -> frozenset[str]:
    """Tell which notebooks of a chapter one is.

    Args:
        code: of the notebook.
        chapter: what was handed out.

    Returns:
        The rooms of which a cell is in it, by tag or id, or by text where
        there are none; both for a notebook from the time when a chapter was
        one; none if it is something else.
    """
    keys = frozenset().union(*(keys for _, keys in code))
    if by_key := {c.room for c in chapter.cells if c.keys & keys}:
        return frozenset(by_key)
    texts = {renewed(text).strip() for text, _ in code}
    found: dict[str, set[str]] = {}
    for cell in chapter.cells:
        found.setdefault(cell.text.strip(), set()).add(cell.room)
    alone = [rooms for text, rooms in found.items() if text in texts - {""}]
    return frozenset().union(*(rooms for rooms in alone if len(rooms) == 1))


def copy_of(code: Code, chapter: Chapter, room: str) -> Copy:
    """Put a student's cells below the helpers of a room.

    Args:
        code: of the student's notebook.
        chapter: what was handed out.
        room: whose helpers.
    """
    helpers = chapter.helpers(room)
    out = {cell.text.strip() for cell in chapter.cells}
    own: list[int] = []
    kept: dict[str, tuple[int, ...]] = {}
    for place, (text, keys) in enumerate(code, start=len(helpers)):
        if text.strip() and renewed(text).strip() not in out:
            own.append(place)
        for key in keys:
            kept[key] = (*kept.get(key, ()), place)
    texts = [*helpers, *(text for text, _ in code)]
    for key, places in kept.items():  # a copy of an answer's cell, left alone
        if key.startswith(TAG) and not set(own).isdisjoint(places):
            for place in {*places} - {*own}:
                texts[place] = ""
    return Copy(tuple(texts), tuple(own), kept, first=len(helpers))


def text_of(data: bytes) -> str:
    """Read a Python file.

    Args:
        data: its bytes.
    """
    return data.decode("utf-8-sig", "replace")


def own_file(data: bytes) -> Copy:
    """Read a file of the student's own Transformer.

    Args:
        data: its bytes.

    Returns:
        The file as one cell, below the book's version of every part.
    """
    text = text_of(data)
    home = f"{parts.__name__}."
    books = [f"from {home}{name} import {name}" for name in parts.PARTS]
    texts = (HEADER, *books, text)
    taken = re.findall(rf"^{MARK}(?:@.*\n)*(?:def|class) (\w+)", text, re.M)
    place = len(texts) - 1
    return Copy(texts, (place,), {}, frozenset(taken), place)
