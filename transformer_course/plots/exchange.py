"""Two sentences that an encoder has read, and what passes between them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from transformer_course.plots.style import (
    PALETTE,
    own_axes,
    styled,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["exchange_drawing"]

_ABOVE, _BELOW = 1.5, 0.0  # heights of the two sentences
_HIGH = 0.52  # of a box
_GAP = 0.16  # between boxes


@styled
def exchange_drawing(
    giver: Sequence[str],
    receiver: Sequence[str],
    there: int,
    here: int,
    ax: "Axes | None" = None,
    *,
    before: str = "",
    after: str = "",
    title: str = "",
) -> "Axes":
    """Draw an exchange: one position of a sentence comes from another one.

    A box is what the encoder has made of a word. The decoder reads the lower
    sentence, with one box from the upper one.

    Args:
        giver: words of the upper sentence.
        receiver: words of the lower sentence.
        there: the position of the giver whose box is taken.
        here: the position of the receiver at which it is put; negative
            positions count from the end, as in a list.
        ax: Axes to draw in, or None for a new figure.
        before: what the decoder writes of the lower sentence as it is.
        after: what it writes after the exchange.
        title: a line above.

    Returns:
        The Axes, without ticks.

    Raises:
        IndexError: a sentence has no such position.

    Source: Geiger et al. 2021. Chapter 17.
    """
    for words, place, name in ((giver, there, "giver"),
                               (receiver, here, "receiver")):  # fmt: skip
        if not -len(words) <= place < len(words):
            raise IndexError(
                f"position {place} of the {name}, which has {len(words)} "
                "words; count them from 0"
            )
    ax = own_axes(ax, 4.5, 1.9)
    there, here = there % len(giver), here % len(receiver)
    above, end = _boxes(ax, giver, _ABOVE, there)
    shown = [*receiver[:here], giver[there], *receiver[here + 1 :]]
    below, low = _boxes(ax, shown, _BELOW, here)
    ax.annotate(
        "", (below[here], _BELOW + _HIGH), (above[there], _ABOVE),
        arrowprops={"arrowstyle": "-|>", "color": PALETTE["orange"],
                    "linewidth": 2, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    right = max(end, low)
    if after:
        _written(ax, low, right, _BELOW, after)
    line = f"without the exchange: {before}" if before else ""
    for y, words in (
        (_ABOVE + _HIGH + 0.25, "the encoder has read"),
        (_BELOW + _HIGH + 0.25, "the decoder reads"),
        (_BELOW - 0.3, line),
    ):
        ax.text(0, y, words, va="center", color=PALETTE["dim"])
    wide = right + (0.6 + widest([after]) * 0.26 if after else 0)
    ax.set(xlim=(-0.05, wide), ylim=(_BELOW - 0.5, _ABOVE + _HIGH + 0.45))
    ax.axis("off")
    if title:
        ax.set_title(title)
    return ax


def _boxes(
    ax: "Axes", words: Sequence[str], y: float, marked: int
) -> tuple[list[float], float]:
    """Draw a box a word; return the middles and the right end."""
    from matplotlib.patches import FancyBboxPatch

    left, middles = 0.0, []
    for i, word in enumerate(words):
        wide = 0.3 + 0.26 * widest([word])
        color = PALETTE["orange" if i == marked else "dim"]
        ax.add_patch(
            FancyBboxPatch(
                (left, y), wide, _HIGH, boxstyle="round,pad=0,"
                "rounding_size=0.08", facecolor=PALETTE["paper"],
                edgecolor=color, linewidth=2 if i == marked else 1,
            )
        )  # fmt: skip
        ax.text(left + wide / 2, y + _HIGH / 2, word, ha="center",
                va="center", color=PALETTE["orange"] if i == marked
                else PALETTE["ink"])  # fmt: skip
        middles.append(left + wide / 2)
        left += wide + _GAP
    return middles, left - _GAP


def _written(
    ax: "Axes", start: float, right: float, y: float, words: str
) -> None:
    """An arrow to the right, and what the decoder writes."""
    middle = y + _HIGH / 2
    ax.annotate(
        "", (right + 0.45, middle), (start + 0.1, middle),
        arrowprops={"arrowstyle": "->", "color": PALETTE["dim"],
                    "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    ax.text(right + 0.55, middle, words, ha="left", va="center",
            color=PALETTE["orange"])  # fmt: skip
