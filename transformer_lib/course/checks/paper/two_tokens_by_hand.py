"""Numbers worked out on paper: two tokens through a feed-forward network."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["NETWORK", "TOKENS", "WEIGHTS", "two_tokens_by_hand"]

TOKENS = np.array([[2.0, 1.0], [-1.0, 3.0]])
WEIGHTS = (
    np.array([[1.0, 0.0, -1.0], [0.0, 1.0, 1.0]]),
    np.array([0.0, -2.0, 0.0]),
    np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]),
    np.array([1.0, -1.0]),
)


def two_tokens_by_hand(value: Any) -> Verdict:
    """Check two tokens sent through a network of three units.

    The tokens (2, 1) and (-1, 3); W1 has the rows (1, 0, -1) and (0, 1, 1),
    b1 is (0, -2, 0), W2 has the rows (1, 0), (2, 1), (0, 3), b2 is (1, -1).

    Args:
        value: two rows of two numbers, the result of each token.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 10.
    """
    return judge_paper(NETWORK, value)


def _relu(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0)


def _through(x: Any = TOKENS, bend: Any = _relu, b1: Any = None,
             b2: Any = None) -> np.ndarray:  # fmt: skip
    """The result, or that of a misconception; the defaults are right."""
    W1, own_b1, W2, own_b2 = WEIGHTS
    inner = bend(x @ W1 + (own_b1 if b1 is None else b1))
    return inner @ W2 + (own_b2 if b2 is None else b2)


def _same(z: np.ndarray) -> np.ndarray:
    return z


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    W1, b1, W2, b2 = WEIGHTS
    right = _through()
    summed = _through(TOKENS.sum(axis=0, keepdims=True))
    pick = [
        ("no_activation", _through(bend=_same),
         "You left the negative numbers of the inner vector in. Set them to "
         "0 before the second map."),
        ("first_bias_forgotten", _through(b1=0 * b1),
         "b1 is missing: unit 2 starts to be positive only above 2."),
        ("second_bias_forgotten", _through(b2=0 * b2),
         "b2 is missing: add (1, -1) to both results."),
        ("both_biases_forgotten", _through(b1=0 * b1, b2=0 * b2),
         "Both biases are missing. b1 comes before ReLU, b2 at the end."),
        ("activation_twice", _relu(right),
         "You applied ReLU a second time, at the end. A result may be "
         "negative; only the inner vector may not."),
        ("activation_at_the_end", _relu(_through(bend=_same)),
         "You applied ReLU at the end. It stands between the two maps."),
        ("activation_before", _through(_relu(TOKENS), _same),
         "You applied ReLU before the first map. The tokens go in as they "
         "are; ReLU is for the *inner* vector."),
        ("kept_the_negative_ones", _through(bend=lambda z: np.minimum(z, 0)),
         "You kept the negative numbers and set the others to 0. max(0, z) "
         "does the opposite."),
        ("sizes_of_the_numbers", _through(bend=abs),
         "You took away the minus signs. A negative number becomes 0, not "
         "positive."),
        ("first_bias_subtracted", _through(b1=-b1),
         "You subtracted b1. It is added: unit 2 gets -2."),
        ("second_bias_subtracted", _through(b2=-b2),
         "You subtracted b2. It is added."),
        ("inner_vectors", _relu(TOKENS @ W1 + b1),
         "Those are the inner vectors, and they are right. Now the second "
         "map: multiply by W2, add b2."),
        ("inner_vectors_uncut", TOKENS @ W1 + b1,
         "Those are the inner vectors before ReLU. Set the negative ones "
         "to 0, then comes the second map."),
        ("skip_added", TOKENS + right,
         "You added the token itself at the end. The skip stands around the "
         "network (chapter 5); here the network alone is asked."),
        ("tokens_added_first", np.concatenate([summed, summed]),
         "You added the two tokens first. Each goes through the network by "
         "itself."),
        ("tokens_exchanged", right[::-1],
         "Both results are right, but they have changed places."),
        ("features_exchanged", right[:, ::-1],
         "All four numbers are right, but the two in each row have changed "
         "places: the first column of W2 makes the first number."),
        ("turned", right.T,
         "All four numbers are right, but transposed: one row for "
         "each token."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = np.all(abs(got - want) <= 0.002, axis=1)
    if fits.any():
        first, second = ("first", "second") if fits[0] else ("second", "first")
        return (
            f"The {first} token is right. Look again at the {second}: its "
            "three units, which of them become 0, then the second map."
        )
    return (
        "Neither token is right yet. Write down the three units of the first "
        "token before ReLU, then after it."
    )


NETWORK = Paper(
    name="two_tokens_by_hand(rows)",
    asked="What the network makes of the tokens (2, 1) and (-1, 3): two rows "
    "of two numbers such as `[(1, 2), (3, 4)]`.",
    count="two rows of two numbers",
    given="tokens (2, 1) and (-1, 3); W1 with rows (1, 0, -1) and (0, 1, 1), "
    "b1 = (0, -2, 0); W2 with rows (1, 0), (2, 1), (0, 3), b2 = (1, -1)",
    expected="a row for each token: inner vector, ReLU, second map",
    want=_through,
    misconceptions=_misconceptions,
    praise="Both are right. For the first token one unit is at work, for the "
    "second token two others: the same weights, another straight piece.",
    hints=(
        "Three units for each token. Unit 1 is the first column of W1: once "
        "the first feature, plus nothing times the second, plus the bias 0.",
        "After ReLU, each unit that is left adds its row of W2, "
        "times its own value. Add these rows, and b2.",
    ),
    look=_look,
)
