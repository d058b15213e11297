"""The exercise `alignment_error_rate(A, sure, possible)` and its mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.engine.verdict import Verdict

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


MISTAKES = r"""
share_right
- 1 - share
+ share
@ few links
You return the share that is right. The error rate is what is missing to 1.
? What should a perfect alignment get?

percent
- 1 - share
+ 100 * (1 - share)
or
- 1 - share
+ round(100 * (1 - share), 0)
or
- 1 - share
+ round(100 * (1 - share), 1)
You return per cent. A share is wanted, a number from 0 to 1.
? Leave out the factor 100.

sign_turned
- 1 - share
+ share - 1
The number is right but for its sign: you take 1 from the fraction instead of
the fraction from 1.
? Which of the two is the larger?

count_of_hits
- 1 - share
+ hits
You return how many hits there are ({a_s} and {a_p} in the example). They have
to be divided by something, and taken from 1.
? Read the formula once more, from the line of the fraction downward.

rounded
- 1 - share
+ round(1 - share, 0)
or
- 1 - share
+ round(1 - share, 1)
or
- 1 - share
+ round(1 - share, 2)
or
- 1 - share
+ round(1 - share, 3)
Your result is rounded, and with it most differences between two alignments are
gone.
? Round when you print, not when you compute.

whole_number_division
- hits /
+ hits //
The fraction is cut down to a whole number: `//` divides without the rest.
? In Python one stroke divides, two strokes cut.

possible_ignored
- A & possible
+ A & sure
@ some of each
You count the sure hits twice and never look at `possible`. A link that is
possible but not sure should not count as an error.
? Above the line stand two counts: which set is in the second?

sure_ignored_above
- A & sure
+ A & possible
@ some of each
You count the possible hits twice. The first count above the line is that of
the sure ones.
? Who finds possible links only and no sure one should not be perfect.

and_of_two_sets
- count(A & sure) + count(A & possible)
+ count(A and sure) + count(A and possible)
`A and sure` is not what two sets share: Python hands back one of them whole.
The links that are in both are `A & sure`.
? What does `{1, 2} and {2, 3}` give, and what `{1, 2} & {2, 3}`?

joined_above
- count(A & sure) + count(A & possible)
+ count(A | sure) + count(A | possible)
Above the line you count the links that are in *either* set: `|` joins two
sets. The links that are in both are `A & sure`.
? How many hits does an alignment have in which every link is wrong?

only_sure_hits
-  + count(A & possible)
+
Above the line one count is missing: |A and possible|, {a_p} in the example.
? A perfect alignment should get 0. What does it get from you?

only_possible_hits
- count(A & sure) +
+
Above the line you have {a_p}, the hits that are possible. A sure hit is
possible, too, so it counts in both numbers: {a_s} + {a_p} in the example. (To
forget |A and sure|, to take the sure links out of `possible`, or to join the
two sets before counting gives the same.)
? A perfect alignment should get 0. What does it get from you?

divided_by_possible
- found + wanted
+ found + count(possible)
or
- found + wanted
+ wanted + count(possible)
@ some of each
Below the line you count the possible links. Nobody has to find those; below
the line stand |A| and |sure|. (Exchanging `sure` and `possible` does the
same.)
? Which links must be there?

divided_by_all_three
- found + wanted
+ found + wanted + count(possible)
Below the line you add the sizes of all three sets. `possible` does not belong
there.
? There are two counts above the line and two sizes below it.

precision_only
- count(A & sure) +
+
- found + wanted
+ found
or
- count(A & sure) +
+
- found + wanted
+ found or 1
or
- found + wanted
+ 2 * found
or
- found + wanted
+ 2 * found or 1
@ few links
You look only at the links that were found: how many of them are possible. So
somebody who finds one safe link is perfect. |sure| punishes what was not
found.
? Where do the sure links that were missed come in?

recall_only
-  + count(A & possible)
+
- found + wanted
+ wanted
or
- found + wanted
+ 2 * wanted
or
-  + count(A & possible)
+
- found + wanted
+ wanted or 1
@ many links
You look only at the sure links: how many of them were found. So somebody who
links everything with everything is perfect. |A| punishes links that are too
many.
? Where does the size of A come in?

one_size_below
- found + wanted
+ found
or
- found + wanted
+ found or 1
or
- found + wanted
+ wanted
or
- found + wanted
+ wanted or 1
or
- found + wanted
+ count(possible)
Below the line one of the two sizes is missing: |A| + |sure|, {a} + {s} in the
example.
? Two counts above, two sizes below.

mean_of_precision_and_recall
- hits / (found + wanted)
+ (count(A & possible) / found + count(A & sure) / wanted) / 2
or
- hits / (found + wanted)
+ (count(A & possible) / (found or 1) + count(A & sure) / (wanted or 1)) / 2
@ few links
You average two fractions, each divided by its own size. The formula adds the
counts first and the sizes first, and divides once.
? One line of a fraction, not two.

f_measure
- hits / (found + wanted)
+ harmonic_mean(count(A & possible) / found, count(A & sure) / wanted)
or
- share =
+ share = 0 if not A or not sure else
- hits / (found + wanted)
+ harmonic_mean(count(A & possible) / found, count(A & sure) / wanted)
@ few links
You combine precision and recall to an F-measure. If all links are sure, that
is the same number; here it is not. Count first, divide once.
? Put the example into the formula, number by number.

brackets_missing
- hits / (found + wanted)
+ count(A & sure) / wanted + count(A & possible) / found
or
- (found + wanted)
+ found - wanted
or
- share =
+ share = 0 if not A else
- (found + wanted)
+ found - wanted
or
- hits /
+ count(A & sure) - count(A & possible) /
or
- hits / (found + wanted)
+ count(A & sure) - count(A & possible) / found - wanted
or
- hits /
+ 1 - (1 - hits) /
Brackets are missing, or stand in another place: Python divides before it adds
and subtracts. Both counts belong above one line, both sizes below it, and the
1 stands outside.
? Put the sum above the line, and the one below it, in brackets.

union_below
- found + wanted
+ count(A | sure)
or
-  + count(A & possible)
+
- found + wanted
+ count(A | sure)
Below the line you count the links that are in A *or* in `sure`. Those in both
count once then; |A| + |sure| counts them twice, because they count twice above
the line as well.
? Try it on a perfect alignment.

larger_size_below
- found + wanted
+ 2 * max(found, wanted)
Below the line you take the larger of the two sizes. Their sum is wanted.
? Two counts above, two sizes below.

sizes_multiplied
- found + wanted
+ found * wanted
Below the line you multiply the two sizes. Their sum is wanted.
? Plus, not times.

found_and_sure_exchanged
- found, wanted
+ A, sure = sure, A
+ found, wanted
`A` and `sure` have changed places: you ask whether the sure links are
possible, and they always are.
? In which order come the inputs?

links_turned
- found, wanted
+ A = {(target, source) for source, target in A}
+ found, wanted
You turn the links of A around. In all three sets the source position stands
first.
? Compare pairs as they are.

positions_not_links
- found, wanted
+ A, sure, possible = ({s for s, _ in x} for x in (A, sure, possible))
+ found, wanted
or
- found, wanted
+ A, sure, possible = ({t for _, t in x} for x in (A, sure, possible))
+ found, wanted
You compare positions, not links. That word 2 is linked to anything at all is
not enough; it has to be linked to the right word.
? A link is a pair. Leave it whole.

shifted_by_one
- found, wanted
+ A = {(source, target + 1) for source, target in A}
+ found, wanted
or
- found, wanted
+ A = {(source, target - 1) for source, target in A}
+ found, wanted
You move the target positions of A by one. The links come as they are meant;
the off-by-one row is an affair of whoever reads the map.
? Compare pairs as they are.

nothing_found_is_perfect
- share =
+ share = 1 if not A else
@ nothing found
Where nothing was found you return 0, as if that were perfect. All sure links
are missing then: the error rate is 1.
? Put an empty A into the formula. Does it need a special case?

nothing_sure_is_special
- share =
+ share = 1 if not sure else
or
- share =
+ share = 0 if not sure else
@ nothing sure
Where no link is sure you return a number of your own. The formula needs no
special case: {a_p} of the {a} links found are possible, and each of the others
is an error.
? Put an empty `sure` into the formula.
"""

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
    solve=Reference(solution),
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
