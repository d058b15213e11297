"""The audit of a summary in twelve steps: which of them need a correction?"""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["TWELVE_STEPS", "twelve_steps_by_hand"]

STEPS = 12
FAULTY = (1, 5, 7, 9, 10, 12)
# What to look at again when a faulty step was passed.
_ASK = {
    1: "Step 1 was passed. Compare it with chapters 9 and 10: what happens "
    "to a word's vector before the positions are added, and what after?",
    5: "Step 5 was passed. Which tokens does the decoder read in training, "
    "and at which position? Think of what it is to predict at the first one.",
    7: "Step 7 was passed. An attention needs three things. Does the step say "
    "where each of them comes from?",
    9: "Step 9 was passed. Compare it with step 4, word by word.",
    10: "Step 10 was passed. Which letter did step 4 use, and for what?",
    12: "Step 12 was passed. After how much data does a model of this kind "
    "change its weights?",
}
# Why a step that was marked is fine.
_FINE = {
    2: "Step 2 is fine: self-attention, residual connection, norm.",
    3: "Step 3 is fine: two linear maps with a ReLU between, residual "
    "connection, norm.",
    4: "Step 4 is fine: both sub-layers are repeated, and the result is the "
    "encoder's output.",
    6: "Step 6 is fine: mask, residual connection and norm are all there.",
    8: "Step 8 is fine. Look at whether it is ever repeated, but that is "
    "said in another step.",
    11: "Step 11 is fine: one loss, one change of the weights. How often that "
    "happens is said in another step.",
}


def twelve_steps_by_hand(value: Any) -> Verdict:
    """Check which of twelve steps were marked as faulty.

    Args:
        value: thirteen numbers, 1 for a step that needs a correction and 0
            for one that does not; the last one says whether something that
            a finished translator does is missing from the list.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: the audit of chapter 11.
    """
    return judge_paper(TWELVE_STEPS, value)


def _marks(*steps: int, missing: int = 1) -> list[int]:
    return [int(step in steps) for step in range(1, STEPS + 1)] + [missing]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    without = [
        (f"step_{step}_passed",
         _marks(*(s for s in FAULTY if s != step)),
         "All the others are right. " + _ASK[step])
        for step in FAULTY
    ]  # fmt: skip
    beyond = [
        (f"step_{step}_marked", _marks(*FAULTY, step),
         "You found all faulty steps, and marked one too many. " + words)
        for step, words in _FINE.items()
    ]  # fmt: skip
    pick = [
        ("generation_not_missed", _marks(*FAULTY, missing=0),
         "The twelve marks are right. And the whole: follow the list with a "
         "finished model and a new sentence, whose translation nobody knows. "
         "At which step do you get stuck?"),
        ("nothing_marked", _marks(missing=0),
         "Nothing is marked. At least one step contradicts another step of "
         "the same list; begin with the two that say repeat."),
        ("only_missing", _marks(),
         "You say that something is missing, and that is so. But single steps "
         "have mistakes too; begin with the two that say repeat."),
        ("everything_marked", _marks(*range(1, STEPS + 1)),
         "Everything is marked. Half of the steps are right as they stand; "
         "begin with 2, 3 and 4."),
        ("turned", [1 - mark for mark in _marks(*FAULTY)],
         "You marked what is right. A 1 stands for a step that needs a "
         "correction."),
        ("only_the_repetition", _marks(9),
         "Step 9 is one of them. There are more; go on with the steps that "
         "embed words, 1 and 5."),
    ]  # fmt: skip
    return [Misconception(*one) for one in [*pick, *without, *beyond]]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    if not np.isin(got, (0, 1)).all():
        return "Write a 1 or a 0 for each step, nothing else."
    missed = [s for s in FAULTY if not got[s - 1]]
    extra = [s for s in _FINE if got[s - 1]]
    found = len(FAULTY) - len(missed)
    start = f"You found {found} of {len(FAULTY)} faulty steps"
    start += f" and marked {len(extra)} that are fine. " if extra else ". "
    if missed:
        return start + _ASK[missed[-1] if 9 not in missed else 9]
    return start + _FINE[extra[0]]


TWELVE_STEPS = Paper(
    name="twelve_steps_by_hand(marks)",
    asked="For each of the twelve steps a 1 if it needs a correction and a 0 "
    "if it does not; at the end one more mark: is something missing that a "
    "finished translator does? Such as `(0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
    "0)`.",
    count="thirteen numbers",
    given="the twelve steps of the chapter",
    expected="thirteen marks, each 0 or 1",
    want=lambda: _marks(*FAULTY),
    misconceptions=_misconceptions,
    praise="You found all of them. Now write the corrections, before you read "
    "on.",
    hints=(
        "Compare the two halves of the list line by line: 1 with 5, 2 with 6, "
        "3 with 8, 4 with 9. Where do they differ, and should they?",
        "Then ask of each symbol where it was introduced, of each attention "
        "where queries, keys and values come from, and of the last steps how "
        "much data passes before the weights change.",
    ),
    look=_look,
    tolerance=0.002,
)
