"""The list of references says which chapters and pages cite an entry.

A chapter names a paper in plain words, "(Vaswani et al. 2017)", a page of the
book by the role `{cite}`. Both are collected while the book is read, so no
list is kept by hand.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from docutils import nodes
from papers import SKIP, Papers, entries
from trees import inside

PAGE = "book/references"
ROOMS = {  # of a chapter, and how the list calls them
    "chapters": "chapter",
    "book/laboratory": "laboratory of chapter",
    "book/solutions": "solutions to chapter",
}
OTHER = re.compile(r"book/(?!laboratory/|solutions/|api/)\w+$")


@cache
def papers_of(bibliography: Path) -> Papers:
    """Return what knows how a text names the papers of a .bib file."""
    return Papers(entries(bibliography), {})


def note(app, doctree) -> None:
    """Note which papers a page names in its words."""
    papers = papers_of(Path(app.srcdir) / "book" / "references.bib")
    named = {
        key
        for text in doctree.findall(nodes.Text)
        if not inside(text.parent, SKIP)
        for _, _, key in papers.named_in(text.astext())
    }
    kept = app.env.book_named = getattr(app.env, "book_named", {})
    kept[app.env.docname] = named


def forget(app, env, docname) -> None:
    """Drop what a page named that is read anew or gone."""
    getattr(env, "book_named", {}).pop(docname, None)


def merge(app, env, docnames, other) -> None:
    """Take over what another process has noted."""
    mine = env.book_named = getattr(env, "book_named", {})
    mine.update(getattr(other, "book_named", {}))


def read_again(app, env, docnames) -> None:
    """Have the list of references made anew whenever any page was changed.

    It is read, not only written: the entries are kept with what was added to
    them, and writing alone would add it twice.
    """
    if docnames and PAGE in env.found_docs and PAGE not in docnames:
        docnames.append(PAGE)


def pages_citing(env) -> dict[str, list[str]]:
    """Return for each paper the pages that cite it, in the book's order."""
    found: dict[str, set[str]] = {}
    for page, keys in getattr(env, "book_named", {}).items():
        for key in keys:
            found.setdefault(key, set()).add(page)
    for ref in env.get_domain("cite").citation_refs:
        for target in ref.targets:
            found.setdefault(target.key, set()).add(ref.docname)
    return {key: in_order(pages) for key, pages in found.items()}


def in_order(pages: set[str]) -> list[str]:
    """Return chapters by their numbers, then other pages by their names.

    The laboratory and the solutions of a chapter count where the lesson does
    not cite the paper itself; the library's pages and the list of references
    do not count.
    """
    found: dict[str, str] = {}
    for room in ROOMS:
        for page in sorted(p for p in pages if p.startswith(f"{room}/")):
            found.setdefault(page.rpartition("/")[2], page)
    other = {p for p in pages if OTHER.match(p) and p != PAGE}
    return [*found.values(), *sorted(other)]


def room_of(page: str) -> str:
    """Return the folder of a page."""
    return page.rpartition("/")[0]


def words_for(env, page: str) -> str:
    """Return how the list calls a page."""
    number = re.search(r"/(\d+)_", page)
    if number is None or room_of(page) not in ROOMS:
        return env.titles[page].astext()
    return f"{ROOMS[room_of(page)]} {int(number[1])}"


def add_pages(app, doctree, docname) -> None:
    """Write below each reference where the book cites it."""
    if docname != PAGE or app.builder.format != "html":
        return
    env = app.env
    keys = {c.citation_id: c.key for c in env.get_domain("cite").citations}
    citing = pages_citing(env)
    for citation in doctree.findall(nodes.citation):
        (key,) = [keys[name] for name in citation["ids"] if name in keys]
        line = nodes.paragraph(classes=["cited-in"])
        pages = citing.get(key, [])
        line += nodes.Text("Cited in " if pages else "Further reading.")
        for place, page in enumerate(pages):
            line += nodes.Text(", " if place else "")
            uri = app.builder.get_relative_uri(PAGE, page)
            words = words_for(env, page)
            line += nodes.reference("", words, internal=True, refuri=uri)
        if pages:
            line += nodes.Text(".")
        citation += line


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("doctree-read", note)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-before-read-docs", read_again)
    app.connect("doctree-resolved", add_pages, priority=950)
    return {
        "env_version": 1,  # raise it when what is kept of a page changes
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
