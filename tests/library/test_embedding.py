"""Token embeddings: read scaled, written unscaled, started small."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch_pairs import TorchPair, random

from transformer_lib.embedding import TokenEmbedding

V, D = 9, 6


class TorchEmbedding(nn.Module):
    """`nn.Embedding`, whose weight also writes."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, D)

    def forward(self, ids):
        return self.embedding(ids) * math.sqrt(D)

    def logits(self, x):
        return F.linear(x, self.embedding.weight)


@pytest.fixture
def pair():
    torch.manual_seed(0)
    names = {"embedding.weight": ("weight",)}
    return TorchPair(TokenEmbedding(V, D), TorchEmbedding(), names)


def test_reading_equals_torch_in_value_and_gradient(pair):
    ids = torch.tensor([[2, 8, 2], [0, 1, 7]])
    pair.compare(pair.ours(ids), pair.theirs(ids))


def test_writing_equals_torch_in_value_and_gradient(pair):
    x = random(2, 3, D)
    pair.compare(pair.ours.logits(x), pair.theirs.logits(x), x)


def test_one_matrix_learns_from_reading_and_from_writing(pair):
    ids = torch.tensor([[2, 8, 2]])
    one, two = (m.logits(m(ids).tanh()) for m in (pair.ours, pair.theirs))
    pair.compare(one, two)


def test_a_word_that_was_not_read_learns_nothing(pair):
    ids = torch.tensor([[2, 8, 2]])
    table = pair.ours.weight
    gradient = torch.autograd.grad(pair.ours(ids).sum(), table)[0]
    assert gradient.any(dim=1).nonzero().flatten().tolist() == [2, 8]
    torch.testing.assert_close(gradient[2], 2 * gradient[8])


def test_the_rows_start_with_length_one():
    torch.manual_seed(0)
    table = TokenEmbedding(2000, 128).weight
    assert table.square().sum(dim=1).mean().item() == pytest.approx(1, abs=0.02)
    assert abs(table.mean().item()) < 1e-3


def test_the_first_loss_is_near_the_log_of_the_vocabulary():
    torch.manual_seed(0)
    module = TokenEmbedding(2000, 128)
    x = F.layer_norm(torch.randn(500, 128), (128,))
    targets = torch.randint(0, 2000, (500,))
    loss = F.cross_entropy(module.logits(x), targets)
    assert abs(loss - math.log(2000) - 0.5) < 0.2
