"""The test sets of the toy language: a bar each, and sentences of one."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from statistics import median

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import (
    box,
    element,
    is_korean,
    label,
    line,
    short,
    text_width,
)

WIDTH = 360.0
_LEFT, _ROOM, _ROW, _LINE = 92.0, 212.0, 24.0, 17.0
_INDENT, _GAP = 54.0, 9.0  # of a translation, and between two sentences
Example = tuple[str, str, str]


def five_splits(
    scores: Mapping[str, Sequence[float]],
    examples: Mapping[str, Sequence[Example]],
    sound: Callable[[str], str],
    start: int = 0,
) -> Explorer:
    """Walk through test sets: how many sentences are right, and which.

    The bar of a split is the median of the seeds; the line on it goes from
    the lowest to the highest. Below stand sentences of one split, each with
    the translation that was wanted and, if it was another, the one that was
    written; words that differ are orange.

    Args:
        scores: for each split the exact match of every seed, in per cent.
        examples: for each split as many (source, wanted, written), printed.
        sound: writes Korean in Latin letters.
        start: the split shown first, from 0.

    Returns:
        An Explorer with a slider for the split; a click on a bar moves it.

    Raises:
        ValueError: splits without scores or examples, different numbers of
            examples, or a start that is not there.

    Chapter 15.
    """
    names = tuple(scores)
    counts = {len(examples.get(name, ())) for name in names}
    if len(counts) != 1 or 0 in counts or not all(map(len, scores.values())):
        raise ValueError(
            f"splits {', '.join(names)} came with {sorted(counts)} examples; "
            "give each at least one score, and all the same number of examples"
        )
    for name, row in scores.items():
        if min(row) < 0 or max(row) > 100:
            raise ValueError(
                f"{name} has scores from {min(row):g} to {max(row):g}; give "
                "per cents, from 0 to 100"
            )
    top = _ROW * len(names) + 16
    deepest = max(sum(map(_depth, examples[name])) for name in names)

    def draw(split: int) -> Frame:
        name, y = names[split], top
        parts = [_bars(scores, split)]
        for one in examples[name]:
            parts.append(_example(one, y))
            y += _depth(one)
        words = _words(name, scores[name], examples[name], sound)
        return Frame(WIDTH, top + deepest, "".join(parts), words)

    return Explorer("Five test sets", [Slider("split", names, start)], draw)


def _bars(scores: Mapping[str, Sequence[float]], chosen: int) -> str:
    parts = []
    for place, (name, row) in enumerate(scores.items()):
        y = _ROW * place
        look = "x-strong" if place == chosen else "x-dim"
        color = "x-blue" if place == chosen else "x-soft"
        middle = y + 10
        ends = [_LEFT + _ROOM * value / 100 for value in (min(row), max(row))]
        drawn = [
            label(0, y + 15, name, look),
            box(_LEFT, y + 2, _ROOM, 16, "x-track", rx=3),
            box(
                _LEFT,
                y + 2,
                _ROOM * median(row) / 100,
                16,
                f"x-fill {color}",
                rx=3,
            ),  # fmt: skip
            line(ends[0], middle, ends[1], middle, "x-line"),
            *(line(x, middle - 4, x, middle + 4, "x-line") for x in ends),
            label(WIDTH, y + 15, f"{median(row):.1f} %", f"x-end {look}"),
        ]
        parts.append(element("g", "".join(drawn), data_place=place))
    return "".join(parts)


def _wrapped(words: Sequence[str]) -> list[list[int]]:
    """The places of the words, cut into lines that fit."""
    lines: list[list[int]] = [[]]
    room = WIDTH - _INDENT - 8
    for place in range(len(words)):
        held = " ".join(words[i] for i in [*lines[-1], place])
        if lines[-1] and text_width(held) > room:
            lines.append([])
        lines[-1].append(place)
    return lines


def _parts(one: Example) -> list[tuple[str, list[str], set[int]]]:
    """Each text by name, its words, and the places of those that differ."""
    source, wanted, written = (text.split() for text in one)
    match = SequenceMatcher(None, wanted, written, autojunk=False)
    left, right = set(), set()
    for what, i, j, k, m in match.get_opcodes():
        if what != "equal":
            left.update(range(i, j))
            right.update(range(k, m))
    texts = [("", source, set()), ("wanted", wanted, left)]
    if wanted == written:
        return [*texts[:1], ("right", wanted, set())]
    return [*texts, ("written", written, right)]


def _depth(one: Example) -> float:
    return _GAP + sum(_LINE * len(_wrapped(w)) for _, w, _ in _parts(one))


def _example(one: Example, top: float) -> str:
    drawn, y = [], top + 12
    for name, words, marked in _parts(one):
        if name:
            drawn.append(label(0, y, name, "x-dim"))
        x = _INDENT if name else 0.0
        for places in _wrapped(words):
            drawn.append(_line_of(words, places, marked, x, y))
            y += _LINE
    return "".join(drawn)


def _line_of(
    words: Sequence[str],
    places: Sequence[int],
    marked: set[int],
    x: float,
    y: float,
) -> str:
    """One line of words, some of them orange."""
    spans = []
    for i in places:
        word = html.escape(words[i], quote=False)
        if i in marked:
            word = element("tspan", word, class_="x-fill x-orange")
        spans.append(word)
    korean = any(is_korean(words[i]) for i in places)
    language = "ko" if korean else None
    return element(
        "text", " ".join(spans), x=short(x), y=short(y), lang=language
    )


def _words(
    name: str,
    row: Sequence[float],
    shown: Sequence[Example],
    sound: Callable[[str], str],
) -> str:
    """The frame in words."""
    spread = ""
    if len(row) > 1:
        spread = f" ({len(row)} seeds: {min(row):.1f} to {max(row):.1f})"
    said = [f"{name}: {median(row):.1f} % of the sentences are right{spread}."]
    for source, wanted, written in shown:
        if wanted == written:
            said.append(f"{source} Right: {sound(written)}")
        else:
            said.append(
                f"{source} Wanted: {sound(wanted)} Written: {sound(written)}"
            )
    return " ".join(said)
