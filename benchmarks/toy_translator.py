"""Train the toy translator with several seeds; measure; ship the median.

    python benchmarks/toy_translator.py --preset small
    python benchmarks/toy_translator.py --preset full --ship

The result is benchmarks/results/toy_translator_PRESET.json: for each seed
the exact match on a part of the test split as training goes on, and at the
end exact match and BLEU of every split, the parts of `length`, the nouns of
`role`, and how many pairs of `contrast` and of `noun` have both members right.
Beside them stands what needs no model
(transformer_lib/toy/baselines.py). ``--ship`` puts the weights of the seed
that is the median on validation, what tells how sure they are, and their model
card into the package. ``--baselines`` measures only what needs no model, beside
the runs that are stored, and writes the card anew. ``--smoke`` runs the same in
miniature and stores nothing in the project.
"""

import argparse
import json
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import common
import torch
from model_card import card

from transformer_lib import evaluation
from transformer_lib.cli.confidence import learn_toy_confidence
from transformer_lib.model import count_parameters
from transformer_lib.presets import PRESETS
from transformer_lib.runs import Run
from transformer_lib.toy.baselines import (
    both_right,
    nearest_translation,
    pairs_by_adjective,
    pairs_by_description,
)
from transformer_lib.toy.corpus import (
    LENGTHS,
    SentencePair,
    join_morphemes,
    toy_splits,
)
from transformer_lib.training_data import TrainingData
from transformer_lib.translator import SHIPPED, Translator

SPLITS = ("valid", "test", "composition", "role", "contrast", "noun",
          "length")  # fmt: skip
PAIRED = ("contrast", "noun")
# They help to choose when a translation counts as sure.
TYPED = [
    Path(__file__).parent / name for name in ("typed_first.tsv", "outside.tsv")
]


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


def train_one(args, seed: int, folder: Path, splits: dict) -> dict:
    """Train with one seed and return its figures."""
    architecture, config = PRESETS[args.preset]
    config = replace(config, seed=seed, bfloat16=args.device == "cuda")
    if args.steps:
        config = replace(config, steps=args.steps)
    run = Run.start(
        folder,
        TrainingData(preset=args.preset),
        architecture,
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
    return {
        "seed": seed,
        "steps": config.steps,
        "parameters": count_parameters(run.state.model.config),
        "curve": curve,
        "loss_per_step": [round(float(loss), 4) for loss in losses],
    } | final_figures(Translator.load(folder, args.device), splits)


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


def median_run(runs: list[dict]) -> dict:
    """Return the run whose exact match in validation is the median.

    The test split chooses nothing.
    """
    middle = statistics.median_low(
        run["splits"]["valid"]["exact_match"] for run in runs
    )
    return next(
        run for run in runs if run["splits"]["valid"]["exact_match"] == middle
    )


def ship(result: dict, run: dict, folder: Path) -> None:
    """Learn the confidence; copy the model and its tokenizer."""
    learn_toy_confidence(folder, result["preset"], typed=TYPED)
    text = card(result, run, folder)
    SHIPPED.mkdir(parents=True, exist_ok=True)
    for old in SHIPPED.iterdir():
        old.unlink()
    names = ["tokenizer.json", "model.json"]
    names += [p.name for p in folder.glob("model-*.safetensors")]
    for name in names:
        shutil.copyfile(folder / name, SHIPPED / name)
    (SHIPPED / "MODEL_CARD.md").write_text(text, encoding="utf-8")


def baselines_anew(preset: str, splits: dict) -> None:
    """Measure the baselines beside stored runs; write the card anew."""
    path = common.RESULTS / f"toy_translator_{preset}.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    result["baselines"] = baselines(splits)
    text = json.dumps(result, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    if preset == "full":  # the preset of the shipped model
        text = card(result, median_run(result["runs"]), SHIPPED)
        (SHIPPED / "MODEL_CARD.md").write_text(text, encoding="utf-8")


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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--preset", default="small")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int)
    parser.add_argument("--eval-interval", type=int, default=250)
    parser.add_argument("--part", type=int, default=500)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--ship", action="store_true")
    parser.add_argument("--baselines", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    if args.smoke:
        args.seeds, args.steps, args.eval_interval = [0, 1], 4, 2
        args.part = 5
    torch.set_num_threads(1)
    splits = toy_splits(args.preset)
    if args.smoke:
        splits = in_miniature(splits)
    elif args.baselines:
        baselines_anew(args.preset, splits)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folders = {seed: Path(scratch) / str(seed) for seed in args.seeds}
        runs = [
            train_one(args, seed, folder, splits)
            for seed, folder in folders.items()
        ]
        if args.smoke:
            print(runs[0]["splits"], baselines(splits))
            return
        figures = {
            "preset": args.preset,
            "baselines": baselines(splits),
            "runs": runs,
        }
        name = f"toy_translator_{args.preset}"
        path = common.write(name, args.device, figures)
        print(path)
        if args.ship:
            result = json.loads(path.read_text(encoding="utf-8"))
            run = median_run(runs)
            ship(result, run, folders[run["seed"]])


if __name__ == "__main__":
    main()
