"""What a smoothed loss asks for, what it costs, and how low it can go."""

import math
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    line,
    plain,
    short,
)

__all__ = ["smoothing_cost"]

RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
GIVEN = (0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)
WORDS = 5
WIDTH, HEIGHT = 360.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 30.0, 350.0, 112.0, 264.0
_MOST = 3.5  # nats at the upper edge
_POINTS = 64


def smoothing_cost(words: int = WORDS) -> Explorer:
    """Choose the smoothing and what the model gives to the right word.

    The other words share the rest alike. The loss is lowest where the model
    gives exactly the smoothed target, and there it is not 0.

    Args:
        words: size of the vocabulary, 2 to 1000.

    Returns:
        An Explorer with sliders for epsilon and the model's probability;
        `live()` takes any of both and any vocabulary.

    Raises:
        ValueError: a vocabulary out of range.

    Chapter 12.
    """
    if not 2 <= words <= 1000:
        raise ValueError(f"words={words}; give 2 to 1000")
    return Explorer(
        "Label smoothing: target, loss, lower bound",
        [
            Slider("smoothing ε", tuple(map(plain, RATES)), 2),
            Slider("right word gets", tuple(map(plain, GIVEN)), 6),
        ],
        lambda e, p: _frame(RATES[e], GIVEN[p], words),
        [
            Number("smoothing ε", 0, 0.9, 0.01, 0.1),
            Number("right word gets", 0.001, 0.999, 0.001, 0.99),
            Number("words", 2, 1000, 1, words),
        ],
        lambda e, p, k: _frame(e, p, int(k)),
    )


def targets(epsilon: Real, words: int) -> tuple[float, float]:
    """What the right word and each other word should get."""
    return 1 - epsilon + epsilon / words, epsilon / words


def loss(epsilon: Real, given: Real, words: int) -> float:
    """Cross-entropy if the other words share the rest alike."""
    right, other = targets(epsilon, words)
    rest = (1 - given) / (words - 1)
    total = -right * math.log(given)
    if other > 0:
        total -= (words - 1) * other * math.log(rest)
    return total


def floor(epsilon: Real, words: int) -> float:
    """The lowest loss that any model can reach."""
    right = targets(epsilon, words)[0]
    return loss(epsilon, right, words) if epsilon else 0.0


def _x(share: Real) -> float:
    return _LEFT + (_RIGHT - _LEFT) * float(share)


def _y(nats: Real) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * min(float(nats), _MOST) / _MOST


def _frame(epsilon: Real, given: Real, words: int) -> Frame:
    right = targets(epsilon, words)[0]
    lowest, here = floor(epsilon, words), loss(epsilon, given, words)
    parts = [
        *_bar(18, f"target: {fixed(right, 3)} for the right word", right),
        *_bar(60, f"model: {fixed(given, 3)}", given),
        label(0, 102, "loss in nats", "x-dim"),
        *_axes(),
        _curve(epsilon, words),
    ]
    if lowest > 0:
        y = _y(lowest)
        parts += [
            line(_LEFT, y, _RIGHT, y, "x-line x-thin x-green"),
            label(_LEFT + 4, y - 5, f"lower bound {fixed(lowest, 3)}", "x-dim"),
        ]
    x, y = _x(given), _y(here)
    parts += [
        line(_x(right), _TOP, _x(right), _BOTTOM, "x-line x-green"),
        element(
            "circle",
            cx=short(x),
            cy=short(y),
            r=5,
            class_="x-fill x-orange",
        ),
    ]
    said = _words(epsilon, given, words)
    return Frame(WIDTH, HEIGHT, "".join(parts), said)


def _bar(y: Real, words: str, share: Real) -> list[str]:
    """One whole: the right word's part filled."""
    long = _RIGHT - _LEFT
    return [
        label(0, y - 4, words, "x-dim"),
        box(_LEFT, y, long, 16, "x-track"),
        box(_LEFT, y, long * float(share), 16, "x-fill x-blue"),
    ]


def _axes() -> list[str]:
    parts = []
    for nats in range(4):
        y = _y(nats)
        parts += [
            line(_LEFT, y, _RIGHT, y, "x-line x-grid"),
            label(_LEFT - 8, y + 4, str(nats), "x-dim x-end"),
        ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(label(_x(share), 281, plain(share), "x-dim x-mid"))
    parts.append(
        label(WIDTH / 2, 297, "probability of the right word", "x-dim x-mid")
    )
    return parts


def _curve(epsilon: Real, words: int) -> str:
    """The loss for every share, closer together near 1."""
    points = []
    for k in range(_POINTS + 1):
        share = 0.999 - 0.989 * (1 - k / _POINTS) ** 2
        nats = loss(epsilon, share, words)
        if nats <= _MOST:
            points.append(f"{short(_x(share))} {short(_y(nats))}")
    return element(
        "path", d="M" + "L".join(points), class_="x-line x-thin x-blue"
    )


def _words(epsilon: Real, given: Real, words: int) -> str:
    right, other = targets(epsilon, words)
    lowest, here = floor(epsilon, words), loss(epsilon, given, words)
    start = (
        f"{words} words, ε = {plain(epsilon)}: target {fixed(right, 3)} for "
        f"the right word, {fixed(other, 3)} for each other. The model gives "
        f"{plain(given)}: loss {fixed(here, 3)}, lower bound "
        f"{fixed(lowest, 3)}. "
    )
    if abs(given - right) < 1e-6:
        return start + "Nothing to gain: this is the target."
    more = "More" if given < right else "Less"
    return start + f"{more} certainty would lower the loss."
