"""The matrices of one head, drawn to scale: sizes, without any numbers."""

from typing import TYPE_CHECKING

from transformer_lib.course.plots.style import PALETTE, own_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["head_sizes"]

_SPACE = 4.0  # between two matrices, in cells; the names stand there, too


@styled
def head_sizes(
    n_q: int,
    n_k: int,
    d: int,
    d_k: int,
    d_v: int,
    ax: "Axes | None" = None,
    *,
    row: int = 0,
) -> "Axes":
    """Draw head 1 of two from Q, K and V to the result, one unit a cell.

    Blue: what belongs to head 1. Orange: one query, in every matrix that has
    a row for it.

    Args:
        n_q: tokens that query.
        n_k: tokens that are read.
        d: width of the model.
        d_k: width of the head's queries and keys.
        d_v: width of its values.
        ax: Axes to draw in, or None for a new figure.
        row: the query to be followed, counted from 0.

    Returns:
        The Axes, without ticks.

    Raises:
        ValueError: a size below 1, or no such query.

    Chapter 7.
    """
    if min(n_q, n_k, d, d_k, d_v) < 1 or not 0 <= row < n_q:
        raise ValueError(
            f"n_q={n_q}, n_k={n_k}, d={d}, d_k={d_k}, d_v={d_v} and "
            f"row={row} came; give sizes from 1, and a row below n_q"
        )
    # Where three columns and four rows of matrices begin.
    second = max(d, n_k, 2 * d_v) + _SPACE
    third = second + max(d_k, n_k) + _SPACE
    both = (second + third + d_v - d) / 2
    most = max(n_q, n_k)
    low = most + _SPACE
    lower = low + most + _SPACE
    lowest = lower + n_q + _SPACE
    ax = own_axes(ax, 0.16 * (third + d), 0.16 * (lowest + n_q + 1))
    q, kv = (0, most - n_q), (both, most - n_k)
    query = ((d - d_k) / 2, low + most - n_q)
    key, value = (second, low + most - n_k), (third, low + most - n_k)
    head = (third, lower)
    scores, weights = (0, lower), (second, lower)
    joined, result = (0, lowest), (both, lowest)
    mine = range(d_k)
    for name, shape, at, follow, columns in [
        ("Q", (n_q, d), q, True, ()),
        ("K = V", (n_k, d), kv, False, ()),
        ("Q W$^Q_1$", (n_q, d_k), query, True, mine),
        ("K W$^K_1$", (n_k, d_k), key, False, mine),
        ("V W$^V_1$", (n_k, d_v), value, False, range(d_v)),
        ("scores", (n_q, n_k), scores, True, ()),
        ("weights", (n_q, n_k), weights, True, ()),
        ("head$_1$", (n_q, d_v), head, True, range(d_v)),
        ("head$_1$, head$_2$", (n_q, 2 * d_v), joined, True, range(d_v)),
        ("result", (n_q, d), result, True, ()),
    ]:
        _matrix(ax, name, shape, at, row if follow else None, columns)
    for start, end, text in [
        (_below(q, n_q, d), _above(query, d_k), f"W$^Q_1$ ({d}, {d_k})"),
        (_below(kv, n_k, d / 2), _above(key, d_k), f"({d}, {d_k})"),
        (_below(kv, n_k, 3 * d / 2), _above(value, d_v), f"({d}, {d_v})"),
        (_below(query, n_q, d_k), _above(scores, n_k), ""),
        (_below(key, n_k, d_k), _above(scores, 1.5 * n_k), "scale"),
        (_right(scores, n_q, n_k), _left(weights, n_q), "softmax"),
        (_right(weights, n_q, n_k), _left(head, n_q), ""),
        (_below(value, n_k, d_v), _above(head, d_v), ""),
        (_below(head, n_q, 0), _above(joined, d_v), "side by side"),
        (
            _right(joined, n_q, 2 * d_v),
            _left(result, n_q),
            f"W$^O$ ({2 * d_v}, {d})",
        ),
    ]:
        _arrow(ax, start, end, text)
    ax.set(
        xlim=(-0.5, max(third + d_v, both + d) + 0.5),
        ylim=(lowest + n_q + 0.2, -1.6),
        aspect="equal",
    )
    ax.axis("off")
    return ax


def _matrix(
    ax: "Axes",
    name: str,
    shape: tuple[int, int],
    at: tuple[float, float],
    row: int | None,
    columns: range | tuple,
) -> None:
    """An empty grid with its name and size above it."""
    from matplotlib.patches import Rectangle

    (n, m), (left, top) = shape, at
    for i in range(n):
        for j in range(m):
            fill = PALETTE["blue"] if j in columns else PALETTE["paper"]
            fill = PALETTE["orange"] if i == row else fill
            corner = (left + j, top + i)
            ax.add_patch(Rectangle(corner, 1, 1, fc=fill, alpha=0.45, lw=0))
            ax.add_patch(
                Rectangle(corner, 1, 1, fill=False, ec=PALETTE["dim"], lw=0.5)
            )
    middle = left + m / 2
    ax.text(middle, top - 0.4, f"{name}  ({n}, {m})", ha="center", fontsize=9)


def _above(at: tuple, wide: float) -> tuple[float, float]:
    """Where an arrow ends that comes from above: over the name."""
    return at[0] + wide / 2, at[1] - 1.6


def _below(at: tuple, high: int, wide: float) -> tuple[float, float]:
    return at[0] + wide / 2, at[1] + high + 0.2


def _left(at: tuple, high: int) -> tuple[float, float]:
    return at[0] - 0.4, at[1] + high / 2


def _right(at: tuple, high: int, wide: float) -> tuple[float, float]:
    return at[0] + wide + 0.4, at[1] + high / 2


def _arrow(ax: "Axes", start: tuple, end: tuple, text: str) -> None:
    """An arrow with a few words, on it or, if it is level, above it."""
    look = {"arrowstyle": "->", "color": PALETTE["dim"]}
    ax.annotate("", end, start, arrowprops=look)
    lift = 0.9 if start[1] == end[1] else 0.0
    ax.text(
        (start[0] + end[0]) / 2,
        (start[1] + end[1]) / 2 - lift,
        text,
        ha="center",
        va="center",
        fontsize=8.5,
        color=PALETTE["dim"],
        bbox={"facecolor": PALETTE["paper"], "edgecolor": "none", "pad": 1},
    )
