"""What the last page of the course shows: the machine, ten parts, a file.

    ```{built} machine
    ```

is the drawing of the chapters' openers with every part lit and linked;
`parts` is the picture that a lesson draws after each exercise that builds a
part, all ten lit, whatever the reader's own file holds; `own` is the place
where a reader gives the page their translator, see book/_static/live/own.js.
"""

from __future__ import annotations

from book_map import links, skip
from docutils import nodes
from docutils.parsers.rst import directives
from figures import inline_svg
from machine import Chapters, svg
from machine_shapes import between, decoder, encoder, inside
from sphinx.util.docutils import SphinxDirective

from transformer_course.workbook.picture import all_ten

ACROSS = {"wide": 5, "narrow": 2}  # for a screen, and for a phone


class built(nodes.General, nodes.Element):
    """The place of a drawing: attribute what."""


class Built(SphinxDirective):
    """The directive; its argument says which drawing."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the place."""
        choice = directives.choice(
            self.arguments[0], ("machine", "parts", "own")
        )
        return [built(what=choice)]


def machine(chapters: Chapters) -> str:
    """Return the drawing with every part lit."""
    shapes = [*encoder(), *decoder(), *inside(), *between()]
    return svg({part for part, _ in shapes}, chapters)


def parts() -> str:
    """Return the ten parts twice; one of the two is shown."""
    return "".join(
        f'<div class="{name}">'
        f"{inline_svg(all_ten(across).svg, f'built-{name}')}</div>"
        for name, across in ACROSS.items()
    )


def visit(translator, node: built) -> None:
    """Write the drawing."""
    builder = translator.builder
    what = node["what"]
    if what == "machine":
        drawn = machine(links(builder, builder.current_docname))
    else:
        drawn = parts() if what == "parts" else ""
    name = "live-own" if what == "own" else f"built-{what}"
    translator.body.append(f'<div class="{name}">{drawn}</div>')
    raise nodes.SkipNode


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_directive("built", Built)
    app.add_node(
        built, html=(visit, None), latex=(skip, None), text=(skip, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
