"""Train the toy translator with several seeds; measure; ship the median.

    python benchmarks/toy_translator.py --preset small
    python benchmarks/toy_translator.py --preset full --ship
    python benchmarks/toy_translator.py --preset full --device cuda \\
        --curve valid --name toy_translator_gpu

The result is benchmarks/results/toy_translator_PRESET.json, or another
``--name``, written anew after every seed: the exact match on a part of the test
split (or of ``--curve``) as training goes on, where it first reached 99 %, the
loss of each step; and at the end exact match and BLEU of every split, the
parts of `length`, the nouns of `role`, and how many pairs of `contrast` and of
`noun` have both members right. On a CPU what needs no model stands beside them
(toy_language/baselines.py). ``--missing`` keeps the stored seeds and
trains the others. ``--ship`` puts the weights of the seed that is the median on
validation, what tells how sure they are, and their model card into the package.
``--baselines`` measures only what needs no model, beside the runs that are
stored, and writes the card anew. ``--smoke`` runs the same in miniature and
stores nothing in the project.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import common
import torch
from model_card import card
from toy_figures import (
    SPLITS,
    baselines,
    final_figures,
    in_miniature,
    measure,
)

from toy_language.corpus import SentencePair, toy_splits
from transformer_lib.cli.confidence import learn_toy_confidence
from transformer_lib.model import count_parameters
from transformer_lib.presets import PRESETS
from transformer_lib.runs import Run
from transformer_lib.training_data import TrainingData
from transformer_lib.translator import SHIPPED, Translator

GOAL = 99.0  # per cent of exact matches
# They help to choose when a translation counts as sure.
TYPED = [
    Path(__file__).parent / name for name in ("typed_first.tsv", "outside.tsv")
]


def start(args, seed: int, folder: Path) -> Run:
    """Prepare a run before its first step."""
    architecture, config = PRESETS[args.preset]
    config = replace(config, seed=seed, bfloat16=args.device == "cuda")
    if args.steps:
        config = replace(config, steps=args.steps)
    data = TrainingData(preset=args.preset)
    return Run.start(
        folder,
        data,
        architecture,
        config,
        args.device,
        eval_interval=config.steps,
    )


def learn(run: Run, args, pairs: list[SentencePair]) -> tuple[list, list]:
    """Train to the end; return the learning curve and each step's loss."""
    steps, seed = run.state.config.steps, run.state.config.seed
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
        if stats.step % args.eval_interval and stats.step != steps:
            return
        float(stats.loss)  # a GPU has done all until here
        pause()
        translator = Translator(run.state.model, run.tokenizer)
        score = measure(translator, pairs)
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
    return curve, [round(float(loss), 4) for loss in losses]


def train_one(args, seed: int, folder: Path, splits: dict) -> dict:
    """Train with one seed and return its figures."""
    run = start(args, seed, folder)
    curve, losses = learn(run, args, splits[args.curve][: args.part])
    return {
        "seed": seed,
        "steps": run.state.config.steps,
        "parameters": count_parameters(run.state.model.config),
        "origin": common.origin(args.device),
        "reached": reached(curve),
        "curve": curve,
        "loss_per_step": losses,
    } | final_figures(Translator.load(folder, args.device), splits)


def reached(curve: list[dict]) -> dict | None:
    """Return the first point of a curve that has GOAL right, if one has."""
    return next((one for one in curve if one["exact_match"] >= GOAL), None)


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
    name = f"toy_translator_{preset}"
    result = common.stored(name) | {"baselines": baselines(splits)}
    common.rewrite(name, result)
    if preset == "full":  # the preset of the shipped model
        text = card(result, median_run(result["runs"]), SHIPPED)
        (SHIPPED / "MODEL_CARD.md").write_text(text, encoding="utf-8")


def stored(args) -> list[dict]:
    """Return the stored runs that --missing keeps.

    Raises:
        ValueError: they are of another corpus or another number of steps.
    """
    old = common.stored(args.name)
    if args.smoke or not args.missing or not old:
        return []
    steps = args.steps or PRESETS[args.preset][1].steps
    for run in old["runs"]:
        same = old["preset"], run["steps"]
        if same != (args.preset, steps):
            raise ValueError(f"{args.name} holds another training: {same}")
    return old["runs"]


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__, devices=True)
    parser.add_argument("--preset", choices=["small", "full"], default="small")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int)
    parser.add_argument("--eval-interval", type=int, default=250)
    parser.add_argument("--part", type=int, default=500)
    parser.add_argument("--curve", choices=SPLITS, default="test")
    parser.add_argument("--name", help="of the result")
    parser.add_argument(common.MISSING, action="store_true")
    parser.add_argument("--ship", action="store_true")
    parser.add_argument("--baselines", action="store_true")
    args = parser.parse_args()
    args.name = args.name or f"toy_translator_{args.preset}"
    if args.ship and args.missing:
        parser.error("--ship needs the weights of all seeds, not only some")
    if args.smoke:
        args.preset, args.seeds, args.steps = "small", [0, 1], 4
        args.eval_interval, args.part, args.ship = 2, 5, False
    return args


def measure_all(args, splits: dict, scratch: Path) -> dict:
    """Train with every seed; store after each one."""
    figures = {"preset": args.preset, "curve_of": args.curve, "goal": GOAL}
    if args.device == "cpu" or args.ship:  # no GPU waits for these
        figures["baselines"] = baselines(splits)
    runs = stored(args)
    there = [run["seed"] for run in runs]
    for seed in [seed for seed in args.seeds if seed not in there]:
        runs.append(train_one(args, seed, scratch / str(seed), splits))
        figures |= {"median_seed": median_run(runs)["seed"], "runs": runs}
        common.keep(args, args.name, figures)
    return figures


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    splits = toy_splits(args.preset)
    if args.smoke:
        splits = in_miniature(splits)
    elif args.baselines:
        baselines_anew(args.preset, splits)
        return
    with tempfile.TemporaryDirectory() as scratch:
        figures = measure_all(args, splits, Path(scratch))
        common.tell(args, args.name, figures)
        if args.ship:
            run = median_run(figures["runs"])
            folder = Path(scratch) / str(run["seed"])
            ship(common.stored(args.name), run, folder)


if __name__ == "__main__":
    main()
