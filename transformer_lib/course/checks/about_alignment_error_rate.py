"""The exercise `alignment_error_rate(A, sure, possible)` and its mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.alignment_error_rate_mistakes import MISTAKES
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
)
from transformer_lib.course.checks.engine.reading import ARRAY, apart, number
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "alignment_error_rate", "error_rate"]


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

    Source: Och and Ney 2003. Chapter 16.
    """
    return judge(EXERCISE, function)


def error_rate(
    A: set,
    sure: set,
    possible: set,
    *,
    links: str = "as given",
    hits: str = "both",
    whole: str = "A + S",
    result: str = "error",
    empty: str = "counted",
) -> Any:
    """The error rate of one sentence, or a wrong variant of it."""
    A, sure, possible = _LINKS[links](A, sure, possible)
    if empty in _NO_LINKS and not (sure if "sure" in empty else A):
        return _NO_LINKS[empty]
    sizes = [len(x) for x in (A, sure, possible, A & sure, A & possible)]
    a, s, p, a_s, a_p = map(np.float64, sizes)
    with np.errstate(all="ignore"):
        if whole in _SHARE:
            share = _SHARE[whole](a, s, a_s, a_p)
        elif whole == "union":
            share = _HITS[hits](a_s, a_p) / len(A | sure)
        else:
            share = _HITS[hits](a_s, a_p) / _WHOLE[whole](a, s, p)
        return _RESULT[result](share, _HITS[hits](a_s, a_p))


def _as_given(A: set, sure: set, possible: set) -> tuple:
    return A, sure, possible


def _turned(A: set, sure: set, possible: set) -> tuple:
    return {(t, s) for s, t in A}, sure, possible


def _sources(A: set, sure: set, possible: set) -> tuple:
    return tuple({s for s, _ in links} for links in (A, sure, possible))


def _targets(A: set, sure: set, possible: set) -> tuple:
    return tuple({t for _, t in links} for links in (A, sure, possible))


_LINKS = {
    "as given": _as_given,
    "turned": _turned,
    "sources only": _sources,
    "targets only": _targets,
    "next row": lambda A, s, p: ({(i, j + 1) for i, j in A}, s, p),
    "row before": lambda A, s, p: ({(i, j - 1) for i, j in A}, s, p),
    "A and sure exchanged": lambda A, s, p: (s, A, p),
}
_NO_LINKS = {
    "0 if nothing found": 0.0,
    "1 if nothing found": 1.0,  # right, and no need for it
    "0 if nothing sure": 0.0,
    "1 if nothing sure": 1.0,
}
_SHARE = {
    "mean of two": lambda a, s, a_s, a_p: (a_p / a + a_s / s) / 2,
    "F of two": lambda a, s, a_s, a_p: (
        2 * (a_p / a) * (a_s / s) / (a_p / a + a_s / s)
    ),
    "each its own": lambda a, s, a_s, a_p: a_s / s + a_p / a,
    # What Python makes of the formula without some of its brackets:
    "no bracket below": lambda a, s, a_s, a_p: (a_s + a_p) / a - s,
    "no bracket above": lambda a, s, a_s, a_p: a_s - a_p / (a + s),
    "no bracket": lambda a, s, a_s, a_p: a_s - a_p / a - s,
    "1 above the line": lambda a, s, a_s, a_p: 1 - (1 - a_s - a_p) / (a + s),
}
_HITS = {
    "both": lambda a_s, a_p: a_s + a_p,
    "sure twice": lambda a_s, a_p: 2 * a_s,
    "possible twice": lambda a_s, a_p: 2 * a_p,
    "sure once": lambda a_s, a_p: a_s,
    "possible once": lambda a_s, a_p: a_p,
}
_WHOLE = {
    "A + S": lambda a, s, p: a + s,
    "A + P": lambda a, s, p: a + p,
    "S + P": lambda a, s, p: s + p,
    "A + S + P": lambda a, s, p: a + s + p,
    "A": lambda a, s, p: a,
    "S": lambda a, s, p: s,
    "P": lambda a, s, p: p,
    "2A": lambda a, s, p: 2 * a,
    "2S": lambda a, s, p: 2 * s,
    "larger": lambda a, s, p: 2 * np.maximum(a, s),
    "product": lambda a, s, p: a * s,
}
_RESULT = {
    "error": lambda share, n: 1 - share,
    "share right": lambda share, n: share,
    "percent": lambda share, n: 100 * (1 - share),
    "minus": lambda share, n: share - 1,
    "count": lambda share, n: n,
    "whole": lambda share, n: np.round(1 - share),
    "a decimal": lambda share, n: np.round(1 - share, 1),
    "two decimals": lambda share, n: np.round(1 - share, 2),
    "three decimals": lambda share, n: np.round(1 - share, 3),
    "whole share": lambda share, n: 1 - share // 1,
}


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    A, sure, possible = case.args
    facts = {
        "a": len(A),
        "s": len(sure),
        "p": len(possible),
        "a_s": len(A & sure),
        "a_p": len(A & possible),
        "wanted": number(float(want)),
        "came": "something else",
    }
    if got.shape == ():
        facts["came"], facts["wanted"] = apart(float(got), float(want))
    return facts


def _perfect(probe: Probe) -> str | None:
    """The sure links alone, or with possible ones, are without error."""
    _, sure, possible = probe.args
    if not sure:
        return None
    for found, name in ((sure, "the sure links"), (possible, "all possible")):
        answer = probe.call((set(found), sure, possible))
        if answer.kind != ARRAY or answer.array.shape != ():
            return None
        if abs(float(answer.array)) > 1e-4:
            return (
                f"The first thing that breaks: who finds exactly {name} has "
                f"made no mistake, and you give {number(answer.array)}."
            )
    return None


def _nothing(probe: Probe) -> str | None:
    """Links that are all wrong have the error rate 1."""
    _, sure, possible = probe.args
    if not sure:
        return None
    answer = probe.call(({(50, 60), (51, 61)}, sure, possible))
    if answer.kind != ARRAY or answer.array.shape != ():
        return None
    if abs(float(answer.array) - 1) < 1e-4:
        return None
    return (
        "The first thing that breaks: if no link is right, the error rate is "
        f"1, and you give {number(answer.array)}."
    )


def _show_inputs(args: tuple) -> str:
    names = ("A", "sure", "possible")
    return "\n".join(
        f"{name} = {sorted(links) if links else 'set()'}"
        for name, links in zip(names, args, strict=True)
    )


# I get up early / ich stehe früh auf, and others without a meaning.
_SURE = {(0, 0), (1, 1), (2, 3), (3, 2)}
_POSSIBLE = _SURE | {(1, 3), (2, 1)}
_WIDE = {(0, 1), (1, 0), (2, 2), (2, 3), (4, 5), (5, 6), (6, 4)}
_CASES = (
    Case(
        "some of each",
        (
            {(0, 0), (1, 1), (1, 3), (3, 3), (0, 2)},
            _SURE,
            _POSSIBLE,
        ),
    ),
    Case("few links", ({(0, 0), (2, 1)}, _SURE, _POSSIBLE)),
    Case(
        "many links",
        (
            {(i, j) for i in range(4) for j in range(3)} | {(6, 4), (9, 9)},
            _WIDE,
            _WIDE | {(1, 2), (3, 2), (0, 0)},
        ),
    ),
    Case(
        "one sure link",
        ({(7, 2), (3, 8), (8, 3)}, {(7, 2)}, {(7, 2), (3, 8), (4, 4)}),
    ),
    Case("all sure", (set(_SURE), _SURE, set(_SURE))),
    Case("nothing found", (set(), _SURE, _POSSIBLE)),
    Case("nothing sure", ({(1, 3), (0, 2)}, set(), {(1, 3), (2, 1), (5, 5)})),
)

EXERCISE = Exercise(
    name="alignment_error_rate",
    inputs=("A", "sure", "possible"),
    asked="`alignment_error_rate(A, sure, possible)` gets three sets of links "
    "(source position, target position) of one sentence pair and returns "
    "1 - (|A and sure| + |A and possible|) / (|A| + |sure|). Every sure link "
    "is in `possible`, too; `A` and `sure` are not both empty.",
    praise="Your numbers agree with the reference for few links and many, "
    "for a sentence in which nothing was found, and for one in which nothing "
    "is sure.",
    cases=_CASES,
    solve=error_rate,
    catalogue=MISTAKES,
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
)
