"""Several systems, several seeds each: a dot for every run."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from transformer_course.plots.style import (
    PALETTE,
    as_array,
    own_axes,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["seed_dots"]


@styled
def seed_dots(
    values: Mapping[str, Any],
    ax: "Axes | None" = None,
    *,
    reference: str = "",
    x_axis: str = "",
) -> "Axes":
    """Draw one row a system and one dot a seed, so that spread is seen.

    A row whose dots all lie outside of the reference's band differs from it
    by more than the seeds do.

    Args:
        values: for each system the numbers of its seeds; top to bottom.
        ax: Axes to draw in, or None for a new figure.
        reference: the system whose spread is shaded over all rows.
        x_axis: what is measured, with its unit.

    Returns:
        The Axes.

    Raises:
        ValueError: no systems, a system without numbers, or a reference
            that is not among them.

    Chapter 16.
    """
    rows = {name: as_array(row, name, 1) for name, row in values.items()}
    if not rows or (reference and reference not in rows):
        raise ValueError(
            f"reference {reference!r} is not among {', '.join(rows)!r}; "
            "give at least one system, and the name of one of them"
        )
    ax = own_axes(ax, 3.0, 0.26 * len(rows))
    if reference:
        low, high = rows[reference].min(), rows[reference].max()
        ax.axvspan(low, high, color=PALETTE["blue"], alpha=0.15, linewidth=0)
    for place, (name, row) in enumerate(rows.items()):
        color = PALETTE["blue" if name == reference else "orange"]
        ends = [row.min(), row.max()]
        ax.plot(ends, [place, place], color=color, linewidth=1, linestyle="-")
        ax.plot(row, [place] * len(row), "o", color=color, markersize=4.5,
                alpha=0.8)  # fmt: skip
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0, pad=4)
    ax.xaxis.grid(True)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set_xlabel(x_axis)
    return ax
