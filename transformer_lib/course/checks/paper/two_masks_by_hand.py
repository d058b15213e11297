"""Masks worked out on paper: two Korean sentences in one batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["TWO_MASKS", "two_masks_by_hand"]

LENGTHS = (2, 4)
LONGEST = 4


def two_masks_by_hand(value: Any) -> Verdict:
    """Check the masks of a batch with a sentence of 2 and one of 4 words.

    Three tables of 4 x 4 in this order: the encoder's mask of the short
    sentence (padding hidden), the decoder's mask of the short sentence
    (padding and later words hidden), the decoder's mask of the long one.
    1 stands for "may be looked at", 0 for "hidden".

    Args:
        value: three tables of four rows of four numbers.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 8.
    """
    return judge_paper(TWO_MASKS, value)


def _real(length: int) -> np.ndarray:
    """(4,) 1 at words, 0 at padding on the right."""
    return (np.arange(LONGEST) < length).astype(float)


def _columns(length: int) -> np.ndarray:
    """(4, 4) the padded keys hidden from every query."""
    return np.tile(_real(length), (LONGEST, 1))


def _three(
    keys: Callable[[int], np.ndarray] = _columns,
    past: np.ndarray | None = None,
) -> np.ndarray:
    """The three tables (3, 4, 4), of a padding mask and a causal one."""
    past = np.tri(LONGEST) if past is None else past
    short, long = (keys(length) for length in LENGTHS)
    return np.array([short, short * past, long * past])


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _three()
    row = np.tri(LONGEST)
    left = _three(lambda n: np.tile(_real(n)[::-1], (LONGEST, 1)))
    rows = _three(lambda n: np.tile(_real(n)[:, None], (1, LONGEST)))
    both = _three(lambda n: np.outer(_real(n), _real(n)))
    pick = [
        ("flipped", 1 - right,
         "Zeros and ones are exchanged throughout: here 1 means *may be "
         "looked at*."),
        ("queries_masked", rows,
         "You hide the rows of the padding. Padding is hidden as a *key*, "
         "and keys are columns: columns 3 and 4 of the short sentence are 0 "
         "for every query."),
        ("queries_masked_too", both,
         "The columns of the padding are 0, and that is right. Its rows need "
         "no zeros: nobody reads the output of a padded query, and a row of "
         "zeros leaves it without any key."),
        ("no_padding_mask", _three(lambda n: np.ones((LONGEST, LONGEST))),
         "The padding of the short sentence is not hidden anywhere."),
        ("causal_everywhere", np.array([right[1], right[1], right[2]]),
         "The first table is that of an *encoder*: there the first word may "
         "look at the second."),
        ("no_causal_mask", np.array([right[0], right[0], row**0]),
         "Later words are not hidden in the two tables of the decoder."),
        ("strictly_before", _three(past=np.tri(LONGEST, k=-1)),
         "In the decoder a word may look at itself, too. Row 1 would have "
         "nothing to look at."),
        ("one_too_many", _three(past=np.minimum(np.tri(LONGEST, k=1), 1)),
         "Your triangles are one position too wide: row 1 sees the second "
         "word."),
        ("turned", _three(past=np.tri(LONGEST).T),
         "The triangles lean to the wrong side: row 1, the first word, sees "
         "only itself."),
        ("one_or_the_other", np.array(
            [right[0], np.maximum(right[0], row), right[2]]),
         "In the second table a key must be allowed by *both* masks. You "
         "joined them with `or`."),
        ("only_the_triangle", np.array([right[0], row, right[2]]),
         "Second table: the triangle is there, but columns 3 and 4 are "
         "padding, also for the rows 3 and 4."),
        ("order_exchanged", right[[0, 2, 1]],
         "The three tables are there, in another order: encoder short, "
         "decoder short, decoder long."),
        ("first_two_exchanged", right[[1, 0, 2]],
         "The first and the second table have changed places: the triangle "
         "belongs to the decoder."),
        ("decoder_rows_emptied",
         np.array([right[0], both[0] * row, right[2]]),
         "Second table: the columns are right, but rows 3 and 4 need no "
         "zeros of their own. Nobody reads the output of a padded query."),
        ("encoder_rows_emptied", np.array([both[0], right[1], right[2]]),
         "First table: the columns are right, but rows 3 and 4 need no zeros "
         "of their own. Nobody reads the output of a padded query."),
        ("encoder_sees_padding", np.array([row**0, right[1], right[2]]),
         "First table: an encoder reads in both directions, but it must not "
         "look at padding either."),
        ("long_sentence_sees_all", np.array([right[0], right[1], row**0]),
         "Third table: the long sentence has no padding, but it stands in a "
         "*decoder*, where later words are hidden."),
        ("everything_turned", right.swapaxes(-1, -2),
         "Rows and columns are exchanged throughout. Row i says what query i "
         "may look at."),
        ("padding_on_the_left", left,
         "You put the padding on the left. In this book it stands on the "
         "right."),
        ("padding_in_the_long_one",
         np.array([right[0], right[1], right[1]]),
         "The long sentence has no padding: its length is the width of the "
         "batch."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = np.argwhere(abs(got - want) > 0.002)
    table, row, column = (int(i) + 1 for i in wrong[0])
    names = ("the encoder's, short sentence", "the decoder's, short sentence",
             "the decoder's, long sentence")  # fmt: skip
    return (
        f"{got.size - len(wrong)} of {got.size} numbers are right. Look at "
        f"table {table} ({names[table - 1]}), row {row}, column {column}: "
        f"may query {row} look at key {column}?"
    )


TWO_MASKS = Paper(
    name="two_masks_by_hand(masks)",
    asked="Three tables of four rows of four zeros and ones: the encoder's "
    "mask of 나는 간다, the decoder's mask of 나는 간다, the decoder's mask of "
    "나는 내일 여행을 간다. 1 means *may be looked at*.",
    count="three tables",
    given="나는 간다 <pad> <pad>\n나는 내일 여행을 간다",
    expected="three tables of 4 x 4 zeros and ones; rows are queries, "
    "columns are keys",
    want=_three,
    misconceptions=_misconceptions,
    praise="All 48 are right. Columns of padding, a triangle of the past, "
    "and where both are needed, both must allow.",
    hints=(
        "Rows are queries, columns are keys. First write the four tokens "
        "above the columns, padding included, and strike out the columns "
        "that no query may look at.",
        "The first table has four equal rows. The second is the first with "
        "the corner above the diagonal struck out. The third has no padding.",
    ),
    look=_look,
)
