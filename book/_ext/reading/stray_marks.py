"""A page must not show its own markup: a stray `$`, backtick or asterisk.

Each built page is read as a browser would show it, code and formulas left out,
and what looks like unrendered Markdown or TeX is a warning; `make book` turns
every warning into a failure.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from sphinx.util import logging

LOGGER = logging.getLogger(__name__)

# A dollar sign before a letter, digit or backslash; any backtick; a pair of
# asterisks (a single one marks what nobody says: *the dogs sleeps); TeX
# commands and the brackets of a link.
STRAY = re.compile(
    r"\$(?=[\w\\{])|`|\*(?=[^\s*])[^*\n]*(?<=\S)\*|\*\*(?=[^\s*])"
    r"|\\[a-z]+\{|\]\((?:https?:|\.\.?/|#)"
)
SILENT = {"code", "pre", "script", "style", "svg", "kbd", "samp", "textarea"}
VOID = {"br", "img", "hr", "input", "meta", "link", "wbr", "col", "source"}


class _Shown(HTMLParser):
    """Collects the text of a page, without code and formulas."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        if tag in VOID:
            return
        classes = (dict(attrs).get("class") or "").split()
        silent = tag in SILENT or bool({"math", "sig"} & set(classes))
        self.open.append(silent or bool(self.open and self.open[-1]))
        if tag in ("p", "li", "td", "th", "div", "h1", "h2", "h3", "summary"):
            self.text.append("\n")

    def handle_endtag(self, tag) -> None:
        if tag not in VOID and self.open:
            self.open.pop()

    def handle_data(self, data) -> None:
        self.text.append("x" if self.open and self.open[-1] else data)


def stray_marks(html: str) -> list[str]:
    """Return the surroundings of each stray mark in a page's HTML."""
    reader = _Shown()
    reader.feed(html)
    text = "".join(reader.text)
    return [
        " ".join(text[max(0, m.start() - 30) : m.end() + 30].split())
        for m in STRAY.finditer(text)
    ]


def look(app, pagename, template, context, doctree) -> None:
    """Warn of stray marks on a page (called by Sphinx)."""
    if doctree is None or app.builder.format != "html":
        return
    for words in stray_marks(context.get("body", "")):
        LOGGER.warning(
            "unrendered markup on the page: ... %s ...",
            words,
            location=pagename,
        )


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("html-page-context", look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
