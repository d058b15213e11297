"""Masks by hand."""

import pytest
import torch

from transformer_lib.masks import causal_mask, padding_mask

T, F = True, False


def test_causal_mask_by_hand():
    expected = torch.tensor([[T, F, F], [T, T, F], [T, T, T]])
    assert torch.equal(causal_mask(3), expected)


def test_the_queries_are_the_last_keys():
    expected = torch.tensor([[T, T, T, F], [T, T, T, T]])
    assert torch.equal(causal_mask(2, 4), expected)
    assert causal_mask(1, 5).all()


@pytest.mark.parametrize("n", [1, 2, 7])
def test_the_mask_is_the_opposite_of_torch_which_says_what_not_to_see(n):
    theirs = torch.nn.Transformer.generate_square_subsequent_mask(n)
    assert torch.equal(causal_mask(n), theirs == 0)


def test_a_mask_of_nothing_is_empty():
    assert causal_mask(0).shape == (0, 0)
    assert causal_mask(0, 3).shape == (0, 3)
    assert padding_mask(torch.zeros(2, 0, dtype=torch.long)).shape == (2, 1, 0)


def test_the_mask_is_made_where_it_is_wanted():
    assert causal_mask(2, device="meta").device.type == "meta"


def test_padding_mask_hides_keys_from_every_query():
    ids = torch.tensor([[5, 6, 0], [7, 0, 0]])
    expected = torch.tensor([[[T, T, F]], [[T, F, F]]])
    assert torch.equal(padding_mask(ids), expected)


def test_the_padding_id_can_be_another():
    mask = padding_mask(torch.tensor([[0, 1]]), pad=1)
    assert mask.tolist() == [[[True, False]]]


def test_no_keys_are_not_keys_that_were_not_given():
    with pytest.raises(ValueError, match="2 queries and 0 keys"):
        causal_mask(2, 0)


@pytest.mark.parametrize("pad", range(6))
def test_the_padding_alone_is_hidden(pad):
    ids = torch.arange(6).unsqueeze(0)
    hidden = ~padding_mask(ids, pad)
    assert hidden.nonzero().tolist() == [[0, 0, pad]]
