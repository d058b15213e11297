"""The table of sines and cosines as a map of shades, for a base and a width."""

from numbers import Real

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    short,
)

__all__ = ["positional_waves"]

BASES = (10, 100, 1000, 10000, 100000)
WIDTHS = (4, 8, 16, 32)
POSITIONS, LEVELS = 32, 6
WIDTH, HEIGHT = 360.0, 326.0
_LEFT, _TOP, _ROW = 40.0, 44.0, 8.0


def positional_waves() -> Explorer:
    """See the first 32 rows of the encoding change with base and width.

    A row is a position, a column an entry of the encoding: sine and cosine
    of the position divided by base^(2i/d), where i counts the pairs.

    Returns:
        An Explorer with sliders for the base and the width d; `live()`
        takes any base from 2 to 100000.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    sliders = [
        Slider("base", tuple(map(_thousands, BASES)), BASES.index(10000)),
        Slider("width d", tuple(map(str, WIDTHS)), WIDTHS.index(16)),
    ]
    return Explorer(
        "Positions as waves",
        sliders,
        lambda base, width: _frame(BASES[base], WIDTHS[width]),
        [
            Number("base", 2, 100000, 1, 10000),
            Choice("width d", sliders[1].labels, sliders[1].start),
        ],
        lambda base, width: _frame(base, WIDTHS[width]),
    )


def _thousands(value: Real) -> str:
    """A whole number with commas, as the book writes it."""
    return f"{round(value):,}"


def _speeds(base: Real, d: int) -> np.ndarray:
    """(d / 2,): how far each pair turns from one position to the next."""
    return float(base) ** (-np.arange(0, d, 2) / d)


def _encoding(base: Real, d: int) -> np.ndarray:
    """(32, d), sines and cosines in turn."""
    angles = np.arange(POSITIONS)[:, None] * _speeds(base, d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d)


def _frame(base: Real, d: int) -> Frame:
    table, speeds = _encoding(base, d), _speeds(base, d)
    drawing = _legend() + _axes(d) + _cells(table)
    turned = int((speeds * (POSITIONS - 1) >= 2 * np.pi).sum())
    go = "goes" if turned == 1 else "go"
    pairs = f"{turned} of {d // 2} pairs {go}"
    step = np.linalg.norm(table[1] - table[0])
    words = (
        f"Base {_thousands(base)}, d = {d}. In {POSITIONS} positions {pairs} "
        f"round at least once; the slowest needs "
        f"{_thousands(2 * np.pi / speeds[-1])} positions for one turn. "
        f"Neighbors lie {fixed(step, 2)} apart."
    )
    return Frame(WIDTH, HEIGHT, drawing, words)


def _legend() -> str:
    """The scale of shades, from -1 to 1."""
    shades = [n / LEVELS for n in range(-LEVELS, LEVELS + 1)]
    size = 9.0
    start = WIDTH - size * len(shades) - 14
    parts = [label(start - 6, 13, "−1", "x-dim x-end")]
    for place, shade in enumerate(shades):
        cell = _cell(start + size * place, 4, size, 10)
        parts.append(_filled(cell, shade))
    parts.append(label(WIDTH, 13, "1", "x-dim x-end"))
    return "".join(parts)


def _axes(d: int) -> str:
    wide = (WIDTH - _LEFT) / d
    high = _ROW * POSITIONS
    parts = [
        label(0, 13, "columns: pairs of sine, cosine", "x-dim"),
        box(_LEFT, _TOP, WIDTH - _LEFT, high, "x-line x-grid"),
    ]
    for column in range(0, d, d // 4):
        x = _LEFT + wide * (column + 0.5)
        parts.append(label(x, _TOP - 6, str(column), "x-dim x-mid"))
    for position in (0, 10, 20, 31):
        y = _TOP + _ROW * position + 8
        parts.append(label(_LEFT - 6, y, str(position), "x-dim x-end"))
    parts.append(
        label(_LEFT, _TOP + high + 18, "rows: positions 0 to 31", "x-dim")
    )
    return "".join(parts)


def _cells(table: np.ndarray) -> str:
    """One path a shade; cells of one shade below each other are one."""
    levels = np.round(table * LEVELS).astype(int)
    wide = (WIDTH - _LEFT) / table.shape[1]
    paths: dict[int, list[str]] = {}
    for column, shades in enumerate(levels.T):
        first = 0
        for row in range(1, POSITIONS + 1):
            if row < POSITIONS and shades[row] == shades[first]:
                continue
            cell = _cell(
                _LEFT + wide * column,
                _TOP + _ROW * first,
                wide,
                _ROW * (row - first),
            )
            paths.setdefault(int(shades[first]), []).append(cell)
            first = row
    return "".join(
        _filled("".join(paths[level]), level / LEVELS)
        for level in sorted(paths)
    )


def _cell(x: float, y: float, wide: float, high: float) -> str:
    return f"M{short(x)} {short(y)}h{short(wide)}v{short(high)}h{short(-wide)}z"


def _filled(path: str, value: float) -> str:
    """Blue above 0, orange below, deeper toward 1 and -1."""
    color = "blue" if value >= 0 else "orange"
    return element(
        "path",
        d=path,
        class_=f"x-fill x-{color}",
        fill_opacity=f"{abs(value):.2f}",
    )
