"""Train the toy translator with several seeds; measure; ship the median.

    python benchmarks/toy_translator.py --preset small
    python benchmarks/toy_translator.py --preset full --ship

The result is benchmarks/results/toy_translator_PRESET.json: for each seed
the exact match on a part of the test split as training goes on, and exact
match and BLEU of every split at the end. ``--ship`` puts the weights of the
median seed, what tells how sure they are, and their model card into the
package. ``--smoke`` runs the same
in miniature and stores nothing in the project.
"""

import argparse
import json
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import common
import torch

from transformer_lib import evaluation
from transformer_lib.batching import pad
from transformer_lib.confidence_training import learn_toy_confidence
from transformer_lib.corpus import (
    SentencePair,
    gloss,
    join_morphemes,
    toy_splits,
)
from transformer_lib.decoding import greedy
from transformer_lib.model import count_parameters
from transformer_lib.runs import PRESETS, Run
from transformer_lib.training_data import TrainingData
from transformer_lib.translator import SHIPPED, Translator

SPLITS = ("test", "composition", "role", "contrast", "length")
EXAMPLES = (
    "the cat did not cross the river because it was too deep .",
    "i am going on a trip tomorrow .",
)


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


def train_one(args, seed: int, folder: Path, splits: dict) -> dict:
    """Train with one seed and return its figures."""
    model, config = PRESETS[args.preset]
    config = replace(config, seed=seed, bfloat16=args.device == "cuda")
    if args.steps:
        config = replace(config, steps=args.steps)
    run = Run.start(
        folder,
        TrainingData(preset=args.preset),
        model,
        config,
        args.device,
        eval_interval=config.steps,
    )
    spent = {"cpu": 0.0, "wall": 0.0}
    clock = {"cpu": time.process_time(), "wall": time.monotonic()}
    losses, curve = [], []

    def pause():
        spent["cpu"] += time.process_time() - clock["cpu"]
        spent["wall"] += time.monotonic() - clock["wall"]

    def go_on():
        clock["cpu"], clock["wall"] = time.process_time(), time.monotonic()

    def on_step(stats):
        losses.append(stats.loss)
        if stats.step % args.eval_interval and stats.step != config.steps:
            return
        pause()
        translator = Translator(run.state.model, run.tokenizer)
        score = measure(translator, splits["test"][: args.part])
        curve.append(
            {
                "step": stats.step,
                "cpu_seconds": round(spent["cpu"], 1),
                "wall_seconds": round(spent["wall"], 1),
                "exact_match": score["exact_match"],
            }
        )
        print(f"seed {seed}: {curve[-1]}", flush=True)
        go_on()

    run.train(on_step=on_step)
    trained = Translator.load(folder, args.device)
    return {
        "seed": seed,
        "steps": config.steps,
        "parameters": count_parameters(run.state.model.config),
        "curve": curve,
        "loss_per_step": [round(float(loss), 4) for loss in losses],
        "splits": {
            name: measure(trained, splits[name][: args.limit])
            for name in SPLITS
        },
    }


def median_run(runs: list[dict]) -> dict:
    """Return the run whose exact match on the test split is the median."""
    middle = statistics.median_low(
        run["splits"]["test"]["exact_match"] for run in runs
    )
    return next(
        run for run in runs if run["splits"]["test"]["exact_match"] == middle
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
    sure = info["confidence"]
    return f"""# Model card: the toy English->Korean translator

A Transformer with {run["parameters"]:,} parameters, trained on sentences that
a small grammar writes. It knows about 400 English words and the constructions
of that grammar, and nothing else. It is made for learning how a Transformer
works, not for translating.

- **Data**: `transformer_lib.corpus`, preset `{result["preset"]}`, seed 0;
  generated, no text of others.
- **Model**: {_facts(info["model"])}.
- **Training**: {_facts(info["train"])}.
- **Device and time**: {result["device"]}, torch {result["torch"]};
  {last["cpu_seconds"]:.0f} CPU seconds.
- **Choice**: the median of the seeds {", ".join(map(str, seeds))} by exact
  match on the test split; the weights after the last step.
- **Confidence**: in the half that chose the threshold, unsure are
  {sure["right_flagged"]} of {sure["right"]} right translations,
  {sure["wrong_flagged"]} of {sure["wrong"]} wrong ones and
  {sure["spoilt_flagged"]} of {sure["spoilt"]} spoilt sentences.
- **Made by**: `{result["command"]}`

| split | sentences | exact match % | BLEU |
|---|---:|---:|---:|
{rows}

BLEU signature: `{run["splits"]["test"]["signature"]}`.

- test: unseen sentences; composition: pairs of words never seen together;
  role: nouns in a grammatical role they never had in training; contrast:
  pairs that differ in one adjective, which decides what "it" is; length:
  longer than any training sentence. The failure on `length` is a finding,
  not a bug: see chapter 16.

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


def ship(result: dict, run: dict, folder: Path) -> None:
    """Learn the confidence; copy the model and its tokenizer."""
    learn_toy_confidence(folder, result["preset"])
    text = card(result, run, folder)
    SHIPPED.mkdir(parents=True, exist_ok=True)
    for old in SHIPPED.iterdir():
        old.unlink()
    names = ["tokenizer.json", "model.json"]
    names += [p.name for p in folder.glob("model-*.safetensors")]
    for name in names:
        shutil.copyfile(folder / name, SHIPPED / name)
    (SHIPPED / "MODEL_CARD.md").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--preset", default="small")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int)
    parser.add_argument("--eval-interval", type=int, default=250)
    parser.add_argument("--part", type=int, default=500)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--ship", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    if args.smoke:
        args.seeds, args.steps, args.eval_interval = [0, 1], 4, 2
        args.part, args.limit = 5, 5
    torch.set_num_threads(1)
    splits = toy_splits(args.preset)
    with tempfile.TemporaryDirectory() as scratch:
        folders = {seed: Path(scratch) / str(seed) for seed in args.seeds}
        runs = [
            train_one(args, seed, folder, splits)
            for seed, folder in folders.items()
        ]
        if args.smoke:
            print(runs[0]["splits"])
            return
        figures = {"preset": args.preset, "runs": runs}
        name = f"toy_translator_{args.preset}"
        path = common.write(name, args.device, figures)
        print(path)
        if args.ship:
            result = json.loads(path.read_text(encoding="utf-8"))
            run = median_run(runs)
            ship(result, run, folders[run["seed"]])


if __name__ == "__main__":
    main()
