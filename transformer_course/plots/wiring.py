"""How a layer is wired: its parts, the sum, and the connection around it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from transformer_course.plots.style import PALETTE, own_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["layer_stack", "layer_wiring"]

_ARROW = {"arrowstyle": "->", "color": PALETTE["dim"]}
_STREAM = {"arrowstyle": "->", "color": PALETTE["purple"], "linewidth": 2}
_STEP = 1.15  # from one layer of a stack to the next


@styled
def layer_wiring(
    parts: Sequence[str],
    ax: "Axes | None" = None,
    *,
    left: float = 0.0,
    title: str = "",
) -> "Axes":
    """Draw the parts of one layer from bottom to top, x below.

    A part called "+" gets a residual connection: a purple line that leaves x
    below all parts and ends at the sum.

    Args:
        parts: names from bottom to top, such as ["norm", "F", "+"].
        ax: Axes to draw in, or None for a new figure; call again with the
            same Axes and another `left` to add a layer beside it.
        left: where the middle of the layer stands.
        title: what comes out, written above the last arrow.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: no parts.

    Chapter 5.
    """
    if not parts:
        raise ValueError("parts is empty; name one part at least, such as 'F'")
    ax = own_axes(ax, 1.4, 0.5 * (len(parts) + 2))
    for low in range(len(parts) + 1):
        _arrow(ax, (left, low + 0.27), (left, low + 0.73))
    for row, name in enumerate(parts, 1):
        _box(ax, left, row, name)
        if name == "+":
            side = left + 0.8
            ax.plot(
                [left, side, side], [0.42, 0.42, row],
                color=PALETTE["purple"], linestyle="-",
            )  # fmt: skip
            _arrow(ax, (side + 0.03, row), (left + 0.2, row), _STREAM)
    ink = {"ha": "center", "va": "center"}
    ax.text(left, 0, "x", style="italic", **ink)
    ax.text(left, len(parts) + 1, title, **ink)
    return _grow(ax, (left - 1.2, left + 1.4), (-0.4, len(parts) + 1.4))


@styled
def layer_stack(
    layers: Sequence[str],
    notes: Sequence[str],
    ax: "Axes | None" = None,
    *,
    left: float = 0.0,
    residual: bool = False,
    title: str = "",
) -> "Axes":
    """Draw a stack of layers from bottom to top, and what is between them.

    Plain: each layer reads what the one below it has made. Residual: one
    purple line, the residual stream, runs from bottom to top; each layer
    reads it and adds to it.

    Args:
        layers: the names of n layers, from bottom to top.
        notes: n + 1 texts, below the first layer, between the layers and
            above the last; may be empty.
        ax: Axes to draw in, or None for a new figure; call again with the
            same Axes and another `left` to add a stack beside it.
        left: where the main line stands.
        residual: draw residual connections.
        title: a line above.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: no layers, or not one note more than layers.

    Chapter 5.
    """
    if not layers or len(notes) != len(layers) + 1:
        raise ValueError(
            f"{len(layers)} layers and {len(notes)} notes came; give at "
            "least one layer, and one note more than layers"
        )
    ax = own_axes(ax, 2.0, 0.6 * (len(layers) + 1))
    top = _STEP * len(layers)
    if residual:
        _arrow(ax, (left, -0.25), (left, top + 0.3), _STREAM)
    else:
        _arrow(ax, (left, top - 0.3), (left, top + 0.3))
    for row, name in enumerate(layers):
        middle = _STEP * (row + 0.5)
        if residual:
            _beside(ax, left, middle, name)
        else:
            _arrow(ax, (left, middle - 0.85), (left, middle - 0.24))
            _box(ax, left, middle, name)
    below, *between, above = notes
    ax.text(left, -0.45, below, ha="center", va="center")
    ax.text(left, top + 0.5, above, ha="center", va="center")
    for row, note in enumerate(between, 1):
        ax.text(left - 0.2, _STEP * row, note, ha="right", va="center")
    ax.text(left, top + 1.1, title, ha="center", weight="bold")
    return _grow(ax, (left - 1.9, left + 2.1), (-0.75, top + 1.5))


def _beside(ax: "Axes", left: float, middle: float, name: str) -> None:
    """A layer to the right of the stream: it reads below and adds above."""
    side = left + 1.1
    ax.plot(
        [left, side], [middle - 0.45] * 2, color=PALETTE["dim"], linestyle="-",
        linewidth=1,
    )  # fmt: skip
    _arrow(ax, (side, middle - 0.47), (side, middle - 0.2))
    ax.plot(
        [side, side], [middle + 0.17, middle + 0.4], color=PALETTE["dim"],
        linestyle="-", linewidth=1,
    )  # fmt: skip
    _arrow(ax, (side, middle + 0.4), (left + 0.13, middle + 0.4))
    _box(ax, side, middle, name)
    _box(ax, left, middle + 0.4, "+", "circle,pad=0.1")


def _arrow(
    ax: "Axes", start: tuple, end: tuple, look: dict | None = None
) -> None:
    ax.annotate("", end, start, arrowprops=look or _ARROW)


def _box(
    ax: "Axes", x: float, y: float, text: str, style: str = "round,pad=0.35"
) -> None:
    look = {
        "boxstyle": style,
        "facecolor": PALETTE["paper"],
        "edgecolor": PALETTE["dim"],
    }
    ax.text(x, y, text, ha="center", va="center", bbox=look)


def _grow(ax: "Axes", x: tuple, y: tuple) -> "Axes":
    """Widen the limits so that everything drawn so far stays inside."""
    if ax.axison:
        ax.axis("off")
    else:
        (a, b), (c, d) = ax.get_xlim(), ax.get_ylim()
        x, y = (min(a, x[0]), max(b, x[1])), (min(c, y[0]), max(d, y[1]))
    ax.set(xlim=x, ylim=y)
    return ax
