"""How good is a translation? Exact match and BLEU."""

from collections.abc import Sequence
from typing import NamedTuple


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    for given in (hypotheses, references):
        if isinstance(given, str):
            raise TypeError(
                f"a list of sentences is wanted, not the string {given!r}"
            )
    if len(hypotheses) != len(references) or not references:
        raise ValueError(
            f"{len(hypotheses)} hypotheses came with {len(references)} "
            "references; give one each, and at least one"
        )


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Return the share of sentences that are right from end to end.

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


class Bleu(NamedTuple):
    """A BLEU score, 0 to 100, and the signature that makes it comparable."""

    score: float
    signature: str


def bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
) -> Bleu:
    """Compute corpus BLEU with sacreBLEU, one reference a sentence.

    Args:
        hypotheses: translations as printed text.
        references: the expected ones, in the same order.
        tokenize: sacreBLEU's tokenizer; "13a" for European languages,
            "char" for Korean and Chinese.

    Raises:
        TypeError, ValueError: as for `exact_match`.

    Source: Papineni et al. 2002; Post 2018. Chapters 15 and 17.
    """
    from sacrebleu.metrics import BLEU  # slow to import, rarely needed

    _check(hypotheses, references)
    metric = BLEU(tokenize=tokenize)
    result = metric.corpus_score(list(hypotheses), [list(references)])
    return Bleu(result.score, str(metric.get_signature()))
