"""The residual stream: what a vector is made of, layer after layer."""

import math

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    short,
)

LAYERS = 6
WIRINGS = ("pre-norm", "post-norm")
_WIDE, _HIGH = 360.0, 316.0
_LOW, _TOP = 286.0, 26.0  # where the stream begins and ends
_STREAM, _THIN = 40.0, 6.0  # its place, and its width at the embedding
_BLOCK, _WIDTH = 86.0, 78.0  # the sub-layers
_BAR, _ROOM = 188.0, 122.0  # the shares
_PURPLE = "var(--residual,var(--x-purple))"  # as in the book's drawing


def residual_stream(ratio: float = 1.0) -> Explorer:
    """Follow one word's vector through the sub-layers of an encoder.

    Each sub-layer adds a vector at a right angle to all that is there. In
    post-norm it is `ratio` times as long as the stream, and the norm then
    brings the sum back to its old length; in pre-norm it is `ratio` times as
    long as the embedding was.

    Args:
        ratio: length of what a sub-layer adds, above 0.

    Returns:
        An Explorer with sliders for the number of sub-layers that have
        written and for the wiring; `live()` changes the ratio, too.

    Raises:
        ValueError: a ratio that is not above 0.

    Chapter 5.
    """
    if not ratio > 0:
        raise ValueError(f"ratio={ratio} came; give a length above 0")
    written = tuple(str(count) for count in range(2 * LAYERS + 1))

    def redraw(count: float, ratio: float, wiring: int) -> Frame:
        return _frame(round(count), wiring, float(ratio))

    return Explorer(
        "The residual stream through the layers",
        [Slider("sub-layers that have written", written, 2 * LAYERS),
         Slider("norm", WIRINGS)],
        lambda count, wiring: _frame(count, wiring, ratio),
        [
            Number("sub-layers", 0, 2 * LAYERS, 1, 2 * LAYERS),
            Number("length of a change", 0.1, 2, 0.1, ratio),
            Choice("norm", WIRINGS),
        ],
        redraw,
    )  # fmt: skip


def shares(count: int, wiring: int, ratio: float) -> list[float]:
    """Return the share of each writer in the square of the stream's length.

    Args:
        count: sub-layers that have written.
        wiring: 0 for pre-norm, 1 for post-norm.
        ratio: length of a change.

    Returns:
        count + 1 numbers that add up to 1, the first for the embedding.
    """
    squares = [1.0]
    for _ in range(count):
        # In post-norm the change grows with what is there already.
        base = sum(squares) if wiring else 1.0
        squares.append(base * ratio**2)
    whole = sum(squares)
    return [square / whole for square in squares]


def _length(count: int, wiring: int, ratio: float) -> float:
    """How long the stream is; the embedding's length is 1."""
    return 1.0 if wiring else math.sqrt(1 + count * ratio**2)


def _height(count: float) -> float:
    return _LOW - (_LOW - _TOP) * count / (2 * LAYERS)


def _frame(count: int, wiring: int, ratio: float) -> Frame:
    parts = [_stream(count, wiring, ratio), *_wires(count)]
    parts += [_writer(place, count) for place in range(2 * LAYERS)]
    parts += _made_of(count, wiring, ratio)
    parts.append(label(_STREAM, _LOW + 17, "embedding", "x-mid"))
    return Frame(_WIDE, _HIGH, "".join(parts), _words(count, wiring, ratio))


def _stream(count: int, wiring: int, ratio: float) -> str:
    """A band as wide as the stream is long, up to where it has come."""
    high = (_LOW - _TOP) / (2 * LAYERS)
    band = ""
    for place in range(count + 1):
        wide = _THIN * _length(place, wiring, ratio)
        band += _bar(_STREAM - wide / 2, _height(place) - high + 4, wide, high)
    ahead = f"M{_STREAM:g} {short(_height(count) - high + 4)}V4"
    return element(
        "path", d=ahead, class_="x-line x-soft", stroke_dasharray="2 3"
    ) + element("path", d=band, style=f"fill:{_PURPLE}")


def _bar(x: float, y: float, wide: float, high: float) -> str:
    """The path of a rectangle."""
    down = f"h{short(wide)}v{short(high)}h{short(-wide)}z"
    return f"M{short(x)} {short(y)}{down}"


def _wires(count: int) -> list[str]:
    """The ways into the sub-layers and back, of those that have written."""
    near, far = _STREAM + 14, _BLOCK - 4
    wires = ["", ""]
    for place in range(2 * LAYERS):
        y = _height(place + 1) + 4
        wires[place >= count] += f"M{near:g} {short(y + 12)}H{far:g}"
        wires[place >= count] += (
            f"M{far:g} {short(y + 4)}H{near:g}m4 -3l-4 3l4 3"
        )
    return [
        element("path", d=path, class_=class_)
        for path, class_ in zip(wires, ("x-line", "x-line x-soft"), strict=True)
        if path
    ]


def _writer(place: int, count: int) -> str:
    """A sub-layer beside the stream; the last one that wrote is framed."""
    y = _height(place + 1) + 4
    last = place == count - 1
    name = "FFN" if place % 2 else "attention"
    look = "x-mid x-strong" if last else "x-mid"
    if place >= count:
        look += " x-dim"
    frame = "x-halo" if last else "x-track"
    return box(_BLOCK, y, _WIDTH, 17, frame, rx=4) + label(
        _BLOCK + _WIDTH / 2, y + 13, name, look
    )


def _made_of(count: int, wiring: int, ratio: float) -> list[str]:
    """One bar for each writer: how much of the vector is its own."""
    parts = [label(_BAR, 14, "share in x", "x-dim")]
    others = ""
    for place, share in enumerate(shares(count, wiring, ratio)):
        y = _height(place) + 4
        bar = _bar(_BAR, y, _ROOM * share, 16)
        if place == 0:
            parts.append(element("path", d=bar, style=f"fill:{_PURPLE}"))
        else:
            others += bar
        if place in (0, count):
            x = _BAR + _ROOM * share + 5
            parts.append(label(x, y + 13, _percent(share), "x-strong"))
    if others:
        parts.append(element("path", d=others, class_="x-fill x-soft"))
    return parts


def _percent(share: float) -> str:
    if share < 0.01:
        return f"{fixed(100 * share, 2)} %"
    return f"{fixed(100 * share, 0)} %"


def _words(count: int, wiring: int, ratio: float) -> str:
    """The frame in words."""
    start = f"{WIRINGS[wiring].capitalize()}, "
    if not count:
        return start + "nothing written yet: x is the embedding."
    share = shares(count, wiring, ratio)[0]
    many = "1 sub-layer" if count == 1 else f"{count} sub-layers"
    return (
        f"{start}after {many}: x is {fixed(_length(count, wiring, ratio), 2)} "
        f"times as long as the embedding, whose squared length is "
        f"{_percent(share)} of that of x; the cosine of the two is "
        f"{fixed(share**0.5, 3)}."
    )
