"""Write what the lecture notes say into the laboratories.

    python book/_tools/claims.py           which laboratories are out of date
    python book/_tools/claims.py --write   bring them up to date

Each laboratory of chapters 0 to 19 gets one cell, `lecture-notes`, with the
claims of book/claims.toml on its chapter. A new one is put in front of the
exercises for home, or of the last section where there are none; one that is
there stays in its place. Nothing else of the notebook is changed, and a second
run changes nothing.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext" / "claims"))

from claim_table import section  # noqa: E402
from notebook_file import dumped  # noqa: E402

LABORATORY = ROOT / "book" / "laboratory"
CHAPTERS = range(20)  # the lecture notes end before chapter 20
CELL = "lecture-notes"
HOME = "## Exercises for home"


def laboratories() -> list[Path]:
    """Return the laboratories that have such a cell."""
    paths = sorted(LABORATORY.glob("*.ipynb"))
    return [path for path in paths if int(path.name[:2]) in CHAPTERS]


def place_for(cells: list[dict]) -> int:
    """Return where the cell belongs: before the last section of a notebook."""
    opens = {
        number: head[0]
        for number, cell in enumerate(cells)
        if cell["cell_type"] == "markdown"
        and (head := re.match(r"## .*", "".join(cell["source"])))
    }
    home = [n for n, head in opens.items() if head.startswith(HOME)]
    return (home or [*opens] or [len(cells)])[-1]


def written(text: str, told: str) -> str:
    """Return a notebook with the section on the notes, in its place.

    Args:
        text: of the notebook.
        told: the section.
    """
    notebook = json.loads(text)
    cells = notebook["cells"]
    there = [n for n, cell in enumerate(cells) if cell["id"] == CELL]
    cell = {
        "cell_type": "markdown",
        "id": CELL,
        "metadata": {},
        "source": told.splitlines(keepends=True),
    }
    if there:
        cells[there[0]] = cell
    else:
        cells.insert(place_for(cells), cell)
    return dumped(notebook)


def brought_up_to_date(path: Path) -> str:
    """Return the text of a laboratory as it should be."""
    told = section(int(path.name[:2]), path)
    return written(path.read_text(encoding="utf-8"), told)


def main(arguments: list[str]) -> int:
    """Write the cells, or name the laboratories that need it."""
    old = 0
    for path in laboratories():
        after = brought_up_to_date(path)
        if after == path.read_text(encoding="utf-8"):
            continue
        if "--write" in arguments:
            path.write_text(after, encoding="utf-8", newline="\n")
        else:
            old = 1
        print(path.relative_to(ROOT))
    return old


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
