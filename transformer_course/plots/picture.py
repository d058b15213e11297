"""A figure as an SVG with alternative text, the same at every run."""

import html
import io
import math
import re
import sys
import warnings
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_course.plots.style import (
    FONTS,
    MEASURED_WITH,
    styled,
    unmeasured,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Picture", "picture"]


class Picture:
    """A finished figure: an SVG and the sentence that stands for it.

    Notebooks and the book show the SVG; readers who cannot see it, and the
    terminal, get the sentence.

    Attributes:
        svg: the drawing, one `<svg>` element.
        alt: the alternative text.
    """

    def __init__(self, svg: str, alt: str) -> None:
        self.svg = svg
        self.alt = alt

    def __repr__(self) -> str:
        return f"Picture: {self.alt}"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}


@styled
def picture(drawn: Any, alt: str, width: Real | None = None) -> Picture:
    """Turn Axes or a Figure into an SVG that says the same at every run.

    Labels stay text: they can be searched, copied and read aloud, and the
    reader's browser finds the letters (matplotlib's font has no Hangul).

    Args:
        drawn: the Axes or Figure.
        alt: one or two sentences for those who do not see the figure: what
            it shows, not that it is one.
        width: in CSS pixels; None keeps the figure's own size. It shrinks
            where the page is narrower.

    Returns:
        A Picture. A figure that pyplot holds is closed, so that a notebook
        does not show it twice.

    Raises:
        ValueError: no alternative text, or panels without room.
        TypeError: `drawn` is neither Axes nor Figure.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(
            "alt is empty; say in one sentence what the figure shows"
        )
    figure = drawn.get_figure() if hasattr(drawn, "get_figure") else None
    if not hasattr(figure, "savefig"):
        raise TypeError(
            f"picture got {type(drawn).__name__}; give Axes or a Figure"
        )
    svg = _draw(figure)
    _close(figure)
    return Picture(_finish(svg, alt.strip(), width), alt.strip())


def _draw(figure: "Figure") -> str:
    text = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")
        warnings.filterwarnings("error", "constrained_layout not applied")
        try:
            figure.draw_without_rendering()
        except UserWarning:
            raise ValueError(
                "the labels leave no room for the panels; give canvas a "
                "larger width or height"
            ) from None
        figure.savefig(
            text,
            format="svg",
            bbox_inches=_outline(figure),
            metadata=dict.fromkeys(["Date", "Creator", "Format", "Type"]),
        )
    return text.getvalue()


def _outline(figure: "Figure") -> Any:
    """The box around all that is drawn, in inches, with a thin margin.

    It grows by what matplotlib does not measure, as each text runs.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    renderer = FigureCanvasAgg(figure).get_renderer()
    corners = [figure.get_tightbbox(renderer).get_points()]
    for text in figure.findobj(Text):
        missing = unmeasured(text.get_text()) * text.get_fontsize() / 72
        if not missing or not text.get_visible():
            continue
        turn = math.radians(text.get_rotation())
        along = missing * np.array([math.cos(turn), math.sin(turn)])
        before, after = {"left": (0, 1), "right": (1, 0)}.get(
            text.get_horizontalalignment(), (0.5, 0.5)
        )
        own = text.get_window_extent(renderer).get_points() / figure.dpi
        corners += [own - before * along, own + after * along]
    points = np.concatenate(corners)
    return Bbox([points.min(axis=0) - 0.06, points.max(axis=0) + 0.06])


def _close(figure: "Figure") -> None:
    """Take the figure from pyplot's list if it stands there."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(figure)


def _finish(svg: str, alt: str, width: Real | None) -> str:
    """Keep the `<svg>` alone; add title, role and fonts, drop unused ids."""
    svg = svg[svg.index("<svg") :]
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(
        r' id="([^"]*)"',
        lambda found: found[0] if found[1] in used else "",
        svg,
    )
    svg = svg.replace(
        f"font-family: '{MEASURED_WITH}'", f"font-family: {FONTS}"
    )
    opening, rest = svg.split(">", 1)
    points = [float(n) for n in re.findall(r'="([\d.]+)pt"', opening)]
    wide = width or points[0] * 4 / 3
    high = wide * points[1] / points[0]
    opening = re.sub(
        r' width="[\d.]+pt" height="[\d.]+pt"',
        f' width="{wide:.0f}" height="{high:.0f}"'
        ' style="max-width: 100%; height: auto" role="img"',
        opening,
    )
    title = html.escape(alt, quote=False)
    return f"{opening}><title>{title}</title>{rest}".strip() + "\n"
