"""The model card of the toy translator, written from its stored figures."""

import json
from pathlib import Path

from transformer_lib.batching import pad
from transformer_lib.cli.confidence import report
from transformer_lib.decoding import greedy
from transformer_lib.toy.corpus import LENGTHS, gloss, join_morphemes
from transformer_lib.toy.grammar.lexicon import load_lexicon
from transformer_lib.translator import Translator

EXAMPLES = (
    "the cat did not cross the river because it was too deep .",
    "i am going on a trip tomorrow .",
)


def card(result: dict, run: dict, folder: Path) -> str:
    """Write the model card of the weights in a folder."""
    info = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    translator = Translator.load(folder)
    rows = "\n".join(
        f"| {name} | {s['sentences']} | {s['exact_match']:.1f} | "
        f"{s['bleu']:.1f} |"
        for name, s in run["splits"].items()
    )
    examples = "\n".join(example(translator, text) for text in EXAMPLES)
    seeds = [other["seed"] for other in result["runs"]]
    last = run["curve"][-1]
    sure = "\n".join(report(info["confidence"]))
    base = result["baselines"]
    length = {k: part["exact_match"] for k, part in run["length"].items()}
    words = len({entry.english for entry in load_lexicon()})
    return f"""# Model card: the toy English->Korean translator

A Transformer with {run["parameters"]:,} parameters, trained on sentences that
a grammar of a first textbook's English writes. It knows {words} nouns, verbs
and other words of a lexicon beside the small words between them, the
constructions of that grammar, and nothing else. It is made for learning how a
Transformer works, not for translating.

- **Data**: `transformer_lib.toy.corpus`, preset `{result["preset"]}`, seed 0;
  generated, no text of others.
- **Model**: {_facts(info["model"])}.
- **Training**: {_facts(info["train"])}.
- **Device and time**: {result["device"]}, torch {result["torch"]};
  {last["cpu_seconds"]:.0f} CPU seconds.
- **Choice**: the median of the seeds {", ".join(map(str, seeds))} by exact
  match in validation; the weights after the last step. No other split chose
  anything.
- **Confidence**: sure, perhaps or do not trust; chosen by half of the
  validation sentences and by the typed sentences of two lists, all below.
- **Made by**: `{result["command"]}`

| split | sentences | exact match % | BLEU |
|---|---:|---:|---:|
{rows}

BLEU signature: `{run["splits"]["test"]["signature"]}`.

- valid, test: unseen sentences; composition: pairs of words never seen
  together; role: nouns in a grammatical role they never had in training;
  contrast: pairs that differ in one adjective, which decides what "it" is;
  length: more clauses than in training, or more words, or both. The failure
  on `length` is a finding, not a bug: see chapter 15.

Length tells structure and positions apart (exact match %):

| | known positions | new positions |
|---|---:|---:|
| known structure | {run["splits"]["test"]["exact_match"]:.1f} (test) | \
{length[LENGTHS[0]]:.1f} |
| new structure | {length[LENGTHS[1]]:.1f} | {length[LENGTHS[2]]:.1f} |

Both sentences of a minimal pair are right in {run["pairs_right"]:.1f} % of the
pairs. A table of what each adjective most often speaks of would get
{base["pairs_by_adjective"]:.1f} %, one that also knows whether there is a "not"
{base["pairs_by_adjective_and_not"]:.1f} %, and one of verb, adjective and "not"
{base["pairs_by_verb_adjective_and_not"]:.1f} %: the nouns are not needed
to decide what "it" is. The most similar training sentence
with one word exchanged is the right translation of
{base["nearest_translation"]["test"]:.1f} % of the test sentences.

How many translations are wrong among those that it is sure of, that it calls
perhaps right, and that it says not to trust, with 95 % Wilson intervals. By
these lists the limits are chosen; `book/results.md` has lists that chose
nothing:

{sure}

Examples (morpheme, romanization, meaning):

{examples}"""


def _facts(config: dict) -> str:
    return ", ".join(f"{key} {value}" for key, value in config.items())


def example(translator: Translator, text: str) -> str:
    """Show one translation with romanization and gloss."""
    ids = translator.tokenizer.encode(text)
    tokens = greedy(translator.model, pad([ids]))[0].tokens
    target = " ".join(translator.tokenizer.token(i) for i in tokens)
    columns = list(zip(*gloss(target), strict=True))
    table = "\n".join("| " + " | ".join(row) + " |" for row in columns)
    line = "|" + "---|" * len(columns[0])
    first, rest = table.split("\n", 1)
    return f"*{text}* {join_morphemes(target)}\n\n{first}\n{line}\n{rest}\n"
