"""Numbers worked out on paper: where the schedule's rate is highest."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["PEAK", "peak_by_hand"]

WIDTH, WARMUP = 4, 25
EARLY, LATE = 5, 100


def peak_by_hand(value: Any) -> Verdict:
    """Check the peak of the paper's schedule, worked out without calculus.

    For d_model = 4 and warmup = 25: the step with the highest rate, that
    rate, the rate at step 5, the rate at step 100, and the warmup that would
    halve the highest rate.

    Args:
        value: five numbers in this order, as a tuple, list, array or
            tensor; they may differ by 0.001 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: the schedule is that of Vaswani et al. 2017, equation 3.
    Chapter 13.
    """
    return judge_paper(PEAK, value)


def _rate(step: float, width: float = WIDTH, warmup: float = WARMUP) -> float:
    return width**-0.5 * min(step**-0.5, step * warmup**-1.5)


def _all(scale: float = 1.0, **other: float) -> list[float]:
    """The five numbers, with some of them replaced."""
    right = {
        "step": WARMUP,
        "peak": scale * _rate(WARMUP),
        "early": scale * _rate(EARLY),
        "late": scale * _rate(LATE),
        "half": 4 * WARMUP,
    }
    return list((right | other).values())


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    top = _rate(WARMUP)
    pick = [
        ("width_left_out", _all(WIDTH**0.5),
         "The three rates are twice as large as they should be: the factor "
         "in front, 1 over the root of 4, is missing."),
        ("width_without_root", _all(WIDTH**-0.5),
         "The three rates are half of what they should be: you divide by 4, "
         "and the root of 4 is wanted."),
        ("width_multiplied", _all(WIDTH),
         "You multiply by the root of 4 instead of dividing by it."),
        ("peak_at_step_one", _all(step=1, peak=WIDTH**-0.5),
         "At step 1 the falling curve is at its highest, but it does not "
         "count there: the smaller of the two curves does."),
        ("peak_at_the_last_step", _all(step=LATE, peak=_rate(LATE)),
         "At step 100 the rising curve is higher than the falling one, and "
         "the smaller counts. Look for the step where they cross."),
        ("other_curve_early", _all(early=WIDTH**-0.5 * EARLY**-0.5),
         "At step 5 you took the falling curve. The rising one is smaller "
         "there. The other four are right."),
        ("other_curve_late",
         _all(late=WIDTH**-0.5 * LATE * WARMUP**-1.5),
         "At step 100 you took the rising curve. The falling one is smaller "
         "there. The other four are right."),
        ("other_curves",
         _all(early=WIDTH**-0.5 * EARLY**-0.5,
              late=WIDTH**-0.5 * LATE * WARMUP**-1.5),
         "At steps 5 and 100 you took the larger of the two curves. The "
         "smaller counts."),
        ("quarter_in_place_of_half", _all(late=top * WARMUP / LATE),
         "At step 100, four times the warm-up, the rate has fallen to a "
         "half, not to a quarter: it falls with the root of the step. The "
         "other four are right."),
        ("rose_with_the_root", _all(early=top * (EARLY / WARMUP) ** 0.5),
         "The warm-up is a straight line: at a fifth of the way the rate is "
         "a fifth of the peak. The other four are right."),
        ("doubled_the_warm_up", _all(half=2 * WARMUP),
         "A warm-up twice as long divides the peak by the root of 2 only. "
         "What must the root become? The other four are right."),
        ("halved_the_warm_up", _all(half=WARMUP / 2),
         "A shorter warm-up makes a higher peak. The other four are right."),
        ("quartered_the_warm_up", _all(half=WARMUP / 4),
         "A warm-up of a quarter doubles the peak. You went the wrong way; "
         "the other four are right."),
        ("gave_the_height_of_the_curves", _all(peak=WARMUP**-0.5),
         "The second number is the height of the curves where they cross. "
         "The factor in front, 1 over the root of 4, is missing there; the "
         "other four are right."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


_NAMES = (
    "step of the peak",
    "peak",
    "rate at step 5",
    "rate at step 100",
    "warm-up for half the peak",
)
_WAYS = (
    "at which step are 1 / root of step and step / (25 * 5) equal?",
    "put that step into either curve, and divide by the root of 4",
    "before the crossing the straight line is the smaller one",
    "after the crossing 1 / root of step is the smaller one",
    "the peak is 1 over the root of (d_model times warm-up)",
)


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = [i for i in range(5) if not abs(got[i] - want[i]) <= 0.001]
    right = [_NAMES[i] for i in range(5) if i not in wrong]
    known = f"Right so far: {', '.join(right)}. " if right else ""
    first = wrong[0] if wrong else 0
    return f"{known}Look again at the {_NAMES[first]}: {_WAYS[first]}"


PEAK = Paper(
    name="peak_by_hand(numbers)",
    asked="The step of the highest rate, that rate, the rate at step 5, the "
    "rate at step 100, and the warm-up that halves the highest rate: five "
    "numbers, such as `(7, 0.5, 0.25, 0.3, 9)`.",
    count="five numbers",
    given="d_model = 4, warmup = 25",
    expected="five numbers: a step, three rates, a number of steps",
    want=_all,
    misconceptions=_misconceptions,
    praise="All five are right. The two curves cross at the step called "
    "warmup, and there is the peak: no calculus needed.",
    hints=(
        "Forget the factor in front at first. One curve is 1 / root of step, "
        "the other step / (25 * 5). Which is smaller at step 1? Which at "
        "step 100? Where do they meet?",
        "The root of 25 is 5. At step 25 one curve is 1 / 5, and the other "
        "25 / 125. Then the factor, 1 / root of 4.",
    ),
    look=_look,
    tolerance=0.001,
)
