"""Exercises in code that are done in the page: data, scripts, and the files.

The card of an exercise whose check is in checks/code gets one

    <div class="exercise-work" data-exercise="softmax" data-kind="code" ...>

around its cells. Without scripts the reader sees the cells; book/_static/python
puts an editor in their place. What it has to know stands beside it as JSON: the
exercise, and once in a page where Python's files lie. The variable BOOK_PYODIDE
(`make book PYODIDE=folder`) names a folder whose files are put into the book.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from functools import cache
from html import escape
from pathlib import Path
from posixpath import dirname, relpath
from typing import Any

import pyodide_files
from code_cells import asked_in, imported_to_run, set_up
from course_zip import pack_course
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import source_of

from transformer_course import PACKAGES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = (".py", ".pyi", ".txt", ".tsv", ".json", ".sealed")
COURSE = "_static/python/course.zip"
FILES = "_static/pyodide"
PYTHON = ("element", "files", "consent", "verdict", "worker", "sandbox",
          "editor")  # fmt: skip
SCRIPTS = ("answers", "notebook", "exercise")


class code_exercise(nodes.General, nodes.Element):
    """Around the cells of an exercise; `about` is what the page knows."""


class CodeExercises(SphinxPostTransform):
    """Put the place for the work around the cells, once there are cards."""

    default_priority = 195  # after the cards, before the folds
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Go through the page (called by Sphinx)."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb" or "solutions" in path.parts:
            return
        known = asked_in(path)
        cards = list(self.document.findall(nodes.container))
        for card in cards:
            if "exercise-card" in card["classes"]:
                place(card, known)


def place(card: nodes.container, known: dict[str, dict[str, Any]]) -> None:
    """Put the cells of a card into the place for the work.

    Args:
        card: of an exercise.
        known: the exercises of the page by name.
    """
    for name, about in known.items():
        cells = [
            number
            for number, node in enumerate(card.children)
            if source_of(node).strip() == about["start"].strip()
            or about["call"] in source_of(node)
        ]
        if len(cells) > 1:
            first, last = cells[0], cells[-1]
            work = code_exercise(about=about | titled(card) | {"name": name})
            work.extend(card.children[first : last + 1])
            card.children[first : last + 1] = []
            card.insert(first, work)


def titled(card: nodes.container) -> dict[str, str]:
    """Return the number and the title of the exercise of a card."""
    words = {
        kind: node.astext()
        for node in card.parent.children[0].findall(nodes.inline)
        for kind in node["classes"]
    }
    return {
        "number": words["exercise-number"].removeprefix("Exercise "),
        "title": words["exercise-name"],
    }


def visit(self, node: code_exercise) -> None:
    """Open the place; the cells follow, for readers without scripts."""
    about = node["about"]
    told = {
        "data-exercise": about["name"],
        "data-number": about["number"],
        "data-kind": "code",
    }
    attributes = " ".join(f'{k}="{escape(v)}"' for k, v in told.items())
    self.body.append(
        f'<div class="exercise-work" {attributes}>'
        f"{as_script(about, 'exercise-about')}\n"
    )


def depart(self, node: code_exercise) -> None:
    """Close the place."""
    self.body.append("</div>\n")


def as_script(data: Any, name: str) -> str:
    """Write data into a page so that no text in it ends the script."""
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    told = told.replace("<", "\\u003c")
    return f'<script type="application/json" class="{name}">{told}</script>'


@cache
def course() -> bytes:
    """Return the course's ZIP, made once in a build."""
    return pack_course()


def folder() -> Path | None:
    """Return the folder whose files go into the book, or None."""
    named = os.environ.get("BOOK_PYODIDE")
    return Path(named) if named else None


def manifest() -> dict[str, Any]:
    """Return where the files lie, with the course among them."""
    source = folder()
    found = pyodide_files.read(source)
    if source is not None:
        for entry in found["files"]:
            entry["address"] = f"{FILES}/{entry['name']}"
    data = course()
    digest = hashlib.sha256(data).hexdigest()
    zipped = {
        "name": "course.zip",
        "address": f"{COURSE}?{digest[:8]}",
        "size": len(data),
        "sha256": digest,
    }
    return found | {"files": [*found["files"], zipped]}


def load(app, names: tuple[str, ...]) -> None:
    """Load some of the scripts of Python in this page."""
    for name in names:
        app.add_js_file(f"python/{name}.js", loading_method="defer")


def offer_python(app, pagename, context) -> None:
    """Say on a page where Python's files lie, once, and load its scripts."""
    if 'class="python-files"' in context["body"]:
        return
    up = relpath(".", dirname(pagename) or ".")
    told = manifest()
    for entry in told["files"]:
        if ":" not in entry["address"]:
            entry["address"] = f"{up}/{entry['address']}"
    told["setUp"] = set_up(Path(app.env.doc2path(pagename)))
    context["body"] += as_script(told, "python-files")
    app.add_css_file("python/python.css")
    load(app, PYTHON)


def add_scripts(app, pagename, template, context, doctree) -> None:
    """Load the scripts on the pages that have such an exercise."""
    if doctree is not None and any(doctree.findall(code_exercise)):
        offer_python(app, pagename, context)
        load(app, SCRIPTS)


def write_files(app, error) -> None:
    """Put the course, and Python if it is here, into the finished book."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    (out / COURSE).parent.mkdir(parents=True, exist_ok=True)
    (out / COURSE).write_bytes(course())
    shutil.rmtree(out / FILES, ignore_errors=True)
    source = folder()
    if source is not None:
        pyodide_files.copy_files(source, out / FILES)


def note_changes(app, config) -> None:
    """Let all pages be written anew when the files that they name change."""
    ours = (path for name in PACKAGES for path in (ROOT / name).rglob("*"))
    digest = hashlib.sha256(str(folder()).encode())
    for path in sorted([*ours, *HERE.glob("p*")]):
        if path.suffix in SOURCES:
            digest.update(path.read_bytes())
    digest.update("\n".join(imported_to_run()).encode())
    config.python_files = digest.hexdigest()


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(code_exercise, html=(visit, depart))
    app.add_post_transform(CodeExercises)
    app.add_config_value("python_files", "", "html")
    app.connect("config-inited", note_changes)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
