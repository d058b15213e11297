"""The map on the cover, and "You are here" at the top of a chapter's pages.

    ```{book-map}
    ```

A chapter's question is the one that its lesson asks in its first cell,

    > **The question.** What is lost when a sentence passes through one vector?

word for word. Parts and their order come from _toc.yml, names from the
chapters' own titles, the marks of the short path from _config.yml; so the map
says what the side bar says. A lesson without a question is a warning, and
`make book` turns every warning into a failure.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import yaml
from docutils import nodes
from machine import WHOLE, lit_in, svg
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)

CHAPTER = re.compile(r"chapters/(\d+)_\w+$")
LABORATORY = re.compile(r"book/laboratory/((\d+)_\w+)$")
QUESTION = re.compile(r"^> \*\*The question\.\*\* (.+)$", re.M)


class book_map(nodes.General, nodes.Element):
    """The place of the map."""


class you_are_here(nodes.General, nodes.Element):
    """The drawing at the top of a chapter: attribute n, its number."""


class BookMap(SphinxDirective):
    """The directive."""

    def run(self) -> list[nodes.Node]:
        """Return the place; the map changes with _toc.yml and the lessons."""
        self.env.note_dependency("_toc.yml")
        for _, names in parts(self.env):
            for name in names:
                self.env.note_dependency(f"{name}.ipynb")
        return [book_map()]


def question_of(env, docname: str) -> str:
    """Return the question of a lesson, as its first cell asks it."""
    path = Path(env.srcdir, f"{docname}.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    asked = QUESTION.findall("".join(cells[0]["source"]))
    if len(asked) != 1:
        LOGGER.warning(
            "its first cell asks %d questions in a line that begins with "
            "'> **The question.**'; a lesson has one",
            len(asked),
            location=docname,
        )
    return asked[0] if asked else ""


def number_of(docname: str) -> int | None:
    """Return 8 for chapters/08_masks, None for a page that is no chapter."""
    match = CHAPTER.match(docname)
    return int(match[1]) if match else None


def parts(env) -> list[tuple[str, list[str]]]:
    """Return the parts that hold chapters: (caption, names of the pages)."""
    text = (Path(env.srcdir) / "_toc.yml").read_text(encoding="utf-8")
    found = []
    for part in yaml.safe_load(text)["parts"]:
        names = [entry["file"] for entry in part["chapters"]]
        names = [name for name in names if CHAPTER.match(name)]
        if names:
            found.append((part["caption"], names))
    return found


def links(builder, docname: str) -> dict[int, tuple[str, str]]:
    """Return {number: (address, title)} of all chapters, seen from a page."""
    return {
        number_of(name): (
            builder.get_relative_uri(docname, name),
            builder.env.titles[name].astext(),
        )
        for _, names in parts(builder.env)
        for name in names
    }


class PlaceDrawings(SphinxPostTransform):
    """Put the drawing below the title of lesson and laboratory, in HTML."""

    default_priority = 220
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Look at one page (called by Sphinx)."""
        here = self.env.docname
        number = number_of(LABORATORY.sub(r"chapters/\1", here))
        title = next(iter(self.document.findall(nodes.title)), None)
        if number is not None and title is not None:
            section = title.parent
            section.insert(section.index(title) + 1, you_are_here(n=number))


def visit_here(translator, node: you_are_here) -> None:
    """Write the drawing and the chapter's question."""
    builder, here = translator.builder, translator.builder.current_docname
    lesson = LABORATORY.sub(r"chapters/\1", here)
    question = question_of(builder.env, lesson)
    chapters = links(builder, here)
    is_lesson = here == lesson
    current = node["n"] if is_lesson else None
    kind = "you-are-here" + " asks-below" * is_lesson
    translator.body.append(
        f'<nav class="{kind}" aria-label="You are here">'
        f"<p><strong>You are here</strong> {escape(question)}</p>"
        f"{svg(lit_in(node['n']), chapters)}{whole(current, chapters)}</nav>"
    )
    raise nodes.SkipNode


def whole(here: int | None, chapters: dict[int, tuple[str, str]]) -> str:
    """Return links to the chapters that no single part belongs to."""
    links = []
    for number in WHOLE:
        address, title = map(escape, chapters[number])
        current = ' aria-current="page"' if number == here else ""
        first, _, rest = title.partition(".")
        links.append(
            f'<a href="{address}"{current} aria-label="{title}">{first}'
            f"<span>.{rest}</span></a>"
        )
    return f'<p class="whole">{" ".join(links)}</p>'


def visit_map(translator, node: book_map) -> None:
    """Write the map."""
    builder = translator.builder
    chapters = links(builder, builder.current_docname)
    short = builder.config.book_short_way
    translator.body.append('<div class="book-map">')
    for caption, names in parts(builder.env):
        numbers = [number_of(name) for name in names]
        lit = set().union(*map(lit_in, numbers))
        translator.body.append(
            f'<section class="map-part"><div>{svg(lit)}</div>'
            f'<div><p class="map-title">{escape(caption)}</p><ol>'
        )
        for name, number in zip(names, numbers, strict=True):
            address, title = chapters[number]
            way = ' data-way="short"' if name in short else ""
            translator.body.append(
                f'<li{way}><a href="{address}"><span>{number}</span> '
                f"{escape(title.split('. ', 1)[1])}</a> "
                f"<em>{escape(question_of(builder.env, name))}</em></li>"
            )
        translator.body.append("</ol></div></section>")
    translator.body.append("</div>")
    raise nodes.SkipNode


def skip(translator, node) -> None:
    """Leave it out where there is no HTML."""
    raise nodes.SkipNode


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_directive("book-map", BookMap)
    for kind, visit in ((book_map, visit_map), (you_are_here, visit_here)):
        app.add_node(
            kind, html=(visit, None), latex=(skip, None), text=(skip, None)
        )
    app.add_post_transform(PlaceDrawings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
