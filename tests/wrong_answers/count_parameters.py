"""Answers to `count_parameters(config)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import dataclasses
from types import SimpleNamespace

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


_BASE = SimpleNamespace(
    vocab_size=37_000,
    d_model=512,
    d_ff=2048,
    n_layers=6,
    tie_embeddings=True,
    norm_first=False,
)


def _parts(config):
    d, f = config.d_model, config.d_ff
    return SimpleNamespace(
        d=d,
        f=f,
        n=config.n_layers,
        table=config.vocab_size * d,
        tables=1 if config.tie_embeddings else 3,
        attention=4 * (d * d + d),
        feed=2 * d * f + f + d,
        norm=2 * d,
        norms=(2, 3),
        last=2 if config.norm_first else 0,
    )


def _sum(p):
    encoder = p.attention + p.feed + p.norms[0] * p.norm
    decoder = 2 * p.attention + p.feed + p.norms[1] * p.norm
    stacks = p.n * (encoder + decoder)
    return p.tables * p.table + stacks + p.last * p.norm


def tied_tables_counted_three_times(config):
    p = _parts(config)
    p.tables = 3
    return _sum(p)


def tied_tables_counted_three_times__turned(config):
    p = _parts(config)
    p.tables = 3 if config.tie_embeddings else 1
    return _sum(p)


def tied_tables_counted_twice(config):
    p = _parts(config)
    p.tables = 2 if config.tie_embeddings else 3
    return _sum(p)


def tie_ignored(config):
    p = _parts(config)
    p.tables = 1
    return _sum(p)


def two_tables_when_not_tied(config):
    p = _parts(config)
    p.tables = 1 if config.tie_embeddings else 2
    return _sum(p)


def no_tables(config):
    p = _parts(config)
    p.tables = 0
    return _sum(p)


def output_matrix_forgotten(config):
    p = _parts(config)
    p.attention = 3 * (p.d * p.d + p.d)
    return _sum(p)


def too_few_matrices(config):
    p = _parts(config)
    p.attention = p.d * p.d + p.d
    return _sum(p)


def too_few_matrices__two(config):
    p = _parts(config)
    p.attention = 2 * (p.d * p.d + p.d)
    return _sum(p)


def heads_multiplied(config):
    p = _parts(config)
    p.attention *= config.n_heads
    return _sum(p)


def attention_biases_forgotten(config):
    p = _parts(config)
    p.attention = 4 * p.d * p.d
    return _sum(p)


def attention_biases_forgotten__all_but_one(config):
    p = _parts(config)
    p.attention = 4 * p.d * p.d + p.d
    return _sum(p)


def attention_biases_forgotten__one(config):
    p = _parts(config)
    p.attention = 4 * p.d * p.d + 3 * p.d
    return _sum(p)


def no_biases(config):
    p = _parts(config)
    p.attention, p.feed = 4 * p.d**2, 2 * p.d * p.f
    return _sum(p)


def matrices_alone(config):
    p = _parts(config)
    p.attention, p.feed = 4 * p.d**2, 2 * p.d * p.f
    p.norm = 0
    return _sum(p)


def feed_forward_biases_forgotten(config):
    p = _parts(config)
    p.feed = 2 * p.d * p.f
    return _sum(p)


def a_vector_missing_in_each_layer__bias(config):
    p = _parts(config)
    p.feed = 2 * p.d * p.f + p.f
    return _sum(p)


def feed_forward_biases_forgotten__inner(config):
    p = _parts(config)
    p.feed = 2 * p.d * p.f + p.d
    return _sum(p)


def feed_forward_biases_of_one_length(config):
    p = _parts(config)
    p.feed = 2 * (p.d * p.f + p.f)
    return _sum(p)


def feed_forward_biases_of_one_length__outer(config):
    p = _parts(config)
    p.feed = 2 * (p.d * p.f + p.d)
    return _sum(p)


def one_matrix_in_the_feed_forward_network(config):
    p = _parts(config)
    p.feed = p.d * p.f + p.f + p.d
    return _sum(p)


def d_ff_not_read(config):
    p = _parts(config)
    p.feed = 8 * p.d * p.d + 5 * p.d
    return _sum(p)


def d_ff_not_read__square(config):
    p = _parts(config)
    p.feed = 2 * (p.d * p.d + p.d)
    return _sum(p)


def no_feed_forward(config):
    p = _parts(config)
    p.feed = 0
    return _sum(p)


def no_norms(config):
    p = _parts(config)
    p.norm = 0
    return _sum(p)


def half_a_norm(config):
    p = _parts(config)
    p.norm = p.d
    return _sum(p)


def half_a_norm__two_numbers(config):
    p = _parts(config)
    p.norm = 2
    return _sum(p)


def one_norm_a_layer(config):
    p = _parts(config)
    p.norms = (1, 1)
    return _sum(p)


def a_vector_missing_in_each_layer(config):
    p = _parts(config)
    p.norms = (2, 2)
    return _sum(p)


def norms_of_the_other_stack(config):
    p = _parts(config)
    p.norms = (3, 3)
    return _sum(p)


def last_norms_forgotten(config):
    p = _parts(config)
    p.last = 0
    return _sum(p)


def last_norms_forgotten__one(config):
    p = _parts(config)
    p.last = 1 if config.norm_first else 0
    return _sum(p)


def last_norms_in_post_norm(config):
    p = _parts(config)
    p.last = 2
    return _sum(p)


def last_norms_in_post_norm__turned(config):
    p = _parts(config)
    p.last = 0 if config.norm_first else 2
    return _sum(p)


def layers_not_multiplied(config):
    p = _parts(config)
    p.n = 1
    return _sum(p)


def six_layers_always(config):
    p = _parts(config)
    p.n = 6
    return _sum(p)


def positions_counted(config):
    p = _parts(config)
    return _sum(p) + config.max_length * p.d


def positions_counted__in_both_stacks(config):
    p = _parts(config)
    return _sum(p) + 2 * config.max_length * p.d


def output_bias(config):
    p = _parts(config)
    return _sum(p) + config.vocab_size


def cross_attention_forgotten(config):
    p = _parts(config)
    return _sum(p) - p.n * p.attention


def cross_attention_forgotten__with_its_norm(config):
    p = _parts(config)
    return _sum(p) - p.n * (p.attention + p.norm)


def no_feed_forward__decoder(config):
    p = _parts(config)
    return _sum(p) - p.n * p.feed


def step_nine_taken_literally(config):
    p = _parts(config)
    return _sum(p) - (p.n - 1) * p.feed


def step_nine_taken_literally__with_its_norm(config):
    p = _parts(config)
    return _sum(p) - (p.n - 1) * (p.feed + p.norm)


def layers_divided(config):
    p = _parts(config)
    stacks = _sum(p) - p.tables * p.table - p.last * p.norm
    return p.tables * p.table + stacks // 2 + p.last * p.norm


def one_stack_only(config):
    p = _parts(config)
    encoder = p.attention + p.feed + 2 * p.norm
    return p.tables * p.table + p.n * encoder + p.last * p.norm


def one_stack_only__decoder(config):
    p = _parts(config)
    decoder = 2 * p.attention + p.feed + 3 * p.norm
    return p.tables * p.table + p.n * decoder + p.last * p.norm


def cross_attention_forgotten__encoder_twice(config):
    p = _parts(config)
    encoder = p.attention + p.feed + 2 * p.norm
    return p.tables * p.table + 2 * p.n * encoder + p.last * p.norm


def two_equal_stacks(config):
    p = _parts(config)
    decoder = 2 * p.attention + p.feed + 3 * p.norm
    return p.tables * p.table + 2 * p.n * decoder + p.last * p.norm


def one_head_alone(config):
    p = _parts(config)
    width = p.d // config.n_heads
    p.attention = 3 * (p.d * width + width) + p.d * p.d + p.d
    return _sum(p)


def cross_attention_incomplete(config):
    p = _parts(config)
    return _sum(p) - p.n * (p.d * p.d + p.d)


def cross_attention_incomplete__keys_and_values(config):
    p = _parts(config)
    return _sum(p) - 2 * p.n * (p.d * p.d + p.d)


def two_networks_in_a_decoder_layer(config):
    p = _parts(config)
    return _sum(p) + p.n * p.feed


def last_norm_in_each_layer(config):
    p = _parts(config)
    p.last = 2 * p.n if config.norm_first else 0
    return _sum(p)


def last_norm_in_each_layer__twice_as_many(config):
    p = _parts(config)
    p.last = 5 * p.n if config.norm_first else 0
    return _sum(p)


def config_not_read(config):
    return 63_082_496


def config_not_read__but_the_flags(config):
    p = _parts(_BASE)
    p.tables = 1 if config.tie_embeddings else 3
    p.last = 2 if config.norm_first else 0
    return _sum(p)


def config_not_read__but_the_vocabulary(config):
    p = _parts(_BASE)
    p.table = config.vocab_size * p.d
    return _sum(p)


def a_table_in_each_layer(config):
    p = _parts(config)
    return _sum(p) + (p.n - 1) * p.table


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
