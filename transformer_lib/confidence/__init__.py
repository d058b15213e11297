"""How sure a translation is: five features, one probability, three values.

A model that was trained translates anything, and says nonsense as fluently as
the rest. What gives it away: a token that the model itself is not sure of, a
source word that the translation leaves out (`coverage`), and a sentence unlike
those of the training (`familiarity`). A logistic regression makes one number
of the five. It is fitted by `training`, on validation sentences and on
sentences that are spoilt by rule (`spoilt`). Two thresholds make three values
of the number (`trust`): sure, perhaps, doubtful.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.familiarity import Familiarity
from transformer_lib.confidence.trust import Trust
from transformer_lib.special_tokens import UNK

__all__ = ["FEATURES", "Confidence", "Judgement", "fit"]

FEATURES = (
    "log-probability of the least sure token",
    "mean log-probability of a token",
    "coverage of the least covered source word",
    "runs of four word classes that training never had, 4 at most",
    "source words that are lost, 2 at most",
)
MOST_STRANGE = 4
MOST_LOST = 2
PENALTY = 0.01  # on the squared weights, against very large ones


class Judgement(NamedTuple):
    """What is thought of a translation.

    Attributes:
        p: how probable it is that it is right.
        trust: "sure", "perhaps" or "doubtful".
        lost: places of the source words that no token accounts for.
    """

    p: float
    trust: Trust
    lost: list[int]


class Confidence:
    """Tells translations that can be trusted from those that cannot.

    Args:
        familiarity: which sentences are like those of the training.
        coverage: which tokens translate which words.
        weights: of the `FEATURES`, and the bias (6,), in float64.
        thresholds: below the first, a translation is doubtful; from the
            second on it may count as sure (2,), in float64.
    """

    def __init__(
        self,
        familiarity: Familiarity,
        coverage: Coverage,
        weights: Tensor,
        thresholds: Tensor,
    ):
        self.familiarity = familiarity
        self.coverage = coverage
        self.weights = weights
        self.thresholds = thresholds

    def features(
        self,
        source: Sequence[int],
        tokens: Sequence[int],
        log_p: Sequence[float],
    ) -> list[float]:
        """Measure a translation.

        Args:
            source: the sentence as ids, at least one.
            tokens: its translation as ids, without <eos>.
            log_p: of each token and of <eos>, in nats.

        Returns:
            A number for each of the `FEATURES`.
        """
        return [
            min(log_p),
            sum(log_p) / len(log_p),
            min(self.coverage.of(source, tokens)),
            float(min(self.familiarity.strange(source), MOST_STRANGE)),
            float(min(len(self.coverage.lost(source, tokens)), MOST_LOST)),
        ]

    def probability(self, features: Sequence[float]) -> float:
        r"""Return how probable it is that a translation is right.

        $$p = \sigma(w \cdot x + b)$$

        Args:
            features: of the translation.

        Returns:
            Between 0 and 1, where one translation in two is right.
        """
        *weights, bias = self.weights.tolist()
        parts = zip(weights, features, strict=True)
        z = bias + sum(weight * feature for weight, feature in parts)
        return 1 / (1 + math.exp(min(-z, 700.0)))

    def judge(
        self,
        source: Sequence[int],
        tokens: Sequence[int],
        log_p: Sequence[float],
        finished: bool = True,
    ) -> Judgement:
        """Say how far a translation can be trusted.

        Args:
            source, tokens, log_p: as for `features`.
            finished: False if it was cut.

        Returns:
            The probability, the words that are lost, and the value: one with
            an unknown word is doubtful; one that was cut or has lost a word
            is not sure.
        """
        p = self.probability(self.features(source, tokens, log_p))
        lost = self.coverage.lost(source, tokens)
        lower, upper = self.thresholds.tolist()
        trust: Trust = "perhaps"
        if p < lower or UNK in source:
            trust = "doubtful"
        elif p >= upper and finished and not lost:
            trust = "sure"
        return Judgement(p, trust, lost)

    def tensors(self) -> dict[str, Tensor]:
        """Return all there is to store, by name."""
        return {
            "confidence.classes": self.familiarity.classes,
            "confidence.runs": self.familiarity.runs,
            "confidence.entries": self.coverage.entries,
            "confidence.evidence": self.coverage.evidence,
            "confidence.usual": self.coverage.usual,
            "confidence.limit": self.coverage.limit,
            "confidence.weights": self.weights,
            "confidence.thresholds": self.thresholds,
        }

    @classmethod
    def from_tensors(cls, tensors: dict[str, Tensor]) -> "Confidence | None":
        """Build it from what `tensors` returned.

        Args:
            tensors: of a checkpoint, by name; others may be among them.

        Returns:
            The confidence, or None if the checkpoint holds none.

        Raises:
            ValueError: a part of it is missing.
        """
        found = {
            name.removeprefix("confidence."): value.cpu()
            for name, value in tensors.items()
            if name.startswith("confidence.")
        }
        if not found:
            return None
        try:
            return cls(
                Familiarity(found["classes"], found["runs"]),
                Coverage(
                    *(
                        found[name]
                        for name in ("entries", "evidence", "usual", "limit")
                    )
                ),
                found["weights"],
                found["thresholds"],
            )
        except KeyError as error:
            raise ValueError(
                f"the model's confidence lacks {error}; learn it again with "
                "the command confidence"
            ) from None


def fit(
    features: Float[Tensor, "N F"],
    right: Bool[Tensor, " N"],
    share: Float[Tensor, " N"],
) -> Float[Tensor, " W"]:
    """Fit a logistic regression.

    Args:
        features: a row for each translation.
        right: which of them are right.
        share: how much each one counts; the sum is 1.

    Returns:
        The weights of the features and the bias, W = F + 1, in float64.

    Raises:
        ValueError: all are right, or none is.
    """
    if right.all() or not right.any():
        raise ValueError(
            f"{int(right.sum())} of {len(right)} translations are right; "
            "right and wrong ones are wanted"
        )
    x, y = features.double(), right.double()
    mean, spread = x.mean(dim=0), x.std(dim=0).clamp(min=1e-6)
    x = (x - mean) / spread
    weights = torch.zeros(x.shape[1] + 1, dtype=torch.float64)
    weights.requires_grad_()
    optimizer = torch.optim.LBFGS(
        [weights], max_iter=200, line_search_fn="strong_wolfe"
    )

    def loss() -> Tensor:
        optimizer.zero_grad()
        value = torch.nn.functional.binary_cross_entropy_with_logits(
            x @ weights[:-1] + weights[-1],
            y,
            share.double(),
            reduction="sum",
        )
        value = value + PENALTY * weights[:-1].square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    slopes = weights.detach()[:-1] / spread
    bias = weights.detach()[-1] - slopes @ mean
    return torch.cat([slopes, bias.unsqueeze(0)])
