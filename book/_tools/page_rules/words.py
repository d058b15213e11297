"""The glossary is the one source of words: each has a line and a chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .pages import Page, page_at
from .rules import Complaint, rule

MOST_WORDS = 20  # of a definition
GLOSSARY = "book/glossary.md"


@cache
def chapters(root: Path) -> dict[int, list[str]]:
    """Return the Markdown cells of each chapter, without its solutions."""
    found = {}
    for path in sorted((root / "chapters").glob("*.ipynb")):
        lesson = page_at(path, root)
        both = (lesson, lesson.of_chapter("laboratory"))
        cells = [cell.text for page in both if page for cell in page.markdown]
        found[lesson.number] = cells
    return found


def table_of(cells: list[str]) -> list[tuple[str, ...]]:
    """Return the rows of a chapter's table of words."""
    from words_tables import rows_of

    texts = [text for text in cells if "\n## Words\n" in f"\n{text}"]
    if len(texts) != 1:
        raise Complaint(f"{len(texts)} cells with ## Words, wanted one")
    return rows_of(texts[0].split("## Words")[1].split("\n## ")[0])


def known(root: Path) -> dict[str, tuple[str, ...]]:
    """Return the row of each name that a term of the glossary may have."""
    from words_tables import index, rows_of

    return index(rows_of(page_at(root / GLOSSARY, root).text))


@rule("lesson")
def words_are_those_of_the_glossary(page: Page) -> Iterator[str]:
    """A chapter's table of words says what the glossary says."""
    from search_order import forms
    from words_tables import rows_for

    glossary = known(page.root)
    for english, *foreign in table_of(chapters(page.root)[page.number]):
        try:
            rows = rows_for(english, glossary)
        except ValueError as error:
            yield f"Words: {error}"
            continue
        for own, column in zip(foreign, (1, 2), strict=False):
            there = {form for row in rows for form in forms(row[column])}
            for strange in sorted(set(forms(own)) - there):
                yield (
                    f"Words: the glossary has no {strange} for {english}; "
                    "book/_tools/words_tables.py writes the table"
                )


@rule("glossary.md")
def a_term_is_explained(page: Page) -> Iterator[str]:
    """A term has both languages, a line, and the chapter that it is in."""
    from words_tables import rows_of

    for row in rows_of(page.text):
        if len(row) != 5:
            yield f"{row[0]}: {len(row)} cells in a row, wanted 5"
            continue
        english, korean, chinese, line, _ = row
        if not (korean and chinese):
            yield f"{english}: wanted in Korean and in Chinese"
        if not 2 <= len(line.split()) <= MOST_WORDS or line.endswith("."):
            yield f"{english}: a line of 2 to {MOST_WORDS} words, no period"
        yield from _where(row, page)


def _where(row: tuple[str, ...], page: Page) -> Iterator[str]:
    english, *_, chapter = row
    if not chapter:
        where = [n for n in chapters(page.root) if is_in_chapter(row, n, page)]
        if where:
            yield f"{english}: say that it is in chapter {where[0]}"
    elif chapter.isdigit():
        if int(chapter) not in chapters(page.root):
            yield f"{english}: there is no chapter {chapter}"
        elif not is_in_chapter(row, int(chapter), page):
            yield f"{english}: chapter {chapter} does not have it"
    elif link := re.search(r"\((\S+?)\)", chapter):
        path = page.path.parent / link[1]
        text = page_at(path, page.root).text if path.exists() else ""
        if not is_named(row, text.lower()):
            yield f"{english}: {link[1]} does not have it"
    else:
        yield f"{english}: {chapter!r} is no chapter and no link to a page"


def is_named(row: tuple[str, ...], text: str) -> bool:
    """Say whether a text names a term, by one of its forms."""
    from search_order import forms

    return any(
        re.search(rf"\b{re.escape(form)}", text) for form in forms(row[0])
    )


def is_in_chapter(row: tuple[str, ...], number: int, page: Page) -> bool:
    """Say whether a chapter has a term, in its text or among its words."""
    text, names = _words_of(number, page.root)
    return is_named(row, text) or row in names


@cache
def _words_of(number: int, root: Path) -> tuple[str, list[tuple[str, ...]]]:
    """Return a chapter's text in small letters, and its rows of words."""
    from words_tables import rows_for

    cells, glossary, rows = chapters(root)[number], known(root), []
    for english, *_ in table_of(cells):
        try:
            rows += rows_for(english, glossary)
        except ValueError:
            continue  # `words_are_those_of_the_glossary` says so
    return " ".join("\n".join(cells).lower().split()), rows


@rule("glossary.md")
def terms_are_listed_once(page: Page) -> Iterator[str]:
    """No two terms have the same link."""
    from glossary import term_id
    from words_tables import rows_of

    seen: dict[str, str] = {}
    for english, *_ in rows_of(page.text):
        name = term_id(english)
        if name in seen:
            yield f"{english}: it has the link #{name} of {seen[name]}"
        seen[name] = english
