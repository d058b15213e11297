"""Exercises that are done in the page, and bars that say where others are.

In the card of an exercise on paper its cells are joined by what a page needs
to judge an answer alone (`paper_data`); book/_static/exercises/ makes fields
of it. Without scripts the exercise stays as it is in the notebook. A part to
build and an exercise without a check get a bar: where it is done, and a mark
for "done". That something has not been attempted is said in notebooks only.
"""

from __future__ import annotations

import json
import re
from html import escape
from posixpath import dirname, relpath

from covers import covered_table
from docutils import nodes
from paper_data import data, exercises, in_sealed_catalogue, paper_of
from reading_counts import counts
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import is_cell, source_of

from transformer_course import checks
from transformer_course.checks.engine.sealed import seal

CALL = re.compile(r"\bchecks\.(\w+)\((.*)")
NAME = re.compile(r"[^\W\d]\w*")
NOT_YET = re.compile(r"Not attempted yet|Not saved: this")
NOT_EXERCISES = {"answered", "build", "exercise"}
WHERE = {
    "build": "You write this part in a notebook, in Colab or JupyterLab.",
    "notebook": "This one is done in a notebook, in Colab or JupyterLab.",
    "prove": "This one is done with paper and pencil.",
}
JUDGE = ("formula", "judge", "numbers", "fields")
COVER = "book/index"


class exercise_work(nodes.General, nodes.Element):
    """What a reader does in the page: attributes kind, number, name, link."""


def visit(self, node: exercise_work) -> None:
    """Write the place, with its data or with where to go."""
    kind, number = node["kind"], node["number"]
    name = f' data-exercise="{node["name"]}"' if "name" in node else ""
    self.body.append(
        f'<div class="exercise-work" data-kind="{kind}"'
        f' data-number="{number}"{name}>'
    )
    if kind == "paper":
        self.body.append(as_script(node["name"]))
    else:
        self.body.append(f"<p>{WHERE[node['where']]}{link(self, node)}</p>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def as_script(name: str) -> str:
    """Write what a page must know; sealed where the catalogue is sealed.

    Args:
        name: of an exercise on paper.
    """
    known = json.dumps(
        data(paper_of(name)), ensure_ascii=False, separators=(",", ":")
    )
    if in_sealed_catalogue(name):
        return f'<script type="text/plain">{seal(known)}</script>'
    known = known.replace("</", "<\\/")
    return f'<script type="application/json">{known}</script>'


def link(self, node: exercise_work) -> str:
    """The notebook: in Colab where the book has an address, else its file."""
    if node["where"] == "prove":
        return ""
    config, page = self.config, self.builder.current_docname
    theme = config.html_theme_options
    repository = theme.get("repository_url", "").rstrip("/")
    if "://github.com/" in repository:
        colab = theme.get("launch_buttons", {}).get(
            "colab_url", "https://colab.research.google.com"
        )
        branch = theme.get("repository_branch", "HEAD")
        path = "/".join(
            filter(None, [theme.get("path_to_docs", "").strip("/"), page])
        )
        rest = repository.partition("://github.com/")[2]
        to = f"{colab}/github/{rest}/blob/{branch}/{path}.ipynb"
        return f' <a href="{escape(to)}">Open it in Colab</a>'
    to = relpath(f"_sources/{page}.ipynb", dirname(page))
    return f' <a href="{escape(to)}" download>Download the notebook</a>'


def skip(self, node: exercise_work) -> None:
    """Leave it out where there is no HTML."""
    raise nodes.SkipNode


def forget_not_attempted(document: nodes.document) -> None:
    """Take the outputs away that say that nothing has been done yet."""
    for output in list(document.findall(nodes.container)):
        if output.get("nb_element") != "cell_code_output":
            continue
        if not NOT_YET.search(output.astext()):
            continue
        cell = output.parent
        cell.remove(output)
        if cell.get("hide_mode") == "all":
            cell["hide_mode"] = "input"
        elif cell.get("hide_mode") == "output":
            del cell["hide_mode"]


def put_into(card: nodes.container, number: str, facts: str) -> None:
    """Add the place where a reader works to the card of an exercise."""
    cells = list(card.findall(is_cell))
    called = [
        found
        for cell in cells
        for found in CALL.finditer(source_of(cell))
        if found[1] not in NOT_EXERCISES and hasattr(checks, found[1])
    ]
    if called:
        if called[0][1] in exercises():
            put_fields(card, number, called[0], cells)
        return  # code is done in the page, too: code_exercises
    where = (
        "build" if "build-card" in card["classes"]
        else "prove" if facts.startswith("prove") and not cells
        else "notebook"
    )  # fmt: skip
    kind = "build" if where == "build" else "other"
    place = exercise_work(kind=kind, number=number, where=where)
    own = [cell for cell in cells if cell.parent is card]
    card.insert(card.index(own[0]) if own else len(card), place)


def put_fields(
    card: nodes.container, number: str, call: re.Match, cells: list
) -> None:
    """Put the place of the fields before the cells of an exercise on paper."""
    names = "|".join(NAME.findall(call[2]))
    answer = re.compile(rf"\b({names}) =")
    own = [
        cell
        for cell in cells
        if call[0] in source_of(cell)
        or (answer.search(source_of(cell)) and "..." in source_of(cell))
    ]
    place = exercise_work(kind="paper", number=number, name=call[1])
    own[0].parent.insert(own[0].parent.index(own[0]), place)
    for cell in own:
        box = nodes.container(classes=["exercise-cells"])
        cell.parent.replace(cell, box)
        box += cell


class Exercises(SphinxPostTransform):
    """Put the places into the cards, before myst-nb folds its cells."""

    default_priority = 195
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Go through the page (called by Sphinx)."""
        if not self.env.docname.startswith(("chapters/", "book/laboratory/")):
            return
        forget_not_attempted(self.document)
        for card in list(self.document.findall(nodes.container)):
            if "exercise-card" not in card["classes"]:
                continue
            title = card.parent.children[0].astext()
            number = re.match(r"Exercise (\d+\.\d+)", title)[1]
            put_into(card, number, title.split()[2] if title else "")


def add_scripts(app, pagename, template, context, doctree) -> None:
    """Load the scripts on the pages that have something to be judged."""
    places = list(doctree.findall(exercise_work)) if doctree else []
    paper = any(place["kind"] == "paper" for place in places)
    tables = any(doctree.findall(covered_table)) if doctree else False
    for name in (
        *(JUDGE if paper or tables else ()),
        *(("paper",) if paper else ()),
        *(("covers",) if tables else ()),
    ):
        app.add_js_file(f"exercises/{name}.js", loading_method="defer")
    if pagename == COVER:
        known = json.dumps(counts(app.srcdir), separators=(",", ":"))
        app.add_js_file(None, body=f"window.bookCounts = {known};")
        app.add_js_file("exercises/cover.js", loading_method="defer")


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(
        exercise_work,
        html=(visit, None),
        latex=(skip, None),
        text=(skip, None),
    )
    app.add_post_transform(Exercises)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
