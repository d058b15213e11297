"""Masks by hand."""

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


def test_padding_mask_hides_keys_from_every_query():
    ids = torch.tensor([[5, 6, 0], [7, 0, 0]])
    expected = torch.tensor([[[T, T, F]], [[T, F, F]]])
    assert torch.equal(padding_mask(ids), expected)


def test_the_padding_id_can_be_another():
    mask = padding_mask(torch.tensor([[0, 1]]), pad=1)
    assert mask.tolist() == [[[True, False]]]
