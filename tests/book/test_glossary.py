"""The glossary is the one source of words: tables are written from it.

What it and the tables must have is in page_rules/words.py of book/_tools.
"""

from pathlib import Path

import pytest
from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]

import glossary  # noqa: E402
import words_tables  # noqa: E402

PAGE = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
KNOWN = words_tables.index(words_tables.rows_of(PAGE))


def test_the_link_of_a_term_is_its_first_name():
    assert glossary.term_id("dot product (inner product)") == "term-dot-product"
    assert glossary.term_id("shape / axis †") == "term-shape"


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
