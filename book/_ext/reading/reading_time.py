"""How long it takes to read cells, without running them.

Reading takes a minute for 150 words and for six visible lines of code; a
prediction takes a minute and a half, an interactive figure three.
book/_tools/minutes.py counts whole notebooks by it, laboratory.py experiments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

WORDS, LINES = 150, 6  # a minute
PREDICTION, EXPLORER = 1.5, 3
ASKS = re.compile(
    r"\*\*(?:Predict|Guess|Before you|Find out|Vote|Count on paper)\b"
)
HEADER = re.compile(r"(?m)^\*\*Time:\*\* .*$")
EXPERIMENT = re.compile(r"(?m)^### (Experiment \d+\b.*)$")
HEADING = re.compile(r"(?m)^#{2,3} ")

Cells = Sequence[dict[str, Any]]


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
    return not tags & {"setup", "hide-input", "hide-cell", "remove-cell"}


def lines_of(text: str) -> int:
    """Count lines of code: blank lines do not count, and comments do."""
    return sum(bool(line.strip()) for line in text.splitlines())


def visible_lines(cells: Cells) -> int:
    """Count the lines of code that a page shows of its cells.

    The cells for answers count.
    """
    return sum(
        lines_of("".join(cell["source"]))
        for cell in cells
        if cell["cell_type"] == "code" and is_visible(cell)
    )


def reading_minutes(cells: Cells) -> float:
    """Count the minutes that it takes to read cells of a notebook."""
    text = "\n\n".join(
        "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
    )
    explorers = sum(
        'class=\\"explorer' in json.dumps(cell)
        for cell in cells
        if cell["cell_type"] == "code"
    )
    return (
        len(prose(text).split()) / WORDS
        + visible_lines(cells) / LINES
        + PREDICTION * len(ASKS.findall(text))
        + EXPLORER * explorers
    )


def experiments(cells: Cells) -> list[tuple[str, Cells]]:
    """Return the experiments of a notebook: their titles and their cells.

    An experiment ends with the next heading of its level or of the one above.
    """
    found: list[tuple[str, list[dict[str, Any]]]] = []
    inside = False
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and HEADING.search(text):
            title = EXPERIMENT.search(text)
            inside = title is not None
            if title:
                found.append((title[1], []))
        if inside:
            found[-1][1].append(cell)
    return found
