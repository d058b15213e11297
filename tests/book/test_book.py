"""The book is whole: its table of contents, its chapters, its notebooks.

What holds for each page by itself is in book/_tools/page_rules. What the
outputs *say* is nbval's task (`make test` runs it over every notebook).
"""

import ast
import json
import re
from pathlib import Path

import run_notebooks
import yaml
from page_rules import all_pages

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


def pages_in_toc(entry):
    """Yield the files that _toc.yml names, in reading order."""
    if isinstance(entry, list):
        for part in entry:
            yield from pages_in_toc(part)
    elif isinstance(entry, dict):
        yield from (entry[key] for key in ("root", "file") if key in entry)
        for key in ("parts", "chapters", "sections"):
            yield from pages_in_toc(entry.get(key, []))


def in_toc(path):
    """Return how the table of contents names a page."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def test_table_of_contents_names_every_page_once():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = sorted(pages_in_toc(toc))
    pages = [path for path in all_pages() if path.suffix != ".toml"]
    there = sorted(map(in_toc, pages))
    assert listed == there and CHAPTERS


def test_the_short_way_is_the_same_on_the_page_and_in_the_side_bar():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    marked = config["sphinx"]["config"]["book_short_way"]
    text = (ROOT / "book" / "how_to_use.md").read_text(encoding="utf-8")
    row = re.search(
        r"^\| \*\*The short path\*\* .*\| ([\d, ]+) \|$", text, re.M
    )
    numbers = [int(number) for number in row[1].split(",")]
    there = {int(path.name[:2]): in_toc(path) for path in CHAPTERS}
    assert marked == [there[number] for number in numbers]


def test_a_notebook_becomes_a_script_in_python():
    """As by `jupyter nbconvert --to script`, which asks the metadata."""
    from nbconvert import ScriptExporter  # two seconds, for one test

    assert "version" not in run_notebooks.LANGUAGE
    text, found = ScriptExporter().from_filename(CHAPTERS[0])
    assert found["output_extension"] == ".py"
    ast.parse(text)


def test_a_notebook_that_another_program_wrote_says_its_language_again(
    tmp_path,
):
    path = tmp_path / "some.ipynb"
    metadata = {"language_info": {"name": "python", "version": "3.12.1"}}
    path.write_text(json.dumps({"cells": [], "metadata": metadata}))
    run_notebooks.fold_only(path)
    assert json.loads(path.read_text())["metadata"] == {
        "kernelspec": run_notebooks.KERNEL,
        "language_info": run_notebooks.LANGUAGE,
    }


def test_folding_follows_the_tags_and_nothing_else():
    stale = {"collapsed": True, "jupyter": {"outputs_hidden": True, "x": 1}}
    cells = [
        {"cell_type": "code", "metadata": {"tags": ["hide-output"]}},
        {"cell_type": "code", "metadata": {"tags": ["setup", "hide-input"]}},
        {"cell_type": "code", "metadata": {"tags": ["hide-input"], **stale}},
        {"cell_type": "markdown", "metadata": {}},
    ]
    run_notebooks.fold({"cells": cells})
    answer, code, plain, text = (cell["metadata"] for cell in cells)
    assert answer["jupyter"] == {"outputs_hidden": True}
    assert answer["collapsed"] is True and "cellView" not in answer
    assert code["jupyter"] == {"source_hidden": True}
    assert code["cellView"] == "form" and "collapsed" not in code
    assert plain == {"tags": ["hide-input"], "jupyter": {"x": 1}}
    assert text == {}


def test_every_chapter_has_a_laboratory_and_solutions():
    names = {path.name for path in CHAPTERS}
    for folder in ("laboratory", "solutions"):
        found = (ROOT / "book" / folder).glob("*.ipynb")
        assert {path.name for path in found} == names
