"""The exercise `bpe_learn(words, n)` and the wrong answers it knows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from transformer_course.checks.code.bpe_merge import EXERCISE as MERGE
from transformer_course.checks.code.bpe_merge import solution as merge
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

__all__ = ["EXERCISE", "bpe_learn", "solution"]


def bpe_learn(function: Any) -> Verdict:
    """Check a function `bpe_learn(words, n)`.

    n times: count all pairs of neighbors in all words, every word as often
    as it comes; take the most frequent pair, of equally frequent ones the
    one that is met first; write it down; merge it everywhere.

    Args:
        function: takes a list of words, each a list of symbols, and a whole
            number; returns the list of pairs (left, right) in the order in
            which they were merged, fewer than n if no pair is left, and
            leaves its inputs as they are.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2. Chapter 18.
    """
    return judge(EXERCISE, function)


def solution(words, n):
    pairs = []
    for _ in range(n):
        counts = {}
        for word in words:
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        pairs.append(best)
        words = merge(words, [best])
    return pairs


def apart(word):
    found = []
    for pair in pairwise(word):
        found.append(None if found and found[-1] == pair else pair)
    return filter(None, found)


def second(counts):
    times = sorted(set(counts.values()))[-2:][0]
    return next(pair for pair in counts if counts[pair] == times)


def slip(name):
    known = {mistake.id: mistake for mistake in MERGE.mistakes}
    return MERGE.variant(known[name].edits[0])


def _case(name, text, n, basic=True):
    """Words are cut into letters, or where there are `|`."""
    words = [w.split("|") if "|" in w else list(w) for w in text.split()]
    return Case(name, (words, n), basic)


CASES = (
    _case("ten words", "wheat_ thing_ eating_ treat_ spin_ things_ eating_ "
          "thing_ teas_ ringer_", 5),
    _case("repeated words", "tea_ low_ tea_ lower_ tea_ tea_", 4),
    _case("a tie", "to_ we_ go_ we_ to_", 3),
    _case("the same letter", "bc bc aaaaa", 3),
    _case("twice in a word", "banana_ nan_ bab_ bob_", 4),
    _case("word ends", "xa bx ab xa bx cab", 2),
    _case("a symbol inside others", "t|a t|a t|a xt|a|b xt|a|b", 2),
    _case("already begun", "i|ng s|i|ng in|g", 2),
    _case("rare", "ab cde fg", 4),
    _case("nothing left", "ab ab", 5, basic=False),
    _case("none", "ab ab", 0, basic=False),
)  # fmt: skip


def _show(args: tuple) -> str:
    words, n = args
    return f"words  {said(words)}\nn  {n}"


def _pairs_of(probe: Probe) -> Any:
    return decoded(probe.got.array) if probe.got.kind == ARRAY else None


def _list_of_pairs(probe: Probe) -> str | None:
    """The answer is a list of pairs of symbols."""
    got = _pairs_of(probe)
    if got is None or is_nested(got) and all(len(pair) == 2 for pair in got):
        return None
    return (
        "The form is the first thing that breaks: a list of pairs is wanted, "
        f"such as [('i', 'n'), ('in', 'g')], and yours is {said(got)}."
    )


def _made_before(probe: Probe) -> str | None:
    """Each half of a pair is a symbol of the words, or was made before."""
    got = _pairs_of(probe)
    known = {symbol for word in probe.args[0] for symbol in word}
    for left, right in got or []:
        for half in (left, right):
            if half not in known:
                return (
                    "The first thing that breaks: each half of a pair is a "
                    "symbol of the words or was made by an earlier merge, "
                    f"and `{half}` in {left}+{right} is neither."
                )
        known.add(left + right)
    return None


def _first_pair(probe: Probe) -> str | None:
    """Say which merge is another than wanted."""
    if probe.got.kind != ARRAY or probe.want.kind != ARRAY:
        return None
    got, want = decoded(probe.got.array), decoded(probe.want.array)
    for turn, (mine, right) in enumerate(zip(got, want, strict=False), 1):
        if mine != right:
            return (
                f"The first thing that breaks: merge {turn} is "
                f"{'+'.join(mine)} instead of {'+'.join(right)}."
            )
    if len(got) != len(want):
        return (
            f"The first thing that breaks: {len(got)} pairs came, "
            f"{len(want)} are wanted."
        )
    return None


STOPS = (
    Mistake(
        "no_pair_left",
        "When every word is a single symbol, no pair is left, and your "
        "function stops with an error. Return the pairs found so far.",
        "What is the largest of no numbers?",
        matches=lambda answers: answers["nothing left"].kind == RAISED,
        on="nothing left",
    ),
)


def _one_more(seed: int) -> Case:
    letters = np.random.default_rng(seed).choice(list("aeintrs"), (8, 4))
    return _case("one more", " ".join(f"{''.join(w)}_" for w in letters), 3)


EXERCISE = Exercise(
    name="bpe_learn",
    inputs=("words", "n"),
    asked="`bpe_learn(words, n)` takes a list of words, each a list of "
    "symbols, and returns a list of n pairs. For each of them it counts all "
    "pairs of neighbors inside the words (every word as often as it comes, "
    "every place in it), takes the most frequent pair, or of equally "
    "frequent ones the one that is met first when the words are read from "
    "the first to the last, and merges it in all words before it counts "
    "again. If no pair is left, the list is shorter. The inputs stay as they "
    "are.",
    praise="Your merges agree with the reference, with ties, repeated words, "
    "repeated letters, and where no pair is left.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
    made_here=STOPS,
    properties=(_list_of_pairs, _made_before, _first_pair),
    hints=(
        "`Counter` counts whatever you feed it: here the pairs "
        "`zip(word, word[1:])` of every word. A dictionary keeps the order "
        "in which its keys came, and `max(counts, key=counts.get)` gives the "
        "first of equals.",
        "Four lines in a loop: count, stop if there is nothing, take the "
        "best pair, and let `bpe_merge(words, [pair])` give you the words "
        "for the next round.",
    ),
    show_inputs=_show,
    show_answer=in_words,
    play=in_numbers("words", "n"),
)
