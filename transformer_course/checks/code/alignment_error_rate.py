"""The exercise `alignment_error_rate(A, sure, possible)` and its mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
)
from transformer_course.checks.engine.reading import ARRAY, number
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "alignment_error_rate"]


def alignment_error_rate(function: Any) -> Verdict:
    r"""Check a function `alignment_error_rate(A, sure, possible)`.

    $$1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

    for the links of one sentence pair. Every sure link is possible, too.

    Args:
        function: takes three sets of pairs (source position, target
            position): the links found, the sure and the possible ones.
            Returns a number from 0 to 1.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Och and Ney 2003. Chapter 17.
    """
    return judge(EXERCISE, function)


def solution(A, sure, possible):
    found, wanted = count(A), count(sure)
    hits = count(A & sure) + count(A & possible)
    share = hits / (found + wanted)
    return 1 - share


def count(links):
    return np.float64(len(links))  # divided by 0 it gives nan, not an error


def harmonic_mean(x, y):
    return 2 * x * y / (x + y)


# I get up early / ich stehe früh auf, and others without a meaning.
SURE = {(0, 0), (1, 1), (2, 3), (3, 2)}
POSSIBLE = SURE | {(1, 3), (2, 1)}
WIDE = {(0, 1), (1, 0), (2, 2), (2, 3), (4, 5), (5, 6), (6, 4)}
CASES = (
    Case(
        "some of each",
        ({(0, 0), (1, 1), (1, 3), (3, 3), (0, 2)}, SURE, POSSIBLE),
    ),
    Case("few links", ({(0, 0), (2, 1)}, SURE, POSSIBLE)),
    Case(
        "many links",
        (
            {(i, j) for i in range(4) for j in range(3)} | {(6, 4), (9, 9)},
            WIDE,
            WIDE | {(1, 2), (3, 2), (0, 0)},
        ),
    ),
    Case(
        "one sure link",
        ({(7, 2), (3, 8), (8, 3)}, {(7, 2)}, {(7, 2), (3, 8), (4, 4)}),
    ),
    Case("all sure", (set(SURE), SURE, set(SURE))),
    Case("nothing found", (set(), SURE, POSSIBLE)),
    Case("nothing sure", ({(1, 3), (0, 2)}, set(), {(1, 3), (2, 1), (5, 5)})),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    A, sure, possible = case.args
    counted = {"a": A, "s": sure, "a_s": A & sure, "a_p": A & possible}
    return {name: len(links) for name, links in counted.items()}


def _perfect(probe: Probe) -> str | None:
    """The sure links alone, or with possible ones, are without error."""
    _, sure, possible = probe.args
    for found, name in ((sure, "the sure links"), (possible, "all possible")):
        rate = _rate(probe, found)
        if rate is None:
            return None
        if abs(rate) > 1e-4:
            return (
                f"The first thing that breaks: who finds exactly {name} has "
                f"made no mistake, and you give {number(rate)}."
            )
    return None


def _nothing(probe: Probe) -> str | None:
    """Links that are all wrong have the error rate 1."""
    rate = _rate(probe, {(50, 60), (51, 61)})
    if rate is None or abs(rate - 1) < 1e-4:
        return None
    return (
        "The first thing that breaks: if no link is right, the error rate is "
        f"1, and you give {number(rate)}."
    )


def _rate(probe: Probe, found: set) -> float | None:
    """What the student gives to these links; None if there is no number."""
    _, sure, possible = probe.args
    if not sure:
        return None
    answer = probe.call((set(found), sure, possible))
    if answer.kind != ARRAY or answer.array.shape != ():
        return None
    return float(answer.array)


def _show_inputs(args: tuple) -> str:
    names = ("A", "sure", "possible")
    return "\n".join(
        f"{name} = {sorted(links) if links else 'set()'}"
        for name, links in zip(names, args, strict=True)
    )


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    links = [tuple(map(int, link)) for link in draw.integers(0, 6, (12, 2))]
    sure = set(links[:4])
    return Case("one more", (set(links[2:8]), sure, sure | set(links[6:])))


EXERCISE = Exercise(
    name="alignment_error_rate",
    refused=("alignment_error_rate",),
    inputs=("A", "sure", "possible"),
    asked="`alignment_error_rate(A, sure, possible)` gets three sets of links "
    "(source position, target position) of one sentence pair and returns "
    "1 - (|A and sure| + |A and possible|) / (|A| + |sure|). Every sure link "
    "is in `possible`, too; `A` and `sure` are not both empty.",
    praise="Your numbers agree with the reference for few links and many, "
    "for a sentence in which nothing was found, and for one in which nothing "
    "is sure.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
    properties=(shape, finite, between_zero_and_one, _perfect, _nothing),
    hints=(
        "In Python `A & sure` is the set of links that are in both, and `len` "
        "counts.",
        "Two counts above the line, two sizes below it, and the fraction is "
        "taken from 1. Which of the three sets has no size of its own in the "
        "formula?",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
    on_the_way={
        "hits": "the number of hits",
        "share": "the share that is right",
        "count(A)": "the number of links in `A`",
        "count(sure)": "the number of sure links",
        "count(A & sure)": "the number of links in `A` that are sure",
        "count(A & possible)": "the number of links in `A` that are possible",
        "found + wanted": "the sum below the line",
    },
)
