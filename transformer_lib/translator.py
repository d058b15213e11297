"""A translator: sentences in, sentences out."""

from pathlib import Path

import torch

from transformer_lib import checkpoint
from transformer_lib.batching import pad
from transformer_lib.decoding import greedy
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.training import load_model

SHIPPED = Path(__file__).parent / "data" / "toy_en_ko"


class Translator:
    """A trained model and its tokenizer, ready to use.

    Args:
        model: a trained Transformer; put into eval() mode.
        tokenizer: the tokenizer it was trained with.

    Raises:
        ValueError: the two have vocabularies of different size.

    Chapter 15.
    """

    def __init__(self, model: Transformer, tokenizer: Tokenizer):
        if model.config.vocab_size != len(tokenizer):
            raise ValueError(
                f"the model knows {model.config.vocab_size} tokens and the "
                f"tokenizer {len(tokenizer)}; they come from different runs"
            )
        self.model = model.eval()
        self.tokenizer = tokenizer

    @classmethod
    def shipped(cls) -> "Translator":
        """Return the English->Korean toy translator of this package."""
        return cls.load(SHIPPED)

    @classmethod
    def load(
        cls, folder: str | Path, device: torch.device | str = "cpu"
    ) -> "Translator":
        """Read a translator from a run's folder.

        Raises:
            OSError: the folder holds no trained model.
            ValueError: a file is damaged or of another configuration.
        """
        folder = Path(folder)
        tensors, info = checkpoint.load(folder, "model", device)
        model = load_model(tensors, info, folder).to(device)
        return cls(model, Tokenizer.load(folder / "tokenizer.json"))

    def translate(
        self,
        sentences: list[str],
        max_length: int | None = None,
        batch_size: int = 64,
    ) -> list[str]:
        """Translate sentences greedily, in batches of similar length.

        Args:
            sentences: plain text. An empty sentence stays empty; words the
                vocabulary lacks are read as <unk> (see `unknown_words`).
            max_length: most tokens to write for each.
            batch_size: sentences decoded together.

        Returns:
            The translations, in the same order.

        Raises:
            TypeError: a string instead of a list.
            ValueError: a sentence is longer than the model can read.
        """
        if isinstance(sentences, str):
            raise TypeError(
                "translate wants a list of sentences; write "
                f"translate([{sentences[:20]!r}])"
            )
        ids = self.tokenizer.encode_all(list(sentences))
        limit = self.model.config.max_length
        for number, tokens in enumerate(ids, start=1):
            if len(tokens) > limit:
                raise ValueError(
                    f"sentence {number} has {len(tokens)} tokens; this model "
                    f"reads at most {limit}: cut it into shorter ones"
                )
        order = [i for i in range(len(ids)) if ids[i]]
        order.sort(key=lambda i: len(ids[i]))
        results = [""] * len(ids)
        device = next(self.model.parameters()).device
        for start in range(0, len(order), batch_size):
            rows = order[start : start + batch_size]
            source = pad([ids[i] for i in rows]).to(device)
            for i, found in zip(
                rows, greedy(self.model, source, max_length), strict=True
            ):
                results[i] = self.tokenizer.decode(found.tokens)
        return results

    def unknown_words(self, sentence: str) -> list[str]:
        """Return the words of a sentence that the vocabulary lacks."""
        return self.tokenizer.unknown(sentence)
