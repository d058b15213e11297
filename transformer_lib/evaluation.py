"""How good is a translation, a model's guess, or an alignment?"""

import math
import warnings
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

import numpy as np

from transformer_lib.extras import install_hint
from transformer_lib.validation import check_int, check_sentences

if TYPE_CHECKING:
    from sacrebleu.metrics import BLEU
    from sacrebleu.metrics.base import Metric

__all__ = [
    "Difference",
    "Score",
    "alignment_error_rate",
    "bleu",
    "bleu_caveat",
    "bleu_difference",
    "chrf",
    "exact_match",
    "perplexity",
]

Link = tuple[int, int]

LONGEST = 4  # BLEU counts runs of 1 to 4 tokens


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    check_sentences(hypotheses)
    check_sentences(references)
    if len(hypotheses) != len(references) or not references:
        raise ValueError(
            f"{len(hypotheses)} hypotheses came with {len(references)} "
            "references; give one each, and at least one"
        )


def _composed(texts: Sequence[str]) -> list[str]:
    """Compose letters (NFC), as it is done with files that are read."""
    return [normalize("NFC", text) for text in texts]


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Return the fraction of sentences that are right from end to end.

    Args:
        hypotheses: translations; spaces around them do not count, nor
            whether letters are composed.
        references: the expected ones, in the same order.

    Returns:
        Between 0 and 1.

    Raises:
        TypeError: a string instead of a list.
        ValueError: different lengths, nothing at all, or a sentence with
            half a character.
    """
    _check(hypotheses, references)
    pairs = zip(_composed(hypotheses), _composed(references), strict=True)
    same = sum(
        hypothesis.strip() == reference.strip()
        for hypothesis, reference in pairs
    )
    return same / len(references)


class Score(NamedTuple):
    """A score, 0 to 100, and the signature that makes it comparable.

    Attributes:
        score: 100 is a perfect match.
        signature: sacreBLEU's record of every choice and its version.
    """

    score: float
    signature: str


def bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
) -> Score:
    """Compute corpus BLEU with sacreBLEU, one reference a sentence.

    It counts common runs of 1 to 4 tokens. Where no translation, or no
    reference, has 4 tokens, it says little, even of right ones: then a
    UserWarning says so.

    Args:
        hypotheses: translations as printed text.
        references: the expected ones, in the same order.
        tokenize: sacreBLEU's tokenizer; "13a" for European languages,
            "char" for Korean and Chinese.

    Returns:
        The score and sacreBLEU's signature.

    Raises:
        TypeError: a string instead of a list.
        ValueError: different lengths, nothing at all, a sentence with half
            a character, or an unknown tokenizer.
        ModuleNotFoundError: sacreBLEU is not installed.

    Source: Papineni et al. 2002; Post 2018.
    """
    metric = _bleu_metric(tokenize)
    result = _result(metric, hypotheses, references)
    if why := _too_short(result, references, tokenize):
        warnings.warn(why, stacklevel=2)
    return _score(metric, result)


def bleu_caveat(
    hypotheses: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
) -> str:
    """Say why BLEU says little of some translations, or rounds to 0.0.

    Args and Raises: as for `bleu`.

    Returns:
        The reason: sentences of fewer than 4 tokens; translations that are
        far too short; or no run of 4 tokens that is right. Otherwise "".

    Source: Papineni et al. 2002, section 2.
    """
    metric = _bleu_metric(tokenize)
    result = _result(metric, hypotheses, references)
    why = _too_short(result, references, tokenize)
    if why or result.score >= 0.05:
        return why
    if result.score >= 0.05 * result.bp:
        return (
            f"BLEU is low because the translations are too short: "
            f"{result.sys_len} tokens for {result.ref_len}"
        )
    right, total = result.counts[LONGEST - 1], result.totals[LONGEST - 1]
    return (
        f"BLEU is low because {right} of {total} runs of {LONGEST} tokens "
        "are right"
    )


def _bleu_metric(tokenize: str) -> "BLEU":
    with install_hint():  # slow to import, rarely needed
        from sacrebleu.metrics import BLEU
    if tokenize not in BLEU.TOKENIZERS:
        raise ValueError(
            f"tokenize={tokenize!r} is unknown to sacreBLEU; choose from "
            + ", ".join(sorted(BLEU.TOKENIZERS))
        )
    return BLEU(tokenize=tokenize)


def _too_short(result: Any, references: Sequence[str], tokenize: str) -> str:
    """Say that no run of 4 tokens can be right, for there is none."""
    if result.counts[LONGEST - 1]:
        return ""
    if not result.sys_len:
        return "BLEU is 0 because every translation is empty"
    wanted = _result(_bleu_metric(tokenize), references, references)
    short = [
        name
        for name, one in (("translation", result), ("reference", wanted))
        if not one.totals[LONGEST - 1]
    ]
    if not short:
        return ""
    return (
        f"BLEU needs sentences of {LONGEST} tokens; see chrF (no "
        f"{' and no '.join(short)} has so many, tok:{tokenize})"
    )


class Difference(NamedTuple):
    """How much better one system is than another, with an interval.

    Attributes:
        score: the difference; above 0 the first system is better.
        low: the 2.5th percentile of the difference over the draws.
        high: the 97.5th percentile.
    """

    score: float
    low: float
    high: float


def bleu_difference(
    hypotheses: Sequence[str],
    others: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
    n_draws: int = 1000,
    seed: int = 0,
) -> Difference:
    """Compare two systems in BLEU by the paired bootstrap.

    Sentences are drawn with replacement, as many as there are, and both
    systems are scored on the same draw.

    Args:
        hypotheses: translations as printed text.
        others: those of the system to compare with, in the same order.
        references: the expected ones, in the same order.
        tokenize: see `bleu`.
        n_draws: how often to draw.
        seed: decides what is drawn.

    Returns:
        BLEU of the hypotheses minus that of the others, and the interval
        that holds 95 % of the differences.

    Raises:
        TypeError: a string instead of a list, or n_draws is not a whole
            number.
        ValueError: different lengths, nothing at all, an unknown tokenizer,
            or n_draws below 1.

    Source: Koehn 2004.
    """
    check_int("n_draws", n_draws)
    systems = (hypotheses, others)
    whole = [bleu(one, references, tokenize).score for one in systems]
    n, drawn = len(references), []
    draws = np.random.default_rng(seed).integers(n, size=(n_draws, n))
    for system in systems:
        counts = _bleu_counts(system, references, tokenize)
        drawn.append(_bleu_of(counts[draws].sum(axis=1)))
    low, high = np.percentile(drawn[0] - drawn[1], [2.5, 97.5])
    return Difference(whole[0] - whole[1], float(low), float(high))


def _bleu_counts(
    hypotheses: Sequence[str], references: Sequence[str], tokenize: str
) -> np.ndarray:
    """Return what BLEU adds up: a row for each sentence."""
    with install_hint():
        from sacrebleu.metrics import BLEU
    metric = BLEU(tokenize=tokenize, effective_order=True)
    found = map(
        lambda text, wanted: metric.sentence_score(text, [wanted]),
        _composed(hypotheses),
        _composed(references),
    )
    return np.array(
        [[s.sys_len, s.ref_len, *s.counts, *s.totals] for s in found]
    )


def _bleu_of(sums: np.ndarray) -> np.ndarray:
    """Return BLEU of draws, (D, 10) to (D,); 0 where no 4-gram is right."""
    written, wanted, right, total = np.split(sums, [1, 2, 6], axis=1)
    brevity = np.minimum(0, 1 - wanted / np.maximum(written, 1))[:, 0]
    with np.errstate(divide="ignore"):
        precision = np.log(right / np.maximum(total, 1)).mean(axis=1)
    return 100 * np.exp(brevity + precision)


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
        ModuleNotFoundError: sacreBLEU is not installed.

    Source: Popović 2015; Post 2018.
    """
    with install_hint():
        from sacrebleu.metrics import CHRF
    metric = CHRF()
    return _score(metric, _result(metric, hypotheses, references))


def _result(
    metric: "Metric", hypotheses: Sequence[str], references: Sequence[str]
) -> Any:
    _check(hypotheses, references)
    ours, wanted = _composed(hypotheses), _composed(references)
    return metric.corpus_score(ours, [wanted])


def _score(metric: "Metric", result: Any) -> Score:
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

    Source: Jelinek et al. 1977.
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

    Source: Och and Ney 2003.
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
