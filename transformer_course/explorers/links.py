"""From attention to links: a threshold, a row, and the error rate."""

from __future__ import annotations

from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    text_width,
)

ENGLISH = ("he", "hit", "me", "with", "a", "pie", ".")
FRENCH = ("il", "m'", "a", "entarté", ".")
# Row t predicts token t; the last row predicts the end. Written by hand.
MAP = (
    (0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2),
    (0.0, 0.2, 0.7, 0.0, 0.0, 0.0, 0.1),
    (0.1, 0.3, 0.0, 0.0, 0.0, 0.0, 0.6),
    (0.0, 0.4, 0.0, 0.1, 0.1, 0.3, 0.1),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.9),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.7),
)
SURE = frozenset({(0, 0), (2, 1), (1, 3), (6, 4)})  # (English, French)
POSSIBLE = SURE | {(1, 2), (3, 3), (4, 3), (5, 3)}
THRESHOLDS = (0.1, 0.2, 0.3, 0.5, 0.7)
ROWS = ("the row that predicts the word", "the row after it")
WIDTH, HEIGHT = 360.0, 262.0
_LEFT, _TOP, _WIDE, _HIGH = 74.0, 40.0, 40.0, 38.0


def threshold_links(threshold: Real = 0.3) -> Explorer:
    """Turn a map of attention into links, and count its errors.

    A cell of at least the threshold is a link. Gold links are framed, the
    sure ones with a full line, those that are only possible with a broken
    one. The map is written by hand for "he hit me with a pie".

    Args:
        threshold: the one shown first: 0.1, 0.2, 0.3, 0.5 or 0.7.

    Returns:
        An Explorer with sliders for the threshold and for the row that is
        read, the right one or the one after it.

    Raises:
        ValueError: another threshold.

    Source: Och and Ney 2003. Chapter 17.
    """
    if threshold not in THRESHOLDS:
        raise ValueError(f"threshold={threshold}; choose from {THRESHOLDS}")
    sliders = [
        Slider("threshold", tuple(fixed(t, 1) for t in THRESHOLDS),
               THRESHOLDS.index(threshold)),
        Slider("row read", ROWS),
    ]  # fmt: skip
    return Explorer(
        "From attention to links",
        sliders,
        lambda place, shift: _frame(THRESHOLDS[place], shift),
        [
            Number("threshold", 0.05, 1, 0.05, float(threshold)),
            Choice("row read", ROWS),
        ],
        lambda least, shift: _frame(float(least), int(shift)),
    )


def found(threshold: Real, shift: int) -> set[tuple[int, int]]:
    """The links (English, French) of a map, read with or without a shift."""
    return {
        (s, t)
        for t in range(len(FRENCH))
        for s, weight in enumerate(MAP[t + shift])
        if weight >= threshold - 1e-9
    }


def _frame(threshold: float, shift: int) -> Frame:
    links = found(threshold, shift)
    parts = [
        label(_x(s) + _WIDE / 2, _TOP - 10, word, "x-mid")
        for s, word in enumerate(ENGLISH)
    ]
    for t, word in enumerate(FRENCH):
        parts.append(label(_LEFT - 10, _y(t) + 24, word, "x-end x-strong"))
        for s in range(len(ENGLISH)):
            parts += _cell(s, t, MAP[t + shift][s], (s, t) in links)
    parts += _legend()
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(links, threshold))


def _x(s: int) -> float:
    return _LEFT + _WIDE * s


def _y(t: int) -> float:
    return _TOP + _HIGH * t


def _cell(s: int, t: int, weight: float, link: bool) -> list[str]:
    """One cell: its shade, its number, a frame of gold, a dot for a link."""
    x, y = _x(s), _y(t)
    parts = [box(x + 1, y + 1, _WIDE - 2, _HIGH - 2, "x-track", rx=3)]
    if weight:
        shade = box(x + 1, y + 1, _WIDE - 2, _HIGH - 2, "x-shade", rx=3)
        parts.append(element("g", shade, opacity=f"{0.1 + 0.35 * weight:.2f}"))
        parts.append(label(x + _WIDE / 2, y + 17, fixed(weight, 1), "x-mid"))
    if (s, t) in POSSIBLE:
        parts.append(_gold(x + 3, y + 3, (s, t) in SURE))
    if link:
        parts.append(_dot(x + _WIDE / 2, y + 27, (s, t) in POSSIBLE))
    return parts


def _gold(x: float, y: float, sure: bool) -> str:
    return box(
        x, y, _WIDE - 6, _HIGH - 6, "x-line x-thin x-green", rx=3,
        stroke_dasharray=None if sure else "4 3",
    )  # fmt: skip


def _dot(x: float, y: float, right: bool) -> str:
    """A link: a filled circle where it may be, a cross where not."""
    if right:
        return element("circle", cx=x, cy=y, r=4.5, class_="x-fill x-green")
    d = 4.0
    path = f"M{x - d:g} {y - d:g}l8 8M{x - d:g} {y + d:g}l8 -8"
    return element("path", d=path, class_="x-line x-bold x-orange")


def _legend() -> list[str]:
    y, x, parts = _TOP + _HIGH * 5 + 20, 0.0, []
    for word in ("link, allowed", "link, wrong"):
        parts.append(_dot(x + 6, y - 4, word == "link, allowed"))
        parts.append(label(x + 16, y, word, "x-dim"))
        x += text_width(word) + 24
    for word, dashes in (("sure", None), ("possible", "4 3")):
        parts.append(
            box(x, y - 11, 14, 13, "x-line x-thin x-green", rx=3,
                stroke_dasharray=dashes)
        )  # fmt: skip
        parts.append(label(x + 19, y, word, "x-dim"))
        x += text_width(word) + 28
    return parts


def _words(links: set[tuple[int, int]], threshold: float) -> str:
    """The frame in words: the counts and the rate."""
    sure, possible = len(links & SURE), len(links & POSSIBLE)
    rate = 1 - (sure + possible) / (len(links) + len(SURE))
    return (
        f"Weights from {fixed(threshold, 2)} on are links: {len(links)} found, "
        f"{possible} of them allowed; {sure} of the {len(SURE)} sure ones. "
        f"Error rate {fixed(rate, 2)}."
    )
