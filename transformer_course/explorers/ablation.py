"""One part of a model taken away: how it learns, and what it can do then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import (
    box,
    element,
    label,
    line,
    short,
)

WIDTH, HEIGHT = 360.0, 326.0
_LEFT, _RIGHT, _TOP, _BASE = 92.0, 346.0, 26.0, 172.0
_ROWS, _STEP = 222.0, 25.0
_CLOSE = 50.0  # two numbers on the axis need so much room


@dataclass(frozen=True)
class Runs:
    """The runs of one variant, a row a seed.

    Attributes:
        curves: for each seed the exact match at each step, in per cent.
        scores: for each split the exact match of every seed at the end.
    """

    curves: Sequence[Sequence[float]]
    scores: Mapping[str, Sequence[float]]


def take_away(
    steps: Sequence[int],
    reference: Runs,
    variants: Mapping[str, Runs],
    start: int = 0,
) -> Explorer:
    """Compare variants of a model with the reference, seed by seed.

    Above, exact match while training: the band of the reference (blue) and
    a line a seed of the variant (orange). Below, the end: a dot a seed for
    each split.

    Args:
        steps: when the curves were measured, rising.
        reference: the model with all its parts.
        variants: what was changed, in words, and the runs.
        start: the variant shown first, from 0.

    Returns:
        An Explorer with a slider for the variant.

    Raises:
        ValueError: curves that do not fit the steps, or splits that do not
            fit the reference's.

    Chapter 16.
    """
    for name, runs in [("the reference", reference), *variants.items()]:
        if any(len(curve) != len(steps) for curve in runs.curves):
            raise ValueError(
                f"{name}: curves of {sorted({*map(len, runs.curves)})} "
                f"points came for {len(steps)} steps; give one a step"
            )
        if list(runs.scores) != list(reference.scores):
            raise ValueError(
                f"{name} has the splits {', '.join(runs.scores)}; wanted are "
                f"those of the reference: {', '.join(reference.scores)}"
            )
    names = tuple(variants)

    def draw(place: int) -> Frame:
        runs = variants[names[place]]
        parts = [
            _axes(steps),
            _band(steps, reference),
            *(_curve(steps, curve) for curve in runs.curves),
            _ends(reference, runs),
            _legend(names[place]),
        ]
        words = _words(names[place], steps, reference, runs)
        return Frame(WIDTH, HEIGHT, "".join(parts), words)

    return Explorer(
        "Take one part away",
        [Slider("changed", names, start, listed=True)],
        draw,
    )


def apart(one: Sequence[float], other: Sequence[float]) -> int:
    """Say whether seeds overlap: 0, or the sign of `other` minus `one`."""
    if max(other) < min(one):
        return -1
    return int(min(other) > max(one))


def _x(step: float, steps: Sequence[int]) -> float:
    return _LEFT + (_RIGHT - _LEFT) * step / steps[-1]


def _y(value: float) -> float:
    return _BASE - (_BASE - _TOP) * value / 100


def _axes(steps: Sequence[int]) -> str:
    parts = [label(0, 12, "exact match on test, %", "x-dim")]
    for value in (0, 50, 100):
        y = _y(value)
        parts.append(line(_LEFT, y, _RIGHT, y, "x-line x-grid"))
        parts.append(label(_LEFT - 8, y + 4, str(value), "x-dim x-end"))
    for step in steps:
        x = _x(step, steps)
        last = step == steps[-1]
        if not last and _RIGHT - x < _CLOSE:
            continue  # its words would run into the last one's
        end = "x-end" if last else "x-mid"
        x = x + 8 if last else x
        parts.append(label(x, _BASE + 17, str(step), f"x-dim {end}"))
    parts.append(label(0, _BASE + 17, "after step", "x-dim"))
    return "".join(parts)


def _band(steps: Sequence[int], runs: Runs) -> str:
    """The reference from its lowest to its highest seed."""
    columns = list(zip(*runs.curves, strict=True))
    there = [(s, max(c)) for s, c in zip(steps, columns, strict=True)]
    back = [(s, min(c)) for s, c in zip(steps, columns, strict=True)][::-1]
    corners = [(0, 0), *there, *back]
    points = " ".join(
        f"{short(_x(s, steps))},{short(_y(v))}" for s, v in corners
    )
    return element(
        "polygon", points=points, class_="x-fill x-blue", opacity="0.35"
    )


def _curve(steps: Sequence[int], values: Sequence[float]) -> str:
    points = [f"{short(_x(0, steps))} {short(_y(0))}"]
    for step, value in zip(steps, values, strict=True):
        points.append(f"{short(_x(step, steps))} {short(_y(value))}")
    look = "x-line x-thin x-orange"
    return element("path", d="M" + "L".join(points), class_=look)


def _ends(reference: Runs, runs: Runs) -> str:
    """For each split the seeds of both, as dots on one scale."""
    parts = [label(0, _ROWS - 8, "at the end, by split", "x-dim")]
    for row, name in enumerate(reference.scores):
        y = _ROWS + _STEP * row + 8
        parts.append(label(0, y + 4, name))
        parts.append(box(_LEFT, y - 1, _RIGHT - _LEFT, 2, "x-track"))
        for made, look, up in (
            (reference, "x-fill x-blue", -4.0),
            (runs, "x-fill x-orange", 4.0),
        ):
            for value in made.scores[name]:
                x = _LEFT + (_RIGHT - _LEFT) * value / 100
                parts.append(
                    element("circle", cx=x, cy=y + up, r=4, class_=look)
                )
    return "".join(parts)


def _legend(name: str) -> str:
    return (
        element("circle", cx=170, cy=8, r=5, class_="x-fill x-blue")
        + label(180, 12, "all parts")
        + element("circle", cx=262, cy=8, r=5, class_="x-fill x-orange")
        + label(272, 12, "changed")
    )


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    return low if low == high else f"{low} to {high}"


def _words(name: str, steps: Sequence[int], reference: Runs, runs: Runs) -> str:
    """The frame in words."""
    early = [[curve[0] for curve in made.curves] for made in (reference, runs)]
    said = (
        f"Changed: {name}. After {steps[0]} steps {_range(early[1])} % of the "
        f"test sentences are right (all parts: {_range(early[0])}). At the "
        "end: "
    )
    rows, lower, higher = [], [], []
    for split, values in runs.scores.items():
        rows.append(f"{split} {_range(values)}")
        sign = apart(reference.scores[split], values)
        (lower if sign < 0 else higher if sign else []).append(split)
    said += ", ".join(rows) + ". "
    found = []
    if lower:
        found.append("below every seed of the reference on " + _and(lower))
    if higher:
        found.append("above every seed of it on " + _and(higher))
    verdict = "; ".join(found) or "overlapping with the reference everywhere"
    return f"{said}{verdict[0].upper()}{verdict[1:]}."


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
