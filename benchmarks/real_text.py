"""One translator of real text: its training and its scores.

Used by multi30k.py, which says how many there are.
"""

import json
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
from transformer_lib.train_config import TrainConfig
from transformer_lib.training_data import TrainingData
from transformer_lib.translator import Translator

TEST = "test_2016_flickr"
BEAM = 5
DRAWS = 1000
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
