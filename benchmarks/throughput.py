"""Time a training step: the library, nn.Transformer and a textbook.

    python benchmarks/throughput.py
    python benchmarks/throughput.py --device cuda --preset gpu --bfloat16

All contestants have the same sizes, weights and batches, and all learn by
`transformer_lib.training.train_step`: forward, smoothed loss, backward, clip
and fused Adam. Pre-norm, tied embeddings, no dropout. The result is
benchmarks/results/throughput.json (throughput_gpu.json with --preset gpu, where
two contestants are compiled as well, if torch.compile works). ``--smoke`` runs
the same in miniature, without a compiler, and stores nothing.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import common
import timing
import torch
from textbook import TextbookTransformer
from torch.utils.flop_counter import FlopCounterMode
from torch_transformer import TorchTransformer

from transformer_lib.batching import Batch, make_batch
from transformer_lib.label_smoothing import token_loss
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.special_tokens import UNK
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training import train_step

OURS = "transformer_lib"
RIVALS = {"nn.Transformer": TorchTransformer, "textbook": TextbookTransformer}
PRESETS = {
    "cpu": {
        "d_model": [64, 256],
        "length": [16, 128],
        "tokens": 1500,
        "vocab_size": 1000,
        "repeats": 40,
    },
    "gpu": {
        "d_model": [64, 256, 512, 1024],
        "length": [32, 128],
        "tokens": 16_000,
        "vocab_size": 8000,
        "repeats": 30,
    },
    "smoke": {
        "d_model": [16],
        "length": [5],
        "tokens": 30,
        "vocab_size": 50,
        "repeats": 5,
    },
}
COMPILED = (OURS, "nn.Transformer")
# Products a second that the maker states for an H100 or H200 (SXM, dense).
PEAK = {"float32": 67e12, "bfloat16": 989e12}


def config_of(d_model: int, vocab_size: int) -> TransformerConfig:
    """Return the sizes of a cell: four heads below 256, then width 64."""
    return TransformerConfig(
        vocab_size,
        d_model=d_model,
        n_heads=max(4, d_model // 64),
        d_ff=4 * d_model,
        n_layers=2,
        dropout=0.0,
        norm_first=True,
    )


def contestants(config: TransformerConfig) -> dict[str, torch.nn.Module]:
    """Return the library's model and its rivals, with equal weights."""
    torch.manual_seed(0)
    ours = Transformer(config)
    models = {OURS: ours}
    for name, rival in RIVALS.items():
        dtype = ours.output_embedding.weight.dtype
        models[name] = rival(config).to(dtype).copy(ours)
    return models


def batches(length: int, tokens: int, vocab_size: int) -> list[Batch]:
    """Return four batches of random ids with about so many target tokens.

    Sentences have between three quarters of the length and all of it; the
    first has all of it, so that all batches have the same shape.
    """
    chance = random.Random(0)

    def sentence(longest: int, row: int) -> list[int]:
        shortest = 3 * longest // 4 if row else longest
        n = chance.randint(shortest, longest)
        return [chance.randrange(UNK + 1, vocab_size) for _ in range(n)]

    rows = max(2, round(tokens / (length * 7 / 8)))
    return [
        make_batch(
            [
                (sentence(length, i), sentence(length - 1, i))
                for i in range(rows)
            ]
        )
        for _ in range(4)
    ]


def disagreement() -> float:
    """Return by how much the losses and gradients of the contestants differ.

    In float64, with equal weights; the largest difference, which rounding
    alone keeps below 1e-8.
    """
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        config = replace(config_of(32, 60), n_heads=4)
        batch = batches(7, 40, 60)[0]
        seen = []
        for model in contestants(config).values():
            logits = model(batch.source, batch.target_in)
            total, _ = token_loss(logits, batch.target_out, 0.1)
            total.backward()
            lengths = [p.grad.square().sum() for p in model.parameters()]
            seen.append(torch.stack([total, sum(lengths).sqrt()]).detach())
    finally:
        torch.set_default_dtype(before)
    return max(float((each - seen[0]).abs().max()) for each in seen)


def products(config: TransformerConfig, batch: Batch) -> int:
    """Count the floating-point operations of a step's matrix products.

    Counted on the textbook's forward pass, on padding too, and with the
    attention that the causal mask then hides; a step counts three times.
    """
    with torch.device("meta"):
        model = TextbookTransformer(config)
    ids = batch.to("meta")
    with FlopCounterMode(display=False) as counter:
        model(ids.source, ids.target_in)
    return 3 * counter.get_total_flops()


def why_not_compiled(compiler: Callable, device: str) -> str | None:
    """Return why nothing can be compiled here, or None where it can be.

    A compiler for C and, for a GPU, Triton have to be there. Nobody knows
    what they raise where they are not.
    """
    try:
        compiler(lambda x: x.sin() + 1)(torch.ones(8, device=device))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {first}"
    return None


def compiled(models: dict, config: TransformerConfig, compiler: Callable):
    """Return compiled copies of some contestants.

    What was compiled for another size is forgotten first: there is a limit,
    above which torch goes on without compiling and only logs that.
    """
    torch.compiler.reset()
    made = {}
    for name in COMPILED:
        copy = type(models[name])(config)
        copy.load_state_dict(models[name].state_dict())
        made[f"{name}, compiled"] = compiler(copy)
    return made


def measure(args, d_model: int, length: int, precision: str) -> dict:
    """Race all contestants on one size; return one cell of the result."""
    config = config_of(d_model, args.vocab_size)
    data = batches(length, args.tokens, args.vocab_size)
    models = contestants(config)
    if args.compiler:
        models |= compiled(models, config, args.compiler)
    train = TrainConfig(bfloat16=precision == "bfloat16")
    states = {
        name: TrainState(model.to(args.device), _adam(model), train)
        for name, model in models.items()
    }
    turns = {
        name: lambda n, state=state: train_step(state, data[n % len(data)])
        for name, state in states.items()
    }
    rounds = dict.fromkeys(turns, len(data))
    timing.race(turns, rounds, args.device)  # to warm up, thrown away
    rounds = dict.fromkeys(turns, args.repeats)
    seconds = timing.race(turns, rounds, args.device, seed=1)
    tokens = sum(int((b.target_out != 0).sum()) for b in data) / len(data)
    work = sum(products(config, b) for b in data) / len(data)
    return {
        "d_model": d_model,
        "length": length,
        "precision": precision,
        "rows": len(data[0].source),
        "target_tokens": tokens,
        "parameters": sum(p.numel() for p in models[OURS].parameters()),
        "contestants": {
            name: _entry(args, values, tokens, work, precision)
            for name, values in seconds.items()
        },
        "ratios": {
            name: timing.ratio(values, seconds[OURS])
            for name, values in seconds.items()
            if name != OURS
        },
    }


def _adam(model: torch.nn.Module) -> torch.optim.Adam:
    return torch.optim.Adam(
        model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
    )


def _entry(args, values, tokens, work, precision) -> dict:
    entry = timing.describe(values)
    entry["tokens_per_second"] = round(tokens / entry["seconds"])
    entry["operations_per_second"] = round(work / entry["seconds"])
    if args.device == "cuda":
        share = entry["operations_per_second"] / PEAK[precision]
        entry["utilization"] = float(f"{share:.3g}")
    return entry


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__, devices=True)
    parser.add_argument("--preset", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--bfloat16", action="store_true", help="as well")
    parser.add_argument("--repeats", type=int)
    args = parser.parse_args()
    preset = PRESETS["smoke" if args.smoke else args.preset]
    for key, value in preset.items():
        if getattr(args, key, None) is None:
            setattr(args, key, value)
    args.compiler = None
    if args.preset == "gpu":
        backend = "eager" if args.smoke else "inductor"
        args.compiler = partial(torch.compile, backend=backend)
    return args


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    figures = {
        "disagreement": disagreement(),
        "vocab_size": args.vocab_size,
        "n_layers": 2,
        "clock": "seconds" if args.device == "cuda" else "CPU seconds",
        "cells": [],
    }
    if figures["disagreement"] > 1e-8:
        raise ValueError("the contestants do not compute the same")
    if args.compiler:
        reason = why_not_compiled(args.compiler, args.device)
        figures["not_compiled"] = reason
        if reason:
            args.compiler = None
            print(f"nothing can be compiled here: {reason}", flush=True)
    name = "throughput_gpu" if args.preset == "gpu" else "throughput"
    for precision in ["float32", *["bfloat16"] * args.bfloat16]:
        for d_model in args.d_model:
            for length in args.length:
                cell = measure(args, d_model, length, precision)
                figures["cells"].append(cell)
                print(d_model, length, precision, cell["ratios"], flush=True)
                common.keep(args, name, figures)
    common.tell(args, name, figures)


if __name__ == "__main__":
    main()
