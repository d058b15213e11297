"""The side bars, and the way from page to page.

- The chapters of the short path carry a mark in the side bar; they are in
  `_config.yml` as `book_short_way`, and "How to use this book" says what the
  short path is.
- The laboratory and the solutions of a chapter stand below it, and show where
  one reads it; the way on leads from lesson to lesson.
- The contents of a page name an exercise without its minutes.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

WORDS = "on the short path through the book"
BELOW = ("book/laboratory/", "book/solutions/")
TITLE = "Solutions"  # the name in _toc.yml of the last page below a chapter


def mark_short_way(soup: BeautifulSoup, links: set[str]) -> None:
    """Put a mark and words on the side bar's links to these pages."""
    for link in soup.select("a.reference.internal"):
        if link.get("href") in links:
            link["data-way"] = "short"
            link["title"] = WORDS


def keep_rooms_below(soup: BeautifulSoup) -> None:
    """Show the other rooms of the current chapter, without a button."""
    for item in soup.select("li.has-children"):
        folded = item.find("details", recursive=False)
        if folded is None or last_link(folded) != TITLE:
            continue
        item["class"].remove("has-children")
        if "current" not in item["class"]:
            folded.decompose()
            continue
        folded.summary.decompose()
        folded.unwrap()


def last_link(folded: Tag) -> str:
    """Return the words of the last link below a chapter."""
    return folded.find_all("a")[-1].get_text(strip=True)


def short_exercises(html: str) -> str:
    """Leave kind, minutes and level out of the contents of a page."""
    return re.sub(r"(Exercise \d+\.\d+) \([^()]*\):", r"\1:", html)


def neighbors(relations: dict, name: str) -> tuple[str | None, str | None]:
    """Return the pages before and after; laboratory and solutions left out."""
    found = []
    for side in (1, 2):
        page = relations.get(name, [None] * 3)[side]
        while page is not None and page.startswith(BELOW):
            page = relations[page][side]
        found.append(page)
    return found[0], found[1]


def page_context(app, pagename, template, context, doctree) -> None:
    """Dress the theme's side bars; set the ways to the neighbors."""
    plain = context.get("generate_toctree_html")
    if plain is None or doctree is None:
        return
    contents = context["generate_toc_html"]
    pathto = context["pathto"]

    def side_bar(*args, **options):
        links = {
            "#" if name == pagename else pathto(name)
            for name in app.config.book_short_way
        }
        soup = BeautifulSoup(str(plain(*args, **options)), "html.parser")
        mark_short_way(soup, links)
        keep_rooms_below(soup)
        return str(soup)

    def page_contents(*args, **options):
        return short_exercises(str(contents(*args, **options)))

    context["generate_toctree_html"] = side_bar
    context["generate_toc_html"] = page_contents
    sides = neighbors(app.env.collect_relations(), pagename)
    for side, page in zip(("prev", "next"), sides, strict=True):
        context[side] = page and {
            "link": app.builder.get_relative_uri(pagename, page),
            "title": app.builder.render_partial(app.env.titles[page])["title"],
        }


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_config_value("book_short_way", [], "html")
    # After the theme has put its functions into the context.
    app.connect("html-page-context", page_context, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
