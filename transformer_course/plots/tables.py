"""Tables of numbers, drawn cell by cell."""

from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import (
    PALETTE,
    as_array,
    own_axes,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["number_table"]


@styled
def number_table(
    table: Any,
    ax: "Axes | None" = None,
    *,
    left: float = 0.0,
    marked: Any = None,
    color: str = PALETTE["blue"],
    title: str = "",
) -> "Axes":
    """Draw a matrix as a table of its numbers, one unit a cell.

    Call it again with the same Axes to set tables side by side.

    Args:
        table: (n, m) numbers.
        ax: Axes to draw in, or None for a new figure.
        left: where the table begins; row 0 is at the top, from 0 to 1.
        marked: (n, m) of True and False: which cells are filled.
        color: of the filled cells.
        title: a line above.

    Returns:
        The Axes, wide enough for all its tables, without ticks.

    Raises:
        ValueError: the numbers are no matrix, or the marks do not fit.

    Chapter 0.
    """
    from matplotlib.patches import Rectangle

    values = as_array(table, "table", 2)
    rows, columns = values.shape
    marks = np.zeros((rows, columns), bool) if marked is None else marked
    marks = np.asarray(marks, dtype=bool)
    if marks.shape != values.shape:
        raise ValueError(
            f"marked has shape {marks.shape} and table {values.shape}; give "
            "one mark a cell"
        )
    ax = own_axes(ax, 0.4 * columns, 0.4 * (rows + 1))
    for (i, j), value in np.ndenumerate(values):
        fill = color if marks[i, j] else PALETTE["paper"]
        ax.add_patch(
            Rectangle((left + j, i), 1, 1, fc=fill, ec=PALETTE["dim"], lw=0.8)
        )
        ax.text(
            left + j + 0.5,
            i + 0.5,
            f"{value:g}".replace("-", "−"),
            ha="center",
            va="center",
            color=PALETTE["paper" if marks[i, j] else "ink"],
        )
    if title:
        ax.text(
            left + columns / 2, -0.45, title, ha="center", fontweight="bold"
        )
    _make_room(ax, left, left + columns, rows)
    return ax


def _make_room(ax: "Axes", left: float, right: float, rows: int) -> None:
    """Widen the view for one table more; cells are squares."""
    low, high = -1.0 if ax.texts else 0.0, float(rows)
    if ax.get_autoscale_on():
        ax.set(xlim=(left, right), ylim=(high, low), aspect="equal")
    else:
        x, y = ax.get_xlim(), ax.get_ylim()
        ax.set(
            xlim=(min(left, x[0]), max(right, x[1])),
            ylim=(max(high, y[0]), min(low, y[1])),
        )
    ax.axis("off")
