"""A translator: sentences in, sentences out."""

import re
from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from transformer_lib import checkpoint
from transformer_lib.batching import pad
from transformer_lib.confidence import Confidence, Judgement
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.confidence.trust import Trust
from transformer_lib.corpus_notes import is_blank
from transformer_lib.decoding import Hypothesis
from transformer_lib.model import Transformer
from transformer_lib.pieces import PieceTokenizer
from transformer_lib.published import is_published, load_model
from transformer_lib.search import GREEDY, Sampling, Search
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.validation import (
    check_sentences,
    check_strings,
    half_character,
)
from transformer_lib.wrapping import unwrapped

__all__ = ["SHIPPED", "Translation", "Translator"]

SHIPPED = Path(__file__).parent / "data" / "toy_en_ko"

# Unicode's control characters (Cc) and its two separators of lines: programs
# begin a new line at some of them, and terminals obey others.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def _in_one_line(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()


class Translation(NamedTuple):
    """A translation, and how far it can be trusted.

    Attributes:
        text: what it says, as printed text in one line.
        tokens: its ids, without <eos>.
        finished: False if it was cut at the greatest length.
        confidence: how probable it is that the translation is right, 0 to
            1; None for a blank sentence, and of a model that has not learned
            it.
        trust: "sure", "perhaps" or "doubtful", a translation not to be
            trusted; None with confidence.
        lost_words: words of the sentence that no token of the translation
            accounts for; only those of which that can be seen.
        unknown_words: words of the sentence that the vocabulary lacks.
    """

    text: str
    tokens: list[int]
    finished: bool
    confidence: float | None
    trust: Trust | None
    lost_words: list[str]
    unknown_words: list[str]


class Translator:
    """A trained model and its tokenizer, ready to use.

    Args:
        model: a trained Transformer, without a wrapper or in one; put into
            eval() mode.
        tokenizer: the tokenizer it was trained with.
        confidence: what tells sure translations from others, or None.

    Raises:
        ValueError: the two have vocabularies of different size.
    """

    def __init__(
        self,
        model: nn.Module,
        tokenizer: Tokenizer | PieceTokenizer,
        confidence: Confidence | None = None,
    ):
        # A wrapper compiles or shares out `forward`, which is not used here.
        inner: Transformer = unwrapped(model)
        if inner.config.vocab_size != len(tokenizer):
            raise ValueError(
                f"the model knows {inner.config.vocab_size} tokens and the "
                f"tokenizer {len(tokenizer)}; they come from different runs"
            )
        self.model = inner.eval()
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
        """Read a translator from a run's folder, or a published one.

        Published ones are tested with random weights in their format.

        Args:
            folder: of a run, or a part of it: model.json with its weights,
                and tokenizer.json; or of an OPUS-MT model: see
                `transformer_lib.published.read`.
            device: where to translate.

        Returns:
            The translator, ready to use.

        Raises:
            OSError: the folder holds no trained model.
            ValueError: a file is damaged or of another configuration; or
                there is too little memory for a published model.
        """
        folder = Path(folder)
        if is_published(folder):
            published, pieces = load_model(folder)
            return cls(published.to(device), pieces)
        tensors, info = checkpoint.load(folder, "model", device)
        model = checkpoint.load_model(tensors, info, folder).to(device)
        tokenizer = Tokenizer.load(folder / "tokenizer.json")
        return cls(model, tokenizer, Confidence.from_tensors(tensors))

    def hypotheses(
        self, sentences: list[str], search: Search | Sampling = GREEDY
    ) -> list[Hypothesis]:
        """Translate sentences in batches of similar length.

        Args:
            sentences: plain text. Words that the vocabulary lacks are read
                as <unk> (see `unknown_words`).
            search: how to find a translation, and how long it may be.

        Returns:
            A hypothesis for each sentence, in the same order; that of a
            blank sentence is empty.

        Raises:
            TypeError: a string instead of a list.
            ValueError: a sentence is longer than the model can read (see
                `readable`) or holds half a character, or it shall be longer
                than the model can write.
        """
        _, found = self._hypotheses(sentences, search)
        return found

    def _hypotheses(
        self, sentences: list[str], search: Search | Sampling
    ) -> tuple[list[list[int]], list[Hypothesis]]:
        """Return the ids of each sentence, too: what was translated."""
        check_sentences(sentences)
        ids = self._ids(sentences)
        for number, tokens in enumerate(ids, start=1):
            if too_long := self._too_long(tokens):
                raise ValueError(f"sentence {number} {too_long}")
        return ids, self.decode(ids, search)

    def readable(
        self, sentences: list[str]
    ) -> tuple[list[str], dict[int, str]]:
        """Leave out the sentences that the model cannot read.

        Args:
            sentences: plain text.

        Returns:
            The sentences, "" in place of those that are too long or hold
            half a character; and of each of these what is wrong with it, by
            its index.

        Raises:
            TypeError: a string instead of a list.
        """
        check_strings(sentences)
        halves = enumerate(map(half_character, sentences))
        wrong = {i: half for i, half in halves if half}
        rest = ["" if i in wrong else x for i, x in enumerate(sentences)]
        for i, tokens in enumerate(self._ids(rest)):
            if too_long := self._too_long(tokens):
                rest[i], wrong[i] = "", too_long
        return rest, wrong

    def _ids(self, sentences: list[str]) -> list[list[int]]:
        # byte pairs have tokens for spaces, too
        texts = ["" if is_blank(text) else text for text in sentences]
        return self.tokenizer.encode_all(texts)

    def decode(
        self, ids: list[list[int]], search: Search | Sampling = GREEDY
    ) -> list[Hypothesis]:
        """Translate ids: `hypotheses`, for sentences that are encoded.

        Args:
            ids: of each sentence.
            search: as for `hypotheses`.

        Returns:
            A hypothesis for each, in the same order.

        Raises:
            ValueError: ids that the model cannot read, or more tokens than
                it can write.
        """
        device = next(self.model.parameters()).device
        order = [i for i in range(len(ids)) if ids[i]]
        order.sort(key=lambda i: len(ids[i]))
        results = [Hypothesis([], 0.0, True)] * len(ids)
        for start in range(0, len(order), search.batch_size):
            rows = order[start : start + search.batch_size]
            source = pad([ids[i] for i in rows]).to(device)
            found = search(self.model, source)
            for i, hypothesis in zip(rows, found, strict=True):
                results[i] = hypothesis
        return results

    def _too_long(self, tokens: list[int]) -> str:
        limit = self.model.config.max_length
        if len(tokens) <= limit:
            return ""
        return (
            f"has {len(tokens)} tokens; this model reads at most {limit}: cut "
            "it into shorter ones"
        )

    def text(self, hypothesis: Hypothesis) -> str:
        """Return what a hypothesis says, as printed text in one line.

        A space stands for each run of control characters and separators of
        lines, and none at its ends, so that translation n is line n of a
        file.
        """
        return _in_one_line(self.tokenizer.decode(hypothesis.tokens))

    def translate(
        self, sentences: list[str], search: Search | Sampling = GREEDY
    ) -> list[str]:
        """Translate sentences: `hypotheses`, as text.

        Args and Raises: as for `hypotheses`.

        Returns:
            The translations, in the same order; that of a blank sentence
            is empty.
        """
        found = self.hypotheses(sentences, search)
        return [self.text(hypothesis) for hypothesis in found]

    def explain(
        self, sentences: list[str], search: Search | Sampling = GREEDY
    ) -> list[Translation]:
        """Translate sentences and say how far to trust each translation.

        Args and Raises: as for `hypotheses`.

        Returns:
            The translations, in the same order.
        """
        ids, found = self._hypotheses(sentences, search)
        judged = self._judge(ids, found, search.batch_size)
        results = []
        for sentence, source, hypothesis, judgement in zip(
            sentences, ids, found, judged, strict=True
        ):
            p, trust, lost = judgement or (None, None, [])
            words = [
                _in_one_line(self.tokenizer.token(source[place]))
                for place in lost
            ]
            results.append(
                Translation(
                    self.text(hypothesis),
                    hypothesis.tokens,
                    hypothesis.finished,
                    p,
                    trust,
                    list(dict.fromkeys(words)),
                    self.unknown_words(sentence),
                )
            )
        return results

    def _judge(
        self, ids: list[list[int]], found: list[Hypothesis], batch_size: int
    ) -> list[Judgement | None]:
        """Judge each translation; None for those that cannot be judged."""
        judged: list[Judgement | None] = [None] * len(ids)
        if self.confidence is None:
            return judged
        rows = [i for i in range(len(ids)) if ids[i]]
        sources = [ids[i] for i in rows]
        tokens = [found[i].tokens for i in rows]
        scores = token_log_p(self.model, sources, tokens, batch_size)
        for i, log_p in zip(rows, scores, strict=True):
            judged[i] = self.confidence.judge(
                ids[i], found[i].tokens, log_p, found[i].finished
            )
        return judged

    def unknown_words(self, sentence: str) -> list[str]:
        """Return the words of a sentence that the vocabulary lacks.

        See `Tokenizer.unknown`.
        """
        return self.tokenizer.unknown(sentence)
