"""The colors of a drawing, said in a way that has a day and a night.

A color of the book's palette becomes the page's variable of that name. Any
other (a cell of a heat map, say) gets a partner of the same hue whose lightness
is turned around, by CSS `light-dark`; older browsers keep the color itself. As
*all* colors turn, dark letters on a light cell become light on a dark one.
"""

from __future__ import annotations

import math
import re
from functools import cache

NAMED = {
    "#0072b2": "blue",
    "#d55e00": "orange",
    "#009e73": "green",
    "#aa4a8a": "purple",
    "#1f2933": "ink",
    "#56616c": "dim",
    "#a3adb7": "soft",
    "#d5dae0": "grid",
    "#ffffff": "paper",
    "#000000": "ink",
}
_COLOR = "#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}"
_ATTRIBUTE = re.compile(rf' (fill|stroke)="({_COLOR})"')
# Lightness (OKLab) of the night's paper and of its ink.
NIGHT_PAPER, NIGHT_INK = 0.24, 0.95
DAY_INK = 0.27

_TO_CONE = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_FROM_LAB = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_FROM_CONE = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def _times(matrix, vector):
    return [
        sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix
    ]


def oklab(color: str) -> list[float]:
    """Return lightness, a and b of "#rrggbb" (Ottosson 2020, OKLab)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in parts
    ]
    return _times(_TO_LAB, [math.cbrt(c) for c in _times(_TO_CONE, linear)])


def from_oklab(lab: list[float]) -> str:
    """Return "#rrggbb"; what the screen cannot show is cut off."""
    linear = _times(_FROM_CONE, [c**3 for c in _times(_FROM_LAB, lab)])
    parts = [
        12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055
        for c in (min(max(c, 0.0), 1.0) for c in linear)
    ]
    return "#" + "".join(f"{round(255 * c):02x}" for c in parts)


@cache
def at_night(color: str) -> str:
    """Return the partner of a color on dark paper."""
    light, a, b = oklab(color)
    share = (1 - light) / (1 - DAY_INK)  # 0 for paper, 1 for ink
    return from_oklab(
        [NIGHT_PAPER + min(share, 1) * (NIGHT_INK - NIGHT_PAPER), a, b]
    )


def both(name: str, color: str) -> str:
    """Return the CSS for `name: color` by day and by night."""
    color = color.lower()
    if len(color) == 4:
        color = "#" + "".join(2 * digit for digit in color[1:])
    if color in NAMED:
        return f"{name}:var(--fig-{NAMED[color]},{color})"
    return f"{name}:{color};{name}:light-dark({color},{at_night(color)})"


def _in_style(tag: re.Match) -> str:
    """Return a tag whose colors are attributes with a style instead."""
    colors = _ATTRIBUTE.findall(tag[0])
    if not colors or " style=" in tag[0]:
        return tag[0]
    style = ";".join(f"{name}:{color}" for name, color in colors)
    bare = _ATTRIBUTE.sub("", tag[0])
    return re.sub(r"\s*(/?)>$", rf' style="{style}"\1>', bare)


def recolor(svg: str) -> str:
    """Say each fill and stroke of an SVG for both."""
    return re.sub(
        rf"\b(fill|stroke): ?({_COLOR})\b",
        lambda match: both(match[1], match[2]),
        re.sub(r"<\w[^>]*>", _in_style, svg),
    )
