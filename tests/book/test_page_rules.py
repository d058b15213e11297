"""The rules for pages: none of them complains, and each of them can.

One case a page; its complaints say where a fault is and what it is. The faults
that show that each rule can fail are in test_rules_*.py.
"""

import os
import shutil
import subprocess
import sys

import page_rules
import pytest
import test_rules_chapters
import test_rules_guide
import test_rules_notebooks
import test_rules_words
from page_rules.pages import ROOT
from planted import rules_in

PLANTED = (
    test_rules_chapters,
    test_rules_guide,
    test_rules_notebooks,
    test_rules_words,
)


@pytest.mark.parametrize(
    "path", page_rules.all_pages(), ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_a_page_has_no_complaint(path):
    assert page_rules.complaints(path) == []


PAGES = """
    lesson laboratory solutions page claims.toml the_five_notes glossary
    references rubrics teaching
""".split()


@pytest.mark.parametrize("page", PAGES)
def test_the_small_book_has_no_complaint(page, book):
    book.write()
    assert book.complaints(page) == []


def test_each_rule_has_a_fault_that_it_finds():
    planted = {
        fault.split(":")[0] for tests in PLANTED for fault in tests.FAULTS
    }
    assert planted | IN_THE_FILE.keys() == page_rules.RULES.keys()


# What can only be planted in the bytes of a notebook.
IN_THE_FILE = {
    "nothing_volatile": (b"\n", b"\r\n"),
    "written_as_the_tools_do": (b'\n "cells"', b'\n  "cells"'),
}


@pytest.mark.parametrize("name", IN_THE_FILE)
def test_a_fault_of_the_file_is_found(name, book):
    book.write()
    path = book.path("laboratory")
    path.write_bytes(path.read_bytes().replace(*IN_THE_FILE[name]))
    assert rules_in(book.complaints("laboratory")) == {name}


def test_a_file_that_cannot_be_read_is_said_to_be_so(book):
    book.write()
    book.path("laboratory").write_text('{"cells": [', encoding="utf-8")
    (said,) = book.complaints("laboratory")
    assert said.startswith("this cannot be read: Expecting value: line 1 ")


def test_a_complaint_says_where_it_is_and_whose(book):
    book.lesson["answer"]["source"] += "\n" * 26
    book.pages["page"] += "\n```\n[code](x.md)\n```\n\n[there](nowhere.md)\n"
    book.write()
    assert book.complaints("lesson") == [
        "cell 9: 26 lines, at most 25 [short_cells]"
    ]
    line = 1 + book.pages["page"][: book.pages["page"].index("[there]")].count(
        "\n"
    )
    assert book.complaints("page") == [
        f"line {line}: no file nowhere.md, to which a link leads "
        "[links_lead_somewhere]"
    ]


def test_what_is_no_page_is_refused():
    with pytest.raises(ValueError, match=r"README\.md is no page of the book"):
        page_rules.complaints(ROOT / "README.md")


def test_the_command_prints_complaints_and_tells_by_its_status(book):
    """Without pytest, in a book of its own."""
    book.pages["page"] += "[there](nowhere.md)\n"
    book.solutions["words"]["source"] = "No way back."
    book.write()
    for name in ("_tools", "_ext"):
        shutil.copytree(
            ROOT / "book" / name, book.folder / "book" / name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )  # fmt: skip
    shutil.copy(ROOT / "_toc.yml", book.folder)
    command = [sys.executable, book.folder / "book/_tools/page_rules"]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}

    def run(*pages):
        asked = [*command, *map(book.path, pages)]
        return subprocess.run(asked, capture_output=True, text=True, env=env)

    good, bad, whole = run("references"), run("references", "page"), run()
    assert (good.returncode, good.stdout, good.stderr) == (0, "", "")
    assert (bad.returncode, bad.stderr) == (1, "")
    assert bad.stdout.startswith("book/page.md: line ")
    assert bad.stdout.count("\n") == 1 and bad.stdout in whole.stdout
    said = run("solutions").stdout  # the lesson says it, for its chapter
    assert said.startswith("chapters/01_one_idea.ipynb: book/solutions/01_")
    assert "\nbook/teaching.md: " in whole.stdout  # it is for the whole course
