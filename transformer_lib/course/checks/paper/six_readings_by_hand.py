"""Six sentences about one attention map, sorted on paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["READINGS", "six_readings_by_hand"]

_ANSWER = (1, 2, 3, 2, 1, 3)
_LETTERS = "ABCDEF"
# What is said to whoever sorts one sentence elsewhere: (place, came).
_SINGLE = {
    (0, 2): ("doubts_the_picture",
             "A is what the picture shows; one look is enough."),
    (0, 3): ("denies_the_picture",
             "A is what the picture shows; one look is enough."),
    (1, 1): ("takes_a_look_for_an_effect",
             "B speaks of what would happen. The map shows where the decoder "
             "looked, not what it would have done otherwise."),
    (1, 3): ("gives_up_too_early",
             "B can be tried out: hide the word, and look what is written."),
    (2, 1): ("wrong_row",
             "C is the off-by-one mistake: a row belongs to the token that is "
             "predicted."),
    (2, 2): ("wrong_row_as_a_guess",
             "C needs no experiment. The row belongs to the token that is "
             "predicted, in every map of this chapter."),
    (3, 1): ("no_attention_no_effect",
             "Whoever reads D off the map concludes from a small weight to no "
             "effect. What another place, or an earlier layer, has taken "
             "from *it*, this row does not show."),
    (3, 3): ("gives_up_on_absence",
             "D can be tried out: take *it* away, and look what is written."),
    (4, 2): ("doubts_the_sum",
             "E is what softmax does, in every row."),
    (4, 3): ("denies_the_sum",
             "E is what softmax does, in every row."),
    (5, 1): ("understanding_seen",
             "F is more than any map can show. It does not say what would "
             "count as understanding."),
    (5, 2): ("understanding_by_experiment",
             "F has no experiment yet: somebody has to say first what would "
             "count as understanding. B and D name what they expect."),
}  # fmt: skip


def six_readings_by_hand(value: Any) -> Verdict:
    """Check how six sentences about one attention map were sorted.

    1: the map itself says so, for whoever knows how maps are made. 2: a guess
    that an intervention can test. 3: it misreads the map, or nobody has said
    yet what would count as a test.

    Args:
        value: six numbers, 1, 2 or 3, for the sentences A to F.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Jain and Wallace 2019; Wiegreffe and Pinter 2019. Chapter 17.
    """
    return judge_paper(READINGS, value)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    found = [
        Misconception("everything_is_there", [1.0] * 6,
             "You believe the map all it seems to say. Which sentences speak "
             "of something that would happen *otherwise*?"),
        Misconception("nothing_can_be_known", [3.0] * 6,
             "You believe the map nothing. It is a record of what was "
             "computed: some sentences only read it off."),
        Misconception("everything_needs_a_test", [2.0] * 6,
             "Not every sentence needs an experiment: two of them only read "
             "the picture, and two no experiment can save."),
    ]  # fmt: skip
    for (place, came), (name, message) in _SINGLE.items():
        value = list(map(float, _ANSWER))
        value[place] = came
        found.append(Misconception(name, value, f"Five are right. {message}"))
    return found


def _look(got: np.ndarray, want: np.ndarray) -> str:
    if not np.isin(got, (1, 2, 3)).all():
        return "Each of the six numbers is 1, 2 or 3."
    wrong = [_LETTERS[i] for i in np.flatnonzero(got != want)]
    return (
        f"{6 - len(wrong)} of the 6 are right. Look again at "
        f"{' and '.join(wrong[:2])}."
    )


READINGS = Paper(
    name="six_readings_by_hand(numbers)",
    asked="Sentences A to F, each with 1 (the map itself says so), 2 (a guess "
    "that an intervention can test) or 3 (it misreads the map, or nobody has "
    "said yet what would count as a test). Six numbers such as "
    "`(1, 1, 2, 2, 3, 3)`.",
    count="six numbers",
    given="the row of the first token in the map of the wide street",
    expected="six numbers, each 1, 2 or 3",
    want=lambda: _ANSWER,
    misconceptions=_misconceptions,
    praise="All six are right. Reading off, guessing and over-reading are "
    "three different things, and only the second needs an experiment.",
    hints=(
        "Ask of each sentence: could somebody contradict it after one look at "
        "the picture? Then it is 1, or a misreading.",
        "Two of each. A sentence is 2 if you can name something to take away "
        "and what would then be written.",
    ),
    look=_look,
    tolerance=0.002,
)
