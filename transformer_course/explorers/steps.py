"""A decoder's walk through its sentence: where it looks for each word."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    line,
    text_width,
)
from transformer_course.plots.style import as_array

WIDTH = 360.0
_ROW, _BAR, _LENGTH = 24.0, 118.0, 200.0
_LEAST = 0.005  # below it a weight is printed as nothing


def attention_steps(
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    weights: Any,
    romanization: Sequence[str] | None = None,
    glosses: Sequence[str] | None = None,
    start: int = 0,
) -> Explorer:
    """Step through a translation and see which source words each word uses.

    Args:
        source_tokens: S words.
        target_tokens: T words, in the order in which they are written.
        weights: (T, S), or (H, T, S) for one slider position a head. Row t
            is the query that predicts target word t: the decoder position
            before it, not the one that reads it. Each row sums to one.
        romanization: T strings in Latin letters, shown under each word.
        glosses: T meanings, shown when the word is written.
        start: the target word shown first, from 0.

    Returns:
        An Explorer with a slider for the word and, for heads, one more.

    Raises:
        ValueError: shapes disagree, or a row does not sum to 1.

    Chapters 1, 15 and 17.
    """
    source = [str(token) for token in source_tokens]
    target = [str(token) for token in target_tokens]
    maps = _maps(weights, len(source), len(target))
    below = _one_each(romanization, target, "romanization")
    meanings = _one_each(glosses, target, "glosses")
    names = tuple(
        f"{t + 1} of {len(target)}, {word}" for t, word in enumerate(target)
    )
    lines = _flow(target, below)
    sliders = [Slider("word to write", names, start)]
    if np.ndim(weights) == 3:
        heads = tuple(f"{h + 1} of {len(maps)}" for h in range(len(maps)))
        sliders.append(Slider("head", heads))

    def draw(step: int, head: int = 0) -> Frame:
        word = (target[step], below[step], meanings[step])
        row = maps[head][step]
        top, so_far = _written(target, below, lines, step)
        height = top + 52 + _ROW * len(source)
        drawing = so_far + _looks(source, row, word[0], top)
        return Frame(WIDTH, height, drawing, _words(source, row, word))

    return Explorer("Where the decoder looks", sliders, draw)


def _maps(weights: Any, n_source: int, n_target: int) -> np.ndarray:
    """The weights as (H, T, S), checked."""
    ndim = getattr(weights, "ndim", None) or np.ndim(weights)
    maps = as_array(weights, "weights", 3 if ndim == 3 else 2)
    if maps.shape[-2:] != (n_target, n_source):
        hint = ""
        if maps.shape[-2:] == (n_source, n_target):
            hint = " The last two axes may be swapped."
        raise ValueError(
            f"weights has shape {maps.shape}; {n_target} target and "
            f"{n_source} source words want (T, S) = ({n_target}, {n_source})"
            f" or (H, T, S).{hint}"
        )
    if maps.min() < -1e-6 or np.abs(maps.sum(axis=-1) - 1).max() > 0.01:
        raise ValueError(
            "the rows of weights do not sum to 1; pass weights after softmax,"
            " with a column for every source word"
        )
    return maps.reshape(-1, n_target, n_source)


def _one_each(
    words: Sequence[str] | None, target: list[str], what: str
) -> list[str]:
    if words is None:
        return [""] * len(target)
    if len(words) != len(target):
        raise ValueError(
            f"{what} has {len(words)} entries for {len(target)} target "
            "words; give one each"
        )
    return [str(word) for word in words]


def _flow(target: list[str], below: list[str]) -> list[tuple[float, int]]:
    """Lay the target words out in lines: (x, line) of each."""
    places, x, row = [], 0.0, 0
    for word, under in zip(target, below, strict=True):
        wide = _chip(word, under)
        if x and x + wide > WIDTH:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += wide + 2
    return places


def _chip(word: str, under: str) -> float:
    return max(text_width(word), text_width(under), 10.0) + 12


def _written(
    target: list[str],
    below: list[str],
    lines: list[tuple[float, int]],
    step: int,
) -> tuple[float, str]:
    """The sentence so far, its newest word framed, and where it ends."""
    high = 40.0 if any(below) else 24.0
    parts = [label(0, 12, "written so far", "x-dim")]
    for t in range(step + 1):
        x, row = lines[t]
        y = 20 + row * (high + 4)
        wide = _chip(target[t], below[t])
        middle = x + wide / 2
        new = t == step
        if new:
            parts.append(box(x + 1, y, wide - 2, high, "x-halo", rx=6))
        strong = "x-mid x-strong" if new else "x-mid"
        parts.append(label(middle, y + 17, target[t], strong))
        if below[t]:
            parts.append(label(middle, y + 33, below[t], "x-mid x-dim"))
    return 20 + (lines[-1][1] + 1) * (high + 4), "".join(parts)


def _looks(source: list[str], row: np.ndarray, word: str, top: Real) -> str:
    """One row a source word: its box shaded, a bar, the weight."""
    head = top + 20
    parts = [label(0, head, f"looks at, to write {word}", "x-dim")]
    bottom = head + 28 + _ROW * len(source)
    for share, tick in ((0.0, "0"), (0.5, "½"), (1.0, "1")):
        x = _BAR + _LENGTH * share
        parts.append(label(x, head + 20, tick, "x-mid x-dim"))
        parts.append(line(x, head + 26, x, bottom, "x-line x-grid"))
    best = int(np.argmax(row))
    for s, (token, weight) in enumerate(zip(source, row, strict=True)):
        y = head + 28 + _ROW * s
        strong = "x-end x-strong" if s == best else "x-end"
        if weight >= _LEAST:
            wide = text_width(token) + 12
            parts += [
                element(
                    "g",
                    box(_BAR - 6 - wide, y + 1, wide, 21, "x-shade", rx=5),
                    opacity=f"{0.06 + 0.4 * weight:.2f}",
                ),
                box(_BAR, y + 4, _LENGTH * weight, 15, "x-fill x-blue"),
                label(_BAR + _LENGTH * weight + 6, y + 16, fixed(weight, 2)),
            ]
        parts.append(label(_BAR - 12, y + 16, token, strong))
    return "".join(parts)


def _words(source: list[str], row: np.ndarray, word: tuple[str, ...]) -> str:
    """The frame in words: the three largest weights, largest first."""
    token, *rest = word
    aside = ", ".join(part for part in rest if part)
    called = f"{token} ({aside})" if aside else token
    order = np.argsort(-row, kind="stable")[:3]
    most = ", ".join(
        f"“{source[s]}” {fixed(row[s], 2)}" for s in order if row[s] >= _LEAST
    )
    return f"To write {called}, the decoder looks at {most}."
