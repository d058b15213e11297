"""What students hand in: notebooks, and files of their own Transformer.

A file is read as JSON or as text and nothing more; whether it is Python is
found out in the student's process.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transformer_lib.course.checks import parts
from transformer_lib.course.checks.parts.source_file import MARK
from transformer_lib.course.grading.exercises import TAG, Asked, Chapter
from transformer_lib.course.workbook import HEADER

__all__ = ["Work", "files_in", "read_work"]

LARGEST = 64 * 2**20  # bytes of a file


@dataclass(frozen=True)
class Work:
    """What one student has handed in, cell by cell.

    Attributes:
        texts: of the book's helper cells, then of the student's cells.
        own: places of the cells that are not as they were handed out.
        kept: by the key of an answer, the places of the cells for it.
        taken: parts of which the file has the book's version.
        digest: of the file.
    """

    texts: tuple[str, ...]
    own: tuple[int, ...]
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    digest: str = ""

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


def files_in(folder: Path) -> list[Path]:
    """List what was handed in.

    Args:
        folder: with a file for each student, or a folder for each.

    Returns:
        The notebooks and Python files in it, however deep, in order; a link
        to somebody else's file is none.

    Raises:
        ValueError: there is no such folder, or nothing in it.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder}: a folder of submissions is wanted")
    found = [
        path
        for path in folder.rglob("*")
        if path.suffix in (".ipynb", ".py")
        and path.is_file()
        and not path.is_symlink()
    ]
    inside = [(path, path.relative_to(folder).parts) for path in found]
    found = [p for p, names in inside if not any(n[0] == "." for n in names)]
    if not found:
        raise ValueError(f"{folder}: there is no .ipynb and no .py file in it")
    return sorted(found)


def read_work(path: Path, chapter: Chapter) -> Work:
    """Read what a student has handed in.

    Args:
        path: of a notebook or a Python file.
        chapter: what was handed out.

    Returns:
        Its cells.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is too large, or no notebook.
    """
    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(f"the file has {size >> 20} MiB; {LARGEST >> 20} at "
                         "the most are read")  # fmt: skip
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if path.suffix == ".py":
        return _file(data.decode("utf-8", "replace"), digest)
    try:
        cells = list(_cells(json.loads(data)["cells"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError("this is no notebook") from None
    helpers = chapter.helpers
    out = {cell.text.strip() for cell in chapter.cells}
    own, kept = [], {}
    for place, (text, keys) in enumerate(cells, start=len(helpers)):
        if text.strip() and text.strip() not in out:
            own.append(place)
        for key in keys:
            kept[key] = (*kept.get(key, ()), place)
    texts = (*helpers, *(text for text, _ in cells))
    return Work(texts, tuple(own), kept, digest=digest)


def _cells(cells: list[Any]) -> Iterable[tuple[str, set[str]]]:
    """Text and keys of each cell with code; Colab keeps ids elsewhere."""
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        about = cell.get("metadata", {})
        tags = [tag for tag in about.get("tags", []) if tag.startswith(TAG)]
        ids = [cell.get("id"), about.get("id")]
        text = "".join(cell["source"])
        yield text, {*tags, *(one for one in ids if isinstance(one, str))}


def _file(text: str, digest: str) -> Work:
    """A file is one cell, below the book's version of every part."""
    home = f"{parts.__name__}."
    books = [f"from {home}{name} import {name}" for name in parts.PARTS]
    texts = (HEADER, *books, text)
    taken = re.findall(rf"^{MARK}(?:@.*\n)*(?:def|class) (\w+)", text, re.M)
    return Work(texts, (len(texts) - 1,), {}, frozenset(taken), digest)
