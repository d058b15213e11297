"""Small tasks as tables: the goats, the two halves, typed sentences."""

from __future__ import annotations

from result_text import middle, span, table

from transformer_lib.confidence.trust import described

TYPED = {
    "free": "typed by people who saw the list of words",
    "fresh": "typed by somebody else, who saw only that list",
    "first": "an earlier list, by which the grammar has grown",
    "outside": "known words, other grammar",
}

WORDS = {
    "all": "all tokens",
    "article": "English articles, possessives",
    "adjective": "adjectives",
    "noun": "nouns",
    "verb": "verbs",
    "particle": "Korean particles",
    "other": "everything else",
}


def goats(result: dict) -> str:
    """Show how many updates each way to read a text needed."""
    rows = []
    for group in result["groups"]:
        needed = [n for n in group["needed"] if n is not None]
        learned = f"{len(needed)} of {len(group['needed'])}"
        rows.append([group["task"], group["kind"], f"{group['rate']:g}",
                     learned, middle(needed) if needed else "-"])  # fmt: skip
    rows.sort(key=lambda row: (row[0], row[1], -float(row[2])))
    head = ["task", "read by", ">learning rate", ">learned", ">updates"]
    return table(head, rows)


def two_halves(result: dict) -> str:
    """Show what a masked and a causal model guess right, by kind of word."""
    runs, models = result["runs"], ("masked", "causal")
    rows = [
        [text, *(middle(100 * r[name][kind] for r in runs) for name in models)]
        for kind, text in WORDS.items()
    ]
    steps = [span([result["steps"][name]]) for name in models]
    seconds = [span(round(r[n]["cpu_seconds"]) for r in runs) for n in models]
    rows += [["steps", *steps], ["CPU seconds", *seconds]]
    rows.append(["fine-tuned", *(tuned_right(runs, name) for name in models)])
    head = ["right guesses, %", ">hidden words", ">next words"]
    perplexity = middle(run["causal"]["perplexity"] for run in runs)
    text = (
        f"Median and, in brackets, lowest and highest of {len(runs)} seeds. "
        f"Perplexity of the next word: {perplexity}. Fine-tuned without any "
        f"pre-training: {tuned_right(runs, 'scratch')}."
    )
    return table(head, rows) + "\n\n" + text


def tuned_right(runs: list[dict], start: str, labels: str = "50") -> str:
    """Return right answers in per cent after fine-tuning with few labels.

    Of the learning rates the one that is best on the validation sentences.
    """
    found = [run["fine_tuning"]["person"][start][labels] for run in runs]
    rate = max(found[0], key=lambda r: sum(one[r]["valid"] for one in found))
    return middle(100 * one[rate]["test"] for one in found)


def typed_sentences(result: dict) -> str:
    """Show how many typed sentences are wrong, by how far it trusts them."""
    rows = []
    for name, text in TYPED.items():
        if name in result:
            part = result[name]
            counts = [str(part["sentences"]), str(part["right"])]
            rows.append([text, *counts, *described(part["table"])])
    head = ["list", ">sentences", ">right", ">sure: wrong", ">perhaps: wrong",
            ">do not trust: wrong"]  # fmt: skip
    return table(head, rows)
