"""Teach a trained translator what it does not know.

No sentence that somebody typed is used. There are validation sentences, of
which it is known whether the model translates them right, and sentences that
are spoilt by rule, of which none counts as right. One half fits the weights,
the other chooses the threshold and says how well it separates.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import torch
from torch import Tensor

from transformer_lib import checkpoint
from transformer_lib.batching import IdPair
from transformer_lib.confidence import FEATURES, Confidence, fit
from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.familiarity import Familiarity
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.confidence.spoilt import Spoiler
from transformer_lib.corpus import SentencePair, toy_splits
from transformer_lib.translator import Translator

__all__ = ["Separation", "learn_confidence", "learn_toy_confidence"]

FLAGGED = 0.02  # of the right translations, by the choice of the threshold
N_SPOILT = 600
LARGEST = 150_000  # bytes that the confidence may take in a model's file


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
    translator: Translator,
    training: Sequence[IdPair],
    validation: Sequence[IdPair],
    seed: int = 0,
) -> tuple[Confidence, Separation]:
    """Learn how sure a translator may be.

    Args:
        translator: the trained one.
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
    vocab_size = len(translator.tokenizer)
    familiarity = Familiarity.learn(sources, vocab_size)
    coverage = Coverage.learn(training, vocab_size)
    found = Confidence(
        familiarity, coverage, torch.zeros(len(FEATURES) + 1), 0.0
    )
    rng = Random(f"confidence/{seed}")
    spoiler = Spoiler(sources, familiarity, rng)
    mixed = rng.sample(validation, len(validation))
    first, second = (
        _measure(translator, found, mixed[i::2], spoiler) for i in (0, 1)
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
    translator: Translator,
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
    written = [found.tokens for found in translator.decode(asked)]
    scores = token_log_p(translator.model, asked, written)
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


def learn_toy_confidence(
    folder: str | Path,
    preset: str,
    seed: int = 0,
    device: torch.device | str = "cpu",
) -> Separation:
    """Learn the confidence of a toy translator; store it with the weights.

    The validation pairs come from all splits but `train`, of the corpus
    with the next seed: unseen sentences and hard ones, none of them trained
    on or measured elsewhere.

    Args:
        folder: holds the model that was trained on the preset.
        preset: "small" or "full".
        seed: of the corpus that the model was trained on.
        device: where to translate.

    Returns:
        What the threshold separates.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: as for `Translator.load`; the preset is unknown; or the
            confidence takes too much room.
    """
    folder = Path(folder)
    translator = Translator.load(folder, device)
    splits = toy_splits(preset, seed)
    others = toy_splits(preset, seed + 1, 1)
    del others["train"]
    training = _encode(translator, splits["train"])
    trained = {tuple(source) for source, _ in training}
    validation = [
        (source, target)
        for pairs in others.values()
        for source, target in _encode(translator, pairs)
        if tuple(source) not in trained
    ]
    found, separation = learn_confidence(translator, training, validation, seed)
    extra = found.tensors()
    size = sum(value.nbytes for value in extra.values())
    if size > LARGEST:
        raise ValueError(
            f"the confidence takes {size} bytes; {LARGEST} are allowed: "
            "raise LEAST in coverage.py"
        )
    tensors, info = checkpoint.load(folder, "model")
    info["confidence"] = asdict(separation)
    checkpoint.save(folder, "model", tensors | extra, info)
    return separation


def _encode(
    translator: Translator, pairs: Sequence[SentencePair]
) -> list[IdPair]:
    encode = translator.tokenizer.encode_all
    sources = encode([pair.source for pair in pairs])
    targets = encode([pair.target for pair in pairs])
    return list(zip(sources, targets, strict=True))
