"""Small formulas: norm, residual, positions, feed-forward, embedding, loss,
schedule. Each against torch, the NumPy twin or a sum done by hand."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_lib import numpy_reference as twin
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.feed_forward import FeedForward
from transformer_lib.label_smoothing import smooth_targets, token_loss
from transformer_lib.normalization import LayerNorm, layer_norm
from transformer_lib.positional import PositionalEncoding, sinusoidal_encoding
from transformer_lib.residual import ResidualConnection
from transformer_lib.schedule import cosine_rate, noam_rate

D = 6


def vectors(*shape):
    torch.manual_seed(0)
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def test_layer_norm_by_hand():
    x = torch.tensor([1.0, 2, 3, 6])
    ours = layer_norm(x, torch.ones(4), torch.zeros(4), eps=0.0)
    expected = torch.tensor([-2.0, -1, 0, 3]) / math.sqrt(3.5)
    torch.testing.assert_close(ours, expected)


def test_layer_norm_equals_torch_module_and_twin():
    x, gain, bias = vectors(2, 3, D), vectors(D), vectors(D)
    ours = layer_norm(x, gain, bias)
    theirs = F.layer_norm(x, (D,), gain, bias)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)
    pull = torch.randn_like(ours)
    for one, two in zip(
        torch.autograd.grad(ours, (x, gain, bias), pull),
        torch.autograd.grad(theirs, (x, gain, bias), pull),
        strict=True,
    ):
        torch.testing.assert_close(one, two, rtol=0, atol=1e-10)
    arrays = [t.detach().numpy() for t in (x, gain, bias)]
    assert abs(twin.layer_norm(*arrays) - ours.detach().numpy()).max() < 1e-10
    module = LayerNorm(D).double()
    torch.testing.assert_close(
        module(x), layer_norm(x, torch.ones_like(gain), torch.zeros_like(bias))
    )


def test_a_constant_token_stays_finite():
    module = LayerNorm(D)
    assert torch.equal(module(torch.full((2, D), 5.0)), torch.zeros(2, D))


@pytest.mark.parametrize("norm_first", [False, True])
def test_residual_orders(norm_first):
    x = vectors(2, 3, D)
    residual = ResidualConnection(D, 0.0, norm_first).double()
    norm = residual.norm
    ours = residual(x, torch.tanh)
    expected = x + norm(x).tanh() if norm_first else norm(x + x.tanh())
    torch.testing.assert_close(ours, expected)


def test_a_zero_sublayer_leaves_x_alone_only_in_pre_norm():
    x = torch.tensor([[1.0, 2, 3, 6]])
    pre = ResidualConnection(4, 0.0, norm_first=True)
    post = ResidualConnection(4, 0.0, norm_first=False)
    assert torch.equal(pre(x, torch.zeros_like), x)
    assert not torch.allclose(post(x, torch.zeros_like), x)


def test_residual_drops_the_change_and_never_x():
    x = torch.ones(1, 1000)
    residual = ResidualConnection(1000, 0.5, norm_first=True)
    torch.manual_seed(0)
    out = residual(x, torch.ones_like)
    assert set(out.unique().tolist()) == {1.0, 3.0}
    residual.eval()
    assert residual(x, torch.ones_like).unique().tolist() == [2.0]


def test_positions_by_hand():
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    torch.testing.assert_close(
        sinusoidal_encoding(3, 4), torch.tensor(expected)
    )


def test_positions_equal_the_twin():
    ours = sinusoidal_encoding(50, 16).numpy()
    assert abs(ours - twin.sinusoidal_encoding(50, 16)).max() < 1e-6


def test_positions_start_where_told():
    module = PositionalEncoding(4, 9, dropout=0.0)
    x = torch.zeros(2, 3, 4)
    assert torch.equal(module(x, start=5)[1], sinusoidal_encoding(9, 4)[5:8])


def test_feed_forward_equals_twin_and_treats_positions_alike():
    module = FeedForward(D, 10).double()
    nn.init.normal_(module.inner.bias)
    nn.init.normal_(module.outer.bias)
    x = vectors(2, 3, D)
    weights = [
        t.detach().numpy()
        for t in (
            module.inner.weight.T,
            module.inner.bias,
            module.outer.weight.T,
            module.outer.bias,
        )
    ]
    expected = twin.feed_forward(x.detach().numpy(), *weights)
    assert abs(module(x).detach().numpy() - expected).max() < 1e-10
    torch.testing.assert_close(module(x)[:, 1:2], module(x[:, 1:2]))


def test_embedding_reads_scaled_and_writes_unscaled():
    module = TokenEmbedding(9, D).double()
    ids = torch.tensor([[2, 8, 2]])
    expected = F.embedding(ids, module.table) * D**0.5
    torch.testing.assert_close(module(ids), expected)
    x = vectors(2, D)
    torch.testing.assert_close(module.logits(x), x @ module.table.T)


def test_the_first_loss_is_near_the_log_of_the_vocabulary():
    torch.manual_seed(0)
    module = TokenEmbedding(2000, 128)
    x = F.layer_norm(torch.randn(500, 128), (128,))
    targets = torch.randint(0, 2000, (500,))
    loss = F.cross_entropy(module.logits(x), targets)
    assert abs(loss - math.log(2000) - 0.5) < 0.2


def test_smoothing_by_hand_and_twin():
    ours = smooth_targets(torch.tensor([0, 2]), 4, 0.2)
    expected = torch.tensor([[0.85, 0.05, 0.05, 0.05], [0.05] * 4])
    expected[1, 2] = 0.85
    torch.testing.assert_close(ours, expected)
    theirs = twin.smooth_targets(np.array([0, 2]), 4, 0.2)
    assert abs(ours.numpy() - theirs).max() < 1e-6


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_loss_is_the_cross_entropy_of_smoothed_targets(epsilon):
    logits = vectors(2, 3, 7)
    targets = torch.tensor([[1, 6, 0], [4, 0, 0]])
    total, count = token_loss(logits, targets, epsilon)
    real = targets != 0
    wanted = smooth_targets(targets, 7, epsilon).double()
    expected = -(wanted * logits.log_softmax(-1)).sum(-1)[real].sum()
    torch.testing.assert_close(total, expected, rtol=0, atol=1e-6)
    assert int(count) == 3


def test_what_stands_at_padded_positions_does_not_count():
    logits, targets = vectors(1, 3, 7), torch.tensor([[1, 6, 0]])
    changed = logits.detach().clone()
    changed[0, 2] += 5
    assert token_loss(logits, targets)[0] == token_loss(changed, targets)[0]


def test_losses_add_up_over_batches():
    logits, targets = vectors(4, 3, 7), torch.randint(1, 7, (4, 3))
    whole = token_loss(logits, targets, 0.1)
    parts = [token_loss(logits[i::2], targets[i::2], 0.1) for i in (0, 1)]
    torch.testing.assert_close(parts[0][0] + parts[1][0], whole[0])
    assert int(parts[0][1] + parts[1][1]) == int(whole[1])


def test_noam_by_hand():
    rates = [noam_rate(step, d_model=4, warmup=4) for step in range(1, 6)]
    expected = [1 / 16, 1 / 8, 3 / 16, 1 / 4, 1 / (2 * math.sqrt(5))]
    assert rates == pytest.approx(expected)


def test_noam_of_the_paper_peaks_at_the_end_of_the_warm_up():
    rates = [noam_rate(step, 512, 4000) for step in range(1, 9000)]
    assert rates.index(max(rates)) == 4000 - 1
    assert max(rates) == pytest.approx((512 * 4000) ** -0.5)
    assert twin.noam_rate(777, 512, 4000) == pytest.approx(rates[776])


def test_cosine_rises_then_falls_to_zero():
    def rate(step):
        return cosine_rate(step, peak=2.0, warmup=4, total=12)

    assert [rate(s) for s in (1, 4, 8)] == pytest.approx([0.5, 2.0, 1.0])
    assert rate(12) == pytest.approx(0.0)
    assert rate(99) == pytest.approx(0.0)
