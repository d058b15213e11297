"""Train a translator on Multi30k and measure BLEU on its test set.

    python -m transformer_lib fetch multi30k
    python benchmarks/multi30k.py
    python benchmarks/multi30k.py --add --seeds 1
    python benchmarks/multi30k.py --recipe gpu --device cuda \\
        --directions en-de de-en --seeds 0 1 2 --ablations

The result is benchmarks/results/multi30k_RECIPE.json, written anew after
every run: the learning curve on the validation set, and BLEU (cased, 13a) on
test_2016_flickr, greedy and with a beam of 5, for the last weights, for the
checkpoint with the lowest validation loss and for the mean of the last
checkpoints. A run that was stopped goes on where it was when the command is
given again. ``--add`` keeps the stored runs that are not measured anew, and
``--missing`` keeps all and measures the others; every run tells where it comes
from. ``--smoke`` does the same in miniature on sentences of the toy corpus and
stores nothing.
"""

import argparse
import json
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import common
import torch
from sacrebleu.metrics import BLEU
from variants import VARIANTS

from transformer_lib import evaluation
from transformer_lib.model import Transformer, count_parameters
from transformer_lib.model_config import Architecture
from transformer_lib.parallel_text import read_lines
from transformer_lib.runs import Run
from transformer_lib.search import Search
from transformer_lib.toy.corpus import toy_splits
from transformer_lib.train_config import TrainConfig
from transformer_lib.training_data import TrainingData
from transformer_lib.translator import Translator

TEST = "test_2016_flickr"
BEAM = 5
DRAWS = 1000
ABLATIONS = ("unsmoothed", "pre_norm_cold", "untied", "heads_1",
             "no_positions")  # fmt: skip
CPU = Architecture(
    d_model=256,
    n_heads=4,
    d_ff=512,
    n_layers=3,
    dropout=0.2,
    norm_first=True,
    max_length=128,
)
RECIPES = {  # sizes, training, size of the vocabulary
    "cpu": (
        CPU,
        TrainConfig(steps=4400, tokens_per_batch=2500, max_lr=1e-3, warmup=400),
        3000,
    ),
    "gpu": (
        replace(CPU, d_ff=1024, n_layers=4, dropout=0.3),
        TrainConfig(steps=6000, tokens_per_batch=8000, max_lr=1e-3, warmup=600),
        6000,
    ),
}


def start(args, folder: Path, direction: str, name: str, seed: int) -> Run:
    """Prepare a new run."""
    sizes, recipe, vocabulary = RECIPES[args.recipe]
    source, target = direction.split("-")
    variant = VARIANTS[name]
    recipe = replace(
        recipe,
        seed=seed,
        bfloat16=args.device == "cuda",
        steps=args.steps or recipe.steps,
        **variant.training,
    )
    files = [f"{part}.{lang}" for part in ("train", "val")
             for lang in (source, target)]  # fmt: skip
    data = TrainingData(
        None,
        *(str((args.data / file).resolve()) for file in files),
        vocab_size=vocabulary,
        skip_long=True,
    )
    sizes = replace(sizes, **variant.model, **args.sizes)
    return Run.start(
        folder,
        data,
        sizes,
        recipe,
        args.device,
        args.eval_interval,
        args.average,
    )


@torch.no_grad()
def changed(model: Transformer, name: str) -> Transformer:
    """Do to a model what the variant does; no checkpoint holds it."""
    VARIANTS[name].change(model)
    return model


def score(
    translator: Translator,
    source: list[str],
    reference: list[str],
    beam: int = 1,
) -> dict:
    """Return BLEU, the same without capitals, chrF and the time it took.

    `plus_minus` is half of BLEU's 95 % interval over 1,000 draws of the
    sentences (bootstrap); the draws are the same at each call.
    """
    began = time.monotonic()
    results = translator.translate(source, Search(beam_size=beam))
    seconds = time.monotonic() - began
    bleu = evaluation.bleu(results, reference)
    lower = evaluation.bleu(*([text.lower() for text in side]
                              for side in (results, reference)))  # fmt: skip
    drawn = BLEU().corpus_score(results, [reference], n_bootstrap=DRAWS)
    return {
        "bleu": round(bleu.score, 2),
        "plus_minus": round(drawn._ci, 2),
        "signature": bleu.signature,
        "bleu_lower_cased": round(lower.score, 2),
        "chrf": round(evaluation.chrf(results, reference).score, 2),
        "seconds": round(seconds, 1),
    }


def sides(args, part: str, direction: str) -> list[list[str]]:
    """Return the source and target lines of a part of the corpus."""
    found = [read_lines(args.data / f"{part}.{language}")
             for language in direction.split("-")]  # fmt: skip
    return [lines[: args.limit] for lines in found]


def learn(run: Run, label: str, valid: list[list[str]]) -> list[dict]:
    """Train to the end; return the learning curve, also of earlier calls."""
    path = run.folder / "curve.json"
    curve = json.loads(path.read_text("utf-8")) if path.exists() else []
    curve = [point for point in curve if point["step"] <= run.state.step]
    spent = curve[-1]["wall_seconds"] if curve else 0.0
    clock = [time.monotonic()]

    def on_evaluation(entry):
        nonlocal spent
        if "average" in entry:
            return
        spent += time.monotonic() - clock[0]
        translator = Translator(run.state.model, run.tokenizer)
        bleu = score(translator, *valid)["bleu"]
        keep = ("step", "train_loss", "valid_loss", "tokens_per_second")
        point = {key: entry[key] for key in keep}
        point |= {"wall_seconds": round(spent, 1), "valid_bleu": bleu}
        curve.append(point)
        path.write_text(json.dumps(curve), encoding="utf-8")
        print(label, point, flush=True)
        clock[0] = time.monotonic()

    run.train(on_evaluation=on_evaluation)
    return curve


def train_one(args, direction: str, name: str, seed: int) -> dict:
    """Train one translator and return its figures."""
    label = f"{direction} {name} {seed}"
    folder = args.runs / args.recipe / label.replace(" ", "/")
    if (folder / "run.json").exists():
        run = Run.resume(folder, args.device)
    else:
        run = start(args, folder, direction, name, seed)
    changed(run.state.model, name)
    curve = learn(run, label, sides(args, "val", direction))
    last = run.state
    mean = run.averaged()
    models = {
        "last": last.model,
        "lowest_loss": Translator.load(folder, args.device).model,
        "average": mean.model,
    }
    models = {
        kind: Translator(changed(model, name), run.tokenizer)
        for kind, model in models.items()
    }
    test = sides(args, TEST, direction)
    scores = {
        kind: {
            "greedy": score(model, *test),
            f"beam_{BEAM}": score(model, *test, beam=BEAM),
        }
        for kind, model in models.items()
    }
    print(label, scores, flush=True)
    return {
        "direction": direction,
        "variant": name,
        "text": VARIANTS[name].text,
        "seed": seed,
        "parameters": count_parameters(last.model.config),
        "model": asdict(last.model.config),
        "training": asdict(last.config),
        "sentence_pairs": len(run.pairs),
        "averaged": run.average,
        "origin": common.origin(args.device),
        "curve": curve,
        "test": scores,
    }


def toy_files(folder: Path) -> None:
    """Write toy sentences under the names of the corpus."""
    splits = toy_splits("small", n_train=64)
    parts = {"train": "train", "val": "valid", TEST: "test"}
    for part, split in parts.items():
        for language, side in (("en", "source"), ("de", "target")):
            lines = [getattr(pair, side) for pair in splits[split][:64]]
            text = "\n".join(lines) + "\n"
            (folder / f"{part}.{language}").write_text(text, encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__, devices=True)
    parser.add_argument("--data", type=Path, default=Path("data/multi30k"))
    parser.add_argument("--runs", type=Path, default=Path("runs/multi30k"))
    parser.add_argument("--recipe", choices=RECIPES, default="cpu")
    parser.add_argument("--directions", nargs="+", default=["en-de"],
                        choices=["en-de", "de-en"])  # fmt: skip
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--add", action="store_true")
    parser.add_argument(common.MISSING, action="store_true")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--eval-interval", type=int, default=220)
    parser.add_argument("--average", type=int, default=5)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(sizes={})
    args = parser.parse_args()
    args.add |= args.missing
    return args


def job_of(run: dict) -> tuple[str, str, int]:
    return run["direction"], run["variant"], run["seed"]


def stored(args, jobs: list[tuple]) -> list[dict]:
    """Return the stored runs that --add keeps.

    Raises:
        ValueError: they were trained otherwise.
    """
    name = f"multi30k_{args.recipe}"
    runs = common.stored(name).get("runs", []) if args.add else []
    steps = args.steps or RECIPES[args.recipe][1].steps
    for run in runs:
        same = run["training"]["steps"], run["averaged"]
        if same != (steps, args.average):
            raise ValueError(f"{name} holds other steps or averages: {same}")
    return [run for run in runs if job_of(run) not in jobs]


def whole(args, runs: list[dict]) -> list[str]:
    """Return the command that measures all these runs, old and new."""
    command = ["multi30k.py", "--recipe", args.recipe, "--directions"]
    command += dict.fromkeys(run["direction"] for run in runs)
    command += ["--seeds", *map(str, sorted({run["seed"] for run in runs}))]
    command += ["--device", args.device]
    for name in ("steps", "eval_interval", "average", "limit", "threads"):
        value = getattr(args, name)
        command += (
            [] if value is None else [f"--{name.replace('_', '-')}", str(value)]
        )
    if any(run["variant"] != "reference" for run in runs):
        command += ["--ablations"]
    return command


def measure(args) -> None:
    """Run everything that was asked for; store after each run."""
    jobs = [(d, "reference", s) for d in args.directions for s in args.seeds]
    if args.ablations:
        first = args.directions[0]
        jobs += [(first, name, s) for name in ABLATIONS for s in args.seeds]
    runs = stored(args, [] if args.missing else jobs)
    there = [job_of(run) for run in runs]
    figures = {"beam": BEAM, "runs": runs}
    name = f"multi30k_{args.recipe}"
    for job in [job for job in jobs if job not in there]:
        runs.append(train_one(args, *job))
        command = whole(args, runs) if args.add else None
        common.keep(args, name, figures, command)
    common.tell(args, name, figures)


def main() -> None:
    args = arguments()
    torch.set_num_threads(args.threads)
    if not args.smoke:
        if not (args.data / "train.en").exists():
            raise SystemExit(
                f"{args.data} holds no corpus; fetch it first: "
                "python -m transformer_lib fetch multi30k"
            )
        measure(args)
        return
    args.steps, args.eval_interval, args.average, args.limit = 4, 2, 2, 3
    args.directions, args.ablations = ["en-de", "de-en"], True
    args.seeds, args.add, args.missing = args.seeds[:1], False, False
    args.sizes = {"d_model": 32, "d_ff": 32, "n_layers": 1, "max_length": 64}
    with tempfile.TemporaryDirectory() as scratch:
        args.data, args.runs = Path(scratch), Path(scratch) / "runs"
        toy_files(args.data)
        measure(args)


if __name__ == "__main__":
    main()
