"""Numbers worked out on paper: five merges on ten words, two new words."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from transformer_lib.course.checks.code.bpe_learn import solution as learned
from transformer_lib.course.checks.code.bpe_merge import solution as merged
from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["MERGES", "NEW", "WORDS", "merges_by_hand"]

WORDS = (
    "sandal remains train train drain hands think rain train ringer"
).split()
NEW = ("training", "restrain")
_TURNS = 5


def merges_by_hand(value: Any) -> Verdict:
    """Check eight numbers of a byte-pair encoding on paper.

    The ten words of chapter 18, exercise 1: how often each of the five
    merged pairs occurs when it is chosen, how many symbols the ten words
    have after the five merges, and how many each of two new words.

    Args:
        value: eight numbers, as a tuple, list, array or tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 18.
    """
    return judge_paper(MERGES, value)


def _symbols(words: Any, end: str = "_") -> list[list[str]]:
    return [list(word + end) for word in words]


def _numbers(end: str = "_", text: Any = WORDS) -> list[float]:
    """The eight numbers; without arguments the right ones."""
    words = _symbols(text, end)
    pairs = learned(words, _TURNS)
    counts = [
        _counted(merged(words, pairs[:turn]))[pair]
        for turn, pair in enumerate(pairs)
    ]
    whole, new = merged(words, pairs), merged(_symbols(NEW, end), pairs)
    return [*counts, sum(map(len, whole)), *map(len, new)]


def _counted(words: list[list[str]]) -> Counter:
    return Counter(pair for word in words for pair in pairwise(word))


def _with(**changes: float) -> list[float]:
    """The right numbers, some of them replaced; `p2` is the second."""
    right = _numbers()
    return [changes.get(f"p{i + 1}", one) for i, one in enumerate(right)]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _numbers()
    start = sum(len(word) + 1 for word in WORDS)
    counts = _counted(_symbols(WORDS)).most_common(_TURNS)
    letters = [pair for pair, _ in counts]
    left = [
        sum(map(len, merged(_symbols(part), letters)))
        for part in (WORDS, NEW[:1], NEW[1:])
    ]
    each = [len(word) + 1 for word in NEW]
    bare = [start - len(WORDS), *(one - 1 for one in each)]  # without signs
    words = _symbols(WORDS)
    words = merged(words, learned(words, _TURNS))
    alone = sum(word[-1] == "_" for word in words)
    pick = [
        ("end_sign_forgotten", _numbers(end=""),
         "You work without the sign `_` for the end of a word. It is a "
         "symbol like the others: it is counted, and it can be merged."),
        ("words_counted_once", _numbers(text=tuple(dict.fromkeys(WORDS))),
         "You counted `train` once. It stands three times in the text, and "
         "each time counts."),
        ("counted_once", [*right[:5], *left],
         "You merged the five most frequent pairs of *letters*; that their "
         "counts are right is an accident. After each merge count anew: "
         "`i` and `n` are one symbol now, and no pair a+i is left."),
        ("letters_in_place_of_symbols",
         _with(p6=start, p7=each[0], p8=each[1]),
         "The counts are right. The last three numbers are symbols *after* "
         "the five merges, not letters."),
        ("letters_in_place_of_symbols", [*right[:5], *bare],
         "The counts are right. The last three numbers are symbols *after* "
         "the five merges, not letters; and each `_` is a symbol too."),
        ("new_words_left_whole", _with(p7=1, p8=1),
         "The first six are right. A new word is not one symbol: begin with "
         "its letters and repeat the five merges on it."),
        ("new_words_in_letters", _with(p7=each[0], p8=each[1]),
         "The first six are right. Repeat the five merges on the two new "
         "words too."),
        ("saved_in_place_of_left",
         _with(p6=start - right[5]),
         "Seven are right. The sixth number is how many symbols are left, not "
         "how many were saved."),
        *(("too_few_in_training", _with(p7=right[6] - less),
           "Seven are right. In `training` the letters `rain` are followed by "
           "`i`, so the merges 4 and 5 do not apply, and the `_` at its end "
           "is a symbol of its own.")
          for less in (1, 2, 3)),
        *(("signs_not_counted", _with(p6=right[5] - alone, p7=right[6] - 1,
                                      p8=new),
           "The counts are right. A `_` that stands alone at the end of a "
           "word is a symbol, too: count it.")
          for new in (right[7], right[7] - 1)),
        ("tie_or_second_in", _with(p7=right[6] + 1),
         "Seven are right. For `training` two slips lead to your number. "
         "Either you merged `ain` with `_` before `r` with `ain`: both stand "
         "at five, and `r` `ain` is met first. Or you left one `in` apart: "
         "`training` has it twice, and the first merge takes both."),
        ("train_not_found", _with(p8=right[7] + 1),
         "Seven are right. `restrain` ends in `t`, `r`, `a`, `i`, `n`, `_`, "
         "and all five merges apply, one after the other."),
        ("re_as_a_piece", _with(p8=right[7] - 1),
         "Seven are right. In `restrain` the pair `r`, `e` was never merged: "
         "only pairs of your list are."),
        ("new_words_exchanged", _with(p7=right[7], p8=right[6]),
         "The first six are right; the last two have changed places: first "
         "`training`."),
        ("kinds_in_place_of_symbols",
         _with(p6=len({symbol for word in words for symbol in word})),
         "Seven are right. The sixth number counts all symbols of the text, "
         "also those that occur again."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.01
    names = (
        "count of merge 1",
        "count of merge 2",
        "count of merge 3",
        "count of merge 4",
        "count of merge 5",
        "number of symbols of the ten words",
        "number of symbols of `training`",
        "number of symbols of `restrain`",
    )
    return (
        f"{int(fits.sum())} of the 8 are right. Look again at the "
        f"{names[int(np.argmin(fits))]}: write the words one below the other, "
        "with a space between two symbols."
    )


MERGES = Paper(
    name="merges_by_hand(numbers)",
    asked="Eight numbers: how often each of the five merged pairs occurs "
    "when it is chosen; how many symbols the ten words have after five "
    "merges; how many symbols `training` and `restrain` have. Such as "
    "`(9, 8, 7, 6, 5, 40, 3, 2)`.",
    count="eight numbers",
    given="ten words with `_` at the end of each: " + " ".join(WORDS),
    expected="five counts that never rise, then three numbers of symbols",
    want=_numbers,
    misconceptions=_misconceptions,
    praise="All eight are right. `restrain` ends in the piece `train_`, which "
    "it owes to spelling and to nothing else; `training` does not have it.",
    hints=(
        "The first pair is i+n: find it in eight places. Write the words "
        "again with `in` as one symbol before you count for merge 2.",
        "The pieces grow from the middle: `in`, `ain`, `rain`, and then the "
        "end sign joins. For the new words write the letters, then go "
        "through your five merges from the first to the last.",
    ),
    look=_look,
    tolerance=0.01,
)
