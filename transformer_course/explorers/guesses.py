"""One gap after the other: what two models write into it, and how surely."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import box, fixed, label, text_width
from transformer_course.plots.style import as_array

WIDTH = 360.0
SHOWN = 5  # guesses that a block holds
_ROW, _BAR, _LENGTH = 22.0, 104.0, 200.0
_GAP = "____"


def gap_guesses(
    tokens: Sequence[str],
    both: Any,
    left: Any,
    words: Sequence[str],
    start: int = 0,
) -> Explorer:
    """Walk through a sentence: each word, guessed from both sides and the left.

    Args:
        tokens: T words of a sentence; each is one of `words`.
        both: (T, V), for each place the shares that a model gives the words
            when it sees all the others.
        left: (T, V), the same for a model that sees only those before.
        words: V words, no two alike.
        start: the gap shown first, from 0.

    Returns:
        An Explorer with a slider for the gap. The right word is green.

    Raises:
        ValueError: shapes disagree, rows are no shares, or a token is not
            one of the words.

    Chapter 19.
    """
    tokens = [str(token) for token in tokens]
    words = [str(word) for word in words]
    tables = [
        _shares(table, name, len(tokens), len(words))
        for table, name in ((both, "both"), (left, "left"))
    ]
    unknown = [token for token in tokens if token not in words]
    if unknown:
        raise ValueError(
            f"{unknown[0]!r} is not one of the {len(words)} words; give a "
            "name to each column of the shares"
        )
    names = tuple(f"{t + 1} of {len(tokens)}" for t in range(len(tokens)))
    lines = _flow(tokens)

    def draw(gap: int) -> Frame:
        right = words.index(tokens[gap])
        blocks = [_best(table[gap], words, right) for table in tables]
        top, parts = _sentence(tokens, lines, gap)
        for words_seen, block in zip(
            ("from both sides", "from the left"), blocks, strict=True
        ):
            parts.append(label(0, top + 14, words_seen, "x-dim"))
            parts += _bars(block, top + 22, tokens[gap])
            top += 30 + _ROW * SHOWN
        return Frame(WIDTH, top, "".join(parts), _words(gap, tokens, blocks))

    sliders = [Slider("gap", names, start)]
    return Explorer("The same gap, seen from both sides", sliders, draw)


def _shares(table: Any, name: str, n_tokens: int, n_words: int) -> np.ndarray:
    """The table, checked."""
    found = as_array(table, name, 2)
    if found.shape != (n_tokens, n_words):
        raise ValueError(
            f"{name} has shape {found.shape}; {n_tokens} tokens and "
            f"{n_words} words want ({n_tokens}, {n_words})"
        )
    if found.min() < -1e-6 or np.abs(found.sum(axis=1) - 1).max() > 0.01:
        raise ValueError(
            f"the rows of {name} do not sum to 1; pass shares after softmax"
        )
    return found


def _best(
    row: np.ndarray, words: list[str], right: int
) -> list[tuple[str, float]]:
    """The largest shares, and the right word's in the last place if lower."""
    order = np.argsort(-row, kind="stable")[:SHOWN].tolist()
    if right not in order:
        order[-1] = right
    return [(words[i], float(row[i])) for i in order]


def _flow(tokens: list[str]) -> list[tuple[float, int]]:
    """Lay the words out in lines: (x, line) of each."""
    places, x, row = [], 0.0, 0
    for token in tokens:
        wide = max(text_width(token), text_width(_GAP)) + 6
        if x and x + wide > WIDTH:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += wide
    return places


def _sentence(
    tokens: list[str], lines: list[tuple[float, int]], gap: int
) -> tuple[float, list[str]]:
    """The sentence with its gap, and where it ends."""
    parts = []
    for t, (x, row) in enumerate(lines):
        y = 16 + 22 * row
        if t == gap:
            parts.append(label(x, y, _GAP, "x-strong"))
        else:
            parts.append(label(x, y, tokens[t]))
    return 30.0 + 22 * lines[-1][1], parts


def _bars(block: list[tuple[str, float]], top: Real, right: str) -> list[str]:
    """One row a guess: the word, a bar, its share."""
    parts = []
    for place, (word, share) in enumerate(block):
        y = top + _ROW * place
        hit = word == right
        color = "x-fill x-green" if hit else "x-fill x-blue"
        parts.append(
            label(_BAR - 8, y + 14, word, "x-end x-strong" if hit else "x-end")
        )
        parts.append(box(_BAR, y + 2, max(_LENGTH * share, 0.5), 15, color))
        parts.append(label(_BAR + _LENGTH * share + 6, y + 14, fixed(share, 2)))
    return parts


def _words(
    gap: int, tokens: list[str], blocks: list[list[tuple[str, float]]]
) -> str:
    """The frame in words: the first guess of each, and the right word."""
    right = tokens[gap]
    said = []
    for name, block in zip(
        ("From both sides", "From the left"), blocks, strict=True
    ):
        word, share = block[0]
        more = dict(block)[right]
        first = f"{name}: “{word}” {fixed(share, 2)}"
        said.append(
            first
            if word == right
            else f"{first}, the right word {fixed(more, 2)}"
        )
    return f"Gap {gap + 1}, the right word is “{right}”. {'. '.join(said)}."
