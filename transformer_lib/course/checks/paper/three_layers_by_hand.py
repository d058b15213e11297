"""Numbers worked out on paper: three layers, without and with the skip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.reading import show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["THREE_LAYERS", "three_layers_by_hand"]

X = np.array([2.0, 1.0])
MATRICES = (
    np.array([[1.0, 0.0], [1.0, -1.0]]),
    np.array([[0.0, 1.0], [1.0, 1.0]]),
    np.array([[1.0, 1.0], [2.0, -1.0]]),
)
Step = Callable[[np.ndarray, np.ndarray], np.ndarray]


def three_layers_by_hand(value: Any) -> Verdict:
    """Check a net of three layers, worked out without and with the skip.

    Each layer computes F(x) = max(0, x W). Without the skip the next layer
    reads F(x), with it x + F(x). The input is (2, 1).

    Args:
        value: two pairs, the output without and the output with the skip;
            as tuples, lists, an array or a tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 5.
    """
    return judge_paper(THREE_LAYERS, value)


def _relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(0.0, x)


def _straight(x: np.ndarray) -> np.ndarray:
    return x


def _walk(step: Step, matrices: Any = MATRICES) -> np.ndarray:
    x = X
    for matrix in matrices:
        x = step(x, matrix)
    return x


def _plain(act: Any = _relu, matrices: Any = MATRICES) -> np.ndarray:
    return _walk(lambda x, w: act(x @ w), matrices)


def _skip(act: Any = _relu, matrices: Any = MATRICES) -> np.ndarray:
    return _walk(lambda x, w: x + act(x @ w), matrices)


def _turned() -> list[np.ndarray]:
    return [matrix.T for matrix in MATRICES]


def _changes_of_the_plain_net() -> np.ndarray:
    """x and the three outputs of the plain net, added up."""
    total, x = X, X
    for matrix in MATRICES:
        x = _relu(x @ matrix)
        total = total + x
    return total


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    plain, skip = _plain(), _skip()
    start_again = _walk(lambda x, w: X + _relu(x @ w))
    product = _walk(lambda x, w: x * _relu(x @ w))
    below = _walk(lambda x, w: np.minimum(0.0, x @ w))
    early = MATRICES[:2]
    pick = [
        ("exchanged", [skip, plain],
         "Both pairs are right, but they stand in the wrong order: first "
         "the net without the skip, then the one with it."),
        ("the_same_twice", [plain, plain],
         "The first pair is right. The second is the same once more; with "
         "the skip each layer adds what it read to what it made."),
        ("skip_in_both", [skip, skip],
         "The second pair is right. The first is the same once more; "
         "without the skip the next layer reads F(x) alone."),
        ("no_max_in_both", [_plain(_straight), _skip(_straight)],
         "The max(0, .) is missing: a negative entry of x W becomes 0 "
         "before anything else happens."),
        ("no_max_without_the_skip", [_plain(_straight), skip],
         "The second pair is right. In the first a negative entry went on; "
         "max(0, .) makes it 0."),
        ("no_max_with_the_skip", [plain, _skip(_straight)],
         "The first pair is right. In the second a negative entry of x W "
         "was added. Here the change max(0, x W) is finished before it is "
         "added. (ResNet has one more ReLU after the addition; that one "
         "does not replace the first.)"),
        ("skip_at_the_end_only", [plain, X + plain],
         "The first pair is right. For the second you added the input once, "
         "at the end. Each layer has a skip of its own."),
        ("input_of_the_net_added", [plain, start_again],
         "The first pair is right. In the second you added (2, 1) after "
         "each layer. A layer adds what it read itself, which is the output "
         "of the layer before."),
        ("changes_of_the_plain_net_added",
         [plain, _changes_of_the_plain_net()],
         "The first pair is right. For the second you added up what the "
         "layers of the plain net gave. With the skip each layer reads the "
         "sum so far, so its change is another one."),
        ("multiplied", [plain, product],
         "The first pair is right. In the second you multiplied x by F(x); "
         "the skip adds."),
        ("columns", [_plain(matrices=_turned()), _skip(matrices=_turned())],
         "You multiplied the matrix by the vector as a column. In this book "
         "vectors are rows: the first entry of x W meets the first column "
         "of W."),
        ("stopped_early", [_plain(matrices=early), _skip(matrices=early)],
         "You stopped after the second layer. All right so far; one layer "
         "is left."),
        ("order_of_the_layers", [_plain(matrices=MATRICES[::-1]),
                                 _skip(matrices=MATRICES[::-1])],
         "You began with the last layer. The vector meets W1 first."),
        ("min_in_place_of_max", [below, skip],
         "The second pair is right. In the first you kept the negative "
         "entries and dropped the positive ones."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = [bool(np.allclose(got[i], want[i], atol=0.002)) for i in (0, 1)]
    if fits[0]:
        after_one = _skip(matrices=MATRICES[:1])
        return (
            "The pair without the skip is right. With the skip, the vector "
            f"after the first layer is {show(after_one)}: (2, 1) plus what "
            "the first layer makes of it. Go on from there."
        )
    if fits[1]:
        return (
            "The pair with the skip is right. Without the skip, the vector "
            f"after the first layer is {show(_plain(matrices=MATRICES[:1]))}. "
            "Go on from there."
        )
    return (
        "Both pairs differ. Begin with the first layer alone: (2, 1) times "
        "W1 is 2 times the first row plus 1 times the second. Then what is "
        "negative becomes 0."
    )


_GIVEN = "x = [2, 1]\n" + "\n".join(
    show(matrix, f"W{i + 1} = ") for i, matrix in enumerate(MATRICES)
)
THREE_LAYERS = Paper(
    name="three_layers_by_hand(outputs)",
    asked="The output of the net without the skip and with the skip: two "
    "pairs, such as `((1, 2), (3, 4))`.",
    count="two pairs of numbers",
    given=_GIVEN,
    expected="two pairs: without the skip each layer gives max(0, x W), "
    "with the skip x + max(0, x W)",
    want=lambda: [_plain(), _skip()],
    misconceptions=_misconceptions,
    praise="Both pairs are right. Without the skip each layer forgets what "
    "it read; with it everything is kept, and the numbers grow.",
    hints=(
        "Three small products for each net. Write the vector after each "
        "layer on a line of its own, and put a 0 where an entry of x W is "
        "negative.",
        "With the skip, add the vector that the layer read, not the input "
        "of the whole net. Check: every entry can only stay or grow, "
        "because a change max(0, x W) is never negative.",
    ),
    look=_look,
)
