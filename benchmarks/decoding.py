"""Time decoding with the key/value cache and without it.

    python benchmarks/decoding.py
    python benchmarks/decoding.py --device cuda --preset gpu

Both ways run the library's own `greedy` and `beam_search`. With the cache
the model is the library's; without it, `Recompute` answers each step as
`model(source, prefix)` does: all that was read and written is computed again.
The model has random weights and can never choose <eos>, so that every
sentence gets exactly as long as the benchmark wants it. It has an output matrix
of its own: with a tied one, random weights repeat one token forever, which any
two decoders would agree on. The result is
benchmarks/results/decoding.json (decoding_gpu.json with --preset gpu).
``--smoke`` runs the same in miniature and stores nothing.
"""

import argparse
import math
from collections.abc import Callable
from functools import partial

import common
import timing
import torch
from recompute import Recompute
from torch import Tensor, nn

from transformer_lib.decoding import beam_search, greedy
from transformer_lib.model import DecoderState, Transformer, TransformerConfig
from transformer_lib.special_tokens import EOS, UNK

SOURCE_LENGTH = 20
BEAM = 4
PRESETS = {
    "cpu": {
        "d_model": [64],
        "batch": [1, 16, 64],
        "length": [20, 100, 400],
        "repeats": 10,
        "vocab_size": 1000,
        "most": 30_000,
    },
    "gpu": {
        "d_model": [64, 512],
        "batch": [1, 64],
        "length": [20, 100, 400, 1000],
        "repeats": 5,
        "vocab_size": 8000,
        "most": 110_000,
    },
    "smoke": {
        "d_model": [16],
        "batch": [1, 3],
        "length": [4],
        "repeats": 2,
        "vocab_size": 50,
        "most": 30_000,
    },
}
WAYS = ("cached", "recomputed")


class Endless(Transformer):
    """A Transformer that never chooses <eos>."""

    def decode(
        self, tokens: Tensor, state: DecoderState
    ) -> tuple[Tensor, DecoderState]:
        logits, state = super().decode(tokens, state)
        logits[..., EOS] = -math.inf
        return logits, state


def models_of(d_model: int, vocab_size: int) -> dict[str, nn.Module]:
    """Return a model of random weights, with the cache and without it."""
    config = TransformerConfig(
        vocab_size,
        d_model=d_model,
        n_heads=max(4, d_model // 64),
        d_ff=4 * d_model,
        n_layers=2,
        dropout=0.0,
        norm_first=True,
        tie_embeddings=False,
        max_length=1024,
    )
    torch.manual_seed(0)
    cached = Endless(config).eval()
    return {"cached": cached, "recomputed": Recompute(cached)}


def sources(batch: int, vocab_size: int) -> Tensor:
    """Return random source sentences of equal length."""
    chance = torch.Generator().manual_seed(0)
    size = (batch, SOURCE_LENGTH)
    return torch.randint(UNK + 1, vocab_size, size, generator=chance)


def search(method: str) -> Callable:
    """Return a function of (model, source, length): the tokens written."""
    if method == "greedy":
        return lambda model, source, length: [
            found.tokens for found in greedy(model, source, length)
        ]
    return lambda model, source, length: [
        found[0].tokens
        for found in beam_search(model, source, BEAM, max_length=length)
    ]


def same_tokens() -> bool:
    """Say whether both ways write the same, in float64 (no near ties)."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        cached, recomputed = models_of(32, 60).values()
        source = sources(3, 60)
        return all(
            search(method)(cached, source, 12)
            == search(method)(recomputed, source, 12)
            for method in ("greedy", "beam")
        )
    finally:
        torch.set_default_dtype(before)


def agreement(one: list[list[int]], other: list[list[int]]) -> float:
    """Return the share of sentences that are the same in both."""
    pairs = list(zip(one, other, strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


def measure(args, models, method: str, batch: int, length: int) -> dict:
    """Race both ways on one size; return one cell of the result."""
    source = sources(batch, args.vocab_size).to(args.device)
    rows = batch * (BEAM if method == "beam" else 1)
    repeats = {"cached": args.repeats, "recomputed": args.repeats}
    if length >= 100:
        repeats = dict.fromkeys(WAYS, max(1, args.repeats // 2))
    if length >= 400:
        repeats = {"cached": max(1, args.repeats // 3), "recomputed": 1}
    if rows * length > args.most:
        del repeats["recomputed"]
    written = {}

    def turn(way: str, _: int) -> None:
        written[way] = search(method)(models[way], source, length)

    for way in repeats:  # to warm up, thrown away
        search(method)(models[way], source, min(length, 20))
    turns = {way: partial(turn, way) for way in repeats}
    seconds = timing.race(turns, repeats, args.device)
    cell = {
        "d_model": models["cached"].config.d_model,
        "method": method,
        "batch": batch,
        "length": length,
        "ratio": None,
        "same_sentences": None,
    }
    for way in WAYS:
        cell[way] = None
        if way in seconds:
            cell[way] = timing.describe(seconds[way])
            rate = batch * length / cell[way]["seconds"]
            cell[way]["tokens_per_second"] = round(rate)
    if "recomputed" in seconds:
        cell |= timing.ratio(seconds["recomputed"], seconds["cached"])
        cell["same_sentences"] = agreement(*written.values())
    return cell


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__, devices=True)
    parser.add_argument("--preset", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--d_model", type=int, nargs="+")
    parser.add_argument("--batch", type=int, nargs="+")
    parser.add_argument("--length", type=int, nargs="+")
    parser.add_argument("--repeats", type=int, help="of the short cells")
    parser.add_argument(
        "--most",
        type=int,
        help="sentences times tokens, above which nothing is recomputed",
    )
    args = parser.parse_args()
    preset = PRESETS["smoke" if args.smoke else args.preset]
    for key, value in preset.items():
        if getattr(args, key, None) is None:
            setattr(args, key, value)
    return args


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    figures = {
        "same_tokens": same_tokens(),
        "source_length": SOURCE_LENGTH,
        "beam_size": BEAM,
        "vocab_size": args.vocab_size,
        "n_layers": 2,
        "clock": "seconds" if args.device == "cuda" else "CPU seconds",
        "most": args.most,
        "cells": [],
    }
    if not figures["same_tokens"]:
        raise ValueError("the two ways do not write the same tokens")
    name = "decoding_gpu" if args.preset == "gpu" else "decoding"
    for d_model in args.d_model:
        models = {
            way: model.to(args.device)
            for way, model in models_of(d_model, args.vocab_size).items()
        }
        for length in args.length:
            for method in ("greedy", "beam"):
                for batch in args.batch:
                    cell = measure(args, models, method, batch, length)
                    figures["cells"].append(cell)
                    print(method, batch, length, cell["ratio"], flush=True)
                    common.keep(args, name, figures)
    common.tell(args, name, figures)


if __name__ == "__main__":
    main()
