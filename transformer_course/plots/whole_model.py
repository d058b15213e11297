"""The whole model as boxes and arrows, from bottom to top."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transformer_course.plots.style import PALETTE, own_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "BLOCKS",
    "REPEATED",
    "SKIPS",
    "STEPS",
    "ModelBlock",
    "ModelStep",
    "whole_model",
]


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
_ADD_NORM = "add, norm"  # drawn as a sum and a norm above it
_SUM, _SPLIT = 0.8, 0.75  # from a sub-layer to its sum, from there to the norm
# What each attention gets from below.
_INPUTS = {
    "encoder_attention": "Q, K, V",
    "decoder_attention": "Q, K, V",
    "cross_attention": "Q",
}
# (stack, first row, last row) of what is repeated N times.
REPEATED = ((0, 3, 6), (1, 3, 8))
# (stack, row of the sub-layer, row of the addition) of every skip.
SKIPS = tuple((stack, row, row + 1) for stack, row in
              ((0, 3), (0, 5), (1, 3), (1, 5), (1, 7)))  # fmt: skip


@dataclass(frozen=True)
class ModelStep:
    """One of the fourteen steps of chapter 11.

    Attributes:
        number: from 1 to 14, in the order in which a sentence passes.
        words: what happens in it.
        blocks: the keys of the blocks that do it, from below. Steps 5 and 10
            repeat these blocks; steps 12 to 14 use the finished drawing.
    """

    number: int
    words: str
    blocks: tuple[str, ...] = ()


def _steps(text: str) -> tuple[ModelStep, ...]:
    found = []
    for number, line in enumerate(text.strip().splitlines(), start=1):
        words, _, keys = line.strip().partition(" = ")
        found.append(ModelStep(number, words, tuple(keys.split())))
    return tuple(found)


STEPS = _steps("""
    cut the source into tokens = source
    embed it, add positions = source_embedding source_positions
    self-attention, add, norm = encoder_attention encoder_norm_1
    feed-forward, add, norm = encoder_feed encoder_norm_2
    repeat 3 and 4 in N layers; the last output is the memory = memory
    shift the target, embed it = target target_embedding target_positions
    masked self-attention, add, norm = decoder_attention decoder_norm_1
    cross-attention, add, norm = cross_attention decoder_norm_2
    feed-forward, add, norm = decoder_feed decoder_norm_3
    repeat 7, 8 and 9 in N layers
    output scores and softmax = output softmax
    loss, gradient, one update of all weights
    the next mini-batch
    in use: append the next word, and again
""")


@styled
def whole_model(
    ax: "Axes | None" = None,
    *,
    marked: tuple[str, ...] = (),
    layers: str = "N ×",
    steps: bool = False,
) -> "Axes":
    """Draw encoder and decoder, box by box.

    A block "add, norm" is drawn in two pieces, the sum and the norm above it,
    so that one sees which of them a residual connection leads to.

    Args:
        ax: Axes to draw in, or None for a new figure.
        marked: keys of the blocks that are filled.
        layers: how often each frame is repeated, as it is written.
        steps: put the numbers 1 to 14 of `STEPS` beside what does them, and
            draw the two loops around the model, training and use.

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
    ax = own_axes(ax, 4.4 if steps else 4.8, 5.3)
    ax.set(xlim=(-1.95, 4.65), ylim=(-0.5, 12.0))
    if steps:
        ax.set_xlim(-2.35, 5.05)
    ax.axis("off")
    for stack, first, last in REPEATED:
        _frame(ax, stack, first, last, layers)
    for block in BLOCKS:
        _box(ax, block, block.key in marked)
    for below, above in zip(BLOCKS, BLOCKS[1:], strict=False):
        if below.stack == above.stack:
            _between(ax, below, above)
    for skip in SKIPS:
        _skip(ax, *skip)
    _across(ax)
    if steps:
        _loops(ax)
        _numbers(ax)
    return ax


def _x(stack: int) -> float:
    return 2.7 * stack


def _y(stack: int, row: int) -> float:
    """The height of a box; a sum takes room of its own below its norm."""
    sums = sum(
        block.words == _ADD_NORM
        for block in BLOCKS
        if block.stack == stack and block.row <= row
    )
    return row + sums * (_SUM + _SPLIT - 1)


def _between(ax: "Axes", below: ModelBlock, above: ModelBlock) -> None:
    """The arrow from one box to the next, through a sum if there is one."""
    x, start = _x(below.stack), _y(below.stack, below.row) + 0.27
    end = _y(above.stack, above.row) - 0.27
    if above.words == _ADD_NORM:
        middle = end + 0.27 - _SPLIT
        _arrow(ax, (x, start), (x, middle - 0.15))
        _sum(ax, x, middle)
        start = middle + 0.17
    _arrow(ax, (x, start), (x, end))
    if above.key in _INPUTS:
        right = above.stack == 0  # the residual connection is on the left
        ax.text(
            x + (0.12 if right else -0.12), end - 0.21, _INPUTS[above.key],
            ha="left" if right else "right", va="center", fontsize=8,
            color=PALETTE["dim"],
        )  # fmt: skip


def _sum(ax: "Axes", x: float, y: float) -> None:
    look = {
        "boxstyle": "circle,pad=0.12",
        "facecolor": PALETTE["paper"],
        "edgecolor": PALETTE["dim"],
    }
    ax.text(x, y, "+", fontsize=8.5, ha="center", va="center", bbox=look)


def _box(ax: "Axes", block: ModelBlock, filled: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    plain = block.key in ("source", "target")
    ax.add_patch(
        FancyBboxPatch(
            (_x(block.stack) - 0.92, _y(block.stack, block.row) - 0.27),
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
        _y(block.stack, block.row),
        "norm" if block.words == _ADD_NORM else block.words,
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
    left = _x(stack) - 1.0 - 0.36 * (stack == 0)
    low, high = _y(stack, first) - 0.68, _y(stack, last) + 0.42
    ax.add_patch(
        Rectangle(
            (left, low),
            2.36,
            high - low,
            fill=False,
            edgecolor=PALETTE["dim"],
            linestyle=":",
            linewidth=1.2,
        )
    )
    ax.text(
        _x(stack) + side * 1.46,
        (low + high) / 2,
        words,
        ha="left" if stack else "right",
        va="center",
        fontsize=9,
        fontweight="bold",
    )


def _skip(ax: "Axes", stack: int, row: int, end: int) -> None:
    """The residual connection past a sub-layer, on the outer side."""
    side = 1 if stack else -1
    x, purple = _x(stack), PALETTE["purple"]
    far = x + side * 1.13
    low, high = _y(stack, row) - 0.5, _y(stack, end) - _SPLIT
    ax.plot([x, far, far], [low, low, high], color=purple, lw=1.3, ls="-")
    ax.annotate(
        "",
        (x + side * 0.15, high),
        (far + side * 0.02, high),
        arrowprops={"arrowstyle": "->", "color": purple, "linewidth": 1.3},
    )


def _across(ax: "Axes") -> None:
    """From the memory into the cross-attention of every decoder layer."""
    rows = {block.key: _y(block.stack, block.row) for block in BLOCKS}
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
        "K, V\nfor all\nlayers",
        ha="center",
        va="bottom",
        fontsize=8,
        color=orange,
    )


def _numbers(ax: "Axes") -> None:
    """A disc with its number at the first block of each step."""
    rows = {block.key: block for block in BLOCKS}
    for step in STEPS[:4] + STEPS[5:9] + STEPS[10:11]:
        block = rows[step.blocks[0]]
        inner = -1 if block.stack else 1
        x = _x(block.stack) + inner * 1.0
        _disc(ax, x, _y(block.stack, block.row) + 0.3, step.number)
    for (stack, first, last), number in zip(REPEATED, (5, 10), strict=True):
        low, high = _y(stack, first) - 0.68, _y(stack, last) + 0.42
        x = _x(stack) + (1.7 if stack else -1.7)
        _disc(ax, x, (low + high) / 2 + 0.55, number)


def _loops(ax: "Axes") -> None:
    """Steps 12 and 13 on the left of the model, step 14 on its right."""
    top, inside = _y(1, 10), 0.92
    green, blue = PALETTE["green"], PALETTE["blue"]
    _loop(ax, green, [(_x(1) - inside, top), (inside, top)])
    ax.text(
        0, top, "loss, update", ha="center", va="center", fontsize=8.5,
        color=green,
    )  # fmt: skip
    left, right = -2.15, _x(1) + 2.15
    _loop(ax, green, [(-inside, top), (left, top), (left, 0), (-inside, 0)])
    _loop(
        ax,
        blue,
        [(_x(1) + inside, top), (right, top), (right, 0), (_x(1) + inside, 0)],
    )
    for x, words, color in (
        (left + 0.1, "next\nbatch", green),
        (right - 0.1, "next\nword", blue),
    ):
        ax.text(
            x, 0.18, words, ha="left" if x < 0 else "right", va="bottom",
            fontsize=8, color=color,
        )  # fmt: skip
    _disc(ax, inside, top + 0.27, 12)
    _disc(ax, left, 1.6, 13)
    _disc(ax, right, 1.6, 14)


def _loop(ax: "Axes", color: str, path: list[tuple[float, float]]) -> None:
    ax.plot(*zip(*path[:-1], strict=True), color=color, lw=1.3, ls="--")
    style = {"arrowstyle": "->", "color": color, "linewidth": 1.3, "ls": "--"}
    ax.annotate("", path[-1], path[-2], arrowprops=style)


def _disc(ax: "Axes", x: float, y: float, number: int) -> None:
    look = {
        "boxstyle": f"circle,pad={0.18 if number < 10 else 0.14}",
        "facecolor": PALETTE["ink"],
        "edgecolor": PALETTE["paper"],
    }
    ax.text(
        x, y, str(number), fontsize=8 if number < 10 else 7.5, ha="center",
        va="center", color=PALETTE["paper"], fontweight="bold", bbox=look,
    )  # fmt: skip
