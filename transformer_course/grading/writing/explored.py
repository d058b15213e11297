"""What a class has written where a person has to read, on a page.

These are the exercises to explore and to prove: a person reads one through the
whole class, then the next. Nothing of a student is run here: sources, stored
outputs and pictures are shown.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from typing import Any

from transformer_course.grading.reading.collecting import File
from transformer_course.grading.reading.exercises import (
    ROOMS,
    chapter_files,
    in_order,
)
from transformer_course.grading.reading.old_names import renewed
from transformer_course.grading.reading.submissions import Unreadable, cells_of
from transformer_course.grading.writing.feedback import document

__all__ = ["explored"]

_TO_READ = r"(?m)^### Exercise (\d+\.\d+) \((?:explore|prove).*?\): (.*)$"
_HEADING = r"(?m)^#{1,3} (?:Exercise (\d+\.\d+))?"
_LONGEST = 6000  # characters of a text
_LARGEST_PICTURE = 2**21  # characters


def explored(chapter: int, handed_in: dict[str, dict[str, File]]) -> str:
    """Write a page with everybody's answers to explore and prove exercises.

    Args:
        chapter: its number.
        handed_in: the notebooks of each student by their rooms; by the names
            that the page shows.

    Returns:
        HTML, whole in itself; nothing in it runs.

    Raises:
        ValueError: there is no such chapter.
    """
    asked, known = _asked(chapter)
    answers = {name: _shown(own, known) for name, own in handed_in.items()}
    body = []
    for number, title, room in asked:
        body.append(f"<h2>{number} {html.escape(title)}</h2>")
        for name, (found, otherwise) in answers.items():
            said = "\n".join(found.get(number, [f"<p>{otherwise[room]}</p>"]))
            body.append(f"<h3>{html.escape(name)}</h3>\n{said}")
    title = f"Chapter {chapter}: exercises to explore and to prove"
    return document(title, "\n".join(body))


def _asked(chapter: int) -> tuple[list[tuple[str, str, str]], set[str]]:
    """Number, title and room of each exercise; the texts of all cells."""
    asked, known = [], set()
    for room, path in zip(ROOMS, chapter_files(chapter), strict=False):
        texts = [_source(cell) for cell in _cells(path.read_bytes())]
        found = re.findall(_TO_READ, "\n".join(texts))
        asked += [(number, title, room) for number, title in found]
        known |= {text.strip() for text in texts}
    return sorted(asked, key=lambda one: in_order(one[0])), known


def _cells(data: bytes) -> list[Any]:
    """The cells of a notebook that have a text."""
    cells = [c for c in cells_of(data) if isinstance(c, dict)]
    return [c for c in cells if isinstance(c.get("source"), str | list)]


def _source(cell: dict[str, Any]) -> str:
    return "".join(map(str, cell["source"]))


def _shown(
    handed_in: dict[str, File], known: set[str]
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The answers, as HTML, and by room what to say where there is none."""
    found: dict[str, list[str]] = {}
    try:
        for file in dict.fromkeys(handed_in.values()):
            found |= _answers(file.data, known)
    except (Unreadable, RecursionError):  # lists in lists in place of a text
        return {}, dict.fromkeys(ROOMS, "unreadable")
    said = {
        r: "Nothing." if r in handed_in else "Not handed in." for r in ROOMS
    }
    return found, said


def _answers(data: bytes, known: set[str]) -> dict[str, list[str]]:
    """What is new below the heading of each exercise, as HTML."""
    found: dict[str, list[str]] = {}
    number, new = "", set()
    for cell in _cells(data):
        text = _source(cell)
        if cell.get("cell_type") == "markdown":
            number = (re.findall(_HEADING, text) or [number])[-1]
        is_new = bool(text.strip()) and renewed(text).strip() not in known
        shown = [f"<pre>{html.escape(text[:_LONGEST])}</pre>"] if is_new else []
        if is_new:
            new.add(number)
        outputs = cell.get("outputs")
        if isinstance(outputs, list):
            shown += [part for one in outputs for part in _output(one)]
        found.setdefault(number, []).extend(shown)
    return {number: found[number] for number in new}


def _output(output: Any) -> Iterator[str]:
    """A stored output: its picture, or else its text."""
    match output:
        case {"data": {"image/png": str(data)}}:
            if len(data) <= _LARGEST_PICTURE and re.fullmatch(
                r"[\w+/=\s]*", data, re.ASCII
            ):
                yield f'<img alt="" src="data:image/png;base64,{data}">'
        case {"data": {"image/svg+xml": str() | list() as data}}:
            text = "".join(map(str, data)).encode("utf-8", "replace")
            if len(text) <= _LARGEST_PICTURE:
                data = base64.b64encode(text).decode("ascii")
                yield f'<img alt="" src="data:image/svg+xml;base64,{data}">'
        case {"text": text} | {"data": {"text/plain": text}}:
            if isinstance(text, str | list):
                said = "".join(map(str, text))[:_LONGEST]
                yield f"<pre><samp>{html.escape(said)}</samp></pre>"
