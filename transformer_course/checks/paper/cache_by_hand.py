"""Numbers worked out on paper: what a cache of keys and values weighs."""

from __future__ import annotations

from typing import Any

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "cache_by_hand"]


def cache_by_hand(value: Any) -> Verdict:
    """Check four sizes of a cache.

    16 layers, 32 heads, d_k = d_v = 128, 4 bytes a number, 4096 tokens.
    1 MiB is 1024 * 1024 bytes, 1 GiB is 1024 MiB.

    Args:
        value: four numbers: MiB of one token; GiB of 4096 tokens; GiB of
            4096 tokens with 8 heads for keys and values, and with 1.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Shazeer 2019; Ainslie et al. 2023, section 2. Chapter 20.
    """
    return judge_paper(PAPER, value)


PAPER = Paper.read(__file__)
