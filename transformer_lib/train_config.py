"""How to train: hyperparameters, fixed for the whole run."""

from dataclasses import dataclass
from typing import Literal

from transformer_lib.schedule import cosine_lr, noam_lr
from transformer_lib.validation import (
    check_bool,
    check_int,
    check_positive,
    check_probability,
)

__all__ = ["TrainConfig"]


@dataclass(frozen=True)
class TrainConfig:
    """How to train.

    Args:
        steps: number of updates.
        tokens_per_batch: see `BatchPlan`.
        schedule: "cosine" for `cosine_lr`, "noam" for the paper's `noam_lr`.
        max_lr: highest learning rate of the cosine; that of the paper's
            schedule follows from d_model and warmup.
        warmup: steps until the highest learning rate.
        label_smoothing: epsilon, see `smooth_targets`.
        max_grad_norm: a longer gradient is rescaled to this norm.
        seed: decides the first weights, the batches and the dropout.
        bfloat16: compute matrix products in bfloat16 (for a GPU).

    Raises:
        TypeError, ValueError: a value of another kind or outside its range;
            the message says which.
    """

    steps: int = 1000
    tokens_per_batch: int = 1500
    schedule: Literal["cosine", "noam"] = "cosine"
    max_lr: float = 5e-3
    warmup: int = 100
    label_smoothing: float = 0.1
    max_grad_norm: float = 1.0
    seed: int = 0
    bfloat16: bool = False

    def __post_init__(self) -> None:
        for name in ("steps", "warmup", "tokens_per_batch"):
            check_int(name, getattr(self, name))
        check_int("seed", self.seed, least=0)
        if self.seed >= 2**32:
            raise ValueError(f"seed={self.seed}; choose 0 to 2**32 - 1")
        if self.schedule not in ("cosine", "noam"):
            raise ValueError(
                f"schedule={self.schedule!r}; choose 'cosine' or 'noam'"
            )
        check_positive("max_lr", self.max_lr)
        check_positive("max_grad_norm", self.max_grad_norm)
        check_probability("label_smoothing", self.label_smoothing)
        check_bool("bfloat16", self.bfloat16)

    def lr(self, step: int, d_model: int) -> float:
        """Return the learning rate of an update, counted from 1.

        Args:
            step: the update, counted from 1.
            d_model: width of the model.

        Returns:
            The learning rate.
        """
        if self.schedule == "noam":
            return noam_lr(step, d_model, self.warmup)
        return cosine_lr(step, self.max_lr, self.warmup, self.steps)
