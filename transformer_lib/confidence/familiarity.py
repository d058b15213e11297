"""How familiar a sentence looks: runs of four word classes seen before."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from transformer_lib.confidence.word_classes import word_classes

__all__ = ["Familiarity"]

N_CLASSES = 30
RUN = 4  # words; shorter runs notice less, longer ones are too often new
BASE = N_CLASSES + 2  # a run as a number: its classes are the digits


class Familiarity:
    """The runs of word classes that the training sentences consist of.

    Args:
        classes: the class of each id (V,), see `word_classes`.
        runs: the runs that were seen, as sorted numbers.
    """

    def __init__(self, classes: Tensor, runs: Tensor):
        self.classes = classes
        self.runs = runs
        self._class_of = classes.tolist()
        self._seen = set(runs.tolist())

    @classmethod
    def learn(
        cls, sources: Sequence[Sequence[int]], vocab_size: int
    ) -> "Familiarity":
        """Sort the words into classes and collect the runs.

        Args:
            sources: the training sentences as ids.
            vocab_size: V.

        Returns:
            What is familiar.
        """
        classes = word_classes(sources, vocab_size, N_CLASSES)
        found = {
            run
            for kind in {
                tuple(classes[list(source)].tolist()) for source in sources
            }
            for run in _runs(kind)
        }
        return cls(
            torch.tensor(classes, dtype=torch.uint8),
            torch.tensor(sorted(found), dtype=torch.int32),
        )

    def pattern(self, source: Sequence[int]) -> tuple[int, ...]:
        """Return the classes of a sentence's words.

        Args:
            source: the sentence as ids.
        """
        return tuple(self._class_of[i] for i in source)

    def strange(self, source: Sequence[int]) -> int:
        """Count the runs of a sentence that training never had.

        Args:
            source: the sentence as ids.

        Returns:
            0 where all is familiar; a word that training did not have makes
            every run strange that it is in.
        """
        return sum(run not in self._seen for run in _runs(self.pattern(source)))


def _runs(classes: Sequence[int]) -> list[int]:
    """Number each run of four, those over the edges included."""
    edged = np.array([*[0] * (RUN - 1), *classes, 0])
    digits = np.lib.stride_tricks.sliding_window_view(edged, RUN)
    return (digits @ BASE ** np.arange(RUN)).tolist()
