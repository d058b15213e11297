"""What the side bar shows beyond the titles: the chapters of the short way.

The chapters stand in `_config.yml` as `book_short_way`; the page "How to use
this book" says what the short way is.
"""

from __future__ import annotations

import re

WORDS = "on the short way through the book"


def mark_short_way(html: str, links: set[str]) -> str:
    """Put a class and words on the side bar's links to these pages."""

    def marked(match: re.Match) -> str:
        if match["href"] not in links:
            return match[0]
        return f'{match[0][:-1]} data-way="short" title="{WORDS}">'

    return re.sub(
        r'<a class="[^"]*reference internal[^"]*" href="(?P<href>[^"]*)">',
        marked,
        html,
    )


def page_context(app, pagename, template, context, doctree) -> None:
    """Let the theme's side bar carry the marks."""
    plain = context.get("generate_toctree_html")
    if plain is None:
        return

    def generate(*args, **options):
        links = {
            "#" if name == pagename else context["pathto"](name)
            for name in app.config.book_short_way
        }
        return mark_short_way(str(plain(*args, **options)), links)

    context["generate_toctree_html"] = generate


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_config_value("book_short_way", [], "html")
    # After the theme has put its functions into the context.
    app.connect("html-page-context", page_context, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
