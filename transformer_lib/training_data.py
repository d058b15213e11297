"""What a run trains on: the toy corpus, or two parallel files."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from transformer_lib.batching import IdPair
from transformer_lib.parallel_text import read_parallel
from transformer_lib.tokenizer import Tokenizer

__all__ = ["Line", "TrainingData", "encode_lines", "fingerprint"]


class Line(NamedTuple):
    """A sentence pair, the file it comes from and its line there.

    Attributes:
        source: the sentence to translate.
        target: its translation.
        number: the line in the file, counted from 1.
        origin: the file, or the split of the toy corpus.
    """

    source: str
    target: str
    number: int
    origin: str

    @property
    def blank(self) -> bool:
        """Whether a side has nothing but spaces."""
        return not self.source.strip() or not self.target.strip()


@dataclass(frozen=True)
class TrainingData:
    """Where a run's sentence pairs come from.

    Args:
        preset: "small" or "full" for the toy corpus, else None.
        source, target: two parallel files, when preset is None.
        valid_source, valid_target: the same for validation; without them
            one pair in fifty is held out (at most 1,000).
        vocab_size: size of the byte-pair vocabulary for files.
        skip_long: drop pairs that are too long instead of stopping.
        seed: of the toy corpus, or of the choice of held-out pairs.
    """

    preset: str | None = None
    source: str | None = None
    target: str | None = None
    valid_source: str | None = None
    valid_target: str | None = None
    vocab_size: int = 4000
    skip_long: bool = False
    seed: int = 0

    def read(self) -> tuple[list[Line], list[Line]]:
        """Return the pairs to train on and those to validate on.

        Raises:
            OSError: a file cannot be read.
            ValueError: as for `read_parallel`, or fewer than 2 pairs.
        """
        if self.preset is not None:
            return _toy_lines(self.preset, self.seed)
        if self.source is None or self.target is None:
            raise ValueError("give a preset, or both source and target")
        lines = _lines(self.source, self.target)
        if self.valid_source is not None and self.valid_target is not None:
            return lines, _lines(self.valid_source, self.valid_target)
        if sum(not line.blank for line in lines) < 2:
            raise ValueError(
                f"{self.source} and {self.target} have fewer than 2 full "
                "pairs; training needs 2 or more, one to validate on"
            )
        n_valid = min(1000, max(1, len(lines) // 50))
        rng = random.Random(f"valid/{self.seed}")
        full = [line.number for line in lines if not line.blank]
        held = set(rng.sample(full, min(n_valid, len(full) - 1)))
        return (
            [line for line in lines if line.number not in held],
            [line for line in lines if line.number in held],
        )

    def tokenizer(self, lines: Sequence[Line]) -> Tokenizer:
        """Learn the joint vocabulary of both sides.

        Args:
            lines: the pairs to train on.

        Returns:
            Words for the toy corpus, byte pairs for files.
        """
        texts = [text for line in lines for text in (line.source, line.target)]
        if self.preset is not None:
            from transformer_lib.toy.corpus import SPELLING

            return Tokenizer.words(texts, SPELLING)
        return Tokenizer.bpe(texts, self.vocab_size)


def _toy_lines(preset: str, seed: int) -> tuple[list[Line], list[Line]]:
    """Draw the toy corpus, which is loaded only if it is asked for."""
    from transformer_lib.toy.corpus import toy_splits

    splits = toy_splits(preset, seed)
    train, valid = (
        [
            Line(pair.source, pair.target, number, name)
            for number, pair in enumerate(splits[name], start=1)
        ]
        for name in ("train", "valid")
    )
    return train, valid


def _lines(source: str, target: str) -> list[Line]:
    pairs = read_parallel(source, target)
    return [Line(*pair, number, source) for number, pair in enumerate(pairs, 1)]


def fingerprint(parts: Sequence[Sequence[Line]]) -> str:
    """Return a checksum of all lines, to notice a change on resume.

    Args:
        parts: the lines to train on, and those to validate on.

    Returns:
        SHA-256 of their text, in hexadecimal.
    """
    digest = hashlib.sha256()
    for part in parts:
        for line in part:
            digest.update(f"{line.source}\n{line.target}\n".encode())
    return digest.hexdigest()


def encode_lines(
    tokenizer: Tokenizer,
    lines: Sequence[Line],
    max_length: int,
    skip_long: bool,
) -> tuple[list[IdPair], list[str]]:
    """Turn lines into ids; lines with an empty side are dropped.

    Args:
        tokenizer: for both languages.
        lines: at least one.
        max_length: most tokens of a side, <eos> included.
        skip_long: drop what is longer instead of stopping.

    Returns:
        The id pairs, and a note about each kind of line that was dropped.

    Raises:
        ValueError: lines are too long and ``skip_long`` is False, or none
            is left.
    """
    sources = tokenizer.encode_all([line.source for line in lines])
    targets = tokenizer.encode_all([line.target for line in lines])
    kept, empty, long = [], [], []
    for line, source, target in zip(lines, sources, targets, strict=True):
        if line.blank:
            empty.append(line.number)
        elif max(len(source), len(target) + 1) > max_length:
            long.append(line.number)
        else:
            kept.append((source, target))
    origin = lines[0].origin
    if long and not skip_long:
        raise ValueError(
            f"{origin}: {len(long)} lines are longer than {max_length} "
            f"tokens ({_some(long)}); give --skip-long to drop them or, for a "
            "new model, a larger --max-length"
        )
    if not kept:
        raise ValueError(f"{origin}: no sentence pair is left")
    notes = []
    if empty:
        notes.append(
            f"{origin}: dropped {len(empty)} with an empty side "
            f"({_some(empty)})"
        )
    if long:
        notes.append(
            f"{origin}: dropped {len(long)} longer than {max_length} "
            f"tokens ({_some(long)})"
        )
    return kept, notes


def _some(numbers: list[int]) -> str:
    shown = "line " if len(numbers) == 1 else "lines "
    shown += ", ".join(map(str, numbers[:10]))
    if len(numbers) > 10:
        shown += f" and {len(numbers) - 10} more"
    return shown
