"""The table of claims: complete, true to the documents, and told everywhere.

The documents that the book quotes are not part of it. Where they are at hand,
`SOURCES=folder` names the folder that holds their five texts, in the order of
the list of references, and each original is held to its document.
"""

import importlib.util
import json
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

import claim_table as table  # noqa: E402
from papers import LIKE, Papers, entries  # noqa: E402

PAGE = ROOT / "book" / "common_errors.md"
CLAIMS = table.claims()
PAPERS = Papers(entries(ROOT / "book" / "references.bib"), {})
FIELDS = {"id", "chapter", "document", "said", "verdict", "better", "cell"}
ALLOWED = FIELDS | {"line", "original", "translation", "also", "fair", "source"}
ALLOWED |= {"entry", "origin"}
FOREIGN = re.compile(r"[\u4e00-\u9fff\uac00-\ud7a3]")
HAN = re.compile(r"[\u4e00-\u9fff]")

each = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load(ROOT / "book" / "_tools" / "claims.py")


# ------------------------------------------------------------------ the fields


def test_the_fields_are_complete():
    rows = table.raw_table()["claim"]
    for row in rows:
        assert set(row) >= FIELDS and set(row) <= ALLOWED, row["id"]
        named = {"line", "original"} <= set(row)
        assert named == bool(row["document"]), row["id"]
        assert ("origin" in row) != named, row["id"]
    assert len({row["id"] for row in rows}) == len(rows)
    chapters = [row["chapter"] for row in rows]
    assert chapters == sorted(chapters) and {*chapters} <= set(range(21))
    assert {*tool.CHAPTERS} <= {*chapters}


def test_the_five_documents_are_those_of_the_references():
    documents = table.raw_table()["documents"].values()
    assert [one["number"] for one in documents] == [1, 2, 3, 4, 5]
    page = (ROOT / "book" / "references.md").read_text(encoding="utf-8")
    listed = page.split("(the-five-notes)=")[1].split("\n## ")[1]
    assert re.findall(r"^(\d)\. ", listed, re.M) == list("12345")


@each
def test_a_claim_is_told_in_a_few_plain_sentences(claim):
    assert re.fullmatch(r"[a-z0-9-]+", claim.id)
    assert claim.verdict in table.VERDICTS
    assert claim.said and not claim.said.endswith(".")
    assert claim.better[-1] in ".?" and "!" not in claim.better + claim.fair
    limit = 6 if claim.entry in table.LISTS else 3
    plain = re.sub(r"\b\d\.", "", claim.better)
    assert len(re.findall(r"[.?](?: |$)", plain)) <= limit


@each
def test_a_claim_is_measured_somewhere(claim):
    assert claim.cells or claim.verdict == "damaged"
    for cell in claim.cells:
        place = table.find(cell)
        assert place, f"no cell {cell}"
        assert re.search(r"[a-z]", place.anchor), "a heading without words"


@each
def test_its_papers_are_in_the_list_of_references(claim):
    for found in LIKE.finditer(f"{claim.better} {claim.source}"):
        assert PAPERS.pattern.search(found[0]), found[0]


# --------------------------------------------------------------- the quotations


def words_in(text):
    """Count words; a formula is one, and so are two characters of Chinese."""
    text = re.sub(r"\$[^$]*\$", " formula ", text.replace("[...]", " "))
    chinese = len(HAN.findall(text))
    return len(re.sub(rf"{HAN.pattern}|[，。、；]", " ", text).split()) + (
        (chinese + 1) // 2
    )


@each
def test_originals_are_short_and_whole_clauses(claim):
    for wording in claim.wordings:
        assert words_in(wording.original) <= 25, words_in(wording.original)
        pieces = wording.original.split("[...]")
        assert all(piece.strip() for piece in pieces), "a cut at an end"
        # What is cut is told: in brackets, or because the pieces are a list.
        cut = len(pieces) > 1 and bool(wording.translation)
        assert not cut or "[" in wording.translation or "," in wording.original


@each
def test_what_is_not_english_is_translated(claim):
    for wording in claim.wordings:
        plain = re.sub(r"\$[^$]*\$", "", wording.original)
        damaged = claim.verdict == "damaged"
        if FOREIGN.search(plain) and not damaged:
            assert wording.translation and not HAN.search(wording.translation)


def text_of(document):
    """Return the text of a document, where the five are at hand."""
    folder = os.environ.get("SOURCES")
    if not folder:
        pytest.skip("SOURCES=folder: the five documents are not at hand")
    paths = sorted(Path(folder).glob("*.txt"))
    names = [*table.raw_table()["documents"]]
    assert len(paths) == len(names), folder
    return paths[names.index(document)].read_text(encoding="utf-8")


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


@pytest.mark.parametrize("document", table.raw_table()["documents"])
def test_originals_stand_in_their_documents(document):
    lines = text_of(document).splitlines()
    wrong = [
        (claim.id, wording.line, piece)
        for claim in CLAIMS
        for wording in claim.wordings
        if wording.document == document and (piece := missing(wording, lines))
    ]
    assert wrong == []


# ------------------------------------------------------------ where it is shown


def test_the_page_shows_every_claim_once():
    text = PAGE.read_text(encoding="utf-8")
    asked = [found[1] for found in table.DIRECTIVE.finditer(text)]
    assert sorted(asked) == sorted({claim.entry for claim in CLAIMS})
    assert len(asked) == text.count("```{claims}")
    for name in asked:
        above = text.split(f"```{{claims}} {name}\n")[0]
        heading = re.findall(r"(?:\n\(([\w-]+)\)=)?\n#{2,3} (.+)", above)[-1]
        assert name in (heading[0], table.slug(heading[1])), name


def test_the_page_quotes_no_note_by_itself():
    """Korean and Chinese stand in the table, but for two names of terms."""
    text = PAGE.read_text(encoding="utf-8")
    found = [line for line in text.splitlines() if FOREIGN.search(line)]
    assert len(found) <= 2, found


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


@pytest.mark.parametrize(
    "path", tool.laboratories(), ids=lambda path: path.stem
)
def test_a_laboratory_tells_all_claims_of_its_chapter(path):
    told = table.section(int(path.name[:2]), path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert told.startswith("## What the lecture notes say\n\n")
    assert "```" not in told and "{" + "cite" not in told  # plain Markdown
    for claim in CLAIMS:
        here = claim.chapter == int(path.name[:2])
        if here and claim.entry not in table.LISTS:
            assert claim.better in told, claim.id
    there = {cell["id"]: cell for cell in notebook["cells"]}
    if tool.CELL in there:
        found = "".join(there[tool.CELL]["source"])
        assert found == told, "run book/_tools/claims.py --write"


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
