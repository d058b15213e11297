"""How a translator finds its words: by searching, or at random."""

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.decoding import (
    Hypothesis,
    beam_search,
    greedy,
    length_penalty,
    sample,
    sampling_probabilities,
)
from transformer_lib.model import Transformer
from transformer_lib.validation import check_int

__all__ = ["Sampling", "Search"]


@dataclass(frozen=True, kw_only=True)
class Search:
    """Look for the most probable translation, greedily or with a beam.

    Args:
        beam_size: 1 decodes with `greedy`, more with `beam_search`; time and
            memory grow with it, and nothing else limits it.
        alpha, normalization: of a beam, see `length_penalty`.
        max_length: most tokens to write for a sentence; the model's own
            limit when None.
        batch_size: sentences that are decoded together.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1, alpha negative or not a number, or
            another normalization.
    """

    beam_size: int = 1
    alpha: float = 0.6
    max_length: int | None = None
    batch_size: int = 64
    normalization: str = "gnmt"

    def __post_init__(self) -> None:
        check_int("beam_size", self.beam_size)
        length_penalty(1, self.alpha, self.normalization)
        _check_sizes(self.max_length, self.batch_size)

    def __call__(
        self, model: Transformer, source: Int[Tensor, "B S"]
    ) -> list[Hypothesis]:
        """Return the best hypothesis for each sentence of a batch.

        Args:
            model: in eval() mode.
            source: ids with <pad> on the right.
        """
        if self.beam_size == 1:
            return greedy(model, source, self.max_length)
        found = beam_search(
            model,
            source,
            self.beam_size,
            self.alpha,
            self.max_length,
            self.normalization,
        )
        return [hypotheses[0] for hypotheses in found]


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Draw each word of a translation at random, by its probability.

    Args:
        temperature, top_k, top_p: see `sampling_probabilities`.
        generator: where the random numbers come from, so that a seed gives
            the same sentences again; torch's own when None.
        max_length, batch_size: as for `Search`.

    Raises:
        TypeError, ValueError: as for `sampling_probabilities` and `Search`.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    generator: torch.Generator | None = None
    max_length: int | None = None
    batch_size: int = 64

    def __post_init__(self) -> None:
        shape = (self.temperature, self.top_k, self.top_p)
        sampling_probabilities(torch.zeros(1), *shape)
        _check_sizes(self.max_length, self.batch_size)

    def __call__(
        self, model: Transformer, source: Int[Tensor, "B S"]
    ) -> list[Hypothesis]:
        """Draw a hypothesis for each sentence of a batch.

        Args:
            model: in eval() mode.
            source: ids with <pad> on the right.
        """
        return sample(
            model,
            source,
            self.temperature,
            self.top_k,
            self.top_p,
            self.max_length,
            self.generator,
        )


def _check_sizes(max_length: int | None, batch_size: int) -> None:
    if max_length is not None:
        check_int("max_length", max_length)
    check_int("batch_size", batch_size)


GREEDY = Search()
