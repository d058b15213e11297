"""Measured results on a page: what a benchmark wrote beside its figures.

A page writes

    ```{results} throughput
    ```

and gets benchmarks/results/throughput.md, in a fold where the page has drawn
the same file as a chart before (result_charts.py). Where there is no such file,
the section is left out.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from folds import fold
from sphinx.util.docutils import SphinxDirective

TABLE = "All numbers, and the command that measures them"


class not_measured(nodes.General, nodes.Element):
    """Stands where a measurement was not made, until its section goes."""


def leave_out(app, doctree) -> None:
    """Take away each section whose measurement was not made."""
    for node in list(doctree.findall(not_measured)):
        if isinstance(node.parent, nodes.section):
            node = node.parent
        node.parent.remove(node)


class Results(SphinxDirective):
    """The directive `results`: the name of a file in benchmarks/results."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        source = f"benchmarks/results/{self.arguments[0]}.md"
        path = Path(self.env.srcdir) / source
        self.env.note_dependency(str(path))
        if not path.exists():
            return [not_measured()]
        holder = nodes.container(classes=["measured"])
        lines = path.read_text(encoding="utf-8").splitlines()
        text = StringList(lines, source=source)
        self.state.nested_parse(text, self.content_offset, holder)
        if self.arguments[0] in self.env.temp_data.get("charted", ()):
            return [fold("", holder, words=TABLE, kind="more")]
        return [holder]


def setup(app) -> dict:
    """Register the directive (called by Sphinx)."""
    app.add_directive("results", Results)
    # Before the page's headings are collected for its list of contents.
    app.connect("doctree-read", leave_out, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
