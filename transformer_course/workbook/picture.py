"""The ten parts of the reader's Transformer as a small picture."""

from __future__ import annotations

import math
from html import escape

from transformer_course.checks import parts
from transformer_course.plots.picture import Picture
from transformer_course.plots.style import FONTS, PALETTE, SHADES
from transformer_course.workbook import on_disk
from transformer_course.workbook.verdicts import progress

__all__ = ["NAMES", "all_ten", "picture"]

NAMES = {  # part: what is written into its box
    1: "attention",
    2: "layer norm",
    3: "heads",
    4: "masks",
    5: "positions",
    6: "words, FFN",
    7: "the model",
    8: "the loss",
    9: "the update",
    10: "writing",
}
ACROSS, WIDE, HIGH, GAP = 5, 112, 44, 10
LIT = (PALETTE["blue"], PALETTE["blue"], PALETTE["paper"])
SHADED = (SHADES[1], PALETTE["blue"], PALETTE["ink"])
EMPTY = ("none", PALETTE["dim"], PALETTE["dim"])  # fill, edge, ink


def picture(chapter: int) -> Picture:
    """Draw the ten parts of your Transformer, and how far it has come.

    Your file's right parts are lit; those that the book's version fills in
    for are shaded; what later chapters bring is empty. Without a file, the
    parts up to the chapter are lit, since the book has come so far. A part of
    several pieces is yours when all of them are.

    Args:
        chapter: the number of the lesson that draws it.

    Returns:
        A picture with alternative text.

    Raises:
        ValueError: your file does not run.
    """
    come = {n for n, at in parts.PARTS.values() if at <= chapter}
    if not on_disk.file().exists():
        return _drawn(come, set(), _book(come))
    own = _own()
    return _drawn(own, come - own, _yours(own, come - own))


def all_ten(across: int = ACROSS) -> Picture:
    """Draw the ten parts, all lit, whatever your file holds.

    Args:
        across: how many stand side by side.

    Returns:
        A picture with alternative text.
    """
    named = ", ".join(f"{n} {name}" for n, name in NAMES.items())
    said = f"All ten parts are lit: {named}."
    return _drawn(set(NAMES), set(), said, across)


def _own() -> set[int]:
    """The parts that are the reader's, and right in each of their pieces."""
    rows = progress().rows
    open_ = {row.number for row in rows if row.status != "right"}
    return {row.number for row in rows} - open_


def _book(come: set[int]) -> str:
    """What is said where there is no file."""
    if not come:
        return "Ten parts, and the book has written none of them yet."
    return (
        f"The book has written {_list(come)} of ten. You have no file yet: "
        "yours begins with part 1, in chapter 4."
    )


def _yours(own: set[int], lent: set[int]) -> str:
    """What is said of a file."""
    said = (
        f"In your file: {_list(own)} of ten."
        if own
        else ("Your file has no finished part yet.")
    )
    return f"{said} The book fills in: {_list(lent)}." if lent else said


def _list(numbers: set[int]) -> str:
    """Such as "parts 1 to 3", "part 1", "parts 1, 2, 5"."""
    ordered = sorted(numbers)
    first, last = ordered[0], ordered[-1]
    if len(ordered) == 1:
        return f"part {first}"
    if len(ordered) > 2 and last - first == len(ordered) - 1:
        return f"parts {first} to {last}"
    return "parts " + ", ".join(map(str, ordered))


def _drawn(
    lit: set[int], shaded: set[int], words: str, across: int = ACROSS
) -> Picture:
    """The boxes, and the line below them."""
    boxes = [
        _box(n, LIT if n in lit else SHADED if n in shaded else EMPTY, across)
        for n in NAMES
    ]
    wide = across * (WIDE + GAP) - GAP
    high = math.ceil(len(NAMES) / across) * (HIGH + GAP) - GAP
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide + 4}" '
        f'height="{high + 4}" viewBox="-2 -2 {wide + 4} {high + 4}" '
        f'style="max-width: 100%; height: auto" role="img" '
        f'font-family="{escape(FONTS)}" font-size="13" text-anchor="middle">'
        f"<title>{escape(words, quote=False)}</title>{''.join(boxes)}</svg>"
    )
    return Picture(svg, words)


def _box(number: int, look: tuple[str, str, str], across: int) -> str:
    """One part."""
    fill, edge, ink = look
    row, column = divmod(number - 1, across)
    x, y = column * (WIDE + GAP), row * (HIGH + GAP)
    dash = ' stroke-dasharray="4 3"' if fill == "none" else ""
    middle = x + WIDE / 2
    return (
        f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="6" '
        f'fill="{fill}" stroke="{edge}"{dash}/>'
        f'<text x="{middle}" y="{y + 18}" fill="{ink}" font-weight="600">'
        f'{number}</text><text x="{middle}" y="{y + 35}" fill="{ink}">'
        f"{escape(NAMES[number])}</text>"
    )
