"""Numbers worked out on paper: which two pieces are joined next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["PIECES", "WORDS", "counts", "pieces_by_hand"]

WORDS = {"the": 20, "he": 5, "queen": 4}


def pieces_by_hand(value: Any) -> Verdict:
    """Check the first merge of byte-pair encoding and of WordPiece.

    Words "the" 20 times, "he" 5 times, "queen" 4 times, cut into letters.
    BPE joins the most frequent pair; WordPiece, as it is commonly described,
    the pair with the largest count(ab) / (count(a) count(b)).

    Args:
        value: four numbers: the count of the pair that BPE joins, the score
            of the same pair, the count of the pair that WordPiece joins, the
            score of that.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2; Schuster and Nakajima 2012.
    Chapter 19.
    """
    return judge_paper(PIECES, value)


def counts(types: bool = False) -> tuple[Counter, Counter]:
    """How often each letter and each pair of neighbors comes.

    Args:
        types: count each different word once.

    Returns:
        Two counters: of letters, of pairs.
    """
    letters, pairs = Counter(), Counter()
    for word, times in WORDS.items():
        times = 1 if types else times
        for letter in word:
            letters[letter] += times
        for pair in zip(word, word[1:], strict=False):
            pairs[pair] += times
    return letters, pairs


def _four(
    types: bool = False,
    score: Callable = lambda ab, a, b: ab / (a * b),
    bpe: Any = None,
    wordpiece: Any = None,
) -> list[float]:
    """Count and score of BPE's pair, count and score of WordPiece's."""
    letters, pairs = counts(types)

    def worth(pair: tuple) -> float:
        return score(pairs[pair], letters[pair[0]], letters[pair[1]])

    first = bpe or max(pairs, key=pairs.get)
    second = wordpiece or max(pairs, key=worth)
    return [pairs[first], worth(first), pairs[second], worth(second)]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _four()
    pick = [
        ("each_word_once", _four(types=True),
         "You counted each word once. They come 20, 5 and 4 times, and so do "
         "their letters."),
        ("one_pair_for_both", [right[0], right[1], right[0], right[1]],
         "The first two are right. WordPiece does not take the most frequent "
         "pair, but the one with the largest score."),
        ("the_rare_pair_for_both", [right[2], right[3], right[2], right[3]],
         "The last two are right. BPE does not look at the score, only at "
         "how often a pair comes."),
        ("exchanged", [right[2], right[3], right[0], right[1]],
         "All four are right but stand in another order: first BPE."),
        ("from_the_left", _four(bpe=("t", "h")),
         "The last two are right. The pair t h stands first in the list, but "
         "h e comes more often: also in the word he."),
        ("divided_by_the_sum", _four(score=lambda ab, a, b: ab / (a + b)),
         "You divided by the sum of the two counts; it is their product."),
        ("divided_by_the_first", _four(score=lambda ab, a, b: ab / a,
                                       wordpiece=("q", "u")),
         "You divided by the count of the first letter only."),
        ("divided_by_the_second", _four(score=lambda ab, a, b: ab / b,
                                        wordpiece=("q", "u")),
         "You divided by the count of the second letter only."),
        ("turned_around", _four(score=lambda ab, a, b: a * b / ab,
                                wordpiece=("q", "u")),
         "Your scores are upside down: the count of the pair stands on top."),
        ("double_letter_once",
         [25, 25 / (25 * 29), 4, 0.25],
         "One score is off. Count e again: 20 in the, 5 in he, and two in "
         "each queen."),
        ("e_of_queen_forgotten", [25, 25 / (25 * 25), 4, 0.25],
         "One score is off. Count e again: 20 in the, 5 in he, and two in "
         "each queen."),
        ("h_of_he_forgotten", [25, 25 / (20 * 33), 4, 0.25],
         "One score is off: the word he has an h as well, so there are 20 + "
         "5 of them."),
        ("shares_in_place_of_counts",
         [25, (25 / 90) / (25 / 90 * 33 / 90),
          4, (4 / 90) / (4 / 90 * 4 / 90)],
         "You divided by 90, the number of letters, first. The order of the "
         "pairs stays the same; the score asked for takes the plain counts."),
        ("shares_in_place_of_counts",
         [25, (25 / 61) / (25 / 90 * 33 / 90),
          4, (4 / 61) / (4 / 90 * 4 / 90)],
         "You took shares of the pairs and of the letters. The order of the "
         "pairs stays the same; the score asked for takes the plain counts."),
        ("half_of_queen", [*right[:3], 4 / (4 * 33)],
         "The first three are right. There is a pair that also comes 4 times "
         "and has a larger score: both of its letters are rare."),
        ("the_other_rare_pair", _four(wordpiece=("t", "h")),
         "The first two are right. The score of t h is large, and there is a "
         "larger one: look at letters that are rare and always together."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.0021
    names = (
        "the count of BPE's pair",
        "the score of BPE's pair",
        "the count of WordPiece's pair",
        "the score of WordPiece's pair",
    )
    return (
        f"{int(fits.sum())} of the 4 are right. Look again at "
        f"{names[int(np.argmin(fits))]}."
    )


PIECES = Paper(
    name="pieces_by_hand(numbers)",
    asked="The first merge for the (20 times), he (5), queen (4): the count "
    "of the pair that BPE joins and its score; the count of the pair that "
    "WordPiece joins and its score. Four numbers such as `(7, 0.5, 3, 0.6)`.",
    count="four numbers",
    given="the 20, he 5, queen 4, cut into letters; score = count of the "
    "pair / (count of the first * count of the second)",
    expected="count and score of BPE's pair, count and score of WordPiece's",
    want=_four,
    misconceptions=_misconceptions,
    praise="All four are right. BPE joins what is frequent, WordPiece what "
    "is more frequent together than its parts let one expect.",
    hints=(
        "Letters first: how often do t, h, e, q, u and n come? Mind that "
        "queen has two e and comes four times.",
        "BPE looks for the largest count of a pair: which pair is in two of "
        "the three words? For the score look at pairs of rare letters that "
        "never come apart.",
    ),
    look=_look,
)
