"""A comma stays with its formula, and so does a bracket.

A formula is a box in its line. Browsers may break a line on both sides of a
box, so that a line may begin with the comma that belongs to the line above.
Here the formula and the marks that touch it become one piece, which book.css
does not break.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

__all__ = ["Together"]

BEFORE = re.compile(r"[(\[“‘]+$")
AFTER = re.compile(r"^[.,;:!?)\]”’%]+(?:s\b)?")


class Together(SphinxPostTransform):
    """Put the marks beside an inline formula into one piece with it."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Change the tree."""
        for formula in [*self.document.findall(nodes.math)]:
            parent = formula.parent
            at = parent.index(formula)
            before = _mark(parent, at - 1, BEFORE)
            after = _mark(parent, at + 1, AFTER)
            if not before and not after:
                continue
            piece = nodes.inline(classes=["with-formula"])
            parent.replace(formula, piece)
            piece += [nodes.Text(before), formula, nodes.Text(after)]


def _mark(parent: nodes.Element, at: int, form: re.Pattern[str]) -> str:
    """Take the marks out of the text at a place; return them, or ""."""
    text = parent[at] if 0 <= at < len(parent) else None
    if not isinstance(text, nodes.Text):
        return ""
    found = form.search(text)
    if found is None:
        return ""
    whole = str(text)
    rest = whole[: found.start()] + whole[found.end() :]
    parent.replace(text, nodes.Text(rest))
    return found[0]


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_post_transform(Together)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
