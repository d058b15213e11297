"""How long a lesson and its laboratory take, counted in one way everywhere.

    python book/_tools/minutes.py            print the table
    python book/_tools/minutes.py --write    and put it into the headers
                                             and the guide for teachers

What reading takes is in book/_ext/reading/reading_time.py; a cell takes as
long as it runs (book/_tools/seconds.tsv, which `run_notebooks.py` keeps).
An exercise takes the minutes in its heading. Those of a lesson are done in
class, those of a laboratory at home.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from notebook_file import dumped

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext" / "reading"))

from reading_time import HEADER, reading_minutes, visible_lines  # noqa: E402

SECONDS = Path(__file__).with_name("seconds.tsv")
LABORATORY = ROOT / "book" / "laboratory"
GUIDE = ROOT / "book" / "teaching.md"
EXERCISE = re.compile(r"(?m)^### Exercise [\d.]+ \(\w+, (\d+) min")


@dataclass(frozen=True)
class Minutes:
    """Of a notebook: reading with its experiments, and its exercises."""

    reading: int
    exercises: int


def cells_of(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook."""
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


@cache
def seconds() -> dict[str, int]:
    """Return how long each notebook runs, by its path in the book."""
    with SECONDS.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        return {name: int(some) for name, some in rows}


def minutes_of(path: Path) -> Minutes:
    """Count the minutes of a notebook.

    Args:
        path: of a lesson or a laboratory.

    Returns:
        Whole minutes, those of reading rounded to five.
    """
    cells = cells_of(path)
    runs = seconds().get(path.relative_to(ROOT).as_posix(), 0)
    reading = reading_minutes(cells) + runs / 60
    text = "\n\n".join(
        "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
    )
    exercises = sum(map(int, EXERCISE.findall(text)))
    return Minutes(5 * round(reading / 5), exercises)


def header(lesson: Path) -> str:
    """Return the line of a lesson that says how long it takes."""
    here, there = minutes_of(lesson), minutes_of(LABORATORY / lesson.name)
    said = f"**Time:** {here.reading} minutes to read and run"
    if here.exercises:
        said += f", and {here.exercises} for the exercises"
    return (
        f"{said}. The [laboratory](../book/laboratory/{lesson.name}) has "
        f"{there.reading} minutes more"
        + (f", and {there.exercises} of exercises." if there.exercises else ".")
    )


def with_header(text: str, said: str) -> str:
    """Return the text of a notebook with another line on time."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and HEADER.search(source):
            new = HEADER.sub(lambda _: said, source, count=1)
            cell["source"] = new.splitlines(keepends=True)
            break
    return dumped(notebook)


def with_reading(text: str, name: str, reading: int) -> str:
    """Return the guide for teachers with another time to read a lesson."""
    row = rf"(\(\.\./chapters/{re.escape(name)}\).* \| \d+ \| )\d+( \+ )"
    return re.sub(row, rf"\g<1>{reading}\2", text)


def main(arguments: list[str]) -> None:
    """Print the minutes of each chapter; write the headers if asked to."""
    print("reading, exercises, lines of code: of the lesson, the laboratory")
    for lesson in sorted((ROOT / "chapters").glob("*.ipynb")):
        here, there = minutes_of(lesson), minutes_of(LABORATORY / lesson.name)
        numbers = (
            *(here.reading, here.exercises),
            visible_lines(cells_of(lesson)),
            *(there.reading, there.exercises),
            visible_lines(cells_of(LABORATORY / lesson.name)),
        )
        print(f"{lesson.name[:2]}", *(f"{n:6}" for n in numbers))
        if "--write" in arguments:
            text = lesson.read_text(encoding="utf-8")
            new = with_header(text, header(lesson))
            if new != text:
                lesson.write_text(new, encoding="utf-8", newline="\n")
            old = GUIDE.read_text(encoding="utf-8")
            new = with_reading(old, lesson.name, here.reading)
            if new != old:
                GUIDE.write_text(new, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
