"""BLEU by hand: which pieces of a translation the reference has, clipped."""

from __future__ import annotations

import math
from collections import Counter
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number, Words
from transformer_course.explorers.svg import box, fixed, label

REFERENCE = "a small dog runs through the deep snow ."
HYPOTHESES = (
    "a dog runs through the the snow .",
    "a small dog runs through the deep snow .",
    "a small dog",
    "through the deep snow a small dog runs .",
    "the the the the the the the the the",
    "a small cat runs through the deep snow .",
    "some tiny puppy races across deep snow .",
)
_NAMES = (
    "a small slip",
    "perfect",
    "too short",
    "another order",
    "one word",
    "wrong animal",
    "other words",
)
LONGEST = 4  # tokens in a piece
WIDTH, HEIGHT = 360.0, 280.0
_MOST_TOKENS = 12
_MOST_LETTERS = 46
_SIZE, _GAP = 7.5, 8.0  # of a letter, between tokens


def bleu_pieces(start: int = 0) -> Explorer:
    """Count the pieces of a translation that its reference has.

    Clipped: a piece counts at most as often as the reference has it. BLEU is
    the geometric mean of the four shares times the brevity penalty, without
    smoothing, for this one sentence.

    Args:
        start: which translation at first, 0 to 6.

    Returns:
        An Explorer with sliders for the translation and the length of the
        pieces; `live()` takes any two sentences of up to 12 tokens.

    Raises:
        ValueError: there is no such translation.

    Source: Papineni et al. 2002, section 2. Chapter 18.
    """
    if not 0 <= start < len(HYPOTHESES):
        raise ValueError(
            f"start={start} came; choose from 0 to {len(HYPOTHESES) - 1}"
        )
    return Explorer(
        "BLEU: pieces that the reference has",
        [
            Slider("translation", _NAMES, start),
            Slider("tokens in a piece", tuple("1234")),
        ],
        lambda place, n: _frame(HYPOTHESES[place], REFERENCE, n + 1),
        [
            Words("translation", HYPOTHESES[start]),
            Words("reference", REFERENCE),
            Number("tokens in a piece", 1, LONGEST, 1, 1),
        ],
        _redraw,
    )


def _redraw(hypothesis: str, reference: str, n: Real) -> Frame:
    for text in (hypothesis, reference):
        tokens = text.split()
        if not 1 <= len(tokens) <= _MOST_TOKENS or len(text) > _MOST_LETTERS:
            raise ValueError(
                f"{len(tokens)} tokens came; give one to {_MOST_TOKENS}, with "
                f"spaces between them, {_MOST_LETTERS} letters at the most"
            )
    return _frame(hypothesis, reference, int(n))


def _pieces(tokens: list[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def _matched(ours: list[str], theirs: list[str], n: int) -> list[bool]:
    """For each piece of n tokens, in order: does the reference have it still?

    A piece beyond what the reference has does not count (clipping).
    """
    left = Counter(_pieces(theirs, n))
    found = []
    for piece in _pieces(ours, n):
        found.append(left[piece] > 0)
        left[piece] -= 1
    return found


def _bleu(ours: list[str], theirs: list[str]) -> tuple[list, float, float]:
    """The (found, all) of each length, the brevity penalty, and BLEU."""
    counts = []
    for n in range(1, LONGEST + 1):
        found = _matched(ours, theirs, n)
        counts.append((sum(found), len(found)))
    penalty = min(1.0, math.exp(1 - len(theirs) / len(ours)))
    if any(found == 0 for found, _ in counts):
        return counts, penalty, 0.0
    mean = math.prod(found / total for found, total in counts) ** 0.25
    return counts, penalty, 100 * penalty * mean


def _frame(hypothesis: str, reference: str, n: int) -> Frame:
    ours, theirs = hypothesis.split(), reference.split()
    counts, penalty, score = _bleu(ours, theirs)
    found = _matched(ours, theirs, n)
    parts = [label(0, 14, "translation", "x-dim")]
    ends = _row(parts, ours, 36.0)
    parts.append(label(0, 108, "reference", "x-dim"))
    _row(parts, theirs, 130.0)
    for i, fits in enumerate(found):
        left, right = ends[i][0], ends[i + n - 1][1]
        y = 44.0 + 8 * (i % n)  # pieces of a row do not overlap
        color = "green" if fits else "soft"
        parts.append(box(left, y, right - left, 4, f"x-fill x-{color}"))
    for row, (hits, total) in enumerate(counts):
        y = 172.0 + 24 * row
        share = hits / total if total else 0.0
        strong = "x-strong" if row + 1 == n else "x-dim"
        parts += [
            label(0, y, f"pieces of {row + 1}", strong),
            box(88, y - 11, 196, 13, "x-track"),
            box(88, y - 11, 196 * share, 13, "x-fill x-blue"),
            label(WIDTH, y, f"{hits} of {total}", "x-end"),
        ]
    parts.append(
        label(0, 274, f"penalty {fixed(penalty, 3)}, BLEU {fixed(score, 1)}",
              "x-strong")
    )  # fmt: skip
    return Frame(
        WIDTH,
        HEIGHT,
        "".join(parts),
        _words(ours, found, n, counts, penalty, score),
    )


def _row(
    parts: list[str], tokens: list[str], y: float
) -> list[tuple[float, float]]:
    """Write tokens side by side; return where each begins and ends."""
    size = _SIZE
    wide = sum(len(t) * size + _GAP for t in tokens) - _GAP
    size *= min(1.0, (WIDTH - _GAP * len(tokens)) / (wide + 1))
    x, ends = 0.0, []
    for token in tokens:
        end = x + size * len(token)
        parts.append(label((x + end) / 2, y, token, "x-mid"))
        ends.append((x, end))
        x = end + _GAP
    return ends


def _words(
    ours: list[str],
    found: list[bool],
    n: int,
    counts: list,
    penalty: float,
    score: float,
) -> str:
    """The frame in words."""
    missing = [
        " ".join(piece)
        for piece, fits in zip(_pieces(ours, n), found, strict=True)
        if not fits
    ]
    hits, total = counts[n - 1]
    what = "tokens" if n == 1 else f"pieces of {n} tokens"
    said = f"{hits} of {total} {what} count"
    if missing:
        shown = ", ".join(f"“{piece}”" for piece in missing[:3])
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        said += f"; not {shown}{more}"
    return (
        f"“{' '.join(ours)}”: {said}. Penalty {fixed(penalty, 3)}, BLEU "
        f"{fixed(score, 1)}."
    )
