"""The shapes of the book's drawing of the Transformer (machine.py).

A shape is a pair: the part that it belongs to, and its SVG.
"""

from __future__ import annotations

UPPER, LOWER, TALL = 50, 192, 46  # tops of the rows' boxes, their height

Shape = tuple[str, str]


def box(part: str, x: float, y: float, width: float, *lines: str) -> Shape:
    """Return (part, drawing): a box with one or two lines of text."""
    middle = y + TALL / 2 + 5 - 9 * (len(lines) - 1)
    text = "".join(
        f'<text x="{x + width / 2:g}" y="{middle + 18 * i:g}">{line}</text>'
        for i, line in enumerate(lines)
    )
    shape = (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{TALL}" rx="7"/>'
    )
    return part, shape + text + number(x + width / 2, y + TALL / 2)


def number(x: float, y: float) -> str:
    """Return the place of the chapter's number, which phones show."""
    return f'<text class="m-number" x="{x:g}" y="{y + 11:g}">#</text>'


def norm(x: float, y: float) -> Shape:
    """Return a layer normalization: a slim box, its name written upward."""
    center = f"{x + 11:g} {y + TALL / 2:g}"
    return (
        "norm",
        f'<rect x="{x:g}" y="{y}" width="22" height="{TALL}" rx="5"/>'
        f'<text transform="rotate(-90 {center})" x="{x + 11:g}" '
        f'y="{y + TALL / 2 + 5:g}">norm</text>' + number(x + 11, y + TALL / 2),
    )


def line(part: str, path: str, kind: str = "", tip: bool = True) -> Shape:
    """Return an arrow or a line along an SVG path."""
    end = ' marker-end="url(#m-tip)"' if tip else ""
    return part, f'<path class="m-line {kind}" d="{path}"{end}/>'


def plus(x: float, y: float, part: str = "") -> Shape:
    """Return the plus sign at which two lines meet."""
    return (
        part,
        f'<circle cx="{x:g}" cy="{y:g}" r="9"/>'
        f'<path class="m-sign" d="M{x - 5:g} {y:g}h10M{x:g} {y - 5:g}v10"/>',
    )


def residual(start: float, end: float, y: float) -> list[Shape]:
    """Return the way around a block, above it, and the plus sign."""
    top = y - TALL / 2 - 13
    path = (
        f"M{start:g} {y:g}V{top + 6:g}q0 -6 6 -6H{end - 6:g}q6 0 6 6V{y - 9:g}"
    )
    part, way = line("residual", path, "m-residual", tip=False)
    return [
        (part, way + number((start + end) / 2, top)),
        plus(end, y, "residual"),
    ]


def pre_norm(
    part: str, start: float, end: float, y: int, width: float, *lines: str
) -> list[Shape]:
    """Return a block whose norm comes first, and the way around both."""
    left, flow = start + 43, row(y)
    shapes = [
        *residual(start, end - 18, flow),
        line("", f"M{start + 31:g} {flow:g}H{left - 2:g}"),
        box(part, left, y, width, *lines),
        norm(start + 9, y),
    ]
    if part in ("self", "masked"):
        shapes += ticks(left, flow)
    onward = line("", f"M{left + width:g} {flow:g}H{end + 8:g}", tip=False)
    return [onward, *shapes]


def row(y: int) -> float:
    """Return the height at which a row's data flow."""
    return y + TALL / 2


def encoder(norm_first: bool = False) -> list[Shape]:
    """Return the upper row, with its norms after the sums or before."""
    y, flow = UPPER, row(UPPER)
    opening = [
        frame("encoder", 242, 18, 348),
        box("text", 0, y, 86, "text"),
        line("", f"M86 {flow}H98"),
        box("embedding", 99, y, 95, "embedding"),
        line("", f"M192 {flow}H256"),
        plus(214, flow, "positions"),
    ]
    if norm_first:
        return [
            *opening,
            *pre_norm("self", 249, 425, y, 100, "self-", "attention"),
            *pre_norm("forward", 425, 586, y, 88, "feed-", "forward"),
        ]
    return [
        *opening,
        *residual(249, 376, flow),
        box("self", 258, y, 100, "self-", "attention"),
        *ticks(258, flow),
        line("", f"M358 {flow}H428", tip=False),
        norm(394, y),
        *residual(425, 540, flow),
        box("forward", 434, y, 88, "feed-", "forward"),
        line("", f"M522 {flow}H590", tip=False),
        norm(556, y),
    ]


def decoder(norm_first: bool = False) -> list[Shape]:
    """Return the lower row, and what comes to it from above."""
    y, flow = LOWER, row(LOWER)
    opening = [
        frame("decoder", 242, 160, 520),
        box("written", 0, y, 86, "written", "so far"),
        line("", f"M86 {flow}H98"),
        box("embedding", 99, y, 95, "embedding"),
        line("", f"M192 {flow}H256"),
        plus(214, flow, "positions"),
    ]
    again = line(
        "again",
        f"M830 {y + TALL}V270q0 6 -6 6H49q-6 0 -6 -6V{y + TALL + 2}",
    )
    if norm_first:
        return [
            *opening,
            *pre_norm("masked", 249, 427, y, 100, "masked", "attention"),
            *memory(538, 502),
            ("norm", '<rect x="548" y="124" width="46" height="22" rx="5"/>'
             '<text x="571" y="140">norm</text>' + number(571, 135)),
            *pre_norm("cross", 427, 603, y, 100, "cross-", "attention"),
            *pre_norm("forward", 603, 759, y, 80, "feed-", "forward"),
            line("", f"M790 {flow}H799"),
            norm(768, y),
            box("next", 801, y, 79, "next", "word"),
            again,
        ]  # fmt: skip
    return [
        *opening,
        *residual(249, 376, flow),
        box("masked", 258, y, 100, "masked", "attention"),
        *ticks(258, flow),
        line("", f"M358 {flow}H434"),
        norm(394, y),
        *residual(427, 554, flow),
        *memory(504, 468),
        box("cross", 436, y, 100, "cross-", "attention"),
        line("", f"M536 {flow}H610", tip=False),
        norm(572, y),
        *residual(603, 716, flow),
        box("forward", 612, y, 88, "feed-", "forward"),
        line("", f"M700 {flow}H778"),
        norm(732, y),
        box("next", 780, y, 100, "next word"),
        again,
    ]


def memory(key: float, value: float) -> list[Shape]:
    """Return the two ways by which the encoder's output is looked at."""
    flow, end = row(UPPER), LOWER - 1
    return [
        line("memory", f"M590 {flow - 3}H607V137H{key:g}V{end}", "m-key"),
        line("memory", f"M590 {flow + 1}H603V133H{value:g}V{end}", "m-value"),
    ]


def frame(part: str, x: float, y: float, width: float) -> Shape:
    """Return the frame of a stack of layers, with its name."""
    return (
        part,
        f'<rect class="m-frame" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="92" rx="12"/><text class="m-name" x="{x + 12:g}" '
        f'y="{y - 5:g}">{part}</text>',
    )


def ticks(x: float, flow: float) -> list[Shape]:
    """Return query, key and value, which enter an attention together."""
    return [
        line("", f"M{x - 1:g} {flow + dy:g}h6", f"m-{name} m-tick", tip=False)
        for dy, name in ((-9, "query"), (0, "key"), (9, "value"))
    ]


def inside() -> list[Shape]:
    """Return what happens inside every attention, at the upper right."""
    pills = "".join(
        f'<rect class="m-{name}" x="640" y="{y}" width="24" height="19" '
        f'rx="5"/><text class="m-letter" x="652" y="{y + 14}">{name[0]}</text>'
        for name, y in (("query", 30), ("key", 53), ("value", 83))
    )
    bars = "".join(
        f'<path class="m-bar" d="M{835 + 7 * i} 62v-{tall}"/>'
        for i, tall in enumerate((8, 22, 5, 13))
    )
    corner = "".join(
        f'<rect class="m-cell" x="{787 + 8 * j}" y="{35 + 8 * i}" width="7" '
        f'height="7" rx="1"/>'
        for i in range(4)
        for j in range(i + 1)
    )
    return [
        (
            "heads",
            '<rect class="m-sheet" x="634" y="10" width="246" height="104" '
            'rx="9"/><rect class="m-sheet" x="629" y="14" width="247" '
            'height="104" rx="9"/><rect class="m-sheet" x="624" y="18" '
            'width="248" height="104" rx="9"/><text class="m-name" x="634" '
            'y="5">one of the attention heads</text>' + number(745, 108),
        ),
        line("", "M664 40H676"),
        line("", "M664 62H670V54H676"),
        line("", "M722 50H730"),
        line("", "M772 50H780"),
        line("", "M822 50H828"),
        line("", "M664 92H828", "m-value"),
        line("", "M846 68V82"),
        ("qkv", pills + number(652, 62)),
        small("scores", 678, 44, "q\u2009·\u2009k"),
        small("root", 732, 40, "√d<tspan dy='4' font-size='11'>k</tspan>"),
        small("mask", 782, 40, corner),
        small("weights", 830, 34, bars),
        (
            "",
            '<circle cx="840" cy="92" r="9"/><path class="m-sign" '
            'd="M836.5 88.5l7 7M843.5 88.5l-7 7"/>',
        ),
        line("", "M849 92H868", "m-value"),
    ]


def small(part: str, x: float, width: float, content: str) -> Shape:
    """Return a small box with a text or a little drawing."""
    if not content.startswith(("<rect", "<path")):
        content = f'<text x="{x + width / 2:g}" y="55">{content}</text>'
    return (
        part,
        f'<rect x="{x}" y="32" width="{width}" height="36" rx="6"/>{content}'
        + number(x + width / 2, 50),
    )


def between() -> list[Shape]:
    """Return what belongs to both rows: positions, loss, training."""
    return [
        line("positions", f"M214 126V{row(UPPER) + 11}"),
        line("positions", f"M214 158V{row(LOWER) - 11}"),
        (
            "positions",
            '<rect x="163" y="122" width="72" height="38" rx="7"/>'
            '<path class="m-wave" d="M173 134q6.5 -9 13 0t13 0t13 0t13 0"/>'
            '<text class="m-small" x="199" y="154">positions</text>'
            + number(199, 141),
        ),
        line("", f"M830 {LOWER}V166"),
        (
            "loss",
            '<rect x="790" y="134" width="80" height="30" rx="7"/>'
            '<text x="830" y="154">loss</text>' + number(830, 149),
        ),
        line("training", "M790 149H640q-8 0 -8 7V157", "m-training"),
        (
            "training",
            '<rect x="664" y="136" width="100" height="26" rx="13"/>'
            '<text x="714" y="154">training</text>' + number(714, 149),
        ),
    ]
