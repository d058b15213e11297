"""What is left of a first word after many steps, and after one."""

from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    box,
    element,
    label,
    line,
    plain,
    short,
)

STEPS = (1, 2, 4, 8, 16, 27, 40, 80)
FACTORS = (0.5, 0.8, 0.9, 0.95, 0.99, 1.0, 1.1)
WIDTH, HEIGHT = 360.0, 246.0
_LEFT, _RIGHT, _CHAIN, _BAR = 16.0, 344.0, 48.0, 250.0


def fading_signal(factor: Real = 0.9, weight: Real = 0.5) -> Explorer:
    """Send a word through a chain of steps, or look back in one step.

    Chain: factor^steps is left. Attention: the weight is left, however far
    the word is; 1 / (steps + 1) if it looks at all words alike.

    Args:
        factor: what one step of the chain leaves, one of 0.5, 0.8, 0.9,
            0.95, 0.99, 1 and 1.1.
        weight: the attention weight of the first word, 0 to 1.

    Returns:
        An Explorer with sliders for the distance and the factor; `live()`
        takes any distance up to 100, any factor up to 1.2, any weight.

    Raises:
        ValueError: a factor or a weight out of range.

    Chapter 1.
    """
    if factor not in FACTORS or not 0 <= weight <= 1:
        raise ValueError(
            f"factor {factor} and weight {weight} came; the factor is one of "
            f"{', '.join(map(str, FACTORS))}, the weight lies from 0 to 1"
        )
    place = STEPS.index(16)
    sliders = [
        Slider("steps between the two words", tuple(map(str, STEPS)), place),
        Slider(
            "what one step leaves",
            tuple(map(plain, FACTORS)),
            FACTORS.index(factor),
        ),
    ]
    return Explorer(
        "What is left of a word",
        sliders,
        lambda far, left: _frame(STEPS[far], FACTORS[left], weight),
        [
            Number("steps between the two words", 1, 100, 1, STEPS[place]),
            Number("what one step leaves", 0, 1.2, 0.01, float(factor)),
            Number("attention weight", 0, 1, 0.05, float(weight)),
        ],
        lambda steps, left, share: _frame(round(steps), left, share),
    )


def said(value: Real) -> str:
    """A number that may be very small or very large, in few letters."""
    if value >= 10_000:
        return "more than 10,000"
    if value >= 10:
        return f"{value:,.0f}"
    if 0 < value < 0.0001:
        return "less than 0.0001"
    return plain(value)


def _frame(steps: int, factor: float, weight: float) -> Frame:
    left, alike = factor**steps, 1 / (steps + 1)
    parts = [
        label(_LEFT - 8, 16, "first word"),
        label(_RIGHT + 8, 16, "last word", "x-end"),
        _arc(),
        _chain(steps, factor),
        label(WIDTH / 2, 92, "one look back", "x-mid x-dim"),
    ]
    rows = (
        (f"chain: {_times(steps)} {plain(factor)}", left, "blue"),
        (f"attention, weight {plain(weight)}", weight, "orange"),
        (f"attention, all {steps + 1} words alike", alike, "orange"),
    )
    for row, (words, value, color) in enumerate(rows):
        y = 112 + 46 * row
        parts += [
            label(_LEFT - 8, y + 8, words, "x-dim"),
            box(_LEFT - 8, y + 14, _BAR, 15, "x-track"),
            box(
                _LEFT - 8,
                y + 14,
                round(_BAR * min(value, 1.0), 1),
                15,
                f"x-fill x-{color}",
            ),
            label(_LEFT + _BAR, y + 26, _beside(value)),
        ]
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(steps, factor, weight))


def _times(steps: int) -> str:
    return "1 time" if steps == 1 else f"{steps} times"


def _beside(value: float) -> str:
    """The number beside a bar, short enough for the margin."""
    if value >= 10_000:
        return "> 10,000"
    return "< 0.0001" if 0 < value < 0.0001 else said(value)


def _chain(steps: int, factor: float) -> str:
    """One dot a word, as strong as what is left of the first."""
    apart = (_RIGHT - _LEFT) / steps
    radius = min(8.0, max(1.4, 0.34 * apart))
    dots = [line(_LEFT, _CHAIN, _RIGHT, _CHAIN, "x-line x-grid")]
    for t in range(steps + 1):
        strength = min(1.0, factor**t)
        dot = element(
            "circle",
            cx=short(_LEFT + apart * t),
            cy=_CHAIN,
            r=short(radius),
            opacity=f"{strength:.2f}",
        )
        dots.append(dot)
    dots[1:] = [element("g", "".join(dots[1:]), class_="x-fill x-blue")]
    return "".join(dots)


def _arc() -> str:
    """Attention's way: from the last word to the first at once."""
    y = _CHAIN + 12
    return element(
        "path",
        d=f"M{short(_RIGHT)} {short(y)}Q{short(WIDTH / 2)} {short(y + 34)} "
        f"{short(_LEFT)} {short(y)}",
        class_="x-line x-thin x-orange",
    )


def _words(steps: int, factor: float, weight: float) -> str:
    """The frame in words."""
    way = "1 step" if steps == 1 else f"{steps} steps"
    return (
        f"A chain of {way}, each leaving {plain(factor)} of the signal, "
        f"leaves {said(factor**steps)} in all. Attention needs one step: "
        f"with a weight of {plain(weight)} it leaves {plain(weight)}, and if "
        f"it looks at all {steps + 1} words alike, {plain(1 / (steps + 1))}."
    )
