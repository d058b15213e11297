"""A translator: sentences in, sentences out."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from transformer_lib import checkpoint
from transformer_lib.batching import pad
from transformer_lib.confidence import Confidence
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.decoding import Hypothesis, beam_search, greedy, sample
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.validation import check_int, check_sentences

SHIPPED = Path(__file__).parent / "data" / "toy_en_ko"


class Translation(NamedTuple):
    """A translation, and how far it can be trusted.

    Attributes:
        text: what it says, as printed text.
        tokens: its ids, without <eos>.
        finished: False if it was cut at the greatest length.
        confidence: how probable it is that the translation is right, 0 to
            1; None for a blank sentence, and of a model that has not learned
            it.
        is_sure: whether that is enough to trust it; None with confidence.
        unknown_words: words of the sentence that the vocabulary lacks.

    Chapter 15.
    """

    text: str
    tokens: list[int]
    finished: bool
    confidence: float | None
    is_sure: bool | None
    unknown_words: list[str]


class Translator:
    """A trained model and its tokenizer, ready to use.

    Args:
        model: a trained Transformer; put into eval() mode.
        tokenizer: the tokenizer it was trained with.
        confidence: what tells sure translations from others, or None.

    Raises:
        ValueError: the two have vocabularies of different size.

    Chapter 15.
    """

    def __init__(
        self,
        model: Transformer,
        tokenizer: Tokenizer,
        confidence: Confidence | None = None,
    ):
        if model.config.vocab_size != len(tokenizer):
            raise ValueError(
                f"the model knows {model.config.vocab_size} tokens and the "
                f"tokenizer {len(tokenizer)}; they come from different runs"
            )
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.confidence = confidence

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
        tokenizer = Tokenizer.load(folder / "tokenizer.json")
        return cls(model, tokenizer, Confidence.from_tensors(tensors))

    def hypotheses(
        self,
        sentences: list[str],
        max_length: int | None = None,
        batch_size: int = 64,
        beam_size: int = 1,
        alpha: float = 0.6,
    ) -> list[Hypothesis]:
        """Translate sentences in batches of similar length.

        Args:
            sentences: plain text. Words that the vocabulary lacks are read
                as <unk> (see `unknown_words`).
            max_length: most tokens to write for each.
            batch_size: sentences decoded together.
            beam_size: 1 decodes greedily, more with `beam_search`.
            alpha: of a beam, see `transformer_lib.decoding.length_penalty`.

        Returns:
            The best hypothesis for each sentence, in the same order; that
            of a blank sentence is empty.

        Raises:
            TypeError: a string instead of a list.
            ValueError: a sentence is longer than the model can read, or a
                size below 1.
        """
        check_int("beam_size", beam_size)
        ids = self._encode(sentences)
        self._check_lengths(ids)
        return self.decode(ids, max_length, batch_size, beam_size, alpha)

    def _encode(self, sentences: list[str]) -> list[list[int]]:
        check_sentences(sentences)
        # byte pairs have tokens for spaces, too
        texts = [text if text.strip() else "" for text in sentences]
        return self.tokenizer.encode_all(texts)

    def decode(
        self,
        ids: list[list[int]],
        max_length: int | None = None,
        batch_size: int = 64,
        beam_size: int = 1,
        alpha: float = 0.6,
    ) -> list[Hypothesis]:
        """Translate ids: `hypotheses`, for sentences that are encoded.

        Args:
            ids: of each sentence.
            max_length, batch_size, beam_size, alpha: as for `hypotheses`.

        Returns:
            The best hypothesis for each, in the same order.

        Raises:
            TypeError: a size is not a whole number.
            ValueError: a size below 1, or ids that the model cannot read.
        """

        def search(source: Tensor) -> list[Hypothesis]:
            if beam_size == 1:
                return greedy(self.model, source, max_length)
            found = beam_search(
                self.model, source, beam_size, alpha, max_length
            )
            return [hypotheses[0] for hypotheses in found]

        return self._in_batches(ids, batch_size, search)

    def sample(
        self,
        sentences: list[str],
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float = 1.0,
        generator: torch.Generator | None = None,
        max_length: int | None = None,
        batch_size: int = 64,
    ) -> list[Hypothesis]:
        """Draw a translation of each sentence at random.

        Args:
            sentences, max_length, batch_size: as for `hypotheses`.
            temperature, top_k, top_p, generator: as for
                `transformer_lib.decoding.sample`.

        Returns:
            A hypothesis for each sentence, in the same order; that of a
            blank sentence is empty.

        Raises:
            TypeError: a string instead of a list.
            ValueError: a sentence is longer than the model can read, or a
                value is not allowed.
        """
        ids = self._encode(sentences)
        self._check_lengths(ids)

        def draw(source: Tensor) -> list[Hypothesis]:
            return sample(
                self.model,
                source,
                temperature,
                top_k,
                top_p,
                max_length,
                generator,
            )

        return self._in_batches(ids, batch_size, draw)

    def _in_batches(
        self,
        ids: list[list[int]],
        batch_size: int,
        write: Callable[[Tensor], list[Hypothesis]],
    ) -> list[Hypothesis]:
        """Let `write` translate sentences of similar length together."""
        check_int("batch_size", batch_size)
        device = next(self.model.parameters()).device
        order = [i for i in range(len(ids)) if ids[i]]
        order.sort(key=lambda i: len(ids[i]))
        results = [Hypothesis([], 0.0, True)] * len(ids)
        for start in range(0, len(order), batch_size):
            rows = order[start : start + batch_size]
            source = pad([ids[i] for i in rows]).to(device)
            for i, hypothesis in zip(rows, write(source), strict=True):
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

    def explain(
        self,
        sentences: list[str],
        max_length: int | None = None,
        batch_size: int = 64,
        beam_size: int = 1,
    ) -> list[Translation]:
        """Translate sentences and say how far to trust each translation.

        Args and Raises: as for `hypotheses`.

        Returns:
            The translations, in the same order.
        """
        found = self.hypotheses(
            sentences, max_length, batch_size, beam_size=beam_size
        )
        return self.judge(sentences, found, batch_size)

    def judge(
        self,
        sentences: list[str],
        found: list[Hypothesis],
        batch_size: int = 64,
    ) -> list[Translation]:
        """Say how far to trust translations that were found before.

        Args:
            sentences: as for `hypotheses`.
            found: a hypothesis for each, however it was found.
            batch_size: sentences judged together.

        Returns:
            The translations, in the same order.

        Raises:
            TypeError: a string instead of a list.
            ValueError: not as many hypotheses as sentences.
        """
        if len(found) != len(sentences):
            raise ValueError(
                f"{len(sentences)} sentences came with {len(found)} "
                "hypotheses; give one each"
            )
        p = self._probabilities(sentences, found, batch_size)
        threshold = self.confidence.threshold if self.confidence else 0.0
        return [
            Translation(
                self.text(hypothesis),
                hypothesis.tokens,
                hypothesis.finished,
                p.get(i),
                p[i] >= threshold if i in p else None,
                self.unknown_words(sentence),
            )
            for i, (sentence, hypothesis) in enumerate(
                zip(sentences, found, strict=True)
            )
        ]

    def _probabilities(
        self, sentences: list[str], found: list[Hypothesis], batch_size: int
    ) -> dict[int, float]:
        """Say by its number how probably each translation is right."""
        if self.confidence is None:
            return {}
        ids = self._encode(sentences)
        rows = [i for i in range(len(ids)) if ids[i]]
        sources = [ids[i] for i in rows]
        tokens = [found[i].tokens for i in rows]
        scores = token_log_p(self.model, sources, tokens, batch_size)
        features = map(self.confidence.features, sources, tokens, scores)
        p = map(self.confidence.probability, features)
        return dict(zip(rows, p, strict=True))

    def unknown_words(self, sentence: str) -> list[str]:
        """Return the words of a sentence that the vocabulary lacks."""
        return self.tokenizer.unknown(sentence)
