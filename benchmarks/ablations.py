r"""Take one part of the toy translator away, train it again, measure.

    python benchmarks/ablations.py
    python benchmarks/ablations.py --only untied unscaled
    python benchmarks/ablations.py --name ablations_again --seeds 3 4 5 \
        --steps 800 --only reference no_norm

Every variant differs from the reference in one thing only and trains with
the same seeds, on the same batches, for as many steps. The result is
benchmarks/results/ablations.json; ``--only`` measures some variants anew and
keeps the others, ``--name`` names another file. ``--smoke`` runs all of them
in miniature and stores nothing.
"""

import argparse
import datetime
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from unittest.mock import patch

import common
import torch
from recompute import Recompute
from torch import Tensor, nn

from transformer_lib import evaluation
from transformer_lib import model as model_module
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.model import Transformer
from transformer_lib.multi_head import KeyValues, MultiHeadAttention
from transformer_lib.presets import PRESETS
from transformer_lib.toy.corpus import SentencePair, join_morphemes, toy_splits
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate, train
from transformer_lib.training_data import TrainingData, encode_lines
from transformer_lib.translator import Translator

NAME = "ablations"
PRESET = "small"
SPLITS = ("test", "composition", "role", "contrast", "noun")


def parts(model: nn.Module, kind: type[nn.Module]) -> list:
    """Return all modules of one kind."""
    return [part for part in model.modules() if isinstance(part, kind)]


def scramble_merge(model: Transformer) -> None:
    """Merge the heads by `view`, without bringing them back first."""
    for attention in parts(model, MultiHeadAttention):
        split = attention.split_heads  # undoes the right merge

        def wrong(_, args, split=split):
            return (split(args[0]).reshape(args[0].shape),)

        attention.out_proj.register_forward_pre_hook(wrong)


def scramble_both(model: Transformer) -> None:
    """Split and merge the heads by `view`, without a transpose."""
    scramble_merge(model)
    for attention in parts(model, MultiHeadAttention):

        def wrong(x: Tensor, heads: int = attention.n_heads) -> Tensor:
            return x.reshape(len(x), heads, x.shape[1], -1)

        attention.split_heads = wrong


def no_positions(model: Transformer) -> None:
    model.positions.pe.zero_()


def base_1000(model: Transformer) -> None:
    """Sines and cosines with 1000 where the paper has 10000."""
    length, d_model = model.positions.pe.shape
    position = torch.arange(length).unsqueeze(1)
    angle = position / 1000 ** (torch.arange(0, d_model, 2) / d_model)
    pairs = torch.stack([angle.sin(), angle.cos()], dim=-1)
    model.positions.pe.copy_(pairs.flatten(1))


def small_rows(model: Transformer) -> None:
    """Look rows up without the factor sqrt(d_model)."""
    factor = math.sqrt(model.config.d_model)
    for embedding in parts(model, TokenEmbedding):
        embedding.register_forward_hook(lambda _, args, rows: rows / factor)


def unscaled(model: Transformer) -> None:
    """Undo the division of the scores by sqrt(d_k)."""
    for attention in parts(model, MultiHeadAttention):
        factor = math.sqrt(attention.q_proj.out_features / attention.n_heads)

        def longer(_, args, query, factor=factor):
            return query * factor

        attention.q_proj.register_forward_hook(longer)


def no_residual(model: Transformer) -> None:
    """Pass on each sub-layer's output without adding its input."""
    for layer in model.encoder.layers:
        layer.forward = partial(bare_encoder_layer, layer)
    for layer in model.decoder.layers:
        layer.forward = partial(bare_decoder_layer, layer)


def bare_encoder_layer(
    layer: EncoderLayer, x: Tensor, mask: Tensor | None = None
) -> Tensor:
    """`EncoderLayer.forward` in pre-norm, without its two pluses."""
    h = layer.norm1(x)
    h = layer.self_attention(h, layer.self_attention.keys_values(h), mask)
    return layer.feed_forward(layer.norm2(h))


def bare_decoder_layer(
    layer: DecoderLayer,
    x: Tensor,
    past: KeyValues,
    memory: KeyValues,
    mask: Tensor,
    memory_mask: Tensor | None = None,
) -> tuple[Tensor, KeyValues]:
    """`DecoderLayer.forward` in pre-norm, without its three pluses."""
    h = layer.norm1(x)
    present = past.append(layer.self_attention.keys_values(h))
    h = layer.self_attention(h, present, mask)
    h = layer.cross_attention(layer.norm2(h), memory, memory_mask)
    return layer.feed_forward(layer.norm3(h)), present


def no_norm(model: Transformer) -> None:
    for stack in (model.encoder, model.decoder):
        stack.norm = nn.Identity()
        for layer in stack.layers:
            layer.norm1 = layer.norm2 = layer.norm3 = nn.Identity()


def see_all(n_queries: int, n_keys: int, device: torch.device) -> Tensor:
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)


def see_padding(ids: Tensor) -> Tensor:
    return torch.ones_like(ids, dtype=torch.bool).unsqueeze(1)


@dataclass(frozen=True)
class Variant:
    """One difference from the reference.

    Attributes:
        text: what differs, in words.
        model, training: fields of the configurations that differ.
        change: what is done to the new model.
        masks: functions that take the place of the library's.
        cached: False where a token's vector depends on the sentence's
            length, so that a cache would hold something else.
    """

    text: str
    model: dict = field(default_factory=dict)
    training: dict = field(default_factory=dict)
    change: Callable[[Transformer], None] = lambda model: None
    masks: dict = field(default_factory=dict)
    cached: bool = True


POST = {"norm_first": False}
COLD = {"warmup": 1}
VARIANTS = {
    "reference": Variant("nothing"),
    "heads_1": Variant("1 head", {"n_heads": 1}),
    "heads_2": Variant("2 heads", {"n_heads": 2}),
    "heads_8": Variant("8 heads", {"n_heads": 8}),
    "layers_1": Variant("1 layer", {"n_layers": 1}),
    "scrambled_merge": Variant(
        "heads merged by `view` without `transpose`",
        change=scramble_merge,
        cached=False,
    ),
    "scrambled_both": Variant(
        "heads split and merged by `view` without `transpose`",
        change=scramble_both,
        cached=False,
    ),
    "no_causal_mask": Variant(
        "no causal mask in training", masks={"causal_mask": see_all}
    ),
    "no_padding_mask": Variant(
        "no padding mask", masks={"padding_mask": see_padding}
    ),
    "no_positions": Variant("no positions", change=no_positions),
    "learned_positions": Variant(
        "learned positions", {"learned_positions": True}
    ),
    "base_1000": Variant("sinusoids of base 1000", change=base_1000),
    "untied": Variant("three embedding matrices", {"tie_embeddings": False}),
    "small_rows": Variant("no factor $\\sqrt{d_{model}}$", change=small_rows),
    "pre_norm_cold": Variant("no warm-up", training=COLD),
    "post_norm": Variant("post-norm", POST),
    "post_norm_cold": Variant("post-norm, no warm-up", POST, COLD),
    "unscaled": Variant("no $1/\\sqrt{d_k}$", change=unscaled),
    "no_residual": Variant("no residual connections", change=no_residual),
    "no_norm": Variant("no layer norm", change=no_norm),
    "unsmoothed": Variant(
        "no label smoothing", training={"label_smoothing": 0.0}
    ),
}


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=VARIANTS, metavar="NAME")
    parser.add_argument("--name", default=NAME)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=PRESETS[PRESET][1].steps)
    parser.add_argument("--eval-interval", type=int, default=250)
    parser.add_argument("--part", type=int, default=200)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    if args.smoke:
        args.seeds, args.steps, args.eval_interval = [0], 2, 1
        args.part = args.limit = 2
    return args


def stored(args) -> dict:
    """Return the variants that --only keeps."""
    path = common.RESULTS / f"{args.name}.json"
    if args.smoke or not args.only or not path.exists():
        return {}
    old = json.loads(path.read_text(encoding="utf-8"))
    runs = old["variants"]["reference"]["runs"]
    same = old["steps"], [run["seed"] for run in runs]
    if same != (args.steps, args.seeds):
        raise ValueError(f"{path} holds other steps or seeds: {same}")
    return old["variants"]


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    data, variants = read_data(), stored(args)
    if args.smoke:
        data["valid"] = data["valid"][:4]
    for name in args.only or VARIANTS:
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
        figures = {"preset": PRESET, "steps": args.steps}
        figures |= {"part": args.part, "limit": args.limit}
        figures["variants"] = {
            n: variants[n] for n in VARIANTS if n in variants
        }
        if not args.smoke:
            whole = args.only is not None and args.name == NAME
            command = ["ablations.py"] if whole else None
            common.write(args.name, args.device, figures, command)
    if args.smoke:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
