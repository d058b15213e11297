"""Teach a trained translator what it does not know.

There are validation sentences, of which it is known whether the model
translates them right, and sentences that are spoilt by rule, of which none
counts as right. One half fits the weights; the other chooses the thresholds,
together with sentences that people typed, if there are any.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import torch
from torch import Tensor

from transformer_lib.batching import IdPair
from transformer_lib.confidence import FEATURES, Confidence, Judgement, fit
from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.familiarity import Familiarity
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.confidence.spoilt import Spoiler
from transformer_lib.confidence.trust import Table, counted, upper_threshold
from transformer_lib.decoding import Hypothesis
from transformer_lib.model import Transformer

__all__ = ["Judged", "learn_confidence"]

Decode = Callable[[list[list[int]]], Sequence[Hypothesis]]

FLAGGED = 0.02  # of the right translations, by the choice of the lower one
N_SPOILT = 600


class Judged(NamedTuple):
    """A typed sentence, and whether the model translates it right.

    Attributes:
        source: the sentence as ids.
        hypothesis: its translation.
        right: whether that is one of those that were accepted.
    """

    source: list[int]
    hypothesis: Hypothesis
    right: bool


@dataclass
class _Group:
    """Translations, and how probable the model finds each token."""

    judged: list[Judged]
    scores: list[list[float]]

    def right(self) -> Tensor:
        return torch.tensor([one.right for one in self.judged])

    def features(self, found: Confidence) -> list[list[float]]:
        return [
            found.features(one.source, one.hypothesis.tokens, scores)
            for one, scores in zip(self.judged, self.scores, strict=True)
        ]

    def judgements(self, found: Confidence) -> list[tuple[bool, Judgement]]:
        """Return whether each is right, and what is thought of it."""
        return [
            (
                one.right,
                found.judge(
                    one.source,
                    one.hypothesis.tokens,
                    scores,
                    one.hypothesis.finished,
                ),
            )
            for one, scores in zip(self.judged, self.scores, strict=True)
        ]


def learn_confidence(
    model: Transformer,
    decode: Decode,
    training: Sequence[IdPair],
    validation: Sequence[IdPair],
    seed: int = 0,
    typed: Mapping[str, Sequence[Judged]] = MappingProxyType({}),
) -> tuple[Confidence, dict[str, Table]]:
    """Learn how sure a translator may be.

    Below the lower threshold are 2 % of the right translations of the second
    half of the validation pairs. The upper one is the larger of two, each
    chosen by `upper_threshold`: on that half, and on all typed sentences.
    Spoilt sentences have no part in it, nor what can not be sure anyway.

    Args:
        model: the trained one.
        decode: how it translates, such as `Translator.decode`.
        training: what it was trained on, as ids.
        validation: other pairs, easy and hard ones; a translation is right
            if it is the target.
        seed: decides the halves and how sentences are spoilt.
        typed: lists of typed sentences by name; without any, validation
            alone chooses the upper threshold.

    Returns:
        The confidence, and how many right and wrong translations of each
        value there are: in "validation", the half that the weights were not
        fitted on; in "spoilt", its spoilt sentences; in each typed list.

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
    found = Confidence(
        Familiarity.learn(sources, vocab_size),
        Coverage.learn(training, vocab_size),
        torch.zeros(len(FEATURES) + 1, dtype=torch.float64),
        torch.zeros(2, dtype=torch.float64),
    )
    rng = Random(f"confidence/{seed}")
    spoiler = Spoiler(sources, found.familiarity, rng)
    mixed = rng.sample(validation, len(validation))
    first, second = (
        _measure(model, decode, mixed[i::2], spoiler) for i in (0, 1)
    )
    found.weights = _fitted(found, *first)
    groups = dict(zip(("validation", "spoilt"), second, strict=True))
    for name, judged in typed.items():
        groups[name] = _scored(model, judged)
    _choose_thresholds(
        found, groups["validation"], [groups[name] for name in typed]
    )
    tables = {
        name: counted(
            (right, judgement.trust)
            for right, judgement in group.judgements(found)
        )
        for name, group in groups.items()
    }
    return found, tables


def _fitted(found: Confidence, pairs: _Group, spoilt: _Group) -> Tensor:
    """Fit: right ones count one half, wrong and spoilt ones a quarter."""
    features = [*pairs.features(found), *spoilt.features(found)]
    of_spoilt = torch.full((len(spoilt.judged),), 2)
    kind = torch.cat([pairs.right().int(), of_spoilt])
    wrong = [kind == value for value in (0, 2) if (kind == value).any()]
    share = torch.zeros(len(kind), dtype=torch.float64)
    share[kind == 1] = 0.5 / (kind == 1).sum()
    for group in wrong:
        share[group] = 0.5 / len(wrong) / group.sum()
    return fit(torch.tensor(features), kind == 1, share)


def _choose_thresholds(
    found: Confidence, validation: _Group, typed: list[_Group]
) -> None:
    """Set both thresholds by translations that are known to be right."""
    right = [x.p for is_right, x in validation.judgements(found) if is_right]
    if not right:
        raise ValueError(
            "no translation of the second half is right; train longer, or "
            "give more validation pairs"
        )
    lower = torch.tensor(right, dtype=torch.float64).quantile(FLAGGED).item()
    # where every p is enough, what is not sure is kept from it by more
    found.thresholds = torch.zeros(2, dtype=torch.float64)
    upper = lower
    for groups in ([validation], typed):
        judged = [
            (judgement.p, is_right)
            for group in groups
            for is_right, judgement in group.judgements(found)
            if judgement.trust == "sure"
        ]
        if groups:
            p = [value for value, _ in judged]
            upper = max(upper, upper_threshold(p, [r for _, r in judged]))
    found.thresholds = torch.tensor([lower, upper], dtype=torch.float64)


def _measure(
    model: Transformer,
    decode: Decode,
    pairs: Sequence[IdPair],
    spoiler: Spoiler,
) -> tuple[_Group, _Group]:
    """Translate the pairs of a half, and spoilt sentences."""
    sources = [list(source) for source, _ in pairs]
    spoilt = []
    for _ in range(N_SPOILT // 2):
        words = spoiler.spoil(*spoiler.rng.sample(sources, 2))
        if words is not None:
            spoilt.append(words)
    written = decode([*sources, *spoilt])
    judged = [
        Judged(source, found, list(target) == found.tokens)
        for source, found, (_, target) in zip(
            sources, written, pairs, strict=False
        )
    ]
    strange = [
        Judged(source, found, False)
        for source, found in zip(spoilt, written[len(sources) :], strict=True)
    ]
    return _scored(model, judged), _scored(model, strange)


def _scored(model: Transformer, judged: Sequence[Judged]) -> _Group:
    scores = token_log_p(
        model,
        [one.source for one in judged],
        [one.hypothesis.tokens for one in judged],
    )
    return _Group(list(judged), scores)
