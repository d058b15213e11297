"""Byte-pair encoding, merge by merge: how the words of a text are cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number, Words
from transformer_course.explorers.svg import box, label

TEXT = "wheat thing eating treat spin things eating thing teas ringer"
NEW = "seating"
LAST = 14  # merges of the precomputed frames
MOST = 60  # merges, of a live one
WIDTH, HEIGHT = 360.0, 296.0
_MOST_WORDS, _LONGEST = 10, 12
_ROW, _TOP, _LETTER = 36.0, 22.0, 9.0
_END = "_"

Pair = tuple[str, str]


def word_pieces(text: str = TEXT, new: str = NEW, merges: int = 3) -> Explorer:
    """Watch words being cut into fewer and fewer pieces.

    Each merge joins the most frequent pair of neighbors, of equals the one
    that is met first. `_` is the end of a word. Below the text stands a word
    that it does not have, cut by the same merges.

    Args:
        text: one to ten words with spaces between them.
        new: a word to cut with the merges learned from the text.
        merges: how many at first, 0 to 14.

    Returns:
        An Explorer with a slider for the number of merges; `live()` also
        takes another text and another word.

    Raises:
        ValueError: too many words, words longer than 12 letters, or a number
            of merges that is out of range.

    Source: Sennrich et al. 2016, section 3.2. Chapter 18.
    """
    if not 0 <= merges <= LAST:
        raise ValueError(f"merges={merges} came; give 0 to {LAST}")
    words, other = _read(text, new)
    learned = _learn(words, LAST)
    return Explorer(
        "Byte-pair encoding, merge by merge",
        [Slider("merges", tuple(map(str, range(LAST + 1))), merges)],
        lambda n: _frame(words, other, learned[:n]),
        [
            Words("text", text),
            Words("new word", new),
            Number("merges", 0, MOST, 1, merges),
        ],
        _redraw,
    )


def _redraw(text: str, new: str, merges: Real) -> Frame:
    words, other = _read(text, new)
    return _frame(words, other, _learn(words, int(merges)))


def _read(text: str, new: str) -> tuple[list[list[str]], list[str]]:
    words, other = text.split(), new.split()
    if not 1 <= len(words) <= _MOST_WORDS or len(other) != 1:
        raise ValueError(
            f"{len(words)} words and {len(other)} new ones came; give one to "
            f"{_MOST_WORDS} words and one new word"
        )
    for word in (*words, *other):
        if len(word) > _LONGEST:
            raise ValueError(
                f"{word!r} has {len(word)} letters; {_LONGEST} fit in here"
            )
    return [[*word, _END] for word in words], [*other[0], _END]


def _counts(words: Sequence[list[str]]) -> Counter:
    return Counter(
        pair for word in words for pair in zip(word, word[1:], strict=False)
    )


def _learn(words: list[list[str]], n: int) -> list[tuple[Pair, int]]:
    """The pairs that are merged, each with its count when it was chosen."""
    learned: list[tuple[Pair, int]] = []
    for _ in range(n):
        counts = _counts(words)
        if not counts:
            break
        pair = max(counts, key=counts.__getitem__)
        learned.append((pair, counts[pair]))
        words = [_cut(word, [pair]) for word in words]
    return learned


def _cut(word: list[str], pairs: Sequence[Pair]) -> list[str]:
    for left, right in pairs:
        done, i = [], 0
        while i < len(word):
            fits = word[i : i + 2] == [left, right]
            done.append(left + right if fits else word[i])
            i += 2 if fits else 1
        word = done
    return word


def _frame(words: list[list[str]], new: list[str], learned: Sequence) -> Frame:
    pairs = [pair for pair, _ in learned]
    cut = [_cut(word, pairs) for word in words]
    newest = "".join(pairs[-1]) if pairs else ""
    parts = []
    for place, word in enumerate(cut):
        x, y = 184.0 * (place % 2), _TOP + _ROW * (place // 2)
        parts += _pieces(word, x, y - 14, newest)
    y = _TOP + _ROW * 5
    parts.append(label(0, y, "new word", "x-dim"))
    parts += _pieces(_cut(new, pairs), 76.0, y - 14, newest)
    start, now = sum(map(len, words)), sum(map(len, cut))
    letters = {symbol for word in words for symbol in word}
    size = len(letters | {"".join(pair) for pair in pairs})
    for row, (name, value, most) in enumerate(
        [
            ("symbols in the text", now, start),
            ("in the vocabulary", size, start),
        ]
    ):
        y = _TOP + _ROW * 6 + 12 + 28 * row
        parts += [
            label(0, y, name, "x-dim"),
            box(132, y - 12, 196, 15, "x-track"),
            box(132, y - 12, 196.0 * min(value / most, 1), 15,
                f"x-fill x-{('blue', 'orange')[row]}"),
            label(WIDTH, y, str(value), "x-end"),
        ]  # fmt: skip
    readout = _words(learned, now, start, size, _cut(new, pairs))
    return Frame(WIDTH, HEIGHT, "".join(parts), readout)


def _pieces(word: list[str], x: float, y: float, newest: str) -> list[str]:
    """The symbols of a word as boxes; the newest one stands out."""
    parts = []
    for symbol in word:
        wide = _LETTER * len(symbol) + 3
        parts.append(box(x, y, wide, 21, "x-track", rx=3))
        if symbol == newest:
            parts.append(box(x, y + 19, wide, 2, "x-fill x-orange"))
        middle = x + wide / 2
        parts.append(label(middle, y + 15, symbol, "x-mid"))
        x += wide + 2
    return parts


def _words(
    learned: Sequence, now: int, start: int, size: int, new: list[str]
) -> str:
    """The frame in words."""
    cut = " ".join(new)
    if not learned:
        return (
            f"No merge yet: {start} symbols in the text, {size} in the "
            f"vocabulary. The new word is cut into letters: {cut}."
        )
    (left, right), count = learned[-1]
    times = "once" if count == 1 else f"{count} times"
    return (
        f"Merge {len(learned)}: {left} + {right}, {times}. {now} symbols in "
        f"the text (from {start}), {size} in the vocabulary. New word: {cut}."
    )
