"""The audit of a summary in twelve steps: which of them need a correction?"""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "twelve_steps_by_hand"]


def twelve_steps_by_hand(value: Any) -> Verdict:
    """Check which of twelve steps were marked as faulty.

    Args:
        value: thirteen numbers, 1 for a step that needs a correction and 0
            for one that does not; the last one says whether something that
            a finished translator does is missing from the list.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: the audit of chapter 11.
    """
    return judge_paper(PAPER, without_step_7(value))


def without_step_7(value: Any) -> Any:
    """Take either mark of step 7.

    It names both inputs of the cross-attention and leaves it to the builder
    which of them makes the queries; the shapes allow only one answer.
    """
    if type(value) not in (list, tuple, np.ndarray) or len(value) != 13:
        return value
    mark = value[6]
    if type(mark) not in (int, bool, float) and not isinstance(mark, np.number):
        return value
    if mark not in (0, 1):
        return value
    return [*value[:6], PAPER.answer[6], *value[7:]]


class _Audit(Paper):
    """Step 7 may be marked or not."""

    def in_page(self) -> dict[str, Any]:
        """Say which marks are taken either way."""
        return {"either": [6]}


PAPER = _Audit.read(__file__)
