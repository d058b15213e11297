"""The exercise `bpe_merge(words, pairs)` and the wrong answers it knows."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import Probe
from transformer_course.checks.engine.reading import ARRAY, RAISED
from transformer_course.checks.engine.symbols_coded import (
    decoded,
    in_numbers,
    in_words,
    is_nested,
    said,
)
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "bpe_merge", "solution"]


def bpe_merge(function: Any) -> Verdict:
    """Check a function `bpe_merge(words, pairs)`.

    For each pair (left, right) in turn, every place in a word where left
    stands directly before right becomes the one symbol left + right, from
    left to right.

    Args:
        function: takes a list of words, each a list of symbols, and a list
            of pairs in the order in which they were learned; returns the
            words as lists (or tuples) of symbols and leaves its inputs as
            they are.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2. Chapter 18.
    """
    return judge(EXERCISE, function)


def solution(words, pairs):
    done = [list(word) for word in words]
    for left, right in pairs:
        new = []
        for word in done:
            cut, i = [], 0
            while i < len(word):
                if word[i : i + 2] == [left, right]:
                    cut.append(left + right)
                    i += 2
                else:
                    cut.append(word[i])
                    i += 1
            new.append(cut)
        done = new
    return done


def until_one_is_missing(word, pairs):
    for pair in pairs:
        if pair not in pairwise(word):
            break
        (word,) = solution([word], [pair])
    return word


def longest_first(word, pairs):
    pieces = sorted((left + right for left, right in pairs), key=len)
    return re.findall("|".join([*pieces[::-1], "."]), "".join(word))


def _case(name, words, pairs, basic=True):
    """Words are cut into letters, or where there are `|`; pairs have a `+`."""
    cut = [word.split("|") if "|" in word else list(word) for word in words]
    return Case(name, (cut, [tuple(pair.split("+")) for pair in pairs]), basic)


CASES = (
    _case("three merges", ["wheat_", "thing_", "eating_", "spin_", "seating_"],
          ["i+n", "in+g", "ing+_"]),
    _case("one word twice", ["tea_", "seat_", "tea_", "heat_", "treat_"],
          ["e+a", "ea+t", "a+_", "ea+_"]),
    _case("order decides", ["tested_", "nest_", "west_", "strong_"],
          ["s+t", "e+st", "e+s", "st+_", "est+_"]),
    _case("a short pair last", ["rings_", "dogs_", "legs_", "things_"],
          ["i+n", "in+g", "g+s"]),
    _case("twice in a word", ["banana_", "anna_", "singing_", "none_"],
          ["a+n", "an+a", "n+g", "i+ng"]),
    _case("the same letter", ["aaaaa", "aaa", "baaa"], ["a+a"]),
    _case("already begun", ["i|ng", "in|g", "s|in|g"], ["in+g"]),
    _case("a symbol inside others", ["e|st|a|te", "s|t|a|t|e"],
          ["t+a", "s+t", "ta+t"]),
    _case("a pair that is missing", ["rain_", "train_"],
          ["x+y", "a+i", "ai+n"]),
    _case("Korean", ["고양이는_", "고양이를_", "이고_"],
          ["고+양", "고양+이", "는+_"]),
    _case("no merge yet", ["sea_", "see_"], [], basic=False),
    _case("an empty word", ["", "a", "ab"], ["a+b"], basic=False),
)  # fmt: skip


def _show(args: tuple) -> str:
    words, pairs = args
    merges = ", ".join(f"{left}+{right}" for left, right in pairs)
    return f"words  {said(words)}\npairs  {merges or 'none'}"


def _nested(probe: Probe) -> str | None:
    """The answer is a list of words, each a list of symbols."""
    if probe.got.kind != ARRAY:
        return None
    got = decoded(probe.got.array)
    if is_nested(got):
        return None
    return (
        "The form is the first thing that breaks: a list of words is wanted, "
        f"each a list of symbols, and yours is {said(got)}."
    )


def _same_letters(probe: Probe) -> str | None:
    """Merging neither loses nor adds a letter."""
    if probe.got.kind != ARRAY:
        return None
    got, words = decoded(probe.got.array), probe.args[0]
    if len(got) != len(words):
        return (
            f"The first thing that breaks: {len(words)} words went in, "
            f"{len(got)} came out."
        )
    for word, pieces in zip(words, got, strict=True):
        if "".join(pieces) != "".join(word):
            return (
                "The first thing that breaks: merging glues symbols together "
                "and loses none. From "
                f"`{'|'.join(word)}` you made `{'|'.join(pieces)}`."
            )
    return None


def _first_word(probe: Probe) -> str | None:
    """Say which word is cut in another way than wanted."""
    if probe.got.kind != ARRAY or probe.want.kind != ARRAY:
        return None
    pairs = zip(
        decoded(probe.got.array), decoded(probe.want.array), strict=False
    )
    for got, want in pairs:
        if got != want:
            return (
                "The form is right, the cuts are not: the first word that "
                f"differs is `{'|'.join(got)}` instead of "
                f"`{'|'.join(want)}`."
            )
    return None


STOPS = (
    Mistake(
        "no_pairs",
        "Without any pair your function stops. Nothing is merged then, and "
        "the words come back as they are.",
        "Which variable is made only inside the loop over the pairs?",
        matches=lambda answers: answers["no merge yet"].kind == RAISED,
        on="no merge yet",
    ),
    Mistake(
        "empty_word",
        "A word without symbols stops your function. It comes back empty.",
        "What is the last symbol of an empty list?",
        matches=lambda answers: answers["an empty word"].kind == RAISED,
        on="an empty word",
    ),
)


def _one_more(seed: int) -> Case:
    letters = np.random.default_rng(seed).choice(list("aet"), (6, 6))
    words = [f"{''.join(word)}_" for word in letters]
    return _case("one more", words, ["e+a", "ea+t", "a+t", "t+_"])


EXERCISE = Exercise(
    name="bpe_merge",
    inputs=("words", "pairs"),
    asked="`bpe_merge(words, pairs)` takes a list of words, each a list of "
    "symbols, and a list of pairs in the order in which they were learned. "
    "For each pair in turn it replaces, in every word and from left to "
    "right, every place where the first symbol stands directly before the "
    "second by one symbol, the two joined. It returns the new list of words "
    "and leaves its inputs as they are.",
    praise="Your cuts agree with the reference, also where the order of the "
    "merges decides, where one symbol occurs inside another, and in Korean.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
    made_here=STOPS,
    properties=(_nested, _same_letters, _first_word),
    hints=(
        "Two loops around a third: for each pair, for each word, walk through "
        "the word with an index i. Look at two symbols at a time.",
        "If the symbols at i and i + 1 are the pair, append the joined "
        "symbol to a new list and go on at i + 2; if not, append the symbol "
        "at i and go on at i + 1. The word for the next pair is the new list.",
    ),
    show_inputs=_show,
    show_answer=in_words,
    play=in_numbers("words", "pairs"),
)
