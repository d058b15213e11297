"""A picture and its caption as one figure, drawn in the page's own colors.

Markdown: a code cell whose last output is a picture or an interactive figure,
and below it a paragraph `*Figure 2.1. What is to be seen.*`. The page gets a
<figure> with that caption and the anchor `figure-2-1`. A drawing (SVG) moves
into the page itself, where its colors are the page's variables: black on white
by day, light on dark by night.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from docutils import nodes
from recolor import recolor
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import solid

CAPTION = re.compile(r"Figure (\d+)\.(\d+)( \(interactive\))?\.\s*")
LETTERS = re.compile(r' (?:font-family|font-size|text-anchor)="[^"]*"')
ENLARGED = 1.2  # pictures are drawn for 10 point letters; the page has 17 px
SIZES = re.compile(r"font(?:-size)?: ?([\d.]+)px")
READABLE = 9  # pixels of the smallest letters
PHONE = 390  # pixels; what needs more of them can be moved sideways there


class figure_with_caption(nodes.General, nodes.Element):
    """A <figure>; its last child is the caption."""


class drawing(nodes.General, nodes.Element):
    """An SVG; no raw HTML, so that its letters stay out of the search."""


class caption_below(nodes.General, nodes.TextElement):
    """A <figcaption>; `number` is "2.1"."""


def anchor(number: str) -> str:
    """Return the anchor of a figure: `figure-2-1` for "2.1"."""
    return "figure-" + number.replace(".", "-")


def caption_of(node: nodes.Node | None) -> re.Match | None:
    """Return the match of `Figure N.M.` if a paragraph is a caption."""
    if not isinstance(node, nodes.paragraph) or len(solid(node)) != 1:
        return None
    (only,) = solid(node)
    if not isinstance(only, nodes.emphasis):
        return None
    return CAPTION.match(only.astext())


def inline_svg(svg: str, name: str) -> str:
    """Return an SVG of a notebook ready to stand in the page.

    Its <title>, which browsers show as a tooltip, becomes a label; its style
    sheet, which would reach the whole page, goes; its ids get the figure's
    name, because two drawings may use the same. How its letters look stays.
    """
    title = re.search(r"<title>(.*?)</title>", svg, re.S)
    words = title[1] if title else ""
    svg = re.sub(
        r"<\?xml.*?\?>|<!DOCTYPE.*?>|<title>.*?</title>",
        "",
        svg,
        flags=re.S,
    )
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r"<defs>\s*</defs>", "", svg)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    svg = re.sub(r"\s*\n\s*", " ", svg)
    opening = re.match(r"\s*<svg[^>]*>", svg)[0]
    wide, high = (
        float(re.search(rf'\b{side}="([\d.]+)', opening)[1])
        for side in ("width", "height")
    )
    letters = "".join(LETTERS.findall(opening))
    smallest = min(map(float, SIZES.findall(svg)), default=READABLE)
    least = READABLE / smallest * wide
    room = f";min-width:min({least:.0f}px,var(--drawing-room,0px))"
    shape = re.search(r'viewBox="[^"]*"', opening)
    box = shape[0] if shape else f'viewBox="0 0 {wide:g} {high:g}"'
    label = escape(" ".join(words.split()), quote=True).replace("&amp;", "&")
    head = (
        f'<svg class="drawing" role="img" aria-label="{label}" {box}{letters} '
        f'style="width:{wide * ENLARGED:.0f}px{room * (least > PHONE)}" '
        'xmlns="http://www.w3.org/2000/svg" '
        'xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    return head + recolor(svg[len(opening) :])


class Figures(SphinxPostTransform):
    """Join pictures and captions, after myst-nb has chosen and folded."""

    default_priority = 210
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Go through the page (called by Sphinx)."""
        for image in list(self.document.findall(nodes.image)):
            self.draw(image)
        for paragraph in list(self.document.findall(nodes.paragraph)):
            match = caption_of(paragraph)
            above = paragraph.parent.index(paragraph) - 1 if match else -1
            if above >= 0:
                self.join(paragraph.parent.children[above], paragraph, match)

    def draw(self, image: nodes.image) -> None:
        """Replace the image of a code cell by the drawing itself."""
        path = Path(self.app.srcdir) / image["uri"]
        inside = image.parent
        while inside is not None and "nb_element" not in inside.attributes:
            inside = inside.parent
        if path.suffix != ".svg" or inside is None or not path.exists():
            return
        svg = inline_svg(path.read_text(encoding="utf-8"), path.stem[:8])
        box = f'<div class="drawing-box">{svg}</div>'  # moves on a phone
        image.parent.replace(image, drawing(svg=box))

    def join(self, cell, paragraph, match) -> None:
        """Put the picture above and its caption into one figure."""
        if not isinstance(cell, nodes.container):
            return
        outputs = [
            node
            for node in cell.findall(nodes.container)
            if node.get("nb_element") == "cell_code_output"
        ]
        if not outputs or not outputs[-1].children:
            return
        number = f"{match[1]}.{match[2]}"
        (words,) = solid(paragraph)
        first = solid(words)[0]
        if isinstance(first, nodes.Text):
            rest = nodes.Text(CAPTION.sub("", first.astext(), count=1))
            words.replace(first, rest)
        caption = caption_below(number=number, moving=bool(match[3]))
        caption.extend(words.children)
        whole = figure_with_caption(ids=[anchor(number)])
        picture = outputs[-1].children[-1]
        outputs[-1].replace(picture, whole)
        whole.append(picture)
        whole.append(caption)
        paragraph.parent.remove(paragraph)


def visit_drawing(translator, node) -> None:
    """Write the SVG."""
    translator.body.append(node["svg"])


def depart_drawing(translator, node) -> None:
    """Nothing is left to close."""


def visit_figure(translator, node) -> None:
    """Open the <figure>."""
    translator.body.append(
        f'<figure class="book-figure" id="{node["ids"][0]}">\n'
    )


def depart_figure(translator, node) -> None:
    translator.body.append("</figure>\n")


def visit_caption(translator, node) -> None:
    """Open the <figcaption>, with its number."""
    kind = (
        '<span class="figure-kind">interactive</span>' if node["moving"] else ""
    )
    translator.body.append(
        '<figcaption><span class="figure-number">'
        f"Figure {node['number']}</span>{kind} "
    )


def depart_caption(translator, node) -> None:
    translator.body.append("</figcaption>\n")


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(figure_with_caption, html=(visit_figure, depart_figure))
    app.add_node(drawing, html=(visit_drawing, depart_drawing))
    app.add_node(caption_below, html=(visit_caption, depart_caption))
    app.add_post_transform(Figures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
