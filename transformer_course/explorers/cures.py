"""Two operations on scores: subtract the largest, divide by a root."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Number
from transformer_course.explorers.svg import (
    MINUS,
    box,
    fixed,
    label,
    line,
    plain,
)

__all__ = ["two_cures"]

ROWS = (
    (2.0, 1.0, 0.0),
    (20.0, 10.0, 0.0),
    (200.0, 199.0, 198.0),
    (800.0, 790.0, 780.0),
    (1000.0, 999.0, 998.0),
)
CURES = ("do nothing", "subtract the largest", "divide by 32", "do both")
ROOT = 32.0  # the root of 1024
FORMATS = {"64 bits": np.float64, "32 bits": np.float32, "16 bits": np.float16}
COLORS = ("blue", "orange", "green")
WIDTH, HEIGHT = 360.0, 232.0
_EXPONENT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class _Try:
    """A row of scores, one of the cures, and what the computer makes of it."""

    scores: tuple[Real, ...]
    cure: int
    bits: str = "64 bits"

    @property
    def treated(self) -> np.ndarray:
        row = np.array(self.scores, dtype=np.float64)
        if self.cure in (2, 3):
            row = row / ROOT
        if self.cure in (1, 3):
            row = row - row.max()
        return row.astype(FORMATS[self.bits])

    @property
    def exps(self) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.exp(self.treated)

    @property
    def total(self) -> Real:
        with np.errstate(all="ignore"):
            return self.exps.sum(dtype=FORMATS[self.bits])

    @property
    def weights(self) -> np.ndarray:
        with np.errstate(all="ignore"):
            return self.exps / self.total

    @property
    def wanted(self) -> np.ndarray:
        """The exact softmax of the scores as they came."""
        row = np.array(self.scores, dtype=np.float64)
        exps = np.exp(row - row.max())
        return exps / exps.sum()


def two_cures() -> Explorer:
    """Choose three scores and what is done to them before the exponential.

    Subtracting the largest score changes no weight and cures overflow;
    dividing by a root changes the weights and makes overflow rarer.

    Returns:
        An Explorer of 20 frames, in 64 bits; `live()` takes any scores from
        -1000 to 1000 and computes in 64, 32 or 16 bits.

    Chapter 4.
    """
    names = tuple(", ".join(map(plain, row)) for row in ROWS)
    return Explorer(
        "Overflow and its cure, scale and its effect",
        [Slider("scores", names, 3), Slider("before softmax", CURES)],
        lambda row, cure: _frame(_Try(ROWS[row], cure)),
        [
            *(
                Number(f"score {i + 1}", -1000, 1000, 1, score)
                for i, score in enumerate(ROWS[3])
            ),
            Choice("before softmax", CURES),
            Choice("numbers in", tuple(FORMATS)),
        ],
        lambda a, b, c, cure, bits: _frame(
            _Try((a, b, c), cure, tuple(FORMATS)[bits])
        ),
    )


def power(value: Real) -> str:
    """Write an exponential: 2.718, 6.8 · 10⁸⁶, 0, or inf."""
    value = float(value)
    if not np.isfinite(value):
        return "inf"
    if value == 0:
        return "0"
    if 1e-3 <= value < 1e5:
        return fixed(value, 3)
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits} · 10{str(int(exponent)).translate(_EXPONENT)}"


def _weight(value: Real) -> str:
    return "nan" if np.isnan(value) else fixed(value, 3)


def _frame(tried: _Try) -> Frame:
    parts = [
        label(58, 12, "score", "x-dim x-end"),
        label(132, 12, "treated", "x-dim x-end"),
        label(238, 12, "e^score", "x-dim x-end"),
        label(WIDTH, 12, "weight", "x-dim x-end"),
        line(0, 20, WIDTH, 20, "x-line x-grid"),
    ]
    treated, exps, weights = tried.treated, tried.exps, tried.weights
    for i, score in enumerate(tried.scores):
        y = 38 + 22 * i
        parts += [
            label(58, y, plain(score), "x-end"),
            label(132, y, _exponent(treated[i]), "x-end"),
            label(238, y, power(exps[i]), "x-end"),
            label(WIDTH, y, _weight(weights[i]), "x-end x-strong"),
        ]
    parts += [
        line(0, 88, WIDTH, 88, "x-line x-grid"),
        label(238, 105, f"sum {power(tried.total)}", "x-dim x-end"),
        label(0, 134, "weights as computed", "x-dim"),
        *_bar(140, weights),
        label(0, 190, "softmax of these scores, exactly", "x-dim"),
        *_bar(196, tried.wanted),
    ]
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(tried))


def _exponent(value: Real) -> str:
    return f"{round(float(value), 3) + 0.0:g}".replace("-", MINUS)


def _bar(y: Real, weights: Sequence[Real]) -> list[str]:
    """One bar cut into the weights; an empty frame if there are none."""
    if not np.isfinite(weights).all():
        return [
            box(0, y, WIDTH, 26, "x-track"),
            label(WIDTH / 2, y + 18, "not a number", "x-mid x-dim"),
        ]
    parts, left = [], 0.0
    for weight, color in zip(weights, COLORS, strict=True):
        length = float(WIDTH * weight)
        parts.append(
            box(left, y, max(length - 1.5, 0), 26, f"x-fill x-{color}")
        )
        left += length
    return parts


_DONE = (
    "as they are",
    "minus the largest",
    "divided by 32",
    "divided by 32, minus the largest",
)


def _words(tried: _Try) -> str:
    listed = ", ".join(plain(score) for score in tried.scores)
    weights = ", ".join(_weight(weight) for weight in tried.weights)
    return (
        f"Scores {listed}, {_DONE[tried.cure]}: weights {weights}. "
        f"{_verdict(tried)}"
    )


def _verdict(tried: _Try) -> str:
    exps = tried.exps
    if np.isinf(exps).any():
        return "Overflow: an exponential is inf, and inf ÷ inf is not a number."
    if not exps.any():
        return "All exponentials became 0, and 0 ÷ 0 is not a number."
    if np.isinf(tried.total):
        return "Overflow in the sum: every weight becomes 0."
    if np.allclose(tried.weights, tried.wanted, atol=5e-4):
        return "This is softmax of these scores."
    return "No overflow, but not softmax of these scores."
