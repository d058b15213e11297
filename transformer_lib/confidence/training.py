"""Teach a trained translator what it does not know.

No sentence that somebody typed is used. There are validation sentences, of
which it is known whether the model translates them right, and sentences that
are spoilt by rule, of which none counts as right. One half fits the weights,
the other chooses the threshold and says how well it separates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor

from transformer_lib.batching import IdPair
from transformer_lib.confidence import FEATURES, Confidence, fit
from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.familiarity import Familiarity
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.confidence.spoilt import Spoiler
from transformer_lib.decoding import Hypothesis
from transformer_lib.model import Transformer

__all__ = ["Separation", "learn_confidence"]

Decode = Callable[[list[list[int]]], Sequence[Hypothesis]]

FLAGGED = 0.02  # of the right translations, by the choice of the threshold
N_SPOILT = 600


@dataclass(frozen=True)
class Separation:
    """How many translations of the second half count as unsure.

    Attributes:
        right: translations that are right.
        right_flagged: those of them that are unsure.
        wrong: translations that are wrong.
        wrong_flagged: those of them that are unsure.
        spoilt: spoilt sentences.
        spoilt_flagged: those of them that are unsure.
    """

    right: int
    right_flagged: int
    wrong: int
    wrong_flagged: int
    spoilt: int
    spoilt_flagged: int


@dataclass
class _Half:
    """Features of translations; those of spoilt sentences come last."""

    features: Tensor
    right: Tensor
    n_spoilt: int

    def groups(self) -> list[Tensor]:
        """Return where the right, the wrong and the spoilt ones are."""
        n = len(self.right)
        spoilt = torch.arange(n) >= n - self.n_spoilt
        return [self.right, ~self.right & ~spoilt, spoilt]

    def share(self) -> Tensor:
        """Let right ones count one half, wrong and spoilt ones a quarter."""
        right, wrong, spoilt = self.groups()
        share = torch.zeros(len(self.right), dtype=torch.float64)
        bad = [group for group in (wrong, spoilt) if group.any()]
        share[right] = 0.5 / right.sum()
        for group in bad:
            share[group] = 0.5 / len(bad) / group.sum()
        return share


def learn_confidence(
    model: Transformer,
    decode: Decode,
    training: Sequence[IdPair],
    validation: Sequence[IdPair],
    seed: int = 0,
) -> tuple[Confidence, Separation]:
    """Learn how sure a translator may be.

    Args:
        model: the trained one.
        decode: how it translates, such as `Translator.decode`.
        training: what it was trained on, as ids.
        validation: other pairs, easy and hard ones; a translation is right
            if it is the target.
        seed: decides the halves and how sentences are spoilt.

    Returns:
        The confidence, and what its threshold separates in the half that
        the weights were not fitted on.

    Raises:
        ValueError: there are too few pairs, or no right translation.
    """
    if len(training) < 1 or len(validation) < 4:
        raise ValueError(
            f"{len(training)} training pairs and {len(validation)} others; "
            "give 1 and 4 or more"
        )
    sources = [source for source, _ in training]
    vocab_size = model.config.vocab_size
    familiarity = Familiarity.learn(sources, vocab_size)
    coverage = Coverage.learn(training, vocab_size)
    found = Confidence(
        familiarity, coverage, torch.zeros(len(FEATURES) + 1), 0.0
    )
    rng = Random(f"confidence/{seed}")
    spoiler = Spoiler(sources, familiarity, rng)
    mixed = rng.sample(validation, len(validation))
    first, second = (
        _measure(model, decode, found, mixed[i::2], spoiler) for i in (0, 1)
    )
    found.weights = fit(first.features, first.right, first.share())
    if not second.right.any():
        raise ValueError(
            "no translation of the second half is right; train longer, or "
            "give more validation pairs"
        )
    p = torch.tensor(
        [found.probability(x) for x in second.features.tolist()],
        dtype=torch.float64,
    )
    found.threshold = p[second.right].quantile(FLAGGED).item()
    unsure = p < found.threshold
    counts = [
        int(count)
        for group in second.groups()
        for count in (group.sum(), (group & unsure).sum())
    ]
    return found, Separation(*counts)


def _measure(
    model: Transformer,
    decode: Decode,
    confidence: Confidence,
    pairs: Sequence[IdPair],
    spoiler: Spoiler,
) -> _Half:
    """Translate the pairs of a half and its spoilt sentences."""
    sources = [source for source, _ in pairs]
    spoilt = []
    for _ in range(N_SPOILT // 2):
        words = spoiler.spoil(*spoiler.rng.sample(sources, 2))
        if words is not None:
            spoilt.append(words)
    asked = [*sources, *spoilt]
    written = [found.tokens for found in decode(asked)]
    scores = token_log_p(model, asked, written)
    features = [
        confidence.features(*one)
        for one in zip(asked, written, scores, strict=True)
    ]
    right = [
        list(target) == tokens
        for (_, target), tokens in zip(pairs, written, strict=False)
    ]
    right += [False] * len(spoilt)
    return _Half(torch.tensor(features), torch.tensor(right), len(spoilt))
