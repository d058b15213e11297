"""Cells, bars and words of the pictures of "One sentence's whole way".

book/_static/way/cells.js draws the same cells; way.css has the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from live_texts import LABELS
from torch import Tensor

from transformer_lib.special_tokens import JOINER

__all__ = ["bars", "korean", "looks", "number", "percent", "strip"]

LEVELS = 10  # of a cell's color, each way from zero

Row = tuple[str, Tensor]
Bar = tuple[str, float, str]  # label, share, what is said of it


def looks(labels: Sequence[str], shares: Iterable, alt: str) -> str:
    """Draw shares with their percentages."""
    found = zip(labels, map(float, shares), strict=True)
    return bars([(one, share, percent(share)) for one, share in found], alt)


def bars(rows: list[Bar], alt: str) -> str:
    """Draw a bar for each share, with words."""
    items = "".join(
        f'<li><span class="way-label">{escape(label)}</span>'
        f'<i class="way-bar" style="--p: {share:.3f}"></i>'
        f'<span class="way-number">{escape(said)}</span></li>'
        for label, share, said in rows
    )
    return figure(f'<ol class="way-bars">{items}</ol>', alt)


def strip(rows: list[Row], alt: str) -> str:
    """Draw rows of numbers as cells, all in one scale."""
    limit = max(float(values.abs().max()) for _, values in rows)
    drawn = "".join(
        f'<span class="way-label">{escape(label)}</span>{cells(values, limit)}'
        for label, values in rows
    )
    return figure(f'<div class="way-rows">{drawn}</div>', alt)


def cells(values: Tensor, limit: float) -> str:
    """Draw one row: the farther from zero, the stronger the color."""
    levels = (LEVELS * values / limit).round().int().tolist()
    places = sorted(range(len(levels)), key=levels.__getitem__)
    paths = "".join(
        f'<path class="way-{"less" if level < 0 else "more"}" '
        f'stroke-opacity="{abs(level) / LEVELS:g}" '
        f'd="{"".join(f"M{i} 0v1" for i in group)}"/>'
        for level, group in groupby(places, key=levels.__getitem__)
        if level
    )
    return (
        f'<svg class="way-cells" viewBox="-.5 0 {len(levels)} 1" '
        f'preserveAspectRatio="none">{paths}</svg>'
    )


def figure(content: str, alt: str) -> str:
    """Return a picture with words for those who do not see it."""
    return (
        f'<figure class="way-strip" role="img" aria-label="{escape(alt)}">'
        f"{content}<figcaption>{escape(alt)}</figcaption></figure>"
    )


def number(x: Tensor) -> str:
    """Write a number with a real minus sign."""
    return f"{float(x):.2f}".replace("-", "−")


def percent(share: float | Tensor) -> str:
    """Write a share as the page does."""
    if share < 0.0005:
        return "0 %"
    return f"{100 * float(share):.{0 if share >= 0.0995 else 1}f} %"


def korean(piece: tuple[str, str, str]) -> str:
    """Write a piece with its sound and its meaning."""
    token, latin, gloss = piece
    meaning = [LABELS.get(one, one) for one in gloss.split(".")]
    told = [one for one in (latin, ", ".join(meaning)) if one]
    return token.removeprefix(JOINER) + f" ({', '.join(told)})" * bool(told)
