"""Score the shipped translator on sentences that people typed.

    python benchmarks/typed_sentences.py

Four lists: `free`, what visitors would type
(toy_language/data/free.tsv); `fresh`, a later list of that kind
(benchmarks/typed_fresh.tsv, if it is there); `first`, an earlier one, by which
the grammar has grown since (benchmarks/typed_first.tsv); and `outside`,
sentences with known words in constructions that the first grammar lacked
(benchmarks/outside.tsv). The result, with every translation, is
benchmarks/results/typed_sentences.json. Nothing is chosen by `free` and
`fresh`; `first` and `outside` help to choose when a translation counts as sure.
"""

from pathlib import Path

import common
import torch

from toy_language.typed import TypedSentence, read_typed, typed_sentences
from transformer_lib.confidence.trust import counted
from transformer_lib.translator import Translator

HERE = Path(__file__).parent
FILES = {
    "fresh": "typed_fresh.tsv",
    "first": "typed_first.tsv",
    "outside": "outside.tsv",
}


def score(translator: Translator, sentences: list[TypedSentence]) -> dict:
    """Translate a list; count what is right, and what trust it had."""
    found = translator.explain([sentence.source for sentence in sentences])
    rows = [
        {
            "source": sentence.source,
            "translation": translation.text,
            "right": translation.text in sentence.accepted,
            "trust": translation.trust,
            "confidence": round(translation.confidence, 4),
            "lost_words": translation.lost_words,
            "unknown_words": translation.unknown_words,
        }
        for sentence, translation in zip(sentences, found, strict=True)
    ]
    return {
        "sentences": len(rows),
        "right": sum(row["right"] for row in rows),
        "table": counted((row["right"], row["trust"]) for row in rows),
        "with_unknown_words": sum(bool(row["unknown_words"]) for row in rows),
        "rows": rows,
    }


def main() -> None:
    parser = common.parser(__doc__)
    args = parser.parse_args()
    torch.set_num_threads(1)
    translator = Translator.shipped()
    if args.smoke:
        made_up = [TypedSentence("the cat slept .", frozenset(["x"]))]
        print(score(translator, made_up))
        return
    lists = {"free": typed_sentences()}
    for name, file in FILES.items():
        if (HERE / file).exists():
            lists[name] = read_typed(HERE / file)
    figures = {name: score(translator, some) for name, some in lists.items()}
    for name, result in figures.items():
        counts = {k: v for k, v in result.items() if k != "rows"}
        print(name, counts)
    print(common.write("typed_sentences", "cpu", figures))


if __name__ == "__main__":
    main()
