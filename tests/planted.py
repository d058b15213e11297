"""How a test plants a fault in the book of tests/small_book.py.

Each function returns an edit: a function of the book, before it is written.
"""

import re


def rules_in(complaints):
    """The names of the rules that complain."""
    return {re.search(r" \[(\w+)\]$", said)[1] for said in complaints}


def put(page, cell, source):
    """A cell with another text."""

    def edit(book):
        getattr(book, page)[cell]["source"] = source

    return edit


def changed(page, cell, old, new):
    """A cell in which some words are others."""

    def edit(book):
        found = getattr(book, page)[cell]
        assert old in found["source"]
        found["source"] = found["source"].replace(old, new)

    return edit


def with_metadata(page, cell, **marks):
    """A cell with other metadata; None takes a mark away."""

    def edit(book):
        metadata = getattr(book, page)[cell]["metadata"]
        metadata |= marks
        for name in [name for name, mark in marks.items() if mark is None]:
            del metadata[name]

    return edit


def with_output(page, cell, *outputs):
    def edit(book):
        getattr(book, page)[cell]["outputs"] = list(outputs)

    return edit


def shown(kind, text):
    return {"data": {kind: text}, "metadata": {}, "output_type": "display_data"}


def more(page, *cells, below=None):
    """More cells, at the end of a notebook or below another cell."""

    def edit(book):
        found = getattr(book, page)
        names = [*found]
        at = len(names) if below is None else 1 + names.index(below)
        found.update({cell["id"]: cell for cell in cells})
        for name in names[at:]:
            found[name] = found.pop(name)

    return edit


def page_with(text):
    """The page in Markdown with some more lines."""

    def edit(book):
        book.pages["page"] += text

    return edit


def in_file(name, old, new):
    """A page in Markdown, or another file, in which some words are others."""

    def edit(book):
        texts = book.pages if name in book.pages else book.files
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)

    return edit


def all_edits(*edits):
    def edit(book):
        for one in edits:
            one(book)

    return edit
