"""The explorers of chapter 10: their numbers are NumPy's and the library's."""

import itertools
import re

import numpy as np
import pytest
import torch
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import bends, budget
from transformer_lib import numpy_reference as reference
from transformer_lib.model import Transformer, TransformerConfig


def count(parameters):
    return sum(p.numel() for p in parameters)


def library_counts(words, d, d_ff, layers, tables):
    """The four parts, counted in a model of the library."""
    config = TransformerConfig(
        words,
        d_model=d,
        n_heads=1,
        d_ff=d_ff,
        n_layers=layers,
        tie_embeddings=tables == 1,
    )
    with torch.device("meta"):
        model = Transformer(config)
    named = dict(model.named_parameters())
    return (
        count(p for n, p in named.items() if "embedding" in n),
        count(p for n, p in named.items() if "feed_forward" in n),
        count(
            p
            for n, p in named.items()
            if "attention" in n and "norm" not in n and "feed_forward" not in n
        ),
        count(p for n, p in named.items() if "norm" in n),
    )


@pytest.mark.parametrize("tables", [1, 3])
@pytest.mark.parametrize(
    "sizes", [(1000, 64, 256, 2), (37, 6, 10, 1), (50, 8, 32, 12)]
)
def test_budget_equals_the_library(sizes, tables):
    parts = library_counts(*sizes, tables)
    assert budget.counts(*sizes, tables) == parts


def test_budget_readouts_give_every_grid_point():
    explorer = explorers.parameter_budget()
    grid = itertools.product(budget.WORDS, budget.WIDTHS, budget.LAYERS, (1, 3))
    for (v, d, n, tables), frame in zip(grid, explorer.frames, strict=True):
        each = budget.counts(v, d, 4 * d, n, tables)
        said = numbers(frame.readout.split("Shares")[0])
        assert said == [v, d, 4 * d, n, sum(each)]
        drawn = [f">{part:,}<" in frame.drawing for part in each]
        assert all(drawn)
        shares = frame.readout.split("Shares: ")[1][:-1].split(", ")
        for share, part in zip(shares, each, strict=True):
            exact = 100 * part / sum(each)
            if "less than" in share:
                assert exact < 1
            else:
                assert numbers(share)[0] == pytest.approx(exact, abs=0.51)


def test_budget_starts_with_the_base_model():
    explorer = explorers.parameter_budget()
    with torch.device("meta"):
        base = Transformer(TransformerConfig.base(37000))
    total = count(base.parameters())
    assert f"{total:,} parameters" in explorer.frames[explorer.start].readout


def test_the_bars_together_are_as_long_as_the_track():
    for frame in explorers.parameter_budget().frames:
        bars = re.findall(r'width="([\d.]+)" height="26"', frame.drawing)
        track, *parts = map(float, bars)
        assert sum(parts) == pytest.approx(track, abs=0.3)


def as_network(units, bent):
    """The same network in the form of the paper's formula."""
    places, weights, bias = bends.network(units, bent)
    return np.ones((1, units)), -places, weights[:, None], np.array([bias])


@pytest.mark.parametrize("units", bends.UNITS)
def test_the_sum_is_a_feed_forward_network(units):
    x = np.linspace(-3, 3, 101)
    W1, b1, W2, b2 = as_network(units, True)
    want = reference.feed_forward(x[:, None], W1, b1, W2, b2)[:, 0]
    got = bends.outputs(units, True, x).sum(0) + b2
    np.testing.assert_allclose(got, want, atol=1e-12)
    knots = np.linspace(-3, 3, units + 1)
    meets = bends.outputs(units, True, knots).sum(0) + b2
    np.testing.assert_allclose(meets, bends.target(knots), atol=1e-12)


@pytest.mark.parametrize("units", bends.UNITS)
def test_without_relu_the_sum_is_one_line(units):
    x = np.linspace(-3, 3, 101)
    W1, b1, W2, b2 = as_network(units, False)
    got = bends.outputs(units, False, x).sum(0) + b2
    want = ((x[:, None] @ W1 + b1) @ W2 + b2)[:, 0]
    np.testing.assert_allclose(got, want, atol=1e-12)
    assert abs(np.diff(got, 2)).max() < 1e-12


def test_bends_readouts_tell_the_greatest_distance():
    x = np.linspace(-3, 3, 241)
    explorer = explorers.sum_of_bends()
    grid = itertools.product(bends.UNITS, (True, False))
    errors = {}
    for (units, bent), frame in zip(grid, explorer.frames, strict=True):
        b = bends.network(units, bent)[2]
        total = bends.outputs(units, bent, x).sum(0) + b
        error = abs(total - bends.target(x)).max()
        said = numbers(frame.readout)
        assert said[0] == units and said[1] == 3 * units + 1
        assert said[-1] == pytest.approx(error, abs=0.0051)
        errors[units, bent] = said[-1]
    assert len({errors[units, False] for units in bends.UNITS}) == 1
    assert errors[12, True] < errors[4, True] / 3


def test_curves_stay_inside_their_panel():
    for units in (1, 2, 5, 24):
        for kind in (0, 1):
            page = explorers.sum_of_bends().view([units, kind])
            paths = re.findall(r'<path d="([^"]+)"', page)
            for path in paths:
                for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path):
                    assert 0 <= float(x) <= bends.WIDTH
                    assert 0 <= float(y) <= bends.HEIGHT
            assert len(paths) > units


def test_live_inputs_are_recomputed():
    page = explorers.parameter_budget().view([10, 4, 8, 1, 0])
    assert "472 parameters" in page
    page = explorers.parameter_budget().view([10, 4, 8, 1, 1])
    assert "552 parameters" in page
    page = explorers.sum_of_bends().view([5, 0])
    assert "5 units with ReLU, 16 parameters" in page
