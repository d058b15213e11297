"""Bars of shares, arrows in the plane, curves over training steps."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import (
    PALETTE,
    as_array,
    one_label_each,
    own_axes,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["learning_curve", "share_bars", "vectors_2d"]


@styled
def share_bars(
    shares: Any,
    names: Sequence[str],
    ax: "Axes | None" = None,
    *,
    title: str = "",
) -> "Axes":
    """Draw shares of one whole as bars on a scale from 0 to 1.

    Args:
        shares: (n,) numbers between 0 and 1 that sum to one.
        names: n labels, from top to bottom.
        ax: Axes to draw in, or None for a new figure.
        title: a line above.

    Returns:
        The Axes.

    Raises:
        ValueError: the numbers are no shares, or labels are missing.

    Chapter 2.
    """
    values = as_array(shares, "shares", 1)
    if values.min() < -1e-9 or abs(values.sum() - 1) > 1e-3:
        raise ValueError(
            f"shares sum to {values.sum():.4g} with least {values.min():.3g};"
            " give numbers of at least 0 that sum to 1, such as a softmax"
        )
    labels = one_label_each(names, len(values), "shares")
    ax = own_axes(ax, 3.6, 0.36 * len(values))
    ax.barh(range(len(values)), values, height=0.62, color=PALETTE["blue"])
    for row, value in enumerate(values):
        ax.text(value + 0.015, row, f"{value:.3f}", va="center")
    ax.set_yticks(range(len(values)), labels)
    ax.invert_yaxis()
    ax.set_xlim(0, 1.12)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
    ax.xaxis.grid(True)
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    if title:
        ax.set_title(title)
    return ax


@styled
def vectors_2d(
    vectors: Any,
    names: Sequence[str],
    ax: "Axes | None" = None,
    *,
    color: str = PALETTE["blue"],
    title: str = "",
) -> "Axes":
    """Draw vectors of two numbers as arrows from the origin.

    Call it twice with the same Axes to lay results over inputs.

    Args:
        vectors: (n, 2).
        names: n labels, written at the arrowheads.
        ax: Axes to draw in, or None for a new figure.
        color: of arrows and labels.
        title: a line above.

    Returns:
        The Axes; both directions have the same scale.

    Raises:
        ValueError: vectors of another length, or labels missing.

    Chapters 2 and 3.
    """
    points = as_array(vectors, "vectors", 2)
    if points.shape[1] != 2:
        raise ValueError(
            f"vectors has shape {points.shape}; the plane shows two numbers "
            "a vector, so choose two columns"
        )
    labels = one_label_each(names, len(points), "vectors")
    ax = own_axes(ax, 3.4, 3.0)
    _plane(ax, points)
    arrow = {
        "arrowstyle": "-|>,head_width=0.22,head_length=0.5",
        "color": color,
        "linewidth": 2.0,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    for point, label in zip(points, labels, strict=True):
        length = math.hypot(*point)
        if length == 0:
            ax.plot(0, 0, "o", color=color, markersize=5)
        else:
            ax.annotate("", point, (0, 0), arrowprops=arrow)
        backing = {"facecolor": PALETTE["paper"], "linewidth": 0, "pad": 0.6}
        away = point / length if length else np.array([0.7, -0.7])
        ax.annotate(
            label,
            point,
            12 * away,
            textcoords="offset points",
            color=color,
            ha="center",
            va="center",
            fontweight="bold",
            bbox=backing,
        )
    if title:
        ax.set_title(title)
    return ax


def _plane(ax: "Axes", points: np.ndarray) -> None:
    """Lay a grid of whole steps that holds the points already there too."""
    seen = [points, np.zeros((1, 2))]
    if ax.has_data():
        seen.append(np.array([ax.get_xlim(), ax.get_ylim()]).T)
    corners = np.concatenate(seen)
    low, high = corners.min(axis=0), corners.max(axis=0)
    pad = 0.0 if ax.has_data() else 0.4
    ax.update_datalim(points)
    ax.set_xlim(low[0] - pad, high[0] + pad)
    ax.set_ylim(low[1] - pad, high[1] + pad)
    ax.set_aspect("equal")
    ax.locator_params(nbins=6, integer=True)
    ax.grid(True)
    for draw in (ax.axhline, ax.axvline):
        draw(0, color=PALETTE["dim"], linewidth=0.9, linestyle="-", zorder=1)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)


@styled
def learning_curve(
    steps: Any,
    losses: Any,
    ax: "Axes | None" = None,
    *,
    bands: tuple[Any, Any] | None = None,
    name: str = "",
    y_axis: str = "loss",
) -> "Axes":
    """Draw one curve over the training steps; call again to add another.

    Args:
        steps: (n,) step numbers, rising.
        losses: (n,) the measured value at each.
        ax: Axes to draw in, or None for a new figure.
        bands: (low, high), each (n,): the spread over seeds, shaded.
        name: what the legend calls this curve; none, no legend.
        y_axis: what is measured, with its unit.

    Returns:
        The Axes.

    Raises:
        ValueError: the lengths differ, or the steps do not rise.

    Chapters 13, 15 and 16.
    """
    x, y = as_array(steps, "steps", 1), as_array(losses, "losses", 1)
    rest = [as_array(band, "a band", 1) for band in bands or ()]
    if any(len(part) != len(x) for part in [y, *rest]):
        raise ValueError(
            f"{len(x)} steps, {len(y)} losses and bands of "
            f"{[len(band) for band in rest]} came; give one value a step"
        )
    if (np.diff(x) <= 0).any():
        raise ValueError("steps do not rise; sort the records by step")
    ax = own_axes(ax, 3.8, 2.4)
    (line,) = ax.plot(x, y, label=name or None)
    if rest:
        ax.fill_between(
            x, rest[0], rest[1], color=line.get_color(), alpha=0.18, lw=0
        )
    ax.set_xlabel("step")
    ax.set_ylabel(y_axis)
    ax.yaxis.grid(True)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    if name:
        ax.legend()
    return ax
