"""Cells that readers run in the page: a place below the code of each.

What a cell needs, or what it lacks in the page, stands in the notebook, in the
cell's metadata (book/_tools/page_cells.py); it is only read here. A cell
outside of the exercises that are done in the page gets

    <div class="cell-run" data-cell="code-017"></div>
    <p class="cell-lacks">Needs torch: in Colab or JupyterLab.</p>

one or the other, and the page once, as JSON, the code of all cells that may
run. book/_static/python/cells.js puts buttons there; without scripts and on
paper the place is not seen.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from code_cells import IN_PAGE, cells_of, to_run
from code_exercises import as_script, code_exercise, load, offer_python
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import inside, is_cell

PAGES = ("chapters/", "book/laboratory/")
SCRIPTS = ("output", "plan", "cells")
LACKS = {"a figure": "Draws a figure", "files": "Reads the book's files"}
WHERE = "in Colab or JupyterLab."
HIDDEN = "<noscript><style>.cell-run { display: none }</style></noscript>"


class cell_run(nodes.General, nodes.Element):
    """Below the code of a cell: its `name`, or what it `lacks`."""


class RunCells(SphinxPostTransform):
    """Put the places below the code, once the cells have their folds."""

    default_priority = 206
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Go through the page (called by Sphinx)."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb" or not self.env.docname.startswith(PAGES):
            return
        cells = cells_of(path)
        for node in list(self.document.findall(is_cell)):
            if is_offered(node):
                put_place(node, cells[node["cell_index"]])


def is_offered(node: nodes.Element) -> bool:
    """Tell whether there is no other place where a reader runs a cell."""
    if inside(node, (code_exercise,)):
        return False
    return "exercise-cells" not in node.parent.get("classes", [])


def put_place(node: nodes.Element, cell: dict[str, Any]) -> None:
    """Put the place below the code of a cell.

    Args:
        node: the cell in the page.
        cell: the same in the notebook.
    """
    told = cell["metadata"].get(IN_PAGE)
    if not told:
        return
    code = next(
        child
        for child in node.findall(nodes.container)
        if child.get("nb_element") == "cell_code_source"
    )
    place = cell_run(name=cell["id"], lacks=told.get("lacks", ""))
    code.parent.insert(code.parent.index(code) + 1, place)


def visit(self, node: cell_run) -> None:
    """Write the place, or what the cell lacks."""
    lacks = node["lacks"]
    if lacks:
        words = f"{LACKS.get(lacks, f'Needs {lacks}')}: {WHERE}"
        self.body.append(f'<p class="cell-lacks">{escape(words)}</p>\n')
    else:
        name = escape(node["name"])
        self.body.append(f'<div class="cell-run" data-cell="{name}"></div>\n')
    raise nodes.SkipNode


def add_scripts(app, pagename, template, context, doctree) -> None:
    """Load the scripts on the pages that have a cell to run."""
    places = list(doctree.findall(cell_run)) if doctree else []
    if not places:
        return
    app.add_css_file("python/cells.css")
    if all(place["lacks"] for place in places):
        return
    path = Path(app.env.doc2path(pagename))
    offer_python(app, pagename, context)
    context["body"] += HIDDEN + as_script(to_run(path), "page-cells")
    load(app, SCRIPTS)


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(cell_run, html=(visit, None))
    app.add_post_transform(RunCells)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
