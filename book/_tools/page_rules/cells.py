"""The cells of a notebook: short code, plain Markdown, the common set-up."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator

from .pages import NOTEBOOKS, Cell, Page
from .rules import Complaint, rule

MOST_ROWS, MOST_COLUMNS = 25, 80
USUAL = 6  # lines that do something
MOST_LINES = 130  # of code that the page of a lesson shows
ONLY_IN_MYST = {
    r"^\s*(```+|:::+)\s*\{": "a MyST directive",
    r"\{[a-z:-]+\}`": "a MyST role",
    r"^\([\w-]+\)=\s*$": "a MyST target",
    r"^:::": "a colon fence",
    r"\\\(|\\\[": "a formula without dollar signs",
}


@rule(*NOTEBOOKS)
def named_by_number_and_idea(page: Page) -> Iterator[str]:
    """A notebook's file is called 05_residual_connections.ipynb, say."""
    if not re.fullmatch(r"\d\d(_[a-z0-9]+)+\.ipynb", page.path.name):
        yield f"{page.path.name}: wanted two digits and words in small letters"


@rule(*NOTEBOOKS)
def title_comes_first(page: Page) -> Iterator[str]:
    """The first words of a notebook are a title."""
    first = page.cells[0] if page.cells else None
    if not first or first.kind != "markdown" or first.text[:2] != "# ":
        yield "cell 1: wanted a title (# ...)"


@rule(*NOTEBOOKS)
def same_set_up(page: Page) -> Iterator[str]:
    """The first code cell is the set-up cell of the book, and no other is."""
    from run_notebooks import SETUP_CELL

    if not page.code:
        raise Complaint("no code cell: the first one is the set-up")
    first, *others = page.code
    if first.text != SETUP_CELL.read_text(encoding="utf-8").rstrip("\n"):
        yield f"{first}: not book/_tools/setup_cell.py; make address URL=again"
    if first.tags != ["setup", "hide-input"] or first.outputs:
        yield f"{first}: wanted the tags setup, hide-input, and no output"
    for cell in others:
        if "setup" in cell.tags:
            yield f"{cell}: the tag setup belongs to the first code cell alone"


@rule(*NOTEBOOKS)
def read_alike_everywhere(page: Page) -> Iterator[str]:
    """Colab and GitHub read the Markdown of a notebook as the book does."""
    for cell in page.markdown:
        for pattern, what in ONLY_IN_MYST.items():
            if re.search(pattern, cell.text, flags=re.M):
                yield f"{cell}: {what}, which Colab does not read"


@rule(*NOTEBOOKS)
def short_cells(page: Page) -> Iterator[str]:
    """A code cell has at most 25 lines, of at most 80 columns."""
    for cell in page.code:
        lines = cell.text.splitlines()
        if len(lines) > MOST_ROWS:
            yield f"{cell}: {len(lines)} lines, at most {MOST_ROWS}"
        for line in lines:
            if len(line) > MOST_COLUMNS:
                yield f"{cell}: line of {len(line)} columns: {line.strip()}"


@rule("lesson", "solutions")
def usually_very_short(page: Page) -> Iterator[str]:
    """Half of the code cells have at most 6 lines that do something."""
    sizes = [
        lines_of_code(cell)
        for cell in page.code
        if not {"setup", "hide-input"} & set(cell.tags)
    ]
    if sizes and (usual := statistics.median(sizes)) > USUAL:
        yield f"the usual code cell has {usual:g} lines, at most {USUAL}"


def lines_of_code(cell: Cell) -> int:
    """Count the lines that do something: no comments, no blank lines."""
    lines = (line.strip() for line in cell.text.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)


@rule(*NOTEBOOKS)
def words_between_code(page: Page) -> Iterator[str]:
    """No three code cells stand in a row."""
    kinds = "".join(cell.kind[0] for cell in page.cells)
    for found in re.finditer("ccc+", kinds):
        yield (
            f"cell {found.start() + 1}: {len(found[0])} code cells in a row; "
            "say in between what they are for"
        )


@rule(*NOTEBOOKS)
def plumbing_is_folded(page: Page) -> Iterator[str]:
    """What fold_tags.py finds beside the point has the tag that folds it."""
    import fold_tags

    notebook = json.loads(page.text)
    fold_tags.tag(notebook, article=fold_tags.is_article(page.path))
    for cell, wanted in zip(page.cells, notebook["cells"], strict=True):
        if wanted["metadata"] != cell.metadata:
            yield (
                f"{cell}: the page would fold it (hide-input); "
                "book/_tools/fold_tags.py, or the tag show-input"
            )


@rule("lesson")
def not_too_much_code(page: Page) -> Iterator[str]:
    """The page of a lesson shows at most 130 lines of code."""
    import minutes

    lines = minutes.visible_lines(minutes.cells_of(page.path))
    if lines > MOST_LINES:
        yield f"{lines} lines of code are shown, at most {MOST_LINES}"
