"""Numbers worked out on paper: how many numbers five arrays hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["FIVE_SHAPES", "five_shapes_by_hand"]

B, T, D = 5, 7, 8
_SHAPES = ((T, D), (B, T), (B, T, D), (B, T, T), (B,))


def five_shapes_by_hand(value: Any) -> Verdict:
    """Check how many numbers each of five arrays holds.

    A batch of B = 5 sentences of T = 7 words, d = 8 numbers a word: the
    vectors of one sentence, the word numbers of the batch, the vectors of
    the batch, a score for each pair of words of the same sentence, the
    lengths of the sentences.

    Args:
        value: five whole numbers, as a tuple, list, array or tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 0.
    """
    return judge_paper(FIVE_SHAPES, value)


def _counts(shapes=_SHAPES) -> list[int]:
    return [math.prod(shape) for shape in shapes]


def _changed(place: int, shape: tuple[int, ...]) -> list[int]:
    """The right counts with one shape replaced."""
    return _counts([*_SHAPES[:place], shape, *_SHAPES[place + 1 :]])


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    pick = [
        ("added_up", [sum(shape) for shape in _SHAPES],
         "You added the lengths of the axes. An array with 2 rows and 3 "
         "columns holds 2 times 3 numbers."),
        ("number_of_axes", [len(shape) for shape in _SHAPES],
         "You counted the axes, and these counts are right. Now multiply "
         "the lengths of the axes of each array."),
        ("batch_left_out", _counts([(T, D), (T,), (T, D), (T, T), ()]),
         "That is one sentence throughout. Arrays 2 to 5 are about the "
         "whole batch, so they have an axis for the sentences too."),
        ("batch_everywhere", _changed(0, (B, T, D)),
         "Array 1 is about a single sentence, so it has no axis for the "
         "batch. The other four are right."),
        ("words_not_listed", _changed(1, (B,)),
         "Array 2 has one number for each *word*, and each sentence has "
         "several. The other four are right."),
        ("vectors_in_place_of_numbers", _changed(1, (B, T, D)),
         "Array 2 holds one number for each word, its place in the "
         "dictionary, and not yet a vector. The other four are right."),
        ("scores_with_width", _changed(3, (B, T, D)),
         "In array 4 a word does not meet the entries of a vector, it meets "
         "the other words: both of its last axes count words. The other "
         "four are right."),
        ("one_score_a_word", _changed(3, (B, T)),
         "In array 4 there is a score for each *pair* of words, not for "
         "each word. The other four are right."),
        ("scores_across_the_batch", _changed(3, (B, T, B, T)),
         "In array 4 you let words meet the words of other sentences. Each "
         "sentence has a table of its own. The other four are right."),
        ("no_word_with_itself", [*_counts()[:3], B * T * (T - 1), B],
         "In array 4 every word also meets itself, so a word has as many "
         "scores as there are words. The other four are right."),
        ("each_pair_once", [*_counts()[:3], B * T * (T + 1) // 2, B],
         "In array 4 you counted each pair once. The score of word 1 with "
         "word 2 has a place of its own beside that of word 2 with word 1: "
         "a full table. The other four are right."),
        ("each_pair_once_and_not_itself",
         [*_counts()[:3], B * T * (T - 1) // 2, B],
         "In array 4 you counted each pair once and left out a word with "
         "itself. A full table has a row and a column for each word. The "
         "other four are right."),
        ("one_word_only", _changed(0, (D,)),
         "For array 1 you gave the numbers of a single word. A sentence has "
         "several words. The other four are right."),
        ("gave_the_length", [*_counts()[:4], T],
         "For array 5 you gave the length of a sentence. The array holds "
         "one such number for each sentence; how many are they? The other "
         "four are right."),
        ("one_sentence_of_scores", _changed(3, (T, T)),
         "Array 4 holds such a table for each sentence of the batch. The "
         "other four are right."),
        ("length_of_each_word", _changed(4, (B, T)),
         "Array 5 holds one number for each *sentence*: how long it is. The "
         "other four are right."),
        ("one_length", _changed(4, ()),
         "Array 5 holds a length for each sentence of the batch. The other "
         "four are right."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    wrong = [i for i in range(len(want)) if abs(got[i] - want[i]) > 0.002]
    first, shape = wrong[0], _SHAPES[wrong[0]]
    right = len(want) - len(wrong)
    start = (
        f"{right} of the 5 are right. Look again at array {first + 1}: "
        if right
        else "None of the 5 is right yet. Begin with array 1: "
    )
    if len(shape) > 1 and got[first] == sum(shape):
        return start + "you added the lengths of its axes; multiply them."
    if got[first] == len(shape):
        return start + "that is how many axes it has; multiply their lengths."
    if got[first] == want[first] * B:
        return start + "you counted the sentences of the batch once too often."
    if got[first] * B == want[first]:
        return start + "it is about the whole batch, so B is one of its axes."
    return start + (
        "write down its shape with letters first, such as (B, T) for one "
        "number a word; then put in the lengths and multiply."
    )


FIVE_SHAPES = Paper(
    name="five_shapes_by_hand(counts)",
    asked="How many numbers does each of the five arrays hold? Five whole "
    "numbers in the order of the table, such as `(10, 20, 30, 40, 50)`.",
    count="five whole numbers, one for each array",
    given=f"B = {B} sentences, T = {T} words each, d = {D} numbers a word",
    expected="five whole numbers: the lengths of the axes of each array, "
    "multiplied",
    want=_counts,
    misconceptions=_misconceptions,
    praise="All five are right. You can read a shape, which is half of the "
    "work with arrays.",
    hints=(
        "Ask of each array: of what does it have one for each? One for each "
        "sentence? One for each word of each sentence? Every *for each* is "
        "an axis.",
        "The axes are (T, d) for the first array, and each of the others "
        "begins with B. In the fourth, every word meets every word of its "
        "own sentence, so T stands in it twice.",
    ),
    look=_look,
)
