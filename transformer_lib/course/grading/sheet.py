"""Sheets for an exam: what is done on paper or proved, without hints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from transformer_lib.course.grading.exercises import (
    chapter_files,
    in_order,
)

__all__ = ["exam_sheet"]

_EXERCISE = (
    r"(?ms)^### Exercise ([\d.]+) \((paper|prove), (.*?)\): (.*?)$(.*)"
)
_NEXT = r"(?m)^(?=#{1,3} )"
_FOLDED = r"(?s)<details>.*?</details>\s*"
_LINK = r"(?<!!)\[([^\]]*)\]\([^)]*\)"


def exam_sheet(chapters: Sequence[int], folder: Path | None = None) -> str:
    """Collect the exercises on paper, and those to prove, of some chapters.

    Args:
        chapters: their numbers.
        folder: that holds the lessons; if None, that of the book.

    Returns:
        Markdown: for each exercise its text, without hints and links, and
        the cell in which its numbers are typed; a proof has none.

    Raises:
        ValueError: there is no such chapter, or it asks nothing on paper.
    """
    found = []
    for number in chapters:
        asked = [
            one
            for path in chapter_files(number, folder)
            for one in _on_paper(_cells(path))
        ]
        if not asked:
            raise ValueError(f"chapter {number} asks nothing on paper")
        found += [text for _, text in sorted(asked, key=_place)]
    return "\n\n".join(["Name: " + 40 * "\\_", *found]) + "\n"


def _cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def _place(asked: tuple[str, str]) -> list[int]:
    return in_order(asked[0])


def _on_paper(cells: list[dict]) -> Iterator[tuple[str, str]]:
    """Yield number and text of the exercises on paper, and the cell below."""
    for cell, below in pairwise([*cells, {"cell_type": "none"}]):
        if cell["cell_type"] != "markdown":
            continue
        parts = re.split(_NEXT, "".join(cell["source"]))
        for part in parts:
            if asked := re.match(_EXERCISE, part):
                number, _, about, title, text = asked.groups()
                text = re.sub(_LINK, r"\1", re.sub(_FOLDED, "", text)).strip()
                yield number, f"## {number} {title} ({about})\n\n{text}"
        asked = re.match(_EXERCISE, parts[-1])
        if not asked or asked[2] != "paper":
            continue
        if below["cell_type"] == "code":
            code = "".join(below["source"])
            yield asked[1], f"```python\n{code}\n```"
