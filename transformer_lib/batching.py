"""From pairs of id lists to batches; the order depends on (seed, epoch)."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.validation import check_int

__all__ = ["Batch", "BatchPlan", "IdPair", "make_batch", "pad"]

IdPair = tuple[list[int], list[int]]


class Batch(NamedTuple):
    """Sentence pairs as rectangles of ids, <pad> on the right.

    Attributes:
        source: the source sentences.
        target_in: the decoder's input: <bos> w1 w2 ...
        target_out: the labels: w1 w2 ... <eos>
    """

    source: Int[Tensor, "B S"]
    target_in: Int[Tensor, "B T"]
    target_out: Int[Tensor, "B T"]

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch on another device."""
        return Batch(
            self.source.to(device),
            self.target_in.to(device),
            self.target_out.to(device),
        )


def pad(sequences: Sequence[Sequence[int]]) -> Int[Tensor, "B L"]:
    """Fill id lists up with <pad> on the right, to the longest of them.

    Args:
        sequences: lists of ids.

    Returns:
        One row for each list, as long as the longest of them.

    Raises:
        TypeError: a sentence is text, not ids.
    """
    for ids in sequences:
        if isinstance(ids, str):
            raise TypeError(
                f"a list of ids is wanted, not the string {ids!r}; encode it "
                "first (tokenizer.encode)"
            )
    longest = max(map(len, sequences), default=0)
    rows = [[*ids, *[PAD] * (longest - len(ids))] for ids in sequences]
    return torch.tensor(rows, dtype=torch.long).reshape(len(rows), longest)


def make_batch(pairs: Sequence[IdPair]) -> Batch:
    """Pad some pairs and shift their targets by one.

    Args:
        pairs: (source, target) as ids, without <bos> and <eos>.

    Returns:
        The batch.

    Raises:
        TypeError: a sentence is text, not ids.
        ValueError: no pairs.
    """
    if not pairs:
        raise ValueError("a batch needs at least one pair; none came")
    return Batch(
        source=pad([source for source, _ in pairs]),
        target_in=pad([[BOS, *target] for _, target in pairs]),
        target_out=pad([[*target, EOS] for _, target in pairs]),
    )


class BatchPlan:
    """Cut a corpus into batches of similar length and limited size.

    A batch of n pairs counts as n times its longest side, padding and all.
    Every epoch has the same number of batches in another order, so that the
    batch of a step can be found without running through those before it.

    Args:
        pairs: the corpus as ids.
        tokens_per_batch: limit of a batch. A longer pair is one by itself.
        seed: with the epoch and the step decides what comes when.

    Raises:
        ValueError: no pairs, or a limit below 1.
        TypeError: the limit is not a whole number.

    Source: Vaswani et al. 2017, section 5.1 (batches by tokens).
    """

    def __init__(
        self, pairs: Sequence[IdPair], tokens_per_batch: int, seed: int = 0
    ):
        if not pairs:
            raise ValueError("there are no sentence pairs to cut into batches")
        check_int("tokens_per_batch", tokens_per_batch)
        self.pairs = pairs
        self.tokens_per_batch = tokens_per_batch
        self.seed = seed
        self._sizes = [max(len(s), len(t) + 1) for s, t in pairs]
        self._epoch = -1
        self._batches: list[list[int]] = []
        self._prepare(0)

    def __len__(self) -> int:
        """Number of batches in an epoch."""
        return len(self._batches)

    def _prepare(self, epoch: int) -> None:
        if epoch == self._epoch:
            return
        rng = random.Random(f"{self.seed}/{epoch}")
        order = list(range(len(self.pairs)))
        rng.shuffle(order)
        order.sort(key=self._sizes.__getitem__)
        batches: list[list[int]] = [[]]
        for index in order:  # sizes grow: the newest is the longest
            size = (len(batches[-1]) + 1) * self._sizes[index]
            if batches[-1] and size > self.tokens_per_batch:
                batches.append([])
            batches[-1].append(index)
        rng.shuffle(batches)
        self._epoch, self._batches = epoch, batches

    def indices(self, step: int) -> list[int]:
        """Return which pairs make the batch of a step, counted from 0.

        Raises:
            TypeError, ValueError: the step is not a whole number, 0 or more.
        """
        check_int("step", step, least=0)
        epoch, position = divmod(step, len(self))
        self._prepare(epoch)
        return self._batches[position]

    def batch(self, step: int) -> Batch:
        """Return the batch of a step, counted from 0."""
        return make_batch([self.pairs[i] for i in self.indices(step)])

    def once(self) -> Iterator[Batch]:
        """Go through the whole corpus once."""
        return (self.batch(step) for step in range(len(self)))
