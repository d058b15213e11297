"""Links, and what the text names: pages, headings, figures, exercises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .pages import NOTEBOOKS, Page, page_at
from .rules import rule

if TYPE_CHECKING:
    from papers import Papers

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
ELSEWHERE = re.compile(r"[a-z]+:")


def links_of(page: Page) -> Iterator[tuple[str, str]]:
    """Yield where a link stands and its target, of those inside the book."""
    for place, text in page.passages:
        for target in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
            if not ELSEWHERE.match(target):
                yield place, target


@rule(*NOTEBOOKS, "markdown")
def links_lead_somewhere(page: Page) -> Iterator[str]:
    """A link inside the book leads to a file that is there."""
    for place, target in links_of(page):
        name = target.split("#")[0]
        if name and not (page.path.parent / name).exists():
            yield f"{place}: no file {name}, to which a link leads"


@rule(*NOTEBOOKS, "markdown")
def links_find_their_place(page: Page) -> Iterator[str]:
    """A link to a heading finds it."""
    for place, target in links_of(page):
        name, _, anchor = target.partition("#")
        path = (page.path.parent / name).resolve() if name else page.path
        if anchor and path.exists() and anchor not in anchors(path, page.root):
            yield f"{place}: no heading #{anchor} in {path.name}"


@cache
def anchors(path: Path, root: Path) -> set[str]:
    """Return what a link may name behind `#`: headings and MyST targets.

    The names are those that GitHub and MyST make of headings up to level 4:
    small letters, hyphens for spaces, nothing else but letters and digits.
    """
    text = page_at(path, root).prose
    found = set(re.findall(r"^\(([\w-]+)\)=\s*$", text, flags=re.M))
    for heading in re.findall(r"^#{1,4} (.+?)\s*$", text, flags=re.M):
        words = re.sub(r"\$[^$]*\$|[*`]", "", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words.replace(" ", "-"))
        again = 0
        while name in found:
            again += 1
            name = f"{name}-{again}"
        found.add(name)
    return found


# ------------------------------------------------------------------ in words


@rule("lesson", "laboratory", "markdown")
def what_is_named_is_there(page: Page) -> Iterator[str]:
    """A figure, an exercise or a chapter that a text names is there."""
    from cross_links import spans_of

    for place, text in page.passages:
        plain = " ".join(re.sub(r"`[^`]*`", "", text).split())
        for _, _, (kind, number) in spans_of(plain, references(page.root)):
            if kind != "paper" and (kind, number) not in named_in(page.root):
                yield f"{place}: there is no {kind} {number}"


@cache
def references(root: Path) -> Papers:
    """Return the papers of the book."""
    from papers import Papers, entries

    return Papers(entries(root / "book" / "references.bib"), {})


@cache
def named_in(root: Path) -> set[tuple[str, str]]:
    """Return the chapters, figures and exercises of the book."""
    found = set()
    for path in sorted((root / "chapters").glob("*.ipynb")):
        lesson = page_at(path, root)
        found.add(("chapter", str(lesson.number)))
        for page in (lesson, lesson.of_chapter("laboratory")):
            text = page.flat if page else ""
            for number in re.findall(r"^\*Figure (\d+\.\d+)", text, re.M):
                found.add(("Figure", number))
            for number in re.findall(r"^### Exercise (\d+\.\d+)", text, re.M):
                found.add(("Exercise", number))
    return found
