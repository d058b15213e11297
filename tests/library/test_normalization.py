"""Normalization: by hand, by torch's kernels, and what the two are for."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch_pairs import EXACT, SAME, TorchPair, compare, random

from transformer_lib import numpy_reference as reference
from transformer_lib.normalization import (
    BatchNorm,
    LayerNorm,
    batch_norm,
    layer_norm,
)

B, L, D = 3, 4, 6


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def test_layer_norm_by_hand():
    x = torch.tensor([1.0, 2, 3, 6])
    ours = layer_norm(x, torch.ones(4), torch.zeros(4), eps=0.0)
    expected = torch.tensor([-2.0, -1, 0, 3]) / math.sqrt(3.5)
    torch.testing.assert_close(ours, expected)


def test_batch_norm_by_hand():
    x = torch.tensor([[1.0, 5], [3, 5], [8, 5]])
    ours = batch_norm(x, torch.tensor([1.0, 2]), torch.tensor([0.0, 7]))
    root = math.sqrt(26 / 3 + 1e-5)
    expected = torch.tensor([[-3 / root, 7], [-1 / root, 7], [4 / root, 7]])
    torch.testing.assert_close(ours, expected)


@pytest.mark.parametrize("eps", [1e-5, 0.5])
@pytest.mark.parametrize("shape", [(D,), (B, D), (B, L, D)])
def test_layer_norm_equals_torch_in_value_and_gradient(shape, eps):
    x, gain, bias = random(*shape), random(D), random(D)
    ours = layer_norm(x, gain, bias, eps)
    compare(ours, F.layer_norm(x, (D,), gain, bias, eps), x, gain, bias)


def test_layer_norm_equals_the_numpy_reference():
    x, gain, bias = random(B, L, D), random(D), random(D)
    arrays = [t.detach().numpy() for t in (x, gain, bias)]
    ours = layer_norm(x, gain, bias).detach().numpy()
    assert abs(reference.layer_norm(*arrays) - ours).max() < 1e-10


def test_the_layer_norm_module_equals_torch_and_the_function():
    pair = TorchPair(LayerNorm(D, eps=0.1), nn.LayerNorm(D, eps=0.1), SAME)
    x = random(B, L, D)
    pair.compare(pair.ours(x), pair.theirs(x), x)
    gain, bias = pair.ours.weight, pair.ours.bias
    compare(pair.ours(x), layer_norm(x, gain, bias, 0.1), x, gain, bias)


@pytest.mark.parametrize("eps", [1e-5, 0.5])
def test_batch_norm_equals_torch_in_value_and_gradient(eps):
    x, gain, bias = random(B, L, D), random(D), random(D)
    rows = x.flatten(0, 1)
    theirs = F.batch_norm(
        rows, None, None, gain, bias, training=True, eps=eps
    ).reshape(x.shape)
    compare(batch_norm(x, gain, bias, eps), theirs, x, gain, bias)


def test_batch_norm_with_given_statistics_equals_torch():
    x, gain, bias = random(B, D), random(D), random(D)
    mean, variance = random(D), random(D).detach().exp().requires_grad_()
    ours = batch_norm(x, gain, bias, 0.1, mean, variance)
    theirs = F.batch_norm(
        x, mean.detach(), variance.detach(), gain, bias, eps=0.1
    )
    compare(ours, theirs, x, gain, bias)


def batch_norms(momentum=0.1):
    return TorchPair(
        BatchNorm(D, eps=0.1, momentum=momentum),
        nn.BatchNorm1d(D, eps=0.1, momentum=momentum),
        SAME,
    )


def assert_same_memory(pair):
    for ours, theirs in (
        (pair.ours.running_mean, pair.theirs.running_mean),
        (pair.ours.running_var, pair.theirs.running_var),
    ):
        torch.testing.assert_close(ours, theirs, **EXACT)


@pytest.mark.parametrize("momentum", [0.1, 0.7])
def test_the_batch_norm_module_equals_torch_over_several_batches(momentum):
    pair = batch_norms(momentum)
    for step in range(5):
        pair.train()
        x = 1 + step * random(B + step, D)
        pair.compare(pair.ours(x), pair.theirs(x), x)
        assert_same_memory(pair)
        pair.train(False)
        pair.compare(pair.ours(x), pair.theirs(x), x)
        assert_same_memory(pair)


def test_batch_norm_of_sentences_equals_torch_with_features_second():
    """Torch wants (B, D, L) where a Transformer has (B, L, D)."""
    pair = batch_norms()
    for mode in (True, False):
        pair.train(mode)
        x = random(B, L, D)
        pair.compare(pair.ours(x), pair.theirs(x.mT).mT, x)
    assert_same_memory(pair)


def test_the_batch_norm_module_equals_the_function_in_both_modes():
    module = batch_norms().ours
    x, gain, bias = random(B, L, D), module.weight, module.bias
    compare(module(x), batch_norm(x, gain, bias, 0.1), x, gain, bias)
    module.eval()
    memory = (module.running_mean, module.running_var)
    by_hand = batch_norm(x, gain, bias, 0.1, *memory)
    compare(module(x), by_hand, x, gain, bias)


def test_the_running_statistics_by_hand():
    """The variance they take is 4 (divided by N - 1), not 8/3 (by N)."""
    module = BatchNorm(1, momentum=0.25)
    module(torch.tensor([[1.0], [3], [5]]))
    assert module.running_mean.item() == pytest.approx(0.25 * 3)
    assert module.running_var.item() == pytest.approx(0.75 + 0.25 * 4)


def test_companions_matter_to_batch_norm_in_training_only():
    x, other = random(B, D), random(B, D)
    batch, layer = BatchNorm(D).double(), LayerNorm(D).double()
    assert torch.equal(layer(torch.cat([x, other]))[:B], layer(x))
    assert not torch.allclose(batch(torch.cat([x, other]))[:B], batch(x))
    batch.eval()
    assert torch.equal(batch(torch.cat([x, other]))[:B], batch(x))


def test_the_running_statistics_are_saved_and_take_no_gradient():
    module = BatchNorm(D)
    module(torch.randn(B, D))
    assert {"running_mean", "running_var"} <= set(module.state_dict())
    assert [name for name, _ in module.named_parameters()] == ["weight", "bias"]
    assert not module.running_mean.requires_grad


@pytest.mark.parametrize("function", [layer_norm, batch_norm])
def test_scale_and_shift_of_the_input_are_forgotten(function):
    x, one, zero = random(B, L, D), torch.ones(D), torch.zeros(D)
    plain = function(x, one.double(), zero.double(), 0.0)
    moved = function(3 * x - 5, one.double(), zero.double(), 0.0)
    torch.testing.assert_close(plain, moved)


def test_a_constant_token_stays_finite():
    module = LayerNorm(D)
    assert torch.equal(module(torch.full((2, D), 5.0)), torch.zeros(2, D))


@pytest.mark.parametrize("given", ["mean", "var"])
def test_one_statistic_without_the_other_is_refused(given):
    with pytest.raises(ValueError, match="both mean and var"):
        batch_norm(
            torch.randn(3, 4),
            torch.ones(4),
            torch.zeros(4),
            **{given: torch.ones(4)},
        )
