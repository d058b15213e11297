"""Is every source word translated? A dictionary learned from the pairs.

IBM Model 1 learns from sentence pairs how probable each source word is where
a target token stands, without being told which belong together. A source word
that no token of a translation makes probable was left out, or translated into
something else.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_lib.special_tokens import PAD

__all__ = ["Coverage"]

Pairs = Sequence[tuple[Sequence[int], Sequence[int]]]

ROUNDS = 5
PAIRS = 10_000  # as many as are read; more change nothing
LEAST = 0.01  # rarer entries are left out and count as this


class Coverage:
    """Which source words a target token stands for, and how surely.

    Args:
        entries: (source word, target token) ids, (N, 2).
        log_p: of the word, given the token, in nats (N,).
        usual: how well each source word is covered in training, in nats
            (V,): "the" is covered badly in right translations, too.
    """

    def __init__(self, entries: Tensor, log_p: Tensor, usual: Tensor):
        self.entries = entries
        self.log_p = log_p
        self.usual = usual
        self._usual = usual.tolist()
        keys = map(tuple, entries.tolist())
        self._log_p = dict(zip(keys, log_p.tolist(), strict=True))

    @classmethod
    def learn(cls, pairs: Pairs, vocab_size: int) -> "Coverage":
        """Learn the dictionary and what is usual.

        Args:
            pairs: (source, target) as ids.
            vocab_size: V.

        Returns:
            What covers what.

        Source: Brown et al. 1993 (IBM Model 1).
        """
        pairs = pairs[:PAIRS]
        entries, p = _model_1(pairs, vocab_size)
        keep = p >= LEAST
        entries, log_p = entries[keep].short(), p[keep].log().half()
        found = cls(entries, log_p, torch.zeros(vocab_size).half())
        total = torch.zeros(vocab_size)
        count = torch.zeros(vocab_size)
        for source, target in pairs:
            words = torch.tensor(source)
            total.index_add_(0, words, torch.tensor(found.of(source, target)))
            count.index_add_(0, words, torch.ones(len(source)))
        return cls(entries, log_p, (total / count.clamp(min=1)).half())

    def of(self, source: Sequence[int], target: Sequence[int]) -> list[float]:
        """Say for each source word how well a translation covers it.

        Args:
            source: the sentence as ids.
            target: its translation as ids.

        Returns:
            Nats above or below what is usual for that word.
        """
        tokens = {PAD, *target}  # PAD stands for no token at all
        least = math.log(LEAST)
        return [
            max(self._log_p.get((word, token), least) for token in tokens)
            - self._usual[word]
            for word in source
        ]


def _model_1(pairs: Pairs, vocab_size: int) -> tuple[Tensor, Tensor]:
    """Return (word, token) ids and p(word | token), by EM."""
    words, tokens, places, place = [], [], [], 0
    for source, target in pairs:
        for word in source:
            for token in (PAD, *target):
                words.append(word)
                tokens.append(token)
                places.append(place)
            place += 1
    codes = torch.tensor(words) * vocab_size + torch.tensor(tokens)
    codes, entry = codes.unique(return_inverse=True)
    token_of, where = codes % vocab_size, torch.tensor(places)
    p = torch.ones(len(codes))
    for _ in range(ROUNDS):
        share = p[entry]
        share /= torch.zeros(place).index_add(0, where, share)[where]
        count = torch.zeros(len(codes)).index_add(0, entry, share)
        total = torch.zeros(vocab_size).index_add(0, token_of, count)
        p = count / total[token_of]
    return torch.stack([codes // vocab_size, token_of], dim=1), p
