"""Numbers worked out on paper: the error rate of a small alignment."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["LINKS", "error_rate_by_hand"]

# I get up early / ich stehe früh auf; positions from 0.
SURE = {(0, 0), (1, 1), (2, 3), (3, 2)}
POSSIBLE = SURE | {(1, 3), (2, 1)}
FOUND = {(0, 0), (1, 1), (1, 3), (3, 2)}
CAREFUL = {(0, 0), (3, 2)}
GENEROUS = {(s, t) for s in range(4) for t in range(4)}


def error_rate_by_hand(value: Any) -> Verdict:
    """Check the error rates of three alignments of one sentence pair.

    I get up early / ich stehe früh auf. Sure: I-ich, get-stehe, up-auf,
    early-früh; possible, too: get-auf, up-stehe.

    Args:
        value: five numbers: |A and S|, |A and P| and the error rate of
            A = I-ich, get-stehe, get-auf, early-früh; the error rate of
            I-ich, early-früh; that of all sixteen links.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Och and Ney 2003. Chapter 17.
    """
    return judge_paper(LINKS, value)


def _rate(found: set, possible: set = POSSIBLE, below: int | None = None):
    hits = len(found & SURE) + len(found & possible)
    return 1 - hits / (len(found) + len(SURE) if below is None else below)


def _numbers(**more: Any) -> list[float]:
    """The five numbers; what is given replaces the right ones."""
    right = {
        "sure": len(FOUND & SURE),
        "possible": len(FOUND & POSSIBLE),
        "first": _rate(FOUND),
        "second": _rate(CAREFUL),
        "third": _rate(GENEROUS),
    }
    return [float(number) for number in (right | more).values()]


def _precision(found: set) -> float:
    return 1 - len(found & POSSIBLE) / len(found)


def _recall(found: set) -> float:
    return 1 - len(found & SURE) / len(SURE)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _numbers()
    three = (FOUND, CAREFUL, GENEROUS)
    names = ("first", "second", "third")

    def all_by(rate) -> dict:
        return {name: rate(x) for name, x in zip(names, three, strict=True)}

    extra = len(FOUND & (POSSIBLE - SURE))
    pick = [
        ("possible_ignored",
         _numbers(possible=3, **all_by(lambda x: _rate(x, SURE))),
         "You count only the sure links. The link get-auf is possible: it "
         "counts in |A and P|."),
        ("sure_not_possible",
         _numbers(possible=extra,
                  **all_by(lambda x: _rate(x, POSSIBLE - SURE))),
         "You count only the links that are possible and not sure in |A and "
         "P|. Every sure link is possible, too: P has six links."),
        ("shares_right", [*right[:2], *(1 - x for x in right[2:])],
         "The counts are right. In place of the error rates you give the "
         "shares that are right."),
        *(("percent",
           [*right[:2], 100 * right[2], round(100 * right[3], n),
            100 * right[4]],
           "You give per cent; shares from 0 to 1 are wanted.")
          for n in (0, 1, 2, 9)),
        ("divided_by_possible",
         _numbers(**all_by(lambda x: _rate(x, below=len(x) + 6))),
         "Below the line you added |P|. Nobody has to find the possible "
         "links: it is |A| + |S|."),
        ("only_sure_hits",
         _numbers(**all_by(lambda x: 1 - len(x & SURE) / (len(x) + 4))),
         "Above the line stands only |A and S|. Add |A and P|."),
        ("only_possible_hits",
         _numbers(**all_by(lambda x: 1 - len(x & POSSIBLE) / (len(x) + 4))),
         "Above the line stands only |A and P|. Add |A and S|."),
        ("precision_only", _numbers(**all_by(_precision)),
         "You looked only at the links found. The careful one would be "
         "perfect then, with two links of four."),
        ("recall_only", _numbers(**all_by(_recall)),
         "You looked only at the sure links. The generous one would be "
         "perfect then, with sixteen links."),
        ("generous_counted_as_eight", _numbers(third=_rate(GENEROUS, below=8)),
         "The first four are right. The last alignment has sixteen links, "
         "so below the line stands 16 + 4."),
        ("generous_without_possible", _numbers(third=_rate(GENEROUS, SURE)),
         "The first four are right. The last alignment has all six links of "
         "P: above the line stands 4 + 6."),
        ("careful_counted_as_four", _numbers(second=_rate(CAREFUL, below=8)),
         "The careful alignment has two links: below the line stands 2 + 4."),
        ("hits_exchanged", _numbers(sure=4, possible=3),
         "The rates are right. The first two numbers have changed places: "
         "first |A and S|."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.006
    names = (
        "|A and S|",
        "|A and P|",
        "the error rate of A",
        "the error rate of the careful one",
        "the error rate of the generous one",
    )
    return (
        f"{int(fits.sum())} of the 5 are right. Look again at "
        f"{names[int(np.argmin(fits))]}."
    )


LINKS = Paper(
    name="error_rate_by_hand(numbers)",
    asked="For I get up early / ich stehe früh auf: |A and S|, |A and P| and "
    "the error rate of A; the error rates of the careful and of the generous "
    "alignment. Five numbers such as `(1, 2, 0.5, 0.25, 0.75)`.",
    count="five numbers",
    given="S: I-ich, get-stehe, up-auf, early-früh. P: those, get-auf, "
    "up-stehe. A: I-ich, get-stehe, get-auf, early-früh. Careful: I-ich, "
    "early-früh. Generous: all sixteen.",
    expected="two counts and three error rates",
    want=_numbers,
    misconceptions=_misconceptions,
    praise="All five are right. Who finds too little and who finds too much "
    "both pay; A, with one link missing and a possible one in its place, "
    "pays least.",
    hints=(
        "P has six links, the four sure ones and two more. Write down which "
        "links of A are in S, and which are in P.",
        "The first rate is 1 - 7/8. Do the other two in the same way: 2 hits "
        "and 2 hits; 4 hits and 6 hits.",
    ),
    look=_look,
    tolerance=0.005,
)
