"""Numbers worked out on paper: how many words a masked model is asked for."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "masking_by_hand"]


def masking_by_hand(value: Any) -> Verdict:
    """Check five counts of a batch under BERT's recipe.

    40 sentences of 25 words, with <bos> and <eos>, padded to 30; each word
    is chosen with p = 0.15, of the chosen ones 80 % become <mask>, 10 %
    another word, 10 % stay.

    Args:
        value: five numbers, on average: places that hold <mask>, places that
            hold another word, places that are asked for but stay, places
            that count in the loss, and places that count in the loss of a
            causal model on the same batch.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Devlin et al. 2019, section 3.1 (Task 1). Chapter 19.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
