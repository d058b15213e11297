"""A recurrent encoder and decoder, drawn with one box for each step."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from transformer_course.plots.style import (
    PALETTE,
    as_array,
    own_axes,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["unrolled"]

_ARROW = {
    "arrowstyle": "->",
    "color": PALETTE["dim"],
    "shrinkA": 0,
    "shrinkB": 0,
}
_GAP = 0.5  # between the encoder and the decoder, in steps
_HALF = 0.34  # from the middle of a box to its edge
_WORDS, _CONTEXT = -1.15, 1.75  # heights of the words and of the context
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@styled
def unrolled(
    source: Sequence[str],
    target: Sequence[str],
    ax: "Axes | None" = None,
    *,
    weights: Any = None,
    step: int = -1,
    title: str = "",
) -> "Axes":
    """Draw an encoder and a decoder, step by step from left to right.

    The encoder reads a word at each step and hands its hidden state on; the
    decoder starts from the last one and writes. A word that is written goes
    into the next step. With weights, one step of the decoder also gets a
    mixture of all hidden states of the encoder; without, the last hidden
    state of the encoder is marked.

    Args:
        source: S words that are read.
        target: T words that are written.
        ax: Axes to draw in, or None for a new figure.
        weights: (S,) attention weights of that step, or None.
        step: the step of the decoder that looks back, from 0 to T - 1, or
            from the end.
        title: a line above.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: no words, or not one weight for each source word.
        IndexError: no such step.

    Source: Sutskever et al. 2014; Bahdanau et al. 2015. Chapter 1.
    """
    if not source or not target:
        raise ValueError(
            f"{len(source)} source and {len(target)} target words came; give "
            "at least one of each"
        )
    ax = own_axes(ax, 4.5, 1.5)
    reads = [float(j) for j in range(len(source))]
    writes = [len(source) + _GAP + i for i in range(len(target))]
    marked = reads[-1] if weights is None else None
    for left, right in zip(reads + writes, reads[1:] + writes, strict=False):
        _arrow(ax, (left + _HALF, 0), (right - _HALF, 0))
    for letter, places in (("h", reads), ("g", writes)):
        for i, x in enumerate(places, 1):
            _box(ax, x, f"{letter}{str(i).translate(_SUBSCRIPTS)}", x == marked)
    for x, word in zip(reads, source, strict=True):
        ax.text(x, _WORDS, word, ha="center", va="center")
        _arrow(ax, (x, _WORDS + 0.3), (x, -_HALF))
    for x, word in zip(writes, target, strict=True):
        ax.text(x, _WORDS, word, ha="center", va="center")
        _arrow(ax, (x, -_HALF), (x, _WORDS + 0.3))
    for x in writes[:-1]:  # what was written is read at the next step
        _arrow(ax, (x + 0.2, _WORDS + 0.3), (x + 1 - 0.2, -_HALF))
    if weights is not None:
        _look_back(ax, reads, writes[step], _checked(weights, source))
    ax.axis("off")
    high = 0.8 if weights is None else _CONTEXT + 0.4
    ax.set(xlim=(-0.7, writes[-1] + 0.7), ylim=(_WORDS - 0.4, high))
    if title:
        ax.set_title(title)
    return ax


def _checked(weights: Any, source: Sequence[str]) -> Any:
    row = as_array(weights, "weights", 1)
    if len(row) != len(source) or row.min() < 0 or abs(row.sum() - 1) > 1e-3:
        raise ValueError(
            f"{len(row)} weights with the sum {row.sum():.3g} came; "
            f"{len(source)} source words want one each, at least 0, and the "
            "sum 1"
        )
    return row


def _look_back(ax: "Axes", reads: list, x: float, row: Any) -> None:
    """Lines from the hidden states to a mixture, and from it to the step."""
    orange = PALETTE["orange"]
    for j, weight in zip(reads, row, strict=True):
        if weight > 0:
            ax.plot(
                [j, x], [_HALF, _CONTEXT], "-", color=orange,
                linewidth=0.8 + 3.2 * weight, alpha=0.3 + 0.6 * weight,
                zorder=1,
            )  # fmt: skip
    _arrow(ax, (x, _CONTEXT), (x, _HALF), orange)
    look = {"boxstyle": "circle,pad=0.25", "fc": PALETTE["paper"]}
    ax.text(x, _CONTEXT, "c", ha="center", va="center", color=orange,
            bbox={**look, "ec": orange})  # fmt: skip


def _arrow(
    ax: "Axes", start: tuple, end: tuple, color: str = PALETTE["dim"]
) -> None:
    ax.annotate("", end, start, arrowprops={**_ARROW, "color": color})


def _box(ax: "Axes", x: float, name: str, marked: bool) -> None:
    color = PALETTE["orange" if marked else "dim"]
    ax.text(
        x, 0, name, ha="center", va="center",
        color=PALETTE["orange" if marked else "ink"],
        bbox={
            "boxstyle": "round,pad=0.3",
            "facecolor": PALETTE["paper"],
            "edgecolor": color,
            "linewidth": 2 if marked else 1,
        },
    )  # fmt: skip
