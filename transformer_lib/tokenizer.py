"""Text to token ids and back, over the `tokenizers` library."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from unicodedata import normalize

import tokenizers
from tokenizers import (
    Regex,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

from transformer_lib.special_tokens import (
    BOS,
    EOS,
    JOINER,
    PAD,
    SPECIAL_TOKENS,
    UNK,
)
from transformer_lib.validation import check_int, check_sentences

__all__ = ["Tokenizer"]


class Tokenizer:
    """One joint vocabulary for both languages: words, or pieces of words.

    Build it with `words` or `bpe`, or read it with `load`.

    Args:
        backend: the tokenizer of the `tokenizers` library that does the work.
    """

    def __init__(self, backend: tokenizers.Tokenizer):
        self.backend = backend
        # "<eos>" in a text is text, not the end of a sentence
        backend.encode_special_tokens = True

    @classmethod
    def words(
        cls,
        texts: Iterable[str],
        replacements: Sequence[tuple[str, str]] = (),
    ) -> "Tokenizer":
        """Make every word of the texts a token.

        Letters are lower-cased; full stops and commas are tokens. A token
        that starts with ``+`` is glued to the one before it when decoded.

        Args:
            texts: sentences of both languages.
            replacements: (regular expression, text) pairs, applied to every
                text first; `corpus.SPELLING` opens English contractions.

        Returns:
            A tokenizer; other words will be <unk>.

        Raises:
            TypeError: a string instead of a list of them.
            ValueError: a text holds half a character.
        """
        backend = tokenizers.Tokenizer(models.WordLevel(unk_token="<unk>"))
        rules = [normalizers.Replace(Regex(a), b) for a, b in replacements]
        backend.normalizer = normalizers.Sequence(
            [normalizers.NFC(), normalizers.Lowercase(), *rules]
        )
        backend.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.WhitespaceSplit(),
                pre_tokenizers.Split(Regex(r"(?<!\+)[.,?!;:<>]"), "isolated"),
            ]
        )
        backend.decoder = decoders.WordPiece(prefix=JOINER, cleanup=False)
        trainer = trainers.WordLevelTrainer(
            special_tokens=SPECIAL_TOKENS, show_progress=False
        )
        return cls._learn(backend, trainer, texts)

    @classmethod
    def bpe(cls, texts: Iterable[str], vocab_size: int) -> "Tokenizer":
        """Learn byte-pair encoding: frequent pairs become one token.

        Works on bytes, so no text is ever unknown; spaces are part of the
        pieces, so decoding gives back the text.

        Args:
            texts: sentences of both languages.
            vocab_size: number of tokens wanted, at least 260.

        Returns:
            A tokenizer of at most ``vocab_size`` tokens: fewer if the texts
            have no more pairs to join.

        Raises:
            TypeError: a string instead of a list of them.
            ValueError: vocab_size too small for the 256 bytes, or a text
                holds half a character.

        Source: Sennrich et al. 2016.
        """
        check_int("vocab_size", vocab_size)
        smallest = len(SPECIAL_TOKENS) + 256
        if vocab_size < smallest:
            raise ValueError(
                f"vocab_size={vocab_size}; 256 bytes and "
                f"{len(SPECIAL_TOKENS)} special tokens need {smallest} or more"
            )
        backend = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
        backend.normalizer = normalizers.NFC()
        backend.pre_tokenizer = pre_tokenizers.ByteLevel()
        backend.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=SPECIAL_TOKENS,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        return cls._learn(backend, trainer, texts)

    @classmethod
    def _learn(
        cls,
        backend: tokenizers.Tokenizer,
        trainer: trainers.Trainer,
        texts: Iterable[str],
    ) -> "Tokenizer":
        if not isinstance(texts, str):
            texts = list(texts)
        check_sentences(texts)
        backend.train_from_iterator(texts, trainer)
        return cls(backend)

    def __len__(self) -> int:
        """Return V, the size of the vocabulary."""
        return self.backend.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's tokens, without <bos> and <eos>.

        Raises:
            TypeError, ValueError: as for `encode_all`.
        """
        return self.encode_all([text])[0]

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """Encode many texts at once, faster than one by one.

        Raises:
            TypeError: a string instead of a list of them, or other things.
            ValueError: a text holds half a character (a lone surrogate).
        """
        check_sentences(texts)
        found = self.backend.encode_batch(texts, add_special_tokens=False)
        return [encoding.ids for encoding in found]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of some ids.

        <pad>, <bos> and <eos> vanish; <unk> is shown. Pieces of words give
        back the text that was encoded: composed (NFC), without the spaces at
        its ends, and with line breaks if it had some.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        keep = [i for i in ids if i not in (PAD, BOS, EOS)]
        for index in keep:
            self.token(index)
        return self.backend.decode(keep, skip_special_tokens=False).strip()

    def token(self, index: int) -> str:
        """Return the token with this id.

        Raises:
            ValueError: the vocabulary has no such id.
        """
        found = self.backend.id_to_token(index) if index >= 0 else None
        if found is None:
            raise ValueError(
                f"id {index} is not in the vocabulary of {len(self)} tokens"
            )
        return found

    def tokens(self, text: str) -> list[str]:
        """Return a text's tokens as strings."""
        return [self.token(index) for index in self.encode(text)]

    def unknown(self, text: str) -> list[str]:
        """Return the words of a text that the vocabulary does not hold.

        They are composed (NFC), as the tokenizer reads them.

        Raises:
            TypeError, ValueError: as for `encode_all`.
        """
        check_sentences([text])
        text = normalize("NFC", text)  # or the offsets would cut letters
        found = self.backend.encode(text, add_special_tokens=False)
        return [
            text[start:end]
            for index, (start, end) in zip(
                found.ids, found.offsets, strict=True
            )
            if index == UNK
        ]

    def to_json(self) -> str:
        """Return everything about the tokenizer as JSON."""
        return self.backend.to_str()

    @classmethod
    def load(cls, path: str | Path) -> "Tokenizer":
        """Read a tokenizer from a JSON file.

        Raises:
            OSError: there is no such file.
            ValueError: the file does not hold a tokenizer.
        """
        data = Path(path).read_bytes()
        try:
            return cls(tokenizers.Tokenizer.from_buffer(data))
        except Exception as error:  # the library raises plain Exception
            raise ValueError(f"{path} holds no tokenizer: {error}") from None
