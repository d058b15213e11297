"""The checks on paper of chapter 7: cell 13, and the budget of the heads."""

import numpy as np
import pytest

from transformer_course import checks
from transformer_course.checks.paper import paper_of


def test_cell_13_is_followed_by_numpy():
    x = np.arange(24).reshape(1, 4, 6)
    cut = x.reshape(1, 4, 3, 2).swapaxes(1, 2)
    cells = [
        *np.argwhere(cut == 13)[0][1:],
        *np.argwhere(x.reshape(1, 3, 4, 2) == 13)[0][1:],
        *np.argwhere(cut.reshape(1, 4, 6) == 13)[0][1:],
    ]
    np.testing.assert_array_equal(paper_of("cell_by_hand").answer, cells)
    assert checks.cell_by_hand(cells).ok


def test_the_budget_is_counted_in_the_library():
    torch = pytest.importorskip("torch")
    from transformer_lib.multi_head import MultiHeadAttention

    attention = MultiHeadAttention(512, 16)
    matrices = [p for p in attention.parameters() if p.ndim == 2]
    x = torch.zeros(1, 100, 512)
    weights = attention.attention_weights(x, attention.keys_values(x))
    right = paper_of("heads_budget_by_hand").answer
    width, parameters, products, many, one = right
    assert attention.keys_values(x).keys.shape[-1] == width
    assert sum(p.numel() for p in matrices) == parameters
    assert weights.numel() == many and products == many * width
    assert one == weights[0, 0].numel()


def test_the_hint_follows_what_is_wrong():
    assert "head 1" not in checks.cell_by_hand(None).message
    verdict = checks.cell_by_hand((0, 2, 1, 1, 2, 1, 3, 3))
    assert "the merge without transpose" in verdict.message
    verdict = checks.heads_budget_by_hand((32, 1, 5120000, 160000, 10000))
    assert "parameters in the four matrices" in verdict.message
