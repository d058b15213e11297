"""A trained model that another training begins from."""

import reprlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from transformer_lib import checkpoint
from transformer_lib.model import Transformer
from transformer_lib.special_tokens import UNK
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.training_data import Line

__all__ = ["Pretrained"]

MOST_UNKNOWN = 0.1  # of the words of new data
SHOWN = 10  # of the commonest of them


class Pretrained(NamedTuple):
    """A trained model, and where it comes from.

    Attributes:
        model: with its weights, on the CPU.
        tokenizer: that it was trained with.
        folder: where it was, as an absolute path.
        sha256: checksum of the file of its weights.
    """

    model: Transformer
    tokenizer: Tokenizer
    folder: str
    sha256: str

    @classmethod
    def load(cls, folder: str | Path) -> "Pretrained":
        """Read what `Translator.load` reads, to train it further.

        Args:
            folder: of a run, or a part of it: model.json with its weights,
                and tokenizer.json.

        Returns:
            The model and its tokenizer.

        Raises:
            OSError: the folder holds no trained model.
            ValueError: a file is damaged or of another configuration.
        """
        folder = Path(folder)
        tensors, info = checkpoint.load(folder, "model")
        model = checkpoint.load_model(tensors, info, folder)
        tokenizer = Tokenizer.load(folder / "tokenizer.json")
        if model.config.vocab_size != len(tokenizer):
            raise ValueError(
                f"{folder}: the model knows {model.config.vocab_size} tokens "
                f"and the tokenizer {len(tokenizer)}; they come from "
                "different runs"
            )
        return cls(model, tokenizer, str(folder.resolve()), info["sha256"])

    def check_words(self, lines: Sequence[Line]) -> list[str]:
        """Refuse data of other words than those that the model knows.

        A vocabulary of byte pairs knows all.

        Args:
            lines: the new data.

        Returns:
            A note if some of their words are unknown.

        Raises:
            ValueError: more than a tenth of them are.
        """
        texts = [text for line in lines for text in (line.source, line.target)]
        ids = self.tokenizer.encode_all(texts)
        total = sum(map(len, ids))
        some = [x for x, row in zip(texts, ids, strict=True) if UNK in row]
        unknown = Counter(
            word.lower() for x in some for word in self.tokenizer.unknown(x)
        )
        n = unknown.total()
        if n == 0:
            return []
        said = (
            f"{n} of the {total} words of the data are unknown to the model "
            f"in {self.folder}; the commonest: {_commonest(unknown)}"
        )
        if n > MOST_UNKNOWN * total:
            raise ValueError(
                f"{said}. It learns no new words: give text of which it knows "
                "nine tenths, or train a new model"
            )
        return [said]


def _commonest(words: Counter[str]) -> str:
    return ", ".join(
        f"{reprlib.repr(word)} ({n})" for word, n in words.most_common(SHOWN)
    )
