"""Say where each cell of the undivided chapters is now.

    python book/_tools/ledger.py          a line for each chapter
    python book/_tools/ledger.py 5        and each cell of chapter 5

The chapters were divided into lessons and laboratories by a script, which
wrote down each cell in book/_tools/ledger.tsv: its room, a digest of its text,
its first words. Since then cells change rooms and words. One that goes needs
a reason in the last column.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEDGER = Path(__file__).with_name("ledger.tsv")
ROOMS = {"lesson": "chapters", "laboratory": "book/laboratory"}
STATES = ("as it was", "reworded", "in the other room", "gone", "lost")


def entries() -> list[dict[str, str]]:
    """Return the rows of the ledger."""
    with LEDGER.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=3))


def cells() -> dict[tuple[str, str], tuple[str, str]]:
    """Return {(chapter, id): (room, digest)} of all cells that there are."""
    found = {}
    for room, folder in ROOMS.items():
        for path in sorted((ROOT / folder).glob("*.ipynb")):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            for cell in notebook["cells"]:
                text = "".join(cell["source"])
                digest = hashlib.sha256(text.encode()).hexdigest()[:12]
                key = str(int(path.name[:2])), cell["id"]
                found[key] = room, digest
    return found


def states() -> Iterator[tuple[dict[str, str], str]]:
    """Yield each row of the ledger, and what has become of its cell."""
    there = cells()
    for row in entries():
        room, digest = there.get((row["chapter"], row["cell"]), ("", ""))
        if not room:
            yield row, "gone" if row["why it is gone"] else "lost"
        elif room != row["room"]:
            yield row, "in the other room"
        else:
            yield row, "as it was" if digest == row["digest"] else "reworded"


def main(arguments: list[str]) -> int:
    """Print the table; 1 if a cell is lost."""
    counts: dict[str, Counter[str]] = {}
    for row, state in states():
        counts.setdefault(row["chapter"], Counter())[state] += 1
        if row["chapter"] in arguments:
            why = row["why it is gone"]
            print(row["cell"], row["room"], state, row["first words"], why)
    print("chapter", *STATES, sep="\t")
    for chapter, count in counts.items():
        print(chapter, *(count[state] for state in STATES), sep="\t")
    return int(any(count["lost"] for count in counts.values()))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
