"""What students hand in: notebooks, and files of their own Transformer.

A file is read as JSON or as text and nothing more; whether it is Python is
found out in the student's process.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transformer_lib.course.checks import parts
from transformer_lib.course.checks.parts.source_file import MARK
from transformer_lib.course.grading.exercises import (
    ROOMS,
    TAG,
    Asked,
    Chapter,
    chapter_files,
)
from transformer_lib.course.workbook import HEADER

__all__ = [
    "Copy",
    "Unreadable",
    "Work",
    "bytes_of",
    "cells_of",
    "check_file",
    "files_in",
    "read_copy",
    "read_work",
    "rooms_of",
]

LARGEST = 64 * 2**20  # bytes of a file
_ENDINGS = (".ipynb", ".py")
_Code = list[tuple[str, set[str]]]  # text and keys of each cell with code
_TITLE = r"# (?:Laboratory )?(\d\d?)[.:] "
_EARLIER = re.compile(r"my_transformer_before_\d+\.py")  # workbook.save's


@dataclass(frozen=True)
class Copy:
    """A student's copy of a notebook, cell by cell.

    Attributes:
        texts: of the book's helper cells, then of the student's cells.
        own: places of the cells that are not as they were handed out.
        kept: by the key of an answer, the places of the cells for it.
        taken: parts of which the file has the book's version.
    """

    texts: tuple[str, ...]
    own: tuple[int, ...]
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()

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
        digest: of the file, or of each of two files.
        note: what else there is to say.
    """

    copies: Mapping[str, Copy]
    digest: str = ""
    note: str = ""


class Unreadable(ValueError):
    """What was handed in cannot be read.

    Args:
        why: in a few words, without the name of the file.
    """

    def __init__(self, why: str):
        super().__init__(f"unreadable: {why}")


def files_in(folder: Path) -> list[Path]:
    """List what was handed in.

    Args:
        folder: with a file for each student, or a folder for each.

    Returns:
        What has the name of a notebook or a Python file in it, however deep,
        in order; and the folders that cannot be looked into. What of it is a
        file is told by `check_file`. Earlier versions that `workbook.save`
        has kept are left out, unless a folder has nothing else.

    Raises:
        OSError: the folder cannot be listed.
        ValueError: there is no such folder, or nothing in it.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder}: a folder of submissions is wanted")
    errors: list[OSError] = []
    found = set()
    for place, folders, names in os.walk(folder, onerror=errors.append):
        folders[:] = [name for name in folders if name[0] != "."]
        here = [Path(place, name) for name in (*folders, *names)]
        here = [p for p in here if p.suffix in _ENDINGS and p.name[0] != "."]
        now = {p for p in here if not _EARLIER.fullmatch(p.name)}
        found |= now or {*here}
    for error in errors:
        if Path(error.filename) == folder:
            raise error
        found.add(Path(error.filename))
    if not found:
        raise ValueError(f"{folder}: there is no .ipynb and no .py file in it")
    return sorted(found)


def check_file(path: Path) -> None:
    """Refuse what is no file of the student's own.

    Args:
        path: of what was handed in.

    Raises:
        Unreadable: it is a link, a folder, a pipe, or gone.
    """
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    if stat.S_ISLNK(mode):
        raise Unreadable("a link, which is not followed")
    if stat.S_ISDIR(mode) and path.suffix in _ENDINGS:
        raise Unreadable("a folder, not a file")
    if stat.S_ISDIR(mode):
        raise Unreadable("a folder that cannot be looked into")
    if not stat.S_ISREG(mode):
        raise Unreadable("no regular file")


def cells_of(data: bytes) -> list[Any]:
    """Read the cells of a notebook.

    Args:
        data: the bytes of the file.

    Returns:
        Its cells; what is in them may be anything.

    Raises:
        Unreadable: it is no notebook.
    """
    try:
        return list(json.loads(data)["cells"])
    except (ValueError, TypeError, KeyError, RecursionError, MemoryError):
        raise Unreadable("this is no notebook") from None


def bytes_of(path: Path) -> bytes:
    """Read a file that is not too large.

    Args:
        path: of the file.

    Returns:
        Its bytes.

    Raises:
        Unreadable: it cannot be read, or is too large.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise Unreadable(
                f"the file has {size >> 20} MiB; {LARGEST >> 20} at the most "
                "are read"
            )
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


def read_work(paths: Sequence[Path], chapter: Chapter) -> Work:
    """Read what a student has handed in.

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
    works = [_read(path, chapter) for path in paths]
    copies = {room: one for work in works for room, one in work.copies.items()}
    digest = " ".join(work.digest for work in works)
    note = "; ".join(work.note for work in works if work.note)
    return Work(copies, digest, note)


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
    _, cells = _notebook(bytes_of(path))
    return _copy(cells, chapter, room)


def rooms_of(path: Path, chapter: Chapter) -> frozenset[str]:
    """Tell which notebooks of a chapter a file is.

    Args:
        path: of the file.
        chapter: what was handed out.

    Returns:
        The rooms of which a cell is in it, by tag or id, or by text where
        there are none; both for a notebook from the time when a chapter was
        one; none if it is something else.

    Raises:
        Unreadable: it cannot be read, is too large, or is no notebook.
    """
    if path.suffix == ".py":
        return frozenset()
    content, cells = _notebook(bytes_of(path))
    if _other_chapter(content, chapter, cells):
        return frozenset()
    return _rooms(cells, chapter)


def _read(path: Path, chapter: Chapter) -> Work:
    """Read one file."""
    data = bytes_of(path)
    digest = hashlib.sha256(data).hexdigest()
    if path.suffix == ".py":
        copy = _file(data.decode("utf-8", "replace"))
        return Work(dict.fromkeys(ROOMS, copy), digest)
    content, cells = _notebook(data)
    note = _other_chapter(content, chapter, cells)
    rooms = () if note else _rooms(cells, chapter)
    copies = {room: _copy(cells, chapter, room) for room in rooms or ROOMS}
    return Work(copies, digest, note)


def _notebook(data: bytes) -> tuple[list[Any], _Code]:
    """All cells of a notebook, and those with code."""
    content = cells_of(data)
    try:
        return content, list(_cells(content))
    except (TypeError, KeyError, AttributeError):
        raise Unreadable("this is no notebook") from None


def _rooms(cells: _Code, chapter: Chapter) -> frozenset[str]:
    keys = frozenset().union(*(keys for _, keys in cells))
    if by_key := {c.room for c in chapter.cells if c.keys & keys}:
        return frozenset(by_key)
    texts = {text.strip() for text, _ in cells}
    found: dict[str, set[str]] = {}
    for cell in chapter.cells:
        found.setdefault(cell.text.strip(), set()).add(cell.room)
    alone = [rooms for text, rooms in found.items() if text in texts - {""}]
    return frozenset().union(*(rooms for rooms in alone if len(rooms) == 1))


def _copy(cells: _Code, chapter: Chapter, room: str) -> Copy:
    """The cells below the helpers of a room."""
    helpers = chapter.helpers(room)
    out = {cell.text.strip() for cell in chapter.cells}
    own, kept = [], {}
    for place, (text, keys) in enumerate(cells, start=len(helpers)):
        if text.strip() and text.strip() not in out:
            own.append(place)
        for key in keys:
            kept[key] = (*kept.get(key, ()), place)
    texts = (*helpers, *(text for text, _ in cells))
    return Copy(texts, tuple(own), kept)


def _other_chapter(content: list[Any], chapter: Chapter, cells: _Code) -> str:
    """Say so where a notebook is that of another chapter."""
    title = _title(content)
    number = re.match(_TITLE, title)
    asked = {TAG + asked.name for asked in chapter.asked}
    found = frozenset().union(*(keys for _, keys in cells))
    if not number or int(number[1]) == chapter.number or asked & found:
        return ""
    try:
        others = chapter_files(int(number[1]))
    except ValueError:
        return ""
    titles = [_title(cells_of(other.read_bytes())) for other in others]
    if title not in titles:
        return ""
    return (
        f"this looks like the notebook of chapter {number[1]}: no cell for an "
        f"answer of chapter {chapter.number} is in it"
    )


def _title(cells: list[Any]) -> str:
    """The first line of a notebook."""
    source = cells[0].get("source") if cells else None
    first = source[0] if isinstance(source, list) and source else source
    return first.partition("\n")[0] if isinstance(first, str) else ""


def _cells(cells: list[Any]) -> Iterable[tuple[str, set[str]]]:
    """Those with code; Colab keeps ids elsewhere."""
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        about = cell.get("metadata", {})
        tags = [tag for tag in about.get("tags", []) if tag.startswith(TAG)]
        ids = [cell.get("id"), about.get("id")]
        text = "".join(cell["source"])
        yield text, {*tags, *(one for one in ids if isinstance(one, str))}


def _file(text: str) -> Copy:
    """A file is one cell, below the book's version of every part."""
    home = f"{parts.__name__}."
    books = [f"from {home}{name} import {name}" for name in parts.PARTS]
    texts = (HEADER, *books, text)
    taken = re.findall(rf"^{MARK}(?:@.*\n)*(?:def|class) (\w+)", text, re.M)
    return Copy(texts, (len(texts) - 1,), {}, frozenset(taken))
