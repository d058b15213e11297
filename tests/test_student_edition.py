"""What students get: lessons, laboratories, and nothing to be found out."""

import importlib.util
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from transformer_lib.course.grading.exercises import (
    chapter_files,
    read_chapter,
)
from transformer_lib.course.grading.submissions import read_work

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
LABORATORIES = sorted((ROOT / "book" / "laboratory").glob("*.ipynb"))
TOOL = ROOT / "book" / "_tools" / "student_edition.py"


def load():
    spec = importlib.util.spec_from_file_location(TOOL.stem, TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load()


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The edition, unpacked."""
    folder = tmp_path_factory.mktemp("edition")
    tool.pack(folder / "one.zip")
    tool.pack(folder / "two.zip")
    one, two = (folder / f"{name}.zip" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        archive.extractall(folder)
    return folder / tool.FOLDER


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_whole_but_for_what_is_asked(path, packed):
    number = int(path.name[:2])
    rooms = [(p, packed / p.relative_to(ROOT)) for p in chapter_files(number)]
    assert sum(compared(cells(old), cells(new)) for old, new in rooms) >= 1
    work = read_work([new for _, new in rooms], read_chapter(number))
    assert [copy.own for copy in work.copies.values()] == [(), ()]


def compared(cells, packed):
    """Tell how many outputs are gone; nothing else is."""
    emptied, link = 0, r"\[([^\]]*)\]\([^)]*solutions[^)]*\)"
    for old, cell in zip(cells, packed, strict=True):
        if old["cell_type"] == "markdown":
            text = "".join(old["source"])
            assert "".join(cell["source"]) == re.sub(link, r"\1", text)
            continue
        if "hide-output" in old["metadata"].get("tags", []):
            assert cell["outputs"] == []
        if cell["outputs"] == []:
            emptied += bool(old["outputs"])
            cell |= {k: old[k] for k in ("outputs", "execution_count")}
        assert cell == old
    return emptied


def test_the_edition_asks_what_the_book_asks(packed):
    for path in CHAPTERS:
        number, folder = int(path.name[:2]), packed / "chapters"
        files = chapter_files(number, folder)
        assert [packed in file.parents for file in files] == [True, True]
        assert read_chapter(number, folder) == read_chapter(number)


@pytest.mark.parametrize(
    "above, outputs, emptied",
    [
        ("**Guess** how many.", [{"text": "3"}], True),
        ("Who wins? **Predict:** the first.", [{"text": "3"}], True),
        ("**Before you read on,** count.", [{"text": "3"}], True),
        ("It predicts the next word, a guess.", [{"text": "3"}], False),
        ("**Guess** first.", [{"html": '<div class="explorer x">'}], False),
    ],
)
def test_what_is_to_be_guessed_is_not_shown(above, outputs, emptied):
    code = {"cell_type": "code", "source": "x", "metadata": {}}
    code |= {"outputs": outputs, "execution_count": 1}
    text = {"cell_type": "markdown", "source": above, "metadata": {}}
    notebook = json.loads(tool.emptied(json.dumps({"cells": [text, code]})))
    assert (notebook["cells"][1]["outputs"] == []) == emptied


def test_there_are_no_solutions_and_all_pages_that_chapters_name(packed):
    names = {p.relative_to(packed).as_posix() for p in packed.rglob("*")}
    assert not [
        name
        for name in names
        if re.search("solution|teaching|rubrics|known_mistakes.md", name)
    ]
    assert "transformer_lib/data/toy_en_ko" in names
    assert "transformer_lib/toy/data/lexicon.tsv" in names
    assert "transformer_lib/course/checks/code/softmax.txt" in names
    pages = [p for p in packed.rglob("*") if p.suffix in (".md", ".yml")]
    assert packed / "book" / "index.md" in pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"solutions/|book/teaching|[`<]teaching", text)
    listed = (packed / "_toc.yml").read_text(encoding="utf-8")
    sections = {
        entry["file"]: [one["file"] for one in entry.get("sections", [])]
        for part in yaml.safe_load(listed)["parts"]
        for entry in part["chapters"]
    }
    for path in CHAPTERS:
        laboratory = [f"book/laboratory/{path.stem}"]
        assert sections[f"chapters/{path.stem}"] == laboratory
    assert "caption: To look things up" in listed and "Solu" not in listed
    for path in (*CHAPTERS, *LABORATORIES):
        copy = packed / path.relative_to(ROOT)
        text = copy.read_text(encoding="utf-8")
        for link in re.findall(r"\]\((\.\.?/[\w./-]+)", text):
            if "/api/" not in link:  # made by Sphinx alone
                assert (copy.parent / link).is_file(), f"{copy}: {link}"


def test_the_library_in_it_is_the_whole_library(packed):
    code = "import transformer_lib as t; t.Translator.shipped(); print(t)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=packed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(packed) in done.stdout
