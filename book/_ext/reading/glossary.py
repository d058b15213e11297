"""Tables of words: their languages, and what the glossary's cells lead to.

A table with the columns 한국어 and 繁體中文 says to browsers and screen readers
which language each column has, in the glossary and at the end of a chapter. In
the glossary each row gets a name: `glossary.html#term-query` leads to it. There
and on the formula card the numbers of chapters become links. A script,
book/_static/glossary.js, lets readers filter the glossary's rows.
"""

from __future__ import annotations

import re

from docutils import nodes

LANGUAGES = {"한국어": "ko", "繁體中文": "zh-Hant"}
PAGE = "book/glossary"
LINKED = (PAGE, "book/in_short")


def term_id(english: str) -> str:
    """Return the name of a row: "dot product (...)" has term-dot-product."""
    head = re.split(r"[(/,†]", english)[0].strip().lower()
    return "term-" + re.sub(r"[^a-z0-9]+", "-", head).strip("-")


def heads_of(table: nodes.table) -> list[str]:
    """Return the words in the head of a table, one for each column."""
    for head in table.findall(nodes.thead):
        return [entry.astext().strip() for entry in head.findall(nodes.entry)]
    return []


def mark_tables(app, doctree) -> None:
    """Give the columns of each table of words their language."""
    for table in doctree.findall(nodes.table):
        heads = heads_of(table)
        if not LANGUAGES.keys() <= set(heads):
            continue
        table["classes"].append("words")
        for row in table.findall(nodes.row):
            for head, entry in zip(heads, row.children, strict=False):
                if head in LANGUAGES:
                    entry["classes"].append(f"language-{LANGUAGES[head]}")
        if app.env.docname == PAGE:
            name_rows(table)


def name_rows(table: nodes.table) -> None:
    """Give each row of the glossary a name that links can use."""
    for body in table.findall(nodes.tbody):
        for row in body.children:
            row["ids"].append(term_id(row.children[0].astext()))


def link_chapters(app, doctree, docname) -> None:
    """Turn the numbers in a last column named "chapter" into links."""
    if docname not in LINKED or app.builder.format != "html":
        return
    places = getattr(app.env, "book_places", {})
    for table in doctree.findall(nodes.table):
        if heads_of(table)[-1:] != ["chapter"]:
            continue
        for body in table.findall(nodes.tbody):
            for row in body.children:
                link_numbers(app, docname, row.children[-1], places)


def link_numbers(app, docname, entry: nodes.entry, places: dict) -> None:
    """Make each number in a cell, such as "3, 4", a link to its chapter."""
    for text in list(entry.findall(nodes.Text)):
        made: list[nodes.Node] = []
        for piece in re.split(r"(\d+)", text.astext()):
            page, _ = places.get(("chapter", piece), ("", ""))
            if page:
                uri = app.builder.get_relative_uri(docname, page)
                title = f"Chapter {piece}"
                made.append(
                    nodes.reference(
                        "", piece, internal=True, refuri=uri, reftitle=title
                    )
                )
            elif piece:
                made.append(nodes.Text(piece))
        text.parent.replace(text, made)


def add_filter(app, pagename, template, context, doctree) -> None:
    """Load the script of the filter on the glossary."""
    if pagename == PAGE:
        app.add_js_file("glossary.js", loading_method="defer")


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("html-page-context", add_filter)
    app.connect("doctree-read", mark_tables)
    app.connect("doctree-resolved", link_chapters, priority=910)
    return {
        "env_version": 1,  # raise it when what is kept of a page changes
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
