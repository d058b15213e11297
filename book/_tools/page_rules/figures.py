"""Figures: drawings with words, numbered captions, one to move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from .pages import NOTEBOOKS, Cell, Page
from .rules import rule

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = ("image/svg+xml", "image/png", "image/jpeg", "image/gif")
CAPTION = re.compile(
    r"\*Figure (\d+)\.(\d+)( \(interactive\))?\. .{10,}\*(\n\n|$)"
)
TEN_PARTS = "workbook.picture("  # after each part, and no figure of its own
LIVE = "[The live translator](../book/index.md)"  # has a still picture


@rule(*NOTEBOOKS)
def drawings_have_words(page: Page) -> Iterator[str]:
    """A picture is a drawing with alternative text of four words or more."""
    for cell, kind, text in page.outputs(*PICTURES):
        if kind != "image/svg+xml":
            yield f"{cell}: it stores {kind}; show it by plots.picture"
            continue
        title = ElementTree.fromstring(text).find(f"{SVG}title")
        words = "" if title is None else (title.text or "").strip()
        if len(words.split()) < 4:
            yield f"{cell}: a drawing needs alternative text, not {words!r}"


@rule(*NOTEBOOKS)
def html_has_words(page: Page) -> Iterator[str]:
    """A drawing inside HTML has words, too."""
    from book_pages import wordless_pictures

    for cell, _, text in page.outputs("text/html"):
        for start in wordless_pictures(text):
            yield f"{cell}: a picture without words, {start}"


@rule(*NOTEBOOKS, "markdown")
def pictures_in_the_text(page: Page) -> Iterator[str]:
    """A picture in the text has words, and its file is there."""
    for place, text in page.passages:
        for words, target in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)", text):
            if not words.strip():
                yield f"{place}: the picture {target} has no words"
            if not (page.path.parent / target).exists():
                yield f"{place}: there is no picture {target}"


# -------------------------------------------------------------------- captions


def is_drawn(output: dict[str, Any]) -> bool:
    return "image/svg+xml" in output.get("data", {})


def is_moving(output: dict[str, Any]) -> bool:
    html = output.get("data", {}).get("text/html", "")
    return 'class="explorer' in "".join(html)


def shown_with(page: Page) -> Iterator[tuple[Cell, bool, Cell | None]]:
    """Yield each cell that shows a figure, whether it moves, the next cell."""
    for cell, below in zip(page.cells, [*page.cells[1:], None], strict=True):
        if cell.text.startswith(TEN_PARTS):
            continue
        moving = any(map(is_moving, cell.outputs))
        if moving or any(map(is_drawn, cell.outputs)):
            yield cell, moving, below


@rule("lesson", "laboratory")
def a_caption_below_each_figure(page: Page) -> Iterator[str]:
    """Below a figure stands *Figure 5.1. What is seen.*, in italics."""
    for cell, moving, below in shown_with(page):
        caption = below and CAPTION.match(below.text)
        if not caption:
            yield f"{cell}: no caption below the figure"
        elif bool(caption[3]) != moving:
            yield f"{below}: (interactive) is for figures that move, and only"


@rule("lesson")
def figures_are_numbered(page: Page) -> Iterator[str]:
    """The lesson's figures come first, then those of the laboratory."""
    numbers = [
        f"{caption[1]}.{caption[2]}"
        for one in (page, page.of_chapter("laboratory"))
        if one
        for _, _, below in shown_with(one)
        if below and (caption := CAPTION.match(below.text))
    ]
    wanted = [f"{page.number}.{n + 1}" for n in range(len(numbers))]
    if numbers != wanted:
        yield (
            f"the figures of lesson and laboratory are {', '.join(numbers)}: "
            f"number them {', '.join(wanted)}"
        )
    if not numbers:
        yield "a chapter has figures, and this one has none"


@rule("lesson", "laboratory")
def a_figure_above_each_caption(page: Page) -> Iterator[str]:
    """A caption opens the cell below a figure that is shown."""
    above = None
    for cell in page.cells:
        captions = re.findall(r"(?m)^\*Figure \d+\.\d+.*", cell.text)
        if cell.kind == "markdown" and captions:
            yield from _faults_of_caption(cell, captions, above)
        above = cell


def _faults_of_caption(
    cell: Cell, captions: list[str], above: Cell | None
) -> Iterator[str]:
    if not cell.text.startswith("*Figure") or len(captions) > 1:
        yield f"{cell}: a caption opens its cell, and is alone in it"
    outputs = above.outputs if above else []
    if not any(is_drawn(one) or is_moving(one) for one in outputs):
        yield f"{cell}: no figure above {captions[0][:20]}"
    elif not above.text.rstrip().endswith(")"):
        yield f"{above}: the figure is not its last expression"


@rule("lesson")
def a_figure_to_move(page: Page) -> Iterator[str]:
    """A lesson has a figure to move, which shows without scripts, too."""
    moving = [
        (cell, text)
        for cell, _, text in page.outputs("text/html")
        if 'class="explorer' in text
    ]
    if not moving and LIVE not in page.prose.split("\n"):
        yield "a lesson has a figure to move, and this one has none"
    for cell, text in moving:  # where scripts are not trusted, on GitHub, say
        still = re.sub(r"(?s)<(script|template|noscript)\b.*?</\1>", "", text)
        if "<svg" not in still and "<table" not in still:
            yield f"{cell}: without scripts the figure shows nothing"
