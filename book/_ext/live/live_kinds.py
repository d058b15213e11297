"""Which construction is a sentence? Learned from the words of drawn ones.

A page cannot run the grammar backwards. A perceptron with a weight for each
word and construction, averaged over its training, is right about nearly all
drawn sentences, and it has an answer for what no grammar drew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

__all__ = ["guess", "learn_kinds"]

EPOCHS = 5
SCALE = 10  # the weights become whole numbers

Weights = dict[str, dict[int, int]]


def learn_kinds(
    sentences: Sequence[tuple[Sequence[str], str]], names: Sequence[str]
) -> Weights:
    """Learn the weights.

    Args:
        sentences: (English tokens, construction).
        names: of all constructions.

    Returns:
        For each word the weights of the constructions that it speaks for or
        against, by their places in ``names``.

    Source: Collins 2002 (averaged perceptron).
    """
    place = {name: index for index, name in enumerate(names)}
    weights: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    sums: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    step = 0
    for _ in range(EPOCHS):
        for tokens, kind in sentences:
            step += 1
            right, said = place[kind], guess(tokens, weights, len(names))
            if said == right:
                continue
            for word in dict.fromkeys(tokens):  # each once, in their order
                for index, change in ((right, 1), (said, -1)):
                    weights[word][index] += change
                    sums[word][index] += change * step
    return _averaged(weights, sums, step)


def guess(
    tokens: Sequence[str], weights: dict[str, dict[int, int]], n_kinds: int
) -> int:
    """Return the place of the construction that the words speak for most.

    Args:
        tokens: English tokens; each counts once.
        weights: see `learn_kinds`.
        n_kinds: number of constructions.
    """
    scores = [0] * n_kinds
    for word in set(tokens):
        for index, weight in weights.get(word, {}).items():
            scores[index] += weight
    return scores.index(max(scores))


def _averaged(
    weights: dict[str, dict[int, int]],
    sums: dict[str, dict[int, int]],
    steps: int,
) -> Weights:
    """Return the mean of all weights on the way, as whole numbers."""
    mean = {
        word: {
            index: round(SCALE * (weight - sums[word][index] / steps))
            for index, weight in found.items()
        }
        for word, found in weights.items()
    }
    return {
        word: {index: weight for index, weight in found.items() if weight}
        for word, found in mean.items()
        if any(found.values())
    }
