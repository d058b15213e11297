"""The exercise `exact_match(hypotheses, references)` and its wrong answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.properties import (
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import RAISED, number
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "exact_match"]


def exact_match(function: Any) -> Verdict:
    """Check `exact_match(hypotheses, references)`: the share of hits.

    A hit is a hypothesis that equals the reference at the same place as a
    whole, apart from spaces before and after it. The result is hits / n.

    Args:
        function: takes two lists of sentences of the same length n > 0 and
            returns a number from 0 to 1; it refuses lists of different
            lengths and empty lists with a ValueError.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: the chapter on the toy translator (chapter 15).
    """
    return judge(EXERCISE, function)


def solution(hypotheses, references):
    n = len(references)
    if len(hypotheses) != n:
        raise ValueError(f"{len(hypotheses)} hypotheses, {n} references")
    if n == 0:
        raise ValueError("no sentences, so there is no share of them")
    left = [h.strip() for h in hypotheses]
    right = [r.strip() for r in references]
    hits = [h == r for h, r in zip(left, right, strict=True)]
    return sum(hits) / n


def alike(left, right):
    return sum(a == b for a, b in zip(left, right, strict=False))


def letters(text):
    return "".join(c for c in text if c.isalnum() or c == " ")


def _case(name, hypotheses, references):
    return Case(name, (hypotheses, references))


def _refused(name, hypotheses, references):
    pair = hypotheses, references
    return Case(name, pair, basic=False, refuse="ValueError")


CASES = (
    _case(
        "one wrong word",
        ["the cat sleeps .", "the dog runs .", "a bird sings ."],
        ["the cat sleeps .", "the dog ran .", "a bird sings ."],
    ),
    _case("spaces around", ["고양이가 잔다. ", " 개가 뛴다."],
          ["고양이가 잔다.", "개가 잔다."]),
    _case("space before", ["비가 온다.", " 새가 난다."],
          ["눈이 온다.", "새가 난다."]),
    _case(
        "spaces in the reference",
        ["a fish swims .", "snow falls .", "they ran ."],
        [" a fish swims .", "snow falls . ", "they run ."],
    ),
    _case("end of it", ["the bear slept .", "very cold ."],
          ["the bear slept .", "it was very cold ."]),
    _case("no period in Korean", ["개가 잔다", "우리는 걷는다."],
          ["개가 잔다.", "우리는 걷는다."]),
    _case("another sign", ["did it rain .", "we rest ."],
          ["did it rain ?", "we rest ."]),
    _case("capital letter", ["The cat sleeps .", "it rains ."],
          ["the cat sleeps .", "it rains ."]),
    _case(
        "word order",
        ["the dog bites the man .", "we eat", "you wait", "go"],
        ["the man bites the dog .", "we eat", "you wait", "stop"],
    ),
    _case("part of it", ["the cat", "it was too tired .", "yes"],
          ["the cat sleeps .", "it was", "yes"]),
    _case("space inside", ["the  cat", "a dog"], ["the cat", "a dog"]),
    _case("period missing", ["the cat sleeps", "it rains ."],
          ["the cat sleeps .", "it rains ."]),
    _case(
        "exchanged",
        ["two .", "one .", "three .", "four .", "four ."],
        ["one .", "two .", "three .", "four .", "four ."],
    ),
    _case("nothing right", ["one", "two"], ["three", "four"]),
    _case("all right", ["one", "two"], ["one", "two"]),
    _refused("one too few", ["one .", "two ."],
             ["one .", "two .", "three ."]),
    _refused("one too many", ["one .", "two .", "three ."],
             ["one .", "two ."]),
    _refused("empty", [], []),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    n = len(case.args[1])
    return first_difference(want, got) | {"n": n, "hits": number(want * n)}


def _show(args: tuple) -> str:
    hypotheses, references = args
    return f"hypotheses = {hypotheses}\nreferences = {references}"


UNEQUAL = ("one too few", "one too many")
REFUSALS = (
    Mistake(
        "unequal_lengths_accepted",
        "Two sentences against three references get a result, because the "
        "lists are cut to the shorter one (or padded). A lost line would "
        "then go unnoticed: refuse lists of different lengths with a "
        "ValueError that names both lengths.",
        "`zip` stops silently at the shorter list.",
        matches=lambda answers: any(
            answers[name].kind != RAISED for name in UNEQUAL
        ),
    ),
    Mistake(
        "wrong_error",
        "Lists of different lengths do stop your function, but not with a "
        "ValueError. Look at the lengths first and raise a ValueError that "
        "names both; an error by accident, or an `assert`, tells the caller "
        "less.",
        "Compare the two lengths in the first line.",
        matches=lambda answers: any(
            "ValueError" not in answers[name].groups for name in UNEQUAL
        ),
    ),
    Mistake(
        "empty_input",
        "Two empty lists have no share: there is nothing to divide by. "
        "Refuse them with a ValueError that says so.",
        "What is the share of nothing? Neither 0 nor 1 would be honest.",
        matches=lambda answers: "ValueError" not in answers["empty"].groups,
    ),
)

MISTAKES = r"""
percent
- sum(hits)
+ 100 * sum(hits)
You return a percentage, {came}; wanted is the share {wanted}. A share of 1
means that every sentence is right.
? By what do you multiply at the end?

count
-  / n
+
You return how many sentences are right, {came}. Divided by the number of
sentences, {n}, it becomes the share {wanted}.
? One division is missing.

share_of_misses
- sum(hits) / n
+ 1 - sum(hits) / n
You return the share of sentences that are wrong, {came}; wanted is the share
that is right, {wanted}.
? Which of the two cases do you count: equal or different?

rounded
- sum(hits) / n
+ round(sum(hits) / n)
or
- sum(hits) / n
+ round(sum(hits) / n, 2)
or
- sum(hits) / n
+ round(sum(hits) / n, 1)
You round the share: {came} instead of {wanted}. Round when you print, not
when you compute.
? Is there a `round` on the way out?

all_or_nothing
- sum(hits) / n
+ all(hits)
or
- / n
+ // n
One wrong sentence makes your result {came} instead of {wanted}. Either you
ask whether the whole lists are equal, or a whole-number division (`//`, `int`)
cuts off what follows the point.
? How many questions do you ask for a list of three sentences, and with which
sign do you divide?

one_is_enough
- sum(hits) / n
+ any(hits)
A single right sentence makes your result 1. The task asks how large the share
of right ones is: {wanted}.
? Count instead of asking whether there is any.

list_of_answers
- sum(hits) / n
+ hits
You return one answer for each sentence, {n} in all. Their mean is the share
that is wanted.
? In Python True counts as 1 and False as 0.

one_sentence_only
- sum(hits) / n
+ hits[0]
or
- sum(hits) / n
+ hits[-1]
or
- sum(hits)
+ hits[0]
or
- sum(hits)
+ hits[-1]
Your result depends on one sentence only: {came} instead of {wanted}. Does
`return` stand inside the loop, or is the count overwritten each time?
? Follow your loop by hand over two sentences. What is remembered from the
first?

divided_by_one_less
- / n
+ / (n - 1)
You divide by the number of sentences minus 1, so {hits} of {n} becomes {came}.
The share is {wanted}.
? How many sentences are there?

divided_by_distinct_references
- / n
+ / len(set(right))
You divide by the number of different references. A reference that occurs twice
counts twice: {hits} of {n} is {wanted}.
? A `set` forgets repeated sentences.

divided_by_tokens
- / n
+ / sum(len(r.split()) for r in right)
You divide the right sentences by the number of words. The share of sentences
is {hits} of {n}, so {wanted}.
? Both numbers of a share must count the same things.

right_by_wrong
- / n
+ / max(n - sum(hits), 1)
You divide the right sentences by the wrong ones, which is a ratio. A share is
a part of the whole: {hits} of {n}, so {wanted}.
? How many sentences are there in all?

share_of_words
- h == r
+ alike(h.split(), r.split()) / len(r.split())
or
- h == r
+ alike(h.split(), r.split())
- / n
+ / sum(len(r.split()) for r in right)
or
- h == r
+ alike(h.split(), r.split()) / max(len(h.split()), len(r.split()))
You count words that are right, so a sentence with one wrong word still earns
most of a point: {came} instead of {wanted}. Here a sentence is right as a
whole or not at all.
? Compare the two texts with one question, not word by word.

share_of_characters
- h == r
+ alike(h, r) / len(r)
or
- h == r
+ alike(h, r) / max(len(h), len(r))
or
- h == r
+ alike(h, r)
- / n
+ / sum(len(r) for r in right)
You count characters that are right: {came} instead of {wanted}. Here a
sentence is right as a whole or not at all.
? Compare the two texts with one question, not letter by letter.

word_overlap
- h == r
+ len(set(h.split()) & set(r.split())) / len(set(r.split()))
or
- h == r
+ len(set(h.split()) & set(r.split())) / len(set((h + " " + r).split()))
You count how many words the two sentences share: {came} instead of {wanted}.
Here a sentence is right as a whole or not at all.
? Compare the two texts with one question.

word_order_ignored
- h == r
+ sorted(h.split()) == sorted(r.split())
or
- h == r
+ set(h.split()) == set(r.split())
You compare the words without their order, so `the dog bites the man` passes
for `the man bites the dog`.
? Compare the texts as they stand, without sorting and without sets.

part_is_enough
- h == r
+ h in r
or
- h == r
+ r in h
or
- h == r
+ h in r or r in h
or
- h == r
+ r.startswith(h)
or
- h == r
+ r.endswith(h)
or
- h == r
+ r.startswith(h) or h.startswith(r)
A part of a sentence counts as right: `the cat` passes for `the cat sleeps .`,
or the other way around. Equal means equal from end to end.
? For texts, the word `in` asks whether one lies inside the other.

same_length_is_enough
- h == r
+ len(h.split()) == len(r.split())
You compare how many words the sentences have, not which ones: {came} instead
of {wanted}.
? Where do you use the texts themselves?

capitals_ignored
- h.strip()
+ h.strip().lower()
- r.strip()
+ r.strip().lower()
You make all letters small, so `The cat` passes for `the cat`. Exact match
forgives nothing but spaces at the ends: {wanted}, not {came}.
? Which step changes letters?

inner_spaces_ignored
- h.strip()
+ " ".join(h.split())
- r.strip()
+ " ".join(r.split())
or
- h.strip()
+ h.replace(" ", "")
- r.strip()
+ r.replace(" ", "")
You also forgive spaces inside a sentence, so `the  cat` with two spaces passes
for `the cat`. Only spaces before and after do not count. (In Korean a space
inside changes the words.)
? Cutting into words and joining them again loses the spaces.

spaces_around_counted
- h.strip()
+ h
- r.strip()
+ r
or
- h.strip()
+ h.rstrip()
- r.strip()
+ r.rstrip()
or
- h.strip()
+ h.lstrip()
- r.strip()
+ r.lstrip()
or
- r.strip()
+ r
or
- h.strip()
+ h
A space at an end of a sentence makes you count it as wrong: {came} instead of
{wanted}. Take the spaces away first, at both ends and in both lists.
? Texts have a method that takes away spaces at both ends. The references may
have spaces too.

punctuation_ignored
- h.strip()
+ letters(h).strip()
- r.strip()
+ letters(r).strip()
or
- h.strip()
+ h.strip(" .")
- r.strip()
+ r.strip(" .")
or
- h.strip()
+ h.strip().rstrip(".")
- r.strip()
+ r.strip().rstrip(".")
or
- h.strip()
+ letters(h.strip())
- r.strip()
+ letters(r.strip())
You drop the punctuation, so a sentence without its period passes: {came} in
place of {wanted}.
? Exact match forgives nothing but spaces at the ends.

found_anywhere
- h == r
+ h in right
or
- sum(hits)
+ len(set(left) & set(right))
You look for each sentence anywhere among the references. It has to equal the
one at its own place: {wanted}, not {came}.
? Go through the two lists side by side.

sorted_first
- zip(left, right, strict=True)
+ zip(sorted(left), sorted(right), strict=True)
You sort both lists before comparing, so sentences meet that do not belong
together: {came} instead of {wanted}.
? The order of the lists says which sentence belongs to which.

& unequal_lengths_accepted

& wrong_error

& empty_input
"""

EXERCISE = Exercise(
    name="exact_match",
    inputs=("hypotheses", "references"),
    asked="`exact_match(hypotheses, references)` returns the share, from 0 "
    "to 1, of sentences that equal the reference at the same place as a "
    "whole; only spaces before and after a sentence do not count. Lists of "
    "different lengths and empty lists are refused with a ValueError.",
    praise="Your share agrees with the reference, for Korean as well, and "
    "lists that do not fit together are refused.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    made_here=REFUSALS,
    properties=(
        shape,
        finite,
        between_zero_and_one,
        unmoved_by(
            lambda args: tuple(x[1:] + x[:1] for x in args),
            lambda got, args: got,
            "The first thing that breaks: when both lists are put into "
            "another order together, the share must stay, and yours changes.",
        ),
    ),
    hints=(
        "Go through the two lists side by side. For each pair ask one "
        "question: are the two sentences the same text, once the spaces at "
        "both ends are gone?",
        "Count the pairs that are the same and divide by the number of "
        "references. Before that, look at the two lengths: what should "
        "happen if they differ, and what if there is nothing to divide by?",
    ),
    facts=_facts,
    show_inputs=_show,
)
