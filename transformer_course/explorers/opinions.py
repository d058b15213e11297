"""The attention weights of one token with one, two or four heads."""

from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import box, fixed, label

TOKENS = ("the", "dogs", "see", "a", "cat")
SUBSPACES = ("kind", "number", "meaning", "position")
HEADS = (1, 2, 4)
WIDTH = 360.0
_CELL, _ALL, _TOP, _LEFT = 58.0, 228.0, 46.0, 68.0
_BELOW = 24.0  # under each row of bars stand its weights
_STEP = 2 * np.pi / 9  # from one position to the next, on a circle

# Two components each: determiner, noun, verb; singular, plural; animal, seeing.
_KIND = ((-1, 0), (1, 0), (0, 1), (-1, 0), (1, 0))
_NUMBER = ((0, 0), (1, 0), (1, 0), (-1, 0), (-1, 0))
_MEANING = ((0, 0), (1, 0), (0, 1), (0, 0), (1, 0))


def vectors(length: float = 2.0) -> np.ndarray:
    """The five tokens, eight components each: four pairs of this length."""
    angles = _STEP * np.arange(len(TOKENS))
    where = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return length * np.concatenate(
        [np.array(_KIND), np.array(_NUMBER), np.array(_MEANING), where], axis=1
    )


def head_opinions() -> Explorer:
    """Let a token of "the dogs see a cat" query with 1, 2 or 4 heads.

    The vectors are written by hand: two components for the kind of word, two
    for singular and plural, two for the meaning, two for the position. Queries
    and keys are these vectors; head g sees its own block of them.

    Returns:
        An Explorer with sliders for the token and the number of heads;
        `live()` also changes the length of the vectors.

    Chapter 7.
    """
    heads = tuple(str(h) for h in HEADS)

    def redraw(token: int, which: int, length: float) -> Frame:
        return _frame(vectors(length), token, HEADS[which])

    return Explorer(
        "One token, several heads",
        [Slider("querying token", TOKENS, 2), Slider("heads", heads)],
        lambda token, which: _frame(vectors(), token, HEADS[which]),
        [
            Choice("querying token", TOKENS, 2),
            Choice("heads", heads),
            Number("length of the vectors", 0.5, 4, 0.5, 2),
        ],
        redraw,
    )


def head_weights(X: Any, token: int, heads: int) -> np.ndarray:
    """The attention weights of one token in each head, queries and keys X.

    Args:
        X: (n, d).
        token: which one queries, from 0.
        heads: how many; divides d.

    Returns:
        (heads, n), rows that sum to 1.
    """
    X = np.asarray(X, dtype=float)
    parts = X.reshape(len(X), heads, -1)
    scores = np.einsum("hk,jhk->hj", parts[token], parts)
    scores = scores / parts.shape[-1] ** 0.5
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _names(heads: int) -> list[str]:
    """What each head sees, by the names of its subspaces."""
    each = len(SUBSPACES) // heads
    starts = range(0, len(SUBSPACES), each)
    return [", ".join(SUBSPACES[i : i + each]) for i in starts]


def _frame(X: np.ndarray, token: int, heads: int) -> Frame:
    weights = head_weights(X, token, heads)
    high = _ALL / heads - _BELOW
    plural = "s" if heads > 1 else ""
    title = f"“{TOKENS[token]}” queries with {heads} head{plural}"
    parts = [label(0, 14, title, "x-strong")]
    for i, word in enumerate(TOKENS):
        style = "x-mid x-strong" if i == token else "x-mid"
        middle = _LEFT + (i + 0.5) * _CELL
        parts.append(label(middle, _TOP - 10, word, style))
    for head, name in enumerate(_names(heads)):
        top = _TOP + head * _ALL / heads
        for line, words in enumerate(name.split(", ")):
            parts.append(label(0, top + 14 + 15 * line, words, "x-dim"))
        for i, weight in enumerate(weights[head]):
            x = _LEFT + i * _CELL
            parts.append(_bar(x, top, high, float(weight)))
    said = "; ".join(
        f"{name}: {_most(row)}"
        for name, row in zip(_names(heads), weights, strict=True)
    )
    return Frame(
        WIDTH, _TOP + _ALL, "".join(parts), f"{title}. Largest weight: {said}."
    )


def _bar(x: float, top: float, full: float, weight: float) -> str:
    """A weight as a bar that grows from below, and in figures."""
    wide = _CELL - 6
    high = full * weight if weight >= 0.002 else 0.0  # else nothing to see
    color = {"class_": "x-fill x-blue", "opacity": "0.75"}
    return (
        box(x + 3, top, wide, full, "x-track", rx=3)
        + box(x + 3, top + full - high, wide, high, **color)
        + label(x + _CELL / 2, top + full + 14, fixed(weight, 2), "x-mid")
    )


def _most(row: np.ndarray) -> str:
    """The words with the largest weight; equal ones together."""
    top = [i for i, weight in enumerate(row) if weight > row.max() - 1e-9]
    if len(top) == len(TOKENS):
        return f"all words equal {fixed(row.max(), 2)}"
    words = " and ".join(TOKENS[i] for i in top)
    each = " each" if len(top) > 1 else ""
    return f"{words} {fixed(row.max(), 2)}{each}"
