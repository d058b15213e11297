"""How to train: the numbers that a run keeps to."""

from dataclasses import dataclass

from transformer_lib.arguments import (
    check_flag,
    check_positive,
    check_share,
    check_whole,
)
from transformer_lib.schedule import cosine_rate, noam_rate

__all__ = ["TrainConfig"]


@dataclass(frozen=True)
class TrainConfig:
    """How to train.

    Args:
        steps: number of updates.
        tokens_per_batch: see `BatchPlan`.
        peak_rate: highest learning rate of `cosine_rate`; None takes the
            paper's schedule, `noam_rate`.
        warmup: steps until the highest rate.
        smoothing: epsilon of label smoothing.
        clip: longest gradient allowed; a longer one is scaled down.
        seed: decides the first weights, the batches and the dropout.
        bfloat16: compute matrix products in bfloat16 (for a GPU).

    Raises:
        TypeError, ValueError: a value of another kind or outside its range;
            the message says which.
    """

    steps: int = 1000
    tokens_per_batch: int = 1500
    peak_rate: float | None = 5e-3
    warmup: int = 100
    smoothing: float = 0.1
    clip: float = 1.0
    seed: int = 0
    bfloat16: bool = False

    def __post_init__(self):
        for name in ("steps", "warmup", "tokens_per_batch"):
            check_whole(name, getattr(self, name))
        check_whole("seed", self.seed, least=0)
        if self.seed >= 2**32:
            raise ValueError(f"seed={self.seed}; choose 0 to 2**32 - 1")
        if self.peak_rate is not None:
            check_positive("peak_rate", self.peak_rate)
        check_positive("clip", self.clip)
        check_share("smoothing", self.smoothing)
        check_flag("bfloat16", self.bfloat16)

    def rate(self, step: int, d_model: int) -> float:
        """Return the learning rate of an update, counted from 1.

        Args:
            step: the update, counted from 1.
            d_model: width of the model.

        Returns:
            The learning rate.
        """
        if self.peak_rate is None:
            return noam_rate(step, d_model, self.warmup)
        return cosine_rate(step, self.peak_rate, self.warmup, self.steps)
