"""The top of a laboratory: its experiments, and the minutes that each takes.

A laboratory is opened like a lesson. The drawing and the question are those of
its chapter (book_map.py); below stand its experiments, each with the minutes
that its text takes to read. They are counted as in the header of a lesson.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from docutils import nodes
from reading_time import experiments, reading_minutes
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import is_cell

LABORATORY = re.compile(r"book/laboratory/\d+_\w+$")


class ListExperiments(SphinxPostTransform):
    """Put the list above the first cell of a laboratory, in HTML only."""

    default_priority = 215  # the drawing comes above it (book_map.py)
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Look at one page (called by Sphinx)."""
        if not LABORATORY.match(self.env.docname):
            return
        path = Path(self.env.srcdir, f"{self.env.docname}.ipynb")
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        minutes = [
            max(1, math.ceil(reading_minutes(own)))
            for _, own in experiments(cells)
        ]
        found = [s for s in self.document.findall(nodes.section) if named(s)]
        first = next(filter(is_cell, self.document.findall()), None)
        if found and first is not None:
            place = first.parent
            place.insert(place.index(first), listed(found, minutes))


def named(section: nodes.section) -> bool:
    """Tell whether a section is an experiment."""
    return re.match(r"Experiment \d", section.children[0].astext()) is not None


def listed(
    sections: list[nodes.section], minutes: list[int]
) -> nodes.bullet_list:
    """Return links to the experiments, with their minutes."""
    rows = nodes.bullet_list(classes=["experiments"])
    for section, some in zip(sections, minutes, strict=True):
        link = nodes.reference("", "", internal=True, refid=section["ids"][0])
        link.extend(n.deepcopy() for n in section.children[0].children)
        words = f" {some}\N{NO-BREAK SPACE}min"
        row = nodes.paragraph("", "", link, nodes.Text(words))
        rows += nodes.list_item("", row)
    return rows


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_post_transform(ListExperiments)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
