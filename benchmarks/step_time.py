"""Where the time of a training step goes, and what a user could try.

    python benchmarks/step_time.py

One thread, d_model 64, float32. Four questions, one process:

- what the step's matrix products would take alone: the same products, of the
  same shapes, one after the other and nothing else;
- how the step's own time is shared out among kernels (torch's profiler);
- what each change that a user would try gives, against the step as it is;
- how long rivals take: nn.Transformer, a textbook's and the form of "The
  Annotated Transformer".

The result is benchmarks/results/step_time.json. ``--smoke`` runs the same in
miniature and stores nothing.
"""

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict

import common
import throughput
import timing
import torch
from annotated import AnnotatedTransformer
from torch import Tensor, nn
from torch.nn import functional as F
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

from transformer_lib.attention import scaled_dot_product_attention
from transformer_lib.batching import Batch
from transformer_lib.feed_forward import FeedForward
from transformer_lib.model import Transformer
from transformer_lib.multi_head import KeyValues, MultiHeadAttention, _for_heads
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training import train_step

D_MODEL, VOCAB, LENGTHS, TOKENS = 64, 1000, (16, 128), 1500
PRODUCTS = ("aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm")
KINDS = {  # a kernel belongs to the first kind that has a word of its name
    "attention": ("scaled_dot_product",),
    "matrix products": ("mm",),
    "softmax and loss": ("softmax", "nll"),
    "layer norm": ("layer_norm",),
    "Adam": ("adam", "Optimizer"),
    "sums, ReLU, products of elements": (
        "add", "mul", "div", "clamp", "threshold", "relu", "sum", "norm",
    ),
    "copies and fills": (
        "copy", "fill", "zero", "empty", "clone", "cat", "index", "embedding",
    ),
}  # fmt: skip


# ------------------------------------------------- what a user would try


class OneProjection(MultiHeadAttention):
    """Queries, keys and values of self-attention in one product."""

    def keys_values(self, x: Tensor) -> KeyValues:
        layers = (self.q_proj, self.k_proj, self.v_proj)
        weight = torch.cat([layer.weight for layer in layers])
        bias = torch.cat([layer.bias for layer in layers])
        query, key, value = F.linear(x, weight, bias).chunk(3, dim=-1)
        self.ready = x, query
        return KeyValues(self.split_heads(key), self.split_heads(value))

    def forward(self, x, kv, mask=None):
        of, query = self.ready
        if of is not x:  # cross-attention: the keys come from elsewhere
            return super().forward(x, kv, mask)
        context = F.scaled_dot_product_attention(
            self.split_heads(query), *kv, attn_mask=_for_heads(mask)
        )
        return self.out_proj(context.transpose(1, 2).flatten(2))


class WrittenAttention(MultiHeadAttention):
    """The formula in plain products, without torch's fused kernel."""

    def forward(self, x, kv, mask=None):
        query = self.split_heads(self.q_proj(x))
        context = scaled_dot_product_attention(query, *kv, _for_heads(mask))
        return self.out_proj(context.transpose(1, 2).flatten(2))


class InPlace(FeedForward):
    """ReLU overwrites its input."""

    def forward(self, x: Tensor) -> Tensor:
        return self.linear2(self.linear1(x).relu_())


def with_layers(model: Transformer, kind: type[nn.Module]) -> Transformer:
    """Make a model's layers of one class to a subclass of it.

    Only self-attention changes to `OneProjection`: where keys come from
    another text there is nothing to join queries with.
    """
    for name, module in model.named_modules():
        if type(module) is kind.__base__ and not (
            kind is OneProjection and "cross" in name
        ):
            module.__class__ = kind
    return model


def unchanged(model: Transformer) -> Transformer:
    """Leave a second model as it is."""
    return model


CHANGES: dict[str, Callable] = {
    "unchanged": unchanged,  # the control: what the place in memory does
    "one projection": functools.partial(with_layers, kind=OneProjection),
    "attention written out": functools.partial(
        with_layers, kind=WrittenAttention
    ),
    "ReLU in place": functools.partial(with_layers, kind=InPlace),
    "compiled": torch.compile,
}
OPTIMIZERS = {
    "Adam, not fused": {"foreach": True},
    "Adam, a loop over tensors": {"foreach": False},
}


# ------------------------------------------------------------ measuring


class Products(TorchDispatchMode):
    """Note every matrix product that runs, with its arguments."""

    def __init__(self):
        super().__init__()
        self.found: list[tuple] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func._schema.name in PRODUCTS:
            self.found.append((func, [_copy(a) for a in args], kwargs or {}))
        return func(*args, **(kwargs or {}))


def _copy(argument):
    """Return a tensor with the same numbers and strides."""
    if not isinstance(argument, Tensor):
        return argument
    return argument.detach().clone(memory_format=torch.preserve_format)


def products_of(state: TrainState, batch: Batch) -> list[tuple]:
    """Return the matrix products of one step, forward and backward."""
    with Products() as noted:
        train_step(state, batch)
    return noted.found


def run_products(found: list[tuple]) -> None:
    """Make the same products again, and nothing else."""
    with torch.no_grad():
        for func, args, kwargs in found:
            func(*args, **kwargs)


def shares(state: TrainState, data: list[Batch], steps: int) -> dict:
    """Return the share of each kind of kernel in the kernels' time."""
    with profile(activities=[ProfilerActivity.CPU]) as seen:
        for n in range(steps):
            train_step(state, data[n % len(data)])
    spent: Counter[str] = Counter()
    for event in seen.key_averages():
        words = ((kind, w) for kind, some in KINDS.items() for w in some)
        kind = next((k for k, w in words if w in event.key), "the rest")
        spent[kind] += event.self_cpu_time_total
    total = sum(spent.values())
    return {kind: round(us / total, 4) for kind, us in spent.most_common()}


def state_of(model: nn.Module, **options: bool) -> TrainState:
    options = options or {"fused": True}
    adam = torch.optim.Adam(
        model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, **options
    )
    return TrainState(model, adam, TrainConfig())


def states(config, compiled: bool) -> dict[str, TrainState]:
    """Return the step as it is, each change to it, and the rivals."""

    def fresh() -> Transformer:
        torch.manual_seed(0)
        return Transformer(config)

    found = {throughput.OURS: state_of(fresh())}
    for name, change in CHANGES.items():
        if name != "compiled" or compiled:
            found[name] = state_of(change(fresh()))
    for name, options in OPTIMIZERS.items():
        found[name] = state_of(fresh(), **options)
    rivals = throughput.RIVALS | {"annotated": AnnotatedTransformer}
    for name, rival in rivals.items():
        found[name] = state_of(rival(config).copy(fresh()))
    return found


def measure(config, length: int, args) -> dict:
    """Race all of them on sentences of one length."""
    data = throughput.batches(length, args.tokens, config.vocab_size)
    some = states(config, args.compiled)
    ours = some[throughput.OURS]
    noted = [products_of(ours, batch) for batch in data]
    turns = {
        name: lambda n, state=state: train_step(state, data[n % len(data)])
        for name, state in some.items()
    }
    turns["products alone"] = lambda n: run_products(noted[n % len(data)])
    timing.race(turns, dict.fromkeys(turns, len(data)))  # warm up
    times = timing.race(turns, dict.fromkeys(turns, args.repeats), seed=1)
    mine = times[throughput.OURS]
    return {
        "length": length,
        "target_tokens": sum(int((b.target_out != 0).sum()) for b in data)
        / len(data),
        "seconds": {
            name: timing.describe(each) for name, each in times.items()
        },
        "ratios": {
            name: timing.ratio(each, mine)
            for name, each in times.items()
            if name != throughput.OURS
        },
        "kernels": shares(ours, data, args.repeats),
    }


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--repeats", type=int, default=40)
    args = parser.parse_args()
    args.tokens, args.compiled = TOKENS, not args.smoke
    if args.smoke:
        args.tokens, args.repeats = 30, 5
    torch.set_num_threads(1)
    config = throughput.config_of(16 if args.smoke else D_MODEL, VOCAB)
    lengths = (5,) if args.smoke else LENGTHS
    figures = {
        "clock": "CPU seconds",
        "config": asdict(config),
        "cells": [measure(config, length, args) for length in lengths],
    }
    common.keep(args, "step_time", figures)
    common.tell(args, "step_time", figures)


if __name__ == "__main__":
    main()
