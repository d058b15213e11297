"""What toy_translator.py measures: the translator, and what needs no model.

Every figure is in per cent.
"""

from functools import partial

from toy_language.baselines import (
    both_right,
    nearest_translation,
    pairs_by_adjective,
    pairs_by_description,
)
from toy_language.corpus import LENGTHS, SentencePair, join_morphemes
from transformer_lib import evaluation
from transformer_lib.translator import Translator

SPLITS = ("valid", "test", "composition", "role", "contrast", "noun",
          "length")  # fmt: skip
PAIRED = ("contrast", "noun")


def measure(
    translator: Translator, pairs: list[SentencePair]
) -> dict[str, float]:
    """Return exact match and BLEU of one split, in per cent."""
    references = [join_morphemes(pair.target) for pair in pairs]
    results = translator.translate([pair.source for pair in pairs])
    score, signature = evaluation.bleu(results, references, "char")
    exact = 100 * evaluation.exact_match(results, references)
    return {
        "sentences": len(pairs),
        "exact_match": round(exact, 2),
        "bleu": round(score, 2),
        "signature": signature,
    }


def by_kind(
    translator: Translator, pairs: list[SentencePair]
) -> dict[str, dict[str, float]]:
    """Return the figures of each kind of a split, in alphabetical order."""
    return {
        kind: measure(translator, [pair for pair in pairs if pair.kind == kind])
        for kind in sorted({pair.kind for pair in pairs})
    }


def pairs_right(translator: Translator, pairs: list[SentencePair]) -> float:
    """Return how many pairs have both members right, in per cent."""
    found = translator.translate([pair.source for pair in pairs])
    right = [
        text == join_morphemes(pair.target)
        for text, pair in zip(found, pairs, strict=True)
    ]
    return round(100 * both_right(right), 2)


def rarity(train: list[SentencePair], pairs: list[SentencePair]) -> dict:
    """Return for each kind of `length` what training has of its lengths.

    Args:
        train: the training pairs.
        pairs: the split `length`.

    Returns:
        For each kind the least and most English words, and how many per
        cent of the training sentences have as many.
    """
    lengths = [len(pair.source.split()) for pair in train]
    found = {}
    for kind in LENGTHS:
        own = {len(p.source.split()) for p in pairs if p.kind == kind}
        share = sum(length in own for length in lengths) / len(lengths)
        found[kind] = {"least": min(own), "most": max(own),
                       "per_cent": round(100 * share, 3)}  # fmt: skip
    return found


def baselines(splits: dict[str, list[SentencePair]]) -> dict:
    """Return what needs no model: minimal pairs, exact match, in per cent."""
    train = splits["train"]
    nearest, by_table = {}, {}
    for name in SPLITS:
        pairs = splits[name]
        found = nearest_translation(train, [pair.source for pair in pairs])
        wanted = [pair.target for pair in pairs]
        exact = 100 * evaluation.exact_match(found, wanted)
        nearest[name] = round(exact, 2)
    for name in PAIRED:
        by = partial(pairs_by_adjective, train, splits[name])
        tables = {
            "adjective": by(),
            "adjective_and_not": by(polarity=True),
            "verb_adjective_and_not": by(polarity=True, verb=True),
            "description": pairs_by_description(train, splits[name]),
        }
        by_table[name] = {k: round(100 * v, 2) for k, v in tables.items()}
    return {
        "pairs": by_table,
        "nearest_translation": nearest,
        "length": rarity(train, splits["length"]),
    }


def final_figures(translator: Translator, splits: dict) -> dict:
    """Return what a trained translator scores."""
    return {
        "splits": {name: measure(translator, splits[name]) for name in SPLITS},
        "length": by_kind(translator, splits["length"]),
        "role": by_kind(translator, splits["role"]),
        "pairs_right": {
            name: pairs_right(translator, splits[name]) for name in PAIRED
        },
    }


def in_miniature(splits: dict) -> dict:
    """Return four sentences of each kind of each split."""
    few = {}
    for name, pairs in splits.items():
        kinds = sorted({pair.kind for pair in pairs})
        few[name] = [
            pair
            for kind in kinds
            for pair in [p for p in pairs if p.kind == kind][:4]
        ]
    return few
