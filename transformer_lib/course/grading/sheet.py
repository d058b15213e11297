"""Sheets for an exam: the exercises on paper, without their hints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from transformer_lib.course.grading.exercises import chapter_file

__all__ = ["exam_sheet"]

_EXERCISE = r"(?ms)^### Exercise ([\d.]+) \(paper, (.*?)\): (.*?)$(.*)"
_NEXT = r"(?m)^(?=#{1,3} )"
_FOLDED = r"(?s)<details>.*?</details>\s*"
_LINK = r"(?<!!)\[([^\]]*)\]\([^)]*\)"


def exam_sheet(chapters: Sequence[int], folder: Path | None = None) -> str:
    """Collect the exercises on paper of some chapters.

    Args:
        chapters: their numbers.
        folder: that holds the notebooks; if None, that of the book.

    Returns:
        Markdown: for each exercise its text, without hints and links, and
        the cell in which its numbers are typed.

    Raises:
        ValueError: there is no such chapter, or it asks nothing on paper.
    """
    found = []
    for number in chapters:
        path = chapter_file(number, folder)
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        asked = list(_on_paper(cells))
        if not asked:
            raise ValueError(f"chapter {number} asks nothing on paper")
        found += asked
    return "\n\n".join(["Name: " + 40 * "\\_", *found]) + "\n"


def _on_paper(cells: list[dict]) -> Iterator[str]:
    """Yield the exercises on paper, each with the cell below it."""
    for cell, below in pairwise(cells):
        if cell["cell_type"] != "markdown":
            continue
        parts = re.split(_NEXT, "".join(cell["source"]))
        for part in parts:
            if asked := re.match(_EXERCISE, part):
                number, about, title, text = asked.groups()
                text = re.sub(_LINK, r"\1", re.sub(_FOLDED, "", text)).strip()
                yield f"## {number} {title} ({about})\n\n{text}"
        if re.match(_EXERCISE, parts[-1]) and below["cell_type"] == "code":
            yield "```python\n" + "".join(below["source"]) + "\n```"
