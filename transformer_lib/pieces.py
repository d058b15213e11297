"""Text to ids and back by a SentencePiece model, over `tokenizers`."""

import math
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from tokenizers import models, normalizers
from torch import Tensor

from transformer_lib.files import read_json
from transformer_lib.special_tokens import BOS, EOS, PAD, SPECIAL_TOKENS, UNK
from transformer_lib.validation import check_sentences

__all__ = ["PieceTokenizer"]

SPACE = "\u2581"  # what stands for a space inside a piece


class PieceTokenizer:
    """The vocabulary of a published translator: one, for both languages.

    It does what `Tokenizer` does; `read` makes it. A sentence is cut into the
    pieces that are together the most probable ones, each drawn by itself (a
    unigram model), and <eos> is put at its end, as in training.

    Args:
        unigram: cuts a normalized sentence into pieces.
        normalizer: what was done to the training texts.
        rows: for each id of the library the row of the published embeddings.
        names: for each id its piece.

    Source: Kudo and Richardson 2018 (SentencePiece).
    """

    def __init__(
        self,
        unigram: models.Unigram,
        normalizer: normalizers.Normalizer,
        rows: Int[Tensor, " V"],
        names: list[str],
    ):
        self.unigram, self.normalizer = unigram, normalizer
        self.rows, self.names = rows, names
        self.ids = {name: i for i, name in enumerate(names) if i > UNK}

    @classmethod
    def read(cls, folder: Path, pad: object) -> "PieceTokenizer":
        """Read source.spm and vocab.json.

        The ids are put into the library's order: <pad>'s row comes twice, as
        PAD and as BOS, then </s> as EOS and <unk>, then all others.

        Args:
            folder: that holds the two files.
            pad: id of <pad> in vocab.json.

        Raises:
            OSError: a file is missing.
            ValueError: it is damaged, or of another kind of model.
        """
        vocab = read_json(folder / "vocab.json")
        numbers = list(vocab.values())
        if (
            any(type(number) is not int for number in numbers)
            or sorted(numbers) != list(range(len(numbers)))
            or not {"</s>", "<unk>", "<pad>"} <= vocab.keys()
            or vocab["<pad>"] != pad
        ):
            raise ValueError(
                f"{folder / 'vocab.json'} does not number the pieces of this "
                "model from 0 on; fetch the folder again"
            )
        first = [pad, pad, vocab["</s>"], vocab["<unk>"]]
        others = sorted(set(numbers) - set(first))
        pieces = {number: piece for piece, number in vocab.items()}
        names = SPECIAL_TOKENS + [pieces[number] for number in others]
        unigram, normalizer = _spm(folder / "source.spm")
        return cls(unigram, normalizer, torch.tensor(first + others), names)

    def __len__(self) -> int:
        """Return the size of the vocabulary."""
        return len(self.names)

    def pieces(self, text: str) -> list[str]:
        """Cut a text into pieces, whether or not they have an id."""
        text = self.normalizer.normalize_str(text)
        words = [word for word in text.split(" ") if word]
        if not words:
            return []
        text = SPACE + SPACE.join(words)
        return [token.value for token in self.unigram.tokenize(text)]

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, <eos> at the end; none of a blank one.

        Raises:
            TypeError, ValueError: as for `encode_all`.
        """
        return self.encode_all([text])[0]

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """Encode many texts.

        Raises:
            TypeError: a string instead of a list of them, or other things.
            ValueError: a text holds half a character (a lone surrogate).
        """
        check_sentences(texts)
        found = []
        for text in texts:
            ids = [self.ids.get(piece, UNK) for piece in self.pieces(text)]
            found.append([*ids, EOS] if ids else [])
        return found

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of some ids; <pad>, <bos> and <eos> vanish.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        kept = [self.token(i) for i in ids if i not in (PAD, BOS, EOS)]
        return "".join(kept).replace(SPACE, " ").strip()

    def token(self, index: int) -> str:
        """Return the piece with this id.

        Raises:
            ValueError: the vocabulary has no such id.
        """
        if not 0 <= index < len(self):
            raise ValueError(
                f"id {index} is not in the vocabulary of {len(self)} tokens"
            )
        return self.names[index]

    def unknown(self, text: str) -> list[str]:
        """Return the pieces of a text that the vocabulary does not hold.

        Raises:
            TypeError, ValueError: as for `encode_all`.
        """
        check_sentences([text])
        found = self.pieces(text)
        return [one.strip(SPACE) for one in found if one not in self.ids]


# The numbers of the fields are those of sentencepiece_model.proto.
_PIECE, _TRAINER, _NORMALIZER = 1, 2, 3
_TEXT, _SCORE, _TYPE = 1, 2, 3  # of a piece
_NORMAL, _ALWAYS_ONE = 1, 4  # types of pieces
_KIND, _UNIGRAM = 3, 1  # of the trainer
_TABLE = 2  # of the normalizer
# Of the normalizer, each True where nothing is said: a space before the
# first word, one space for several, a mark that stands for it.
_SPACES = (3, 4, 5)


def _spm(path: Path) -> tuple[models.Unigram, normalizers.Normalizer]:
    """Read a SentencePiece model: its pieces, and how texts are normalized."""
    pieces, table, kind, spaces = [("\0", 0.0)], None, None, True
    try:
        for number, part in _message(path.read_bytes()):
            if number not in (_PIECE, _TRAINER, _NORMALIZER):
                continue
            fields = dict(_message(part))
            if number == _PIECE and fields.get(_TYPE, 1) in (
                _NORMAL,
                _ALWAYS_ONE,
            ):
                (score,) = struct.unpack("<f", fields[_SCORE])
                if not math.isfinite(score):
                    raise ValueError
                pieces.append((fields[_TEXT].decode(), score))
            elif number == _TRAINER:
                kind = fields.get(_KIND, _UNIGRAM)
            elif number == _NORMALIZER:
                table = fields.get(_TABLE, b"")
                spaces = all(fields.get(one, 1) == 1 for one in _SPACES)
        steps: list[normalizers.Normalizer] = [
            normalizers.NFC()  # for Hangul that comes letter by letter
        ]
        if table:
            steps.append(normalizers.Precompiled(table))
        if kind is None or table is None:
            raise ValueError  # it was cut
    except OSError:
        raise
    except Exception:  # of `tokenizers`, too, which raises plain ones
        raise ValueError(
            f"{path} is no SentencePiece model; fetch it again"
        ) from None
    if kind != _UNIGRAM or not spaces or len(pieces) == 1:
        raise ValueError(
            f"{path} is no unigram model with the usual spaces, and no other "
            "can be read; choose another model"
        )
    return models.Unigram(pieces, 0), normalizers.Sequence(steps)


def _message(data: Any) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each field of a protobuf message."""
    if isinstance(data, int):
        raise ValueError("a number where a message is wanted")
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        if key & 7 == 0:
            value, at = _number(data, at)
            yield key >> 3, value
            continue
        length = {1: 8, 5: 4}.get(key & 7)
        if length is None:
            length, at = _number(data, at)
        if key & 7 not in (1, 2, 5) or at + length > len(data):
            raise ValueError("no protobuf message")
        yield key >> 3, data[at : at + length]
        at += length


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
