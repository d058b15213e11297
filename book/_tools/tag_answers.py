"""Tag the cells for answers, so that a grader finds them by name.

    python book/_tools/tag_answers.py

In a lesson or a laboratory the cell above `checks.softmax(softmax)` that
defines `softmax` gets the tag `answer:softmax`, and a cell in the solutions
gets the same.
Nothing but the tags is changed. A second run changes nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from notebook_file import dumped

from transformer_course.grading.reading.exercises import (
    TAG,
    chapter_files,
    handed_over,
    read_chapter,
)
from transformer_course.grading.reading.program import statements_of

ROOT = Path(__file__).resolve().parents[2]


def places(
    cells: list[dict[str, Any]], asked: dict[str, str] | None = None
) -> dict[str, int]:
    """Find the cell for each answer.

    Args:
        cells: of a notebook.
        asked: what the chapter hands to each check; None if this is it.

    Returns:
        The place of the cell by the name of the exercise: the last one above
        its first check that defines what the chapter hands over; that of the
        check where something else is handed over.
    """
    found: dict[str, int] = {}
    texts = ["".join(cell["source"]) for cell in cells]
    code = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code"]
    for check in code:
        for name, given in handed_over(texts[check]):
            above = [check]
            if asked is None or asked[name] == given:
                (line,) = statements_of(given)
                above = [
                    n
                    for n in code
                    if n <= check
                    and line.used
                    & {b for s in statements_of(texts[n]) for b in s.bound}
                ]
            found.setdefault(name, above[-1])
    return found


def tagged(text: str, asked: dict[str, str] | None = None) -> str:
    """Tag a notebook.

    Args:
        text: of the notebook.
        asked: what the chapter hands to each check; None if this is it.

    Returns:
        Its text with tags.
    """
    notebook = json.loads(text)
    cells = notebook["cells"]
    for cell in cells:
        tags = cell["metadata"].pop("tags", [])
        if kept := [tag for tag in tags if not tag.startswith(TAG)]:
            cell["metadata"]["tags"] = kept
    for name, place in places(cells, asked).items():
        tags = cells[place]["metadata"].get("tags", [])
        cells[place]["metadata"]["tags"] = [*tags, TAG + name]
    return dumped(notebook)


def tag(path: Path, asked: dict[str, str] | None = None) -> None:
    """Tag a notebook in place, and say so where that changes it."""
    before = path.read_text(encoding="utf-8")
    after = tagged(before, asked)
    if after != before:
        path.write_text(after, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT))


def main() -> None:
    """Tag all notebooks of the book."""
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        number = int(path.name[:2])
        for room in chapter_files(number, path.parent):
            tag(room)
        asked = read_chapter(number, path.parent).asked
        given = {one.name: one.given for one in asked}
        tag(ROOT / "book" / "solutions" / path.name, given)


if __name__ == "__main__":
    main()
