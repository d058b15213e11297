"""How long a lesson and its laboratory take, counted in one way everywhere.

    python book/_tools/minutes.py            print the table
    python book/_tools/minutes.py --write    and put it into the headers
                                             and the guide for teachers

Reading takes a minute for 150 words and for six visible lines of code; a
prediction takes a minute and a half, an interactive figure three, and a cell
as long as it runs (book/_tools/seconds.tsv, which `run_notebooks.py` keeps).
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
SECONDS = Path(__file__).with_name("seconds.tsv")
LABORATORY = ROOT / "book" / "laboratory"
GUIDE = ROOT / "book" / "teaching.md"
WORDS, LINES = 150, 6  # a minute
PREDICTION, EXPLORER = 1.5, 3
ASKS = re.compile(
    r"\*\*(?:Predict|Guess|Before you|Find out|Vote|Count on paper)\b"
)
EXERCISE = re.compile(r"(?m)^### Exercise [\d.]+ \(\w+, (\d+) min")
HEADER = re.compile(r"(?m)^\*\*Time:\*\* .*$")


@dataclass(frozen=True)
class Minutes:
    """Of a notebook: reading with its experiments, and its exercises."""

    reading: int
    exercises: int


def prose(text: str) -> str:
    """Return what is read of Markdown: no headings, tables, formulas, tags."""
    for pattern in (r"```.*?```", r"\$\$.*?\$\$"):
        text = re.sub(pattern, "", text, flags=re.S)
    text = HEADER.sub("", text)  # or it would change its own count
    text = re.sub(r"(?m)^#.*$|\|.*\|", "", text)
    return re.sub(r"</?[a-z][^<>\n]*>", "", text)


def is_visible(cell: dict[str, Any]) -> bool:
    """Tell whether the pages show the code of a cell."""
    tags = set(cell["metadata"].get("tags", []))
    return not tags & {"setup", "hide-input", "hide-cell"}


def visible_lines(path: Path) -> int:
    """Count the lines of code that the page of a notebook shows.

    Blank lines do not count, and comments do. The cells for answers count.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return sum(
        bool(line.strip())
        for cell in cells
        if cell["cell_type"] == "code" and is_visible(cell)
        for line in "".join(cell["source"]).splitlines()
    )


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
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join(
        "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
    )
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    explorers = sum('class=\\"explorer' in json.dumps(c) for c in code)
    runs = seconds().get(path.relative_to(ROOT).as_posix(), 0)
    reading = (
        len(prose(text).split()) / WORDS
        + visible_lines(path) / LINES
        + PREDICTION * len(ASKS.findall(text))
        + EXPLORER * explorers
        + runs / 60
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
            *(here.reading, here.exercises, visible_lines(lesson)),
            *(there.reading, there.exercises),
            visible_lines(LABORATORY / lesson.name),
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
