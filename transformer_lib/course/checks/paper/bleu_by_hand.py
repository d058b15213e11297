"""Numbers worked out on paper: BLEU of one sentence, step by step."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["BLEU", "HYPOTHESIS", "REFERENCE", "bleu_by_hand"]

HYPOTHESIS = "the boy in the red shirt jumps the the wall ."
REFERENCE = "a boy in the red shirt jumps over the old wall ."


def bleu_by_hand(value: Any) -> Verdict:
    """Check six numbers of BLEU on paper.

    The pair of chapter 18, exercise 4: how many n-grams of one, two, three
    and four tokens are found in the reference (clipped), the brevity penalty
    and BLEU, both from 0 to 1.

    Args:
        value: six numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Papineni et al. 2002, section 2. Chapter 18.
    """
    return judge_paper(BLEU, value)


def _pieces(text: str, n: int) -> Counter:
    tokens = text.split()
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def _found(n: int, clip: bool, texts: tuple[str, str]) -> int:
    ours, theirs = (_pieces(text, n) for text in texts)
    if not clip:
        return sum(times for piece, times in ours.items() if piece in theirs)
    return sum((ours & theirs).values())


def _numbers(
    clip: bool = True,
    totals: str = "hypothesis",
    mean: str = "geometric",
    penalty: str = "exp",
    distinct: bool = False,
    out: float = 1.0,
    ends: str = "",
) -> list[float]:
    """The six numbers; the defaults are right."""
    texts = HYPOTHESIS.removesuffix(ends), REFERENCE.removesuffix(ends)
    found = [_found(n, clip, texts) for n in range(1, 5)]
    if distinct:
        found = [
            len(_pieces(HYPOTHESIS, n).keys() & _pieces(REFERENCE, n).keys())
            for n in range(1, 5)
        ]
    c, r = (len(text.split()) for text in texts)
    each = [(r if totals == "reference" else c) - n for n in range(4)]
    if totals == "tokens":
        each = [c] * 4
    brevity = {
        "exp": math.exp(1 - r / c),
        "none": 1.0,
        "ratio": c / r,
        "turned": math.exp(1 - c / r),
        "exponent": 1 - r / c,
    }[penalty]
    shares = [a / b for a, b in zip(found, each, strict=True)]
    together = {
        "geometric": math.prod(shares) ** 0.25,
        "arithmetic": sum(shares) / 4,
        "product": math.prod(shares),
        "first": shares[0],
        "square root": math.prod(shares) ** 0.5,
        "cube root": math.prod(shares) ** (1 / 3),
        "pooled": sum(found) / sum(each),
    }[mean]
    return [*found, brevity, brevity * together * out]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _numbers()
    pick = [
        ("not_clipped", _numbers(clip=False),
         "You did not clip. *the* stands four times in the hypothesis and "
         "twice in the reference: at most two of them count."),
        ("each_piece_once", _numbers(distinct=True),
         "You counted each kind of n-gram once. *the* is found twice: the "
         "reference has it twice."),
        ("arithmetic_mean", _numbers(mean="arithmetic"),
         "The first five are right. BLEU takes the *geometric* mean of the "
         "four precisions: multiply them and take the fourth root."),
        ("root_forgotten", _numbers(mean="product"),
         "The first five are right. You multiplied the four precisions; take "
         "the fourth root of the product."),
        ("other_root", _numbers(mean="square root"),
         "The first five are right. You took the square root of the product; "
         "of four precisions it is the fourth root."),
        ("other_root", _numbers(mean="cube root"),
         "The first five are right. You took the cube root of the product; "
         "of four precisions it is the fourth root."),
        ("single_tokens_only", _numbers(mean="first"),
         "The first five are right. BLEU uses all four precisions, not only "
         "that of single tokens."),
        ("pooled", _numbers(mean="pooled"),
         "The first five are right. You put all n-grams into one precision; "
         "each length has a precision of its own."),
        ("totals_of_the_reference", _numbers(totals="reference"),
         "The first five are right. Divide by how many n-grams the "
         "*hypothesis* has: 11, 10, 9, 8."),
        ("same_total_for_all", _numbers(totals="tokens"),
         "The first five are right. A row of 11 tokens has 10 pairs, 9 "
         "triples and 8 n-grams of four."),
        ("no_penalty", _numbers(penalty="none"),
         "The four counts are right. The hypothesis has 11 tokens and the "
         "reference 12: it is too short, so the penalty is below 1."),
        ("penalty_not_used", [*right[:5], right[5] / right[4]],
         "The first five are right. Multiply the mean by the penalty."),
        ("ratio_as_penalty", _numbers(penalty="ratio"),
         "The four counts are right. The penalty is not 11/12 itself but e to "
         "the power of 1 - 12/11."),
        ("exponent_as_penalty", _numbers(penalty="exponent"),
         "The four counts are right. 1 - 12/11 is only the exponent: the "
         "penalty is e to this power."),
        ("penalty_under_the_root",
         [*right[:5], right[5] / right[4] ** 0.75],
         "The first five are right. The penalty stands before the root, not "
         "under it."),
        ("lengths_exchanged", _numbers(penalty="turned"),
         "The four counts are right. In the penalty the length of the "
         "reference is divided by that of the hypothesis: 1 - 12/11."),
        ("penalty_turned", [*right[:4], 1 / right[4], right[5] / right[4] ** 2],
         "The four counts are right. The exponent is 1 - 12/11, which is "
         "negative; yours is positive."),
        ("percent", _numbers(out=100.0),
         "The first five are right, and so is the last: but as a percentage. "
         "Give BLEU between 0 and 1 here, such as 0.25."),
        ("sides_exchanged", _exchanged(),
         "The four counts are right. You took the reference for the "
         "hypothesis: precision is about the hypothesis, which has 11 tokens, "
         "and it is the shorter one, so there is a penalty."),
        ("shares_in_place_of_counts",
         [*(f / (11 - i) for i, f in enumerate(right[:4])), *right[4:]],
         "The last two are right. The first four are asked as counts, before "
         "you divide."),
        ("period_left_out", _numbers(ends=" ."),
         "You left out the period. It is a token too: it is found, and so is "
         "*wall* with the period behind it."),
    ]  # fmt: skip
    coarse = (
        "The way is right, but you rounded too coarsely. Give the last two "
        "numbers with three decimals, and keep four while you work."
    )
    percent = (
        "The first four are right, and the rest is, but for the form: a "
        "percentage. Give the penalty and BLEU between 0 and 1, such as 0.25."
    )
    hundred = [100 * right[4], 100 * right[5]]
    forms = [(right[4], round(hundred[1], d)) for d in (1, 0)]
    forms += [[round(one, d) for one in hundred] for d in (2, 1, 0)]
    near = [(round(right[4], d), round(right[5], d)) for d in (2, 1)]
    near += [(near[0][0], right[5])]
    misconceptions = [Misconception(*one) for one in pick]
    misconceptions += [
        Misconception("percent", [*right[:4], *two], percent) for two in forms
    ]
    misconceptions += [
        Misconception("rounded_too_coarsely", [*right[:4], *two], coarse)
        for two in near
    ]
    return misconceptions


def _exchanged() -> list[float]:
    """What comes out if the reference is taken for the hypothesis."""
    right = _numbers()
    totals = [len(REFERENCE.split()) - n for n in range(4)]
    shares = [a / b for a, b in zip(right[:4], totals, strict=True)]
    return [*right[:4], 1.0, math.prod(shares) ** 0.25]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.0021
    names = (
        "n-grams of one token",
        "n-grams of two tokens",
        "n-grams of three tokens",
        "n-grams of four tokens",
        "brevity penalty",
        "last number, BLEU",
    )
    return (
        f"{int(fits.sum())} of the 6 are right. Look again at the "
        f"{names[int(np.argmin(fits))]}."
    )


BLEU = Paper(
    name="bleu_by_hand(numbers)",
    asked="Six numbers: how many n-grams of one, two, three and four tokens of "
    "the hypothesis are found in the reference, clipped; the brevity "
    "penalty; BLEU, between 0 and 1. Such as `(5, 4, 3, 2, 0.5, 0.25)`.",
    count="six numbers",
    given=f"hypothesis: {HYPOTHESIS}\nreference:  {REFERENCE}",
    expected="four counts that fall, a penalty below 1, BLEU below 1",
    want=_numbers,
    misconceptions=_misconceptions,
    praise="All six are right. The two needless words cost less in the single "
    "tokens than in the longer n-grams, because each of them cuts several.",
    hints=(
        "Write the hypothesis in a row and mark each token that the "
        "reference has. *the*: how often in the one, how often in the other?",
        "The totals are 11, 10, 9 and 8. BLEU is the penalty times the fourth "
        "root of the product of the four precisions. The penalty is e to the "
        "power of 1 - 12/11.",
    ),
    look=_look,
)
