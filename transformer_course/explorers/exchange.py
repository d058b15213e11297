"""One word is exchanged: which vectors of the model change, and how much?"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import arrow, box, fixed, label, line

__all__ = [
    "SOURCE",
    "TARGET",
    "Values",
    "changes",
    "ripple",
    "values",
    "weights",
]

SOURCE = ("I", "am", "going", "on", "a", "trip", "tomorrow")
TARGET = ("<bos>", "나는", "내일", "여행을", "간다")
MASKS = ("causal mask", "no mask")
LAYERS, D, SEED = 2, 16, 0
ROWS = ("embedding", "layer 1", "layer 2")
WIDTH, HEIGHT = 360.0, 296.0
_FIRST, _CELL, _STEP, _HIGH = 65.0, 41.0, 25.0, 21.0
_DECODER, _ENCODER = 28.0, 186.0  # the top of each table


@dataclass(frozen=True)
class Values:
    """All vectors of one run, from the embeddings up.

    Attributes:
        encoder: (3, n, d): embeddings, layer 1, layer 2.
        decoder: (3, m, d): the same of the decoder.
        scores: (m, V).
    """

    encoder: np.ndarray
    decoder: np.ndarray
    scores: np.ndarray


def ripple() -> Explorer:
    """Exchange one word and see which vectors change.

    A small post-norm Transformer with random weights, two layers in each
    stack, reads *I am going on a trip tomorrow* and the start mark with four
    Korean words. Each cell: by how much its vector changes, as a share of
    its length.

    Returns:
        An Explorer with sliders for the exchanged word and for the mask of
        the decoder's self-attention.

    Chapter 11.
    """
    return Explorer(
        "One word is exchanged",
        [
            Slider("exchanged word", SOURCE + TARGET, len(SOURCE) + 2),
            Slider("decoder", MASKS),
        ],
        lambda word, mask: _frame(word, mask == 0),
    )


@cache
def weights() -> dict[str, np.ndarray]:
    """Give the random weights of the small model.

    Returns:
        "encoder" (2, 4, d, d): queries, keys, values and feed-forward of
        each layer; "decoder" (2, 7, d, d): the same for itself, three for
        the memory, feed-forward; "words" (12, d), "others" (12, d): every
        word of the two sentences and what it is exchanged for; "output"
        (9, d): the rows that make the scores.
    """
    draw = np.random.default_rng(SEED)
    count = len(SOURCE) + len(TARGET)
    return {
        "encoder": draw.normal(size=(LAYERS, 4, D, D)) / D**0.5,
        "decoder": draw.normal(size=(LAYERS, 7, D, D)) / D**0.5,
        "words": draw.normal(size=(count, D)),
        "others": draw.normal(size=(count, D)),
        "output": draw.normal(size=(9, D)),
    }


def _norm(x: np.ndarray) -> np.ndarray:
    away = x - x.mean(axis=-1, keepdims=True)
    return away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + 1e-5)


def _attend(
    x: np.ndarray, read: np.ndarray, maps: np.ndarray, mask: np.ndarray
) -> np.ndarray:
    q, k, v = x @ maps[0], read @ maps[1], read @ maps[2]
    risen = np.exp(q @ k.T / D**0.5) * mask
    return risen / risen.sum(axis=1, keepdims=True) @ v


def values(exchanged: int | None, causal: bool) -> Values:
    """Run the small model.

    Args:
        exchanged: the word that is exchanged, source words first; None for
            none.
        causal: whether target words are kept from looking ahead.

    Returns:
        All vectors on the way.
    """
    own, n, m = weights(), len(SOURCE), len(TARGET)
    words = own["words"].copy()
    if exchanged is not None:
        words[exchanged] = own["others"][exchanged]
    ahead = np.tri(m) if causal else np.ones((m, m))
    encoder, decoder = [words[:n]], [words[n:]]
    for maps in own["encoder"]:
        x = encoder[-1]
        x = _norm(x + _attend(x, x, maps[:3], np.ones((n, n))))
        encoder.append(_norm(x + np.maximum(0.0, x @ maps[3])))
    for maps in own["decoder"]:
        y = decoder[-1]
        y = _norm(y + _attend(y, y, maps[:3], ahead))
        y = _norm(y + _attend(y, encoder[-1], maps[3:6], np.ones((m, n))))
        decoder.append(_norm(y + np.maximum(0.0, y @ maps[6])))
    scores = decoder[-1] @ own["output"].T
    return Values(np.array(encoder), np.array(decoder), scores)


def changes(word: int, causal: bool) -> tuple[np.ndarray, np.ndarray]:
    """How much every vector changes, as a share of its length.

    Args:
        word: the exchanged word, source words first.
        causal: whether target words are kept from looking ahead.

    Returns:
        (3, n) of the encoder and (4, m) of the decoder, the last row the
        scores.
    """
    before, after = values(None, causal), values(word, causal)

    def share(old: np.ndarray, new: np.ndarray) -> np.ndarray:
        moved = np.linalg.norm(new - old, axis=-1)
        return moved / np.linalg.norm(old, axis=-1)

    decoder = share(before.decoder, after.decoder)
    scores = share(before.scores, after.scores)
    return share(before.encoder, after.encoder), np.vstack([decoder, scores])


def _frame(word: int, causal: bool) -> Frame:
    encoder, decoder = changes(word, causal)
    n = len(SOURCE)
    memory = _ENCODER + _HIGH / 2
    parts = [
        label(0, 13, "decoder", "x-strong"),
        *_table(decoder, TARGET, (*ROWS, "scores"), _DECODER, word - n),
        *_table(encoder, SOURCE, ROWS, _ENCODER, word),
        label(0, _ENCODER - 12, "encoder", "x-strong"),
        label(_FIRST + 5.2 * _CELL, _ENCODER - 34, "memory", "x-dim"),
        line(330, memory - 12, 330, _DECODER + 36, "x-line x-thin x-orange"),
        arrow(330, _DECODER + 61, 278, _DECODER + 61, "orange", thin=True),
        arrow(330, _DECODER + 36, 278, _DECODER + 36, "orange", thin=True),
    ]
    return Frame(
        WIDTH, HEIGHT, "".join(parts), _words(word, causal, encoder, decoder)
    )


def _table(
    shares: np.ndarray,
    words: tuple[str, ...],
    rows: tuple[str, ...],
    top: float,
    exchanged: int,
) -> list[str]:
    """The cells of one stack, the embeddings at the bottom."""
    parts = []
    for level, name in enumerate(rows):
        y = top + _STEP * (len(rows) - 1 - level)
        parts.append(label(0, y + 15, name, "x-dim"))
        for i, share in enumerate(shares[level]):
            x = _FIRST + _CELL * i
            parts += _cell(x, y, share)
    y = top + _STEP * len(rows)
    for i, word in enumerate(words):
        x = _FIRST + _CELL * i + (_CELL - 4) / 2
        style = "x-tip x-orange" if i == exchanged else "x-dim"
        # Every other word stands lower, so that long words do not touch.
        low = 12 + 13 * (i % 2) * (len(words) > 5)
        parts.append(label(x, y + low, word, f"x-mid {style}"))
    return parts


def _cell(x: float, y: float, share: float) -> list[str]:
    wide = _CELL - 4
    if share == 0:
        return [
            box(x, y, wide, _HIGH, "x-track", rx=3),
            label(x + wide / 2, y + 15, "0", "x-mid x-dim"),
        ]
    strength = f"{0.2 + 0.35 * min(share, 1.0):.2f}"
    return [
        box(x, y, wide, _HIGH, "x-shade", rx=3, opacity=strength),
        label(x + wide / 2, y + 15, fixed(share, 2), "x-mid"),
    ]


def _words(
    word: int, causal: bool, encoder: np.ndarray, decoder: np.ndarray
) -> str:
    """The frame in words."""
    n = len(SOURCE)
    name = (SOURCE + TARGET)[word]
    kind = "source" if word < n else "target"
    position = word + 1 if word < n else word - n + 1
    moved = [str(i + 1) for i in np.flatnonzero(decoder[-1])]
    memory = int((encoder[-1] > 0).sum())
    return (
        f"{MASKS[not causal].capitalize()}. “{name}”, {kind} word {position}, "
        f"is exchanged: {memory} of {n} rows of the memory change, and the "
        f"scores at {'position' if len(moved) == 1 else 'positions'} "
        f"{', '.join(moved)}."
    )
