"""A table filled on paper: which Korean word takes from which English one."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["ALIGNMENT", "alignment_by_hand"]

ENGLISH = ("I", "am", "going", "on", "a", "trip", "tomorrow")
KOREAN = ("나는", "내일", "여행을", "간다")
_MAIN = ("I", "tomorrow", "trip", "going")
_HELPERS = ((), (), ("on", "a"), ("am",))


def alignment_by_hand(value: Any) -> Verdict:
    """Check the table of weights for 나는 내일 여행을 간다.

    Rows are the four Korean words, columns the seven English words of "I am
    going on a trip tomorrow". A Korean word that stands for one English word
    gives it everything. One that stands for several gives half of its weight
    to the main word and the other half, in equal parts, to the helpers.

    Args:
        value: four rows of seven numbers, as nested lists or an array.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 1.
    """
    return judge_paper(ALIGNMENT, value)


def _row(main: str, helpers: tuple[str, ...], share: float = 0.5) -> list:
    """One row: the main word's weight, the rest to the helpers."""
    row = np.zeros(len(ENGLISH))
    row[ENGLISH.index(main)] = share if helpers else 1.0
    for word in helpers:
        row[ENGLISH.index(word)] = (1 - share) / len(helpers)
    return row.tolist()


def _table(main=_MAIN, helpers=_HELPERS) -> np.ndarray:
    return np.array([_row(*one) for one in zip(main, helpers, strict=True)])


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _table()
    linked = (right > 0).astype(float)
    alike = linked / linked.sum(axis=1, keepdims=True)
    doubled = np.where(linked > 0, np.maximum(right, 0.5), 0.0)
    pick = [
        ("turned", right.T,
         "The weights are right, but the table is transposed. Rows are "
         "the Korean words, columns the English ones: four rows of seven."),
        ("word_by_word", np.eye(4, 7),
         "You go through both sentences in step: first word with first "
         "word, second with second. Korean has another order; look at the "
         "glosses."),
        ("english_order", right[[0, 3, 2, 1]],
         "The rows are right, but they stand in the English order. The rows "
         "follow the Korean sentence: 나는, 내일, 여행을, 간다."),
        ("object_and_time_exchanged", right[[0, 2, 1, 3]],
         "The rows of 내일 and 여행을 have changed places: naeil is "
         "tomorrow, yeohaeng is the trip."),
        ("all_alike", alike,
         "You give all English words of a row the same weight. "
         "The rule gives the main word a half, and the helpers together the "
         "other half."),
        ("main_words_only", _table(helpers=((), (), (), ())),
         "Only the main words get weight. The helpers on, a and am do not "
         "stand in the Korean sentence by themselves; the words that imply "
         "them give them a part."),
        ("columns_sum_to_one", linked,
         "Every English word gets a 1, so your columns sum to 1. The "
         "rule is about rows: the weights of a Korean word sum to 1."),
        ("halves_for_all", doubled,
         "In the row of 여행을 each helper gets a half, so the row sums to "
         "more than 1. The helpers together get one half."),
        ("on_left_out", _table(helpers=((), (), ("a",), ("am",))),
         "The word on gets nothing. The ending 을 marks the trip as what "
         "one goes on, so 여행을 stands for on a trip, three words."),
        ("article_left_out", _table(helpers=((), (), ("on",), ("am",))),
         "The word a gets nothing. Korean has no article, so 여행을 stands "
         "for on a trip, three words."),
        ("on_with_the_verb", _table(helpers=((), (), ("a",), ("am", "on"))),
         "You let the verb take on. The rule of this exercise counts on to "
         "the trip, because the ending 을 stands on 여행."),
        ("am_with_the_subject", _table(
            helpers=(("am",), (), ("on", "a"), ())),
         "You give am to 나는. It is a part of am going, so it belongs to "
         "the verb 간다."),
        ("quarters", 4 * right,
         "You counted in quarters. Divide every number by 4, so that each "
         "row sums to 1."),
        ("percent", 100 * right,
         "You wrote percent. Divide every number by 100, so that each row "
         "sums to 1."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = [i for i in range(4) if (abs(got[i] - want[i]) > 0.002).any()]
    first = wrong[0]
    start = f"{4 - len(wrong)} of the 4 rows are right. Look again at the row "
    start += f"of {KOREAN[first]}: "
    total = got[first].sum()
    if abs(total - 1) > 0.01:
        return start + f"it sums to {total:g}, and each row sums to 1."
    wanted = set(np.flatnonzero(want[first]))
    came = set(np.flatnonzero(abs(got[first]) > 0.002))
    if came == wanted:
        return start + (
            "the words are right, the weights are not. A half is for the main "
            "word, the other half for its helpers together."
        )
    if came < wanted:
        return start + "an English word is missing in it."
    return start + "it gives weight to a word that it does not stand for."


ALIGNMENT = Paper(
    name="alignment_by_hand(table)",
    asked="The weights that each Korean word gives to the English words: "
    "four rows (나는, 내일, 여행을, 간다) of seven numbers (I, am, going, on, "
    "a, trip, tomorrow).",
    count="four rows of seven numbers",
    given="나는 내일 여행을 간다 / I am going on a trip tomorrow",
    expected="four rows of seven numbers; each row sums to 1",
    want=_table,
    misconceptions=_misconceptions,
    praise="All 28 numbers are right, and every row sums to 1. The columns "
    "do not, and need not.",
    hints=(
        "Two of the four rows are a single 1 and six zeros. Which Korean "
        "words stand for one English word?",
        "여행을 stands for three English words and 간다 for two. In each of "
        "these rows the main word gets 0.5, and the helpers together 0.5.",
    ),
    look=_look,
)
