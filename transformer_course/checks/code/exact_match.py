"""The exercise `exact_match(hypotheses, references)` and its wrong answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import (
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import RAISED, number
from transformer_course.checks.engine.verdict import Verdict

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
        "Lists of different lengths get a result, because the longer one is "
        "cut (or the shorter one padded). A lost line would then go "
        "unnoticed: refuse lists of different lengths with a ValueError that "
        "names both lengths.",
        "`zip` stops silently at the shorter list, and a loop over one list "
        "never sees what the other has beyond it.",
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


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    left, right = draw.choice(["it rains .", "it snows ."], (2, 9)).tolist()
    return _case("one more", left, right)


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
    draw=_one_more,
    solve=Reference(solution),
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
    on_the_way={
        "n": "the number of sentences",
    },
)
