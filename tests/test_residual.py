"""The residual connection: both orders, and what dropout may touch."""

import pytest
import torch
from torch import nn
from witness import NORM, Witness, inside, random

from transformer_lib.residual import ResidualConnection

B, L, D = 2, 3, 6


class TorchResidual(nn.Module):
    """The two orders as `nn.TransformerEncoderLayer` writes them."""

    def __init__(self, norm_first):
        super().__init__()
        self.norm = nn.LayerNorm(D)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + sublayer(self.norm(x))
        return self.norm(x + sublayer(x))


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("norm_first", [False, True])
def test_both_orders_equal_torch_in_value_and_gradient(norm_first, train):
    torch.manual_seed(0)
    pair = Witness(
        ResidualConnection(D, 0.0, norm_first),
        TorchResidual(norm_first),
        inside("norm", "norm", NORM),
    )
    pair.train(train)
    x = random(B, L, D)
    pair.compare(pair.ours(x, torch.tanh), pair.theirs(x, torch.tanh), x)


@pytest.mark.parametrize("norm_first", [False, True])
def test_entering_and_leaving_is_the_whole_way(norm_first):
    residual = ResidualConnection(D, 0.0, norm_first)
    x = torch.randn(B, L, D)
    change = residual.enter(x).tanh()
    assert torch.equal(residual.leave(x, change), residual(x, torch.tanh))


def test_a_zero_sublayer_leaves_x_alone_only_in_pre_norm():
    x = torch.tensor([[1.0, 2, 3, 6]])
    pre = ResidualConnection(4, 0.0, norm_first=True)
    post = ResidualConnection(4, 0.0, norm_first=False)
    assert torch.equal(pre(x, torch.zeros_like), x)
    assert not torch.allclose(post(x, torch.zeros_like), x)


def test_the_gradient_has_a_free_way_past_the_sublayer_in_pre_norm():
    x = random(1, D)
    pre = ResidualConnection(D, 0.0, norm_first=True).double()
    pull = torch.randn(1, D, dtype=torch.float64)
    gradient = torch.autograd.grad(pre(x, torch.zeros_like), x, pull)[0]
    assert torch.equal(gradient, pull)


def test_dropout_takes_from_the_change_and_never_from_x():
    x = torch.ones(1, 1000)
    residual = ResidualConnection(1000, 0.5, norm_first=True)
    torch.manual_seed(0)
    out = residual(x, torch.ones_like)
    assert set(out.unique().tolist()) == {1.0, 3.0}
    residual.eval()
    assert residual(x, torch.ones_like).unique().tolist() == [2.0]


def test_the_order_of_the_norm_is_true_or_false(plain):
    """The text "no" would count as yes."""
    with pytest.raises(TypeError, match="norm_first='no'"):
        plain("residual").ResidualConnection(4, 0.1, "no")
