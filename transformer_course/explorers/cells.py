"""Where the numbers go when vectors are cut into heads: right and wrong."""

from dataclasses import dataclass

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import box, label, short

WAYS = ("view, then transpose", "view alone")
STEPS = ("at first", "cut", "heads apart", "merged back")
WIDTH, COLUMNS = 360.0, 8
_CELL, _HIGH, _TOP, _STRIP = 32.0, 24.0, 42.0, 12
_LEFT = 62.0
_COLORS = ("blue", "orange", "green", "soft")


@dataclass(frozen=True)
class _Cells:
    """The cells 0, 1, 2 ... of T tokens, at one step on one way."""

    tokens: int
    heads: int
    way: int
    step: int

    @property
    def width(self) -> int:
        return COLUMNS // self.heads

    @property
    def apart(self) -> bool:
        """True where the cells stand in heads, each with T rows."""
        return self.step == 2 or (self.step == 1 and self.way == 1)

    def number(self, head: int, row: int, column: int) -> int:
        """The cell in this row and column of this head."""
        if self.way == 1 and self.apart:
            return (head * self.tokens + row) * self.width + column
        return row * COLUMNS + head * self.width + column

    @property
    def memory(self) -> list[int]:
        """All cells in the order in which they lie behind each other."""
        if not self.apart:
            return list(range(self.tokens * COLUMNS))
        return [
            self.number(head, row, column)
            for head in range(self.heads)
            for row in range(self.tokens)
            for column in range(self.width)
        ]

    @property
    def shape(self) -> tuple[int, ...]:
        if self.apart:
            return 1, self.heads, self.tokens, self.width
        if self.step == 1:
            return 1, self.tokens, self.heads, self.width
        return 1, self.tokens, COLUMNS


def heads_in_memory(T: int = 3, h: int = 2) -> Explorer:
    """Number the cells of a (1, T, 8) array and watch them become heads.

    The right way cuts the last axis into (h, 8/h) and exchanges the axes of
    tokens and heads; the wrong way reads the same memory as (1, h, T, 8/h).

    Args:
        T: tokens, from 2 to 4.
        h: heads, 2 or 4.

    Returns:
        An Explorer with sliders for the way and the step; `live()` changes
        the number of tokens and of heads.

    Raises:
        ValueError: another number of tokens or heads.

    Chapter 7.
    """
    _check(T, h)

    def redraw(tokens: float, heads: int, way: int, step: int) -> Frame:
        return _frame(_Cells(int(tokens), 2 * (heads + 1), way, step))

    return Explorer(
        "Cutting vectors into heads",
        [Slider("way", WAYS), Slider("step", STEPS, 2)],
        lambda way, step: _frame(_Cells(T, h, way, step)),
        [
            Number("tokens", 2, 4, 1, T),
            Choice("heads", ("2", "4"), h // 2 - 1),
            Choice("way", WAYS),
            Choice("step", STEPS, 2),
        ],
        redraw,
    )


def _check(tokens: int, heads: int) -> None:
    if tokens not in (2, 3, 4) or heads not in (2, 4):
        raise ValueError(
            f"T={tokens} and h={heads} came; give 2 to 4 tokens and 2 or 4 "
            "heads"
        )


def _frame(cells: _Cells) -> Frame:
    gap = 10.0 if cells.step in (1, 2) else 0.0
    left = _LEFT - gap * (cells.heads - 1) / 2
    parts = [label(0, 14, _title(cells), "x-strong")]
    for head in range(cells.heads):
        x = left + head * (cells.width * _CELL + gap)
        if cells.apart:
            middle = x + cells.width * _CELL / 2
            parts.append(label(middle, _TOP - 8, f"head {head}", "x-mid x-dim"))
        for row in range(cells.tokens):
            for column in range(cells.width):
                number = cells.number(head, row, column)
                y = _TOP + row * (_HIGH + 4)
                parts.append(_cell(number, x + column * _CELL, y, _CELL))
    for row in range(cells.tokens):
        name = f"row {row}" if cells.apart else f"token {row}"
        y = _TOP + row * (_HIGH + 4) + 16
        parts.append(label(0, y, name, "x-dim"))
    line = _TOP + cells.tokens * (_HIGH + 4) + 26
    parts.append(label(0, line - 8, "as one line, in reading order", "x-dim"))
    for i, number in enumerate(cells.memory):
        x = i % _STRIP * 30
        parts.append(_cell(number, x, line + i // _STRIP * 28, 30))
    rows = -(-cells.tokens * COLUMNS // _STRIP)
    return Frame(WIDTH, line + rows * 28 + 2, "".join(parts), _words(cells))


def _cell(number: int, x: float, y: float, wide: float) -> str:
    """One numbered cell in the color of its token."""
    color = _COLORS[number // COLUMNS]
    return box(
        x + 1, y, wide - 2, _HIGH, f"x-fill x-{color}", opacity="0.3", rx=3
    ) + label(x + wide / 2, y + 16.5, str(number), "x-mid")


def _title(cells: _Cells) -> str:
    return f"shape ({', '.join(short(n) for n in cells.shape)})"


def _row(cells: _Cells, head: int, row: int) -> str:
    first = cells.number(head, row, 0)
    last = cells.number(head, row, cells.width - 1)
    owners = sorted({first // COLUMNS, last // COLUMNS})
    whose = " and ".join(str(token) for token in owners)
    return f"{first} to {last} (token {whose})"


def _words(cells: _Cells) -> str:
    """What is to be seen, with every row of head 0."""
    start = f"{WAYS[cells.way].capitalize()}, {STEPS[cells.step]}: "
    start += f"{_title(cells)}. "
    rows = "; ".join(
        f"row {row} is {_row(cells, 0, row)}" for row in range(cells.tokens)
    )
    if cells.apart:
        text = f"In head 0, {rows}."
        if cells.way == 0:
            return start + text + " Each row of a head is one token."
        moved = "No number has moved in memory. " if cells.step == 1 else ""
        return start + moved + text + " Rows no longer stand for tokens."
    if cells.step == 0:
        return start + "Each token has eight components in a row."
    if cells.step == 1:
        return start + (
            f"Each token is cut into {cells.heads} parts. No number has "
            "moved in memory."
        )
    return start + (
        "Undone step by step, every number is back where it began. So a "
        "round trip does not tell the two ways apart."
    )
