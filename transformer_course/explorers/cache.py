"""What a decoder computes for each new token, with a cache and without."""

from __future__ import annotations

from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import box, label

TOKENS = ("<bos>", "let's", "go", "to", "the", "sea")
WAYS = ("without cache", "with cache")
WIDTH, HEIGHT = 360.0, 342.0
_LEFT, _TOP, _CELL = 66.0, 60.0, 30.0
_PAIRS = 274.0  # where the column of keys and values begins


def cache_filling(start: int = 4) -> Explorer:
    """Count what each step computes: keys and values, queries, scores.

    Step t of one layer and one head. Without a cache all t tokens are read
    again: t queries, t keys and values, and t (t + 1) / 2 scores under a
    causal mask. With it: one query, one key and value, t scores.

    Args:
        start: the step shown first, 1 to 6.

    Returns:
        An Explorer with sliders for the step and the way; `live()` has the
        same two inputs.

    Raises:
        ValueError: a step out of range.

    Chapter 14.
    """
    if start not in range(1, len(TOKENS) + 1):
        raise ValueError(f"start={start}; choose a step from 1 to 6")
    labels = tuple(str(t + 1) for t in range(len(TOKENS)))
    return Explorer(
        "What one step computes",
        [Slider("step", labels, start - 1), Slider("decoder", WAYS, 0)],
        lambda place, way: _frame(place + 1, way),
        [
            Number("step", 1, len(TOKENS), 1, start),
            Choice("decoder", WAYS, 0),
        ],
        lambda step, way: _frame(int(step), int(way)),
    )


def counts(step: int, way: int) -> tuple[int, int, int]:
    """Queries, pairs of key and value, and scores of one step.

    Args:
        step: tokens read so far, the newest included.
        way: 0 without a cache, 1 with it.

    Returns:
        The three counts.
    """
    if way:
        return 1, 1, step
    return step, step, step * (step + 1) // 2


def _frame(step: int, way: int) -> Frame:
    parts = [
        label(_LEFT, 14, "keys of", "x-dim"),
        label(_PAIRS, 14, "key, value", "x-dim"),
    ]
    for j in range(step):
        x = _LEFT + _CELL * j + _CELL / 2
        shift = 0 if j % 2 else 16
        parts.append(label(x, 32 + shift, TOKENS[j], "x-mid"))
    for i in range(step):
        parts += _row(i, step, way)
    return Frame(WIDTH, HEIGHT, "".join([*parts, _legend()]), _words(step, way))


def _row(i: int, step: int, way: int) -> list[str]:
    """The scores of query i, and its key and value."""
    y = _TOP + _CELL * i
    new = i == step - 1
    made = new or not way
    parts = [label(0, y + 20, TOKENS[i], "x-strong" if made else "x-dim")]
    for j in range(step):
        x = _LEFT + _CELL * j
        if j > i:
            continue
        size = _CELL - 4
        if made:
            parts.append(box(x, y, size, size, "x-fill x-orange", rx=3))
        else:
            parts.append(box(x + 9, y + 9, 8, 8, "x-track"))
    color = "x-fill x-orange" if made else "x-fill x-soft"
    for k in range(2):
        parts.append(box(_PAIRS + 34 * k, y, 28, _CELL - 4, color, rx=3))
    return parts


def _legend() -> str:
    y = HEIGHT - 58
    keys = (
        ("x-fill x-orange", "computed in this step"),
        ("x-fill x-soft", "kept from an earlier step"),
        ("x-track", "over, and needed no more"),
    )
    parts = []
    for row, (color, words) in enumerate(keys):
        parts.append(box(0, y + 19 * row, 12, 12, color))
        parts.append(label(20, y + 19 * row + 11, words))
    return "".join(parts)


def _words(step: int, way: int) -> str:
    """The frame in words."""
    queries, pairs, scores = counts(step, way)
    total = [
        sum(counts(t, way)[column] for t in range(1, step + 1))
        for column in range(3)
    ]

    def count(number: Real, one: str, more: str) -> str:
        return f"{number} {one if number == 1 else more}"

    return (
        f"Step {step}, {WAYS[way]}: {count(queries, 'query', 'queries')}, "
        f"{count(pairs, 'key and value', 'keys and values')}, "
        f"{count(scores, 'score', 'scores')}. Since the first step: "
        f"{total[0]}, {total[1]} and {total[2]}."
    )
