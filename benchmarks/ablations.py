r"""Take one part of the toy translator away, train it again, measure.

    python benchmarks/ablations.py
    python benchmarks/ablations.py --only untied unscaled
    python benchmarks/ablations.py --name ablations_again --seeds 3 4 5 \
        --steps 800 --only reference no_norm

Every variant differs from the reference in one thing only and trains with
the same seeds, on the same batches, for as many steps. The result is
benchmarks/results/ablations.json; ``--only`` measures some variants anew and
keeps the others, ``--name`` names another file, ``--missing`` goes on where a
command was stopped. ``--smoke`` runs all of them in miniature and stores
nothing.
"""

import argparse
import datetime
import time
from dataclasses import replace
from unittest.mock import patch

import common
import torch
from recompute import Recompute
from torch import nn
from variants import VARIANTS, Variant

from toy_language.corpus import SentencePair, join_morphemes, toy_splits
from transformer_lib import evaluation
from transformer_lib import model as model_module
from transformer_lib.presets import PRESETS
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate, train
from transformer_lib.training_data import TrainingData, encode_lines
from transformer_lib.translator import Translator

NAME = "ablations"
PRESET = "small"
SPLITS = ("test", "composition", "role", "contrast", "noun")


def exact_match(
    model: nn.Module, tokenizer, pairs: list[SentencePair]
) -> float:
    """Return the share of sentences that are right, in per cent."""
    translator = Translator(model, tokenizer)
    results = translator.translate([pair.source for pair in pairs])
    wanted = [join_morphemes(pair.target) for pair in pairs]
    return round(100 * evaluation.exact_match(results, wanted), 2)


def train_one(variant: Variant, seed: int, args, data: dict) -> dict:
    """Train a variant with one seed and return its figures."""
    sizes, recipe = PRESETS[PRESET]
    tokenizer, splits = data["tokenizer"], data["splits"]
    sizes = replace(sizes, **variant.model).config(len(tokenizer))
    recipe = replace(recipe, seed=seed, steps=args.steps, **variant.training)
    recipe = replace(recipe, bfloat16=args.device == "cuda")
    state = TrainState.create(sizes, recipe)
    with torch.no_grad():
        variant.change(state.model)
    state.model.to(args.device)
    model = state.model if variant.cached else Recompute(state.model)
    curve, losses, spent = [], [], 0.0
    with patch.dict(vars(model_module), variant.masks):
        began = time.process_time()
        for stats in train(state, data["train"]):
            losses.append(stats.loss)
            if stats.step % args.eval_interval and stats.step != recipe.steps:
                continue
            spent += time.process_time() - began
            part = splits["test"][: args.part]
            score = exact_match(model, tokenizer, part)
            curve.append({"step": stats.step, "exact_match": score})
            began = time.process_time()
        return {
            "seed": seed,
            "parameters": sum(p.numel() for p in state.model.parameters()),
            "cpu_seconds": round(spent, 1),
            "curve": curve,
            "train_loss": round(float(torch.stack(losses[-50:]).mean()), 4),
            "valid_loss": round(evaluate(state.model, data["valid"]), 4),
            "exact_match": {
                name: exact_match(model, tokenizer, splits[name][: args.limit])
                for name in SPLITS
            },
        }


def read_data() -> dict:
    """Return the corpus as text, and as ids for training."""
    source = TrainingData(preset=PRESET)
    texts = source.read()
    tokenizer = source.tokenizer(texts[0])
    longest = PRESETS[PRESET][0].max_length
    ids = [encode_lines(tokenizer, part, longest, False)[0] for part in texts]
    return {
        "tokenizer": tokenizer,
        "train": ids[0],
        "valid": ids[1],
        "splits": toy_splits(PRESET),
    }


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__, devices=True)
    parser.add_argument("--only", nargs="+", choices=VARIANTS, metavar="NAME")
    parser.add_argument(common.MISSING, action="store_true")
    parser.add_argument("--name", default=NAME)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=PRESETS[PRESET][1].steps)
    parser.add_argument("--eval-interval", type=int, default=250)
    parser.add_argument("--part", type=int, default=200)
    parser.add_argument("--limit", type=int, default=500)
    args = parser.parse_args()
    if args.smoke:
        args.seeds, args.steps, args.eval_interval = [0], 2, 1
        args.part = args.limit = 2
    elif args.missing:
        there = common.stored(args.name).get("variants", {})
        wanted = args.only or VARIANTS
        args.only = [name for name in wanted if name not in there]
    return args


def stored(args) -> dict:
    """Return the variants that --only keeps."""
    old = common.stored(args.name)
    if args.smoke or args.only is None or not old:
        return {}
    runs = old["variants"]["reference"]["runs"]
    same = old["steps"], [run["seed"] for run in runs]
    if same != (args.steps, args.seeds):
        raise ValueError(f"{args.name} holds other steps or seeds: {same}")
    return old["variants"]


def whole(args) -> list[str] | None:
    """Return the command that measures all, if another one was given."""
    if args.only is None or args.missing or args.name != NAME:
        return None
    seeds = map(str, args.seeds)
    return ["ablations.py", "--seeds", *seeds, "--steps", str(args.steps)]


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    data, variants = read_data(), stored(args)
    if args.smoke:
        data["valid"] = data["valid"][:4]
    figures = {"preset": PRESET, "steps": args.steps}
    figures |= {"part": args.part, "limit": args.limit}
    for name in VARIANTS if args.only is None else args.only:
        runs = []
        for seed in args.seeds:
            runs.append(train_one(VARIANTS[name], seed, args, data))
            print(name, runs[-1], flush=True)
        variants[name] = {
            "text": VARIANTS[name].text,
            "commit": common.commit(),
            "date": datetime.date.today().isoformat(),
            "runs": runs,
        }
        figures["variants"] = {
            n: variants[n] for n in VARIANTS if n in variants
        }
        common.keep(args, args.name, figures, whole(args))
    common.tell(args, args.name, figures)


if __name__ == "__main__":
    main()
