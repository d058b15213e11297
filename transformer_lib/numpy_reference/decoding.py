"""Decoding by definition: no batch, no cache, each prefix read anew.

A model is here a function from the ids so far, <bos> first, to the V scores
of the next id; -inf makes one impossible. With the NumPy model that
is::

    def next_scores(tokens):
        return transformer(weights, [sentence], [tokens], n_heads)[0, -1]
"""

from collections.abc import Callable
from typing import NamedTuple

from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.masks import PAD
from transformer_lib.numpy_reference.probability import log_softmax

__all__ = [
    "BOS",
    "EOS",
    "Hypothesis",
    "beam_search",
    "greedy",
    "length_penalty",
]

BOS, EOS = 1, 2

NextScores = Callable[[list[int]], ArrayLike]


class Hypothesis(NamedTuple):
    """A translation and how probable the model finds it.

    Attributes:
        tokens: the ids written, without <bos> and without the last <eos>.
        log_probability: sum over its tokens and <eos>, in nats.
        finished: True if it ends with <eos>.
    """

    tokens: list[int]
    log_probability: float
    finished: bool


def length_penalty(length: float, alpha: float) -> float:
    r"""Return what a log-probability is divided by, to be fair to long ones.

    $$((5 + length) / 6)^\alpha$$

    Args:
        length: tokens written, <eos> counted and <bos> not.
        alpha: 0 for no penalty; larger favors longer sentences.

    Returns:
        1 for a length of 1.

    Raises:
        ValueError: alpha is negative.

    Source: Wu et al. 2016, section 7, equation 14.
    """
    if alpha < 0:
        raise ValueError(f"alpha={alpha}; choose 0 or a larger number")
    return ((5 + length) / 6) ** alpha


def greedy(next_scores: NextScores, max_length: int) -> Hypothesis:
    """Write the most probable next token, again and again, until <eos>.

    Args:
        next_scores: the model, see above.
        max_length: most tokens to write, <eos> counted.

    Returns:
        What it wrote; unfinished if max_length cut it.

    Source: the definition of a greedy search.
    """
    written = Hypothesis([], 0.0, False)
    for _ in range(max_length):
        written = max(_longer(written, next_scores), key=_log_probability)
        if written.finished:
            break
    return written


def beam_search(
    next_scores: NextScores, beam_size: int, alpha: float, max_length: int
) -> list[Hypothesis]:
    """Keep the k best beginnings at each step, finished or not.

    Args:
        next_scores: the model, see above.
        beam_size: k.
        alpha: see `length_penalty`; it ranks at every step.
        max_length: most tokens to write, <eos> counted.

    Returns:
        Up to k hypotheses, the best one first.

    Source: Wu et al. 2016, section 7.
    """
    beam = [Hypothesis([], 0.0, False)]
    for _ in range(max_length):
        candidates = [one for one in beam if one.finished]
        for one in beam:
            if not one.finished:
                candidates += _longer(one, next_scores)
        beam = _ranked(candidates, alpha)[:beam_size]
    return beam


def _longer(written: Hypothesis, next_scores: NextScores) -> list[Hypothesis]:
    """Return what is written, followed by each token that may follow.

    <pad> and <bos> never do.
    """
    found = []
    tokens = written.tokens
    for token, log_p in enumerate(log_softmax(next_scores([BOS, *tokens]))):
        total = written.log_probability + float(log_p)
        if token in (PAD, BOS) or total == -float("inf"):
            continue
        if token == EOS:
            found.append(Hypothesis(tokens, total, True))
        else:
            found.append(Hypothesis([*tokens, token], total, False))
    return found


def _log_probability(hypothesis: Hypothesis) -> float:
    return hypothesis.log_probability


def _ranked(found: list[Hypothesis], alpha: float) -> list[Hypothesis]:
    def score(hypothesis: Hypothesis) -> float:
        length = len(hypothesis.tokens) + hypothesis.finished
        return hypothesis.log_probability / length_penalty(length, alpha)

    return sorted(found, key=score, reverse=True)
