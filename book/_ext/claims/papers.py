"""Papers as the text names them: "Vaswani et al. 2017", "Shazeer (2020".

The forms are made from book/references.bib, so nothing is marked in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes

# What looks like a citation, known or not.
LIKE = re.compile(
    r"\b[A-Z][\w’'-]+(?: et al\.| and [A-Z][\w’'-]+),? \(?(?:19|20)\d\d\b"
)
SKIP = (nodes.literal, nodes.literal_block, nodes.citation, nodes.raw)


def entries(path: Path) -> Iterator[tuple[str, list[str], str]]:
    """Yield (key, last names, year) of a .bib file, in its order."""
    text = path.read_text(encoding="utf-8")
    for block in re.split(r"^(?=@)", text, flags=re.M):
        key = re.match(r"@\w+\{([^,\s]+),", block)
        author = re.search(r"^\s*author\s*=\s*\{(.*?)\},?$", block, re.M)
        year = re.search(r"^\s*year\s*=\s*\{?(\d{4})", block, re.M)
        if key and author and year:
            names = [last_name(n) for n in author[1].split(" and ")]
            yield key[1], names, year[1]


def last_name(name: str) -> str:
    """Return the family name of "A. M. Rush", "de Jong, M." or "others"."""
    if "," in name:
        return name.split(",")[0].strip()
    words = re.sub(r"[{}]", "", name).split()
    kept = [word for word in words if not word.endswith(".")]
    return " ".join(kept or words[-1:])


def forms(names: list[str]) -> list[str]:
    """Return how a text may name these authors, the longest first."""
    if "others" in names:
        names = [names[0], "", ""]
    first = re.escape(names[0])
    if len(names) == 1:
        return [first]
    if len(names) == 2:
        return [f"{first} and {re.escape(names[1])}", f"{first} et al\\."]
    every = (
        ", ".join(map(re.escape, names[:-1]))
        + ",? and "
        + (re.escape(names[-1]))
    )
    return [every, f"{first} et al\\."] if names[1] else [f"{first} et al\\."]


class Papers:
    """The papers of the book and where the list of references has them."""

    def __init__(self, listed, places: dict[str, tuple[str, str]]) -> None:
        self.keys: dict[tuple[str, str], str] = {}
        patterns = []
        for key, names, year in listed:
            for form in forms(names):
                plain = form.replace("\\", "").replace(",?", ",")
                self.keys.setdefault((plain, year), key)
                form = form.replace("'", "['’]")
                patterns.append(f"{form}(?:['’]s)?,? \\(?{year}")
        patterns.sort(key=len, reverse=True)
        self.pattern = re.compile(rf"\b(?:{'|'.join(patterns)})\b")
        self.places = places

    @classmethod
    def of(cls, app) -> Papers:
        """Return the papers of a book that Sphinx builds."""
        listed = entries(Path(app.srcdir) / "book" / "references.bib")
        cited = app.env.get_domain("cite").citations
        return cls(
            listed,
            {c.key: (c.bibliography_key.docname, c.citation_id) for c in cited},
        )

    def named_in(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, key) of each paper that a text names."""
        for match in self.pattern.finditer(text):
            names = re.sub(r"(?:['’]s)?,? \(?\d{4}$", "", match[0])
            names = names.replace("’", "'")
            names = re.sub(r"(?<!,) and (?=\S+$)", " and ", names)
            year = match[0][-4:]
            key = self.keys.get((names, year)) or self.keys.get(
                (re.sub(r"(?<=,.) ?and ", " and ", names), year)
            )
            if key is None and names.count(", "):
                oxford = re.sub(r" and (?=\S+$)", ", and ", names)
                key = self.keys.get((oxford, year))
            if key:
                yield match.start(), match.end(), key

    def place(self, key: str) -> tuple[str, str] | None:
        """Return page and anchor of a paper in the list of references."""
        return self.places.get(key)

    def unknown_in(self, doctree) -> Iterator[tuple[str, nodes.Node]]:
        """Yield what looks like a citation and is not in the list."""
        for paragraph in doctree.findall(nodes.paragraph):
            kept = [
                text.astext()
                for text in paragraph.findall(nodes.Text)
                if not isinstance(text.parent, SKIP)
            ]
            text = "".join(kept)
            for match in LIKE.finditer(text):
                if not self.pattern.search(
                    text[max(0, match.start() - 80) : match.end()]
                ):
                    yield match[0], paragraph
