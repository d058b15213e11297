"""Numbers worked out on paper: running averages after two batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["BATCHES", "MEMORY", "running_averages_by_hand"]

BATCHES = ((2.0, 6.0), (5.0, 9.0))
SHARE = 1 / 4


def running_averages_by_hand(value: Any) -> Verdict:
    """Check the running mean and variance after each of two batches.

    One feature, the batches (2, 6) and (5, 9), momentum 1/4: the mean starts
    at 0 and the variance at 1, each batch moves them a quarter of the way to
    its own mean and to its variance divided by n - 1.

    Args:
        value: four numbers: mean and variance after the first batch, mean
            and variance after the second.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 6.
    """
    return judge_paper(MEMORY, value)


def _remembered(
    share: float = SHARE,
    less: int = 1,
    start: float = 1.0,
    keep: float | None = None,
    root: bool = False,
) -> list[float]:
    """Mean and variance after each batch; the defaults are right."""
    mean, kept, found = 0.0, start, []
    keep = 1 - share if keep is None else keep
    for batch in np.array(BATCHES):
        new = batch.var(ddof=less)
        mean = keep * mean + share * batch.mean()
        kept = keep * kept + share * (np.sqrt(new) if root else new)
        found += [mean, kept]
    return found


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    means = [np.mean(batch) for batch in BATCHES]
    large = [np.var(batch, ddof=1) for batch in BATCHES]
    right = _remembered()
    pick = [
        ("biased_variance", _remembered(less=0),
         "The means are right. Your variances divide the sum of squares by "
         "2, the number of rows; what is kept divides by n - 1, which is 1."),
        ("momentum_reversed", _remembered(share=0.75),
         "You kept a quarter of the old value and took three quarters of "
         "the new one. Momentum 1/4 is the weight of the new value here."),
        ("share_of_the_text", _remembered(share=0.1),
         "You mixed in a tenth, as in the text. In this exercise the "
         "momentum is 1/4: three quarters of the old, one quarter of the "
         "new."),
        ("share_of_the_text_and_biased", _remembered(share=0.1, less=0),
         "Two things: you mixed in a tenth, as in the text, where the "
         "momentum is 1/4 here; and your variances divide by n instead of "
         "n - 1."),
        ("reversed_and_biased", _remembered(share=0.75, less=0),
         "Two things: you kept a quarter of the old value instead of three "
         "quarters, and your variances divide by n instead of n - 1."),
        ("variance_starts_at_zero", _remembered(start=0.0),
         "The means are right. The running variance starts at 1, not at 0."),
        ("the_batches_themselves", [means[0], large[0], means[1], large[1]],
         "Those are the mean and the variance of each batch, and they are "
         "right. Now mix each into what was there: three quarters of the "
         "old, one quarter of the new."),
        ("the_batches_themselves_biased",
         [means[0], large[0] / 2, means[1], large[1] / 2],
         "Those are the batches' own numbers, with the variance divided by "
         "n. Take n - 1, then mix: three quarters of the old, one quarter "
         "of the new."),
        ("started_with_the_first_batch",
         [4, 8, 0.75 * 4 + 0.25 * 7, 8],
         "You started with the first batch. The start is the mean 0 and the "
         "variance 1, and the first batch moves it a quarter of the way."),
        ("mean_of_both", [4, 8, 5.5, 8],
         "That is the plain mean over the batches so far. A running average "
         "weighs: three quarters of the old, one quarter of the new."),
        ("nothing_forgotten", _remembered(keep=1.0),
         "You added a quarter of the new value but kept all of the old one. "
         "Keep three quarters of it."),
        ("second_batch_from_the_start",
         [*right[:2], 0.25 * means[1], 0.75 + 0.25 * large[1]],
         "The first pair is right. The second batch starts from there, not "
         "from 0 and 1 again."),
        ("kept_the_deviation", _remembered(root=True),
         "The means are right. You mixed standard deviations; what is kept "
         "is the variance."),
        ("rounded", np.round(right, 2),
         "All four are right as far as they go, but they are rounded to two "
         "decimals. Keep all decimals; there are four at the most."),
        ("variance_first", [right[1], right[0], right[3], right[2]],
         "All four numbers are right, but within each pair the mean comes "
         "first, then the variance."),
        ("means_then_variances", [right[0], right[2], right[1], right[3]],
         "All four numbers are right but stand in another order: mean and "
         "variance after the first batch, then the same after the second."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.002
    names = (
        "mean after the first batch",
        "variance after the first batch",
        "mean after the second batch",
        "variance after the second batch",
    )
    bad = names[int(np.argmin(fits))]
    if not fits.any():
        return (
            "None of the four is right yet. Begin with the first mean: three "
            "quarters of 0 plus one quarter of the mean of (2, 6)."
        )
    return (
        f"{int(fits.sum())} of the 4 are right. Look again at the {bad}: "
        "three quarters of what was there, one quarter of the batch's own."
    )


MEMORY = Paper(
    name="running_averages_by_hand(numbers)",
    asked="The running mean and variance after the batch (2, 6), then after "
    "the batch (5, 9), with momentum 1/4: four numbers such as "
    "`(0.1, 0.2, 0.3, 0.4)`.",
    count="four numbers",
    given="start: mean 0, variance 1; batches (2, 6), then (5, 9); momentum "
    "1/4",
    expected="mean and variance after the first batch, mean and variance "
    "after the second",
    want=_remembered,
    misconceptions=_misconceptions,
    praise="All four are right. After two batches the running averages are "
    "still far from the batches' own values: they take their time.",
    hints=(
        "First the mean and the variance of each batch alone. In (2, 6) both "
        "numbers lie 2 from the mean; the sum of squares is divided by "
        "n - 1.",
        "Then mix: three quarters of the old number plus one quarter of the "
        "batch's own. The old numbers are 0 and 1 at first; for the second "
        "batch they are your first two results.",
    ),
    look=_look,
)
