"""The look of the figures, kept in one place, and the helpers all share."""

import functools
from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np

from transformer_lib.extras import install_hint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "FONTS",
    "MEASURED_WITH",
    "PALETTE",
    "SHADES",
    "as_array",
    "canvas",
    "one_label_each",
    "own_axes",
    "styled",
    "unmeasured",
    "wide_letters",
    "widest",
]

# Okabe and Ito's colors (Color Universal Design, 2008), which readers with
# any kind of color vision can tell apart; inks and greys beside them.
PALETTE = {
    "blue": "#0072b2",
    "orange": "#d55e00",
    "green": "#009e73",
    "purple": "#aa4a8a",
    "ink": "#1f2933",
    "dim": "#56616c",
    "grid": "#d5dae0",
    "paper": "#ffffff",
}
# White to deep blue; lightness falls evenly, so that it also prints in grey.
SHADES = ("#ffffff", "#d3e5f2", "#8fbfde", "#3f8fc4", "#0a5c97", "#063a63")
FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', "
    "'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', "
    "'Malgun Gothic', 'DejaVu Sans', sans-serif"
)
MEASURED_WITH = "DejaVu Sans"  # matplotlib's own font, the same everywhere
STYLE = {
    "font.family": [MEASURED_WITH],
    "font.size": 10.0,
    "text.color": PALETTE["ink"],
    "axes.labelcolor": PALETTE["ink"],
    "axes.edgecolor": PALETTE["dim"],
    "axes.facecolor": PALETTE["paper"],
    "axes.labelsize": 10.0,
    "axes.titlesize": 11.0,
    "axes.titlelocation": "left",
    "axes.titlepad": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": PALETTE["dim"],
    "ytick.color": PALETTE["dim"],
    "xtick.labelcolor": PALETTE["ink"],
    "ytick.labelcolor": PALETTE["ink"],
    "grid.color": PALETTE["grid"],
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "figure.facecolor": PALETTE["paper"],
    "savefig.facecolor": "auto",
    "svg.fonttype": "none",
    "svg.hashsalt": "transformer_lib",
}


def styled(function):
    """Run `function` with the book's matplotlib settings, then undo them."""

    @functools.wraps(function)
    def inside(*args, **kwargs):
        with install_hint():
            import matplotlib as mpl
        settings = dict(STYLE)
        settings["axes.prop_cycle"] = mpl.cycler(
            color=[PALETTE[c] for c in ("blue", "orange", "green", "purple")],
            linestyle=["-", "--", "-.", ":"],
        )
        with mpl.rc_context(settings):
            return function(*args, **kwargs)

    return inside


def as_array(values: Any, name: str, ndim: int) -> np.ndarray:
    """Give `values` (array, list or torch tensor) as finite float64.

    Args:
        values: numbers with `ndim` axes.
        name: what to call them in an error.
        ndim: the number of axes wanted.

    Returns:
        float64 array, a copy where one is needed.

    Raises:
        ValueError: another number of axes, no entries, NaN or infinity.
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != ndim or array.size == 0:
        raise ValueError(
            f"{name} has shape {array.shape}; give an array that is not "
            f"empty and has {ndim} {'axis' if ndim == 1 else 'axes'}"
        )
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} holds NaN or infinity; a figure needs finite numbers"
        )
    return array


@styled
def canvas(
    rows: int = 1, columns: int = 1, width: Real = 3.8, height: Real = 2.6
) -> tuple["Figure", Any]:
    """Give an empty figure and its Axes, apart from pyplot.

    A notebook shows it only where you ask: put `picture(figure, alt=...)`
    at the end of the cell.

    Args:
        rows, columns: panels down and across.
        width, height: inches. For one panel the size of its plane, to which
            the labels add theirs; for several, of the whole figure. Up to
            4.6 inches in all the text stays legible on a telephone.

    Returns:
        (figure, axes): axes is one Axes, or an array of them.
    """
    from matplotlib.figure import Figure

    if rows * columns == 1:
        figure = Figure(figsize=(width, height))
        return figure, figure.add_axes((0.0, 0.0, 1.0, 1.0))
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns)


def own_axes(ax: "Axes | None", width: Real, height: Real) -> "Axes":
    return canvas(width=width, height=height)[1] if ax is None else ax


def wide_letters(text: str) -> int:
    """Count the letters of `text` that are as wide as they are high."""
    return sum(east_asian_width(c) in "WF" for c in text)


def widest(labels: Iterable[str]) -> float:
    """The width of the widest label, in units of the font size."""
    return max(0.58 * len(text) + 0.42 * wide_letters(text) for text in labels)


def unmeasured(text: str) -> float:
    """The width that matplotlib overlooks, in units of the font size.

    Its font has no Hangul. Up to version 3.10 it counts such a letter as 0.6
    wide; a browser draws it up to 1 wide.
    """
    import matplotlib as mpl

    return 0.4 * wide_letters(text) if mpl.__version_info__ < (3, 11) else 0.0


def one_label_each(names: Iterable[Any], count: int, what: str) -> list[str]:
    labels = [str(name) for name in names]
    if len(labels) != count:
        raise ValueError(
            f"{len(labels)} labels came for {count} {what}; give one each"
        )
    return labels
