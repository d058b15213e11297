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
import tempfile
from pathlib import Path

import common
import torch
from real_text import BEAM, RECIPES, TEST, train_one

from toy_language.corpus import toy_splits

ABLATIONS = ("unsmoothed", "pre_norm_cold", "untied", "heads_1",
             "no_positions")  # fmt: skip


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
