"""The search: chapters first, the glossary's words, an index that stays whole.

The glossary gives each term in English, Korean and Chinese, with the forms that
others use in brackets. Somebody who looks for one of them gets the pages of the
English term, in which the chapters are written.
"""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

SCRIPT = Path(__file__).with_name("search_order.js.txt")


def forms(cell: str) -> list[str]:
    """Return the forms in a cell of the glossary: "A (B)" gives A and B."""
    plain = re.sub(r"\$[^$]*\$|[*`†]", "", cell)
    pieces = re.split(r"[(),/;]", plain)
    return [piece.strip().lower() for piece in pieces if piece.strip()]


def words_of(glossary: str) -> dict[str, str]:
    """Return {other form: English term} of the glossary's tables."""
    found: dict[str, str] = {}
    for row in re.findall(r"^\| (.+) \|$", glossary, flags=re.M):
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) < 3 or cells[0] == "English" or set(row) <= set("-| :"):
            continue
        names = forms(cells[0])
        for other in names[1:] + forms(cells[1]) + forms(cells[2]):
            if other not in names[:1]:
                found.setdefault(other, names[0])
    return found


def write_script(app, config) -> None:
    """Put the glossary's words into the script that orders the results."""
    glossary = Path(app.srcdir) / "book" / "glossary.md"
    words = words_of(glossary.read_text(encoding="utf-8"))
    script = SCRIPT.read_text(encoding="utf-8").replace(
        "WORDS_OF_THE_GLOSSARY", json.dumps(words, ensure_ascii=False)
    )
    target = Path(app.doctreedir) / "search_order.js"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(script, encoding="utf-8")
    config.html_search_scorer = str(target)


def keep_entries(app, error) -> None:
    """Save the environment once more, with the index entries of this build.

    Sphinx saves it before it writes the pages, and so forgets the entries; the
    next build, of a few changed pages, would have theirs alone.
    """
    if error is None and app.builder.format == "html":
        path = Path(app.doctreedir) / "environment.pickle"
        with open(path, "wb") as file:
            pickle.dump(app.env, file, pickle.HIGHEST_PROTOCOL)


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("config-inited", write_script)
    app.connect("build-finished", keep_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
