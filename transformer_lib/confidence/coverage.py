"""Is every source word translated? A dictionary learned from the pairs.

IBM Model 1 learns from sentence pairs how probable each target token is
beside a source word, without being told which belong together. A source word
none of whose tokens is in a translation was left out, or translated into
something else.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

import torch
from torch import Tensor

from transformer_lib.special_tokens import PAD

__all__ = ["Coverage"]

Pairs = Sequence[tuple[Sequence[int], Sequence[int]]]

ROUNDS = 5
PAIRS = 30_000  # to learn from, and as many to measure by; more change little
LEAST = 0.005  # rarer tokens of a word are left out
EVIDENCE = 0.7  # nats; so are tokens that say little of it
# A word is lost if less than a part of its usual evidence is there: the largest
# of the PARTS by which few of its right translations lose it, and few other
# sentences' translations seem to have it. For "the" there is no such part, and
# it is never called lost. These numbers are chosen on validation sentences:
# fewer than 1 % of the right translations have a word that is called lost.
PARTS = (0.7, 0.6, 0.5, 0.4)
MISSED = 0.04
BY_CHANCE = 0.05
OTHERS = 6_000  # translations of other sentences


class Coverage:
    """Which target tokens speak for a source word, and how strongly.

    Args:
        entries: (source word, target token) ids, (N, 2).
        evidence: how much likelier the token is beside that word than
            elsewhere, in nats (N,).
        usual: how much of it a right translation has for each source word
            (V,): for "the" there is little.
        limit: a word with less evidence is lost (V,); 0 where that can not
            be seen.
    """

    def __init__(
        self, entries: Tensor, evidence: Tensor, usual: Tensor, limit: Tensor
    ):
        self.entries = entries
        self.evidence = evidence
        self.usual = usual
        self.limit = limit
        self._usual = usual.tolist()
        self._limit = limit.tolist()
        keys = map(tuple, entries.tolist())
        self._evidence = dict(zip(keys, evidence.tolist(), strict=True))

    @classmethod
    def learn(cls, pairs: Pairs, vocab_size: int) -> "Coverage":
        """Learn the dictionary, what is usual, and when a word is lost.

        Args:
            pairs: (source, target) as ids; half of them teach which tokens
                speak for a word, the others tell how well.
            vocab_size: V.

        Returns:
            What speaks for what.

        Source: Brown et al. 1993 (IBM Model 1).
        """
        half = min(PAIRS, (len(pairs) + 1) // 2)
        learned, held_out = pairs[:half], pairs[half : 2 * half]
        entries, p = _model_1(learned, vocab_size)
        tokens = Counter(chain.from_iterable(target for _, target in learned))
        share = torch.zeros(vocab_size)
        share[list(tokens)] = torch.tensor(list(tokens.values())).float()
        evidence = (p / (share / share.sum())[entries[:, 1]]).log()
        keep = (p >= LEAST) & (evidence >= EVIDENCE) & (entries[:, 0] != PAD)
        none = torch.zeros(vocab_size)
        found = cls(entries[keep].short(), evidence[keep].half(), none, none)
        total, count = torch.zeros(vocab_size), torch.zeros(vocab_size)
        for source, target in pairs[: 2 * half]:
            words = torch.tensor(source)
            total.index_add_(0, words, torch.tensor(found.of(source, target)))
            count.index_add_(0, words, torch.ones(len(source)))
        usual = (total / count.clamp(min=1)).half()
        found = cls(found.entries, found.evidence, usual, none)
        limit = torch.zeros(vocab_size)
        for part in PARTS:
            where = torch.tensor(found._can_be_seen(held_out, part))
            where &= limit == 0
            limit[where] = part * usual[where].float()
        return cls(found.entries, found.evidence, usual, limit.half())

    def of(self, source: Sequence[int], target: Sequence[int]) -> list[float]:
        """Say for each source word how well a translation covers it.

        Args:
            source: the sentence as ids.
            target: its translation as ids.

        Returns:
            Nats above or below what is usual for that word.
        """
        tokens = set(target)
        return [self._spoken(w, tokens) - self._usual[w] for w in source]

    def lost(self, source: Sequence[int], target: Sequence[int]) -> list[int]:
        """Find the words that no token of a translation accounts for.

        Args:
            source: the sentence as ids.
            target: its translation as ids.

        Returns:
            Their places in the sentence.
        """
        tokens = set(target)
        return [
            place
            for place, word in enumerate(source)
            if self._spoken(word, tokens) < self._limit[word]
        ]

    def _spoken(self, word: int, tokens: set[int]) -> float:
        """Return the strongest evidence of a word among some tokens."""
        found = (self._evidence.get((word, token), 0.0) for token in tokens)
        return max(found, default=0.0)

    def _can_be_seen(self, pairs: Pairs, part: float) -> list[bool]:
        """Say for each word whether a part of its evidence is telling."""
        speaks = defaultdict(set)
        said_by = defaultdict(set)
        for (word, token), evidence in self._evidence.items():
            if evidence >= part * self._usual[word]:
                speaks[word].add(token)
                said_by[token].add(word)
        seen, missed = Counter[int](), Counter[int]()
        for source, target in pairs:
            words, tokens = set(source), set(target)
            seen.update(words)
            missed.update(w for w in words if not speaks[w] & tokens)
        inside, by_chance = Counter[int](), Counter[int]()
        others = pairs[:OTHERS]
        for source, target in others:
            inside.update(set(source))
            said = set().union(*(said_by[token] for token in set(target)))
            by_chance.update(said - set(source))
        return [
            bool(speaks[word])
            and seen[word] > 0
            and missed[word] <= MISSED * seen[word]
            and by_chance[word] <= BY_CHANCE * (len(others) - inside[word])
            for word in range(len(self._usual))
        ]


def _model_1(pairs: Pairs, vocab_size: int) -> tuple[Tensor, Tensor]:
    """Return (word, token) ids and p(token | word), by EM.

    The word PAD stands for no word at all.
    """
    words, tokens, places, place = [], [], [], 0
    for source, target in pairs:
        for token in target:
            for word in (PAD, *source):
                words.append(word)
                tokens.append(token)
                places.append(place)
            place += 1
    codes = torch.tensor(words) * vocab_size + torch.tensor(tokens)
    codes, entry = codes.unique(return_inverse=True)
    word_of, where = codes // vocab_size, torch.tensor(places)
    p = torch.ones(len(codes))
    for _ in range(ROUNDS):
        share = p[entry]
        share /= torch.zeros(place).index_add(0, where, share)[where]
        count = torch.zeros(len(codes)).index_add(0, entry, share)
        total = torch.zeros(vocab_size).index_add(0, word_of, count)
        p = count / total[word_of]
    return torch.stack([word_of, codes % vocab_size], dim=1), p
