"""Positions: sines by hand, the reference, and the learned table."""

import copy
import math
import pickle

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch_pairs import TorchPair, float64, random

from transformer_lib import numpy_reference as reference
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.positional import PositionalEncoding, sinusoidal_encoding


def test_positions_by_hand():
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    torch.testing.assert_close(
        sinusoidal_encoding(3, 4), torch.tensor(expected)
    )


def test_positions_equal_the_reference():
    expected = reference.sinusoidal_encoding(50, 16)
    with float64():
        exact = sinusoidal_encoding(50, 16)
    assert abs(exact.numpy() - expected).max() < 1e-10
    rounded = sinusoidal_encoding(50, 16)
    assert rounded.dtype == torch.float32
    assert torch.equal(rounded, exact.float())


def test_a_shift_is_one_rotation_wherever_it_starts():
    """Vaswani et al. 2017, section 3.5: PE(pos + k) is linear in PE(pos)."""
    with float64():
        table = sinusoidal_encoding(30, 8)
    angle = 5 / 10000 ** (torch.arange(0, 8, 2, dtype=torch.float64) / 8)
    sine, cosine = table[:-5, 0::2], table[:-5, 1::2]
    moved = sine * angle.cos() + cosine * angle.sin()
    torch.testing.assert_close(table[5:, 0::2], moved)


def test_positions_start_where_told():
    module = PositionalEncoding(4, 9, dropout=0.0)
    x = torch.zeros(2, 3, 4)
    assert torch.equal(module(x, start=5)[1], sinusoidal_encoding(9, 4)[5:8])
    assert torch.equal(module(x)[1], sinusoidal_encoding(9, 4)[:3])


def test_positions_are_added():
    module = PositionalEncoding(4, 9, dropout=0.0)
    x = torch.randn(2, 3, 4)
    assert torch.equal(module(x), x + module.pe[:3])


def test_sines_are_neither_trained_nor_saved():
    module = PositionalEncoding(4, 9, dropout=0.1)
    assert not list(module.parameters())
    assert not module.state_dict()


class TorchPositions(nn.Module):
    """A second `nn.Embedding`, as most public code has it."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(9, 4)

    def forward(self, x, start):
        places = torch.arange(start, start + x.shape[1])
        return x + F.embedding(places, self.embedding.weight)


@pytest.mark.parametrize("start", [0, 5])
def test_learned_positions_equal_torch_in_value_and_gradient(start):
    torch.manual_seed(0)
    pair = TorchPair(
        PositionalEncoding(4, 9, dropout=0.0, learned=True),
        TorchPositions(),
        {"embedding.weight": ("pe",)},
    )
    x = random(2, 3, 4)
    pair.compare(pair.ours(x, start=start), pair.theirs(x, start), x)


def test_learned_positions_start_as_large_as_tokens_and_are_saved():
    torch.manual_seed(0)
    module = PositionalEncoding(64, 200, dropout=0.0, learned=True)
    assert set(module.state_dict()) == {"pe"}
    token = TokenEmbedding(200, 64)(torch.arange(200))
    assert module.pe.std().item() == pytest.approx(token.std().item(), rel=0.05)


@pytest.mark.parametrize("learned", [False, True])
def test_dropout_falls_on_the_sum(learned):
    torch.manual_seed(0)
    module = PositionalEncoding(500, 9, dropout=0.5, learned=learned)
    x = torch.full((1, 2, 500), 3.0)
    whole, out = x + module.pe[:2], module(x)
    kept = out != 0
    assert 0.4 < kept.float().mean() < 0.6
    torch.testing.assert_close(out[kept], 2 * whole[kept])
    assert torch.equal(module.eval()(x), whole)


def test_loading_weights_computes_the_sines_that_no_checkpoint_has():
    """The usual way to load a large model: meta, to_empty, then the weights."""
    made = nn.Sequential(nn.Linear(4, 4), PositionalEncoding(4, 9, 0.0))
    with torch.device("meta"):
        empty = nn.Sequential(nn.Linear(4, 4), PositionalEncoding(4, 9, 0.0))
    with pytest.warns(UserWarning, match="no-op"):  # torch's own warning
        empty.load_state_dict(made.state_dict())
    empty.to_empty(device="cpu")
    empty[1].pe.fill_(math.nan)
    empty.load_state_dict(made.state_dict())
    assert torch.equal(empty[1].pe, made[1].pe)
    assert "1.pe" not in made.state_dict()


def test_loading_weights_leaves_a_learned_table_as_it_was_saved():
    made, other = (PositionalEncoding(4, 9, 0.0, True) for _ in range(2))
    other.load_state_dict(made.state_dict())
    assert torch.equal(other.pe, made.pe)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_loading_weights_keeps_the_precision(dtype):
    module = PositionalEncoding(4, 9, 0.0).to(dtype)
    before = module.pe.clone()
    module.load_state_dict(module.state_dict())
    assert module.pe.dtype == dtype and torch.equal(module.pe, before)


def test_assigned_weights_find_their_sines():
    """The other usual way: meta, and the tensors of the file themselves."""
    made = nn.Sequential(nn.Linear(4, 4), PositionalEncoding(4, 9, 0.0))
    with torch.device("meta"):
        empty = nn.Sequential(nn.Linear(4, 4), PositionalEncoding(4, 9, 0.0))
    empty.load_state_dict(made.state_dict(), assign=True)
    x = torch.rand(2, 3, 4)
    assert torch.equal(empty(x), made(x))
    assert "1.pe" not in empty.state_dict()  # still a buffer of no checkpoint


def test_loading_weights_rounds_the_sines_as_building_did():
    """Whatever the default is by then, such as a loader's bfloat16."""
    module = PositionalEncoding(4, 9, 0.0)
    before = module.pe.clone()
    torch.set_default_dtype(torch.bfloat16)
    try:
        module.load_state_dict({})
    finally:
        torch.set_default_dtype(torch.float32)
    assert torch.equal(module.pe, before)


def test_loading_weights_works_inside_a_meta_context():
    module = PositionalEncoding(4, 9, 0.0)
    before = module.pe.clone()
    with torch.device("meta"):
        module.load_state_dict({})
    assert torch.equal(module.pe, before)


def test_a_table_that_has_become_part_of_the_checkpoint_is_not_replaced():
    module = PositionalEncoding(4, 9, 0.0)
    module.pe = nn.Parameter(torch.ones(9, 4))
    module.load_state_dict({"pe": torch.full((9, 4), 5.0)})
    assert (module.pe == 5).all()


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_a_copy_fills_in_its_own_sines(copied):
    module = PositionalEncoding(4, 9, 0.0)
    before = module.pe.clone()
    other = copied(module)
    module.pe.fill_(1)
    other.pe.fill_(2)
    other.load_state_dict({})
    assert torch.equal(other.pe, before) and (module.pe == 1).all()


def test_functional_call_takes_the_table_that_it_is_given():
    module = PositionalEncoding(4, 9, 0.0)
    given = {"pe": torch.ones(9, 4)}
    y = torch.func.functional_call(module, given, (torch.zeros(1, 5, 4),))
    assert (y == 1).all()
