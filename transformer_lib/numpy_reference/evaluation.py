"""How good is a model? Perplexity and the error of its alignments."""

from collections.abc import Sequence

import numpy as np

__all__ = ["alignment_error_rate", "perplexity"]

Link = tuple[int, int]


def perplexity(loss: float) -> float:
    r"""Turn a loss into a number of words that are equally hard to guess.

    $$e^{loss}$$

    Args:
        loss: in nats a token, unsmoothed.

    Returns:
        1 or more; V for a model that guesses among V tokens.

    Source: Jelinek et al. 1977.
    """
    return float(np.e**loss)


def alignment_error_rate(
    predicted: Sequence[set[Link]],
    sure: Sequence[set[Link]],
    possible: Sequence[set[Link]] | None = None,
) -> float:
    r"""Return the share of links that are wrong or missing.

    $$1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

    where A are the predicted links, S the sure and P the possible ones, all
    counted over the whole corpus. A sure link is also a possible one.

    Args:
        predicted: for each sentence a set of (source, target) positions.
        sure: the links that must be there.
        possible: those that may be there; the sure ones when omitted.

    Returns:
        Between 0 (perfect) and 1.

    Raises:
        ValueError: there is no link at all, so nothing to divide by.

    Source: Och and Ney 2003.
    """
    possible = sure if possible is None else possible
    hits = links = 0
    for a, s, p in zip(predicted, sure, possible, strict=True):
        for link in a:
            hits += link in s
            hits += link in s or link in p
        links += len(a) + len(s)
    if links == 0:
        raise ValueError("no link is predicted and none is sure")
    return 1 - hits / links
