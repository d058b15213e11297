"""Tables of which a text asks to cover a part: covered until a reader opens it.

"Cover the last two columns" covers them in the next table, "of both tables"
in the next two. Each cell that is covered holds

    <div class="cover" data-numbers="[0.6667, 0.3333]" data-near="0.005">

around what it says. Where that is a number or a list of numbers, a reader can
write it there, and book/_static/exercises/covers.js compares it as it does
the exercises on paper; anything else is covered and opens at a tap. Without
scripts and on paper the table is as it stands in the notebook.

A table may also leave cells empty or with a question mark. What belongs there
stands in the metadata of its cell, in the order of reading:

    "fill": ["2.8125", "0", "0"]
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from present import COUNTS, COVER, PAGES
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import LINES_OF_A_CELL

PLAIN = (
    (r"\\left|\\right|\\[,;! ]", ""),
    (r"\\[td]?frac\s*(\d)\s*(\d)", r"(\1/\2)"),
    (r"\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\sqrt\s*(\d)", r"sqrt(\1)"),
    (r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\\cdot", "*"),
    (r"\^\{([^{}]*)\}", r"^(\1)"),
    ("\N{MINUS SIGN}", "-"),
    (r"\^", "**"),
)
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
NEAR = 0.0051  # two decimals will do


class cover(nodes.General, nodes.Element):
    """Around what a covered cell says: `numbers`, `near`, `text`.

    `text` is what the cell says once it is open, if that is not in it.
    """


class covered_table(nodes.General, nodes.Element):
    """Around a table with covers: `key`."""


def value(node: ast.AST) -> float:
    """Work a formula out.

    Raises:
        ValueError: for anything but numbers, e, roots and + - * / **.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id == "e":
        return math.e
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        work = OPERATORS[type(node.op)]
        return float(work(value(node.left), value(node.right)))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "sqrt"
    ):
        return math.sqrt(value(node.args[0]))
    raise ValueError(ast.dump(node))


def numbers_in(words: str) -> list[float]:
    """Return the numbers that a cell holds, or none if it holds other things.

    Args:
        words: its text, formulas in LaTeX; of an equation what it ends with.
    """
    text = words.rpartition("=")[2]
    for pattern, plain in PLAIN:
        text = re.sub(pattern, plain, text)
    text = text.strip()
    if "," in text and text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    try:
        return [
            value(ast.parse(one.strip(), mode="eval").body)
            for one in text.split(",")
        ]
    except (SyntaxError, ValueError, ZeroDivisionError):
        return []


def near(numbers: list[float]) -> float:
    """Return how far from the numbers is still right.

    Two decimals will do, if they tell the smallest number from 0.
    """
    smallest = min((abs(one) for one in numbers if one), default=1.0)
    return min(NEAR, smallest / 4)


def asked_for(paragraph: nodes.paragraph) -> tuple[str, int, int] | None:
    """Return what to cover: "column" or "row", how many, in how many tables."""
    found = COVER.search(paragraph.astext())
    if not found:
        return None
    count = COUNTS.get((found["count"] or "").strip(), 1)
    return found["what"], count, 2 if found["both"] else 1


def cells_of(table: nodes.table, what: str, count: int) -> list[nodes.entry]:
    """Return the last columns, or the last rows without their first cells."""
    (body,) = table.findall(nodes.tbody)
    rows = [list(row.findall(nodes.entry)) for row in body.findall(nodes.row)]
    if what == "column":
        return [entry for row in rows for entry in row[-count:]]
    return [entry for row in rows[-count:] for entry in row[1:]]


def put_cover(entry: nodes.entry, text: str = "") -> None:
    """Cover a cell, unless it is empty.

    Args:
        entry: the cell.
        text: what belongs there, if the table does not say it.
    """
    words = text or entry.astext().strip()
    if not words:
        return
    numbers = numbers_in(words)
    lid = cover(numbers=numbers, near=near(numbers), text=text)
    lid.extend(entry.children or [nodes.paragraph()])
    entry.children = []
    entry += lid


def free_cells(table: nodes.table) -> list[nodes.entry]:
    """Return the cells that a table leaves empty or with a question mark."""
    (body,) = table.findall(nodes.tbody)
    return [
        entry
        for entry in body.findall(nodes.entry)
        if entry.astext().strip() in ("", "?")
    ]


def fill(table: nodes.table, texts: list[str]) -> None:
    """Cover the cells that a reader is to fill in.

    Raises:
        ValueError: if they are not as many as the texts for them.
    """
    for entry, text in zip(free_cells(table), texts, strict=True):
        put_cover(entry, text)


def tables_after(paragraph: nodes.paragraph) -> list[nodes.table]:
    """Return the tables of a section that come after one of its paragraphs."""
    above = paragraph.parent
    start = above.index(paragraph)
    return [
        table
        for node in above.children[start:]
        if not isinstance(node, nodes.section)
        for table in node.findall(nodes.table)
    ]


class Covers(SphinxPostTransform):
    """Cover what the texts ask to cover, once the questions have cards."""

    default_priority = 200
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Go through the page (called by Sphinx)."""
        if not self.env.docname.startswith(PAGES):
            return
        tables: list[nodes.table] = []
        for paragraph in self.document.findall(nodes.paragraph):
            if asked := asked_for(paragraph):
                what, count, many = asked
                for table in tables_after(paragraph)[:many]:
                    tables.append(table)
                    for entry in cells_of(table, what, count):
                        put_cover(entry)
        metadata = self.metadata()
        for table in self.document.findall(nodes.table):
            texts = metadata.get((table.line or 0) // LINES_OF_A_CELL - 1)
            if texts and free_cells(table):
                tables.append(table)
                fill(table, texts)
        for number, table in enumerate(tables, start=1):
            frame = covered_table(key=f"table-{number}")
            table.parent.replace(table, frame)
            frame += table

    def metadata(self) -> dict[int, list[str]]:
        """Return what is to be filled in, by the number of the cell."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return {}
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        said = [cell["metadata"].get("fill") for cell in cells]
        return {number: texts for number, texts in enumerate(said) if texts}


def visit_cover(self, node: cover) -> None:
    """Open the lid."""
    data = ""
    if node["numbers"]:
        numbers = json.dumps(node["numbers"])
        data = f' data-numbers="{numbers}" data-near="{node["near"]:.6g}"'
    if node["text"]:
        data += f' data-text="{escape(node["text"])}"'
    self.body.append(f'<div class="cover"{data}>')


def visit_table(self, node: covered_table) -> None:
    """Open the frame."""
    self.body.append(f'<div class="covered-table" data-key="{node["key"]}">')


def depart(self, node: nodes.Element) -> None:
    """Close either."""
    self.body.append("</div>\n")


def skip(self, node: nodes.Element) -> None:
    """Write only what is inside (for builders other than HTML)."""


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    others = {"latex": (skip, skip), "text": (skip, skip)}
    app.add_node(cover, html=(visit_cover, depart), **others)
    app.add_node(covered_table, html=(visit_table, depart), **others)
    app.add_post_transform(Covers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
