"""The test sets of the toy language: a bar each, and sentences from each."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from statistics import median

from transformer_lib.course.explorers.frame import Explorer, Frame, Slider
from transformer_lib.course.explorers.svg import (
    box,
    element,
    is_korean,
    label,
    line,
    short,
    text_width,
)

WIDTH = 360.0
_LEFT, _ROOM, _ROW, _LINE = 92.0, 212.0, 24.0, 18.0
Example = tuple[str, str, str]


def five_splits(
    scores: Mapping[str, Sequence[float]],
    examples: Mapping[str, Sequence[Example]],
    sound: Callable[[str], str],
    start: int = 0,
) -> Explorer:
    """Walk through test sets: how many sentences are right, and which.

    The bar of a split is the median of the seeds; the line on it goes from
    the lowest to the highest. Below it stands one sentence, the translation
    that was wanted and the one that was written; words that differ are
    orange.

    Args:
        scores: for each split the exact match of every seed, in per cent.
        examples: for each split as many (source, wanted, written), printed.
        sound: writes Korean in Latin letters.
        start: the split shown first, from 0.

    Returns:
        An Explorer with sliders for the split and the sentence.

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
    numbers = tuple(str(i + 1) for i in range(counts.pop()))
    deepest = max(_depth(one) for row in examples.values() for one in row)
    height = _ROW * len(names) + 20 + deepest + 4

    def draw(split: int, place: int) -> Frame:
        one = examples[names[split]][place]
        parts = [_bars(scores, split), _example(one, _ROW * len(names) + 20)]
        return Frame(
            WIDTH,
            height,
            "".join(parts),
            _words(names[split], scores[names[split]], one, place, sound),
        )

    return Explorer(
        "Five test sets",
        [Slider("split", names, start), Slider("sentence", numbers)],
        draw,
    )


def _bars(scores: Mapping[str, Sequence[float]], chosen: int) -> str:
    parts = []
    for place, (name, row) in enumerate(scores.items()):
        y = _ROW * place
        look = "x-strong" if place == chosen else "x-dim"
        color = "x-blue" if place == chosen else "x-soft"
        middle = y + 10
        ends = [_LEFT + _ROOM * value / 100 for value in (min(row), max(row))]
        parts += [
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
    return "".join(parts)


def _wrapped(words: Sequence[str]) -> list[list[int]]:
    """The places of the words, cut into lines that fit."""
    lines: list[list[int]] = [[]]
    room = WIDTH - 8
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
    return [
        ("English", source, set()),
        ("wanted", wanted, left),
        ("written", written, right),
    ]


def _depth(one: Example) -> float:
    return sum(_LINE * (len(_wrapped(w)) + 1) + 4 for _, w, _ in _parts(one))


def _example(one: Example, top: float) -> str:
    drawn, y = [], top
    for name, words, marked in _parts(one):
        drawn.append(label(0, y + 12, name, "x-dim"))
        for places in _wrapped(words):
            y += _LINE
            drawn.append(_line_of(words, places, marked, y + 12))
        y += _LINE + 4
    return "".join(drawn)


def _line_of(
    words: Sequence[str], places: Sequence[int], marked: set[int], y: float
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
    return element("text", " ".join(spans), x="0", y=short(y), lang=language)


def _words(
    name: str,
    row: Sequence[float],
    one: Example,
    place: int,
    sound: Callable[[str], str],
) -> str:
    """The frame in words."""
    source, wanted, written = one
    spread = ""
    if len(row) > 1:
        spread = f" ({len(row)} seeds: {min(row):.1f} to {max(row):.1f})"
    said = (
        f"{name}: {median(row):.1f} % of the sentences are right{spread}. "
        f"Sentence {place + 1}, {source} "
    )
    if wanted == written:
        return said + f"Right: {sound(written)}"
    return said + f"Wanted: {sound(wanted)} Written: {sound(written)}"
