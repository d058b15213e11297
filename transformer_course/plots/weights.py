"""Attention weights as a table of shades."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import (
    PALETTE,
    SHADES,
    as_array,
    own_axes,
    styled,
    unmeasured,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["heat_map"]


def _weights(weights: Any, rows: list[str], columns: list[str]) -> np.ndarray:
    table = as_array(weights, "weights", 2)
    wanted = (len(rows), len(columns))
    if table.shape != wanted:
        hint = ""
        if table.shape == wanted[::-1]:
            hint = " The table may be transposed: rows are the queries."
        raise ValueError(
            f"weights has shape {table.shape}, but {wanted[0]} row labels "
            f"and {wanted[1]} column labels came; give one label a row and "
            f"one a column.{hint}"
        )
    if table.min() < -1e-6 or table.max() > 1 + 1e-6:
        raise ValueError(
            f"weights run from {table.min():.3g} to {table.max():.3g}; the "
            "color scale is 0 to 1, so pass attention weights, not scores"
        )
    return table


@styled
def heat_map(
    weights: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    ax: "Axes | None" = None,
    *,
    title: str = "",
    row_axis: str = "query (looks)",
    column_axis: str = "key (is looked at)",
    marks: Iterable[tuple[int, int]] = (),
) -> "Axes":
    """Draw attention weights as a table of shades, white 0 to deep blue 1.

    Entry `weights[i, j]` stands in row i, counted from the top, and column
    j, counted from the left. Up to ten columns the numbers stand in the
    cells. The scale is the same in every figure, so that two maps compare.

    Args:
        weights: (R, C), each between 0 and 1: one row a query, one column
            a key.
        rows: R labels, the queries.
        columns: C labels, the keys.
        ax: Axes to draw in, or None for a new figure.
        title: a line above.
        row_axis, column_axis: what rows and columns are.
        marks: (row, column) pairs to frame, such as a gold alignment.

    Returns:
        The Axes.

    Raises:
        ValueError: labels and shape disagree, or a value lies outside 0..1.

    Chapters 2, 15 and 17.
    """
    rows, columns = [str(r) for r in rows], [str(c) for c in columns]
    table = _weights(weights, rows, columns)
    numbers = table.shape[1] <= 10
    wide, high = (0.52, 0.4) if numbers else (0.26, 0.26)
    ax = own_axes(ax, wide * len(columns), high * len(rows))
    _shade(ax, table, numbers)
    _name_cells(ax, rows, columns, slant=widest(columns) > wide * 6.5)
    if row_axis:
        extra = max(unmeasured(row) for row in rows) * 10
        ax.set_ylabel(row_axis, color=PALETTE["dim"], labelpad=6 + extra)
    if column_axis:
        ax.set_xlabel(column_axis, color=PALETTE["dim"], labelpad=6)
    if title:
        ax.set_title(title)
    for row, column in marks:
        _frame(ax, table.shape, row, column)
    return ax


def _shade(ax: "Axes", table: np.ndarray, numbers: bool) -> None:
    """Color the cells, part them by white lines, print their numbers."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("weights", SHADES)
    n_rows, n_columns = table.shape
    ax.pcolormesh(
        np.arange(n_columns + 1) - 0.5,
        np.arange(n_rows + 1) - 0.5,
        table,
        cmap=shades,
        vmin=0.0,
        vmax=1.0,
        edgecolors=PALETTE["grid"],
        linewidth=0.6,
    )
    ax.invert_yaxis()
    if not numbers:
        return
    for (i, j), value in np.ndenumerate(table):
        ink = PALETTE["paper"] if value > 0.55 else PALETTE["ink"]
        ax.text(
            j, i, f"{value:.2f}", ha="center", va="center", color=ink,
            fontsize=9.5,
        )  # fmt: skip


def _name_cells(
    ax: "Axes", rows: list[str], columns: list[str], slant: bool
) -> None:
    """Write the labels: rows at the left, columns on top."""
    ax.set_yticks(range(len(rows)), rows)
    turned = {"rotation": 55, "ha": "left", "va": "center"} if slant else {}
    ax.set_xticks(
        range(len(columns)), columns, rotation_mode="anchor", **turned
    )
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, pad=5)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _frame(ax: "Axes", shape: tuple[int, ...], row: int, column: int) -> None:
    from matplotlib.patches import Rectangle

    if not (0 <= row < shape[0] and 0 <= column < shape[1]):
        raise ValueError(
            f"mark ({row}, {column}) lies outside the table of {shape[0]} "
            f"rows and {shape[1]} columns; give (row, column), from 0"
        )
    ax.add_patch(
        Rectangle(
            (column - 0.5, row - 0.5), 1, 1, fill=False, zorder=3,
            edgecolor=PALETTE["orange"], linewidth=1.8,
        )
    )  # fmt: skip
