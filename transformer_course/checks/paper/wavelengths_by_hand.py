"""Numbers worked out on paper: how long the waves of an encoding are."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["PAPER", "wavelengths_by_hand"]


def wavelengths_by_hand(value: Any) -> Verdict:
    """Check the four wavelengths of an encoding with d = 8.

    In multiples of 2 pi: how many positions it takes until a pair has gone
    round once, divided by 2 pi.

    Args:
        value: four numbers, for the pairs 0 to 3.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Vaswani et al. 2017, section 3.5. Chapter 9.
    """
    return judge_paper(PAPER, value)


CLOSE = "(Yours are within 1 % of that.)"


class _Waves(Paper):
    """Large numbers may be off by more, for their mistake to be named."""

    loose = 0.01

    def look(self, got: np.ndarray) -> str:
        """Say which mistake the numbers are close to."""
        for known in self.misconceptions:
            if np.allclose(got, known.value, rtol=self.loose, atol=0.002):
                return f"{known.message} {CLOSE}"
        return super().look(got)

    def in_page(self) -> dict[str, Any]:
        """Say how much more, and what is said then."""
        return {"loose": self.loose, "close": CLOSE}


PAPER = _Waves.read(__file__)
