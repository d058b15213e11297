"""The search: lessons first, the glossary's words, an index that stays whole.

The glossary gives each term in English, Korean and Chinese, with the forms that
others use in brackets, and the chapter that explains it. Somebody who looks for
one of them gets that lesson first, and somebody who types an error message the
page of troubleshooting. For other words the lesson comes first that uses them
most. `search_order.js.txt` orders the results and quotes sentences.
"""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter, defaultdict
from pathlib import Path

SCRIPT = Path(__file__).with_name("search_order.js.txt")
WORD = re.compile(r"[^\W\d]\w+")
AT_LEAST = 3  # times that a chapter uses a word, to be one of its words
LESSONS = 3  # that are remembered for a word


def forms(cell: str) -> list[str]:
    """Return the forms in a cell of the glossary: "A (B)" gives A and B."""
    plain = re.sub(r"\$[^$]*\$|[*`†]", "", cell)
    pieces = re.split(r"[(),/;]", plain)
    return [piece.strip().lower() for piece in pieces if piece.strip()]


def rows_of(glossary: str) -> list[list[str]]:
    """Return the cells of the rows of the glossary's tables."""
    rows = re.findall(r"^\| (.+) \|$", glossary, flags=re.M)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return [
        row
        for row in cells
        if len(row) >= 3 and row[0] != "English" and set(row[0]) - set("-: ")
    ]


def words_of(glossary: str) -> dict[str, str]:
    """Return {other form: English term} of the glossary's tables."""
    found: dict[str, str] = {}
    for cells in rows_of(glossary):
        names = forms(cells[0])
        for other in names[1:] + forms(cells[1]) + forms(cells[2]):
            if other not in names[:1]:
                found.setdefault(other, names[0])
    return found


def homes_of(glossary: str) -> dict[str, int]:
    """Return {English term: the chapter that explains it}."""
    found: dict[str, int] = {}
    for cells in rows_of(glossary):
        chapter = re.match(r"\d+", cells[-1])
        if chapter:
            for name in forms(cells[0]):
                found.setdefault(name, int(chapter[0]))
    return found


def symptoms_of(troubleshooting: str) -> list[str]:
    """Return what the page of troubleshooting says that one sees."""
    first = re.findall(r"^\| [`*](.+?)[`*] \|", troubleshooting, flags=re.M)
    return [re.sub(r"[-\s]+", " ", text.lower()) for text in first]


def text_of(notebook: Path) -> str:
    """Return the text and the code of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def frequent(texts: list[str]) -> dict[str, list[int]]:
    """Return {word: the chapters that use it most, most often first}."""
    counts: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, text in enumerate(texts):
        for word, times in Counter(WORD.findall(text.lower())).items():
            if times >= AT_LEAST:
                counts[word].append((-times, number))
    return {
        word: [number for _, number in sorted(found)[:LESSONS]]
        for word, found in sorted(counts.items())
        if len(found) <= len(texts) / 2
    }


def write_script(app, config) -> None:
    """Put what the search has to know into the script that orders results."""
    book = Path(app.srcdir)
    glossary, trouble = (
        (book / "book" / name).read_text(encoding="utf-8")
        for name in ("glossary.md", "troubleshooting.md")
    )
    lessons = sorted((book / "chapters").glob("*.ipynb"))
    rooms = book / "book" / "laboratory"
    texts = [
        "".join(
            text_of(path) for path in (one, rooms / one.name) if path.exists()
        )
        for one in lessons
    ]
    script = SCRIPT.read_text(encoding="utf-8")
    for name, value in {
        "WORDS_OF_THE_GLOSSARY": words_of(glossary),
        "HOMES_OF_THE_TERMS": homes_of(glossary),
        "SYMPTOMS_OF_TROUBLE": symptoms_of(trouble),
        "LESSONS_OF_THE_BOOK": [f"chapters/{path.stem}" for path in lessons],
        "FREQUENT_WORDS": frequent(texts),
    }.items():
        told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        script = script.replace(name, told)
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
