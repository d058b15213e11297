"""The whole model as boxes and arrows, from bottom to top."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transformer_lib.course.plots.style import PALETTE, own_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BLOCKS", "REPEATED", "SKIPS", "ModelBlock", "whole_model"]


@dataclass(frozen=True)
class ModelBlock:
    """One box of the drawing.

    Attributes:
        key: short name, the same in every drawing of the model.
        words: what stands in the box.
        stack: 0 for the encoder on the left, 1 for the decoder.
        row: how many boxes stand below it.
    """

    key: str
    words: str
    stack: int
    row: int


def _stack(stack: int, names: str) -> list[ModelBlock]:
    pairs = [pair.split("=") for pair in names.split("; ")]
    return [ModelBlock(k, w, stack, row) for row, (k, w) in enumerate(pairs)]


# In the order in which the vectors pass them.
BLOCKS = (
    *_stack(
        0,
        "source=source tokens; source_embedding=embedding · √d; "
        "source_positions=+ positions; encoder_attention=self-attention; "
        "encoder_norm_1=add, norm; encoder_feed=feed-forward; "
        "encoder_norm_2=add, norm; memory=memory z",
    ),
    *_stack(
        1,
        "target=target, shifted; target_embedding=embedding · √d; "
        "target_positions=+ positions; decoder_attention=masked self-att.; "
        "decoder_norm_1=add, norm; cross_attention=cross-attention; "
        "decoder_norm_2=add, norm; decoder_feed=feed-forward; "
        "decoder_norm_3=add, norm; output=output scores; softmax=softmax",
    ),
)
# (stack, first row, last row) of what is repeated N times.
REPEATED = ((0, 3, 6), (1, 3, 8))
# (stack, row of the sub-layer, row of the addition) of every skip.
SKIPS = tuple((stack, row, row + 1) for stack, row in
              ((0, 3), (0, 5), (1, 3), (1, 5), (1, 7)))  # fmt: skip


@styled
def whole_model(
    ax: "Axes | None" = None,
    *,
    marked: tuple[str, ...] = (),
    layers: str = "N ×",
) -> "Axes":
    """Draw encoder and decoder, box by box.

    Args:
        ax: Axes to draw in, or None for a new figure.
        marked: keys of the blocks that are filled.
        layers: how often each frame is repeated, as it is written.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: a key that no block has.

    Chapter 11.
    """
    unknown = set(marked) - {block.key for block in BLOCKS}
    if unknown:
        known = ", ".join(block.key for block in BLOCKS)
        raise ValueError(
            f"no block is called {sorted(unknown)[0]!r}; choose from {known}"
        )
    ax = own_axes(ax, 4.5, 4.9)
    ax.set(xlim=(-1.35, 4.05), ylim=(-0.6, 11.1))
    ax.axis("off")
    for stack, first, last in REPEATED:
        _frame(ax, stack, first, last, layers)
    for block in BLOCKS:
        _box(ax, block, block.key in marked)
    for below, above in zip(BLOCKS, BLOCKS[1:], strict=False):
        if below.stack == above.stack:
            _arrow(ax, (_x(below.stack), below.row + 0.34),
                   (_x(below.stack), above.row - 0.34))  # fmt: skip
    for skip in SKIPS:
        _skip(ax, *skip)
    _across(ax)
    return ax


def _x(stack: int) -> float:
    return 2.7 * stack


def _box(ax: "Axes", block: ModelBlock, filled: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    plain = block.key in ("source", "target")
    ax.add_patch(
        FancyBboxPatch(
            (_x(block.stack) - 0.92, block.row - 0.27),
            1.84,
            0.54,
            boxstyle="round,pad=0.0,rounding_size=0.12",
            facecolor=PALETTE["blue"] if filled else PALETTE["paper"],
            edgecolor=PALETTE["paper"] if plain else PALETTE["dim"],
            linewidth=1,
        )
    )
    ax.text(
        _x(block.stack),
        block.row,
        block.words,
        ha="center",
        va="center",
        fontsize=8.5,
        color=PALETTE["paper"] if filled else PALETTE["ink"],
    )


def _arrow(ax: "Axes", start: Any, end: Any) -> None:
    style = {"arrowstyle": "->", "color": PALETTE["dim"]}
    ax.annotate("", end, start, arrowprops=style)


def _frame(ax: "Axes", stack: int, first: int, last: int, words: str) -> None:
    from matplotlib.patches import Rectangle

    side = 1 if stack else -1
    left = _x(stack) - 1.0 - 0.28 * (stack == 0)
    low, high = first - 0.62, last + 0.42
    ax.add_patch(
        Rectangle(
            (left, low),
            2.28,
            high - low,
            fill=False,
            edgecolor=PALETTE["dim"],
            linestyle=":",
            linewidth=1.2,
        )
    )
    ax.text(
        _x(stack) - side * 1.08,
        last + 0.1 if stack else first - 0.3,
        words,
        ha="right" if stack else "left",
        va="center",
        fontsize=9,
        fontweight="bold",
    )


def _skip(ax: "Axes", stack: int, row: int, end: int) -> None:
    """The wire past a sub-layer, on the outer side."""
    side = 1 if stack else -1
    x, blue = _x(stack), PALETTE["blue"]
    far = x + side * 1.13
    ys = [row - 0.5, row - 0.5, end]
    ax.plot([x, far, far], ys, color=blue, lw=1.3, ls="-")
    ax.annotate(
        "",
        (x + side * 0.92, end),
        (far + side * 0.02, end),
        arrowprops={"arrowstyle": "->", "color": blue, "linewidth": 1.3},
    )


def _across(ax: "Axes") -> None:
    """From the memory into the cross-attention of every decoder layer."""
    rows = {block.key: block.row for block in BLOCKS}
    orange, middle = PALETTE["orange"], 1.35
    memory, cross = rows["memory"], rows["cross_attention"]
    xs = [0.92, middle, middle]
    ax.plot(xs, [memory, memory, cross], color=orange, lw=1.8, ls="-")
    ax.annotate(
        "",
        (_x(1) - 0.92, cross),
        (middle - 0.02, cross),
        arrowprops={"arrowstyle": "->", "color": orange, "linewidth": 1.8},
    )
    ax.text(
        middle - 0.07,
        memory + 0.15,
        "K, V for\nall layers",
        ha="center",
        va="bottom",
        fontsize=8,
        color=orange,
    )
