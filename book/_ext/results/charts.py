"""Charts of measured numbers: a row a thing, a mark a measurement.

A chart is HTML and inline SVG without a script. Names stand beside their marks,
and above them on a phone; horizontal places are in per cent of the row, so that
a chart fits any width and its letters keep their size. The whole is one picture
to a screen reader; the numbers themselves stand in the table below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from inline_text import to_html


@dataclass(frozen=True)
class Row:
    """One thing and what was measured of it.

    Attributes:
        name: its name, in Markdown.
        marks: the measurements, a dot each.
        reach: the ends of a line behind the dots: of an interval, say; None
            for the smallest and the largest mark.
    """

    name: str
    marks: Sequence[float]
    reach: tuple[float, float] | None = None


@dataclass(frozen=True)
class Group:
    """Rows under a common title; "" for none."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Axis:
    """The scale of all rows of a chart.

    Attributes:
        unit: what is measured.
        ticks: where it is ruled; the first and the last are its ends.
        band: two values between which the ground is shaded, or None.
    """

    unit: str
    ticks: Sequence[float]
    band: tuple[float, float] | None = None

    def place(self, value: float) -> str:
        """Return where a value stands, in per cent of the width."""
        low, high = self.ticks[0], self.ticks[-1]
        return f"{100 * (value - low) / (high - low):.2f}%"


def row_svg(row: Row, axis: Axis) -> str:
    """Return the drawing of one row."""
    parts = []
    if axis.band is not None:
        low, high = map(axis.place, axis.band)
        width = f"{float(high[:-1]) - float(low[:-1]):.2f}%"
        parts.append(
            f'<rect class="chart-band" x="{low}" width="{width}" '
            'height="100%"/>'
        )
    for tick in map(axis.place, axis.ticks):
        parts.append(_line("chart-tick", tick, tick, "0%", "100%"))
    low, high = row.reach or (min(row.marks), max(row.marks))
    ends = axis.place(low), axis.place(high)
    parts.append(_line("chart-reach", *ends, "50%", "50%"))
    for mark in map(axis.place, row.marks):
        parts.append(f'<circle class="chart-mark" cx="{mark}" cy="50%" r="6"/>')
    return _svg(parts)


def scale_svg(axis: Axis) -> str:
    """Return the numbers below the rows."""
    return _svg(
        f'<text x="{axis.place(tick)}" y="17">{tick:g}</text>'
        for tick in axis.ticks
    )


def _line(kind: str, x1: str, x2: str, y1: str, y2: str) -> str:
    return f'<line class="{kind}" x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}"/>'


def _svg(parts: Iterable[str]) -> str:
    return f'<svg width="100%" height="32">{"".join(parts)}</svg>'


def chart(groups: Sequence[Group], axis: Axis, alt: str, says: str) -> str:
    """Return a chart as HTML.

    Args:
        groups: the rows.
        axis: their scale.
        alt: what the picture shows, for those who do not see it.
        says: the caption, in Markdown: what there is to see.
    """
    body = "".join(_group(group, axis) for group in groups)
    return (
        '<figure class="chart">'
        f'<div class="chart-groups" role="img" aria-label="{escape(alt)}">'
        f"{body}</div><figcaption>{to_html(says)}</figcaption></figure>"
    )


def _group(group: Group, axis: Axis) -> str:
    title = to_html(group.title)
    lines = [f'<div class="chart-title">{title}</div>'] * bool(title)
    for row in group.rows:
        lines.append(f'<div class="chart-name">{to_html(row.name)}</div>')
        lines.append(row_svg(row, axis))
    lines.append(f'<div class="chart-unit">{to_html(axis.unit)}</div>')
    lines.append(scale_svg(axis))
    return f'<div class="chart-group">{"".join(lines)}</div>'
