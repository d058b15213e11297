"""Small helpers that write inline SVG as text, short and always the same."""

import html
import math
import unicodedata
from numbers import Real

MINUS = "\u2212"


def short(value: Real) -> str:
    """Give a coordinate: one decimal, no trailing zero, no minus zero."""
    text = f"{round(float(value), 1) + 0.0:.1f}"
    return text[:-2] if text.endswith(".0") else text


def fixed(value: Real, digits: int) -> str:
    """Give a number to be read: `digits` decimals and a true minus sign."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", MINUS)


def plain(value: Real) -> str:
    """Give a number as short as it is: 2 for 2.0, and 0.5 for 0.5."""
    return f"{round(float(value), 4) + 0.0:g}".replace("-", MINUS)


def element(tag: str, content: str = "", **attributes: object) -> str:
    """Give one element; `class_` stands for class, numbers are rounded.

    `content` is markup and is not escaped; attribute values are escaped.
    """
    parts = [tag]
    for key, value in attributes.items():
        if value is None or value == "":
            continue
        if isinstance(value, float):
            value = short(value)
        name = key.rstrip("_").replace("_", "-")
        parts.append(f'{name}="{html.escape(str(value))}"')
    opening = " ".join(parts)
    return f"<{opening}>{content}</{tag}>" if content else f"<{opening}/>"


def label(x: Real, y: Real, words: str, class_: str = "") -> str:
    """Write `words` with the baseline's start at (x, y).

    Classes `x-mid` and `x-end` change what x means; Hangul is marked as Korean.
    """
    return element(
        "text",
        html.escape(words, quote=False),
        x=short(x),
        y=short(y),
        class_=class_,
        lang="ko" if is_korean(words) else None,
    )


def box(x: Real, y: Real, w: Real, h: Real, class_: str, **more: object) -> str:
    """Draw a rectangle; one of no width or height is left out."""
    if w <= 0 or h <= 0:
        return ""
    return element(
        "rect",
        x=short(x),
        y=short(y),
        width=short(w),
        height=short(h),
        class_=class_,
        **more,
    )


def line(x1: Real, y1: Real, x2: Real, y2: Real, class_: str) -> str:
    """Draw a straight line."""
    return element(
        "path",
        d=f"M{short(x1)} {short(y1)}L{short(x2)} {short(y2)}",
        class_=class_,
    )


def arrow(
    x1: Real, y1: Real, x2: Real, y2: Real, color: str, thin: bool = False
) -> str:
    """Draw an arrow; the head shrinks with a short shaft, none becomes a dot.

    `color` is one of blue, orange, green, soft.
    """
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 1:
        return element(
            "circle",
            cx=short(x1),
            cy=short(y1),
            r=3,
            class_=f"x-fill x-{color}",
        )
    head = min(7.0 if thin else 10.0, 0.6 * length)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - head * ux, y2 - head * uy
    side = 0.42 * head
    corners = [
        (x2, y2),
        (bx - side * uy, by + side * ux),
        (bx + side * uy, by - side * ux),
    ]
    points = " ".join(f"{short(x)},{short(y)}" for x, y in corners)
    weight = "thin" if thin else "bold"
    return line(x1, y1, bx, by, f"x-line x-{weight} x-{color}") + element(
        "polygon", points=points, class_=f"x-fill x-{color}"
    )


def handle(x: Real, y: Real, slider: int, color: str) -> str:
    """Draw a knob by which a page's reader drags the picture.

    It stands where this slider, counted from 0, has brought it, and moves with
    it; book/_static/explorers.js finds the place nearest to the pointer.
    """
    knob = {"cx": short(x), "cy": short(y)}
    return element(
        "g",
        element("circle", **knob, r=16, fill="transparent")
        + element("circle", **knob, r=6, class_=f"x-fill x-{color}"),
        data_drag=slider,
    )


def is_korean(words: str) -> bool:
    """Tell whether a Hangul syllable or letter is in `words`."""
    return any("HANGUL" in unicodedata.name(c, "") for c in words)


def text_width(words: str, size: Real = 13.5) -> float:
    """Estimate the width of a line: a wide letter is one `size`."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in words)
    return size * (wide + 0.56 * (len(words) - wide))
