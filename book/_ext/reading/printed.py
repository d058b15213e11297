"""What a cell has printed, on a narrow screen.

Sentences and single values go on in the next line. Columns must stay under each
other: they get smaller letters as far as that helps, and scroll where it does
not. Printed code scrolls, as code does everywhere.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

GAP = re.compile(r"\S {2,}\S")  # between two columns
ARRAY = re.compile(r"\s*\[\[|\s+\[ ")
CODE = re.compile(r"\bgetsource\(|^\s*(def|class) \w+\(", re.M)
# Columns of letters that a telephone holds, at two sizes (book.css).
SIZES = (50, 58)


def classes_of(printed: str, source: str = "") -> list[str]:
    """Return the classes of an output.

    Args:
        printed: its text.
        source: the code of its cell.

    Returns:
        ["in-lines"], or ["in-columns"] with "fits-50" or "fits-58" where the
        lines are that short, or nothing for code.
    """
    if CODE.search(printed) or "getsource(" in source:
        return []
    lines = printed.expandtabs().splitlines()
    aligned = sum(bool(GAP.search(line) or ARRAY.match(line)) for line in lines)
    if aligned < 2:
        return ["in-lines"]
    longest = max(map(len, lines))
    fitting = [f"fits-{size}" for size in SIZES if longest <= size]
    return ["in-columns", *fitting[:1]]


class Printed(SphinxPostTransform):
    """Mark the printed outputs, after myst-nb has chosen among them."""

    default_priority = 215
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Go through the page (called by Sphinx)."""
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") != "cell_code":
                continue
            blocks = list(cell.findall(nodes.literal_block))
            outputs = [b for b in blocks if "output" in b["classes"]]
            source = "\n".join(b.astext() for b in blocks if b not in outputs)
            for block in outputs:
                block["classes"] += classes_of(block.astext(), source)


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_post_transform(Printed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
