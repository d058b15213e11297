"""Answers to `class MultiHeadAttention`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import torch
from torch import nn


class _Einsum(nn.Module):
    """Heads by `view` and `permute`, products by einsum."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d_k = n_heads, d_model // n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def heads(self, x):
        return x.view(len(x), -1, self.h, self.d_k).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        q = self.heads(self.q_proj(query)) * self.d_k**-0.5
        k, v = self.heads(self.k_proj(key)), self.heads(self.v_proj(value))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        if mask is not None:
            mask = mask[:, None] if mask.dim() == 3 else mask
            scores = scores.masked_fill(mask == 0, float("-inf"))
        mixed = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), v)
        return self.out_proj(mixed.reshape(len(mixed), mixed.shape[1], -1))


class right__einsum(_Einsum):
    pass


class no_bias__loop(_Einsum):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
