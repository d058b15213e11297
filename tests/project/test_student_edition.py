"""What students get: lessons, laboratories, and nothing to be found out."""

import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import told_away
import yaml
from bare_machine import found, make_machine
from told_away import data, paper_of

from transformer_course.grading.reading.exercises import (
    chapter_files,
    read_chapter,
)
from transformer_course.grading.reading.submissions import read_work

ROOT = Path(__file__).resolve().parents[2]
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


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


@pytest.mark.parametrize(
    "above, outputs, emptied",
    [
        ("**Guess** how many.", [stream("3")], True),
        ("Who wins? **Predict:** the first.", [stream("3")], True),
        ("**Before you read on,** count.", [stream("3")], True),
        ("It predicts the next word, a guess.", [stream("3")], False),
        ("**Guess** first.", [stream('<div class="explorer x">')], False),
    ],
)
def test_what_is_to_be_guessed_is_not_shown(above, outputs, emptied):
    code = {"cell_type": "code", "source": "x", "metadata": {}}
    code |= {"outputs": outputs, "execution_count": 1}
    text = {"cell_type": "markdown", "source": above, "metadata": {}}
    notebook = json.loads(tool.emptied(json.dumps({"cells": [text, code]})))
    assert (notebook["cells"][1]["outputs"] == []) == emptied


@pytest.mark.parametrize(
    "cells, emptied",
    [
        ("ask train picture", "picture"),
        ("ask train told picture told picture", "picture"),
        ("ask result result told result", "result result"),
        ("ask result caption result", "result result"),
        ("ask heading result", ""),
        ("ask figure result", ""),
        ("ask folded figure told result", "folded"),
    ],
)
def test_whatever_answers_a_question_is_empty(cells, emptied):
    written = {
        "ask": "**Predict** the result.",
        "told": "It is the first.",
        "caption": "*Figure 2.1. The result.*",
        "heading": "## In code",
    }
    outputs = {"train": "", "figure": '<div class="explorer x">'}
    notebook = []
    for name in cells.split():
        cell = {"cell_type": "markdown", "source": written.get(name, name)}
        if name not in written:
            shown = outputs.get(name, "3")
            tags = ["hide-output"] if name == "folded" else []
            cell |= {"cell_type": "code", "metadata": {"tags": tags}}
            cell["outputs"] = [{"html": shown}] if shown else []
        notebook.append(cell)
    found = [cell["source"] for cell in tool.guessed(notebook)]
    assert found == emptied.split()


def test_there_are_no_solutions_and_all_pages_that_chapters_name(packed):
    names = {p.relative_to(packed).as_posix() for p in packed.rglob("*")}
    assert not [
        name
        for name in names
        if re.search(
            "solution|first_week|teaching|rubrics|known_mistakes.md|exams/numbers",
            name,
        )
    ]
    assert "transformer_lib/data/toy_en_ko" in names
    assert "toy_language/data/lexicon.tsv" in names
    assert "transformer_course/checks/code/softmax.txt.sealed" in names
    pages = [p for p in packed.rglob("*") if p.suffix in (".md", ".yml")]
    assert packed / "book" / "index.md" in pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"solutions/|book/teaching|[`<]teaching", text)
        assert not re.search(r"(?i)full\s+solutions,\s+with", text)
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
    """What is shipped too: the translator, and a corpus of these sources."""
    code = (
        "import transformer_lib as t; t.Translator.shipped(); print(t); "
        "from toy_language.shipped import shipped; shipped('small', 0)['test']"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=packed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(packed) in done.stdout


def secrets_of_the_book():
    """Return what nobody is to read, name and text."""
    secrets = [*told_away.solutions(), *told_away.numbers()]
    secrets += [
        (name, text)
        for name, text in told_away.sentences()
        if not told_away.no_words(text)
    ]
    assert len(secrets) > 4000
    return secrets


# The lesson gives this hint, too.
HINT = "transformer_course.checks.parts.learning_rate"
TOLD = (f"{HINT}, width_in_one_branch_only", "chapters/13_training_loop")


@pytest.mark.slow
def test_it_builds_as_a_book_whose_pages_keep_what_they_know(packed, tmp_path):
    folder = shutil.copytree(packed, tmp_path / "book")
    done = subprocess.run(
        [Path(sys.executable).with_name("jupyter-book"), "build", "."]
        + ["-W", "-n", "--keep-going", "--quiet"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    built = folder / "_build" / "html"
    pages = {path.stem for path in (built / "chapters").glob("*.html")}
    assert pages == {path.stem for path in CHAPTERS}
    name, told = TOLD
    assert told_away.readable(built, secrets_of_the_book()) == [
        (name, f"_sources/{told}.ipynb"),
        (name, f"{told}.html"),
    ]
    with zipfile.ZipFile(built / "_static/python/course.zip") as archive:
        names = archive.namelist()
    home = "transformer_course/checks"
    assert f"{home}/code/softmax.py.sealed" in names
    assert f"{home}/paper/step_by_hand.txt.sealed" in names


@pytest.mark.slow
def test_nothing_that_a_check_knows_can_be_read_in_it(packed, tmp_path):
    secrets = secrets_of_the_book()
    name, told = TOLD
    assert told_away.readable(packed, secrets) == [(name, f"{told}.ipynb")]
    # and the search would find them in a notebook, a page, a ZIP
    name, source = next(told_away.solutions())
    said, sentence = next(told_away.sentences())
    (tmp_path / "a.ipynb").write_text(json.dumps({"source": source}))
    (tmp_path / "b.html").write_text(f"<p>{html.escape(sentence)}</p>")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("d.py", source)
    page = json.dumps(data(paper_of("step_by_hand")), separators=(",", ":"))
    (tmp_path / "e.html").write_text(f"<script>{page}</script>")
    found = told_away.readable(tmp_path, secrets)
    assert found[:1] == [(name, "a.ipynb")]
    assert {(name, "c.zip"), (said, "b.html")} < set(found)
    assert ("step_by_hand", "e.html") in found
    assert ("step_by_hand, walked_uphill", "e.html") in found


@pytest.mark.slow
def test_its_checks_say_what_those_of_the_book_say(packed):
    code = """
import json
from transformer_course import checks
from transformer_course.checks import code, paper, parts
from transformer_course.checks.paper.loop_order import broken_rule
from transformer_course.checks.code import softmax
from transformer_course.checks.engine.edits import Reference
wrong = softmax.EXERCISE.variant(softmax.EXERCISE.mistakes[0].edits[0])
print(json.dumps([
    checks.__all__,
    repr(checks.softmax(wrong)),
    repr(checks.step_by_hand((9, 18, 2.9, 32.49))),
    checks.step_by_hand.__doc__,
    repr(checks.merges_by_hand([1] * 8)),
    broken_rule((6, 3, 1, 7, 5, 2, 4)),
    checks.softmax(softmax.solution).ok,
    len(parts.part("LayerNorm").EXERCISE.mistakes),
]))
"""
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for folder in (packed, ROOT)
    ]
    assert said[0] == said[1]
    assert "You went uphill" in said[0]
    refused = subprocess.run(
        [sys.executable, *"-m transformer_course sheet 4 --key k.md".split()],
        cwd=packed,
        env=os.environ | {"PYTHONPATH": str(packed)},
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 2
    assert "a key is made with the book" in refused.stderr


def test_what_make_and_the_readme_name_is_there(packed):
    texts = [(packed / "Makefile"), (packed / "README.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in texts)
    for name in re.findall(r"\b(?:book|tests|benchmarks)/[\w/.]+", text):
        assert (packed / name).exists(), name
    for name in re.findall(r"\]\((\w[\w./]*)\)", text):
        assert (packed / name).is_file(), name
    rules = set(re.findall(r"(?m)^([a-z-]+):(?!=)", text))
    named = re.findall(r'(?:^|`|@echo ")make ([a-z-]+)\b', text, re.M)
    assert {"book", "lab", "address"} <= set(named) <= rules
    assert ".github" not in text and "make book ENGINE" not in text


def test_it_names_the_address_of_the_class_and_never_the_books(tmp_path):
    book = tool.address_of(ROOT)
    for url, at in ("", ""), ("https://github.com/who/class", "main"):
        tool.pack(tmp_path / "e.zip", url=url)
        with zipfile.ZipFile(tmp_path / "e.zip") as archive:
            text = "\n".join(
                archive.read(name).decode("utf-8", "replace")
                for name in archive.namelist()
                if name.endswith((".ipynb", ".md", ".yml", ".toml", ".py"))
            )
        assert text.count(f'home = \\"{url or "any address yet"}\\"') > 40
        assert not book.url or book.url not in text
        assert not at or f"{url}/blob/{at}/" in text.replace(
            "colab.research.google.com/github/who", "github.com/who"
        ).replace("https://colab", "https://colab").replace(
            "https://github.com/github.com", "https://github.com"
        )


@pytest.mark.parametrize(
    "words, numbers",
    [
        ("none", []),
        ("0-4", range(5)),  # as first_week.md has it
        ("0-2,9", [0, 1, 2, 9]),
        ("all", range(len(LABORATORIES))),
    ],
)
def test_a_teacher_chooses_the_laboratories(words, numbers):
    packed = dict(tool.files(laboratories=words))
    rooms = [name for name in packed if name.startswith("book/laboratory/")]
    assert [int(name[16:18]) for name in sorted(rooms)] == list(numbers)
    listed = set(re.findall(r"book/laboratory/\w+", packed["_toc.yml"]))
    assert listed == {room.removesuffix(".ipynb") for room in rooms}
    for part in yaml.safe_load(packed["_toc.yml"])["parts"]:
        for entry in part["chapters"]:
            assert entry.get("sections", ["..."]), entry
    for name, text in packed.items():
        if name.endswith((".ipynb", ".md")):
            linked = set(re.findall(r"laboratory/\w+\.ipynb(?=[)#])", text))
            assert linked <= {room[5:] for room in rooms}, name
            for link in re.findall(r"\]\((?!\w+:)([^)\s#]+\.ipynb)", text):
                home = os.path.normpath(f"{name}/../{link}")
                assert home in packed, (name, link)


def test_a_laboratory_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no laboratory 40"):
        list(tool.files(laboratories="3,40"))


@pytest.mark.slow
def test_its_zip_installs_as_in_colab(tmp_path):
    machine = make_machine(tmp_path)
    tool.pack(tmp_path / "archive" / "HEAD.zip")
    cell = (ROOT / "book" / "_tools" / "setup_cell.py").read_text("utf-8")
    judged = (
        "from transformer_course import checks\n"
        "assert checks.step_by_hand((9, 18, 1.1, 0.09)).ok\n"
        "assert not checks.softmax(lambda x, axis=-1: x).ok\n"
        "assert checks.build.__module__.startswith('transformer_course')"
    )
    where = found(machine.run([cell, judged], tmp_path.as_uri()))
    assert Path(where["cwd"]).parts[-3::2] == ("transformer-book", "chapters")
    assert "site-packages" in where["library"]
