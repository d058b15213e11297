"""A mask, drawn cell by cell: what each query may look at."""

from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import PALETTE, own_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["mask_table"]


@styled
def mask_table(
    mask: Any,
    ax: "Axes | None" = None,
    *,
    left: float = 0.0,
    top: float = 0.0,
    texts: Any = None,
    framed: Any = None,
) -> "Axes":
    """Draw a mask as a table of cells, one unit each: rows are the queries.

    Call it again with the same Axes to set several masks side by side.

    Args:
        mask: (n_q, n_k) of True and False. Blue cells may be looked at, grey
            ones are hidden.
        ax: Axes to draw in, or None for a new figure.
        left, top: where the table begins; y grows downward.
        texts: (n_q, n_k) strings to write into the cells, or None.
        framed: (n_q, n_k) of True and False: which cells get an orange frame.

    Returns:
        The Axes, without ticks. The view covers all that was drawn.

    Raises:
        ValueError: the mask is no table, or texts or frames do not fit.

    Chapter 8.
    """
    from matplotlib.patches import Rectangle

    seen = np.asarray(mask, dtype=bool)
    if seen.ndim != 2 or not seen.size:
        raise ValueError(
            f"the mask has shape {seen.shape}; give a table (n_q, n_k)"
        )
    texts = _fitting(texts, seen, "texts", "")
    framed = _fitting(framed, seen, "framed", False)
    ax = own_axes(ax, 0.62 * seen.shape[1], 0.62 * seen.shape[0])
    for (i, j), visible in np.ndenumerate(seen):
        x, y = left + j, top + i
        cell = ((x + 0.04, y + 0.04), 0.92, 0.92)
        color = PALETTE["blue" if visible else "grid"]
        ax.add_patch(Rectangle(*cell, fc=color, alpha=0.4))
        if framed[i, j]:
            edge = PALETTE["orange"]
            ax.add_patch(Rectangle(*cell, fill=False, ec=edge, lw=2))
        ax.text(x + 0.5, y + 0.5, texts[i, j], ha="center", va="center")
    _make_room(ax, left, top, *seen.shape)
    return ax


def _fitting(values: Any, mask: np.ndarray, name: str, empty: Any) -> Any:
    """One value a cell; `empty` everywhere if none are given."""
    given = np.full(mask.shape, empty) if values is None else np.array(values)
    if given.shape != mask.shape:
        raise ValueError(
            f"{name} has shape {given.shape} and the mask {mask.shape}; give "
            "one value a cell"
        )
    return given


def _make_room(
    ax: "Axes", left: float, top: float, rows: int, columns: int
) -> None:
    """Widen the view for one table more; cells are squares."""
    x, y = [left, left + columns], [top, top + rows]
    if not ax.get_autoscale_on():
        x, y = [*x, *ax.get_xlim()], [*y, *ax.get_ylim()]
    ax.set(xlim=(min(x), max(x)), ylim=(max(y), min(y)), aspect="equal")
    ax.axis("off")
