"""The book is whole: pages, notebooks, exercises, figures, links.

What the outputs *say* is nbval's task (`make test` runs it over every
notebook); these tests look at everything around the outputs.
"""

import ast
import importlib.util
import json
import re
import statistics
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import yaml
from nbconvert import ScriptExporter

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
LABORATORIES = sorted((ROOT / "book" / "laboratory").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "book" / "solutions").glob("*.ipynb"))
NOTEBOOKS = CHAPTERS + LABORATORIES + SOLUTIONS
PAGES = sorted(
    path
    for path in (ROOT / "book").rglob("*.md")
    if not path.relative_to(ROOT / "book").parts[0].startswith("_")
)
SVG = "{http://www.w3.org/2000/svg}"
PICTURES = ("image/svg+xml", "image/png", "image/jpeg", "image/gif")


def load(path):
    """Import a tool of the book by its path."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def read(path):
    """Return a notebook: its metadata and cells with joined text."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [
        SimpleNamespace(
            number=number,
            kind=cell["cell_type"],
            text="".join(cell["source"]),
            tags=cell["metadata"].get("tags", []),
            metadata=cell["metadata"],
            count=cell.get("execution_count"),
            outputs=cell.get("outputs", []),
        )
        for number, cell in enumerate(notebook["cells"])
    ]
    return SimpleNamespace(metadata=notebook["metadata"], cells=cells)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.kind == "code"]


def prose(path):
    """Return all Markdown of a page or notebook, without code blocks."""
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
    else:
        cells = read(path).cells
        text = "\n\n".join(c.text for c in cells if c.kind == "markdown")
    return re.sub(r"^(```+|~~~+).*?^\1", "", text, flags=re.M | re.S)


def outputs_of(path, kinds):
    """Yield (cell, kind, text) for each stored output of these kinds."""
    for cell in code_cells(path):
        for output in cell.outputs:
            for kind in kinds:
                if kind in output.get("data", {}):
                    yield cell, kind, "".join(output["data"][kind])


def chapter_number(path):
    return int(path.name.split("_")[0])


def laboratory(path):
    """Return the second room of a chapter."""
    return ROOT / "book" / "laboratory" / path.name


def each(paths):
    return pytest.mark.parametrize(
        "path", paths, ids=lambda p: p.relative_to(ROOT).as_posix()
    )


# ------------------------------------------------------- the table of contents


def pages_in_toc(entry):
    """Yield the files that _toc.yml names, in reading order."""
    if isinstance(entry, list):
        for part in entry:
            yield from pages_in_toc(part)
    elif isinstance(entry, dict):
        yield from (entry[key] for key in ("root", "file") if key in entry)
        for key in ("parts", "chapters", "sections"):
            yield from pages_in_toc(entry.get(key, []))


def test_table_of_contents_names_every_page_once():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = sorted(pages_in_toc(toc))
    there = sorted(
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in [*NOTEBOOKS, *PAGES]
    )
    assert listed == there


def test_the_short_way_is_the_same_on_the_page_and_in_the_side_bar():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    marked = config["sphinx"]["config"]["book_short_way"]
    text = (ROOT / "book" / "how_to_use.md").read_text(encoding="utf-8")
    row = re.search(r"^\| \*\*The short way\*\* .*\| ([\d, ]+) \|$", text, re.M)
    numbers = [int(number) for number in row[1].split(",")]
    there = {chapter_number(path): path for path in CHAPTERS}
    assert marked == [
        there[number].relative_to(ROOT).with_suffix("").as_posix()
        for number in numbers
    ]


def test_there_is_a_book():
    assert CHAPTERS and SOLUTIONS and PAGES


@each(NOTEBOOKS)
def test_notebooks_are_named_by_number_and_idea(path):
    assert re.fullmatch(r"\d\d(_[a-z0-9]+)+\.ipynb", path.name)


# ------------------------------------------------------------- stored outputs


@each(NOTEBOOKS)
def test_notebook_was_executed_and_its_counts_are_not_stored(path):
    assert {cell.count for cell in code_cells(path)} == {None}, "--fold-only"
    assert any(cell.outputs for cell in code_cells(path)), "make notebooks"


@each(NOTEBOOKS)
def test_stored_outputs_hold_no_error_and_no_warning(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            assert output["output_type"] != "error", cell.number
            assert output.get("name") != "stderr", cell.number


@each(NOTEBOOKS)
def test_nothing_volatile_is_stored(path):
    metadata = read(path).metadata
    assert "widgets" not in metadata
    assert metadata["kernelspec"]["name"] == "python3"
    assert metadata == read(CHAPTERS[0]).metadata  # see the next test
    assert "application/vnd.jupyter" not in path.read_text(encoding="utf-8")
    assert "\r" not in path.read_text(encoding="utf-8")


def test_a_notebook_becomes_a_script_in_python():
    """As by `jupyter nbconvert --to script`, which asks the metadata."""
    assert "version" not in read(CHAPTERS[0]).metadata["language_info"]
    text, found = ScriptExporter().from_filename(CHAPTERS[0])
    assert found["output_extension"] == ".py"
    ast.parse(text)


def test_a_notebook_that_another_program_wrote_says_its_language_again(
    tmp_path,
):
    tool = load(ROOT / "book" / "_tools" / "run_notebooks.py")
    path = tmp_path / "some.ipynb"
    metadata = {"language_info": {"name": "python", "version": "3.12.1"}}
    path.write_text(json.dumps({"cells": [], "metadata": metadata}))
    tool.fold_only(path)
    wanted = read(CHAPTERS[0]).metadata
    assert json.loads(path.read_text())["metadata"] == wanted


@each(NOTEBOOKS)
def test_answers_and_the_set_up_are_folded_in_notebook_programs_too(path):
    for cell in read(path).cells:
        folded = cell.metadata.get("jupyter", {})
        answer, code = "hide-output" in cell.tags, "setup" in cell.tags
        assert folded.get("outputs_hidden", False) == answer, cell.number
        assert cell.metadata.get("collapsed", False) == answer, cell.number
        assert folded.get("source_hidden", False) == code, cell.number
        assert (cell.metadata.get("cellView") == "form") == code, cell.number


@each(NOTEBOOKS)
def test_what_is_folded_is_there(path):
    """A page that leads from a question to its result finds one."""
    for cell in read(path).cells:
        assert cell.outputs or "hide-output" not in cell.tags, cell.number


def test_folding_follows_the_tags_and_nothing_else():
    tool = load(ROOT / "book" / "_tools" / "run_notebooks.py")
    stale = {"collapsed": True, "jupyter": {"outputs_hidden": True, "x": 1}}
    cells = [
        {"cell_type": "code", "metadata": {"tags": ["hide-output"]}},
        {"cell_type": "code", "metadata": {"tags": ["setup", "hide-input"]}},
        {"cell_type": "code", "metadata": {"tags": ["hide-input"], **stale}},
        {"cell_type": "markdown", "metadata": {}},
    ]
    tool.fold({"cells": cells})
    answer, code, plain, text = (cell["metadata"] for cell in cells)
    assert answer["jupyter"] == {"outputs_hidden": True}
    assert answer["collapsed"] is True and "cellView" not in answer
    assert code["jupyter"] == {"source_hidden": True}
    assert code["cellView"] == "form" and "collapsed" not in code
    assert plain == {"tags": ["hide-input"], "jupyter": {"x": 1}}
    assert text == {}


# ------------------------------------------------- what a reader goes through


@each(NOTEBOOKS)
def test_markdown_is_read_alike_in_colab_and_in_the_book(path):
    for cell in read(path).cells:
        if cell.kind != "markdown":
            continue
        for pattern, what in {
            r"^\s*(```+|:::+)\s*\{": "a MyST directive",
            r"\{[a-z:-]+\}`": "a MyST role",
            r"^\([\w-]+\)=\s*$": "a MyST target",
            r"^:::": "a colon fence",
            r"\\\(|\\\[": "a formula without dollar signs",
        }.items():
            assert not re.search(pattern, cell.text, flags=re.M), (
                f"cell {cell.number} holds {what}"
            )


@each(NOTEBOOKS)
def test_code_cells_are_short(path):
    for cell in code_cells(path):
        lines = cell.text.splitlines()
        assert len(lines) <= 25, f"cell {cell.number}: {len(lines)} lines"
        for line in lines:
            assert len(line) <= 80, f"cell {cell.number}: {line}"


def lines_of_code(cell):
    """Count the lines that do something: no comments, no blank lines."""
    lines = (line.strip() for line in cell.text.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)


@each(CHAPTERS + SOLUTIONS)
def test_the_usual_code_cell_is_very_short(path):
    sizes = [
        lines_of_code(cell)
        for cell in code_cells(path)
        if not {"setup", "hide-input"} & set(cell.tags)
    ]
    assert statistics.median(sizes) <= 6


@each(NOTEBOOKS)
def test_no_three_code_cells_stand_in_a_row(path):
    kinds = "".join(cell.kind[0] for cell in read(path).cells)
    assert "ccc" not in kinds, f"at cell {kinds.index('ccc')}"


# -------------------------------------------------------- exercises, solutions


def headings(path, word):
    """Return the numbers in headings such as `### Exercise 2.1 ...`."""
    text = prose(path)
    return re.findall(rf"^#{{2,4}} {word}[^\d\n]*?(\d+\.\d+)", text, flags=re.M)


def test_every_chapter_has_a_laboratory_and_solutions():
    names = [path.name for path in CHAPTERS]
    assert names == [path.name for path in LABORATORIES]
    assert names == [path.name for path in SOLUTIONS]


@each(CHAPTERS)
def test_exercises_and_solutions_agree_one_to_one(path):
    lesson, home = (
        headings(room, "Exercise") for room in (path, laboratory(path))
    )
    exercises = sorted(lesson + home, key=lambda n: int(n.split(".")[1]))
    solutions = headings(
        ROOT / "book" / "solutions" / path.name, "(?:Exercise|Solution)"
    )
    first = chapter_number(path)
    assert lesson, "a lesson has exercises"
    assert exercises == [f"{first}.{n + 1}" for n in range(len(exercises))]
    assert solutions == exercises


@each(CHAPTERS)
def test_the_rooms_of_a_chapter_link_to_each_other(path):
    solutions = ROOT / "book" / "solutions" / path.name
    assert f"(../book/laboratory/{path.name}#" in prose(path)
    assert f"(../../chapters/{path.name}" in prose(laboratory(path))
    assert f"(../book/solutions/{path.name}" in prose(path)
    assert f"(../../chapters/{path.name}" in prose(solutions)


# ----------------------------------------------------------- figures and words


@each(NOTEBOOKS)
def test_pictures_are_drawings_with_alternative_text(path):
    for cell, kind, text in outputs_of(path, PICTURES):
        assert kind == "image/svg+xml", (
            f"cell {cell.number} stores {kind}: show it by plots.picture"
        )
        title = ElementTree.fromstring(text).find(f"{SVG}title")
        words = "" if title is None else (title.text or "").strip()
        assert len(words.split()) >= 4, f"cell {cell.number}: {words!r}"


@each(NOTEBOOKS)
def test_drawings_inside_html_have_words_too(path):
    pages = load(ROOT / "book" / "_ext" / "reading" / "book_pages.py")
    for cell, _, text in outputs_of(path, ["text/html"]):
        assert pages.wordless_pictures(text) == [], cell.number


@each(NOTEBOOKS + PAGES)
def test_pictures_in_the_text_have_words_and_exist(path):
    for words, target in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)", prose(path)):
        assert words.strip(), target
        assert (path.parent / target).exists(), target


@each(CHAPTERS)
def test_every_figure_has_a_numbered_caption(path):
    """The lesson's figures come first, then those of the laboratory."""
    numbers = [*captions_below(path), *captions_below(laboratory(path))]
    first = chapter_number(path)
    assert numbers == [(first, n + 1) for n in range(len(numbers))]
    assert numbers, "a chapter has figures"


def captions_below(path):
    """Yield the number of each figure that a notebook shows."""
    cells = read(path).cells
    for cell in code_cells(path):
        data = [output.get("data", {}) for output in cell.outputs]
        drawn = [d for d in data if "image/svg+xml" in d]
        moving = [
            d
            for d in data
            if 'class="explorer' in "".join(d.get("text/html", ""))
        ]
        if not drawn and not moving:
            continue
        below = next((c for c in cells if c.number == cell.number + 1), None)
        caption = below and re.match(
            r"\*Figure (\d+)\.(\d+)( \(interactive\))?\. .{10,}\*(\n\n|$)",
            below.text,
        )
        assert caption, f"cell {cell.number}: no caption below the figure"
        assert bool(caption[3]) == bool(moving), caption[0]
        yield int(caption[1]), int(caption[2])


@each(CHAPTERS)
def test_experiments_are_numbered_through_both_rooms(path):
    found = [
        int(number)
        for room in (path, laboratory(path))
        for number in re.findall(r"^### Experiment (\d+): ", prose(room), re.M)
    ]
    assert found == [*range(1, len(found) + 1)]


@each(CHAPTERS + LABORATORIES)
def test_every_caption_stands_right_below_a_figure_that_is_shown(path):
    cells = read(path).cells
    for above, cell in zip([None, *cells], cells, strict=False):
        captions = re.findall(r"(?m)^\*Figure \d+\.\d+.*", cell.text)
        if cell.kind != "markdown" or not captions:
            continue
        assert cell.text.startswith("*Figure") and len(captions) == 1, (
            f"cell {cell.number}: a caption opens its cell"
        )
        outputs = above.outputs if above else []
        data = [output.get("data", {}) for output in outputs]
        assert any(
            "image/svg+xml" in d
            or 'class="explorer' in "".join(d.get("text/html", ""))
            for d in data
        ), f"cell {cell.number}: no figure above {captions[0][:20]}"
        assert above.text.rstrip().endswith(")"), (
            f"cell {above.number}: the figure is not its last expression"
        )


@each(CHAPTERS)
def test_a_lesson_has_a_figure_to_move_and_it_shows_without_scripts(path):
    moving = [
        text
        for _, _, text in outputs_of(path, ["text/html"])
        if 'class="explorer' in text
    ]
    live = "[The live translator](../book/index.md)"  # has a still picture
    assert moving or live in prose(path).split("\n")
    for text in moving:  # where scripts are not trusted, on GitHub, say
        still = re.sub(r"(?s)<(script|template|noscript)\b.*?</\1>", "", text)
        assert "<svg" in still or "<table" in still


# ------------------------------------------------------------------------ links


@each(NOTEBOOKS + PAGES)
def test_links_inside_the_book_lead_somewhere(path):
    text = re.sub(r"`[^`\n]*`", "", prose(path))
    for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name = target.split("#")[0]
        if name:
            assert (path.parent / name).exists(), target


@cache
def anchors(path):
    """Return what a link may name behind `#`: headings and MyST targets.

    The names are those that GitHub and MyST make of headings up to level 4:
    small letters, hyphens for spaces, nothing else but letters and digits.
    """
    text = prose(path)
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


@each(NOTEBOOKS + PAGES)
def test_links_to_a_place_in_a_page_find_it(path):
    text = re.sub(r"`[^`\n]*`", "", prose(path))
    for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", text):
        name, _, place = target.partition("#")
        if not place or re.match(r"[a-z]+:", target):
            continue
        page = path.parent / name if name else path
        assert place in anchors(page.resolve()), target


@each(NOTEBOOKS)
def test_first_words_are_a_title(path):
    first = read(path).cells[0]
    assert first.kind == "markdown" and first.text.startswith("# ")
