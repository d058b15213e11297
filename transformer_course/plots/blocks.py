"""An array with three axes as a block of small cubes, some of them filled."""

from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import PALETTE, own_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["block"]

_SLANT = (0.42, 0.30)  # how far one step back goes to the right and up
# The three faces that are seen: which corner each begins at, its two edges.
_SHADE = {"front": 1.0, "top": 0.72, "side": 0.86}


@styled
def block(
    marked: Any,
    ax: "Axes | None" = None,
    *,
    axes: tuple[str, str, str] = ("B", "T", "d"),
    color: str = PALETTE["blue"],
    title: str = "",
) -> "Axes":
    """Draw an array (B, T, d) as a block: B back, T down, d to the right.

    Args:
        marked: (B, T, d) of True and False: which cubes are filled.
        ax: Axes to draw in, or None for a new figure.
        axes: the names of the three axes.
        color: of the filled cubes.
        title: a line above.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: not three axes.

    Chapter 6.
    """
    marks = np.asarray(marked, dtype=bool)
    if marks.ndim != 3 or marks.size == 0:
        raise ValueError(
            f"marked has shape {marks.shape}; give three axes, such as "
            "(B, T, d)"
        )
    ax = own_axes(ax, 2.0, 1.7)
    depth, rows, columns = marks.shape
    for b, t, k in np.ndindex(*marks.shape):
        here = depth - 1 - b  # the last sentence first, so that none hides it
        for face, corners in _faces(here, t, k, marks.shape).items():
            _draw(ax, corners, marks[here, t, k], color, _SHADE[face])
    _name(ax, axes, marks.shape)
    if title:
        middle = (columns + depth * _SLANT[0]) / 2
        ax.text(
            middle, -depth * _SLANT[1] - 0.35, title, ha="center",
            va="bottom", fontweight="bold",
        )  # fmt: skip
    wide, high = columns + depth * _SLANT[0], depth * _SLANT[1]
    ax.set(xlim=(-0.7, wide + 0.6), ylim=(rows + 0.75, -high - 1.0))
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def _faces(b: int, t: int, k: int, shape: tuple) -> dict[str, list]:
    """The corners of the faces of one cube that nothing hides."""
    dx, dy = _SLANT
    x, y = k + b * dx, t - b * dy  # the front face's upper left corner
    found = {}
    if b == 0:
        found["front"] = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    if t == 0:
        found["top"] = [
            (x, y), (x + 1, y), (x + 1 + dx, y - dy), (x + dx, y - dy),
        ]  # fmt: skip
    if k == shape[2] - 1:
        found["side"] = [
            (x + 1, y),
            (x + 1 + dx, y - dy),
            (x + 1 + dx, y + 1 - dy),
            (x + 1, y + 1),
        ]
    return found


def _draw(
    ax: "Axes", corners: list, filled: bool, color: str, shade: float
) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Polygon

    base = np.array(to_rgb(color if filled else PALETTE["paper"]))
    tone = base * (shade if filled else 0.6 + 0.4 * shade)
    ax.add_patch(
        Polygon(
            corners,
            closed=True,
            facecolor=tuple(np.clip(tone, 0, 1)),
            edgecolor=PALETTE["dim"],
            linewidth=0.7,
        )
    )


def _name(ax: "Axes", axes: tuple[str, str, str], shape: tuple) -> None:
    """Write the axes' names along the edges of the block."""
    depth, rows, columns = shape
    back, down, right = axes
    ink = {"color": PALETTE["dim"], "style": "italic"}
    ax.text(-0.25, rows / 2, down, ha="right", va="center", **ink)
    ax.text(columns / 2, rows + 0.15, right, ha="center", va="top", **ink)
    x = columns + depth * _SLANT[0] / 2
    y = rows - depth * _SLANT[1] / 2
    ax.text(x + 0.15, y + 0.1, back, ha="left", va="top", **ink)
