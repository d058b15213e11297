"""What a run trains on: the toy corpus, two parallel files, or a file of pairs.

Files are looked at before they are trained on (`corpus_notes`).
"""

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from transformer_lib.batching import IdPair
from transformer_lib.corpus_notes import (
    as_seen,
    overlap_notes,
    pair_notes,
    some,
    text_notes,
)
from transformer_lib.parallel_text import columns, pair_up, read_text
from transformer_lib.tokenizer import Tokenizer

__all__ = ["Line", "TrainingData", "encode_lines", "fingerprint"]

# A line with more characters than this for each token that is allowed does not
# shape the vocabulary: it would learn pieces of it, until the line is short.
MOST_CHARACTERS = 16


class Line(NamedTuple):
    """A sentence pair, the file it comes from and its line there.

    Attributes:
        source: the sentence to translate.
        target: its translation.
        number: the line in the file, counted from 1.
        origin: the file, or the split of the toy corpus.
        as_is: see `TrainingData`.
    """

    source: str
    target: str
    number: int
    origin: str
    as_is: bool = False

    @property
    def seen(self) -> tuple[str, str]:
        """Both sides as a reader sees them; pairs that agree are repeats."""
        return as_seen(self.source), as_seen(self.target)

    @property
    def blank(self) -> bool:
        """Whether a side shows nothing."""
        if self.as_is:
            return not self.source.strip() or not self.target.strip()
        return "" in self.seen


@dataclass(frozen=True)
class TrainingData:
    """Where a run's sentence pairs come from.

    Args:
        preset: "small" or "full" for the toy corpus, else None.
        source, target: two parallel files, when preset is None.
        valid_source, valid_target: the same for validation; without them
            one pair in fifty is held out (at most 1,000). Of a pair that is
            held out, no copy is trained on.
        vocab_size: size of the byte-pair vocabulary for files.
        skip_long: drop pairs that are too long instead of stopping.
        seed: of the toy corpus, or of the choice of held-out pairs.
        pairs: one file instead of source and target: a sentence, a tab and
            its translation a line.
        as_is: read files as early runs did, which did not look at them:
            copies of a held-out pair are trained on, byte order marks and
            NULs are kept, and only spaces are blank. It is for resuming.
    """

    preset: str | None = None
    source: str | None = None
    target: str | None = None
    valid_source: str | None = None
    valid_target: str | None = None
    vocab_size: int = 4000
    skip_long: bool = False
    seed: int = 0
    pairs: str | None = None
    as_is: bool = False

    @classmethod
    def of_run(cls, fields: dict[str, Any]) -> "TrainingData":
        """Return the data of a run that has been begun.

        Args:
            fields: what run.json says; that of an early run knows neither
                pairs nor as_is, and its files are read as they were then.

        Returns:
            The same data, read in the same way.

        Raises:
            TypeError: a field that there is not.
        """
        return cls(**{"as_is": True, **fields})

    def read(
        self, note: Callable[[str], object] = lambda text: None
    ) -> tuple[list[Line], list[Line]]:
        """Return the pairs to train on and those to validate on.

        Args:
            note: told what a user should know about the files.

        Raises:
            OSError: a file cannot be read.
            ValueError: as for `read_parallel` or `columns`, a file is a pipe
                or a device, or there are fewer than 2 different pairs.
        """
        if self.preset is not None:
            return _toy_lines(self.preset, self.seed)
        lines = self._lines(self.source, self.target, self.pairs, note)
        seen = [line.seen for line in lines]
        for text in pair_notes(lines[0].origin, seen):
            note(text)
        if self.valid_source is None or self.valid_target is None:
            train, valid = self._held_out(lines, seen, note)
        else:
            train = lines
            valid = self._lines(
                self.valid_source, self.valid_target, None, note
            )
        overlap = overlap_notes(
            valid[0].origin,
            {line.number: line.seen for line in valid if not line.blank},
            {line.seen for line in train if not line.blank},
        )
        for text in overlap:
            note(text)
        return train, valid

    def _lines(
        self,
        source: str | None,
        target: str | None,
        pairs: str | None,
        note: Callable[[str], object],
    ) -> list[Line]:
        """Read two files or one, and look at each of them."""
        paths = [path for path in (source, target, pairs) if path is not None]
        if len(paths) != (2 if pairs is None else 1):
            raise ValueError(
                "give a preset, or both source and target, or pairs"
            )
        texts = []
        for path in paths:
            _check_file(path)
            texts.append(read_text(path, self.as_is))
            for text in text_notes(*texts[-1]):
                note(text)
        if pairs is None:
            ours, theirs = texts
        else:
            ours, theirs = columns(texts[0])
        return [
            Line(*pair, number, paths[0], self.as_is)
            for number, pair in enumerate(pair_up(ours, theirs, self.as_is), 1)
        ]

    def _held_out(
        self,
        lines: list[Line],
        seen: list[tuple[str, str]],
        note: Callable[[str], object],
    ) -> tuple[list[Line], list[Line]]:
        """Hold out one different pair in fifty, and its copies with it."""
        keys: list[object] = list(seen)
        if self.as_is:
            keys = [line.number for line in lines]
        full = [line.number for line in lines if not line.blank]
        first: dict[object, int] = {}  # where a pair stands for the first time
        for number in full:
            first.setdefault(keys[number - 1], number)
        if len(first) < 2:
            raise ValueError(
                f"{lines[0].origin} has fewer than 2 full pairs that differ; "
                "training needs 2 or more, one to validate on"
            )
        n_lines = len(lines) - (len(full) - len(first))
        n_valid = min(1000, max(1, n_lines // 50), len(first) - 1)
        rng = random.Random(f"valid/{self.seed}")
        held = set(rng.sample(list(first.values()), n_valid))
        gone = {keys[number - 1] for number in held}
        copies = [n for n in full if keys[n - 1] in gone and n not in held]
        if copies:
            what = "a copy" if len(copies) == 1 else f"{len(copies)} copies"
            note(
                f"{lines[0].origin}: left out {what} of pairs that are held "
                f"out to validate on ({some(copies)})"
            )
        return (
            [line for line in lines if keys[line.number - 1] not in gone],
            [line for line in lines if line.number in held],
        )

    def tokenizer(
        self, lines: Sequence[Line], max_length: int | None = None
    ) -> Tokenizer:
        """Learn the joint vocabulary of both sides.

        What is dropped does not shape it. Which pairs are too long depends
        on the vocabulary, so it is learned again without them until none is.

        Args:
            lines: the pairs to train on.
            max_length: most tokens of a side; None if no pair is too long.

        Returns:
            Words for the toy corpus, byte pairs for files.
        """
        if self.preset is not None:
            from toy_language.corpus import SPELLING

            return Tokenizer.words(_texts(lines), SPELLING)
        kept = [line for line in lines if not line.blank]
        if max_length is None:
            return Tokenizer.bpe(_texts(kept), self.vocab_size)
        most = MOST_CHARACTERS * max_length
        kept = [x for x in kept if max(len(x.source), len(x.target)) <= most]
        while True:
            tokenizer = Tokenizer.bpe(_texts(kept), self.vocab_size)
            short = kept
            if self.skip_long:
                ids = zip(kept, _encoded(tokenizer, kept), strict=True)
                short = [x for x, pair in ids if _length(pair) <= max_length]
            if len(short) == len(kept):
                return tokenizer
            kept = short


def _toy_lines(preset: str, seed: int) -> tuple[list[Line], list[Line]]:
    """Draw the toy corpus, which is loaded only if it is asked for."""
    from toy_language.corpus import toy_splits

    splits = toy_splits(preset, seed)
    train, valid = (
        [
            Line(pair.source, pair.target, number, name)
            for number, pair in enumerate(splits[name], start=1)
        ]
        for name in ("train", "valid")
    )
    return train, valid


def _check_file(path: str) -> None:
    """Refuse what cannot be read a second time."""
    if Path(path).exists() and not Path(path).is_file():
        if Path(path).is_dir():
            raise ValueError(f"{path} is a folder; give a file")
        raise ValueError(
            f"{path} is a pipe or a device, which cannot be read again when "
            "the training is resumed; write its text to a file and give that"
        )


def _texts(lines: Sequence[Line]) -> list[str]:
    return [text for line in lines for text in (line.source, line.target)]


def _encoded(tokenizer: Tokenizer, lines: Sequence[Line]) -> list[IdPair]:
    sources = tokenizer.encode_all([line.source for line in lines])
    targets = tokenizer.encode_all([line.target for line in lines])
    return list(zip(sources, targets, strict=True))


def _length(pair: IdPair) -> int:
    """Return how many tokens a pair needs room for, with <eos>."""
    return max(len(pair[0]), len(pair[1]) + 1)


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
    kept, empty, long = [], [], []
    for line, pair in zip(lines, _encoded(tokenizer, lines), strict=True):
        if line.blank:
            empty.append(line.number)
        elif _length(pair) > max_length:
            long.append(line.number)
        else:
            kept.append(pair)
    origin = lines[0].origin
    if long and not skip_long:
        are, them = (
            ("lines are", "them") if len(long) > 1 else ("line is", "it")
        )
        raise ValueError(
            f"{origin}: {len(long)} {are} longer than {max_length} tokens "
            f"({some(long)}); give --skip-long to drop {them} or, for a new "
            "model, a larger --max-length"
        )
    if not kept:
        raise ValueError(f"{origin}: no sentence pair is left")
    notes = []
    if empty:
        notes.append(
            f"{origin}: dropped {len(empty)} with an empty side ({some(empty)})"
        )
    if long:
        notes.append(
            f"{origin}: dropped {len(long)} longer than {max_length} "
            f"tokens ({some(long)})"
        )
    return kept, notes
