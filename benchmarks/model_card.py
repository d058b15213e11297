"""The model card of the toy translator, written from its stored figures."""

import json
import statistics
from pathlib import Path

from toy_language.corpus import LENGTHS, gloss, join_morphemes
from toy_language.grammar.lexicon import load_lexicon
from transformer_lib.batching import pad
from transformer_lib.cli.confidence import report
from transformer_lib.decoding import greedy
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
    roles = [part["exact_match"] for part in run["role"].values()]
    right = run["pairs_right"]
    words_of = {
        kind.split(", ")[1]: f"{part['least']} to {part['most']} words"
        for kind, part in base["length"].items()
    }
    words = len({entry.english for entry in load_lexicon()})
    return f"""# Model card: the toy English->Korean translator

A Transformer with {run["parameters"]:,} parameters, trained on sentences that
a grammar of a first textbook's English writes. It knows {words} nouns, verbs
and other words of a lexicon beside the small words between them, the
constructions of that grammar, and nothing else. It is made for learning how a
Transformer works, not for translating.

- **Data**: `toy_language.corpus`, preset `{result["preset"]}`, seed 0;
  generated, no text of others.
- **Model**: {_facts(info["model"])}.
- **Training**: {_facts(info["train"])}.
- **Device and time**: {result["device"]}, torch {result["torch"]};
  {last["cpu_seconds"]:.0f} CPU seconds.
- **Choice**: the median of the seeds {", ".join(map(str, seeds))} by exact
  match in validation; the weights after the last step. No other split chose
  anything.
- **Confidence**: sure, perhaps or doubtful; chosen by half of the
  validation sentences and by the typed sentences of two lists, all below.
- **Made by**: `{result["command"]}`

| split | sentences | exact match % | BLEU |
|---|---:|---:|---:|
{rows}

BLEU signature: `{run["splits"]["test"]["signature"]}`.

- valid, test: unseen sentences; composition: pairs of words never seen
  together; role: nouns in a grammatical role they never had in training;
  contrast: pairs that differ in one adjective, which decides what "it" is;
  noun: pairs in which the object decides; length: more clauses than in
  training, or more words, or both. The failure on `length` is a finding, not
  a bug: see laboratory 16.

Length tells structure and positions apart, and has as many sentences of each
number of words in either row (exact match %):

| | {words_of["known positions"]} | {words_of["new positions"]} |
|---|---:|---:|
| known structure | {length[LENGTHS[0]]:.1f} | {length[LENGTHS[1]]:.1f} |
| new structure | {length[LENGTHS[2]]:.1f} | {length[LENGTHS[3]]:.1f} |

Of the training sentences \
{base["length"][LENGTHS[0]]["per_cent"]:.2f} % are that long, the others are
shorter.

Of the {len(roles)} nouns of role, exact match is {min(roles):.0f} to \
{max(roles):.0f} %, {statistics.median(roles):.0f} in the median.

| both sentences of a pair right, % | contrast | noun |
|---|---:|---:|
| the translator | {right["contrast"]:.1f} | {right["noun"]:.1f} |
| a table of adjectives | {_row(base, "adjective")} |
| adjectives and "not" | {_row(base, "adjective_and_not")} |
| verb, adjective and "not" | {_row(base, "verb_adjective_and_not")} |
| what each noun is said to be | {_row(base, "description")} |

So to decide what "it" is in *contrast* the nouns are hardly needed; in *noun*
they are. The most similar training sentence
with one word exchanged is the right translation of
{base["nearest_translation"]["test"]:.1f} % of the test sentences.

How many translations are wrong among those that it is sure of, that it calls
perhaps right, and that it calls doubtful, with 95 % Wilson intervals. By
these lists the limits are chosen; `book/results.md` has lists that chose
nothing:

{sure}

Examples (morpheme, romanization, meaning):

{examples}"""


def _row(base: dict, table: str) -> str:
    pairs = base["pairs"]
    return f"{pairs['contrast'][table]:.1f} | {pairs['noun'][table]:.1f}"


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
