"""Write the tables "Words" of the chapters anew from book/glossary.md.

    python book/_tools/words_tables.py             # all chapters
    python book/_tools/words_tables.py chapters/07_*.ipynb
    python book/_tools/words_tables.py --check     # write nothing, name them

The glossary is the one place where a term, its Korean and Chinese forms and its
definition are written. A chapter's table says only *which* terms it has, by
their English names; a row such as "vanishing / exploding gradient" becomes two
rows where the glossary has two. The tables are Markdown: nothing is executed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from notebook_file import dumped

ROOT = Path(__file__).resolve().parents[2]
HEAD = "| English | 한국어 | 繁體中文 | in one line |\n|---|---|---|---|"
TABLE = re.compile(r"^\| English \|.*\n\|[-| :]+\|\n((?:\|.*\|\n?)*)", re.M)

Row = tuple[str, ...]


def rows_of(markdown: str) -> list[Row]:
    """Return the rows of all tables of words: the cells of each."""
    rows = re.findall(r"^\| (.+) \|[ ]*$", markdown, flags=re.M)
    cells = [tuple(cell.strip() for cell in row.split("|")) for row in rows]
    return [row for row in cells if len(row) >= 4 and row[0] != "English"]


def names(english: str) -> list[str]:
    """Return what a term may be called: its whole cell, then its parts."""
    plain = re.sub(r"\s*†", "", english).strip()
    parts = [p.strip() for p in re.split(r"[(),/]", plain) if p.strip()]
    last = plain.split("(")[0].split()[-1]
    whole = [plain, plain.replace(" / ", ", "), plain.replace(", ", " / ")]
    shared = [f"{part} {last}" for part in parts if part != last]
    return [name.lower() for name in whole + parts + shared]


def index(glossary: list[Row]) -> dict[str, Row]:
    """Return the row of each name that a term of the glossary may have."""
    found: dict[str, Row] = {}
    for row in glossary:  # a term's own cell counts more than a part of one
        found.setdefault(names(row[0])[0], row)
    for row in glossary:
        for name in names(row[0]):
            found.setdefault(name, row)
    return found


def rows_for(english: str, known: dict[str, Row]) -> list[Row]:
    """Return the glossary's rows for a row of a chapter.

    Raises:
        ValueError: the glossary does not have the term.
    """
    plain = re.sub(r"\s*†", "", english).strip().lower()
    if plain in known:
        return [known[plain]]
    parts = [p.strip() for p in re.split(r" / |, ", plain)]
    last = parts[-1].split()[-1]
    found = [known.get(p) or known.get(f"{p} {last}") for p in parts]
    if len(parts) == 1:
        found = [known.get(plain.split(" (")[0])]
    if None in found:
        raise ValueError(
            f"book/glossary.md has no term {english!r}; add a row for it"
        )
    return list(dict.fromkeys(row for row in found if row))


def table(rows: list[Row], known: dict[str, Row]) -> str:
    """Return the table of a chapter with what the glossary says."""
    wanted = [row for old in rows for row in rows_for(old[0], known)]
    lines = [
        "| " + " | ".join([re.sub(r"\s*†", "", row[0]), *row[1:4]]) + " |"
        for row in dict.fromkeys(wanted)
    ]
    return "\n".join([HEAD, *lines]) + "\n"


def renewed(markdown: str, known: dict[str, Row]) -> str:
    """Return the text of a cell with its table of words written anew."""
    if "\n## Words\n" not in f"\n{markdown}":
        return markdown
    return TABLE.sub(lambda m: table(rows_of(m[0]), known), markdown, count=1)


def renew(path: Path, known: dict[str, Row], check: bool = False) -> bool:
    """Write one notebook anew; return whether it changes."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    changed = False
    for cell in notebook["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        old = "".join(cell["source"])
        new = renewed(old, known)
        if new != old:
            cell["source"] = new.splitlines(keepends=True)
            changed = True
    if changed and not check:
        path.write_text(dumped(notebook), encoding="utf-8")
    return changed


def main(arguments: list[str] | None = None) -> int:
    """Write the tables, or name the chapters whose tables are old."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    page = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    known = index(rows_of(page))
    paths = options.notebooks or sorted((ROOT / "chapters").glob("*.ipynb"))
    changed = [path for path in paths if renew(path, known, options.check)]
    for path in changed:
        print(path.name)
    return int(options.check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
