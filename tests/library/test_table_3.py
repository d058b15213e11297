"""Table 3 of Vaswani et al. 2017: every row can be built and counted."""

import pytest
import torch
from torch import nn

from transformer_lib.model import (
    Transformer,
    TransformerConfig,
    count_parameters,
)

V = 37_000  # shared source and target vocabulary, section 5.1
BASE = TransformerConfig.base(V)

# Row: what it changes in the base model, and millions of parameters as the
# paper prints them (an empty cell means the base model's).
ROWS = {
    "base": ({}, 65),
    "A: 1 head": ({"n_heads": 1}, 65),
    "A: 4 heads": ({"n_heads": 4}, 65),
    "A: 16 heads": ({"n_heads": 16}, 65),
    "A: 32 heads": ({"n_heads": 32}, 65),
    "B: d_k 16": ({"d_k": 16}, 58),
    "B: d_k 32": ({"d_k": 32}, 60),
    "C: 2 layers": ({"n_layers": 2}, 36),
    "C: 4 layers": ({"n_layers": 4}, 50),
    "C: 8 layers": ({"n_layers": 8}, 80),
    "C: d_model 256": ({"d_model": 256}, 28),
    "C: d_model 1024": ({"d_model": 1024}, 168),
    "C: d_ff 1024": ({"d_ff": 1024}, 53),
    "C: d_ff 4096": ({"d_ff": 4096}, 90),
    "D: dropout 0": ({"dropout": 0.0}, 65),
    "D: dropout 0.2": ({"dropout": 0.2}, 65),
    "E: learned positions": ({"learned_positions": True}, 65),
    "big": (
        {"d_model": 1024, "n_heads": 16, "d_ff": 4096, "dropout": 0.3},
        213,
    ),
}


def row(name):
    return TransformerConfig(V, **ROWS[name][0])


def formula(c: TransformerConfig) -> int:
    """Count from the sizes alone, every bias included.

    A matrix from n to m numbers has m (n + 1) parameters with its biases.
    """
    d, h = c.d_model, c.n_heads
    d_k = d // h if c.d_k is None else c.d_k
    attention = 2 * h * d_k * (d + 1) + 2 * d * (d + 1)  # W^Q W^K, W^V W^O
    feed_forward = c.d_ff * (d + 1) + d * (c.d_ff + 1)
    norm = 2 * d
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    last = 2 * norm if c.norm_first else 0
    tables = (1 if c.tie_embeddings else 3) * c.vocab_size * d
    positions = c.max_length * d if c.learned_positions else 0
    return c.n_layers * (encoder + decoder) + last + tables + positions


@pytest.mark.parametrize("name", ROWS)
def test_every_row_can_be_built_and_counts_as_the_formula(name):
    """On the meta device: shapes alone, no memory for the numbers."""
    config = row(name)
    with torch.device("meta"):
        model = Transformer(config)
        x = torch.empty(2, 3, config.d_model)
    assert all(p.is_meta for p in model.parameters())
    assert sum(p.numel() for p in model.parameters()) == formula(config)
    assert count_parameters(config) == formula(config)
    keys, values = model.decoder.layers[-1].cross_attention.keys_values(x)
    d_v = config.d_model // config.n_heads
    assert keys.shape == (2, config.n_heads, 3, config.d_k or d_v)
    assert values.shape == (2, config.n_heads, 3, d_v)


@pytest.mark.parametrize(
    "name", ["base", "D: dropout 0", "D: dropout 0.2", "big"]
)
def test_every_dropout_of_a_row_is_the_same(name):
    with torch.device("meta"):
        model = Transformer(row(name))
    rates = [m.p for m in model.modules() if isinstance(m, nn.Dropout)]
    assert len(rates) == 6 * 2 + 1  # in each layer, and on the positions
    assert set(rates) == {row(name).dropout}


def test_the_totals_of_base_and_big():
    assert formula(BASE) == 63_082_496
    assert formula(TransformerConfig.big(V)) == 214_245_376
    assert TransformerConfig.base(V) == row("base")
    assert TransformerConfig.big(V) == row("big")


@pytest.mark.parametrize("changes", [{"norm_first": True}, {"max_length": 9}])
@pytest.mark.parametrize("tied", [True, False])
def test_the_formula_also_counts_what_the_paper_does_not_have(changes, tied):
    config = TransformerConfig(
        31,
        d_model=12,
        n_heads=3,
        d_ff=20,
        n_layers=2,
        tie_embeddings=tied,
        **changes,
    )
    assert count_parameters(config) == formula(config)


NARROW = [name for name in ROWS if row(name).d_model == 512]


@pytest.mark.parametrize("name", NARROW)
def test_the_rows_differ_from_base_as_in_the_paper(name):
    """To a million: both of the paper's figures are rounded.

    Rows of another d_model tell V too, and the paper's do not agree on one.
    """
    ours = (formula(row(name)) - formula(BASE)) / 1e6
    theirs = ROWS[name][1] - ROWS["base"][1]
    assert abs(ours - theirs) <= 1


def test_no_vocabulary_gives_the_figures_of_the_paper():
    """Base speaks for more than 39,000 tokens, big for fewer than 37,000."""

    def vocabulary(config, millions):
        rest = formula(config) - V * config.d_model
        return (millions * 1e6 - rest) / config.d_model

    base = [vocabulary(BASE, m) for m in (64.5, 65.5)]
    big = [vocabulary(TransformerConfig.big(V), m) for m in (212.5, 213.5)]
    assert base[0] > 39_000 > 37_000 > big[1]


def test_another_number_of_heads_costs_nothing():
    heads = [row(name) for name in ROWS if name.startswith("A")]
    assert {formula(config) for config in heads} == {formula(BASE)}
