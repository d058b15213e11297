"""The machine on one page: the drawing, and beside it all of its parts.

    ```{poster}
    # The encoder

    norm | layer norm | B S d | normalization.py
    return weight * (x - mean) / torch.sqrt(var + eps) + bias
    layer norm
    ```

A part has its key in the drawing, its name, its shape (letters of `EXAMPLE`, or
words) and its file; the line that does it; a row of the formula card, with [0]
its first formula alone, or a sentence. The drawing is that of the chapters'
openers (machine.py), numbered. A row that the card lacks, or a line that the
file lacks, ends the build.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import NamedTuple

from book_map import links, skip
from docutils import nodes
from machine import CHAPTER, Chapters, svg
from machine_shapes import (
    LOWER,
    TALL,
    UPPER,
    between,
    decoder,
    encoder,
    inside,
)
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[3]
# The small model of chapter 11 and the batch that it reads.
EXAMPLE = {
    "B": 2, "S": 7, "T": 5, "d": 8, "h": 2, "d_k": 4, "d_ff": 16, "V": 20,
    "N": 3, "1": 1,
}  # fmt: skip
CAPTION = (
    "The Transformer as it was published: each norm comes after a sum. Shapes "
    "are those of the small model of chapter 11: <i>B</i> = {B} sentences, "
    "<i>S</i> = {S} source tokens, <i>T</i> = {T} target tokens, <i>N</i> = "
    "{N} layers, <i>d</i> = {d}, <i>d<sub>ff</sub></i> = {d_ff}, <i>h</i> = "
    "{h} heads of <i>d<sub>k</sub></i> = {d_k}, <i>V</i> = {V} words."
).format(**EXAMPLE)


class Part(NamedTuple):
    """A numbered part of the drawing, as it is written in the directive."""

    key: str
    name: str
    shape: str
    file: str
    code: str
    row: str

    @property
    def chapter(self) -> int:
        """The chapter that it leads to."""
        return {"encoder": 11, "again": 14}.get(self.key) or CHAPTER[self.key]

    def line(self) -> int:
        """Return in which line of its file the code stands."""
        path = ROOT / "transformer_lib" / self.file
        lines = path.read_text(encoding="utf-8").splitlines()
        return [line.strip() for line in lines].index(self.code) + 1


Rows = dict[str, list[Part]]


def read(text: str) -> Rows:
    """Read the directive: {heading: its parts}."""
    rows: Rows = {}
    for block in text.strip().split("\n\n"):
        if block.startswith("# "):
            parts = rows.setdefault(block[2:], [])
            continue
        first, code, row = block.split("\n")
        parts.append(Part(*first.split(" | "), code, row))
    return rows


def shape(text: str) -> tuple[str, str]:
    """Return a shape in letters and in numbers; words stay as they are."""
    letters = text.split()
    if not set(letters) <= EXAMPLE.keys():
        return text, ""
    numbers = ", ".join(str(EXAMPLE[letter]) for letter in letters)
    named = re.sub(r"(\w)_(\w+)", r"\1<sub>\2</sub>", ", ".join(letters))
    return f"<i>({named})</i>", f"({numbers})"


def code(part: Part) -> str:
    """Return a part's line, which may be broken at brackets and dots."""
    return re.sub(
        r"(?<=[(\[])(?=\w)|(?<=[)\]])(?=\.)", "<wbr>", escape(part.code)
    )


def card() -> dict[str, str]:
    """Return {name: formula} of the formula card."""
    page = (ROOT / "book" / "in_short.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \**(.+?)\** \| (.+?) \|", page, re.M)
    return dict(reversed(rows))  # the first table, in English, wins


def formula(row: str, formulas: dict[str, str]) -> str:
    """Return what a part computes: a row of the card, or a sentence."""
    if row.endswith("."):
        return escape(row)
    name, _, piece = row.rstrip("]").partition(" [")
    found = []
    for i, text in enumerate(formulas[name].split("$")):
        if i % 2 == 0:
            found.append(escape(text))
            continue
        pieces = re.split(r"(?<=,)\s*(?:\\quad|\\;)(?:\s*\\;)*\s*", text)
        if piece:
            pieces = [pieces[int(piece)].rstrip(",")]
        found.append(" ".join(map(piece_of, pieces)))
    return "".join(found)


def piece_of(text: str) -> str:
    """Return a formula as MathJax finds it; a long one may end at its =."""
    halves = text.split(" = ") if len(text) > 48 else [text]
    found = " ".join(
        rf'<span class="math notranslate nohighlight">\({escape(half)}\)</span>'
        for half in (halves[0], *(f"{{}} = {half}" for half in halves[1:]))
    )
    return f"<span>{found}</span>"


def numbers(rows: Rows) -> str:
    """Return the numbers of the parts, and shapes, for the drawing."""
    parts = [part for parts in rows.values() for part in parts]
    known = {part.key: (i, part) for i, part in enumerate(parts, start=1)}
    known["decoder"] = known["encoder"]
    drawn = []
    for key, drawing in [*encoder(), *decoder(), *inside(), *between()]:
        if key not in known or (place := corner(key, drawing)) is None:
            continue
        (number, part), (x, y) = known[key], place
        drawn.append(
            f'<g class="p-number"><circle cx="{x:g}" cy="{y:g}" r="8.5"/>'
            f'<text x="{x:g}" y="{y + 4:g}">{number}</text></g>'
        )
        left, top, width, _ = rectangle(drawing) or (0, 0, 0, 0)
        if top not in (UPPER, LOWER) or width < 80:
            continue
        letters = part.shape.replace("S", "T") if top == LOWER else part.shape
        # The loop of decoding passes below the first and the last box.
        middle = 0.22 if key in ("written", "next") else 0.5
        drawn.append(
            f'<text class="p-shape" x="{left + middle * width:g}" '
            f'y="{top + TALL + 10.5:g}">{shape(letters)[1]}</text>'
        )
    return f'<g aria-hidden="true">{"".join(drawn)}</g>'


def rectangle(drawing: str) -> tuple[float, ...] | None:
    """Return x, y, width, height of a drawing's last large rectangle."""
    name = r' (?:x|y|width|height)="([-\d.]+)"'
    found = re.findall(rf"<rect(?: class=\S+)?{name * 4}", drawing)
    sides = [tuple(map(float, sides)) for sides in found]
    return next((s for s in reversed(sides) if s[3] > 10), None)


def corner(key: str, drawing: str) -> tuple[float, float] | None:
    """Return where a part's number stands, None where it has no place."""
    if key == "again":
        return 440, 276
    if key == "residual":
        place = re.search(r'class="m-number" x="(.+?)" y="(.+?)"', drawing)
        return place and (float(place[1]), float(place[2]) - 11)
    if (sides := rectangle(drawing)) is None:
        return None
    x, y, width, height = sides
    if key == "qkv":
        return 652, 20.5
    if key in ("encoder", "decoder", "heads"):
        return x + 12, y + height
    return (x + width / 2, y - 9.5) if width < 30 else (x + 9, y - 2)


def html(rows: Rows, chapters: Chapters) -> str:
    """Return the poster."""
    drawing = svg((), chapters).replace("</svg>", numbers(rows) + "</svg>")
    drawing = drawing.replace("-2 -10 884 286", "-2 -12 884 298")
    formulas, lists, count = card(), [], 0
    for row, parts in rows.items():
        cards = []
        for part in parts:
            count += 1
            letters, sizes = shape(part.shape)
            sizes = f" = {sizes}" if sizes else ""
            address, title = chapters[part.chapter]
            cards.append(
                f'<li value="{count}" data-part="{part.key}">'
                f'<p class="p-name"><b>{count}</b> {part.name}</p>'
                f'<div class="p-formula">{formula(part.row, formulas)}</div>'
                f'<p class="p-size">{letters}{sizes}</p>'
                f"<code>{code(part)}</code>"
                f'<p class="p-from">{part.file}, line {part.line()}</p>'
                f'<p class="p-to"><a href="{escape(address)}">'
                f"{escape(title)}</a></p></li>"
            )
        lists.append(
            f'<section><p class="p-row">{row}</p><ol>{"".join(cards)}</ol>'
            "</section>"
        )
    return (
        '<div class="poster"><figure><div class="p-drawing" role="region" '
        'aria-label="The Transformer: the encoder above, the decoder below, '
        f'one attention head at the right">{drawing}</div><figcaption>'
        f"{CAPTION}</figcaption></figure>{''.join(lists)}</div>"
    )


class poster(nodes.General, nodes.Element):
    """The place of the poster: attribute rows."""


class Poster(SphinxDirective):
    """The directive."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the place."""
        rows = read("\n".join(self.content))
        for part in (part for parts in rows.values() for part in parts):
            self.env.note_dependency(f"transformer_lib/{part.file}")
        return [poster(rows=rows)]


def visit(translator, node: poster) -> None:
    """Write the poster."""
    builder = translator.builder
    chapters = links(builder, builder.current_docname)
    book = escape(builder.config.html_title)
    translator.body.append(html(node["rows"], chapters))
    translator.body.append(f'<p class="p-book">{book}</p>')
    raise nodes.SkipNode


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_directive("poster", Poster)
    app.add_node(
        poster, html=(visit, None), latex=(skip, None), text=(skip, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
