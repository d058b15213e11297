"""The pages of the built book, and which of them stand for the others."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
# Classes that only say what code is written in or which kind of object of the
# library is described: all of those look alike.
NAMED = re.compile(r"highlight-\w+$")
OBJECT = re.compile(r'class="py \w+"')


def built_pages(holding=""):
    """Return the built pages that hold a text, as paths below _build/html."""
    folders = ("book", "book/api", "chapters")
    folders += ("book/laboratory", "book/solutions", "book/known_mistakes")
    found = [page for f in folders for page in (HTML / f).glob("*.html")]
    return sorted(
        page.relative_to(HTML).as_posix()
        for page in found
        if holding in page.read_text(encoding="utf-8")
    ) or ["(none built)"]


def elements(page):
    """Return the tags in a page's article but for code and drawings."""
    if not (HTML / page).exists():
        return []
    text = (HTML / page).read_text(encoding="utf-8")
    article = text[text.find("<article") : text.rfind("</article>")]
    article = re.sub(r"(?s)<(pre|svg)\b.*?</\1>", "", article)
    return re.findall(r"(?s)<\w[^>]*>", OBJECT.sub('class="py"', article))


def kinds_of_elements(page):
    """Return the classes of a page's elements."""
    named = re.findall(r'(?s)\bclass="([^"]*)"', "".join(elements(page)))
    names = set(" ".join(named).split())
    return {n for n in names if n[:4] != "tag_" and not NAMED.match(n)}


def of_each_kind(pages, kinds=kinds_of_elements):
    """Choose pages that have, together, each kind that any page has.

    Whatever has a color of its own is on one of them. Of two pages that show
    as many kinds the one with fewer elements is chosen.

    Args:
        pages: paths below _build/html.
        kinds: a function that returns the set of kinds of one page.
    """
    has = {page: kinds(page) for page in pages}
    size = {page: len(elements(page)) for page in pages}
    left, chosen = set().union(*has.values()), []
    while left:
        best = max(
            sorted(has), key=lambda page: (len(has[page] & left), -size[page])
        )
        chosen.append(best)
        left -= has[best]
    return chosen


def stands(name, sample):
    """Return the marks of a case that looks at one page and nothing else.

    What is not in the sample is left to `make test-all`: pages that are stand
    for it.
    """
    page = [pytest.mark.page(name)]
    return page if name in sample else [*page, pytest.mark.whole]
