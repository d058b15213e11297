"""Answers to `count_parameters(config)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import dataclasses
import functools
import math

import numpy as np
import torch

from transformer_lib.model import Transformer, TransformerConfig


def right__formula(config):
    d, f, n = config.d_model, config.d_ff, config.n_layers
    attention = 4 * (d * d + d)
    feed_forward = d * f + f + f * d + d
    norm = 2 * d
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    tables = 1 if config.tie_embeddings else 3
    last = 2 * norm if config.norm_first else 0
    return tables * config.vocab_size * d + n * (encoder + decoder) + last


def right__shapes(config):
    d, f, n = config.d_model, config.d_ff, config.n_layers
    one_attention = [(d, d), (d,)] * 4
    one_network = [(d, f), (f,), (f, d), (d,)]
    one_norm = [(d,), (d,)]
    shapes = [(config.vocab_size, d)] * (1 if config.tie_embeddings else 3)
    shapes += n * (one_attention + one_network + 2 * one_norm)
    shapes += n * (2 * one_attention + one_network + 3 * one_norm)
    shapes += 2 * one_norm if config.norm_first else []
    return sum(int(np.prod(shape)) for shape in shapes)


def right__by_heads(config):
    d, f, h = config.d_model, config.d_ff, config.n_heads
    head = 3 * (d * (d // h) + d // h)
    attention = h * head + d * d + d
    layer = 3 * attention + 2 * (2 * d * f + d + f) + 5 * 2 * d
    total = config.n_layers * layer + config.vocab_size * d
    if not config.tie_embeddings:
        total += 2 * config.vocab_size * d
    if config.norm_first:
        total += 4 * d
    return np.int64(total)


def right__with_torch(config):
    d, f = config.d_model, config.d_ff
    layers = 12 * (d * d + d) + 2 * (2 * d * f + d + f) + 10 * d
    tables = 1 if config.tie_embeddings else 3
    total = torch.tensor([tables * config.vocab_size * d])
    total = total + config.n_layers * layers
    return (total + 4 * d if config.norm_first else total).sum()


def right__as_the_library(config):
    with torch.device("meta"):
        model = Transformer(TransformerConfig(**dataclasses.asdict(config)))
    return sum(p.numel() for p in model.parameters())


# ------------------------------------------- the same mistakes, other styles


def _size(module):
    return sum(p.numel() for p in module.parameters())


def _shapes(config):
    """The shapes of all arrays, by part."""
    d, f = config.d_model, config.d_ff
    return {
        "table": [(config.vocab_size, d)],
        "attention": [(d, d), (d,)] * 4,
        "network": [(d, f), (f,), (f, d), (d,)],
        "norm": [(d,), (d,)],
    }


def _numbers(shapes):
    return sum(math.prod(shape) for shape in shapes)


def tied_tables_counted_three_times__shapes(config):
    s = _shapes(config)
    shapes = 3 * s["table"]
    for attentions, norms in ((1, 2), (2, 3)):
        for _ in range(config.n_layers):
            shapes += attentions * s["attention"] + s["network"]
            shapes += norms * s["norm"]
    return _numbers(shapes + 2 * config.norm_first * s["norm"])


def tied_tables_counted_three_times__library(config):
    sizes = dataclasses.asdict(config) | {"tie_embeddings": False}
    with torch.device("meta"):
        return _size(Transformer(TransformerConfig(**sizes)))


def last_norms_forgotten__library(config):
    sizes = dataclasses.asdict(config) | {"norm_first": False}
    with torch.device("meta"):
        return _size(Transformer(TransformerConfig(**sizes)))


def six_layers_always__library(config):
    sizes = dataclasses.asdict(config) | {"n_layers": 6}
    with torch.device("meta"):
        return _size(Transformer(TransformerConfig(**sizes)))


def tie_ignored__torch(config):
    with torch.device("meta"):
        stacks = torch.nn.Transformer(
            config.d_model,
            config.n_heads,
            config.n_layers,
            config.n_layers,
            config.d_ff,
        )
        table = torch.nn.Embedding(config.vocab_size, config.d_model)
    if not config.norm_first:  # torch ends its stacks with a norm
        stacks.encoder.norm = stacks.decoder.norm = None
    return _size(stacks) + _size(table)


def last_norms_in_post_norm__torch(config):
    with torch.device("meta"):
        stacks = torch.nn.Transformer(
            config.d_model,
            config.n_heads,
            config.n_layers,
            config.n_layers,
            config.d_ff,
        )
    tables = 1 if config.tie_embeddings else 3
    return _size(stacks) + tables * config.vocab_size * config.d_model


def no_biases__linear(config):
    d, f = config.d_model, config.d_ff
    with torch.device("meta"):
        linear = functools.partial(torch.nn.Linear, bias=False)
        attention = sum(_size(linear(d, d)) for _ in range(4))
        network = _size(linear(d, f)) + _size(linear(f, d))
        norm = _size(torch.nn.LayerNorm(d))
    layers = config.n_layers * (3 * attention + 2 * network + 5 * norm)
    tables = (3, 1)[config.tie_embeddings] * config.vocab_size * d
    return tables + layers + (0, 2)[config.norm_first] * norm


def half_a_norm__torch(config):
    d, f = config.d_model, config.d_ff
    with torch.device("meta"):
        norm = _size(torch.nn.RMSNorm(d))
        attention = _size(torch.nn.MultiheadAttention(d, config.n_heads))
        network = _size(torch.nn.Linear(d, f)) + _size(torch.nn.Linear(f, d))
    encoder = sum((attention, norm, network, norm))
    decoder = sum((attention, norm, attention, norm, network, norm))
    tables = (3, 1)[config.tie_embeddings] * config.vocab_size * d
    last = (0, 2)[config.norm_first] * norm
    return tables + config.n_layers * (encoder + decoder) + last


def layers_not_multiplied__by_name(config):
    s, arrays = _shapes(config), {}  # the same names in each round
    for _ in range(config.n_layers):
        arrays["encoder"] = s["attention"] + s["network"] + 2 * s["norm"]
        arrays["decoder"] = 2 * s["attention"] + s["network"] + 3 * s["norm"]
    arrays["tables"] = s["table"] * (1 if config.tie_embeddings else 3)
    arrays["last"] = s["norm"] * (2 if config.norm_first else 0)
    return sum(map(_numbers, arrays.values()))


def heads_multiplied__heads_of_full_width(config):
    s, n = _shapes(config), config.n_layers
    shapes = s["table"] * (1 if config.tie_embeddings else 3)
    for _ in range(3 * n):
        for _ in range(config.n_heads):
            shapes = shapes + s["attention"]
    shapes += 2 * n * s["network"] + 5 * n * s["norm"]
    return _numbers(shapes + (2 * s["norm"] if config.norm_first else []))


def one_stack_only__recursion(config):
    s = _shapes(config)
    layer = _numbers(s["attention"] + s["network"] + 2 * s["norm"])

    def stack(n):
        return layer + stack(n - 1) if n else 0

    tables = _numbers(s["table"]) * (1 if config.tie_embeddings else 3)
    last = 2 * _numbers(s["norm"]) if config.norm_first else 0
    return tables + stack(config.n_layers) + last


def cross_attention_forgotten__shapes(config):
    s = _shapes(config)
    shapes = s["table"] * (1 if config.tie_embeddings else 3)
    for norms in [2, 3] * config.n_layers:
        shapes = shapes + s["attention"] + s["network"] + norms * s["norm"]
    return _numbers(shapes + (2 * s["norm"] if config.norm_first else []))


def output_bias__linear(config):
    with torch.device("meta"):
        out = torch.nn.Linear(config.d_model, config.vocab_size)
    bias = out.bias.numel()
    return right__shapes(config) + bias


def positions_counted__embedding(config):
    with torch.device("meta"):
        places = torch.nn.Embedding(config.max_length, config.d_model)
    return right__formula(config) + sum(map(torch.numel, places.parameters()))


def config_not_read(config):
    return 63_082_496


def changes_its_input(config):
    result = right__formula(config)
    object.__setattr__(config, "n_layers", 0)
    return result


def printed_not_returned(config):
    print(right__formula(config))


def no_return(config):
    total = config.vocab_size * config.d_model
    total += config.n_layers * config.d_ff


def signature(vocab_size, d_model, n_layers):
    return vocab_size * d_model * n_layers
