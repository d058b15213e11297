"""The exercise `exact_match(hypotheses, references)` and its mistakes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import apart, number
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.exact_match_mistakes import MISTAKES

__all__ = ["EXERCISE", "exact_match", "share_of_hits"]


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


def share_of_hits(
    hypotheses: list[str],
    references: list[str],
    *,
    clean: str = "strip",
    side: str = "both",
    hit: str = "equal",
    pair: str = "in order",
    result: str = "share",
) -> Any:
    """The share of hits, or a wrong variant of it; the defaults are right."""
    change, none = _CLEAN[clean], _CLEAN["nothing"]
    to_left, to_right = _SIDE[side](change, none)
    left = [to_left(text) for text in hypotheses]
    right = [to_right(text) for text in references]
    pairs = _PAIR[pair](left, right)
    hits = [_HIT[hit](h, r) for h, r in pairs]
    return _RESULT[result](hits, left, right)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum() or c == " ").strip()


def _places(left: list | str, right: list | str) -> float:
    """The share of places that agree, up to the shorter of the two."""
    same = sum(a == b for a, b in zip(left, right, strict=False))
    return same / max(len(right), 1)


def _token_total(hits: list, left: list[str], right: list[str]) -> float:
    same = total = 0
    for h, r in zip(left, right, strict=True):
        same += sum(a == b for a, b in zip(h.split(), r.split(), strict=False))
        total += len(r.split())
    return same / total


_CLEAN = {
    "strip": str.strip,
    "nothing": str,
    "end only": str.rstrip,
    "beginning only": str.lstrip,
    "small letters": lambda t: t.strip().lower(),
    "inner spaces": lambda t: " ".join(t.split()),
    "all spaces": lambda t: "".join(t.split()),
    "letters only": _letters,
    "no period": lambda t: t.strip().rstrip(" ."),
    "period cut off": lambda t: t.strip().rstrip("."),
}
_SIDE = {
    "both": lambda change, none: (change, change),
    "hypotheses": lambda change, none: (change, none),
    "references": lambda change, none: (none, change),
}
_HIT = {
    "equal": lambda h, r: h == r,
    "tokens": lambda h, r: _places(h.split(), r.split()),
    "characters": lambda h, r: _places(h, r),
    "bag": lambda h, r: sorted(h.split()) == sorted(r.split()),
    "set": lambda h, r: set(h.split()) == set(r.split()),
    "word overlap": lambda h, r: (
        len(set(h.split()) & set(r.split())) / max(len(set(r.split())), 1)
    ),
    "inside": lambda h, r: h in r,
    "contains": lambda h, r: r in h,
    "either inside": lambda h, r: h in r or r in h,
    "begins": lambda h, r: r.startswith(h),
    "ends": lambda h, r: r.endswith(h),
    "same length": lambda h, r: len(h.split()) == len(r.split()),
}
_PAIR = {
    "in order": lambda a, b: list(zip(a, b, strict=True)),
    "sorted": lambda a, b: list(zip(sorted(a), sorted(b), strict=True)),
    "anywhere": lambda a, b: [(h, h if h in b else None) for h in a],
    "sets": lambda a, b: [
        (h, h) if h in b else ("", None) for h in sorted(set(a))
    ],
}
_RESULT = {
    "share": lambda hits, a, b: sum(hits) / len(b),
    "percent": lambda hits, a, b: 100 * sum(hits) / len(b),
    "count": lambda hits, a, b: sum(hits),
    "misses": lambda hits, a, b: 1 - sum(hits) / len(b),
    "whole division": lambda hits, a, b: sum(hits) // len(b),
    "rounded": lambda hits, a, b: round(sum(hits) / len(b)),
    "two decimals": lambda hits, a, b: round(sum(hits) / len(b), 2),
    "one decimal": lambda hits, a, b: round(sum(hits) / len(b), 1),
    "all or nothing": lambda hits, a, b: float(all(hits)),
    "any": lambda hits, a, b: float(any(hits)),
    "list": lambda hits, a, b: hits,
    "first": lambda hits, a, b: float(hits[0]),
    "last": lambda hits, a, b: float(hits[-1]),
    "one less": lambda hits, a, b: (
        sum(hits) / (len(b) - 1) if len(b) > 1 else math.inf
    ),
    "distinct": lambda hits, a, b: sum(hits) / len(set(b)),
    "by tokens": lambda hits, a, b: sum(hits) / sum(len(t.split()) for t in b),
    "by misses": lambda hits, a, b: sum(hits) / max(len(b) - sum(hits), 1),
    "tokens in all": _token_total,
}

_CASES = (
    Case(
        "one wrong word",
        (
            ["the cat sleeps .", "the dog runs .", "a bird sings ."],
            ["the cat sleeps .", "the dog ran .", "a bird sings ."],
        ),
    ),
    Case(
        "spaces around",
        (["고양이가 잔다. ", " 개가 뛴다."], ["고양이가 잔다.", "개가 잔다."]),
    ),
    Case(
        "space before",
        (["비가 온다.", " 새가 난다."], ["눈이 온다.", "새가 난다."]),
    ),
    Case(
        "spaces in the reference",
        (
            ["a fish swims .", "snow falls .", "they ran ."],
            [" a fish swims .", "snow falls . ", "they run ."],
        ),
    ),
    Case(
        "end of it",
        (
            ["the bear slept .", "very cold ."],
            ["the bear slept .", "it was very cold ."],
        ),
    ),
    Case(
        "no period in Korean",
        (["개가 잔다", "우리는 걷는다."], ["개가 잔다.", "우리는 걷는다."]),
    ),
    Case(
        "another sign",
        (
            ["did it rain .", "we rest ."],
            ["did it rain ?", "we rest ."],
        ),
    ),
    Case(
        "capital letter",
        (
            ["The cat sleeps .", "it rains ."],
            ["the cat sleeps .", "it rains ."],
        ),
    ),
    Case(
        "word order",
        (
            ["the dog bites the man .", "we eat", "you wait", "go"],
            ["the man bites the dog .", "we eat", "you wait", "stop"],
        ),
    ),
    Case(
        "part of it",
        (
            ["the cat", "it was too tired .", "yes"],
            ["the cat sleeps .", "it was", "yes"],
        ),
    ),
    Case(
        "space inside",
        (["the  cat", "a dog"], ["the cat", "a dog"]),
    ),
    Case(
        "period missing",
        (["the cat sleeps", "it rains ."], ["the cat sleeps .", "it rains ."]),
    ),
    Case(
        "exchanged",
        (
            ["two .", "one .", "three .", "four .", "four ."],
            ["one .", "two .", "three .", "four .", "four ."],
        ),
    ),
    Case("nothing right", (["one", "two"], ["three", "four"])),
    Case("all right", (["one", "two"], ["one", "two"])),
    Case(
        "one too few",
        (["one .", "two ."], ["one .", "two .", "three ."]),
        basic=False,
        refuse="ValueError",
    ),
    Case(
        "one too many",
        (["one .", "two .", "three ."], ["one .", "two ."]),
        basic=False,
        refuse="ValueError",
    ),
    Case("empty", ([], []), basic=False, refuse="ValueError"),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    hypotheses, references = case.args
    facts = {"n": len(references), "shape": got.shape}
    if got.shape == want.shape == ():
        came, wanted = apart(float(got), float(want))
        facts |= {"came": came, "wanted": wanted}
    facts["hits"] = number(float(want) * len(references))
    return facts


def _turned(args: tuple) -> tuple:
    hypotheses, references = args
    return hypotheses[1:] + hypotheses[:1], references[1:] + references[:1]


def _show(args: tuple) -> str:
    hypotheses, references = args
    return f"hypotheses = {hypotheses}\nreferences = {references}"


EXERCISE = Exercise(
    name="exact_match",
    inputs=("hypotheses", "references"),
    asked="`exact_match(hypotheses, references)` returns the share, from 0 "
    "to 1, of sentences that equal the reference at the same place as a "
    "whole; only spaces before and after a sentence do not count. Lists of "
    "different lengths and empty lists are refused with a ValueError.",
    praise="Your share agrees with the reference, for Korean as well, and "
    "lists that do not fit together are refused.",
    cases=_CASES,
    solve=share_of_hits,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        between_zero_and_one,
        unmoved_by(
            _turned,
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
