"""The loss: against torch's cross-entropy, the reference and sums by hand."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from torch_pairs import compare, float64, random

from transformer_lib import numpy_reference as reference
from transformer_lib.label_smoothing import smooth_targets, token_loss

V = 7
TARGETS = torch.tensor([[1, 6, 0], [4, 0, 0]])


def test_smoothing_by_hand_and_twin():
    ours = smooth_targets(torch.tensor([0, 2]), 4, 0.2)
    expected = torch.tensor([[0.85, 0.05, 0.05, 0.05], [0.05] * 4])
    expected[1, 2] = 0.85
    torch.testing.assert_close(ours, expected)
    theirs = reference.smooth_targets(np.array([0, 2]), 4, 0.2)
    assert abs(ours.numpy() - theirs).max() < 1e-6


def test_the_three_conventions_by_hand():
    rows = {
        spread: smooth_targets(torch.tensor([2]), 5, 0.3, spread)[0].tolist()
        for spread in ("all", "wrong", "wrong_words")
    }
    assert rows["all"] == pytest.approx([0.06, 0.06, 0.76, 0.06, 0.06])
    assert rows["wrong"] == pytest.approx([0.075, 0.075, 0.7, 0.075, 0.075])
    assert rows["wrong_words"] == pytest.approx([0, 0.1, 0.7, 0.1, 0.1])


def test_the_padding_of_wrong_words_can_be_another():
    row = smooth_targets(torch.tensor([2]), 4, 0.3, "wrong_words", pad=3)
    torch.testing.assert_close(row, torch.tensor([[0.15, 0.15, 0.7, 0]]))


@pytest.mark.parametrize("spread", ["all", "wrong", "wrong_words"])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.9])
def test_every_convention_shares_out_exactly_one(spread, epsilon):
    targets = torch.tensor([[1, 6], [4, 3]])
    shares = smooth_targets(targets, V, epsilon, spread)
    assert shares.shape == (2, 2, V)
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, 2))
    right = shares.gather(-1, targets.unsqueeze(-1))
    expected = 1 - epsilon + (epsilon / V if spread == "all" else 0)
    torch.testing.assert_close(right, torch.full_like(right, expected))


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.9])
def test_smoothed_targets_are_those_of_torch(epsilon):
    logits, targets = random(4, V), torch.tensor([1, 6, 0, 4])
    with float64():
        wanted = smooth_targets(targets, V, epsilon)
    ours = F.cross_entropy(logits, wanted)
    theirs = F.cross_entropy(logits, targets, label_smoothing=epsilon)
    compare(ours, theirs, logits)


@pytest.mark.parametrize("pad", [0, 4])
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_the_loss_equals_torch_in_value_and_gradient(epsilon, pad):
    torch.manual_seed(0)
    logits = random(2, 3, V)
    total, count = token_loss(logits, TARGETS, epsilon, pad)
    mean = torch.nn.CrossEntropyLoss(label_smoothing=epsilon, ignore_index=pad)(
        logits.reshape(6, V), TARGETS.reshape(6)
    )
    compare(total / count, mean, logits)
    assert int(count) == (pad != TARGETS).sum()


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_the_loss_is_the_cross_entropy_of_smoothed_targets(epsilon):
    torch.manual_seed(0)
    logits = random(2, 3, V)
    total, _ = token_loss(logits, TARGETS, epsilon)
    real = TARGETS != 0
    with float64():
        wanted = smooth_targets(TARGETS, V, epsilon)
    by_hand = -(wanted * logits.log_softmax(-1)).sum(-1)[real].sum()
    compare(total, by_hand, logits)


def test_what_stands_at_padded_positions_does_not_count():
    torch.manual_seed(0)
    logits, targets = random(1, 3, V), torch.tensor([[1, 6, 0]])
    changed = logits.detach().clone()
    changed[0, 2] += 5
    total = token_loss(logits, targets)[0]
    assert total == token_loss(changed, targets)[0]
    gradient = torch.autograd.grad(total, logits)[0]
    assert gradient[0, :2].all() and not gradient[0, 2].any()


def test_losses_add_up_over_batches():
    torch.manual_seed(0)
    logits, targets = random(4, 3, V), torch.randint(1, V, (4, 3))
    whole = token_loss(logits, targets, 0.1)
    parts = [token_loss(logits[i::2], targets[i::2], 0.1) for i in (0, 1)]
    torch.testing.assert_close(parts[0][0] + parts[1][0], whole[0])
    assert int(parts[0][1] + parts[1][1]) == int(whole[1])


def test_a_batch_of_padding_only_costs_nothing():
    nothing = torch.zeros(1, 2, dtype=torch.long)
    total, count = token_loss(torch.randn(1, 2, V), nothing, 0.1)
    assert (float(total), int(count)) == (0.0, 0)


def test_the_least_loss_under_smoothing_is_the_entropy_of_the_targets():
    with float64():
        wanted = smooth_targets(torch.tensor([2]), V, 0.1)
    least = token_loss(wanted.log(), torch.tensor([2]), 0.1)[0]
    assert least.item() == pytest.approx(-(wanted * wanted.log()).sum().item())
    other = token_loss(wanted.log() * 1.1, torch.tensor([2]), 0.1)[0]
    assert other > least


@pytest.mark.parametrize(
    "spread, row", [("wrong", [0.1, 0.9]), ("wrong_words", [0, 0.1, 0.9])]
)
def test_one_other_class_is_enough_to_share(spread, row):
    last = torch.tensor([len(row) - 1])
    found = smooth_targets(last, len(row), 0.1, spread)
    torch.testing.assert_close(found, torch.tensor([row]))


def test_no_targets_are_smoothed_to_none():
    none = torch.empty(2, 0, dtype=torch.long)
    assert smooth_targets(none, 5, 0.1).shape == (2, 0, 5)


def test_nothing_is_smoothed_unless_asked_for():
    torch.manual_seed(0)
    logits, targets = torch.randn(3, 7), torch.tensor([1, 6, 4])
    total, _ = token_loss(logits, targets)
    expected = F.cross_entropy(logits, targets, reduction="sum")
    torch.testing.assert_close(total, expected)
