"""The feed-forward network, against torch's layers and the reference."""

import torch
from torch import nn
from torch_pairs import SAME, TorchPair, inside, random

from transformer_lib import numpy_reference as reference
from transformer_lib.feed_forward import FeedForward

B, L, D, D_FF = 2, 3, 6, 10


def pair():
    torch.manual_seed(0)
    theirs = nn.Sequential(nn.Linear(D, D_FF), nn.ReLU(), nn.Linear(D_FF, D))
    names = inside("0", "linear1", SAME) | inside("2", "linear2", SAME)
    return TorchPair(FeedForward(D, D_FF), theirs, names)


def test_equals_torch_in_value_and_gradient():
    both, x = pair(), random(B, L, D)
    both.compare(both.ours(x), both.theirs(x), x)


def test_equals_the_numpy_reference():
    module, x = pair().ours, random(B, L, D)
    arrays = [
        t.detach().numpy()
        for linear in (module.linear1, module.linear2)
        for t in (linear.weight.T, linear.bias)
    ]
    expected = reference.feed_forward(x.detach().numpy(), *arrays)
    assert abs(module(x).detach().numpy() - expected).max() < 1e-10


def test_each_position_runs_through_by_itself():
    module, x = pair().ours, random(B, L, D)
    torch.testing.assert_close(module(x)[:, 1:2], module(x[:, 1:2]))


def test_the_first_weights_are_glorot_uniform_and_the_biases_zero():
    module = FeedForward(40, 200)
    for linear in (module.linear1, module.linear2):
        largest = linear.weight.abs().max().item()
        assert 0.95 < largest / (6 / (40 + 200)) ** 0.5 <= 1
        assert not linear.bias.any()
