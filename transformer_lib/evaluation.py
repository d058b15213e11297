"""How good is a translation, a model's guess, or an alignment?"""

import math
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from transformer_lib.validation import check_sentences

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric

__all__ = [
    "Score",
    "alignment_error_rate",
    "bleu",
    "chrf",
    "exact_match",
    "perplexity",
]

Link = tuple[int, int]


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    check_sentences(hypotheses)
    check_sentences(references)
    if len(hypotheses) != len(references) or not references:
        raise ValueError(
            f"{len(hypotheses)} hypotheses came with {len(references)} "
            "references; give one each, and at least one"
        )


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Return the fraction of sentences that are right from end to end.

    Args:
        hypotheses: translations; spaces around them do not count.
        references: the expected ones, in the same order.

    Returns:
        Between 0 and 1.

    Raises:
        TypeError: a string instead of a list.
        ValueError: different lengths, or nothing at all.

    Chapter 15.
    """
    _check(hypotheses, references)
    same = sum(
        hypothesis.strip() == reference.strip()
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    )
    return same / len(references)


class Score(NamedTuple):
    """A score, 0 to 100, and the signature that makes it comparable.

    Attributes:
        score: 100 is a perfect match.
        signature: sacreBLEU's record of every choice and its version.

    Chapters 15 and 18.
    """

    score: float
    signature: str


def bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
) -> Score:
    """Compute corpus BLEU with sacreBLEU, one reference a sentence.

    Args:
        hypotheses: translations as printed text.
        references: the expected ones, in the same order.
        tokenize: sacreBLEU's tokenizer; "13a" for European languages,
            "char" for Korean and Chinese.

    Returns:
        The score and sacreBLEU's signature.

    Raises:
        TypeError: a string instead of a list.
        ValueError: different lengths, nothing at all, or an unknown
            tokenizer.

    Source: Papineni et al. 2002; Post 2018. Chapters 15 and 18.
    """
    from sacrebleu.metrics import BLEU  # slow to import, rarely needed

    if tokenize not in BLEU.TOKENIZERS:
        raise ValueError(
            f"tokenize={tokenize!r} is unknown to sacreBLEU; choose from "
            + ", ".join(sorted(BLEU.TOKENIZERS))
        )
    return _score(BLEU(tokenize=tokenize), hypotheses, references)


def chrf(hypotheses: Sequence[str], references: Sequence[str]) -> Score:
    """Compute corpus chrF with sacreBLEU: common pieces of 1 to 6 letters.

    It needs no tokenizer, which suits a language whose words change form.

    Args:
        hypotheses: translations as printed text.
        references: the expected ones, in the same order.

    Returns:
        The score and sacreBLEU's signature.

    Raises:
        TypeError: a string instead of a list.
        ValueError: different lengths, or nothing at all.

    Source: Popović 2015; Post 2018. Chapters 15 and 18.
    """
    from sacrebleu.metrics import CHRF

    return _score(CHRF(), hypotheses, references)


def _score(
    metric: "Metric", hypotheses: Sequence[str], references: Sequence[str]
) -> Score:
    _check(hypotheses, references)
    result = metric.corpus_score(list(hypotheses), [list(references)])
    return Score(result.score, str(metric.get_signature()))


def perplexity(loss: float) -> float:
    r"""Turn a loss into the number of equally likely words it stands for.

    $$e^{-\frac{1}{n} \sum_i \log p(w_i)}$$

    Args:
        loss: mean cross-entropy a token, in nats and without smoothing.

    Returns:
        1 for a certain model, V for one that finds all V words alike.

    Raises:
        ValueError: the loss is negative or not a number.

    Source: Jelinek et al. 1977. Chapters 12 and 18.
    """
    if not loss >= 0:
        raise ValueError(
            f"loss={loss}; give a mean cross-entropy in nats, 0 or more"
        )
    return math.exp(loss) if loss < 700 else math.inf


def alignment_error_rate(
    predicted: Sequence[Set[Link]],
    sure: Sequence[Set[Link]],
    possible: Sequence[Set[Link]] | None = None,
) -> float:
    r"""Compare word alignments A with those that people drew.

    $$1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

    Args:
        predicted: A, for each sentence pair the links found: a set of
            (source position, target position).
        sure: S, the links that must be there.
        possible: P, the links that may be there; each sure one may. Only
            the sure ones when None.

    Returns:
        0 for a perfect alignment, 1 for one that has nothing right.

    Raises:
        TypeError: the links of a sentence are no set.
        ValueError: different numbers of sentences, or no link at all.

    Source: Och and Ney 2003. Chapter 17.
    """
    possible = sure if possible is None else possible
    if not len(predicted) == len(sure) == len(possible):
        raise ValueError(
            f"alignments of {len(predicted)} sentences came with {len(sure)} "
            f"sure and {len(possible)} possible ones; give one each"
        )
    for links in (*predicted, *sure, *possible):
        if not isinstance(links, Set):
            raise TypeError(
                f"the links of a sentence are {links!r}; give a set of "
                "(source position, target position)"
            )
    right = total = 0
    for a, s, p in zip(predicted, sure, possible, strict=True):
        right += len(a & s) + len(a & (p | s))
        total += len(a) + len(s)
    if total == 0:
        raise ValueError("no sentence has a link; there is nothing to compare")
    return 1 - right / total
