"""Score the shipped translator on sentences that people typed.

    python benchmarks/typed_sentences.py

Three lists: `free`, what visitors would type
(transformer_lib/toy/data/free.tsv); `first`, an earlier list of that kind, by
which the grammar has grown since (benchmarks/typed_first.tsv); and `outside`,
sentences with known words in constructions that the first grammar lacked
(benchmarks/outside.tsv). The result, with every translation, is
benchmarks/results/typed_sentences.json. Nothing is chosen by `free` and
`outside`.
"""

import argparse
from pathlib import Path

import common
import torch

from transformer_lib.toy.typed import TypedSentence, read_typed, typed_sentences
from transformer_lib.translator import Translator

HERE = Path(__file__).parent


def score(translator: Translator, sentences: list[TypedSentence]) -> dict:
    """Translate a list and count what is right and what is called unsure."""
    found = translator.explain([sentence.source for sentence in sentences])
    rows = [
        {
            "source": sentence.source,
            "translation": translation.text,
            "right": translation.text in sentence.accepted,
            "sure": translation.is_sure,
            "confidence": round(translation.confidence, 4),
            "unknown_words": translation.unknown_words,
        }
        for sentence, translation in zip(sentences, found, strict=True)
    ]
    right = [row for row in rows if row["right"]]
    wrong = [row for row in rows if not row["right"]]
    return {
        "sentences": len(rows),
        "right": len(right),
        "wrong": len(wrong),
        "right_flagged": sum(not row["sure"] for row in right),
        "wrong_flagged": sum(not row["sure"] for row in wrong),
        "with_unknown_words": sum(bool(row["unknown_words"]) for row in rows),
        "rows": rows,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    translator = Translator.shipped()
    if args.smoke:
        made_up = [TypedSentence("the cat slept .", frozenset(["x"]))]
        print(score(translator, made_up))
        return
    figures = {
        "free": score(translator, typed_sentences()),
        "first": score(translator, read_typed(HERE / "typed_first.tsv")),
        "outside": score(translator, read_typed(HERE / "outside.tsv")),
    }
    for name, result in figures.items():
        counts = {k: v for k, v in result.items() if k != "rows"}
        print(name, counts)
    print(common.write("typed_sentences", "cpu", figures))


if __name__ == "__main__":
    main()
