"""Two sentences, one above the other, and lines between their words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import (
    PALETTE,
    as_array,
    own_axes,
    styled,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["alignment_lines"]


@styled
def alignment_lines(
    weights: Any,
    target: Sequence[str],
    source: Sequence[str],
    ax: "Axes | None" = None,
    *,
    title: str = "",
) -> "Axes":
    """Join each target word to the source words it takes from.

    The lower sentence is the target. The thicker and darker a line, the
    larger the weight; a weight of 0 draws none.

    Args:
        weights: (T, S), each between 0 and 1: one row a target word, as in
            `heat_map`.
        target: T words, the lower sentence; a line break in a word sets
            what follows below it.
        source: S words, the upper sentence.
        ax: Axes to draw in, or None for a new figure.
        title: a line above.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: labels and shape disagree, or a value lies outside 0..1.

    Chapter 1.
    """
    table = as_array(weights, "weights", 2)
    if table.shape != (len(target), len(source)):
        raise ValueError(
            f"weights has shape {table.shape}; {len(target)} target and "
            f"{len(source)} source words want ({len(target)}, {len(source)})"
        )
    if table.min() < -1e-6 or table.max() > 1 + 1e-6:
        raise ValueError(
            f"weights run from {table.min():.3g} to {table.max():.3g}; give "
            "numbers from 0 to 1"
        )
    ax = own_axes(ax, 4.5, 1.5)
    above, below = _places(source), _places(target)
    for (i, j), weight in np.ndenumerate(table):
        if weight <= 0:
            continue
        ax.plot(
            [below[i], above[j]],
            [0.16, 0.84],
            "-",
            color=PALETTE["blue"],
            alpha=0.25 + 0.75 * min(float(weight), 1.0),
            linewidth=0.8 + 3.2 * weight,
            solid_capstyle="round",
        )
    for x, word in zip(above, source, strict=True):
        ax.text(x, 0.9, word, ha="center", va="bottom")
    for x, word in zip(below, target, strict=True):
        ax.text(x, 0.1, word, ha="center", va="top")
    if title:
        ax.set_title(title)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.axis("off")
    return ax


def _places(words: Sequence[str]) -> np.ndarray:
    """The middle of each word on a line from 0 to 1, by its width."""
    wide = [widest(str(word).split("\n")) + 1.0 for word in words]
    ends = np.cumsum(wide)
    return (ends - np.array(wide) / 2) / ends[-1]
