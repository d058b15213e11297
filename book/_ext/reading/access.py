"""What Sphinx and the theme leave out for readers with a keyboard or by ear.

- The arrow that opens a part of the side bar has a name.
- The parameters of a long signature are no definition list without terms.
- The references are plain paragraphs, for their list has no list items.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup

PARAMETERS = re.compile(r"<dl>\n((?:<dd>.*?</dd>\n)+)</dl>", re.S)


def named_summaries(html: str) -> str:
    """Name each summary of a side bar that holds nothing but an icon."""
    soup = BeautifulSoup(html, "html.parser")
    for summary in soup.find_all("summary"):
        link = summary.find_parent("li").find("a")
        if not summary.get_text(strip=True) and link is not None:
            words = link.get_text(" ", strip=True)
            summary["aria-label"] = f"Pages of: {words}"
    return str(soup)


def plain_parameters(body: str) -> str:
    """Turn lists of parameters without terms into lines."""

    def lines(match: re.Match) -> str:
        inner = match[1].replace("<dd>", '<span class="sig-line">')
        return inner.replace("</dd>", "</span>")

    return PARAMETERS.sub(lines, body)


def page_context(app, pagename, template, context, doctree) -> None:
    """Mend a page before its template is filled."""
    if "body" in context:
        body = plain_parameters(context["body"])
        context["body"] = body.replace(
            '<div role="list" class="citation-list">',
            '<div class="citation-list">',
        ).replace(' role="doc-biblioentry"', "")
    plain = context.get("generate_toctree_html")
    if plain is not None:

        def side_bar(*args, **options):
            return named_summaries(str(plain(*args, **options)))

        context["generate_toctree_html"] = side_bar


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    # After navigation.py, which dresses the side bar.
    app.connect("html-page-context", page_context, priority=940)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
