"""The glossary is the one source of words: each has a line and a chapter."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]

import glossary  # noqa: E402
import search_order  # noqa: E402
import words_tables  # noqa: E402

PAGE = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
ROWS = words_tables.rows_of(PAGE)
KNOWN = words_tables.index(ROWS)
CHAPTERS = {
    int(path.name[:2]): [
        "".join(cell["source"])
        for room in (path, ROOT / "book" / "laboratory" / path.name)
        for cell in json.loads(room.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "markdown"
    ]
    for path in sorted((ROOT / "chapters").glob("*.ipynb"))
}


@cache
def table_of(chapter):
    """Return the rows of a chapter's table of words."""
    (text,) = [
        cell for cell in CHAPTERS[chapter] if "\n## Words\n" in f"\n{cell}"
    ]
    return words_tables.rows_of(text.split("## Words")[1].split("\n## ")[0])


@cache
def prose_of(chapter):
    return " ".join("\n".join(CHAPTERS[chapter]).lower().split())


def is_named(row, text):
    """Say whether a text names a term, by one of its forms."""
    return any(
        re.search(rf"\b{re.escape(form)}", text)
        for form in search_order.forms(row[0])
    )


def is_in_chapter(row, chapter):
    """Say whether a chapter has a term, in its text or among its words."""
    listed = [words_tables.rows_for(own[0], KNOWN) for own in table_of(chapter)]
    return row in sum(listed, []) or is_named(row, prose_of(chapter))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_term_has_both_languages_a_line_and_a_chapter(row):
    english, korean, chinese, line, chapter = row
    assert korean and chinese
    assert 2 <= len(line.split()) <= 20 and not line.endswith(".")
    if not chapter:
        where = [n for n in CHAPTERS if is_in_chapter(row, n)]
        assert where == [], f"{english}: say chapter {where[0]} in the glossary"
    elif chapter.isdigit():
        assert is_in_chapter(row, int(chapter)), english
    else:
        page = ROOT / "book" / re.search(r"\((\S+)\)", chapter)[1]
        assert is_named(row, page.read_text(encoding="utf-8").lower())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_words_of_a_chapter_are_those_of_the_glossary(chapter):
    for english, korean, chinese, _ in table_of(chapter):
        rows = words_tables.rows_for(english, KNOWN)
        for own, column in ((korean, 1), (chinese, 2)):
            forms = {f for r in rows for f in search_order.forms(r[column])}
            strange = set(search_order.forms(own)) - forms
            assert strange == set(), f"{english}: not in the glossary"


def test_terms_are_listed_once_and_their_links_differ():
    ids = [glossary.term_id(row[0]) for row in ROWS]
    assert len(set(ids)) == len(ids)
    assert "term-dot-product" in ids


def test_a_table_of_words_is_written_from_the_glossary():
    old = "\n".join(
        [
            "## Words",
            "",
            words_tables.HEAD,
            "| vanishing / exploding gradient | x | y | z |",
            "| layer, sub-layer | x | y | z |",
            "",
            "All terms",
        ]
    )
    new = words_tables.renewed(old, KNOWN)
    rows = words_tables.rows_of(new)
    assert [row[0] for row in rows] == [
        "vanishing gradient",
        "exploding gradient",
        "layer / sub-layer",
    ]
    assert rows[0][1:] == KNOWN["vanishing gradient"][1:4]
    assert new.endswith("\n\nAll terms") and new.startswith("## Words\n\n|")
    assert words_tables.renewed(new, KNOWN) == new
    with pytest.raises(ValueError, match="no term 'flux'"):
        words_tables.rows_for("flux", KNOWN)


def table(*rows):
    """Return a table as Sphinx has it, its first row the head."""
    made = nodes.table()
    group = nodes.tgroup(cols=len(rows[0]))
    made += group
    for kind, part in ((nodes.thead, rows[:1]), (nodes.tbody, rows[1:])):
        group += kind()
        for cells in part:
            row = nodes.row()
            for cell in cells:
                row += nodes.entry("", nodes.paragraph("", cell))
            group.children[-1].append(row)
    return made


def test_the_columns_of_a_table_say_their_language():
    class App:
        class env:
            docname = glossary.PAGE

    words = table(
        ["English", "한국어", "繁體中文", "in one line"],
        ["key (of a query)", "키", "鍵", "what is compared"],
    )
    other = table(["English", "한국어"], ["key", "키"])
    document = nodes.section("", words, other)
    glossary.mark_tables(App, document)
    classes = [entry["classes"] for entry in words.findall(nodes.entry)]
    row = [[], ["language-ko"], ["language-zh-Hant"], []]
    assert classes == row * 2
    assert words.next_node(nodes.tbody).children[0]["ids"] == ["term-key"]
    assert not any(e["classes"] for e in other.findall(nodes.entry))
