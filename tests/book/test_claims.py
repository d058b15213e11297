"""The table of claims is true to the documents, and is told everywhere.

What it must have by itself, and each page, is in page_rules/claims.py of
book/_tools. The documents that the book quotes are not part of it. Where they
are at hand, `SOURCES=folder` names the folder that holds their five texts, in
the order of the list of references, and each original is held to its document.
"""

import importlib.util
import json
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

import claim_table as table  # noqa: E402

PAGE = ROOT / "book" / "the_five_notes.md"
CLAIMS = table.claims()


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load(ROOT / "book" / "_tools" / "claims.py")


def test_each_chapter_with_a_cell_for_them_has_claims():
    assert {*tool.CHAPTERS} <= {claim.chapter for claim in CLAIMS}


def test_the_five_documents_are_those_of_the_references():
    documents = table.raw_table()["documents"].values()
    assert [one["number"] for one in documents] == [1, 2, 3, 4, 5]
    page = (ROOT / "book" / "references.md").read_text(encoding="utf-8")
    listed = page.split("(the-five-notes)=")[1].split("\n## ")[1]
    assert re.findall(r"^(\d)\. ", listed, re.M) == list("12345")


# --------------------------------------------------------------- the quotations


def texts_in(folder):
    """Return the lines of the five documents by their names."""
    paths = sorted(Path(folder).glob("*.txt"))
    return {
        name: path.read_text(encoding="utf-8").splitlines()
        for name, path in zip(
            table.raw_table()["documents"], paths, strict=True
        )
    }


def squeezed(text):
    """Leave out spaces, the marks of Markdown, and those that align lines."""
    return re.sub(r"[\s$*#>`&-]", "", text)


def missing(wording, lines):
    """Return the first piece of an original that is not where it should be."""
    text = squeezed("\n".join(lines[wording.line - 1 :]))
    line = squeezed(lines[wording.line - 1])
    first, *rest = map(squeezed, wording.original.split("[...]"))
    begins = text.find(first)
    if not 0 <= begins < len(line):
        return first
    for piece in rest:
        begins = text.find(piece, begins + 1)
        if begins < 0:
            return piece
    return None


def test_originals_stand_in_their_documents():
    if "SOURCES" not in os.environ:
        pytest.skip("SOURCES=folder: the five documents are not at hand")
    lines = texts_in(os.environ["SOURCES"])
    wrong = [
        (claim.id, wording.document, wording.line, piece)
        for claim in CLAIMS
        for wording in claim.wordings
        if (piece := missing(wording, lines[wording.document]))
    ]
    assert wrong == []


def test_a_piece_that_is_not_in_its_line_is_found():
    lines = ["one", "The scores", "are large. They", "grow."]

    def original(words, line=2):
        return table.Wording("notes", line, words, "")

    assert missing(original("scores are *large*."), lines) is None
    assert missing(original("The scores [...] grow."), lines) is None
    assert missing(original("scores are small."), lines)
    assert missing(original("scores are large.", line=1), lines)
    assert missing(original("scores [...] one"), lines) == "one"


# ------------------------------------------------------------ where it is shown


def test_a_wording_is_shown_in_english_with_its_original_folded():
    text = table.entry("the-root-prevents-overflow")
    assert text.startswith("> If the dot product becomes large")
    assert "line 152</summary>\n\n내적값이 커지면" in text
    assert "> From the slides of lecture 22. *Imprecise.*\n" in text
    assert text.endswith("the loss of gradients.")
    alone = table.entry("1000-in-place-of-10000")
    assert "<details>" not in alone and "line 55." in alone


def test_a_link_names_the_chapter_and_what_stands_there():
    page = ROOT / "book" / "laboratory" / "04_why_the_square_root.ipynb"
    (claim,) = (claim for claim in CLAIMS if claim.id == "overflow")
    assert table.where(claim, page) == (
        "[chapter 4, Experiment 2](#experiment-2-overflow-explanation-a)"
    )
    assert table.where(claim, PAGE).endswith(
        "(laboratory/04_why_the_square_root.ipynb"
        "#experiment-2-overflow-explanation-a)"
    )


def test_a_laboratory_is_told_all_claims_of_its_chapter():
    """That its cell says so is a rule for pages."""
    for path in tool.laboratories():
        told = table.section(int(path.name[:2]), path)
        assert told.startswith("## What the lecture notes say\n\n")
        assert "```" not in told and "{" + "cite" not in told  # plain Markdown
        for claim in CLAIMS:
            here = claim.chapter == int(path.name[:2])
            if here and claim.entry not in table.LISTS:
                assert claim.better in told, claim.id


def test_what_stands_in_no_note_is_not_put_into_their_mouths():
    for path in tool.laboratories():
        told = [c for c in CLAIMS if c.chapter == int(path.name[:2])]
        told = [c for c in told if c.entry not in table.LISTS]
        opening = table.section(int(path.name[:2]), path).split("\n\n")[1]
        quoted = any(claim.wordings for claim in told)
        assert ("Here is what they say" in opening) == quoted, path.name
        for origin in {c.origin for c in told if c.origin and quoted}:
            assert f"*{origin.capitalize()}*" in opening, path.name


def test_the_cell_is_put_before_the_last_section_and_once():
    def cell(text):
        return {
            "cell_type": "markdown",
            "id": text[-1],
            "metadata": {},
            "source": [text],
        }

    texts = ["# Title a", "## Experiments b", "### One c"]
    notebook = {"cells": [*map(cell, texts)]}
    once = tool.written(json.dumps(notebook), "## Notes")
    order = [cell["id"] for cell in json.loads(once)["cells"]]
    assert order == ["a", "lecture-notes", "b", "c"]
    assert tool.written(once, "## Notes") == once
    texts += ["## Exercises for home d", "## Check yourself e"]
    notebook = {"cells": [*map(cell, texts)]}
    again = tool.written(json.dumps(notebook), "## Notes")
    order = [cell["id"] for cell in json.loads(again)["cells"]]
    assert order == ["a", "b", "c", "lecture-notes", "d", "e"]


def test_a_cell_that_is_there_stays_in_its_place():
    """Below it are the cells that claims point to."""
    found = tool.laboratories()[0].read_text(encoding="utf-8")
    cells = json.loads(found)["cells"]
    order = [cell["id"] for cell in cells]
    below = order[order.index(tool.CELL) + 1 :]
    assert below and order[0] != tool.CELL
    again = json.loads(tool.written(found, "## Notes"))["cells"]
    assert [cell["id"] for cell in again] == order
