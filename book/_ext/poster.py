"""The machine on one page: the drawing, and beside it all of its parts.

    ```{poster}
    ```

The drawing is that of the chapters' openers (machine.py), numbered. Formulas
come from the formula card, line numbers from the library's source: a formula
that the card lacks, or a line that the file lacks, ends the build.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

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

ROOT = Path(__file__).resolve().parents[2]
# The small model of chapter 11 and the batch that it reads.
EXAMPLE = {
    "B": 2, "S": 7, "T": 5, "d": 8, "h": 2, "d_k": 4, "d_ff": 16, "V": 20,
    "N": 3, "1": 1,
}  # fmt: skip
MEANS = (
    "{B} sentences (<i>B</i>) of up to {S} source tokens (<i>S</i>) and {T} "
    "target tokens (<i>T</i>), {N} layers (<i>N</i>), width {d} (<i>d</i>), "
    "inner width {d_ff} (<i>d<sub>ff</sub></i>), {h} heads (<i>h</i>) of "
    "width {d_k} (<i>d<sub>k</sub></i>), {V} tokens in the vocabulary "
    "(<i>V</i>)"
).format(**EXAMPLE)


@dataclass(frozen=True)
class Part:
    """A numbered part of the drawing.

    Attributes:
        key: its name in the drawing.
        name: what it is called.
        shape: letters of `EXAMPLE`, or words.
        file: the module of the library.
        code: the line in it that does it.
        row: the row of the formula card, or words that start with a capital.
        piece: which of the row's formulas; None for all.
    """

    key: str
    name: str
    shape: str
    file: str
    code: str
    row: str
    piece: int | None = None

    @property
    def chapter(self) -> int:
        """The chapter that it leads to."""
        return {"encoder": 11, "again": 14}.get(self.key) or CHAPTER[self.key]

    def line(self) -> int:
        """Return in which line of its file the code stands."""
        path = ROOT / "transformer_lib" / f"{self.file}.py"
        lines = path.read_text(encoding="utf-8").splitlines()
        return [line.strip() for line in lines].index(self.code) + 1


# In rows, as on paper: the encoder, the decoder, inside an attention.
ROWS = {
    "The encoder": (
        Part("text", "source text", "B S", "batching",
             "source=pad([source for source, _ in pairs]),",
             "Words become numbers, and short sentences are filled up."),
        Part("embedding", "embedding", "B S d", "embedding",
             "return rows * math.sqrt(self.weight.shape[1])",
             "embedding, output", 0),
        Part("positions", "positions", "S d", "positional",
             "return self.dropout(x + self.pe[start : start + x.shape[1]])",
             "positions"),
        Part("self", "self-attention", "B S d", "layers",
             "return self.self_attention("
             "x, self.self_attention.keys_values(x), mask)",
             "scaled dot-product attention"),
        Part("residual", "residual connection", "B S d", "layers",
             "x = self.norm1(x + self.dropout(h))", "residual, post-norm"),
        Part("norm", "layer norm", "B S d", "normalization",
             "return weight * (x - mean) / torch.sqrt(var + eps) + bias",
             "layer norm"),
        Part("forward", "feed-forward network", "B S d", "feed_forward",
             "return self.linear2(self.linear1(x).relu())",
             "feed-forward network"),
    ),
    "The decoder": (
        Part("written", "target, written so far", "B T", "batching",
             "target_in=pad([[BOS, *target] for _, target in pairs]),",
             "teacher forcing"),
        Part("masked", "masked attention", "B T d", "masks",
             "return ones.tril(n_keys - n_queries)",
             "Number 4 once more, but no token looks at a later one."),
        Part("cross", "cross-attention", "B T d", "layers",
             "h = self.cross_attention(x, memory, memory_mask)",
             "attention, as an average"),
        Part("next", "next word", "B T V", "embedding",
             "return F.linear(x, self.weight)", "embedding, output", 1),
        Part("again", "and again", "B 1 V", "decoding",
             "logits, state = model.decode(token, state)",
             "probability of a sentence"),
        Part("loss", "loss", "one number", "training",
             "total, _ = token_loss("
             "logits.float(), batch.target_out, epsilon)",
             "loss, perplexity"),
        Part("training", "training", "as each weight", "training",
             "state.optimizer.step()", "Adam"),
    ),
    "Inside every attention": (
        Part("heads", "heads", "B S d", "multi_head",
             "return self.out_proj(context.transpose(1, 2).flatten(2))",
             "multi-head attention"),
        Part("qkv", "query, key, value", "B h S d_k", "multi_head",
             "query = self.split_heads(self.q_proj(x))",
             "queries, keys, values"),
        Part("scores", "score", "B h S S", "attention",
             "scores = query @ key.mT / math.sqrt(query.shape[-1])",
             "dot product"),
        Part("root", "square root", "B h S S", "attention",
             "scores = query @ key.mT / math.sqrt(query.shape[-1])",
             "spread of a score"),
        Part("mask", "mask", "B h S S", "attention",
             "weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)",
             "masks"),
        Part("weights", "weights", "B h S S", "attention",
             "return scores.softmax(dim=-1)", "softmax, stable"),
        Part("encoder", "layers", "4000 parameters in matrices", "model",
             "EncoderLayer(config) for _ in range(config.n_layers)",
             "matrices of a model"),
    ),
}  # fmt: skip
PARTS = [part for parts in ROWS.values() for part in parts]


def shape(text: str) -> tuple[str, str]:
    """Return a shape in letters and in numbers; words stay as they are."""
    letters = text.split()
    if not set(letters) <= EXAMPLE.keys():
        return text, ""
    numbers = ", ".join(str(EXAMPLE[letter]) for letter in letters)
    named = re.sub(r"(\w)_(\w+)", r"\1<sub>\2</sub>", ", ".join(letters))
    return f"<i>({named})</i>", f"({numbers})"


def card() -> dict[str, str]:
    """Return {name: formula} of the formula card."""
    page = (ROOT / "book" / "formulas.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \**(.+?)\** \| (.+?) \|", page, re.M)
    return dict(reversed(rows))  # the first table, in English, wins


def formula(part: Part, formulas: dict[str, str]) -> str:
    """Return a part's formula, in pieces between which a line may end."""
    if part.row[0].isupper() and part.row.endswith("."):
        return part.row
    found = []
    for i, text in enumerate(formulas[part.row].split("$")):
        if i % 2 == 0:
            found.append(escape(text))
            continue
        pieces = re.split(r"(?<=,)\s*(?:\\quad|\\;)(?:\s*\\;)*\s*", text)
        if part.piece is not None:
            pieces = [pieces[part.piece].rstrip(",")]
        pieces = [
            piece.replace(" = ", "\n{} = ") if len(piece) > 40 else piece
            for piece in pieces
        ]
        found.append(
            " ".join(
                rf'<span class="math notranslate nohighlight">\({escape(p)}\)'
                "</span>"
                for p in "\n".join(pieces).split("\n")
            )
        )
    return "".join(found)


def numbers() -> str:
    """Return the numbers of the parts, and shapes, for the drawing."""
    known = {part.key: (i, part) for i, part in enumerate(PARTS, start=1)}
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


def html(chapters: Chapters) -> str:
    """Return the poster."""
    drawing = svg((), chapters).replace("</svg>", numbers() + "</svg>")
    drawing = drawing.replace("-2 -10 884 286", "-2 -12 884 298")
    formulas, lists, count = card(), [], 0
    for row, parts in ROWS.items():
        cards = []
        for part in parts:
            count += 1
            letters, sizes = shape(part.shape)
            sizes = f" = {sizes}" if sizes else ""
            address, title = chapters[part.chapter]
            cards.append(
                f'<li value="{count}" data-part="{part.key}">'
                f'<p class="p-name"><b>{count}</b> {part.name}</p>'
                f'<div class="p-formula">{formula(part, formulas)}</div>'
                f'<p class="p-size">{letters}{sizes}</p>'
                f"<code>{escape(part.code)}</code>"
                f'<p class="p-from">{part.file}.py, line {part.line()}</p>'
                f'<p class="p-to"><a href="{escape(address)}">'
                f"{escape(title)}</a></p></li>"
            )
        lists.append(
            f'<section><p class="p-row">{row}</p><ol>{"".join(cards)}</ol>'
            "</section>"
        )
    return (
        '<div class="poster"><figure><div class="p-drawing" tabindex="0" '
        f'role="region" aria-label="The drawing">{drawing}</div><figcaption>'
        "The Transformer as it was published: each norm comes after a sum. "
        f"Shapes are those of the small model of chapter 11: {MEANS}."
        f"</figcaption></figure>{''.join(lists)}</div>"
    )


class poster(nodes.General, nodes.Element):
    """The place of the poster."""


class Poster(SphinxDirective):
    """The directive."""

    def run(self) -> list[nodes.Node]:
        """Return the place."""
        self.env.note_dependency("book/formulas.md")
        for part in PARTS:
            self.env.note_dependency(f"transformer_lib/{part.file}.py")
        return [poster()]


def visit(translator, node: poster) -> None:
    """Write the poster."""
    builder = translator.builder
    chapters = links(builder, builder.current_docname)
    translator.body.append(html(chapters))
    raise nodes.SkipNode


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_directive("poster", Poster)
    app.add_node(
        poster, html=(visit, None), latex=(skip, None), text=(skip, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
