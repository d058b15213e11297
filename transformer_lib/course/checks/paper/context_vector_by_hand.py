"""Numbers worked out on paper: the context vector of the second token."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.reading import number, show
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["PAPER", "TOKENS", "context_vector_by_hand"]

TOKENS = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 0.0]])


def context_vector_by_hand(value: Any) -> Verdict:
    """Check the context vector c_2, worked out on paper.

    c_2 = sum_j alpha_2j x_j for x = (1, 0), (1, 1), (0, 1), (-1, 0), where
    alpha_2 is the softmax of the dot products of x_2 with all four.

    Args:
        value: two numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 2.
    """
    return judge_paper(PAPER, value)


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    v, e = TOKENS, np.exp
    scores = v @ v[1]
    share = softmax(scores)
    c_1, c_2, c_3, c_4 = softmax(v @ v.T) @ v
    unit = v / np.linalg.norm(v, axis=1, keepdims=True)
    others = [0, 2, 3]
    flipped = abs(v)
    pick = [
        ("gave_c_1", c_1,
         "That is c_1, the context vector of the first token. For c_2 the "
         "scores start from token 2, which is (1, 1)."),
        ("gave_c_3", c_3,
         "That is c_3. Counting starts at 1 here: token 2 is (1, 1)."),
        ("gave_c_4", c_4,
         "That is c_4, the context vector of (-1, 0). Token 2 is (1, 1)."),
        ("gave_the_scores", scores,
         "Those are the four scores, and they are right. Now e to the power "
         "of each, then weights, then the average of the tokens."),
        ("gave_the_exponentials", e(scores),
         "Those are the exponentials of the scores. Divide each by their "
         f"sum, {number(e(scores).sum())}, to get weights; then average."),
        ("gave_the_weights", share,
         "Those are the four weights, and they are right. The last step is "
         "missing: multiply each token by its weight and add up."),
        ("gave_the_weights_of_token_1", softmax(v @ v[0]),
         "Those are the weights of token 1. Token 2 is (1, 1); and after the "
         "weights comes the average of the tokens."),
        ("gave_the_token", v[1],
         "(1, 1) is token 2 itself. Its context vector also takes a little "
         "from the other three."),
        ("uniform_weights", v.mean(axis=0),
         "You gave each token the weight 1/4. The weights follow the scores: "
         "token 2 should take most from itself."),
        ("weights_all_one", v.sum(axis=0),
         "That is the plain sum of the tokens. Each of them first has to be "
         "multiplied by its weight."),
        ("no_softmax", scores @ v,
         "You used the scores 1, 2, 1, -1 themselves as weights. They do not "
         "sum to 1: turn them into weights with softmax first."),
        ("no_exponential", scores / scores.sum() @ v,
         "You divided the scores by their sum, 3, without the exponential. "
         "The weight of (-1, 0) is then negative; e to the power -1 is a "
         "small positive number."),
        ("not_divided", e(scores) @ v,
         "You added up the tokens times e to the power of their scores, and "
         f"left out the division by the sum, {number(e(scores).sum())}."),
        ("base_two", softmax(np.log(2) * scores) @ v,
         "You doubled per point (base 2), as in the first game with votes. "
         "Do the same with e = 2.718."),
        ("scaled_by_root_of_two", softmax(scores / 2**0.5) @ v,
         "You divided the scores by the root of 2. A later chapter does "
         "that; here the scores stay whole: 1, 2, 1, -1."),
        ("cosine_in_place_of_dot_product", softmax(unit @ unit[1]) @ v,
         "You divided the dot products by the lengths of the vectors. The "
         "scores are the plain dot products: 1, 2, 1, -1."),
        ("token_added", v[1] + c_2,
         "You added token 2 to its context vector. The average alone is "
         "wanted."),
        ("looks_only_back", softmax(scores[:2]) @ v[:2],
         "You averaged over the first two tokens only. Token 2 looks at all "
         "four, also at those after it."),
        ("left_itself_out", softmax(scores[others]) @ v[others],
         "You left token 2 out of its own average. Its score with itself is "
         "2, the largest of all."),
        ("lost_a_minus_sign", share @ flipped,
         "The minus sign of the last token, (-1, 0), got lost in the "
         "average: its weight is subtracted from the first coordinate."),
        ("score_lost_its_sign", softmax(abs(scores)) @ v,
         "The last score is -1, not 1: (1, 1) times (-1, 0) is "
         "1 * (-1) + 1 * 0."),
        ("last_score_zero", softmax(np.maximum(scores, 0)) @ v,
         "The last score is -1, not 0. A negative score still gets a "
         "weight, a small one."),
        ("swapped_coordinates", c_2[::-1],
         "Both numbers are right but stand in the wrong order: first the "
         "sum of the first coordinates, then that of the second."),
        ("last_token_forgotten", share[:3] @ v[:3],
         "The last token, (-1, 0), is missing in the average; its weight is "
         f"small, {number(share[3])}, but it counts."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick] + _rounded(c_2, share)


def _rounded(c_2: np.ndarray, share: np.ndarray) -> list[Misconception]:
    message = (
        "The way is right, but you rounded too early or too coarsely. Keep "
        "four decimals while you work and give three at the end."
    )
    coarse = [np.round(c_2, d) for d in (2, 1)]
    coarse += [np.round(share, d) @ TOKENS for d in (2, 1)]
    return [
        Misconception("rounded_too_coarsely", value, message)
        for value in coarse
    ]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.002
    if fits.any():
        good, bad = ("first", "second") if fits[0] else ("second", "first")
        return (
            f"Your {good} coordinate is right. Look again at the {bad} one: "
            f"multiply each weight by the {bad} coordinate of its token and "
            "add up."
        )
    if np.any(got > 1) or got[0] < -1 or got[1] < 0:
        return (
            "But an average stays inside: the first coordinates of the "
            "tokens lie between -1 and 1, the second between 0 and 1. Do "
            "your four weights sum to 1?"
        )
    return (
        "Both coordinates differ from the wanted ones. Check the four scores "
        "first: they are whole numbers and add up to 3."
    )


PAPER = Paper(
    name="context_vector_by_hand(c_2)",
    asked="The context vector c_2 of the four tokens (1, 0), (1, 1), (0, 1), "
    "(-1, 0): two numbers with three decimals, such as `(0.123, 0.456)`.",
    count="two numbers",
    given=show(TOKENS, "tokens = "),
    expected="two numbers: the average of the tokens with the weights of "
    "token 2",
    want=lambda: softmax(TOKENS @ TOKENS[1]) @ TOKENS,
    misconceptions=_misconceptions,
    praise="Both coordinates are right. Token 2 keeps more than half of its "
    "own vector, because its score with itself is the largest.",
    hints=(
        "Write down the four dot products of token 2, which is (1, 1), with "
        "all four tokens. They are whole numbers; one of them is negative.",
        "Four steps: four scores; e to the power of each; each divided by "
        "their sum (keep four decimals); then each weight times its token, "
        "and add up. The tokens lie along the sum, so each coordinate is "
        "added on its own.",
    ),
    look=_look,
)
