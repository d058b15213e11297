"""Worked out on paper: what a decoder reads and what it should say."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["THREE_SHIFTS", "three_shifts_by_hand"]

PAD, BOS, EOS = 0, 1, 2
SENTENCES = ((4, 5, 6, 7), (4, 7), (5, 6, 7))


def three_shifts_by_hand(value: Any) -> Verdict:
    """Check the two tables of ids for three sentences of 4, 2 and 3 words.

    <pad> is 0, <bos> 1, <eos> 2; the words are (4, 5, 6, 7), (4, 7) and
    (5, 6, 7).

    Args:
        value: two tables of three rows and five columns, first what is read
            and then what is to be said.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 12.
    """
    return judge_paper(THREE_SHIFTS, value)


def _tables(
    before: tuple = (BOS,),
    after: tuple = (EOS,),
    said: tuple = (),
    more: tuple = (),
    pad: int = PAD,
    skip: int = 0,
) -> list:
    """Both tables, filled up; the defaults are right."""
    reads = [[*before, *words, *more] for words in SENTENCES]
    says = [[*said, *words[skip:], *after] for words in SENTENCES]
    top = max(len(row) for row in reads + says)
    return [
        [row + [pad] * (top - len(row)) for row in table]
        for table in (reads, says)
    ]


def _left(table: list) -> list:
    """The padding of each row on its left side."""
    return [
        [v for v in row if v == PAD] + [v for v in row if v != PAD]
        for row in table
    ]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    reads, says = _tables()
    pick = [
        ("tables_exchanged", [says, reads],
         "The two tables have changed places. The decoder reads <bos> first, "
         "and <eos> is the last thing that it says."),
        ("no_shift", [reads, reads],
         "Both tables are the same, so the decoder is asked for the word that "
         "it has just read. What should it say after <bos>?"),
        ("no_shift", [says, says],
         "Both tables are the same, so the decoder is asked for the word that "
         "it has just read. What does it read first?"),
        ("bos_and_eos_everywhere", _tables(more=(EOS,), said=(BOS,)),
         "Both tables hold <bos> and <eos>. <bos> is only read and <eos> only "
         "said."),
        ("eos_in_what_is_read", _tables(more=(EOS,)),
         "What is read holds <eos> as well. After <eos> nothing is to be "
         "said, so it need not be read: five columns are enough."),
        ("eos_in_what_is_read",
         [[[1, 4, 5, 6, 7], [1, 4, 7, 2, 0], [1, 5, 6, 7, 2]], says],
         "In the shorter sentences what is read holds <eos>. That is what "
         "remains when one column is cut off a table; a loss that skips "
         "padding forgives it. Both rows should hold the same number of real "
         "tokens."),
        ("bos_forgotten", _tables(before=(), more=(PAD,)),
         "What is read begins with the first word. From what would the "
         "decoder predict that word?"),
        ("eos_forgotten", _tables(after=(PAD,)),
         "Nothing tells the decoder to stop: what is said has to end with "
         "<eos>."),
        ("shifted_by_two", _tables(skip=1, after=(EOS, PAD)),
         "What is said runs two words ahead of what is read. After <bos> the "
         "first word is asked for."),
        ("padded_on_the_left", [_left(reads), _left(says)],
         "The rows are right, but the padding stands on the left. In this "
         "book it stands on the right."),
        ("padded_with_eos", _tables(pad=EOS),
         "You fill up with <eos>, 2. The padding is 0."),
        ("padded_with_eos",
         [reads, [[4, 5, 6, 7, 2], [4, 7, 2, 2, 2], [5, 6, 7, 2, 2]]],
         "What is said goes on with <eos>, 2, to the end of the row. It is "
         "said once; the padding is 0."),
        ("special_ids_exchanged", _tables(before=(EOS,), after=(BOS,)),
         "<bos> and <eos> have changed places: <bos> is 1 and is read first, "
         "<eos> is 2 and is said last."),
        ("last_column_lost", [[row[:-1] for row in t] for t in (reads, says)],
         "Your rows have four places. The sentence of four words needs five: "
         "its end has to be said too."),
        ("eos_after_the_padding",
         [reads, [[4, 5, 6, 7, 2], [4, 7, 0, 0, 2], [5, 6, 7, 0, 2]]],
         "In the shorter sentences <eos> stands after the padding. It "
         "belongs right behind the last word."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    table, row, column = (int(i) for i in np.argwhere(got != want)[0])
    right = int((got == want).all(axis=2).sum())
    name = ("what is read", "what is said")[table]
    return (
        f"{right} of 6 rows are right. The first other one: {name} in "
        f"sentence {row + 1}, place {column + 1}."
    )


THREE_SHIFTS = Paper(
    name="three_shifts_by_hand((reads, says))",
    asked="Two tables of three rows and five columns: the ids that the "
    "decoder reads, and those that it should say.",
    count="two tables of three rows and five columns",
    given="words (4, 5, 6, 7), (4, 7) and (5, 6, 7); <pad> 0, <bos> 1, <eos> 2",
    expected="whole numbers, all rows with five places",
    want=lambda: _tables(),
    misconceptions=_misconceptions,
    praise="All six rows are right. In each column stands what has just been "
    "read and, in the other table, what comes next.",
    hints=(
        "Write the words of a sentence in the middle of a line. One table "
        "gets something in front of them, the other something behind.",
        "All rows have five places: four words and one special id in the "
        "longest sentence. The rest is filled with 0, on the right.",
    ),
    look=_look,
)
