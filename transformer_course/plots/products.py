"""A matrix product drawn so that each number stands where two lines cross."""

from collections.abc import Sequence
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

__all__ = ["product_grid"]

_GAP = 0.7  # between the factors and the product, in cells


@styled
def product_grid(
    left: Any,
    right: Any,
    ax: "Axes | None" = None,
    *,
    titles: Sequence[str] = ("", "", ""),
    marked: tuple[int, int] | None = None,
) -> "Axes":
    """Draw left, right and left @ right, each number at its crossing.

    The left factor stands at the left, the right one above, and entry
    (i, j) of the product where row i meets column j.

    Args:
        left: (n, d) numbers.
        right: (d, m) numbers.
        ax: Axes to draw in, or None for a new figure.
        titles: the names of left, right and product.
        marked: (i, j), an entry of the product to fill together with its
            row and its column, counted from 0.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: the product does not exist, or has no such entry.

    Chapter 3.
    """
    first, second = as_array(left, "left", 2), as_array(right, "right", 2)
    (n, d), (inner, m) = first.shape, second.shape
    if d != inner:
        raise ValueError(
            f"left has {d} columns and right {inner} rows; both must be the "
            "same number"
        )
    i, j = (-1, -1) if marked is None else marked
    if marked is not None and not (0 <= i < n and 0 <= j < m):
        raise ValueError(
            f"marked {marked} lies outside the product of {n} rows and {m} "
            "columns; count from 0"
        )
    ax = own_axes(ax, 0.42 * (d + _GAP + m), 0.42 * (d + _GAP + n))
    down, across = d + _GAP, d + _GAP
    rows, columns = np.indices((n, d))[0], np.indices((d, m))[1]
    marks = np.indices((n, m))
    crossing = (marks[0] == i) & (marks[1] == j)
    _cells(ax, first, (0, down), rows == i, PALETTE["blue"])
    _cells(ax, second, (across, 0), columns == j, PALETTE["blue"])
    _cells(ax, first @ second, (across, down), crossing, PALETTE["orange"])
    _name(ax, titles, d, n, m)
    ax.set(
        xlim=(-0.05, across + m + 0.05),
        ylim=(down + n + 0.55, -0.55),
        aspect="equal",
    )
    ax.axis("off")
    return ax


def _cells(
    ax: "Axes",
    values: np.ndarray,
    corner: tuple[float, float],
    marks: np.ndarray,
    color: str,
) -> None:
    from matplotlib.patches import Rectangle

    x, y = corner
    for (i, j), value in np.ndenumerate(values):
        fill = color if marks[i, j] else PALETTE["paper"]
        ax.add_patch(
            Rectangle((x + j, y + i), 1, 1, fc=fill, ec=PALETTE["dim"], lw=0.8)
        )
        ax.text(
            x + j + 0.5,
            y + i + 0.5,
            f"{value:g}".replace("-", "−"),
            ha="center",
            va="center",
            color=PALETTE["paper" if marks[i, j] else "ink"],
        )


def _name(ax: "Axes", titles: Sequence[str], d: int, n: int, m: int) -> None:
    """Left and product are named below, the right factor above."""
    first, second, product = titles
    across, low = d + _GAP, d + _GAP + n + 0.3
    for x, y, words in (
        (d / 2, low, first),
        (across + m / 2, -0.3, second),
        (across + m / 2, low, product),
    ):
        ax.text(x, y, words, ha="center", va="center", fontweight="bold")
