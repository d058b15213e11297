"""A translator: sentences in, sentences out."""

from pathlib import Path

import torch
from torch import Tensor

from transformer_lib import checkpoint
from transformer_lib.batching import pad
from transformer_lib.decoding import Hypothesis, beam_search, greedy
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.validation import check_int, check_sentences

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

        Args:
            folder: of a run, or a part of it: model.json with its weights,
                and tokenizer.json.
            device: where to translate.

        Returns:
            The translator, ready to use.

        Raises:
            OSError: the folder holds no trained model.
            ValueError: a file is damaged or of another configuration.
        """
        folder = Path(folder)
        tensors, info = checkpoint.load(folder, "model", device)
        model = checkpoint.load_model(tensors, info, folder).to(device)
        return cls(model, Tokenizer.load(folder / "tokenizer.json"))

    def hypotheses(
        self,
        sentences: list[str],
        max_length: int | None = None,
        batch_size: int = 64,
        beam_size: int = 1,
    ) -> list[Hypothesis]:
        """Translate sentences in batches of similar length.

        Args:
            sentences: plain text. Words that the vocabulary lacks are read
                as <unk> (see `unknown_words`).
            max_length: most tokens to write for each.
            batch_size: sentences decoded together.
            beam_size: 1 decodes greedily, more with `beam_search`.

        Returns:
            The best hypothesis for each sentence, in the same order; that
            of a blank sentence is empty.

        Raises:
            TypeError: a string instead of a list.
            ValueError: a sentence is longer than the model can read, or a
                size below 1.
        """
        check_sentences(sentences)
        check_int("batch_size", batch_size)
        check_int("beam_size", beam_size)
        # byte pairs have tokens for spaces, too
        texts = [text if text.strip() else "" for text in sentences]
        ids = self.tokenizer.encode_all(texts)
        self._check_lengths(ids)
        order = [i for i in range(len(ids)) if ids[i]]
        order.sort(key=lambda i: len(ids[i]))
        results = [Hypothesis([], 0.0, True)] * len(ids)
        for start in range(0, len(order), batch_size):
            rows = order[start : start + batch_size]
            source = pad([ids[i] for i in rows])
            found = self._decode(source, max_length, beam_size)
            for i, hypothesis in zip(rows, found, strict=True):
                results[i] = hypothesis
        return results

    def _check_lengths(self, ids: list[list[int]]) -> None:
        limit = self.model.config.max_length
        for number, tokens in enumerate(ids, start=1):
            if len(tokens) > limit:
                raise ValueError(
                    f"sentence {number} has {len(tokens)} tokens; this model "
                    f"reads at most {limit}: cut it into shorter ones"
                )

    def _decode(
        self, source: Tensor, max_length: int | None, beam_size: int
    ) -> list[Hypothesis]:
        source = source.to(next(self.model.parameters()).device)
        if beam_size == 1:
            return greedy(self.model, source, max_length)
        found = beam_search(
            self.model, source, beam_size, max_length=max_length
        )
        return [hypotheses[0] for hypotheses in found]

    def text(self, hypothesis: Hypothesis) -> str:
        """Return what a hypothesis says, as printed text."""
        return self.tokenizer.decode(hypothesis.tokens)

    def translate(
        self,
        sentences: list[str],
        max_length: int | None = None,
        batch_size: int = 64,
        beam_size: int = 1,
    ) -> list[str]:
        """Translate sentences: `hypotheses`, as text.

        Args and Raises: as for `hypotheses`.

        Returns:
            The translations, in the same order; that of a blank sentence
            is empty.
        """
        found = self.hypotheses(sentences, max_length, batch_size, beam_size)
        return [self.text(hypothesis) for hypothesis in found]

    def unknown_words(self, sentence: str) -> list[str]:
        """Return the words of a sentence that the vocabulary lacks."""
        return self.tokenizer.unknown(sentence)
