"""The book's drawing of the Transformer, in which parts can be lit.

The encoder is the upper row, the decoder the lower one, and what happens inside
every attention stands at the right. A part is a link to its chapter. All colors
are CSS (book/_static/machine.css), so the drawing has a day and a night.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from html import escape

from machine_shapes import between, decoder, encoder, inside

WIDTH, HEIGHT = 880, 286

# The chapter in which a part is the subject.
CHAPTER = {
    "text": 18,
    "written": 12,
    "embedding": 10,
    "positions": 9,
    "encoder": 19,
    "decoder": 19,
    "self": 2,
    "masked": 8,
    "cross": 1,
    "residual": 5,
    "norm": 6,
    "forward": 10,
    "next": 14,
    "loss": 12,
    "training": 13,
    "heads": 7,
    "scores": 0,
    "qkv": 3,
    "root": 4,
    "mask": 8,
    "weights": 17,
}
EVERY_BOX = set(CHAPTER) - {"training", "residual", "encoder", "decoder"}
# What is lit in a chapter, where that is not what the chapter is linked from.
LIT = {
    1: {"cross", "memory"},
    11: {"encoder", "decoder"},
    14: {"next", "again"},
    15: {"text", "encoder", "decoder", "next", "again"},
    16: EVERY_BOX,
    17: {"weights", "self", "masked", "cross"},
    18: {"text", "written"},
    20: {"positions", "norm", "forward", "heads"},
    21: {"embedding", "positions", "forward", "next"},
}

# Chapters about all of it, which are linked below the drawing.
WHOLE = (11, 15, 16, 20, 21)

Chapters = Mapping[int, tuple[str, str]]  # number: (address, title)


def lit_in(chapter: int) -> set[str]:
    """Return the parts that a chapter lights."""
    own = {part for part, number in CHAPTER.items() if number == chapter}
    return LIT.get(chapter, own)


def svg(
    lit: Container[str],
    chapters: Chapters | None = None,
    norm_first: bool = False,
) -> str:
    """Return the drawing.

    Args:
        lit: the parts to light.
        chapters: the chapters to link to; None for a small picture without
            links and words.
        norm_first: draw each norm before its block, not after the sum.
    """
    linked: set[int] = set()
    drawn = []
    rows = [*encoder(norm_first), *decoder(norm_first)]
    for part, shape in [*rows, *inside(), *between()]:
        chapter = CHAPTER.get(part)
        number = "" if chapter is None else chapter
        shape = shape.replace("#</text>", f"{number}</text>")
        kind = "m-part m-lit" if part in lit else "m-part"
        if chapters is None or chapter is None:
            drawn.append(f'<g class="{kind}" data-part="{part}">{shape}</g>')
            continue
        address, title = chapters[chapter]
        # One link a chapter is enough for the keyboard and for the ear.
        named = ""
        if chapter in linked or part == "residual" and "m-sign" not in shape:
            named = ' aria-hidden="true" tabindex="-1"'
        else:
            linked.add(chapter)
        drawn.append(
            f'<a class="{kind}" data-part="{part}" href="{escape(address)}"'
            f"{named}>{shape}<title>{link_name(shape, title)}</title></a>"
        )
    words = 'aria-hidden="true"' if chapters is None else 'role="group" '
    if chapters is not None:
        words += 'aria-label="The Transformer"'
    tip = "" if chapters is None else TIP
    return (
        f'<svg class="machine" viewBox="-2 -10 {WIDTH + 4} {HEIGHT}" {words} '
        f'xmlns="http://www.w3.org/2000/svg">{tip}{"".join(drawn)}</svg>'
    )


def link_name(shape: str, title: str) -> str:
    """Name a link: the words that are seen on it, then its chapter.

    Whoever speaks to a computer says what he sees.
    """
    lines = re.findall(
        r'<text(?! class="m-number")[^>]*>(.*?)</text>', shape, re.S
    )
    seen = " ".join(re.sub("<.*?>", "", line) for line in lines)
    seen = seen.replace("- ", "-")  # a word in two lines
    told = escape(title)
    return told if seen.lower() in told.lower() else f"{seen}: {told}"


TIP = (
    '<defs><marker id="m-tip" viewBox="0 0 8 8" refX="7" refY="4" '
    'markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" '
    'orient="auto"><path class="m-tip" d="M0 .5L8 4L0 7.5Z"/></marker>'
    "</defs>"
)
