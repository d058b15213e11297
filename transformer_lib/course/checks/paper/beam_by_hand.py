"""Numbers worked out on paper: a beam of two over a small tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["BEAM", "TREE", "beam_by_hand", "sentences"]

END = "<eos>"
TREE = {
    (): {"rain": 0.40, "it": 0.35, "the": 0.25},
    ("rain",): {"falls": 0.45, "comes": 0.40, END: 0.15},
    ("it",): {"rains": 0.70, "is": 0.30},
    ("the",): {"rain": 1.00},
    ("rain", "falls"): {END: 0.80, "hard": 0.20},
    ("rain", "comes"): {END: 1.00},
    ("it", "rains"): {END: 0.90, "hard": 0.10},
    ("it", "is"): {"raining": 1.00},
    ("the", "rain"): {"falls": 0.98, END: 0.02},
    ("the", "rain", "falls"): {END: 0.98, "hard": 0.02},
}


def beam_by_hand(value: Any) -> Verdict:
    """Check five probabilities of a search with a beam of two.

    The tree of chapter 14, exercise 1: what the greedy search ends with, the
    two hypotheses kept after the second step, what the beam ends with, and
    the most probable sentence of all.

    Args:
        value: five numbers, as a tuple, list, array or tensor; they may
            differ by 0.002 from the exact ones.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 14.
    """
    return judge_paper(BEAM, value)


def sentences(
    tree: dict = TREE, start: tuple[str, ...] = (), share: float = 1.0
) -> dict[tuple[str, ...], float]:
    """Every finished sentence of a tree and its probability.

    Args:
        tree: for each prefix the probabilities of what follows.
        start: the prefix to begin with.
        share: its probability.

    Returns:
        The words with <eos>, and the product along the way.
    """
    if start[-1:] == (END,):
        return {start: share}
    found = {}
    for word, more in tree.get(start, {}).items():
        found |= sentences(tree, (*start, word), share * more)
    return found


def _walk(*words: str) -> float:
    share = 1.0
    for i, word in enumerate(words):
        share *= TREE[words[:i]][word]
    return share


def _right() -> list[float]:
    return [
        _walk("rain", "falls", END),
        _walk("it", "rains"),
        _walk("rain", "falls"),
        _walk("it", "rains", END),
        max(sentences().values()),
    ]


def _with(**changes: float) -> list[float]:
    """The right numbers, some of them replaced; `p2` is the second."""
    return [changes.get(f"p{i + 1}", one) for i, one in enumerate(_right())]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _right()
    pick = [
        ("first_word_forgotten",
         [0.36, 0.70, 0.45, 0.63, 0.9604],
         "The probability of the first word is missing in each product."),
        ("last_step_only", [0.80, 0.70, 0.45, 0.90, 0.98],
         "Those are the probabilities of the last step alone. A hypothesis "
         "has the product of all its steps."),
        ("added_up", [0.40 + 0.45 + 0.80, 1.05, 0.85, 1.95, 2.21],
         "Probabilities of steps are multiplied, not added. (Their "
         "logarithms are added.)"),
        ("eos_forgotten",
         [right[2], right[1], right[2], right[1], 0.245],
         "The second step is right. But <eos> is a token too: its "
         "probability belongs into the product of a finished sentence."),
        *(("eos_forgotten", _with(**changes),
           f"{where} number: <eos> is a token too, and its probability "
           "belongs into the product. The other four are right.")
          for where, changes in (("First", {"p1": right[2]}),
                                 ("Fourth", {"p4": right[1]}),
                                 ("Fifth", {"p5": 0.245}))),
        *(("three_kept", _with(p2=0.25, p3=right[1], p4=end),
           "In step 2 you have *the rain*. With k = 2 only two words stay "
           "after step 1, and *the*, with .25, is gone for good.")
          for end in (right[3], right[4])),
        ("step_one", _with(p2=0.40, p3=0.35),
         "Second and third number: those are kept after step 1. Asked are "
         "the two after step 2. The other numbers are right."),
        ("step_three", _with(p2=right[3], p3=right[0]),
         "Second and third number: you have gone on to <eos>, which is step "
         "3. Asked are the two after step 2. The other numbers are right."),
        ("larger_one_second",
         _with(p2=right[2], p3=right[1]),
         "Right numbers; in step 2 the larger one comes first."),
        ("children_of_the_best_only",
         _with(p2=0.18, p3=0.16, p4=0.16),
         "In step 2 you kept two hypotheses that both begin with *rain*. "
         "The children of *it* take part in the same ranking."),
        ("children_of_the_best_only",
         _with(p2=0.18, p3=0.16, p4=0.144),
         "In step 2 you kept two hypotheses that both begin with *rain*. "
         "The children of *it* take part in the same ranking."),
        ("both_children_of_it",
         _with(p3=0.105),
         "In step 2 you kept both children of *it*. *Rain falls* has more "
         "than *it is*. The other numbers are right."),
        ("rain_comes",
         _with(p3=0.16),
         "Third number: of the children of *rain*, *falls* is the better "
         "one. The other numbers are right."),
        ("greedy_takes_comes",
         _with(p1=0.16),
         "First number: the greedy search goes from *rain* to *falls*, "
         "because .45 is more than .40. It cannot know that *comes* would "
         "have ended better. The other four are right."),
        ("greedy_stops_early",
         _with(p1=0.06),
         "First number: behind *rain* comes *falls*, not <eos>, which has "
         "only .15. The other four are right."),
        ("greedy_is_the_beam",
         _with(p1=right[3]),
         "First number: the greedy search begins with *rain*, the best first "
         "word, and never returns. The other four are right."),
        ("beam_finds_everything",
         _with(p4=right[4]),
         "Fourth number: was *the* still in the beam after the first step? "
         "The other four are right."),
        ("best_is_the_beam",
         _with(p5=right[3]),
         "Fifth number: look through *all* sentences, also through those "
         "that begin with *the*. The other four are right."),
        ("beam_is_the_greedy",
         _with(p4=right[0]),
         "Fourth number: that is where the greedy search ended. The beam has "
         "something better. The other four are right."),
        ("length_taken_off",
         _with(p4=right[3] / 3),
         "Fourth number: no length penalty here. The other four are right."),
        ("logarithms", np.log(right),
         "Those are logarithms, and the right ones. Give the probabilities."),
        ("percent", 100 * np.array(right),
         "Those are percent. Give shares of 1, such as 0.25."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.002
    names = (
        "end of the greedy search",
        "better hypothesis after step 2",
        "second hypothesis after step 2",
        "end of the beam",
        "most probable sentence of all",
    )
    bad = names[int(np.argmin(fits))]
    return (
        f"{int(fits.sum())} of the 5 are right. Look again at the {bad}: "
        "write the words one below the other and multiply what stands beside "
        "them."
    )


BEAM = Paper(
    name="beam_by_hand(numbers)",
    asked="Five probabilities: the sentence of the greedy search; the two "
    "hypotheses kept after step 2, the larger first; the sentence of the beam "
    "with k = 2; the most probable sentence of all. Such as "
    "`(0.1, 0.2, 0.3, 0.4, 0.5)`.",
    count="five numbers",
    given="the tree of exercise 14.1, k = 2, no length penalty",
    expected="five products of probabilities, <eos> included where a "
    "sentence is finished",
    want=_right,
    misconceptions=_misconceptions,
    praise="All five are right. The beam does better than the greedy search, "
    "and still misses the best sentence: its first word was third, and only "
    "two were kept.",
    hints=(
        "Greedy: always the largest number of the row, three steps. Beam, "
        "step 1: two words stay, one goes for good.",
        "Step 2: the two that stayed have five children in all. Multiply "
        "each with its parent, and keep the best two. They need not come "
        "from different parents, but here they do.",
    ),
    look=_look,
)
